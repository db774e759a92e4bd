//! The i386 table (`arch/x86/entry/syscalls/syscall_32.tbl`). The one place where a system call is registered.

use crate::structs::*;
use crate::trace::*;

/// Hands every row to the macro `$callback`: this crate builds the description from them, `run` the dispatch table.
#[macro_export]
macro_rules! i386_syscalls {
    ($callback:ident) => { $callback! {
        area fs {
            5 open call (pathname: Path, flags: OpenFlags, mode: OpenMode), partial "a file opened without O_LARGEFILE can be written and extended past 2 GiB, and F_GETFL shows O_LARGEFILE";
            8 creat call (pathname: Path, mode: Mode), full;
            9 link native[86] (oldpath: Path, newpath: Path), full;
            10 unlink native[87] (pathname: Path), full;
            12 chdir native[80] (path: Path), full;
            14 mknod native[133] (pathname: Path, mode: Mode, dev: Device), full;
            15 chmod native[90] (pathname: Path, mode: Mode), full;
            16 lchown call (pathname: Path, owner: Id16, group: Id16), full;
            18 oldstat call (pathname: Path, statbuf: Out<fs::__old_kernel_stat::Guest32>), full;
            21 mount native[165] (source: Path, target: Path, filesystemtype: Path, mountflags: MountFlags, data: Addr), partial "the binary mount data of NFS version 4 is not converted";
            22 umount call (target: Path), full;
            28 oldfstat call (fd: Fd, statbuf: Out<fs::__old_kernel_stat::Guest32>), full;
            30 utime call (filename: Path, times: In<fs::utimbuf::Guest32>), full;
            33 access call (pathname: Path, mode: AccessMode), full;
            36 sync native[162] (), full;
            38 rename native[82] (oldpath: Path, newpath: Path), full;
            39 mkdir native[83] (pathname: Path, mode: Mode), full;
            40 rmdir native[84] (pathname: Path), full;
            52 umount2 native[166] (target: Path, flags: UmountFlags), full;
            60 umask native[95] (mask: Mode) -> Octal, full;
            61 chroot native[161] (path: Path), full;
            62 ustat call (dev: Hex, ubuf: Out<fs::ustat::Guest32>), full;
            83 symlink native[88] (target: Path, linkpath: Path), full;
            84 oldlstat call (pathname: Path, statbuf: Out<fs::__old_kernel_stat::Guest32>), full;
            85 readlink call (pathname: Path, buf: OutBuf, bufsiz: Uint), full;
            86 uselib refuse[ENOSYS] (library: Path), refused "a.out libraries; kernels are built without CONFIG_USELIB";
            87 swapon native[167] (path: Path, swapflags: SwapFlags), full;
            89 readdir call (fd: Fd, dirp: Out<fs::linux_dirent::Guest32>, count: Uint), full;
            92 truncate call (path: Path, length: SignedLong), full;
            93 ftruncate call (fd: Fd, length: SignedLong), full;
            94 fchmod native[91] (fd: Fd, mode: Mode), full;
            95 fchown call (fd: Fd, owner: Id16, group: Id16), full;
            99 statfs call (path: Path, buf: Out<fs::statfs::Guest32>), full;
            100 fstatfs call (fd: Fd, buf: Out<fs::statfs::Guest32>), full;
            106 stat call (pathname: Path, statbuf: Out<fs::stat::Guest32>), full;
            107 lstat call (pathname: Path, statbuf: Out<fs::stat::Guest32>), full;
            108 fstat call (fd: Fd, statbuf: Out<fs::stat::Guest32>), full;
            115 swapoff native[168] (path: Path), full;
            118 fsync native[74] (fd: Fd), full;
            131 quotactl call (cmd: QuotaCommand, special: Path, id: Id32, addr: Addr), full;
            133 fchdir native[81] (fd: Fd), full;
            141 getdents call (fd: Fd, dirp: Addr, count: Uint), full;
            143 flock native[73] (fd: Fd, operation: FlockOperation), full;
            148 fdatasync native[75] (fd: Fd), full;
            182 chown call (pathname: Path, owner: Id16, group: Id16), full;
            183 getcwd native[79] (buf: OutBuf, size: Uint), full;
            193 truncate64 call (path: Path, length_low: Low64, length_high: High64), full;
            194 ftruncate64 call (fd: Fd, length_low: Low64, length_high: High64), full;
            195 stat64 call (pathname: Path, statbuf: Out<fs::stat64::Guest32>), full;
            196 lstat64 call (pathname: Path, statbuf: Out<fs::stat64::Guest32>), full;
            197 fstat64 call (fd: Fd, statbuf: Out<fs::stat64::Guest32>), full;
            198 lchown32 native[94] (pathname: Path, owner: Id32, group: Id32), full;
            207 fchown32 native[93] (fd: Fd, owner: Id32, group: Id32), full;
            212 chown32 native[92] (pathname: Path, owner: Id32, group: Id32), full;
            217 pivot_root native[155] (new_root: Path, put_old: Path), full;
            220 getdents64 call (fd: Fd, dirp: Addr, count: Uint), full;
            226 setxattr native[188] (path: Path, name: Path, value: InBuf<3>, size: Uint, flags: XattrFlags), full;
            227 lsetxattr native[189] (path: Path, name: Path, value: InBuf<3>, size: Uint, flags: XattrFlags), full;
            228 fsetxattr native[190] (fd: Fd, name: Path, value: InBuf<3>, size: Uint, flags: XattrFlags), full;
            229 getxattr call (path: Path, name: Path, value: OutBuf, size: Uint), full;
            230 lgetxattr call (path: Path, name: Path, value: OutBuf, size: Uint), full;
            231 fgetxattr native[193] (fd: Fd, name: Path, value: OutBuf, size: Uint), full;
            232 listxattr call (path: Path, list: OutBuf, size: Uint), full;
            233 llistxattr call (path: Path, list: OutBuf, size: Uint), full;
            234 flistxattr native[196] (fd: Fd, list: OutBuf, size: Uint), full;
            235 removexattr native[197] (path: Path, name: Path), full;
            236 lremovexattr native[198] (path: Path, name: Path), full;
            237 fremovexattr native[199] (fd: Fd, name: Path), full;
            268 statfs64 call (path: Path, sz: Uint, buf: Out<fs::statfs64::Guest32>), full;
            269 fstatfs64 call (fd: Fd, sz: Uint, buf: Out<fs::statfs64::Guest32>), full;
            271 utimes call (filename: Path, times: In<[time::timeval::Guest32; 2]>), full;
            291 inotify_init native[253] (), full;
            292 inotify_add_watch native[254] (fd: Fd, pathname: Path, mask: InotifyMask), full;
            293 inotify_rm_watch native[255] (fd: Fd, wd: Int), full;
            295 openat call (dirfd: DirFd, pathname: Path, flags: OpenFlags, mode: OpenMode), partial "a file opened without O_LARGEFILE can be written and extended past 2 GiB, and F_GETFL shows O_LARGEFILE";
            296 mkdirat native[258] (dirfd: DirFd, pathname: Path, mode: Mode), full;
            297 mknodat native[259] (dirfd: DirFd, pathname: Path, mode: Mode, dev: Device), full;
            298 fchownat native[260] (dirfd: DirFd, pathname: Path, owner: Id32, group: Id32, flags: AtFlags), full;
            299 futimesat call (dirfd: DirFd, pathname: Path, times: In<[time::timeval::Guest32; 2]>), full;
            300 fstatat64 call (dirfd: DirFd, pathname: Path, statbuf: Out<fs::stat64::Guest32>, flags: AtFlags), full;
            301 unlinkat native[263] (dirfd: DirFd, pathname: Path, flags: UnlinkFlags), full;
            302 renameat native[264] (olddirfd: DirFd, oldpath: Path, newdirfd: DirFd, newpath: Path), full;
            303 linkat native[265] (olddirfd: DirFd, oldpath: Path, newdirfd: DirFd, newpath: Path, flags: AtFlags), full;
            304 symlinkat native[266] (target: Path, newdirfd: DirFd, linkpath: Path), full;
            305 readlinkat call (dirfd: DirFd, pathname: Path, buf: OutBuf, bufsiz: Uint), full;
            306 fchmodat native[268] (dirfd: DirFd, pathname: Path, mode: Mode), full;
            307 faccessat call (dirfd: DirFd, pathname: Path, mode: AccessMode), full;
            320 utimensat call (dirfd: DirFd, pathname: Path, times: In<[time::timespec::Guest32; 2]>, flags: AtFlags), full;
            324 fallocate call (fd: Fd, mode: FallocateMode, offset_low: Low64, offset_high: High64, len_low: Low64, len_high: High64), full;
            332 inotify_init1 native[294] (flags: InotifyInitFlags), full;
            338 fanotify_init native[300] (flags: FanotifyInitFlags, event_f_flags: OpenFlags), full;
            339 fanotify_mark call (fanotify_fd: Fd, flags: FanotifyMarkFlags, mask_low: Low64, mask_high: High64, dirfd: DirFd, pathname: Path), full;
            341 name_to_handle_at native[303] (dirfd: DirFd, pathname: Path, handle: InOut<fs::file_handle::Guest32>, mount_id: Addr, flags: HandleFlags), full;
            342 open_by_handle_at call (mount_fd: DirFd, handle: In<fs::file_handle::Guest32>, flags: OpenFlags), partial "a file opened without O_LARGEFILE can be written and extended past 2 GiB, and F_GETFL shows O_LARGEFILE";
            344 syncfs native[306] (fd: Fd), full;
            353 renameat2 native[316] (olddirfd: DirFd, oldpath: Path, newdirfd: DirFd, newpath: Path, flags: RenameFlags), full;
            383 statx call (dirfd: DirFd, pathname: Path, flags: AtFlags, mask: StatxMask, statxbuf: Out<fs::statx::Guest32>), full;
            412 utimensat_time64 call (dirfd: DirFd, pathname: Path, times: In<[time::timespec64::Guest32; 2]>, flags: AtFlags), full;
            428 open_tree native[428] (dirfd: DirFd, filename: Path, flags: OpenTreeFlags), full;
            429 move_mount native[429] (from_dirfd: DirFd, from_pathname: Path, to_dirfd: DirFd, to_pathname: Path, flags: MoveMountFlags), full;
            430 fsopen native[430] (fs_name: Path, flags: FsmountFlags), full;
            431 fsconfig native[431] (fs_fd: Fd, cmd: FsconfigCommand, key: Path, value: Addr, aux: Int), full;
            432 fsmount native[432] (fs_fd: Fd, flags: FsmountFlags, attr_flags: MountAttrFlags), full;
            433 fspick native[433] (dirfd: DirFd, path: Path, flags: FspickFlags), full;
            437 openat2 call (dirfd: DirFd, pathname: Path, how: In<fs::open_how::Guest32>, size: Uint), full;
            439 faccessat2 call (dirfd: DirFd, pathname: Path, mode: AccessMode, flags: AccessFlags), full;
            442 mount_setattr native[442] (dirfd: DirFd, path: Path, flags: AtFlags, uattr: In<fs::mount_attr::Guest32>, usize: Uint), full;
            443 quotactl_fd call (fd: Fd, cmd: QuotaCommand, id: Id32, addr: Addr), full;
            452 fchmodat2 native[452] (dirfd: DirFd, pathname: Path, mode: Mode, flags: AtFlags), full;
            457 statmount native[457] (req: Addr, buf: Addr, bufsize: Uint, flags: Hex), full;
            458 listmount native[458] (req: Addr, mnt_ids: Addr, nr_mnt_ids: Uint, flags: Hex), full;
            463 setxattrat native[463] (dirfd: DirFd, path: Path, at_flags: AtFlags, name: Path, uargs: Addr, usize: Uint), full;
            464 getxattrat native[464] (dirfd: DirFd, path: Path, at_flags: AtFlags, name: Path, uargs: Addr, usize: Uint), full;
            465 listxattrat native[465] (dirfd: DirFd, path: Path, at_flags: AtFlags, list: OutBuf, size: Uint), full;
            466 removexattrat native[466] (dirfd: DirFd, path: Path, at_flags: AtFlags, name: Path), full;
            467 open_tree_attr native[467] (dirfd: DirFd, filename: Path, flags: OpenTreeFlags, uattr: In<fs::mount_attr::Guest32>, usize: Uint), full;
            468 file_getattr native[468] (dirfd: DirFd, pathname: Path, ufattr: Addr, usize: Uint, at_flags: AtFlags), full;
            469 file_setattr native[469] (dirfd: DirFd, pathname: Path, ufattr: Addr, usize: Uint, at_flags: AtFlags), full;
            470 listns native[470] (req: Addr, ns_ids: Addr, nr_ns_ids: Uint, flags: Hex), full;
        }
        area fd {
            3 read native[0] (fd: Fd, buf: OutBuf, count: Uint), full;
            4 write native[1] (fd: Fd, buf: InBuf<2>, count: Uint), full;
            6 close native[3] (fd: Fd), full;
            19 lseek call (fd: Fd, offset: SignedLong, whence: Whence), full;
            41 dup native[32] (oldfd: Fd), full;
            42 pipe native[22] (pipefd: FdPair), full;
            55 fcntl call (fd: Fd, cmd: FcntlCommand, arg: FcntlArgument), full;
            63 dup2 native[33] (oldfd: Fd, newfd: Fd), full;
            140 _llseek call (fd: Fd, offset_high: Hex, offset_low: Hex, result: Out<I64>, whence: Whence), full;
            145 readv call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint), full;
            146 writev call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint), full;
            180 pread64 call (fd: Fd, buf: OutBuf, count: Uint, offset_low: Low64, offset_high: High64), full;
            181 pwrite64 call (fd: Fd, buf: InBuf<2>, count: Uint, offset_low: Low64, offset_high: High64), full;
            187 sendfile call (out_fd: Fd, in_fd: Fd, offset: InOut<Long>, count: Uint), full;
            221 fcntl64 call (fd: Fd, cmd: FcntlCommand, arg: FcntlArgument), full;
            225 readahead call (fd: Fd, offset_low: Low64, offset_high: High64, count: Uint), full;
            239 sendfile64 native[40] (out_fd: Fd, in_fd: Fd, offset: InOut<I64>, count: Uint), full;
            245 io_setup call (nr_events: Uint, ctx_idp: InOut<ULong>), full;
            246 io_destroy native[207] (ctx_id: Hex), full;
            247 io_getevents call (ctx_id: Hex, min_nr: SignedLong, nr: SignedLong, events: Addr, timeout: In<time::timespec::Guest32>), full;
            248 io_submit call (ctx_id: Hex, nr: SignedLong, iocbpp: Addr), full;
            249 io_cancel native[210] (ctx_id: Hex, iocb: In<fd::iocb::Guest32>, result: Addr), full;
            250 fadvise64 call (fd: Fd, offset_low: Low64, offset_high: High64, len: Uint, advice: FadviseAdvice), full;
            272 fadvise64_64 call (fd: Fd, offset_low: Low64, offset_high: High64, len_low: Low64, len_high: High64, advice: FadviseAdvice), full;
            313 splice native[275] (fd_in: Fd, off_in: In<I64>, fd_out: Fd, off_out: In<I64>, len: Uint, flags: SpliceFlags), full;
            314 sync_file_range call (fd: Fd, offset_low: Low64, offset_high: High64, nbytes_low: Low64, nbytes_high: High64, flags: SyncFileRangeFlags), full;
            315 tee native[276] (fd_in: Fd, fd_out: Fd, len: Uint, flags: SpliceFlags), full;
            316 vmsplice call (fd: Fd, iov: IoVecs<2>, nr_segs: Uint, flags: SpliceFlags), full;
            321 signalfd native[282] (fd: Int, mask: In<[u32; 2]>, sizemask: Uint), full;
            323 eventfd native[284] (initval: Uint), full;
            327 signalfd4 native[289] (fd: Int, mask: In<[u32; 2]>, sizemask: Uint, flags: SignalfdFlags), full;
            328 eventfd2 native[290] (initval: Uint, flags: EventfdFlags), full;
            330 dup3 native[292] (oldfd: Fd, newfd: Fd, flags: DescriptorFlags), full;
            331 pipe2 native[293] (pipefd: FdPair, flags: DescriptorFlags), full;
            333 preadv call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint, offset_low: Low64, offset_high: High64), full;
            334 pwritev call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint, offset_low: Low64, offset_high: High64), full;
            356 memfd_create native[319] (name: Path, flags: MemfdFlags), full;
            377 copy_file_range native[326] (fd_in: Fd, off_in: In<I64>, fd_out: Fd, off_out: In<I64>, size: Uint, flags: Hex), full;
            378 preadv2 call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint, offset_low: Low64, offset_high: High64, flags: RwfFlags), full;
            379 pwritev2 call (fd: Fd, iov: IoVecs<2>, iovcnt: Uint, offset_low: Low64, offset_high: High64, flags: RwfFlags), full;
            385 io_pgetevents call (ctx_id: Hex, min_nr: SignedLong, nr: SignedLong, events: Addr, timeout: In<time::timespec::Guest32>, usig: In<fd::__aio_sigset::Guest32>), full;
            416 io_pgetevents_time64 call (ctx_id: Hex, min_nr: SignedLong, nr: SignedLong, events: Addr, timeout: In<time::timespec64::Guest32>, usig: In<fd::__aio_sigset::Guest32>), full;
            425 io_uring_setup call (entries: Uint, p: Addr), partial "no thread of the kernel's (IORING_SETUP_SQPOLL), no memory of the program's (IORING_SETUP_NO_MMAP); requests that are EINVAL: RECVMSG, SENDMSG_ZC, SENDMSG with control messages, URING_CMD, WAITID";
            426 io_uring_enter call (fd: Fd, to_submit: Uint, min_complete: Uint, flags: Hex, argp: Addr, argsz: Uint), partial "of a ring that another process has made, requests have 64-bit layouts";
            427 io_uring_register call (fd: Fd, opcode: Uint, arg: Addr, nr_args: Uint), partial "rings have no numbers (IORING_REGISTER_RING_FDS) and keep their size";
            436 close_range native[436] (first: Uint, last: Uint, flags: CloseRangeFlags), full;
            447 memfd_secret native[447] (flags: Hex), full;
            451 cachestat native[451] (fd: Fd, range: In<fd::cachestat_range::Guest32>, cstat: Out<fd::cachestat::Guest32>, flags: Hex), full;
        }
        area poll {
            82 select call (arg: In<poll::sel_arg_struct::Guest32>), full;
            142 _newselect call (nfds: Int, readfds: FdSet, writefds: FdSet, exceptfds: FdSet, timeout: InOut<time::timeval::Guest32>), full;
            168 poll native[7] (fds: PollFds, nfds: Uint, timeout: Int), full;
            254 epoll_create native[213] (size: Int), full;
            255 epoll_ctl native[233] (epfd: Fd, op: EpollOperation, fd: Fd, event: In<poll::epoll_event::Guest32>), full;
            256 epoll_wait native[232] (epfd: Fd, events: EpollEvents, maxevents: Int, timeout: Int), full;
            308 pselect6 call (nfds: Int, readfds: FdSet, writefds: FdSet, exceptfds: FdSet, timeout: InOut<time::timespec::Guest32>, sig: In<poll::sigset_argpack::Guest32>), full;
            309 ppoll call (fds: PollFds, nfds: Uint, tmo_p: InOut<time::timespec::Guest32>, sigmask: In<[u32; 2]>, sigsetsize: Uint), full;
            319 epoll_pwait native[281] (epfd: Fd, events: EpollEvents, maxevents: Int, timeout: Int, sigmask: In<[u32; 2]>, sigsetsize: Uint), full;
            329 epoll_create1 native[291] (flags: EpollCreateFlags), full;
            413 pselect6_time64 call (nfds: Int, readfds: FdSet, writefds: FdSet, exceptfds: FdSet, timeout: InOut<time::timespec64::Guest32>, sig: In<poll::sigset_argpack::Guest32>), full;
            414 ppoll_time64 call (fds: PollFds, nfds: Uint, tmo_p: InOut<time::timespec64::Guest32>, sigmask: In<[u32; 2]>, sigsetsize: Uint), full;
            441 epoll_pwait2 call (epfd: Fd, events: EpollEvents, maxevents: Int, timeout: In<time::timespec64::Guest32>, sigmask: In<[u32; 2]>, sigsetsize: Uint), full;
        }
        area mem {
            45 brk call (addr: Hex) -> Hex, full;
            90 mmap call (args: In<[u32; 6]>) -> Hex, full;
            91 munmap call (addr: Hex, length: Uint), full;
            125 mprotect native[10] (addr: Addr, length: Uint, prot: mem::Prot), full;
            144 msync native[26] (addr: Addr, length: Uint, flags: mem::SyncFlags), full;
            150 mlock native[149] (addr: Addr, length: Uint), full;
            151 munlock native[150] (addr: Addr, length: Uint), full;
            152 mlockall call (flags: Hex), full;
            153 munlockall native[152] (), full;
            163 mremap call (old_address: Hex, old_size: Uint, new_size: Uint, flags: mem::RemapFlags, new_address: Hex) -> Hex, full;
            192 mmap2 call (addr: Hex, length: Uint, prot: mem::Prot, flags: mem::MapFlags, fd: Fd, pgoffset: Hex) -> Hex, full;
            218 mincore native[27] (addr: Addr, length: Uint, vec: Addr), full;
            219 madvise native[28] (addr: Addr, length: Uint, advice: mem::Advice), full;
            257 remap_file_pages native[216] (addr: Addr, size: Uint, prot: mem::Prot, pgoff: Uint, flags: mem::MapFlags), full;
            274 mbind call (addr: Addr, len: Uint, mode: Hex, nodemask: Addr, maxnode: Uint, flags: Hex), full;
            275 get_mempolicy call (mode: Addr, nodemask: Addr, maxnode: Uint, addr: Addr, flags: Hex), full;
            276 set_mempolicy call (mode: Hex, nodemask: Addr, maxnode: Uint), full;
            294 migrate_pages call (pid: Pid, maxnode: Uint, old_nodes: Addr, new_nodes: Addr), full;
            317 move_pages call (pid: Pid, count: Uint, pages: Addr, nodes: Addr, status: Addr, flags: Hex), full;
            374 userfaultfd native[323] (flags: Hex), full;
            376 mlock2 native[325] (addr: Addr, length: Uint, flags: Hex), full;
            380 pkey_mprotect native[329] (addr: Addr, length: Uint, prot: mem::Prot, pkey: Int), full;
            381 pkey_alloc native[330] (flags: Hex, access_rights: Hex), full;
            382 pkey_free native[331] (pkey: Int), full;
            440 process_madvise call (pidfd: Fd, vec: Addr, vlen: Uint, advice: mem::Advice, flags: Hex), full;
            450 set_mempolicy_home_node native[450] (start: Addr, len: Uint, home_node: Uint, flags: Hex), full;
            453 map_shadow_stack refuse[EOPNOTSUPP] (addr: Addr, size: Uint, flags: Hex), refused "32-bit tasks have no shadow stacks";
            462 mseal native[462] (start: Addr, length: Uint, flags: Hex), full;
        }
        area process {
            1 exit call (status: Int) -> Never, full;
            2 fork call (), full;
            7 waitpid call (pid: Pid, status: Out<u32>, options: process::WaitOptions), full;
            11 execve call (pathname: Path, argv: Strings, envp: StringCount),
                partial "a set-user-id i386 program runs without its privileges, and one that may be executed but not read cannot be run";
            20 getpid native[39] (), full;
            29 pause native[34] (), full;
            114 wait4 call (pid: Pid, status: Out<u32>, options: process::WaitOptions, rusage: Out<sched::rusage::Guest32>), full;
            120 clone call (flags: process::CloneFlags, stack: Addr, parent_tid: Addr, tls: Addr, child_tid: Addr), full;
            190 vfork call (), full;
            224 gettid native[186] (), full;
            252 exit_group call (status: Int) -> Never, full;
            284 waitid call (idtype: Int, id: Int, info: Addr, options: process::WaitOptions, rusage: Out<sched::rusage::Guest32>), full;
            347 process_vm_readv call (pid: Pid, local: Addr, local_count: Uint, remote: Addr, remote_count: Uint, flags: Hex), full;
            348 process_vm_writev call (pid: Pid, local: Addr, local_count: Uint, remote: Addr, remote_count: Uint, flags: Hex), full;
            358 execveat call (dirfd: DirFd, pathname: Path, argv: Strings, envp: StringCount, flags: process::ExecveatFlags), full;
            435 clone3 call (args: In<thread::clone_args::Guest32>, size: Uint), full;
        }
        area identity {
            23 setuid call (uid: Id16), full;
            24 getuid call (), full;
            46 setgid call (gid: Id16), full;
            47 getgid call (), full;
            49 geteuid call (), full;
            50 getegid call (), full;
            64 getppid native[110] (), full;
            57 setpgid native[109] (pid: Pid, pgid: Pid), full;
            65 getpgrp native[111] (), full;
            66 setsid native[112] (), full;
            70 setreuid call (ruid: Id16, euid: Id16), full;
            71 setregid call (rgid: Id16, egid: Id16), full;
            80 getgroups call (size: Int, list: Out<u16>), full;
            81 setgroups call (size: Int, list: In<u16>), full;
            132 getpgid native[121] (pid: Pid), full;
            138 setfsuid call (uid: Id16), full;
            139 setfsgid call (gid: Id16), full;
            147 getsid native[124] (pid: Pid), full;
            164 setresuid call (ruid: Id16, euid: Id16, suid: Id16), full;
            165 getresuid call (ruid: Out<u16>, euid: Out<u16>, suid: Out<u16>), full;
            170 setresgid call (rgid: Id16, egid: Id16, sgid: Id16), full;
            171 getresgid call (rgid: Out<u16>, egid: Out<u16>, sgid: Out<u16>), full;
            184 capget native[125] (hdrp: In<identity::cap_user_header::Guest32>, datap: Out<identity::cap_user_data::Guest32>),
                full;
            185 capset native[126] (hdrp: In<identity::cap_user_header::Guest32>, datap: In<identity::cap_user_data::Guest32>),
                full;
            199 getuid32 native[102] (), full;
            200 getgid32 native[104] (), full;
            201 geteuid32 native[107] (), full;
            202 getegid32 native[108] (), full;
            203 setreuid32 native[113] (ruid: Id32, euid: Id32), full;
            204 setregid32 native[114] (rgid: Id32, egid: Id32), full;
            205 getgroups32 native[115] (size: Int, list: Out<u32>), full;
            206 setgroups32 native[116] (size: Int, list: In<u32>), full;
            208 setresuid32 native[117] (ruid: Id32, euid: Id32, suid: Id32), full;
            209 getresuid32 native[118] (ruid: Out<u32>, euid: Out<u32>, suid: Out<u32>), full;
            210 setresgid32 native[119] (rgid: Id32, egid: Id32, sgid: Id32), full;
            211 getresgid32 native[120] (rgid: Out<u32>, egid: Out<u32>, sgid: Out<u32>), full;
            213 setuid32 native[105] (uid: Id32), full;
            214 setgid32 native[106] (gid: Id32), full;
            215 setfsuid32 native[122] (uid: Id32), full;
            216 setfsgid32 native[123] (gid: Id32), full;
        }
        area sched {
            34 nice call (inc: Int), full;
            75 setrlimit call (resource: Resource, rlim: In<sched::rlimit::Guest32>), full;
            76 getrlimit call (resource: Resource, rlim: Out<sched::rlimit::Guest32>), full;
            77 getrusage call (who: RusageWho, usage: Out<sched::rusage::Guest32>), full;
            96 getpriority native[140] (which: PriorityWhich, who: Int), full;
            97 setpriority native[141] (which: PriorityWhich, who: Int, prio: Int), full;
            154 sched_setparam native[142] (pid: Pid, param: In<sched::sched_param::Guest32>), full;
            155 sched_getparam native[143] (pid: Pid, param: Out<sched::sched_param::Guest32>), full;
            156 sched_setscheduler native[144] (pid: Pid, policy: Policy, param: In<sched::sched_param::Guest32>), full;
            157 sched_getscheduler native[145] (pid: Pid), full;
            158 sched_yield native[24] (), full;
            159 sched_get_priority_max native[146] (policy: Policy), full;
            160 sched_get_priority_min native[147] (policy: Policy), full;
            161 sched_rr_get_interval call (pid: Pid, tp: Out<time::timespec::Guest32>), full;
            191 ugetrlimit call (resource: Resource, rlim: Out<sched::rlimit::Guest32>), full;
            241 sched_setaffinity call (pid: Pid, len: Uint, mask: In<u32>), full;
            242 sched_getaffinity call (pid: Pid, len: Uint, mask: Out<u32>), full;
            289 ioprio_set native[251] (which: IoPriorityWhich, who: Int, ioprio: Hex), full;
            290 ioprio_get native[252] (which: IoPriorityWhich, who: Int), full;
            340 prlimit64 native[302] (pid: Pid, resource: Resource, new_limit: In<sched::rlimit64::Guest32>,
                old_limit: Out<sched::rlimit64::Guest32>), full;
            351 sched_setattr native[314] (pid: Pid, attr: In<sched::sched_attr::Guest32>, flags: Hex), full;
            352 sched_getattr native[315] (pid: Pid, attr: Out<sched::sched_attr::Guest32>, size: Uint, flags: Hex), full;
            423 sched_rr_get_interval_time64 native[148] (pid: Pid, tp: Out<time::timespec64::Guest32>), full;
        }
        area control {
            136 personality native[135] (persona: Hex) -> Hex, full;
            172 prctl call (option: PrctlOption, arg2: Hex, arg3: Hex, arg4: Hex, arg5: Hex),
                partial "PR_SET_MM, PR_GET_AUXV and PR_SET_SYSCALL_USER_DISPATCH are refused: they would act on the supervisor";
            310 unshare native[272] (flags: Namespaces), full;
            346 setns native[308] (fd: Fd, nstype: Namespaces), full;
            349 kcmp native[312] (pid1: Pid, pid2: Pid, type: Int, idx1: Uint, idx2: Uint), full;
            375 membarrier native[324] (cmd: MembarrierCommand, flags: Hex, cpu_id: Int), full;
            384 arch_prctl call (option: ArchPrctlOption, arg2: Addr), full;
            386 rseq refuse[ENOSYS] (rseq: Addr, rseq_len: Uint, flags: Hex, sig: Hex),
                refused "an abort handler would be entered with the 64-bit code segment; the C library does without";
            434 pidfd_open native[434] (pid: Pid, flags: Hex), full;
            438 pidfd_getfd call (pidfd: Fd, targetfd: Fd, flags: Hex), full;
            448 process_mrelease native[448] (pidfd: Fd, flags: Hex), full;
            471 rseq_slice_yield refuse[ENOSYS] (), refused "belongs to rseq";
        }
        area ptrace {
            26 ptrace call (request: PtraceRequest, pid: Pid, addr: Addr, data: Addr),
                partial "system calls emulated by the tracer (PTRACE_SYSEMU), PTRACE_O_TRACESECCOMP, PTRACE_PEEKSIGINFO and \
                PTRACE_SET_THREAD_AREA are refused";
        }
        area thread {
            123 modify_ldt call (function: Int, pointer: Addr, bytecount: Uint), full;
            240 futex call (word: Addr, operation: thread::FutexOperation, value: Uint, timeout: Hex, word2: Addr, value3: Hex), full;
            243 set_thread_area call (descriptor: InOut<thread::user_desc::Guest32>), full;
            244 get_thread_area call (descriptor: Out<thread::user_desc::Guest32>), full;
            258 set_tid_address call (address: Addr), full;
            311 set_robust_list call (head: Addr, length: Uint),
                partial "a process that is killed does not mark the locks it holds in memory shared with other processes";
            312 get_robust_list call (pid: Pid, head: Out<u32>, length: Out<u32>), partial "only of threads of this process";
            422 futex_time64 call (word: Addr, operation: thread::FutexOperation, value: Uint, timeout: Hex, word2: Addr, value3: Hex), full;
            449 futex_waitv call (waiters: Addr, count: Uint, flags: Hex, timeout: In<time::timespec64::Guest32>, clock: Int), full;
            454 futex_wake native[454] (word: Addr, mask: Hex, count: Int, flags: Hex), full;
            455 futex_wait call (word: Addr, value: Uint, mask: Hex, flags: Hex, timeout: In<time::timespec64::Guest32>, clock: Int), full;
            456 futex_requeue native[456] (waiters: Addr, flags: Hex, wake: Int, requeue: Int), full;
        }
        area signal {
            0 restart_syscall refuse[EINTR] (), refused "the kernel's own way to continue a sleep, which the host's kernel \
                uses for itself; a program that makes the call gets EINTR there too";
            37 kill native[62] (pid: Pid, signal: signal::Signal), full;
            48 signal call (signal: signal::Signal, handler: Hex) -> Hex, full;
            67 sigaction call (signal: signal::Signal, new: In<signal::OldSigaction>, old: Out<signal::OldSigaction>), full;
            68 sgetmask call (), full;
            69 ssetmask call (mask: Hex), full;
            72 sigsuspend call (history0: Hex, history1: Hex, mask: Hex), full;
            73 sigpending call (set: Out<u32>), full;
            119 sigreturn call (), full;
            126 sigprocmask call (how: signal::MaskHow, set: In<u32>, old: Out<u32>), full;
            173 rt_sigreturn call (), full;
            174 rt_sigaction call (signal: signal::Signal, new: In<signal::sigaction::Guest32>, old: Out<signal::sigaction::Guest32>, length: Uint), full;
            175 rt_sigprocmask call (how: signal::MaskHow, set: signal::InSet, old: signal::OutSet, length: Uint), full;
            176 rt_sigpending call (set: Addr, length: Uint), full;
            177 rt_sigtimedwait call (set: signal::InSet, info: Addr, timeout: In<time::timespec::Guest32>, length: Uint), full;
            178 rt_sigqueueinfo call (pid: Pid, signal: signal::Signal, info: Addr), full;
            179 rt_sigsuspend call (mask: signal::InSet, length: Uint), full;
            186 sigaltstack call (new: In<signal::sigaltstack::Guest32>, old: Out<signal::sigaltstack::Guest32>), full;
            238 tkill native[200] (tid: Pid, signal: signal::Signal), full;
            270 tgkill native[234] (tgid: Pid, tid: Pid, signal: signal::Signal), full;
            335 rt_tgsigqueueinfo call (tgid: Pid, tid: Pid, signal: signal::Signal, info: Addr), full;
            421 rt_sigtimedwait_time64 call (set: signal::InSet, info: Addr, timeout: In<time::timespec64::Guest32>, length: Uint), full;
            424 pidfd_send_signal call (pidfd: Fd, signal: signal::Signal, info: Addr, flags: Hex), full;
        }
        area time {
            13 time call (tloc: Out<Long>), full;
            25 stime call (tptr: In<Long>), full;
            27 alarm native[37] (seconds: Uint), full;
            43 times call (buf: Out<time::tms::Guest32>), full;
            78 gettimeofday call (tv: Out<time::timeval::Guest32>, tz: Out<time::timezone::Guest32>), full;
            79 settimeofday call (tv: In<time::timeval::Guest32>, tz: In<time::timezone::Guest32>), full;
            104 setitimer call (which: IntervalTimer, new_value: In<time::itimerval::Guest32>,
                old_value: Out<time::itimerval::Guest32>), full;
            105 getitimer call (which: IntervalTimer, curr_value: Out<time::itimerval::Guest32>), full;
            124 adjtimex call (buf: InOut<time::timex::Guest32>), full;
            162 nanosleep call (req: In<time::timespec::Guest32>, rem: Addr), full;
            259 timer_create call (clockid: ClockId, sevp: In<time::sigevent::Guest32>, timerid: Out<i32>), full;
            260 timer_settime call (timerid: Int, flags: TimerFlags, new_value: In<time::itimerspec::Guest32>,
                old_value: Out<time::itimerspec::Guest32>), full;
            261 timer_gettime call (timerid: Int, curr_value: Out<time::itimerspec::Guest32>), full;
            262 timer_getoverrun native[225] (timerid: Int), full;
            263 timer_delete native[226] (timerid: Int), full;
            264 clock_settime call (clockid: ClockId, tp: In<time::timespec::Guest32>), full;
            265 clock_gettime call (clockid: ClockId, tp: Out<time::timespec::Guest32>), full;
            266 clock_getres call (clockid: ClockId, res: Out<time::timespec::Guest32>), full;
            267 clock_nanosleep call (clockid: ClockId, flags: TimerFlags, req: In<time::timespec::Guest32>,
                rem: Addr), full;
            322 timerfd_create native[283] (clockid: ClockId, flags: TimerfdCreateFlags), full;
            325 timerfd_settime call (fd: Fd, flags: TimerfdSettimeFlags, new_value: In<time::itimerspec::Guest32>,
                old_value: Out<time::itimerspec::Guest32>), full;
            326 timerfd_gettime call (fd: Fd, curr_value: Out<time::itimerspec::Guest32>), full;
            343 clock_adjtime call (clockid: ClockId, buf: InOut<time::timex::Guest32>), full;
            403 clock_gettime64 native[228] (clockid: ClockId, tp: Out<time::timespec64::Guest32>), full;
            404 clock_settime64 call (clockid: ClockId, tp: In<time::timespec64::Guest32>), full;
            405 clock_adjtime64 native[305] (clockid: ClockId, buf: InOut<time::timex64::Guest32>), full;
            406 clock_getres_time64 native[229] (clockid: ClockId, res: Out<time::timespec64::Guest32>), full;
            407 clock_nanosleep_time64 call (clockid: ClockId, flags: TimerFlags, req: In<time::timespec64::Guest32>,
                rem: Addr), full;
            408 timer_gettime64 native[224] (timerid: Int, curr_value: Out<time::itimerspec64::Guest32>), full;
            409 timer_settime64 call (timerid: Int, flags: TimerFlags, new_value: In<time::itimerspec64::Guest32>,
                old_value: Out<time::itimerspec64::Guest32>), full;
            410 timerfd_gettime64 native[287] (fd: Fd, curr_value: Out<time::itimerspec64::Guest32>), full;
            411 timerfd_settime64 call (fd: Fd, flags: TimerfdSettimeFlags, new_value: In<time::itimerspec64::Guest32>,
                old_value: Out<time::itimerspec64::Guest32>), full;
        }
        area socket {
            102 socketcall call (call: Socketcall, args: SocketcallArgs), full;
            337 recvmmsg call (sockfd: Fd, msgvec: Addr, vlen: Uint, flags: MsgFlags, timeout: In<time::timespec::Guest32>), full;
            345 sendmmsg call (sockfd: Fd, msgvec: Addr, vlen: Uint, flags: MsgFlags), full;
            359 socket call (domain: Family, type_: SocketType, protocol: Int), partial "IPsec cannot be configured (NETLINK_XFRM)";
            360 socketpair native[53] (domain: Family, type_: SocketType, protocol: Int, sv: Out<[i32; 2]>), full;
            361 bind native[49] (sockfd: Fd, addr: SockAddr<2>, addrlen: Int), full;
            362 connect native[42] (sockfd: Fd, addr: SockAddr<2>, addrlen: Int), full;
            363 listen native[50] (sockfd: Fd, backlog: Int), full;
            364 accept4 native[288] (sockfd: Fd, addr: SockAddrOut<2>, addrlen: Out<i32>, flags: SocketFlags), full;
            365 getsockopt call (sockfd: Fd, level: SockLevel, optname: SockOpt, optval: Addr, optlen: Out<i32>), partial "no tables of iptables, ip6tables, arptables and ebtables";
            366 setsockopt call (sockfd: Fd, level: SockLevel, optname: SockOpt, optval: InBuf<4>, optlen: Int), partial "no tables of iptables, ip6tables, arptables and ebtables";
            367 getsockname native[51] (sockfd: Fd, addr: SockAddrOut<2>, addrlen: Out<i32>), full;
            368 getpeername native[52] (sockfd: Fd, addr: SockAddrOut<2>, addrlen: Out<i32>), full;
            369 sendto native[44] (sockfd: Fd, buf: InBuf<2>, len: Uint, flags: MsgFlags, dest_addr: SockAddr<5>, addrlen: Int), full;
            370 sendmsg call (sockfd: Fd, msg: In<socket::msghdr::Guest32>, flags: MsgFlags), full;
            371 recvfrom native[45] (sockfd: Fd, buf: OutBuf, len: Uint, flags: MsgFlags, src_addr: SockAddrOut<5>, addrlen: Out<i32>), full;
            372 recvmsg call (sockfd: Fd, msg: Out<socket::msghdr::Guest32>, flags: MsgFlags), full;
            373 shutdown native[48] (sockfd: Fd, how: ShutHow), full;
            417 recvmmsg_time64 call (sockfd: Fd, msgvec: Addr, vlen: Uint, flags: MsgFlags, timeout: In<time::timespec64::Guest32>), full;
        }
        area ioctl {
            54 ioctl call (fd: Fd, request: IoctlNumber, arg: IoctlArgument), partial "an ioctl without a row is refused, unless its argument is too small to hold a pointer or a long";
        }
        area ipc {
            117 ipc call (call: IpcCall, first: Int, second: Int, third: Hex, ptr: Addr, fifth: Int), full;
            277 mq_open call (name: Path, oflag: Hex, mode: Mode, attr: In<ipc::mq_attr::Guest32>), full;
            278 mq_unlink native[241] (name: Path), full;
            279 mq_timedsend call (mqdes: Fd, msg_ptr: InBuf<2>, msg_len: Uint, msg_prio: Uint, abs_timeout: In<time::timespec::Guest32>), full;
            280 mq_timedreceive call (mqdes: Fd, msg_ptr: OutBuf, msg_len: Uint, msg_prio: Out<u32>, abs_timeout: In<time::timespec::Guest32>), full;
            281 mq_notify call (mqdes: Fd, sevp: In<time::sigevent::Guest32>), full;
            282 mq_getsetattr call (mqdes: Fd, newattr: In<ipc::mq_attr::Guest32>, oldattr: Out<ipc::mq_attr::Guest32>), full;
            393 semget native[64] (key: Int, nsems: Int, semflg: IpcGetFlags), full;
            394 semctl call (semid: Int, semnum: Int, cmd: SemCmd, arg: Hex), full;
            395 shmget native[29] (key: Int, size: Uint, shmflg: IpcGetFlags), full;
            396 shmctl call (shmid: Int, cmd: ShmCmd, buf: Addr), full;
            397 shmat call (shmid: Int, shmaddr: Addr, shmflg: ShmatFlags) -> Hex, full;
            398 shmdt call (shmaddr: Addr), full;
            399 msgget native[68] (key: Int, msgflg: IpcGetFlags), full;
            400 msgsnd call (msqid: Int, msgp: Addr, msgsz: Int, msgflg: MsgQueueFlags), full;
            401 msgrcv call (msqid: Int, msgp: Addr, msgsz: Int, msgtyp: SignedLong, msgflg: MsgQueueFlags), full;
            402 msgctl call (msqid: Int, cmd: MsgCmd, buf: Addr), full;
            418 mq_timedsend_time64 call (mqdes: Fd, msg_ptr: InBuf<2>, msg_len: Uint, msg_prio: Uint, abs_timeout: In<time::timespec64::Guest32>), full;
            419 mq_timedreceive_time64 call (mqdes: Fd, msg_ptr: OutBuf, msg_len: Uint, msg_prio: Out<u32>, abs_timeout: In<time::timespec64::Guest32>), full;
            420 semtimedop_time64 call (semid: Int, sops: Addr, nsops: Uint, timeout: In<time::timespec64::Guest32>), full;
        }
        area system {
            17 break refuse[ENOSYS] (), refused "never implemented by Linux";
            31 stty refuse[ENOSYS] (), refused "never implemented by Linux";
            32 gtty refuse[ENOSYS] (), refused "never implemented by Linux";
            35 ftime refuse[ENOSYS] (), refused "never implemented by Linux";
            44 prof refuse[ENOSYS] (), refused "never implemented by Linux";
            51 acct native[163] (filename: Path), full;
            53 lock refuse[ENOSYS] (), refused "never implemented by Linux";
            56 mpx refuse[ENOSYS] (), refused "never implemented by Linux";
            58 ulimit refuse[ENOSYS] (), refused "never implemented by Linux";
            59 oldolduname call (name: Out<system::oldold_utsname::Guest32>), full;
            74 sethostname native[170] (name: InBuf<1>, len: Uint), full;
            88 reboot native[169] (magic: Hex, magic2: Hex, op: RebootCommand, arg: Addr), full;
            98 profil refuse[ENOSYS] (), refused "never implemented by Linux";
            101 ioperm native[173] (from: Hex, num: Uint, turn_on: Int), full;
            103 syslog native[103] (type: SyslogAction, bufp: Addr, len: Int), full;
            109 olduname call (name: Out<system::old_utsname::Guest32>), full;
            110 iopl native[172] (level: Int), full;
            111 vhangup native[153] (), full;
            112 idle refuse[ENOSYS] (), refused "removed in Linux 2.3.13";
            113 vm86old refuse[ENOSYS] (info: Addr), refused "a 64-bit kernel has no virtual 8086 mode";
            116 sysinfo call (info: Out<system::sysinfo::Guest32>), full;
            121 setdomainname native[171] (name: InBuf<1>, len: Uint), full;
            122 uname call (buf: Out<system::new_utsname::Guest32>), full;
            127 create_module refuse[ENOSYS] (), refused "removed in Linux 2.6";
            128 init_module native[175] (module_image: Addr, len: Uint, param_values: Path), full;
            129 delete_module native[176] (name: Path, flags: Hex), full;
            130 get_kernel_syms refuse[ENOSYS] (), refused "removed in Linux 2.6";
            134 bdflush refuse[ENOSYS] (func: Int, data: Addr), refused "removed in Linux 5.16";
            135 sysfs native[139] (option: Int, arg1: Hex, arg2: Addr), full;
            137 afs_syscall refuse[ENOSYS] (), refused "never implemented by Linux";
            149 _sysctl refuse[ENOSYS] (args: Addr), refused "removed in Linux 5.5: /proc/sys has it all";
            166 vm86 refuse[ENOSYS] (fn: Int, info: Addr), refused "a 64-bit kernel has no virtual 8086 mode";
            167 query_module refuse[ENOSYS] (), refused "removed in Linux 2.6";
            169 nfsservctl refuse[ENOSYS] (), refused "removed in Linux 3.1";
            188 getpmsg refuse[ENOSYS] (), refused "never implemented by Linux";
            189 putpmsg refuse[ENOSYS] (), refused "never implemented by Linux";
            253 lookup_dcookie call (cookie_low: Hex, cookie_high: Hex, buffer: OutBuf, len: Uint), full;
            273 vserver refuse[ENOSYS] (), refused "never implemented by Linux";
            283 kexec_load call (entry: Hex, nr_segments: Uint, segments: In<system::kexec_segment::Guest32>, flags: Hex), full;
            318 getcpu native[309] (cpu: Out<u32>, node: Out<u32>, tcache: Addr), full;
            336 perf_event_open native[298] (attr: Addr, pid: Pid, cpu: Int, group_fd: Fd, flags: Hex), full;
            350 finit_module native[313] (fd: Fd, param_values: Path, flags: Hex), full;
            355 getrandom native[318] (buf: OutBuf, buflen: Uint, flags: RandomFlags), full;
            357 bpf native[321] (cmd: Int, attr: Addr, size: Uint), full;
        }
        area security {
            286 add_key native[248] (type: Path, description: Path, payload: Addr, plen: Uint, keyring: Int), full;
            287 request_key native[249] (type: Path, description: Path, callout_info: Path, dest_keyring: Int), full;
            288 keyctl call (operation: KeyctlOperation, arg2: Hex, arg3: Hex, arg4: Hex, arg5: Hex), full;
            354 seccomp call (operation: SeccompOperation, flags: SeccompFlags, args: Addr),
                partial "a filter is applied by biarch and binds 32-bit code; SECCOMP_FILTER_FLAG_NEW_LISTENER is refused, and \
                nothing is logged";
            444 landlock_create_ruleset native[444] (attr: Addr, size: Uint, flags: Hex), full;
            445 landlock_add_rule native[445] (ruleset_fd: Fd, rule_type: Int, rule_attr: Addr, flags: Hex), full;
            446 landlock_restrict_self native[446] (ruleset_fd: Fd, flags: Hex), full;
            459 lsm_get_self_attr native[459] (attr: Int, ctx: Addr, size: InOut<u32>, flags: Hex), full;
            460 lsm_set_self_attr native[460] (attr: Int, ctx: Addr, size: Uint, flags: Hex), full;
            461 lsm_list_modules native[461] (ids: Addr, size: InOut<u32>, flags: Hex), full;
        }
    } };
}

use crate::syscall_table;
i386_syscalls!(syscall_table);
