//! `socket(7)`: messages, options and addresses. The conversion of control messages, which are no plain structures, is in
//! [`crate::cmsg`].

use crate::structs::{Chars, Layout, Pad, Ptr32, Row, U64, ULong};

abi_struct! {
    /// `struct msghdr`: a message of sendmsg(2) and recvmsg(2); the kernel's `struct compat_msghdr`.
    pub struct msghdr ("" / "" in "sys/socket.h"): 28 / 56 {
        msg_name @ 0 / 0: Ptr32;
        msg_namelen @ 4 / 8: i32;
        __pad1 @ 8 / 12: Pad<0> => Pad<4>;
        msg_iov @ 8 / 16: Ptr32;
        msg_iovlen @ 12 / 24: ULong;
        msg_control @ 16 / 32: Ptr32;
        msg_controllen @ 20 / 40: ULong;
        msg_flags @ 24 / 48: u32;
        __pad2 @ 28 / 52: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct mmsghdr`: one message of sendmmsg(2) and recvmmsg(2).
    pub struct mmsghdr ("" / "" in "sys/socket.h"): 32 / 64 {
        msg_hdr @ 0 / 0: msghdr::Guest32;
        msg_len @ 28 / 56: u32;
        __pad @ 32 / 60: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct cmsghdr`: the head of a control message, cmsg(3).
    pub struct cmsghdr ("" / "" in "sys/socket.h"): 12 / 16 {
        cmsg_len @ 0 / 0: ULong;
        cmsg_level @ 4 / 8: i32;
        cmsg_type @ 8 / 12: i32;
    }
}

abi_struct! {
    /// `struct sock_fprog`: a packet filter, of `SO_ATTACH_FILTER`, socket(7).
    pub struct sock_fprog ("struct sock_fprog" / "struct sock_fprog" in "linux/filter.h"): 8 / 16 {
        len @ 0 / 0: u16;
        __pad @ 2 / 2: Pad<2> => Pad<6>;
        filter @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct group_req`: a multicast group, of `MCAST_JOIN_GROUP`, ip(7). `struct sockaddr_storage` is aligned as a pointer is.
    pub struct group_req ("struct group_req" / "struct group_req" in "linux/in.h"): 132 / 136 {
        gr_interface @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        gr_group @ 4 / 8: Chars<128>;
    }
}

abi_struct! {
    /// `struct group_source_req`: a multicast group and a source, of `MCAST_JOIN_SOURCE_GROUP`, ip(7).
    pub struct group_source_req ("struct group_source_req" / "struct group_source_req" in "linux/in.h"): 260 / 264 {
        gsr_interface @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        gsr_group @ 4 / 8: Chars<128>;
        gsr_source @ 132 / 136: Chars<128>;
    }
}

abi_struct! {
    /// The head of `struct group_filter`, of `MCAST_MSFILTER`; `gf_numsrc` addresses of 128 bytes follow.
    pub struct group_filter ("" / "" in "linux/in.h"): 140 / 144 {
        gf_interface @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        gf_group @ 4 / 8: Chars<128>;
        gf_fmode @ 132 / 136: u32;
        gf_numsrc @ 136 / 140: u32;
    }
}

abi_struct! {
    /// `struct sctp_getaddrs_old`, of `SCTP_SOCKOPT_CONNECTX3` (`net/sctp/socket.c`).
    pub struct sctp_getaddrs_old ("" / "" in "linux/sctp.h"): 12 / 16 {
        assoc_id @ 0 / 0: i32;
        addr_num @ 4 / 4: i32;
        addrs @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct ifreq` with an address, an index, flags or a name in it: netdevice(7).
    pub struct ifreq ("" / "" in "linux/if.h"): 32 / 40 {
        ifr_name @ 0 / 0: Chars<16>;
        ifr_ifru @ 16 / 16: Chars<16>;
        __pad @ 32 / 32: Pad<0> => Pad<8>;
    }
}

abi_struct! {
    /// `struct ifreq` with a pointer in it.
    pub struct ifreq_data ("" / "" in "linux/if.h"): 32 / 40 {
        ifr_name @ 0 / 0: Chars<16>;
        ifr_data @ 16 / 16: Ptr32;
        __pad @ 20 / 24: Pad<12> => Pad<16>;
    }
}

abi_struct! {
    /// `struct ifreq` with a device's resources in it (`ifr_map`).
    pub struct ifreq_map ("" / "" in "linux/if.h"): 32 / 40 {
        ifr_name @ 0 / 0: Chars<16>;
        mem_start @ 16 / 16: ULong, truncate;
        mem_end @ 20 / 24: ULong, truncate;
        base_addr @ 24 / 32: u16;
        irq @ 26 / 34: u8;
        dma @ 27 / 35: u8;
        port @ 28 / 36: u8;
        __pad @ 29 / 37: Pad<3> => Pad<3>;
    }
}

abi_struct! {
    /// `struct ifconf`: a list of interfaces, netdevice(7).
    pub struct ifconf ("struct ifconf" / "struct ifconf" in "linux/if.h"): 8 / 16 {
        ifc_len @ 0 / 0: i32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        ifc_ifcu @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct rtentry`: a route, of `SIOCADDRT`.
    pub struct rtentry ("struct rtentry" / "struct rtentry" in "linux/route.h"): 84 / 120 {
        rt_pad1 @ 0 / 0: ULong;
        rt_dst @ 4 / 8: Chars<16>;
        rt_gateway @ 20 / 24: Chars<16>;
        rt_genmask @ 36 / 40: Chars<16>;
        rt_flags @ 52 / 56: u16;
        rt_pad2 @ 54 / 58: i16;
        __pad1 @ 56 / 60: Pad<0> => Pad<4>;
        rt_pad3 @ 56 / 64: ULong;
        rt_pad4 @ 60 / 72: Ptr32;
        rt_metric @ 64 / 80: i16;
        __pad2 @ 66 / 82: Pad<2> => Pad<6>;
        rt_dev @ 68 / 88: Ptr32;
        rt_mtu @ 72 / 96: ULong;
        rt_window @ 76 / 104: ULong;
        rt_irtt @ 80 / 112: u16;
        __pad3 @ 82 / 114: Pad<2> => Pad<6>;
    }
}

abi_struct! {
    /// `struct in6_rtmsg`: a route of IPv6, of `SIOCADDRT`.
    pub struct in6_rtmsg ("struct in6_rtmsg" / "struct in6_rtmsg" in "linux/ipv6_route.h"): 72 / 80 {
        rtmsg_dst @ 0 / 0: Chars<16>;
        rtmsg_src @ 16 / 16: Chars<16>;
        rtmsg_gateway @ 32 / 32: Chars<16>;
        rtmsg_type @ 48 / 48: u32;
        rtmsg_dst_len @ 52 / 52: u16;
        rtmsg_src_len @ 54 / 54: u16;
        rtmsg_metric @ 56 / 56: u32;
        __pad @ 60 / 60: Pad<0> => Pad<4>;
        rtmsg_info @ 60 / 64: ULong;
        rtmsg_flags @ 64 / 72: u32;
        rtmsg_ifindex @ 68 / 76: i32;
    }
}

abi_struct! {
    /// The head of `struct ethtool_rxnfc`: a rule for received packets, of `SIOCETHTOOL`. 8-byte integers that align to 4 move
    /// everything behind the flow's extension.
    pub struct ethtool_rxnfc ("" / "" in "linux/ethtool.h"): 180 / 192 {
        cmd @ 0 / 0: u32;
        flow_type @ 4 / 4: u32;
        data @ 8 / 8: U64;
        fs_flow_type @ 16 / 16: u32;
        fs_match @ 20 / 20: Chars<144>;
        __pad1 @ 164 / 164: Pad<0> => Pad<4>;
        fs_ring_cookie @ 164 / 168: U64;
        fs_location @ 172 / 176: u32;
        __pad2 @ 176 / 180: Pad<0> => Pad<4>;
        rule_cnt @ 176 / 184: u32;
        __pad3 @ 180 / 188: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct iwreq` with a pointer and a length in it (`struct iw_point`), of the wireless extensions.
    pub struct iwreq_point ("" / "" in "linux/wireless.h"): 32 / 32 {
        ifr_name @ 0 / 0: Chars<16>;
        pointer @ 16 / 16: Ptr32;
        length @ 20 / 24: u16;
        flags @ 22 / 26: u16;
        __pad @ 24 / 28: Pad<8> => Pad<4>;
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    msghdr::Guest32::LAYOUT,
    mmsghdr::Guest32::LAYOUT,
    cmsghdr::Guest32::LAYOUT,
    sock_fprog::Guest32::LAYOUT,
    group_req::Guest32::LAYOUT,
    group_source_req::Guest32::LAYOUT,
    group_filter::Guest32::LAYOUT,
    sctp_getaddrs_old::Guest32::LAYOUT,
    ifreq::Guest32::LAYOUT,
    ifreq_data::Guest32::LAYOUT,
    ifreq_map::Guest32::LAYOUT,
    ifconf::Guest32::LAYOUT,
    rtentry::Guest32::LAYOUT,
    in6_rtmsg::Guest32::LAYOUT,
    ethtool_rxnfc::Guest32::LAYOUT,
    iwreq_point::Guest32::LAYOUT,
];
