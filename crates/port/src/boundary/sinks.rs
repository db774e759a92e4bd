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
    /// What is seen on a screen, or is drawn there: so many bits for each point of it as the hardware or a library has.
    Picture,
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
            Self::Picture => "a picture",
            Self::Meaningless => "a device",
        }
    }

    /// Whether both ends are mostly programs that are built and started together.
    pub(crate) fn is_local(self) -> bool {
        matches!(self, Self::SharedMemory | Self::MessageQueue | Self::Pipe)
    }
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Flow {
    /// Out of the program, or into the memory from which they may go there.
    Out,
    /// Into the program, or out of the memory into which they have come.
    In,
    /// This is not known, or it is memory that others have as well.
    Both,
}

impl Flow {
    /// Whether what goes one way may have gone the other before, or goes it afterwards.
    pub(crate) fn meets(self, other: Self) -> bool {
        self == other || self == Self::Both || other == Self::Both
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
    pub(crate) flow: Flow,
}

macro_rules! sinks {
    ($($($name:literal)* : $pointer:expr, $length:expr, $descriptor:expr, $channel:ident, $flow:ident;)*) => {
        &[$($(Sink {
            name: $name,
            pointer: $pointer,
            length: $length,
            descriptor: $descriptor,
            channel: Channel::$channel,
            flow: Flow::$flow,
        },)*)*]
    };
}

/// What mmap(2) is called here where it maps the memory of a screen, fb(4).
pub(crate) const SCREEN: &str = "mmap@screen";

/// All of them. `std::` stands for the methods of C++ streams, `iovec` and `datum` for their members that are pointers; a name with a dot is
/// itself that of a member.
pub(crate) const SINKS: &[Sink] = sinks! {
    "fwrite" "fwrite_unlocked": Some(0), &[1, 2], Some(3), File, Out;
    "fread" "fread_unlocked": Some(0), &[1, 2], Some(3), File, In;
    "write" "pwrite" "pwrite64": Some(1), &[2], Some(0), Descriptor, Out;
    "read" "pread" "pread64": Some(1), &[2], Some(0), Descriptor, In;
    "send" "sendto": Some(1), &[2], Some(0), Socket, Out;
    "recv" "recvfrom": Some(1), &[2], Some(0), Socket, In;
    "SSL_write" "BIO_write": Some(1), &[2], None, Socket, Out;
    "SSL_read" "BIO_read": Some(1), &[2], None, Socket, In;
    "gzwrite" "BZ2_bzwrite": Some(1), &[2], None, File, Out;
    "gzread" "BZ2_bzread": Some(1), &[2], None, File, In;
    "std::write" "std::writeRawData" "std::sputn": Some(0), &[1], None, File, Out;
    "std::read" "std::readRawData" "std::sgetn": Some(0), &[1], None, File, In;
    "msgsnd" "mq_send": Some(1), &[2], None, MessageQueue, Out;
    "msgrcv" "mq_receive": Some(1), &[2], None, MessageQueue, In;
    "iovec": Some(0), &[], None, Descriptor, Both;
    "datum": Some(0), &[], None, Database, Both;
    "mmap" "mmap64": None, &[], None, Mapping, Both;
    "mmap@screen" "_XImage.data" "SDL_Surface.pixels": None, &[], None, Picture, Both;
    "XCreateImage": Some(5), &[], None, Picture, Both;
    "SDL_CreateRGBSurfaceFrom": Some(0), &[], None, Picture, Both;
    "glDrawPixels": Some(4), &[], None, Picture, Both;
    "glTexImage2D" "glTexSubImage2D": Some(8), &[], None, Picture, Both;
    "shmat": None, &[], None, SharedMemory, Both;
};

impl Sink {
    /// Whether it is a member that is a pointer, whoever gives it to whom.
    pub(crate) fn is_member(&self) -> bool {
        self.name.contains('.')
    }

    /// As it is said at the end of a way: `fwrite()`, `struct iovec`, `_XImage.data`.
    pub(crate) fn text(&self) -> String {
        match self.name {
            "iovec" | "datum" => format!("struct {}", self.name),
            name if self.is_member() => name.to_owned(),
            SCREEN => "mmap()".to_owned(),
            name => format!("{}()", name.trim_start_matches("std::")),
        }
    }
}

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

/// Devices whose bytes nobody else has made, or reads, random(4), null(4); and directories, of which read(2) reads nothing.
pub(crate) const MEANINGLESS: [&str; 7] = ["/dev/random", "/dev/urandom", "/dev/null", "/dev/zero", "/", ".", ".."];

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
