//! Human interface devices: linux/hidraw.h.

ioctl_rows! {
    ["sys/ioctl.h", "linux/hidraw.h"] {
        0x80044801 HIDIOCGRDESCSIZE out(4 "int");
        0x90044802 HIDIOCGRDESC out(4100 "struct hidraw_report_descriptor");
        0x80084803 HIDIOCGRAWINFO out(8 "struct hidraw_devinfo");
        0x80004804 HIDIOCGRAWNAME = "HIDIOCGRAWNAME(0)" out(0 "char");
        0x80004805 HIDIOCGRAWPHYS = "HIDIOCGRAWPHYS(0)" out(0 "char");
        0xc0004806 HIDIOCSFEATURE = "HIDIOCSFEATURE(0)" inout(0 "char");
        0xc0004807 HIDIOCGFEATURE = "HIDIOCGFEATURE(0)" inout(0 "char");
        0x80004808 HIDIOCGRAWUNIQ = "HIDIOCGRAWUNIQ(0)" out(0 "char");
        0xc0004809 HIDIOCSINPUT = "HIDIOCSINPUT(0)" inout(0 "char");
        0xc000480a HIDIOCGINPUT = "HIDIOCGINPUT(0)" inout(0 "char");
        0xc000480b HIDIOCSOUTPUT = "HIDIOCSOUTPUT(0)" inout(0 "char");
        0xc000480c HIDIOCGOUTPUT = "HIDIOCGOUTPUT(0)" inout(0 "char");
    }
}
