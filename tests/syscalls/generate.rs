//! Makes cases from a seed: calls of the table's rows, with arguments by their type.

use crate::case::{Blob, Call, Case, Value};
use crate::left_out::left_out;
use abi::ioctl::IOCTLS;
use abi::structs::LAYOUTS;
use abi::syscalls::{Action, ArgRow, Syscall, i386};

/// A generator of pseudo-random numbers, splitmix64: the same seed gives the same cases.
pub(crate) struct Random(u64);

impl Random {
    /// Begins with this number.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from((self.next() >> 32) % u64::from(limit.max(1))).unwrap_or(0)
    }

    /// True in `percent` of a hundred cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(u32::try_from(from.len()).unwrap_or(1))).unwrap_or(0)]
    }
}

/// Where objects are: runs of two pages with nothing mapped behind. executor.c has the same numbers.
const AREA: u32 = 0x2000_0000;
const RUN: u32 = 0x3000;
const RUN_SIZE: u32 = 0x2000;
const FIRST_READ_ONLY: u32 = 44;
const RUNS: u32 = 48;
/// Where calls map at an address of their choice.
const FIXED: u32 = 0x2800_0000;

/// Numbers at which something ends or begins.
const EDGES: &[u32] = &[
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    9,
    12,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    100,
    127,
    128,
    255,
    256,
    1023,
    1024,
    1025,
    4095,
    4096,
    4097,
    8191,
    8192,
    8193,
    0xffff,
    0x1_0000,
    0xf_ffff,
    0x10_0000,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xbfff_ffff,
    0xffff_d000,
    0xffff_e000,
    0xffff_e001,
    0xffff_f000,
    0xffff_f001,
    0xffff_ff9c,
    0xffff_fffe,
    0xffff_ffff,
];

/// Pointers to nothing.
const BAD: &[u32] = &[
    1,
    4,
    0xfff,
    0x1000,
    AREA - 4,
    AREA - 1,
    FIXED,
    0x7fff_fffc,
    0xffff_dffc,
    0xffff_e000,
    0xffff_f000,
    0xffff_fffc,
    0xffff_ffff,
];

/// Names below the working directory. None leads out of it.
const NAMES: &[&str] = &["f", "f", "g", "x", "d", "d/y", "d/n", "n", "l", "loop", "f/", "f/x", "", ".", "./f", "d/../f", "d/"];

/// What is opened before the first call, and some that are not.
const DESCRIPTORS: &[u32] = &[
    3,
    3,
    4,
    5,
    6,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    19,
    20,
    21,
    22,
    0,
    1,
    23,
    24,
    39,
    63,
    64,
    1024,
    0x7fff_ffff,
    0xffff_ffff,
    0xffff_ff9c,
];

/// What a descriptor of each kind is good for: names of arguments or calls that are not about files.
const SOCKETS: &[u32] = &[8, 8, 9, 10, 10, 11, 12, 13];

/// Makes cases.
pub(crate) struct Maker {
    rows: Vec<&'static Syscall>,
}

impl Maker {
    /// Of all calls that may be made, or of those in `only`.
    pub(crate) fn new(only: &[String]) -> Self {
        let wanted = |row: &&Syscall| {
            let usual = !matches!(row.action, Action::Refuse(_)) && left_out(row.name).is_none();
            let in_area = only.is_empty() || only.iter().any(|area| area == row.area);
            usual && in_area || only.iter().any(|name| name == row.name)
        };
        Self { rows: i386::TABLE.iter().flatten().filter(wanted).collect() }
    }

    /// The case of this number. It does not depend on those before it.
    pub(crate) fn case(&self, seed: u64, number: u32) -> Case {
        let mut random = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(u64::from(number)));
        random.next();
        let first = random.pick(&self.rows);
        let related: Vec<_> = self.rows.iter().copied().filter(|row| row.area == first.area).collect();
        let mut build = Build { random, case: Case::default(), next_run: 0 };
        let length = 1 + build.random.below(5);
        for index in 0..length {
            let row = match index {
                0 => first,
                _ if build.random.chance(70) => build.random.pick(&related),
                _ => build.random.pick(&self.rows),
            };
            build.call(row);
        }
        build.case
    }
}

/// A case that is being made.
struct Build {
    random: Random,
    case: Case,
    next_run: u32,
}

impl Build {
    fn call(&mut self, row: &'static Syscall) {
        let mut args = [Value::Plain(0); 6];
        for (index, arg) in row.args.iter().enumerate().take(6) {
            args[index] = self.argument(row, arg);
        }
        // Registers that mean nothing, in half of the cases, must not be looked at.
        if self.random.chance(50) {
            args.iter_mut().skip(row.args.len()).for_each(|value| *value = Value::Plain(self.random.pick(EDGES)));
        }
        self.relate(row, &mut args);
        self.harmless(row, &mut args);
        self.case.calls.push(Call { row, args });
    }

    /// Lengths that belong to the buffers beside them, mostly.
    fn relate(&mut self, row: &Syscall, args: &mut [Value; 6]) {
        for (index, arg) in row.args.iter().enumerate() {
            let name = arg.type_name;
            let length = if let Some(at) = number_in(name, &["InBuf", "IoVecs", "SockAddr"]) {
                Some(at)
            } else {
                matches!(name, "OutBuf" | "Strings" | "EpollEvents" | "PollFds").then_some(index + 1)
            };
            let Some(length) = length.filter(|at| *at < row.args.len()) else { continue };
            if name.starts_with("SockAddrOut") || !self.random.chance(75) {
                continue;
            }
            let Value::Plain(address) = args[index] else { continue };
            let Some(blob) = self.case.blobs.iter().find(|blob| blob.address == address) else { continue };
            let unit = match name {
                "PollFds" | "IoVecs<2>" => 8,
                "EpollEvents" => 12,
                _ => 1,
            };
            args[length] = Value::Plain(u32::try_from(blob.bytes.len()).unwrap_or(0) / unit);
        }
    }

    /// Others must not feel what is done here.
    fn harmless(&mut self, row: &Syscall, args: &mut [Value; 6]) {
        match (row.name, args[0]) {
            // PRIO_USER, IOPRIO_WHO_USER: everything that the tester runs.
            ("setpriority", Value::Plain(2)) | ("ioprio_set", Value::Plain(3)) => args[0] = Value::Plain(0),
            // Signals that nobody can catch end the case, or stop it.
            ("kill" | "tkill" | "rt_sigqueueinfo" | "pidfd_send_signal", _) if self.random.chance(90) => {
                if matches!(args[1], Value::Plain(9 | 19)) {
                    args[1] = Value::Plain(10);
                }
            }
            ("tgkill" | "rt_tgsigqueueinfo", _) if matches!(args[2], Value::Plain(9 | 19)) => args[2] = Value::Plain(11),
            // The limits of a process tell nothing about the calls after them but that they fail.
            ("setrlimit", _) if self.random.chance(80) => {
                args[0] = Value::Plain(self.random.pick(&[4, 8, 11, 12, 16, 0xffff_ffff]))
            }
            // IPC_NOWAIT
            ("msgsnd" | "msgrcv", _) if self.random.chance(95) => {
                let at = if row.name == "msgsnd" { 3 } else { 4 };
                if let Value::Plain(flags) = args[at] {
                    args[at] = Value::Plain(flags | 0o4000);
                }
            }
            ("ipc", _) => {
                if let (Value::Plain(call), Value::Plain(flags)) = (args[0], args[3]) {
                    if matches!(call & 0xffff, 11 | 12) {
                        args[3] = Value::Plain(flags | 0o4000);
                    }
                }
            }
            // FUTEX_WAIT without a time waits for ever where the word is as expected.
            ("futex" | "futex_time64", _) if self.random.chance(95) && args[3] == Value::Plain(0) => {
                args[3] = Value::Plain(self.time(8));
            }
            _ => {}
        }
    }

    fn argument(&mut self, row: &Syscall, arg: &ArgRow) -> Value {
        // What an earlier call has returned: a descriptor, an id, an address.
        let before = u32::try_from(self.case.calls.len()).unwrap_or(0);
        if before > 0 && matches!(arg.type_name, "Fd" | "Int" | "Hex" | "Addr") && self.random.chance(15) {
            return Value::Result(self.random.below(before));
        }
        let name = arg.type_name;
        let inner = name.split_once('<').map(|(outer, inner)| (outer, inner.trim_end_matches('>')));
        match (name, arg.name) {
            (_, "who" | "pid" | "pid1" | "pid2" | "tid" | "tgid" | "pgid") | ("Pid", _) => self.process(),
            (_, "msqid") => self.object_id(Value::Queue),
            (_, "semid") => self.object_id(Value::Semaphores),
            (_, "shmid") => self.object_id(Value::Segment),
            (_, "timeout") if name == "Int" => Value::Plain(self.random.pick(&[0, 0, 0, 1, 2, 0x8000_0000])),
            ("Fd", _) if row.area == "socket" && self.random.chance(80) => Value::Plain(self.random.pick(SOCKETS)),
            ("Fd" | "DirFd", _) => {
                if name == "DirFd" && self.random.chance(60) {
                    return Value::Plain(0xffff_ff9c);
                }
                Value::Plain(self.random.pick(DESCRIPTORS))
            }
            ("Path", _) => Value::Plain(self.path()),
            ("Strings" | "StringCount", _) => Value::Plain(self.pointers()),
            ("OutBuf", _) => {
                let size = self.size();
                Value::Plain(self.place(vec![0; size], vec![]))
            }
            ("IoVecs<2>", _) => Value::Plain(self.vectors()),
            ("Addr", "sops") => Value::Plain(self.semaphore_operations()),
            ("Addr", "msgp") => Value::Plain(self.message()),
            ("Addr", "msgvec") => Value::Plain(self.message_headers(true)),
            ("Addr", "local" | "remote" | "vec" | "vector") => Value::Plain(self.vectors()),
            ("Addr", "pages" | "iocbpp") => Value::Plain(self.pointers()),
            ("Addr", _) if row.area == "mem" && matches!(arg.name, "addr" | "start") => Value::Plain(self.mapping()),
            ("Hex", "addr" | "address" | "old_address" | "new_address") => Value::Plain(self.mapping()),
            ("Addr", "shmaddr") => Value::Plain(if self.random.chance(50) { 0 } else { self.mapping() }),
            ("Addr" | "FcntlArgument" | "IoctlArgument", _) => Value::Plain(self.anything()),
            ("FdSet", _) => {
                let size = self.random.pick(&[4, 8, 12, 16, 128, 256]);
                let bytes = self.noise(size);
                Value::Plain(self.place(bytes, vec![]))
            }
            ("PollFds", _) => Value::Plain(self.poll_descriptors()),
            ("EpollEvents", _) => Value::Plain(self.zeroes(12 * 4)),
            ("FdPair", _) => Value::Plain(self.zeroes(8)),
            ("SocketcallArgs", _) => Value::Plain(self.socketcall()),
            ("SockAddr<2>" | "SockAddr<5>", _) => Value::Plain(self.socket_address()),
            ("SockAddrOut<2>" | "SockAddrOut<5>", _) => Value::Plain(self.zeroes(110)),
            ("signal::Signal", _) => Value::Plain(self.random.pick(&[
                0,
                1,
                4,
                5,
                7,
                8,
                10,
                10,
                11,
                11,
                12,
                13,
                14,
                17,
                18,
                20,
                23,
                28,
                29,
                31,
                32,
                33,
                34,
                34,
                64,
                65,
                9,
                19,
                0xffff_ffff,
            ])),
            ("signal::InSet" | "signal::OutSet", _) => Value::Plain(self.structure("signal set", 8)),
            ("Uint", "sizemask" | "sigsetsize" | "length") if row.area == "signal" || row.area == "fd" || row.area == "poll" => {
                Value::Plain(if self.random.chance(85) { 8 } else { self.random.pick(EDGES) })
            }
            ("FcntlCommand", _) => Value::Plain(match self.random.below(10) {
                0 => self.random.pick(EDGES),
                1..3 => 1024 + self.random.below(18),
                _ => self.random.below(17),
            }),
            ("IoctlNumber", _) => Value::Plain(self.ioctl()),
            ("IpcCall", _) => {
                let call = self.random.pick(&[1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24, 5, 0]);
                Value::Plain(call | if self.random.chance(15) { 0x1_0000 } else { 0 })
            }
            ("SemCmd" | "ShmCmd" | "MsgCmd", _) => {
                let command = self.random.below(22);
                Value::Plain(command | if self.random.chance(15) { 0x100 } else { 0 })
            }
            ("PrctlOption", _) => Value::Plain(self.prctl()),
            ("KeyctlOperation", _) => Value::Plain(self.random.below(34)),
            ("Socketcall", _) => Value::Plain(1 + self.random.below(21)),
            ("ClockId", _) => Value::Plain(self.random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 16, 0xffff_ffff, 0xffff_fff9])),
            ("Resource", _) => Value::Plain(self.random.below(18)),
            ("Mode" | "OpenMode", _) => Value::Plain(self.random.pick(&[0, 0o600, 0o644, 0o755, 0o7777, 0o100_644, 0x1_0000])),
            ("Id16" | "Id32", _) => Value::Plain(self.random.pick(&[0xffff_ffff, 0xffff, 0, 65534, 1000, 0x1_0000])),
            ("OpenFlags", _) => {
                let flags = self.random.pick(&[0, 1, 2, 3, 0o101, 0o102, 0o300, 0o1001, 0o2001, 0o200_000, 0o10_000_000]);
                Value::Plain(flags | if self.random.chance(30) { self.bits() } else { 0 })
            }
            ("Whence", _) => Value::Plain(self.random.below(6)),
            ("thread::FutexOperation", _) => Value::Plain(self.random.below(14) | self.random.pick(&[0, 128, 256, 384])),
            ("mem::Prot", _) => {
                Value::Plain(self.random.pick(&[0, 1, 2, 3, 3, 4, 5, 7, 8, 0x0100_0003, 0x0200_0003, 0x8000_0000]))
            }
            ("mem::MapFlags", _) => {
                let kind = self.random.pick(&[1, 2, 2, 2, 3, 0]);
                Value::Plain(
                    kind | self.random.pick(&[0, 0x10, 0x20, 0x20, 0x30, 0x30, 0x0010_0020, 0x60, 0x120, 0x8020, 0x4_0020])
                        | if self.random.chance(10) { self.bits() } else { 0 },
                )
            }
            ("mem::RemapFlags", _) => Value::Plain(self.random.below(9)),
            ("mem::Advice", _) => Value::Plain(self.random.below(26)),
            ("Low64", _) => Value::Plain(self.number()),
            ("High64", _) => Value::Plain(self.random.pick(&[0, 0, 0, 0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])),
            ("SockLevel", _) => Value::Plain(self.random.pick(&[1, 1, 1, 0, 6, 17, 41, 255])),
            ("SockOpt", _) => Value::Plain(self.random.below(84)),
            ("Family", _) => Value::Plain(self.random.pick(&[1, 2, 10, 16, 17, 0, 40])),
            ("SocketType", _) => Value::Plain(self.random.pick(&[1, 2, 3, 5, 0x801, 0x802, 0x80801, 0])),
            (
                _,
                "which" | "option" | "type" | "policy" | "how" | "op" | "cmd" | "type_" | "protocol" | "idtype" | "operation",
            ) => Value::Plain(if self.random.chance(90) { self.random.below(12) } else { self.random.pick(EDGES) }),
            (_, "sig") if name == "Hex" => Value::Plain(self.number()),
            ("Hex", "timeout") => Value::Plain(self.time(8)),
            ("Hex" | "Uint" | "Int" | "SignedLong", _) => Value::Plain(self.number()),
            _ => match inner {
                Some(("In" | "Out" | "InOut", inner)) => Value::Plain(self.pointee(inner)),
                Some(("InBuf", _)) => {
                    let size = self.size();
                    let bytes = self.noise(size);
                    Value::Plain(self.place(bytes, vec![]))
                }
                // Flags and other enumerations.
                _ => Value::Plain(match self.random.below(10) {
                    0..4 => 0,
                    4..7 => self.random.below(20),
                    _ => self.bits(),
                }),
            },
        }
    }

    fn pointee(&mut self, inner: &str) -> u32 {
        match inner {
            "time::timespec::Guest32" | "time::timeval::Guest32" => self.time(4),
            "time::timespec64::Guest32" => self.time(8),
            "socket::msghdr::Guest32" => self.message_headers(false),
            "poll::sel_arg_struct::Guest32" => {
                let sets = [self.zeroes(128), self.zeroes(128), self.zeroes(128)];
                let time = self.time(4);
                let words = [self.random.pick(&[0, 1, 16, 33, 64, 1024]), sets[0], sets[1], sets[2], time];
                self.words(&words)
            }
            "poll::sigset_argpack::Guest32" | "fd::__aio_sigset::Guest32" => {
                let set = self.structure("signal set", 8);
                let words = [set, self.random.pick(&[8, 8, 8, 4, 0])];
                self.words(&words)
            }
            "signal::OldSigaction" => self.action(4, 1),
            "signal::sigaction::Guest32" => self.action(5, 1),
            "signal::sigaltstack::Guest32" => {
                let words = [
                    self.random.pick(&[AREA, FIXED, 0, 0xffff_f000]),
                    self.random.pick(&[0, 0, 1, 2, 4, 0x8000_0000, 0x8000_0002]),
                    self.number(),
                ];
                self.words(&words)
            }
            "time::sigevent::Guest32" => {
                let words: [u32; 3] = [7, self.random.pick(&[10, 34, 0, 65, 64, 11]), self.random.pick(&[0, 1, 1, 2, 3, 4, 5])];
                let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.resize(64, 0);
                let references = if self.random.chance(50) { vec![(12, Value::Pid)] } else { vec![] };
                self.place(bytes, references)
            }
            "[u32; 6]" => {
                let words = [
                    self.mapping(),
                    self.length(),
                    self.random.pick(&[1, 3, 5, 7]),
                    self.random.pick(&[0x22, 0x32, 0x21, 0x12, 2, 1]),
                    self.random.pick(DESCRIPTORS),
                    self.random.pick(&[0, 0, 4096, 1, 0xffff_f000]),
                ];
                self.words(&words)
            }
            "u16" => self.structure("numbers", 2),
            "u32" | "i32" | "Long" | "ULong" => self.structure("number", 4),
            "I64" | "[u32; 2]" | "[i32; 2]" => self.structure("numbers", 8),
            "[time::timeval::Guest32; 2]" | "[time::timespec::Guest32; 2]" => {
                let words = [self.random.pick(&[0, 1, 0x7fff_ffff, 0xffff_ffff]), self.nanoseconds(), 1, self.nanoseconds()];
                self.words(&words)
            }
            "[time::timespec64::Guest32; 2]" => {
                let words = [1, 0, self.nanoseconds(), 0, 1, self.random.pick(&[0, 1, 0xffff_ffff]), self.nanoseconds(), 0];
                self.words(&words)
            }
            _ => {
                let mut parts = inner.split("::");
                let (area, name) = (parts.next(), parts.next().unwrap_or(inner));
                let _ = area;
                let size = LAYOUTS
                    .iter()
                    .flat_map(|area| area.iter())
                    .find(|layout| layout.name == name)
                    .map_or(64, |layout| layout.size32);
                self.structure(name, size)
            }
        }
    }

    // ---- numbers ----

    fn number(&mut self) -> u32 {
        match self.random.below(10) {
            0..4 => self.random.below(10),
            4..9 => self.random.pick(EDGES),
            _ => self.bits(),
        }
    }

    /// One to three bits.
    fn bits(&mut self) -> u32 {
        (0..=self.random.below(3)).fold(0, |bits, _| bits | 1 << self.random.below(32))
    }

    /// How long a buffer is, in bytes.
    fn size(&mut self) -> usize {
        usize::try_from(self.random.pick(&[1, 2, 4, 7, 8, 12, 16, 24, 36, 64, 100, 128, 256, 300, 1024, 4096, 5000])).unwrap_or(1)
    }

    fn length(&mut self) -> u32 {
        self.random.pick(&[
            0,
            1,
            4095,
            4096,
            4097,
            8192,
            0x1_0000,
            0x10_0000,
            0x7fff_f000,
            0xc000_0000,
            0xffff_d000,
            0xffff_e000,
            0xffff_e001,
            0xffff_f000,
            0xffff_f001,
            0xffff_ffff,
        ])
    }

    fn process(&mut self) -> Value {
        match self.random.below(10) {
            0..5 => Value::Pid,
            5..8 => Value::Plain(0),
            8 => Value::Plain(0x7fff_ffff),
            _ => Value::Plain(self.random.pick(&[0x8000_0000, 0x3fff_ffff])),
        }
    }

    fn object_id(&mut self, object: Value) -> Value {
        if self.random.chance(80) { object } else { Value::Plain(self.random.pick(&[0x7fff_ffff, 0xffff_ffff, 0x8000_0000])) }
    }

    fn prctl(&mut self) -> u32 {
        // PR_SET_TSC and PR_SET_PDEATHSIG are harmless; PR_SET_SECCOMP and PR_SET_MM are in docs/known-gaps.md.
        let option = 1 + self.random.below(78);
        if matches!(option, 22 | 35 | 59 | 74) { 15 } else { option }
    }

    fn ioctl(&mut self) -> u32 {
        if self.random.chance(50) {
            // FIONREAD, FIONBIO, FIOASYNC, FIOCLEX, FIONCLEX, FIOQSIZE, TCGETS, SIOCATMARK, FIGETBSZ, FS_IOC_GETFLAGS of both widths
            return self.random.pick(&[
                0x541b,
                0x5421,
                0x5452,
                0x5451,
                0x5450,
                0x5460,
                0x5401,
                0x8905,
                2,
                0x8004_6601,
                0x8008_6601,
            ]);
        }
        let rows: Vec<u32> = IOCTLS.iter().flat_map(|rows| rows.iter()).map(|row| row.number32).collect();
        self.random.pick(&rows)
    }

    fn nanoseconds(&mut self) -> u32 {
        self.random.pick(&[0, 1, 999_999, 999_999_999, 1_000_000_000, 0xffff_ffff, 0x3fff_ffff, 0x3fff_fffe])
    }

    /// An address for a mapping.
    fn mapping(&mut self) -> u32 {
        match self.random.below(10) {
            0..2 => 0,
            2..7 => FIXED + 0x1000 * self.random.below(32),
            7 => AREA + RUN * self.random.below(RUNS),
            8 => FIXED + self.random.below(0x1_0000),
            _ => self.random.pick(BAD),
        }
    }

    // ---- memory ----

    /// Puts bytes into a run of their own; returns the address that the guest is to use, which may be none of theirs.
    fn place(&mut self, bytes: Vec<u8>, references: Vec<(u32, Value)>) -> u32 {
        let size = u32::try_from(bytes.len()).unwrap_or(0).min(RUN_SIZE);
        match self.random.below(100) {
            0..7 => return 0,
            7..12 => return self.random.pick(BAD),
            _ => {}
        }
        let read_only = self.random.chance(5);
        let run = if read_only {
            FIRST_READ_ONLY + self.random.below(RUNS - FIRST_READ_ONLY)
        } else {
            self.next_run += 1;
            (self.next_run - 1) % FIRST_READ_ONLY
        };
        let (start, end) = (AREA + RUN * run, AREA + RUN * run + RUN_SIZE);
        let address = match self.random.below(100) {
            // Exactly to the end, mostly: what reads or writes too much is found.
            0..60 => end - size,
            60..75 => start,
            75..80 => start + 1 + self.random.below(7),
            // The end is cut off.
            _ => {
                let missing =
                    self.random.pick(&[1, 4, 8, size / 2, size.saturating_sub(1), size.saturating_sub(4), size]).min(size);
                let keep = size - missing;
                let kept = bytes.get(..usize::try_from(keep).unwrap_or(0)).unwrap_or_default().to_vec();
                self.case.blobs.push(Blob { address: end - keep, bytes: kept, references });
                return end - keep;
            }
        };
        self.case.blobs.push(Blob { address, bytes, references });
        address
    }

    fn zeroes(&mut self, size: usize) -> u32 {
        self.place(vec![0; size], vec![])
    }

    fn words(&mut self, words: &[u32]) -> u32 {
        self.place(words.iter().flat_map(|word| word.to_le_bytes()).collect(), vec![])
    }

    fn noise(&mut self, size: usize) -> Vec<u8> {
        match self.random.below(3) {
            0 => vec![0; size],
            1 => (0..size).map(|_| u8::try_from(self.random.below(256)).unwrap_or(0)).collect(),
            _ => (0..size)
                .map(|_| if self.random.chance(15) { u8::try_from(1 << self.random.below(8)).unwrap_or(0) } else { 0 })
                .collect(),
        }
    }

    /// A structure of `size` bytes of which nothing but that is known.
    fn structure(&mut self, _name: &str, size: usize) -> u32 {
        let mut bytes = vec![0; size];
        if self.random.chance(70) {
            for word in bytes.chunks_mut(4) {
                if self.random.chance(50) {
                    let value = self.number().to_le_bytes();
                    let length = word.len();
                    word.copy_from_slice(&value[..length]);
                }
            }
        }
        self.place(bytes, vec![])
    }

    /// Whatever a pointer without a type may lead to, or a number.
    fn anything(&mut self) -> u32 {
        match self.random.below(10) {
            0 => self.number(),
            _ => {
                let size = self.random.pick(&[4, 8, 16, 24, 32, 64, 88, 128, 256, 512]);
                self.structure("", size)
            }
        }
    }

    /// A time that is over soon; its words have `width` bytes.
    fn time(&mut self, width: usize) -> u32 {
        let (seconds, nanoseconds): (u32, u32) = match self.random.below(20) {
            0..10 => (0, 0),
            10..15 => (0, 1000),
            15 => (0, 1_000_000_000),
            16 => (0, 0xffff_ffff),
            17 => (0xffff_ffff, 0),
            18 => (0x8000_0000, 0),
            _ => (0, 999_999),
        };
        let mut bytes = vec![];
        for word in [seconds, nanoseconds] {
            bytes.extend(word.to_le_bytes());
            if width == 8 {
                bytes.extend(self.random.pick(&[0u32, 0, 0, 1, 0xffff_ffff]).to_le_bytes());
            }
        }
        // Not years: the sign decides.
        if width == 8 && seconds == 0 {
            bytes[4..8].copy_from_slice(&self.random.pick(&[0u32, 0, 0, 0xffff_ffff]).to_le_bytes());
        }
        self.place(bytes, vec![])
    }

    fn path(&mut self) -> u32 {
        let mut bytes = match self.random.below(20) {
            0 => vec![b'a'; 255],
            1 => vec![b'a'; 256],
            2 => b"./".repeat(2047),
            3 => b"./".repeat(2048),
            _ => self.random.pick(NAMES).as_bytes().to_vec(),
        };
        bytes.push(0);
        self.place(bytes, vec![])
    }

    fn pointers(&mut self) -> u32 {
        let mut words: Vec<u32> =
            (0..self.random.below(5)).map(|_| self.random.pick(&[AREA, AREA + RUN, FIXED, AREA + RUN_SIZE - 1])).collect();
        words.push(0);
        self.words(&words)
    }

    fn vectors(&mut self) -> u32 {
        let mut words = vec![];
        for _ in 0..self.random.below(5) {
            let size = self.size();
            let bytes = self.noise(size);
            let at = self.place(bytes, vec![]);
            let length = if self.random.chance(80) { u32::try_from(size).unwrap_or(0) } else { self.random.pick(EDGES) };
            words.extend([at, length]);
        }
        self.words(&words)
    }

    fn message_headers(&mut self, many: bool) -> u32 {
        let mut words = vec![];
        for _ in 0..if many { 1 + self.random.below(3) } else { 1 } {
            let name = if self.random.chance(60) { 0 } else { self.socket_address() };
            let vectors = self.vectors();
            let count = self
                .case
                .blobs
                .iter()
                .find(|blob| blob.address == vectors)
                .map_or(1, |blob| u32::try_from(blob.bytes.len() / 8).unwrap_or(0));
            let control = if self.random.chance(50) { 0 } else { self.control() };
            let control_length =
                if control == 0 { 0 } else { self.random.pick(&[0, 12, 16, 20, 24, 32, 64, 11, 0xffff_ffff, 0x7fff_ffff]) };
            let count =
                if self.random.chance(85) { count } else { self.random.pick(&[0, 1, 1024, 1025, 0x1000_0000, 0xffff_ffff]) };
            let length =
                if name == 0 { self.random.pick(&[0, 0, 16]) } else { self.random.pick(&[2, 16, 110, 128, 129, 0xffff_ffff]) };
            words.extend([name, length, vectors, count, control, control_length, self.random.pick(&[0, 0, 0x40])]);
            if many {
                words.push(0xa5a5_a5a5);
            }
        }
        self.words(&words)
    }

    /// Ancillary data: SCM_RIGHTS, credentials, and what does not exist.
    fn control(&mut self) -> u32 {
        let mut words = vec![];
        for _ in 0..1 + self.random.below(2) {
            let data = self.random.below(4);
            let length =
                if self.random.chance(85) { 12 + 4 * data } else { self.random.pick(&[0, 4, 11, 12, 0xffff_ffff, 0x7fff_ffff]) };
            words.extend([length, self.random.pick(&[1, 1, 1, 0, 6]), self.random.pick(&[1, 1, 2, 3, 29, 99])]);
            for _ in 0..data {
                words.push(self.random.pick(DESCRIPTORS));
            }
        }
        self.words(&words)
    }

    fn socket_address(&mut self) -> u32 {
        let bytes = match self.random.below(5) {
            // Any port of the loopback interface, and what nobody listens on.
            0..2 => vec![2, 0, 0, self.random.pick(&[0, 1]), 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            2 => vec![1, 0, b's', 0],
            3 => vec![0, 0],
            _ => vec![1, 0],
        };
        self.place(bytes, vec![])
    }

    fn socketcall(&mut self) -> u32 {
        let descriptor = self.random.pick(SOCKETS);
        let words = [descriptor, self.number(), self.number(), self.number(), 0, 0];
        self.words(&words)
    }

    fn poll_descriptors(&mut self) -> u32 {
        let mut words = vec![];
        for _ in 0..self.random.below(5) {
            words.extend([self.random.pick(DESCRIPTORS), self.random.pick(&[0, 1, 4, 5, 0x2000, 0xffff, 0x3f])]);
        }
        self.words(&words)
    }

    fn semaphore_operations(&mut self) -> u32 {
        let mut words = vec![];
        for _ in 0..=self.random.below(3) {
            // sem_num and sem_op; sem_flg with IPC_NOWAIT, two bytes that begin the next.
            let number = self.random.pick(&[0, 1, 3, 4]);
            let operation = self.random.pick(&[0u32, 1, 0xffff, 5, 0x7fff]);
            words.push((number | operation << 16, 0o4000 | self.random.pick(&[0u32, 0o10000])));
        }
        let bytes = words
            .iter()
            .flat_map(|(low, flags)| [low.to_le_bytes().to_vec(), flags.to_le_bytes()[..2].to_vec()].concat())
            .collect();
        self.place(bytes, vec![])
    }

    fn message(&mut self) -> u32 {
        let size = self.size().min(512);
        let mut bytes = self.random.pick(&[1u32, 2, 0, 0xffff_ffff, 0x7fff_ffff]).to_le_bytes().to_vec();
        bytes.extend(self.noise(size));
        self.place(bytes, vec![])
    }

    fn action(&mut self, words: usize, flags_at: usize) -> u32 {
        let handler = self.random.pick(&[Value::Handler, Value::Handler, Value::Plain(0), Value::Plain(1)]);
        // SA_RESTORER is left out: the kernel's own restorer is in the vDSO.
        let flags = self.random.pick(&[4u32, 4, 0, 0x1000_0004, 0x4000_0004, 0x8000_0004, 0x0800_0004, 2]);
        let mut contents = vec![0u32; words];
        if words == 4 {
            contents[1] = self.bits();
            contents[2] = flags;
        } else {
            contents[flags_at] = flags;
            contents[3] = self.bits();
        }
        let bytes = contents.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.place(bytes, vec![(0, handler)])
    }
}

/// The number in `InBuf<3>` and its like.
fn number_in(type_name: &str, outer: &[&str]) -> Option<usize> {
    let (name, rest) = type_name.split_once('<')?;
    if !outer.contains(&name) {
        return None;
    }
    rest.trim_end_matches('>').parse().ok()
}
