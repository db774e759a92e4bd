//! Virtual network interfaces: /dev/net/tun.

use crate::structs::socket::{ifreq, sock_fprog};

ioctl_rows! {
    ["linux/ioctl.h", "linux/types.h", "linux/if_tun.h"] {
        0x400454c8 TUNSETNOCSUM value;
        0x400454c9 TUNSETDEBUG value;
        0x400454cb TUNSETPERSIST value;
        0x400454cc TUNSETOWNER value;
        0x400454cd TUNSETLINK value;
        0x400454ce TUNSETGROUP value;
        0x400454d0 TUNSETOFFLOAD value;
        0x400454ca TUNSETIFF inout[ifreq];
        0x800454d2 TUNGETIFF out[ifreq];
        0x800454cf TUNGETFEATURES out(4 "unsigned int");
        0x400454d1 TUNSETTXFILTER in(4 "struct tun_filter");
        0x800454d3 TUNGETSNDBUF out(4 "int");
        0x800454d7 TUNGETVNETHDRSZ out(4 "int");
        0x800454dd TUNGETVNETLE out(4 "int");
        0x800454df TUNGETVNETBE out(4 "int");
        0x400454d4 TUNSETSNDBUF in(4 "int");
        0x400454d8 TUNSETVNETHDRSZ in(4 "int");
        0x400454dc TUNSETVNETLE in(4 "int");
        0x400454de TUNSETVNETBE in(4 "int");
        0x800454e0 TUNSETSTEERINGEBPF in(4 "int");
        0x800454e1 TUNSETFILTEREBPF in(4 "int");
        0x400454e2 TUNSETCARRIER in(4 "int");
        0x400854d5 / 0x401054d5 TUNATTACHFILTER in[sock_fprog];
        0x400854d6 / 0x401054d6 TUNDETACHFILTER none;
        0x400454d9 TUNSETQUEUE inout[ifreq];
        0x400454da TUNSETIFINDEX in(4 "unsigned int");
        0x800854db / 0x801054db TUNGETFILTER out[sock_fprog];
        0x54e3 TUNGETDEVNETNS none;
    }
}
