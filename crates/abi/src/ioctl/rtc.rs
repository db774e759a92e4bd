//! Real-time clocks: rtc(4).

use crate::structs::ioctl::ulong;

ioctl_rows! {
    ["linux/rtc.h"] {
        0x7001 RTC_AIE_ON none;
        0x7002 RTC_AIE_OFF none;
        0x7003 RTC_UIE_ON none;
        0x7004 RTC_UIE_OFF none;
        0x7005 RTC_PIE_ON none;
        0x7006 RTC_PIE_OFF none;
        0x700f RTC_WIE_ON none;
        0x7010 RTC_WIE_OFF none;
        0x7014 RTC_VL_CLR none;
        0x40247007 RTC_ALM_SET in(36 "struct rtc_time");
        0x4024700a RTC_SET_TIME in(36 "struct rtc_time");
        0x80247008 RTC_ALM_READ out(36 "struct rtc_time");
        0x80247009 RTC_RD_TIME out(36 "struct rtc_time");
        0x8004700b / 0x8008700b RTC_IRQP_READ out[ulong];
        0x8004700d / 0x8008700d RTC_EPOCH_READ out[ulong];
        0x4004700c / 0x4008700c RTC_IRQP_SET value;
        0x4004700e / 0x4008700e RTC_EPOCH_SET value;
        0x4028700f RTC_WKALM_SET in(40 "struct rtc_wkalrm");
        0x80287010 RTC_WKALM_RD out(40 "struct rtc_wkalrm");
        0x80047013 RTC_VL_READ out(4 "unsigned int");
    }
}
