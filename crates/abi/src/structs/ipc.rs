//! `sysvipc(7)` and `mq_overview(7)`: permissions, semaphores, message queues, shared memory.
//!
//! The structures that end in `_old` are those of a program that does not set `IPC_64` in the command; the i386 versions of the
//! others have each 64-bit time in two words (`sem_otime`, `sem_otime_high`), which are one [`I64`] here, so no name of a C
//! type is given for those.

use crate::structs::{I64, Layout, Long, Pad, Ptr32, Row, U16As32, ULong};

abi_struct! {
    /// `struct ipc64_perm`: owner and permissions.
    pub struct ipc64_perm ("struct ipc64_perm" / "struct ipc64_perm" in "linux/ipc.h"): 36 / 48 {
        key @ 0 / 0: i32;
        uid @ 4 / 4: u32;
        gid @ 8 / 8: u32;
        cuid @ 12 / 12: u32;
        cgid @ 16 / 16: u32;
        mode @ 20 / 20: U16As32, truncate;
        __pad1 @ 22 / 24: Pad<2> => Pad<0>;
        seq @ 24 / 24: u16;
        __pad2 @ 26 / 26: Pad<2> => Pad<6>;
        __unused1 @ 28 / 32: Pad<8> => Pad<16>;
    }
}

abi_struct! {
    /// `struct semid64_ds`: a set of semaphores, semctl(2).
    pub struct semid64_ds ("" / "" in "asm/sembuf.h"): 64 / 104 {
        sem_perm @ 0 / 0: ipc64_perm::Guest32;
        sem_otime @ 36 / 48: I64;
        __unused1 @ 44 / 56: Pad<0> => Pad<8>;
        sem_ctime @ 44 / 64: I64;
        __unused2 @ 52 / 72: Pad<0> => Pad<8>;
        sem_nsems @ 52 / 80: ULong;
        __unused3 @ 56 / 88: Pad<8> => Pad<16>;
    }
}

abi_struct! {
    /// `struct msqid64_ds`: a message queue, msgctl(2).
    pub struct msqid64_ds ("" / "" in "asm/msgbuf.h"): 88 / 120 {
        msg_perm @ 0 / 0: ipc64_perm::Guest32;
        msg_stime @ 36 / 48: I64;
        msg_rtime @ 44 / 56: I64;
        msg_ctime @ 52 / 64: I64;
        msg_cbytes @ 60 / 72: ULong, truncate;
        msg_qnum @ 64 / 80: ULong, truncate;
        msg_qbytes @ 68 / 88: ULong, truncate;
        msg_lspid @ 72 / 96: i32;
        msg_lrpid @ 76 / 100: i32;
        __unused4 @ 80 / 104: Pad<8> => Pad<16>;
    }
}

abi_struct! {
    /// `struct shmid64_ds`: a segment of shared memory, shmctl(2). The size is cut where it does not fit
    /// (`copy_compat_shmid_to_user`).
    pub struct shmid64_ds ("" / "" in "asm/shmbuf.h"): 84 / 112 {
        shm_perm @ 0 / 0: ipc64_perm::Guest32;
        shm_segsz @ 36 / 48: ULong, truncate;
        shm_atime @ 40 / 56: I64;
        shm_dtime @ 48 / 64: I64;
        shm_ctime @ 56 / 72: I64;
        shm_cpid @ 64 / 80: i32;
        shm_lpid @ 68 / 84: i32;
        shm_nattch @ 72 / 88: ULong, truncate;
        __unused4 @ 76 / 96: Pad<8> => Pad<16>;
    }
}

abi_struct! {
    /// `struct shminfo64`: the limits of shared memory, `IPC_INFO`.
    pub struct shminfo64 ("struct shminfo64" / "struct shminfo64" in "asm/shmbuf.h"): 36 / 72 {
        shmmax @ 0 / 0: ULong, truncate;
        shmmin @ 4 / 8: ULong, truncate;
        shmmni @ 8 / 16: ULong, truncate;
        shmseg @ 12 / 24: ULong, truncate;
        shmall @ 16 / 32: ULong, truncate;
        __unused1 @ 20 / 40: Pad<16> => Pad<32>;
    }
}

abi_struct! {
    /// `struct shm_info`: what shared memory is in use, `SHM_INFO`.
    pub struct shm_info ("struct shm_info" / "struct shm_info" in "linux/shm.h"): 24 / 48 {
        used_ids @ 0 / 0: i32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        shm_tot @ 4 / 8: ULong, truncate;
        shm_rss @ 8 / 16: ULong, truncate;
        shm_swp @ 12 / 24: ULong, truncate;
        swap_attempts @ 16 / 32: ULong, truncate;
        swap_successes @ 20 / 40: ULong, truncate;
    }
}

abi_struct! {
    /// `struct ipc_perm`: owner and permissions with 16-bit ids; the host has none of it, so the second layout is the first.
    pub struct ipc_perm_old ("struct ipc_perm" / "" in "linux/ipc.h"): 16 / 16 {
        key @ 0 / 0: i32;
        uid @ 4 / 4: u16;
        gid @ 6 / 6: u16;
        cuid @ 8 / 8: u16;
        cgid @ 10 / 10: u16;
        mode @ 12 / 12: u16;
        seq @ 14 / 14: u16;
    }
}

abi_struct! {
    /// `struct semid_ds`: a set of semaphores, for a program that knows no `IPC_64`.
    pub struct semid_ds_old ("struct semid_ds" / "" in "linux/sem.h"): 44 / 44 {
        sem_perm @ 0 / 0: ipc_perm_old::Guest32;
        sem_otime @ 16 / 16: i32;
        sem_ctime @ 20 / 20: i32;
        sem_base @ 24 / 24: u32;
        sem_pending @ 28 / 28: u32;
        sem_pending_last @ 32 / 32: u32;
        undo @ 36 / 36: u32;
        sem_nsems @ 40 / 40: u16;
        __pad @ 42 / 42: Pad<2> => Pad<2>;
    }
}

abi_struct! {
    /// `struct msqid_ds`: a message queue, for a program that knows no `IPC_64`.
    pub struct msqid_ds_old ("struct msqid_ds" / "" in "linux/msg.h"): 56 / 56 {
        msg_perm @ 0 / 0: ipc_perm_old::Guest32;
        msg_first @ 16 / 16: u32;
        msg_last @ 20 / 20: u32;
        msg_stime @ 24 / 24: i32;
        msg_rtime @ 28 / 28: i32;
        msg_ctime @ 32 / 32: i32;
        msg_lcbytes @ 36 / 36: u32;
        msg_lqbytes @ 40 / 40: u32;
        msg_cbytes @ 44 / 44: u16;
        msg_qnum @ 46 / 46: u16;
        msg_qbytes @ 48 / 48: u16;
        msg_lspid @ 50 / 50: u16;
        msg_lrpid @ 52 / 52: u16;
        __pad @ 54 / 54: Pad<2> => Pad<2>;
    }
}

abi_struct! {
    /// `struct shmid_ds`: a segment of shared memory, for a program that knows no `IPC_64`.
    pub struct shmid_ds_old ("struct shmid_ds" / "" in "linux/shm.h"): 48 / 48 {
        shm_perm @ 0 / 0: ipc_perm_old::Guest32;
        shm_segsz @ 16 / 16: i32;
        shm_atime @ 20 / 20: i32;
        shm_dtime @ 24 / 24: i32;
        shm_ctime @ 28 / 28: i32;
        shm_cpid @ 32 / 32: u16;
        shm_lpid @ 34 / 34: u16;
        shm_nattch @ 36 / 36: u16;
        shm_unused @ 38 / 38: u16;
        shm_unused2 @ 40 / 40: u32;
        shm_unused3 @ 44 / 44: u32;
    }
}

abi_struct! {
    /// `struct shminfo`: the limits of shared memory, for a program that knows no `IPC_64`.
    pub struct shminfo_old ("struct shminfo" / "" in "linux/shm.h"): 20 / 20 {
        shmmax @ 0 / 0: i32;
        shmmin @ 4 / 4: i32;
        shmmni @ 8 / 8: i32;
        shmseg @ 12 / 12: i32;
        shmall @ 16 / 16: i32;
    }
}

abi_struct! {
    /// `struct ipc_kludge`: two arguments of msgrcv(2) in one, for the oldest form of ipc(2).
    pub struct ipc_kludge ("struct ipc_kludge" / "" in "linux/ipc.h"): 8 / 16 {
        msgp @ 0 / 0: Ptr32;
        msgtyp @ 4 / 8: Long;
    }
}

abi_struct! {
    /// `struct mq_attr`: a POSIX message queue's attributes, mq_getattr(3).
    pub struct mq_attr ("struct mq_attr" / "struct mq_attr" in "linux/mqueue.h"): 32 / 64 {
        mq_flags @ 0 / 0: Long, truncate;
        mq_maxmsg @ 4 / 8: Long, truncate;
        mq_msgsize @ 8 / 16: Long, truncate;
        mq_curmsgs @ 12 / 24: Long, truncate;
        __reserved @ 16 / 32: Pad<16> => Pad<32>;
    }
}

/// The 16-bit id that stands for one that does not fit (`overflowuid` in proc(5), at its default).
pub const OVERFLOW_ID: u16 = 65534;

/// `high2lowuid` of the kernel.
fn low_id(id: u32) -> u16 {
    u16::try_from(id).unwrap_or(OVERFLOW_ID)
}

/// The low bits, as the kernel's assignments to old fields cut them.
macro_rules! cut {
    ($value:expr => $t:ty) => {{
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            clippy::cast_sign_loss,
            reason = "the old fields keep the low bits"
        )]
        let cut = $value as $t;
        cut
    }};
}

impl ipc_perm_old::Guest32 {
    /// The old form of `perm` (`to_compat_ipc_perm`).
    #[must_use]
    pub fn from_host(perm: &ipc64_perm::Host64) -> Self {
        Self {
            key: perm.key,
            uid: low_id(perm.uid),
            gid: low_id(perm.gid),
            cuid: low_id(perm.cuid),
            cgid: low_id(perm.cgid),
            mode: cut!(perm.mode => u16),
            seq: perm.seq,
        }
    }
    /// What `IPC_SET` takes of it (`get_compat_ipc_perm`).
    #[must_use]
    pub fn to_host(&self) -> ipc64_perm::Host64 {
        ipc64_perm::Host64 { uid: self.uid.into(), gid: self.gid.into(), mode: self.mode.into(), ..Default::default() }
    }
}

impl semid_ds_old::Guest32 {
    /// The old form of `ds` (`copy_compat_semid_to_user`).
    #[must_use]
    pub fn from_host(ds: &semid64_ds::Host64) -> Self {
        Self {
            sem_perm: ipc_perm_old::Guest32::from_host(&ds.sem_perm),
            sem_otime: cut!(ds.sem_otime => i32),
            sem_ctime: cut!(ds.sem_ctime => i32),
            sem_nsems: cut!(ds.sem_nsems => u16),
            ..Self::default()
        }
    }
}

impl msqid_ds_old::Guest32 {
    /// The old form of `ds` (`copy_compat_msqid_to_user`).
    #[must_use]
    pub fn from_host(ds: &msqid64_ds::Host64) -> Self {
        Self {
            msg_perm: ipc_perm_old::Guest32::from_host(&ds.msg_perm),
            msg_stime: cut!(ds.msg_stime => i32),
            msg_rtime: cut!(ds.msg_rtime => i32),
            msg_ctime: cut!(ds.msg_ctime => i32),
            msg_cbytes: cut!(ds.msg_cbytes => u16),
            msg_qnum: cut!(ds.msg_qnum => u16),
            msg_qbytes: cut!(ds.msg_qbytes => u16),
            msg_lspid: cut!(ds.msg_lspid => u16),
            msg_lrpid: cut!(ds.msg_lrpid => u16),
            ..Self::default()
        }
    }
}

impl shmid_ds_old::Guest32 {
    /// The old form of `ds` (`copy_compat_shmid_to_user`).
    #[must_use]
    pub fn from_host(ds: &shmid64_ds::Host64) -> Self {
        Self {
            shm_perm: ipc_perm_old::Guest32::from_host(&ds.shm_perm),
            shm_segsz: cut!(ds.shm_segsz => i32),
            shm_atime: cut!(ds.shm_atime => i32),
            shm_dtime: cut!(ds.shm_dtime => i32),
            shm_ctime: cut!(ds.shm_ctime => i32),
            shm_cpid: cut!(ds.shm_cpid => u16),
            shm_lpid: cut!(ds.shm_lpid => u16),
            shm_nattch: cut!(ds.shm_nattch => u16),
            ..Self::default()
        }
    }
}

impl shminfo_old::Guest32 {
    /// The old form of `info` (`copy_compat_shminfo_to_user`).
    #[must_use]
    pub fn from_host(info: &shminfo64::Host64) -> Self {
        Self {
            shmmax: i32::try_from(info.shmmax).unwrap_or(i32::MAX),
            shmmin: cut!(info.shmmin => i32),
            shmmni: cut!(info.shmmni => i32),
            shmseg: cut!(info.shmseg => i32),
            shmall: cut!(info.shmall => i32),
        }
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    ipc64_perm::Guest32::LAYOUT,
    semid64_ds::Guest32::LAYOUT,
    msqid64_ds::Guest32::LAYOUT,
    shmid64_ds::Guest32::LAYOUT,
    shminfo64::Guest32::LAYOUT,
    shm_info::Guest32::LAYOUT,
    ipc_perm_old::Guest32::LAYOUT,
    semid_ds_old::Guest32::LAYOUT,
    msqid_ds_old::Guest32::LAYOUT,
    shmid_ds_old::Guest32::LAYOUT,
    shminfo_old::Guest32::LAYOUT,
    ipc_kludge::Guest32::LAYOUT,
    mq_attr::Guest32::LAYOUT,
];
