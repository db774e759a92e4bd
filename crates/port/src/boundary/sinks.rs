//! The functions of the system through which memory leaves the program, or comes into it, as it is.

use serde::{Deserialize, Serialize};

/// Where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Channel {
    File,
    Database,
    Socket,
    /// A raw socket: heads of protocols, and what comes back to the sender, as in an echo.
    Raw,
    /// A socket of this machine's processes, unix(7).
    Local,
    /// What the descriptor is of is not known here.
    Descriptor,
    /// A file, or memory that is shared with another process.
    Mapping,
    SharedMemory,
    MessageQueue,
    Pipe,
    /// Bytes that nobody else has made, or reads: random ones, and those of a file that is deleted when the process ends.
    Meaningless,
}

impl Channel {
    /// As it is said in a sentence.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Database => "a database",
            Self::Socket | Self::Raw => "a socket",
            Self::Local => "a local socket",
            Self::Descriptor => "a file or a socket",
            Self::Mapping => "a mapped file",
            Self::SharedMemory => "shared memory",
            Self::MessageQueue => "a message queue",
            Self::Pipe => "a pipe",
            Self::Meaningless => "a device",
        }
    }

    /// Whether both ends are mostly programs that are built and started together.
    pub(crate) fn is_local(self) -> bool {
        matches!(self, Self::SharedMemory | Self::MessageQueue | Self::Pipe)
    }
}

/// A function, and what it does with its arguments.
pub(crate) struct Sink {
    pub(crate) name: &'static str,
    /// The pointer; nothing, where it is the result.
    pub(crate) pointer: Option<u8>,
    /// How many bytes: the argument, or the product of two.
    pub(crate) length: &'static [u8],
    /// The descriptor, or the stream.
    pub(crate) descriptor: Option<u8>,
    pub(crate) channel: Channel,
}

macro_rules! sinks {
    ($($($name:literal)* : $pointer:expr, $length:expr, $descriptor:expr, $channel:ident;)*) => {
        &[$($(Sink { name: $name, pointer: $pointer, length: $length, descriptor: $descriptor, channel: Channel::$channel },)*)*]
    };
}

/// All of them. `std::` stands for the methods of C++ streams, `iovec` and `datum` for their members that are pointers.
pub(crate) const SINKS: &[Sink] = sinks! {
    "fwrite" "fread" "fwrite_unlocked" "fread_unlocked": Some(0), &[1, 2], Some(3), File;
    "write" "read" "pwrite" "pread" "pwrite64" "pread64": Some(1), &[2], Some(0), Descriptor;
    "send" "recv" "sendto" "recvfrom": Some(1), &[2], Some(0), Socket;
    "SSL_write" "SSL_read" "BIO_write" "BIO_read": Some(1), &[2], None, Socket;
    "gzwrite" "gzread" "BZ2_bzwrite" "BZ2_bzread": Some(1), &[2], None, File;
    "std::write" "std::read" "std::writeRawData" "std::readRawData" "std::sputn" "std::sgetn": Some(0), &[1], None, File;
    "msgsnd" "msgrcv": Some(1), &[2], None, MessageQueue;
    "mq_send" "mq_receive": Some(1), &[2], None, MessageQueue;
    "iovec": Some(0), &[], None, Descriptor;
    "datum": Some(0), &[], None, Database;
    "mmap" "mmap64": None, &[], None, Mapping;
    "shmat": None, &[], None, SharedMemory;
};

/// That of this name.
pub(crate) fn find(name: &str) -> Option<&'static Sink> {
    SINKS.iter().find(|sink| sink.name == name)
}

/// Those that copy from one argument to another.
pub(crate) const COPIES: [&str; 7] =
    ["memcpy", "memmove", "mempcpy", "bcopy", "__builtin_memcpy", "__builtin_memmove", "__builtin___memcpy_chk"];

/// Those that return a descriptor or a stream, of which it is not known here what it is of.
pub(crate) const COPIES_OF_DESCRIPTORS: [&str; 6] = ["dup", "dup2", "dup3", "fcntl", "memfd_create", "shm_open"];

/// Which member of which structure is passed on by its address.
pub(crate) const MEMBERS: [(&str, &str, &str); 3] =
    [("iovec", "iov_base", "iovec"), ("datum", "dptr", "datum"), ("__db_dbt", "data", "datum")];

/// Devices whose bytes nobody else has made, or reads; random(4), null(4).
pub(crate) const MEANINGLESS: [&str; 4] = ["/dev/random", "/dev/urandom", "/dev/null", "/dev/zero"];

/// What gives a descriptor or a stream, and of what.
pub(crate) fn opened(name: &str) -> Option<Channel> {
    Some(match name {
        "open" | "open64" | "creat" | "openat" | "mkstemp" | "fopen" | "freopen" | "fdopen" => Channel::File,
        "socket" | "accept" | "accept4" => Channel::Socket,
        "tmpfile" | "tmpfile64" => Channel::Meaningless,
        "popen" | "pipe" | "pipe2" | "socketpair" => Channel::Pipe,
        _ => return None,
    })
}
