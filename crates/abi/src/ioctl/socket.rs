//! Sockets and network interfaces: netdevice(7), socket(7), arp(7).

use crate::structs::socket::{ifconf, ifreq, ifreq_data, ifreq_map, iwreq_point, rtentry};
use crate::structs::time::{timespec, timeval};

ioctl_rows! {
    ["asm/sockios.h"] {
        0x8901 FIOSETOWN in(4 "int");
        0x8902 SIOCSPGRP in(4 "int");
        0x8903 FIOGETOWN out(4 "int");
        0x8904 SIOCGPGRP out(4 "int");
        0x8905 SIOCATMARK out(4 "int");
    }
    ["linux/ioctl.h", "linux/types.h", "asm/sockios.h", "linux/sockios.h"] {
        0x8906 SIOCGSTAMP_OLD special[timeval];
        0x8907 SIOCGSTAMPNS_OLD special[timespec];
        0x80108906 SIOCGSTAMP_NEW out(16 "long long[2]");
        0x80108907 SIOCGSTAMPNS_NEW out(16 "long long[2]");
        0x894b SIOCOUTQNSD out(4 "int");
        0x894c SIOCGSKNS none;
    }
    ["asm/socket.h", "linux/sockios.h"] {
        0x890b SIOCADDRT special[rtentry];
        0x890c SIOCDELRT special[rtentry];
        0x8912 SIOCGIFCONF special[ifconf];
        0x8910 SIOCGIFNAME inout[ifreq];
        0x8913 SIOCGIFFLAGS inout[ifreq];
        0x8915 SIOCGIFADDR inout[ifreq];
        0x8917 SIOCGIFDSTADDR inout[ifreq];
        0x8919 SIOCGIFBRDADDR inout[ifreq];
        0x891b SIOCGIFNETMASK inout[ifreq];
        0x891d SIOCGIFMETRIC inout[ifreq];
        0x891f SIOCGIFMEM inout[ifreq];
        0x8921 SIOCGIFMTU inout[ifreq];
        0x8927 SIOCGIFHWADDR inout[ifreq];
        0x8925 SIOCGIFENCAP refused "natively the kernel does not know it either";
        0x8933 SIOCGIFINDEX inout[ifreq];
        0x8935 SIOCGIFPFLAGS inout[ifreq];
        0x8938 SIOCGIFCOUNT refused "natively the kernel does not know it either";
        0x8942 SIOCGIFTXQLEN inout[ifreq];
        0x8947 SIOCGMIIPHY inout[ifreq];
        0x8948 SIOCGMIIREG inout[ifreq];
        0x8911 SIOCSIFLINK refused "natively the kernel does not know it either";
        0x8914 SIOCSIFFLAGS in[ifreq];
        0x8916 SIOCSIFADDR in[ifreq];
        0x8918 SIOCSIFDSTADDR in[ifreq];
        0x891a SIOCSIFBRDADDR in[ifreq];
        0x891c SIOCSIFNETMASK in[ifreq];
        0x891e SIOCSIFMETRIC in[ifreq];
        0x8920 SIOCSIFMEM in[ifreq];
        0x8922 SIOCSIFMTU in[ifreq];
        0x8923 SIOCSIFNAME in[ifreq];
        0x8924 SIOCSIFHWADDR in[ifreq];
        0x8926 SIOCSIFENCAP refused "natively the kernel does not know it either";
        0x8931 SIOCADDMULTI in[ifreq];
        0x8932 SIOCDELMULTI in[ifreq];
        0x8934 SIOCSIFPFLAGS in[ifreq];
        0x8936 SIOCDIFADDR in[ifreq];
        0x8937 SIOCSIFHWBROADCAST in[ifreq];
        0x8943 SIOCSIFTXQLEN in[ifreq];
        0x8949 SIOCSMIIREG in[ifreq];
        0x8990 SIOCBONDENSLAVE in[ifreq];
        0x8991 SIOCBONDRELEASE in[ifreq];
        0x8992 SIOCBONDSETHWADDR in[ifreq];
        0x8995 SIOCBONDCHANGEACTIVE in[ifreq];
        0x89a2 SIOCBRADDIF in[ifreq];
        0x89a3 SIOCBRDELIF in[ifreq];
        0x89b0 SIOCSHWTSTAMP inout[ifreq_data];
        0x89b1 SIOCGHWTSTAMP inout[ifreq_data];
        0x8993 SIOCBONDSLAVEINFOQUERY inout[ifreq_data];
        0x8994 SIOCBONDINFOQUERY inout[ifreq_data];
        0x8946 SIOCETHTOOL special[ifreq_data];
        0x8970 SIOCGIFMAP inout[ifreq_map];
        0x8971 SIOCSIFMAP in[ifreq_map];
        0x89a0 SIOCBRADDBR in(16 "char[16]");
        0x89a1 SIOCBRDELBR in(16 "char[16]");
    }
    ["linux/if_arp.h", "linux/sockios.h"] {
        0x8953 SIOCDARP in(68 "struct arpreq");
        0x8955 SIOCSARP in(68 "struct arpreq");
        0x8954 SIOCGARP inout(68 "struct arpreq");
    }
    ["linux/if_vlan.h", "linux/sockios.h"] {
        0x8982 SIOCGIFVLAN inout(56 "struct vlan_ioctl_args");
        0x8983 SIOCSIFVLAN inout(56 "struct vlan_ioctl_args");
    }
    ["linux/wireless.h"] {
        0x8b01 SIOCGIWNAME inout(32 "struct iwreq");
        0x8b00 SIOCSIWCOMMIT inout(32 "struct iwreq");
        0x8b02 SIOCSIWNWID inout(32 "struct iwreq");
        0x8b03 SIOCGIWNWID inout(32 "struct iwreq");
        0x8b04 SIOCSIWFREQ inout(32 "struct iwreq");
        0x8b05 SIOCGIWFREQ inout(32 "struct iwreq");
        0x8b06 SIOCSIWMODE inout(32 "struct iwreq");
        0x8b07 SIOCGIWMODE inout(32 "struct iwreq");
        0x8b08 SIOCSIWSENS inout(32 "struct iwreq");
        0x8b09 SIOCGIWSENS inout(32 "struct iwreq");
        0x8b14 SIOCSIWAP inout(32 "struct iwreq");
        0x8b15 SIOCGIWAP inout(32 "struct iwreq");
        0x8b20 SIOCSIWRATE inout(32 "struct iwreq");
        0x8b21 SIOCGIWRATE inout(32 "struct iwreq");
        0x8b22 SIOCSIWRTS inout(32 "struct iwreq");
        0x8b23 SIOCGIWRTS inout(32 "struct iwreq");
        0x8b24 SIOCSIWFRAG inout(32 "struct iwreq");
        0x8b25 SIOCGIWFRAG inout(32 "struct iwreq");
        0x8b26 SIOCSIWTXPOW inout(32 "struct iwreq");
        0x8b27 SIOCGIWTXPOW inout(32 "struct iwreq");
        0x8b28 SIOCSIWRETRY inout(32 "struct iwreq");
        0x8b29 SIOCGIWRETRY inout(32 "struct iwreq");
        0x8b2c SIOCSIWPOWER inout(32 "struct iwreq");
        0x8b2d SIOCGIWPOWER inout(32 "struct iwreq");
        0x8b32 SIOCSIWAUTH inout(32 "struct iwreq");
        0x8b33 SIOCGIWAUTH inout(32 "struct iwreq");
        0x8b0b SIOCGIWRANGE inout[iwreq_point];
        0x8b0d SIOCGIWPRIV inout[iwreq_point];
        0x8b0f SIOCGIWSTATS inout[iwreq_point];
        0x8b10 SIOCSIWSPY inout[iwreq_point];
        0x8b11 SIOCGIWSPY inout[iwreq_point];
        0x8b12 SIOCSIWTHRSPY inout[iwreq_point];
        0x8b13 SIOCGIWTHRSPY inout[iwreq_point];
        0x8b16 SIOCSIWMLME inout[iwreq_point];
        0x8b17 SIOCGIWAPLIST inout[iwreq_point];
        0x8b18 SIOCSIWSCAN inout[iwreq_point];
        0x8b19 SIOCGIWSCAN inout[iwreq_point];
        0x8b1a SIOCSIWESSID inout[iwreq_point];
        0x8b1b SIOCGIWESSID inout[iwreq_point];
        0x8b1c SIOCSIWNICKN inout[iwreq_point];
        0x8b1d SIOCGIWNICKN inout[iwreq_point];
        0x8b2a SIOCSIWENCODE inout[iwreq_point];
        0x8b2b SIOCGIWENCODE inout[iwreq_point];
        0x8b30 SIOCSIWGENIE inout[iwreq_point];
        0x8b31 SIOCGIWGENIE inout[iwreq_point];
        0x8b34 SIOCSIWENCODEEXT inout[iwreq_point];
        0x8b35 SIOCGIWENCODEEXT inout[iwreq_point];
        0x8b36 SIOCSIWPMKSA inout[iwreq_point];
    }    ["sys/socket.h", "sys/ioctl.h", "linux/vm_sockets.h"] {
        0x07b9 IOCTL_VM_SOCKETS_GET_LOCAL_CID out(4 "unsigned int");
    }
}
