//! Human interface devices: linux/hidraw.h and linux/hiddev.h.

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
    ["linux/types.h", "linux/ioctl.h", "linux/hiddev.h"] {
        0x4802 HIDIOCAPPLICATION value;
        0x801c4803 HIDIOCGDEVINFO out(28 "struct hiddev_devinfo");
        0x81044804 HIDIOCGSTRING out(260 "struct hiddev_string_descriptor");
        0x4805 HIDIOCINITREPORT none;
        0x400c4807 HIDIOCGREPORT in(12 "struct hiddev_report_info");
        0x400c4808 HIDIOCSREPORT in(12 "struct hiddev_report_info");
        0xc00c4809 HIDIOCGREPORTINFO inout(12 "struct hiddev_report_info");
        0xc038480a HIDIOCGFIELDINFO inout(56 "struct hiddev_field_info");
        0xc018480b HIDIOCGUSAGE inout(24 "struct hiddev_usage_ref");
        0x4018480c HIDIOCSUSAGE in(24 "struct hiddev_usage_ref");
        0xc018480d HIDIOCGUCODE inout(24 "struct hiddev_usage_ref");
        0x8004480e HIDIOCGFLAG out(4 "int");
        0x4004480f HIDIOCSFLAG in(4 "int");
        0x40184810 HIDIOCGCOLLECTIONINDEX in(24 "struct hiddev_usage_ref");
        0xc0104811 HIDIOCGCOLLECTIONINFO inout(16 "struct hiddev_collection_info");
        0xd01c4813 HIDIOCGUSAGES inout(4124 "struct hiddev_usage_ref_multi");
        0x501c4814 HIDIOCSUSAGES in(4124 "struct hiddev_usage_ref_multi");
        0x80004806 HIDIOCGNAME = "HIDIOCGNAME(0)" out(0 "char");
    }
}
