//! What fits and what does not in the structures of the areas `fs`, `fd` and `poll`, and how their arguments are printed.

use abi::structs::{Narrow, Overflow, SameLayout, Verdict, Widen};
use abi::structs::{fd, fs, poll};
use abi::trace::{Arg, Call, Memory, OpenFlags};
use proptest::prelude::*;
use zerocopy::{FromBytes, IntoBytes};

macro_rules! round_trips {
    ($($module:ident :: $row:ident),* $(,)?) => {
        $(
            mod $row {
                use super::*;
                proptest! {
                    #[test]
                    fn there_and_back_is_the_same(bytes in prop::collection::vec(any::<u8>(), 256)) {
                        let before = $module::$row::Guest32::read_from_prefix(&bytes).expect("there are enough bytes").0;
                        let host: $module::$row::Host64 = before.widen();
                        let after: $module::$row::Guest32 = host.narrow().expect("what was 32 bits fits 32 bits");
                        let show = |value: &dyn abi::trace::TraceValue| { let mut text = String::new(); value.trace(&mut text).map(|()| text) };
                        prop_assert_eq!(show(&before), show(&after));
                    }
                }
            }
        )*
    };
}
round_trips!(
    fs::stat,
    fs::stat64,
    fs::statfs,
    fs::statfs64,
    fs::ustat,
    fs::linux_dirent,
    fs::linux_dirent64,
    fs::utimbuf,
    fs::if_dqblk,
    fs::fs_quota_stat,
    fd::iovec,
    fd::flock,
    fd::flock64,
    fd::iocb,
    fd::__aio_sigset,
    poll::sel_arg_struct,
    poll::sigset_argpack,
);

fn overflow<T>(field: &'static str) -> Result<T, Overflow> {
    Err(Overflow { field })
}

/// A file like any other.
fn file() -> fs::stat::Host64 {
    fs::stat::Host64 { st_ino: 12, st_nlink: 1, st_mode: 0o100_644, st_size: 5, st_blksize: 4096, ..Default::default() }
}

#[test]
fn stat_refuses_what_cp_compat_stat_refuses() {
    type Guest = fs::stat::Guest32;
    assert!(Guest::from_host(file()).is_ok());
    assert_eq!(Guest::from_host(fs::stat::Host64 { st_ino: 1 << 32, ..file() }), overflow("st_ino"));
    assert_eq!(Guest::from_host(fs::stat::Host64 { st_nlink: 65536, ..file() }), overflow("st_nlink"));
    assert_eq!(Guest::from_host(fs::stat::Host64 { st_size: fs::MAX_NON_LFS + 1, ..file() }), overflow("st_size"));
    let largest =
        Guest::from_host(fs::stat::Host64 { st_ino: u64::from(u32::MAX), st_nlink: 65535, st_size: fs::MAX_NON_LFS, ..file() });
    let largest = largest.expect("these fit");
    assert_eq!((largest.st_ino.get(), largest.st_nlink.get(), largest.st_size.get()), (u32::MAX, 65535, i32::MAX));
}

#[test]
fn stat_cuts_off_times_and_blocks_and_shows_large_ids_as_nobody() {
    let host = fs::stat::Host64 { st_uid: 70000, st_gid: 65535, st_mtime: 1 << 32 | 7, st_blocks: 1 << 33 | 9, ..file() };
    let guest = fs::stat::Guest32::from_host(host).expect("nothing in it is refused");
    assert_eq!((guest.st_uid.get(), guest.st_gid.get()), (65534, 65535));
    assert_eq!((guest.st_mtime.get(), guest.st_blocks.get()), (7, 9));
}

#[test]
fn stat64_refuses_nothing_and_has_the_inode_number_twice() {
    let host =
        fs::stat64::Host64 { st_ino: 5 << 32 | 3, st_nlink: 1 << 32 | 2, st_size: i64::MAX, st_uid: 70000, ..Default::default() };
    let guest = fs::stat64::Guest32::from_host(host);
    assert_eq!((guest.__st_ino.0, guest.st_ino.get(), guest.st_nlink.get()), (3, 5 << 32 | 3, 2));
    assert_eq!((guest.st_size.get(), guest.st_uid), (i64::MAX, 70000));
}

#[test]
fn both_rows_of_the_hosts_stat_have_its_fields_in_the_same_places() {
    let host = fs::stat::Host64 { st_mode: 1, st_uid: 2, st_rdev: 3, st_blksize: 4, st_ctime_nsec: 5, ..file() };
    let other = fs::stat64::Host64::read_from_bytes(host.as_bytes()).expect("the sizes are the same");
    assert_eq!((other.st_ino, other.st_nlink, other.st_mode, other.st_uid), (12, 1, 1, 2));
    assert_eq!((other.st_rdev, other.st_size, other.st_blksize, other.st_ctime_nsec), (3, 5, 4, 5));
}

#[test]
fn the_first_stat_has_sixteen_bits_and_cuts_off_the_size() {
    type Guest = fs::__old_kernel_stat::Guest32;
    // Device 259:300 as new_encode_dev has it: the low byte of the minor number, the major number, the rest of the minor number.
    let device = 300 & 0xff | 259 << 8 | (300 & 0xff00) << 12;
    let host = fs::stat::Host64 { st_dev: device, st_size: 1 << 32 | 6, st_uid: 70000, ..file() };
    let guest = Guest::from_host(&host).expect("the inode number fits");
    assert_eq!((guest.st_dev, guest.st_size, guest.st_uid), ((259 & 0xff) << 8 | 300 & 0xff, 6, 65534));
    assert_eq!(Guest::from_host(&fs::stat::Host64 { st_ino: 65536, ..file() }), overflow("st_ino"));
    assert_eq!(Guest::from_host(&fs::stat::Host64 { st_nlink: 65536, ..file() }), overflow("st_nlink"));
}

#[test]
fn statfs_refuses_large_counts_but_not_an_unknown_number_of_files() {
    type Guest = fs::statfs::Guest32;
    let small = fs::statfs::Host64 { f_type: 0x9123_683e, f_bsize: 4096, f_blocks: 77, ..Default::default() };
    assert!(Guest::from_host(small).is_ok());
    assert_eq!(Guest::from_host(fs::statfs::Host64 { f_blocks: 1 << 32, ..small }), overflow("f_blocks"));
    assert_eq!(Guest::from_host(fs::statfs::Host64 { f_bsize: 1 << 32, ..small }), overflow("f_bsize"));
    assert_eq!(Guest::from_host(fs::statfs::Host64 { f_files: 1 << 32, ..small }), overflow("f_files"));
    let unknown =
        Guest::from_host(fs::statfs::Host64 { f_files: u64::MAX, f_ffree: u64::MAX, ..small }).expect("-1 is let through");
    assert_eq!((unknown.f_files.get(), unknown.f_ffree.get()), (u32::MAX, u32::MAX));
}

#[test]
fn statfs64_has_room_for_counts_but_not_for_block_sizes() {
    let host = fs::statfs64::Host64 { f_blocks: 1 << 40, f_bsize: 4096, ..Default::default() };
    let guest: fs::statfs64::Guest32 = host.narrow().expect("only the block sizes have 32 bits");
    assert_eq!(guest.f_blocks.get(), 1 << 40);
    let narrow: Result<fs::statfs64::Guest32, _> = fs::statfs64::Host64 { f_frsize: 1 << 32, ..host }.narrow();
    assert_eq!(narrow, overflow("f_frsize"));
}

#[test]
fn a_directory_entry_refuses_a_large_inode_number_and_cuts_off_the_position() {
    let host = fs::linux_dirent::Host64 { d_ino: 9, d_off: 3 << 32 | 4, d_reclen: 24, ..Default::default() };
    let guest: fs::linux_dirent::Guest32 = host.narrow().expect("the inode number fits");
    assert_eq!((guest.d_ino.get(), guest.d_off.get()), (9, 4));
    let narrow: Result<fs::linux_dirent::Guest32, _> = fs::linux_dirent::Host64 { d_ino: 1 << 32, ..host }.narrow();
    assert_eq!(narrow, overflow("d_ino"));
}

#[test]
fn a_lock_refuses_a_large_start_and_shortens_a_large_length() {
    let host = fd::flock::Host64 { l_type: 1, l_start: 8, l_len: i64::MAX, l_pid: 3, ..Default::default() };
    let guest: fd::flock::Guest32 = host.narrow().expect("the length is shortened");
    assert_eq!((guest.l_start.get(), guest.l_len.get(), guest.l_pid), (8, i32::MAX, 3));
    let narrow: Result<fd::flock::Guest32, _> = fd::flock::Host64 { l_start: 1 << 31, ..host }.narrow();
    assert_eq!(narrow, overflow("l_start"));
}

#[test]
fn a_negative_length_of_a_buffer_stays_negative() {
    let guest = fd::iovec::Guest32::read_from_bytes(&[0, 0, 0, 0xf0, 0xff, 0xff, 0xff, 0xff]).expect("it has 8 bytes");
    let host: fd::iovec::Host64 = guest.widen();
    assert_eq!((host.iov_base, host.iov_len), (0xf000_0000, -1));
}

/// Fails to compile for a row whose layouts differ.
fn passes_by_pointer<T: SameLayout>() {
    let () = T::PROOF;
    assert_eq!(T::LAYOUT.verdict(), Verdict::Full);
}

#[test]
fn what_native_rows_point_at_is_the_same_on_both_sides() {
    passes_by_pointer::<fs::statx::Guest32>();
    passes_by_pointer::<fs::open_how::Guest32>();
    passes_by_pointer::<fs::mount_attr::Guest32>();
    passes_by_pointer::<fs::file_handle::Guest32>();
    passes_by_pointer::<fd::iocb::Guest32>();
    passes_by_pointer::<fd::io_event::Guest32>();
    passes_by_pointer::<fd::cachestat::Guest32>();
    passes_by_pointer::<poll::pollfd::Guest32>();
    passes_by_pointer::<poll::epoll_event::Guest32>();
}

/// Memory that begins at address 4096.
struct Bytes(Vec<u8>);
impl Memory for Bytes {
    fn read(&self, address: u32, out: &mut [u8]) -> usize {
        let start = usize::try_from(address).expect("it has 32 bits").wrapping_sub(4096);
        let rest = self.0.get(start..).unwrap_or(&[]);
        let length = rest.len().min(out.len());
        out[..length].copy_from_slice(&rest[..length]);
        length
    }
}

/// How argument `index` of type `A` is printed.
fn printed<A: Arg>(args: [u32; 6], result: Option<i32>, memory: &[u8], index: usize) -> String {
    let mut text = String::new();
    let call = Call { args, result, memory: &Bytes(memory.to_vec()) };
    A::trace(&call, index, &mut text).expect("a string takes anything");
    text
}

#[test]
fn flags_of_open_have_their_names() {
    let flags = |value| printed::<OpenFlags>([value, 0, 0, 0, 0, 0], None, &[], 0);
    assert_eq!(flags(0), "O_RDONLY");
    assert_eq!(flags(0o1101), "O_WRONLY|O_CREAT|O_TRUNC");
    assert_eq!(flags(0o20_200_002), "O_RDWR|O_TMPFILE");
    assert_eq!(flags(0x4000_0000), "O_RDONLY|0x40000000");
}

#[test]
fn the_halves_of_a_long_argument_are_printed_as_one() {
    let args = [0, 5, 1, 0, 0, 0];
    assert_eq!(printed::<abi::trace::Low64>(args, None, &[], 1), "4294967301");
    assert_eq!(printed::<abi::trace::Low64>([u32::MAX; 6], None, &[], 1), "-1");
}

#[test]
fn arrays_are_printed_as_far_as_they_can_be_read() {
    let vectors = [0x1000u32, 3, 0x2000, 4];
    let print = |address, count| printed::<abi::trace::IoVecs<1>>([address, count, 0, 0, 0, 0], None, vectors.as_bytes(), 0);
    assert_eq!(print(4096, 2), "[{iov_base=0x1000, iov_len=3}, {iov_base=0x2000, iov_len=4}]");
    assert_eq!(print(4096, 3), "[{iov_base=0x1000, iov_len=3}, {iov_base=0x2000, iov_len=4}, 0x1010]");
    assert_eq!(print(4096, 0), "[]");
    assert_eq!(print(64, 2), "0x40");
    assert_eq!(print(0, 2), "NULL");
}

#[test]
fn a_set_of_descriptors_is_printed_up_to_its_end() {
    let print = |nfds, address| printed::<abi::trace::FdSet>([nfds, address, 0, 0, 0, 0], None, &[0b1001_0010, 3], 1);
    assert_eq!(print(8, 4096), "[1 4 7]");
    assert_eq!(print(9, 4096), "[1 4 7 8]");
    assert_eq!(print(1, 4096), "[]");
    assert_eq!(print(40, 4096), "[1 4 7 8 9 ...]");
    assert_eq!(print(40, 64), "0x40");
}
