//! Arguments of the calls on sockets: families, types, levels, options, flags, addresses.

use crate::named_arg;
use crate::scalar::GuestPtr;
use crate::trace::{Arg, Call, When, flag_names};
use core::fmt::{self, Write};

named_arg! {
    /// An address family of socket(2).
    choice Family {
        AF_UNSPEC = 0, AF_UNIX = 1, AF_INET = 2, AF_AX25 = 3, AF_IPX = 4, AF_APPLETALK = 5, AF_NETROM = 6, AF_BRIDGE = 7,
        AF_ATMPVC = 8, AF_X25 = 9, AF_INET6 = 10, AF_ROSE = 11, AF_KEY = 15, AF_NETLINK = 16, AF_PACKET = 17, AF_ECONET = 19,
        AF_RDS = 21, AF_IRDA = 23, AF_PPPOX = 24, AF_LLC = 26, AF_IB = 27, AF_MPLS = 28, AF_CAN = 29, AF_TIPC = 30,
        AF_BLUETOOTH = 31, AF_RXRPC = 33, AF_ISDN = 34, AF_PHONET = 35, AF_IEEE802154 = 36, AF_CAIF = 37, AF_ALG = 38,
        AF_NFC = 39, AF_VSOCK = 40, AF_KCM = 41, AF_QIPCRTR = 42, AF_SMC = 43, AF_XDP = 44, AF_MCTP = 45,
    }
}

named_arg! {
    /// The flags of accept4(2), and of socket(2) beside the type.
    flags SocketFlags { SOCK_NONBLOCK = 0x800, SOCK_CLOEXEC = 0x80000 }
}

/// A type of socket(2), with its flags.
pub struct SocketType;
impl Arg for SocketType {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let value = call.args[index];
        match value & 15 {
            1 => out.write_str("SOCK_STREAM")?,
            2 => out.write_str("SOCK_DGRAM")?,
            3 => out.write_str("SOCK_RAW")?,
            4 => out.write_str("SOCK_RDM")?,
            5 => out.write_str("SOCK_SEQPACKET")?,
            6 => out.write_str("SOCK_DCCP")?,
            10 => out.write_str("SOCK_PACKET")?,
            other => write!(out, "{other:#x}")?,
        }
        let flags = value & !15;
        if flags != 0 {
            out.write_char('|')?;
            flag_names(flags, &[("SOCK_NONBLOCK", 0x800), ("SOCK_CLOEXEC", 0x80000)], out)?;
        }
        Ok(())
    }
}

named_arg! {
    /// How to shut down, shutdown(2).
    choice ShutHow { SHUT_RD = 0, SHUT_WR = 1, SHUT_RDWR = 2 }
}

named_arg! {
    /// The flags of send(2) and recv(2).
    flags MsgFlags {
        MSG_OOB = 1, MSG_PEEK = 2, MSG_DONTROUTE = 4, MSG_CTRUNC = 8, MSG_PROBE = 0x10, MSG_TRUNC = 0x20, MSG_DONTWAIT = 0x40,
        MSG_EOR = 0x80, MSG_WAITALL = 0x100, MSG_FIN = 0x200, MSG_SYN = 0x400, MSG_CONFIRM = 0x800, MSG_RST = 0x1000,
        MSG_ERRQUEUE = 0x2000, MSG_NOSIGNAL = 0x4000, MSG_MORE = 0x8000, MSG_WAITFORONE = 0x10000, MSG_BATCH = 0x40000,
        MSG_ZEROCOPY = 0x0400_0000, MSG_FASTOPEN = 0x2000_0000, MSG_CMSG_CLOEXEC = 0x4000_0000, MSG_CMSG_COMPAT = 0x8000_0000,
    }
}

named_arg! {
    /// A level of setsockopt(2).
    choice SockLevel {
        SOL_IP = 0, SOL_SOCKET = 1, SOL_TCP = 6, SOL_UDP = 17, SOL_IPV6 = 41, SOL_ICMPV6 = 58, SOL_SCTP = 132, SOL_UDPLITE = 136,
        SOL_RAW = 255, SOL_PACKET = 263, SOL_NETLINK = 270, SOL_BLUETOOTH = 274, SOL_ALG = 279, SOL_TLS = 282, SOL_XDP = 283,
    }
}

named_arg! {
    /// The options of `SOL_SOCKET`, socket(7).
    choice SocketOption {
        SO_DEBUG = 1, SO_REUSEADDR = 2, SO_TYPE = 3, SO_ERROR = 4, SO_DONTROUTE = 5, SO_BROADCAST = 6, SO_SNDBUF = 7,
        SO_RCVBUF = 8, SO_KEEPALIVE = 9, SO_OOBINLINE = 10, SO_NO_CHECK = 11, SO_PRIORITY = 12, SO_LINGER = 13,
        SO_BSDCOMPAT = 14, SO_REUSEPORT = 15, SO_PASSCRED = 16, SO_PEERCRED = 17, SO_RCVLOWAT = 18, SO_SNDLOWAT = 19,
        SO_RCVTIMEO_OLD = 20, SO_SNDTIMEO_OLD = 21, SO_BINDTODEVICE = 25, SO_ATTACH_FILTER = 26, SO_DETACH_FILTER = 27,
        SO_PEERNAME = 28, SO_TIMESTAMP_OLD = 29, SO_ACCEPTCONN = 30, SO_PEERSEC = 31, SO_SNDBUFFORCE = 32, SO_RCVBUFFORCE = 33,
        SO_PASSSEC = 34, SO_TIMESTAMPNS_OLD = 35, SO_MARK = 36, SO_TIMESTAMPING_OLD = 37, SO_PROTOCOL = 38, SO_DOMAIN = 39,
        SO_RXQ_OVFL = 40, SO_WIFI_STATUS = 41, SO_PEEK_OFF = 42, SO_NOFCS = 43, SO_LOCK_FILTER = 44,
        SO_SELECT_ERR_QUEUE = 45, SO_BUSY_POLL = 46, SO_MAX_PACING_RATE = 47, SO_BPF_EXTENSIONS = 48, SO_INCOMING_CPU = 49,
        SO_ATTACH_BPF = 50, SO_ATTACH_REUSEPORT_CBPF = 51, SO_ATTACH_REUSEPORT_EBPF = 52, SO_CNX_ADVICE = 53,
        SO_MEMINFO = 55, SO_INCOMING_NAPI_ID = 56, SO_COOKIE = 57, SO_PEERGROUPS = 59, SO_ZEROCOPY = 60, SO_TXTIME = 61,
        SO_BINDTOIFINDEX = 62, SO_TIMESTAMP_NEW = 63, SO_TIMESTAMPNS_NEW = 64, SO_TIMESTAMPING_NEW = 65, SO_RCVTIMEO_NEW = 66,
        SO_SNDTIMEO_NEW = 67, SO_DETACH_REUSEPORT_BPF = 68, SO_PREFER_BUSY_POLL = 69, SO_BUSY_POLL_BUDGET = 70,
        SO_NETNS_COOKIE = 71, SO_BUF_LOCK = 72, SO_RESERVE_MEM = 73, SO_TXREHASH = 74, SO_RCVMARK = 75, SO_PASSPIDFD = 76,
        SO_PEERPIDFD = 77,
    }
}

named_arg! {
    /// The options of `SOL_IP`, ip(7), with those of netfilter.
    choice IpOption {
        IP_TOS = 1, IP_TTL = 2, IP_HDRINCL = 3, IP_OPTIONS = 4, IP_ROUTER_ALERT = 5, IP_RECVOPTS = 6, IP_RETOPTS = 7,
        IP_PKTINFO = 8, IP_PKTOPTIONS = 9, IP_MTU_DISCOVER = 10, IP_RECVERR = 11, IP_RECVTTL = 12, IP_RECVTOS = 13, IP_MTU = 14,
        IP_FREEBIND = 15, IP_TRANSPARENT = 19, IP_RECVORIGDSTADDR = 20, IP_MINTTL = 21, IP_NODEFRAG = 22,
        IP_BIND_ADDRESS_NO_PORT = 24, IP_MULTICAST_IF = 32, IP_MULTICAST_TTL = 33, IP_MULTICAST_LOOP = 34,
        IP_ADD_MEMBERSHIP = 35, IP_DROP_MEMBERSHIP = 36, IP_UNBLOCK_SOURCE = 37, IP_BLOCK_SOURCE = 38,
        IP_ADD_SOURCE_MEMBERSHIP = 39, IP_DROP_SOURCE_MEMBERSHIP = 40, IP_MSFILTER = 41, MCAST_JOIN_GROUP = 42,
        MCAST_BLOCK_SOURCE = 43, MCAST_UNBLOCK_SOURCE = 44, MCAST_LEAVE_GROUP = 45, MCAST_JOIN_SOURCE_GROUP = 46,
        MCAST_LEAVE_SOURCE_GROUP = 47, MCAST_MSFILTER = 48, IP_MULTICAST_ALL = 49, IP_UNICAST_IF = 50,
        IPT_SO_SET_REPLACE = 64, IPT_SO_SET_ADD_COUNTERS = 65,
    }
}

named_arg! {
    /// The options of `SOL_TCP`, tcp(7).
    choice TcpOption {
        TCP_NODELAY = 1, TCP_MAXSEG = 2, TCP_CORK = 3, TCP_KEEPIDLE = 4, TCP_KEEPINTVL = 5, TCP_KEEPCNT = 6, TCP_SYNCNT = 7,
        TCP_LINGER2 = 8, TCP_DEFER_ACCEPT = 9, TCP_WINDOW_CLAMP = 10, TCP_INFO = 11, TCP_QUICKACK = 12, TCP_CONGESTION = 13,
        TCP_MD5SIG = 14, TCP_THIN_LINEAR_TIMEOUTS = 16, TCP_THIN_DUPACK = 17, TCP_USER_TIMEOUT = 18, TCP_REPAIR = 19,
        TCP_REPAIR_QUEUE = 20, TCP_QUEUE_SEQ = 21, TCP_REPAIR_OPTIONS = 22, TCP_FASTOPEN = 23, TCP_TIMESTAMP = 24,
        TCP_NOTSENT_LOWAT = 25, TCP_CC_INFO = 26, TCP_SAVE_SYN = 27, TCP_SAVED_SYN = 28, TCP_REPAIR_WINDOW = 29,
        TCP_FASTOPEN_CONNECT = 30, TCP_ULP = 31, TCP_MD5SIG_EXT = 32, TCP_FASTOPEN_KEY = 33, TCP_FASTOPEN_NO_COOKIE = 34,
        TCP_ZEROCOPY_RECEIVE = 35, TCP_INQ = 36, TCP_TX_DELAY = 37,
    }
}

/// An option of setsockopt(2); its name depends on the level, which is the argument before it.
pub struct SockOpt;
impl Arg for SockOpt {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        match index.checked_sub(1).map(|level| call.args[level]) {
            Some(SockLevel::SOL_SOCKET) => SocketOption::trace(call, index, out),
            Some(SockLevel::SOL_IP) => IpOption::trace(call, index, out),
            Some(SockLevel::SOL_TCP) => TcpOption::trace(call, index, out),
            _ => write!(out, "{:#x}", call.args[index]),
        }
    }
}

/// A socket address that the kernel reads; its length is argument `LENGTH`.
pub struct SockAddr<const LENGTH: usize>;
impl<const LENGTH: usize> Arg for SockAddr<LENGTH> {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        address(call, call.args[index], call.args[LENGTH], out)
    }
}

/// A socket address that the kernel fills; argument `LENGTH` points to its length.
pub struct SockAddrOut<const LENGTH: usize>;
impl<const LENGTH: usize> Arg for SockAddrOut<LENGTH> {
    type Value = GuestPtr<u8>;
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let mut length = [0; 4];
        let failed = call.result.is_none_or(|result| result < 0);
        if failed || call.memory.read(call.args[LENGTH], &mut length) < length.len() {
            return write!(out, "{:#x}", call.args[index]);
        }
        address(call, call.args[index], u32::from_ne_bytes(length), out)
    }
}

/// An `unsigned long` array of arguments, of socketcall(2); how many there are depends on the first argument.
pub struct SocketcallArgs;
impl Arg for SocketcallArgs {
    type Value = GuestPtr<u32>;
    fn from_register(register: u32) -> GuestPtr<u32> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let count = usize::try_from(call.args[0]).ok().and_then(|number| SOCKETCALL_ARGS.get(number)).copied().unwrap_or(0);
        let mut words = [0; 24];
        let words = &mut words[..usize::from(count) * 4];
        if words.is_empty() || call.memory.read(call.args[index], words) < words.len() {
            return write!(out, "{:#x}", call.args[index]);
        }
        for (i, word) in words.chunks_exact(4).enumerate() {
            out.write_str(if i == 0 { "[" } else { ", " })?;
            let word = word.first_chunk().map_or(0, |word| u32::from_ne_bytes(*word));
            if word < 0x10000 { write!(out, "{word}")? } else { write!(out, "{word:#x}")? }
        }
        out.write_char(']')
    }
}

named_arg! {
    /// A call of socketcall(2) (`linux/net.h`).
    choice Socketcall {
        SYS_SOCKET = 1, SYS_BIND = 2, SYS_CONNECT = 3, SYS_LISTEN = 4, SYS_ACCEPT = 5, SYS_GETSOCKNAME = 6, SYS_GETPEERNAME = 7,
        SYS_SOCKETPAIR = 8, SYS_SEND = 9, SYS_RECV = 10, SYS_SENDTO = 11, SYS_RECVFROM = 12, SYS_SHUTDOWN = 13,
        SYS_SETSOCKOPT = 14, SYS_GETSOCKOPT = 15, SYS_SENDMSG = 16, SYS_RECVMSG = 17, SYS_ACCEPT4 = 18, SYS_RECVMMSG = 19,
        SYS_SENDMMSG = 20,
    }
}

/// How many arguments each call of socketcall(2) has (`nas` in `net/compat.c`).
pub const SOCKETCALL_ARGS: [u8; 21] = [0, 3, 3, 3, 2, 3, 3, 3, 4, 4, 4, 6, 6, 2, 5, 5, 3, 3, 4, 5, 4];

/// Prints the socket address of `length` bytes at `at`.
fn address(call: &Call<'_>, at: u32, length: u32, out: &mut dyn Write) -> fmt::Result {
    let mut bytes = [0; 128];
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len());
    let bytes = &mut bytes[..length];
    if at == 0 || length < 2 || call.memory.read(at, bytes) < length {
        return if at == 0 { out.write_str("NULL") } else { write!(out, "{at:#x}") };
    }
    socket_address(bytes, out)
}

/// Prints a `struct sockaddr` with its family's own fields.
///
/// # Errors
/// Whatever `out` returns.
pub fn socket_address(bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    let family = bytes.first_chunk().map_or(0, |family| u16::from_ne_bytes(*family));
    let port = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|port| u16::from_be_bytes(*port));
    match (u32::from(family), port(2)) {
        (Family::AF_UNIX, _) => {
            let path = &bytes[2..];
            out.write_str("{sa_family=AF_UNIX")?;
            if let [0, name @ ..] = path {
                if !name.is_empty() {
                    write!(out, ", sun_path=@\"{}\"", name.escape_ascii())?;
                }
            } else if !path.is_empty() {
                let path = path.split(|&byte| byte == 0).next().unwrap_or_default();
                write!(out, ", sun_path=\"{}\"", path.escape_ascii())?;
            }
            out.write_char('}')
        }
        (Family::AF_INET, Some(port)) if bytes.len() >= 8 => {
            let [.., a, b, c, d] = bytes[..8] else { return Ok(()) };
            write!(out, "{{sa_family=AF_INET, sin_port={port}, sin_addr={a}.{b}.{c}.{d}}}")
        }
        (Family::AF_INET6, Some(port)) if bytes.len() >= 24 => {
            let ip = bytes[8..24].first_chunk::<16>().map_or(core::net::Ipv6Addr::UNSPECIFIED, |ip| (*ip).into());
            write!(out, "{{sa_family=AF_INET6, sin6_port={port}, sin6_addr={ip}")?;
            if let Some(scope) = bytes.get(24..).and_then(|rest| rest.first_chunk()).map(|scope| u32::from_ne_bytes(*scope)) {
                if scope != 0 {
                    write!(out, ", sin6_scope_id={scope}")?;
                }
            }
            out.write_char('}')
        }
        (Family::AF_NETLINK, _) if bytes.len() >= 12 => {
            let word = |at: usize| bytes[at..].first_chunk().map_or(0, |word| u32::from_ne_bytes(*word));
            write!(out, "{{sa_family=AF_NETLINK, nl_pid={}, nl_groups={:#x}}}", word(4), word(8))
        }
        (other, _) => {
            out.write_str("{sa_family=")?;
            struct Nowhere;
            impl crate::trace::Memory for Nowhere {
                fn read(&self, _: u32, _: &mut [u8]) -> usize {
                    0
                }
            }
            Family::trace(&Call { args: [other, 0, 0, 0, 0, 0], result: None, memory: &Nowhere }, 0, out)?;
            write!(out, ", sa_data=\"{}\"}}", bytes[2..].escape_ascii())
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    fn print(bytes: &[u8]) -> String {
        let mut out = String::new();
        socket_address(bytes, &mut out).unwrap();
        out
    }

    #[test]
    fn addresses_are_readable() {
        assert_eq!(
            print(b"\x02\x00\x1f\x90\x7f\x00\x00\x01\0\0\0\0\0\0\0\0"),
            "{sa_family=AF_INET, sin_port=8080, sin_addr=127.0.0.1}"
        );
        assert_eq!(print(b"\x01\x00/run/x\0junk"), "{sa_family=AF_UNIX, sun_path=\"/run/x\"}");
        assert_eq!(print(b"\x01\x00\0name"), "{sa_family=AF_UNIX, sun_path=@\"name\"}");
        assert_eq!(print(b"\x01\x00"), "{sa_family=AF_UNIX}");
        let mut six = [0; 28];
        six[0] = 10;
        six[3] = 53;
        six[23] = 1;
        six[24] = 2;
        assert_eq!(print(&six), "{sa_family=AF_INET6, sin6_port=53, sin6_addr=::1, sin6_scope_id=2}");
        assert_eq!(print(b"\x11\x00ab"), "{sa_family=AF_PACKET, sa_data=\"ab\"}");
        assert_eq!(print(b"\x02\x00\x1f"), "{sa_family=AF_INET, sa_data=\"\\x1f\"}");
    }
}
