//! PPP: linux/ppp-ioctl.h.

use crate::structs::ioctl::{ppp_idle, ppp_option_data};
use crate::structs::socket::sock_fprog;

ioctl_rows! {
    ["linux/ioctl.h", "linux/ppp_defs.h", "linux/filter.h", "linux/ppp-ioctl.h"] {
        0x8004745a PPPIOCGFLAGS out(4 "int");
        0x40047459 PPPIOCSFLAGS in(4 "int");
        0x80047458 PPPIOCGASYNCMAP out(4 "int");
        0x40047457 PPPIOCSASYNCMAP in(4 "int");
        0x80047456 PPPIOCGUNIT out(4 "int");
        0x80047455 PPPIOCGRASYNCMAP out(4 "int");
        0x40047454 PPPIOCSRASYNCMAP in(4 "int");
        0x80047453 PPPIOCGMRU out(4 "int");
        0x40047452 PPPIOCSMRU in(4 "int");
        0x40047451 PPPIOCSMAXCID in(4 "int");
        0x80207450 PPPIOCGXASYNCMAP out(32 "ext_accm");
        0x4020744f PPPIOCSXASYNCMAP in(32 "ext_accm");
        0x744e PPPIOCXFERUNIT value;
        0x400c744d / 0x4010744d PPPIOCSCOMPRESS in[ppp_option_data];
        0xc008744c PPPIOCGNPMODE inout(8 "struct npioctl");
        0x4008744b PPPIOCSNPMODE in(8 "struct npioctl");
        0x40087447 / 0x40107447 PPPIOCSPASS in[sock_fprog];
        0x40087446 / 0x40107446 PPPIOCSACTIVE in[sock_fprog];
        0x80047441 PPPIOCGDEBUG out(4 "int");
        0x40047440 PPPIOCSDEBUG in(4 "int");
        0x8008743f / 0x8010743f PPPIOCGIDLE out[ppp_idle];
        0xc004743e PPPIOCNEWUNIT inout(4 "int");
        0x4004743d PPPIOCATTACH in(4 "int");
        0x4004743c PPPIOCDETACH in(4 "int");
        0x4004743b PPPIOCSMRRU in(4 "int");
        0x4004743a PPPIOCCONNECT in(4 "int");
        0x7439 PPPIOCDISCONN none;
        0x40047438 PPPIOCATTCHAN in(4 "int");
        0x80047437 PPPIOCGCHAN out(4 "int");
        0x80487436 PPPIOCGL2TPSTATS out(72 "struct pppol2tp_ioc_stats");
        0x40047435 PPPIOCBRIDGECHAN in(4 "int");
        0x7434 PPPIOCUNBRIDGECHAN none;
    }
}
