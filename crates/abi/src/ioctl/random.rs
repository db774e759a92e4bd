//! Random numbers and watchdogs: random(4), linux/watchdog.h.

ioctl_rows! {
    ["linux/random.h"] {
        0x80045200 RNDGETENTCNT out(4 "int");
        0x40045201 RNDADDTOENTCNT in(4 "int");
        0x40085203 RNDADDENTROPY in(8 "struct rand_pool_info");
        0x5204 RNDZAPENTCNT none;
        0x5206 RNDCLEARPOOL none;
        0x5207 RNDRESEEDCRNG none;
    }
}
