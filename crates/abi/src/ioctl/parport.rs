//! Parallel ports: linux/ppdev.h, and printers at them, linux/lp.h.

use crate::structs::time::timeval;

ioctl_rows! {
    ["linux/ioctl.h", "linux/time.h", "linux/ppdev.h"] {
        0x40047080 PPSETMODE in(4 "int");
        0x80017081 PPRSTATUS out(1 "unsigned char");
        0x80017083 PPRCONTROL out(1 "unsigned char");
        0x40017084 PPWCONTROL in(1 "unsigned char");
        0x4002708e PPFCONTROL in(2 "struct ppdev_frob_struct");
        0x80017085 PPRDATA out(1 "unsigned char");
        0x40017086 PPWDATA in(1 "unsigned char");
        0x708b PPCLAIM none;
        0x708c PPRELEASE none;
        0x708d PPYIELD none;
        0x708f PPEXCL none;
        0x40047090 PPDATADIR in(4 "int");
        0x40047091 PPNEGOT in(4 "int");
        0x40017092 PPWCTLONIRQ in(1 "unsigned char");
        0x80047093 PPCLRIRQ out(4 "int");
        0x40047094 PPSETPHASE in(4 "int");
        0x80087095 / 0x80107095 PPGETTIME out[timeval];
        0x40087096 / 0x40107096 PPSETTIME in[timeval];
        0x80047097 PPGETMODES out(4 "unsigned int");
        0x80047098 PPGETMODE out(4 "int");
        0x80047099 PPGETPHASE out(4 "int");
        0x8004709a PPGETFLAGS out(4 "int");
        0x4004709b PPSETFLAGS in(4 "int");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/lp.h"] {
        0x601 LPCHAR value;
        0x602 LPTIME value;
        0x604 LPABORT value;
        0x605 LPSETIRQ value;
        0x606 LPGETIRQ out(4 "int");
        0x608 LPWAIT value;
        0x609 LPCAREFUL value;
        0x60a LPABORTOPEN value;
        0x60b LPGETSTATUS out(4 "int");
        0x60c LPRESET none;
        0x60e LPGETFLAGS out(4 "int");
    }
}
