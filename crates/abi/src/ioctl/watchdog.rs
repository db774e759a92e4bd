//! Watchdogs: linux/watchdog.h.

ioctl_rows! {
    ["linux/watchdog.h"] {
        0x80285700 WDIOC_GETSUPPORT out(40 "struct watchdog_info");
        0x80045701 WDIOC_GETSTATUS out(4 "int");
        0x80045702 WDIOC_GETBOOTSTATUS out(4 "int");
        0x80045703 WDIOC_GETTEMP out(4 "int");
        0x80045704 WDIOC_SETOPTIONS in(4 "int");
        0x80045705 WDIOC_KEEPALIVE none;
        0xc0045706 WDIOC_SETTIMEOUT inout(4 "int");
        0x80045707 WDIOC_GETTIMEOUT out(4 "int");
        0xc0045708 WDIOC_SETPRETIMEOUT inout(4 "int");
        0x80045709 WDIOC_GETPRETIMEOUT out(4 "int");
        0x8004570a WDIOC_GETTIMELEFT out(4 "int");
    }
}
