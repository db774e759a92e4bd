//! Software RAID: linux/raid/md_u.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/major.h", "linux/raid/md_u.h"] {
        0x800c0910 RAID_VERSION out(12 "mdu_version_t");
        0x80480911 GET_ARRAY_INFO out(72 "mdu_array_info_t");
        0x80140912 GET_DISK_INFO out(20 "mdu_disk_info_t");
        0x914 RAID_AUTORUN none;
        0x90000915 GET_BITMAP_FILE out(4096 "mdu_bitmap_file_t");
        0x920 CLEAR_ARRAY none;
        0x40140921 ADD_NEW_DISK in(20 "mdu_disk_info_t");
        0x922 HOT_REMOVE_DISK value;
        0x40480923 SET_ARRAY_INFO in(72 "mdu_array_info_t");
        0x924 SET_DISK_INFO none;
        0x925 WRITE_RAID_INFO none;
        0x926 UNPROTECT_ARRAY none;
        0x927 PROTECT_ARRAY none;
        0x928 HOT_ADD_DISK value;
        0x929 SET_DISK_FAULTY value;
        0x92a HOT_GENERATE_ERROR value;
        0x4004092b SET_BITMAP_FILE in(4 "int");
        0x400c0930 RUN_ARRAY in(12 "mdu_param_t");
        0x932 STOP_ARRAY none;
        0x933 STOP_ARRAY_RO none;
        0x934 RESTART_ARRAY_RW none;
        0x935 CLUSTERED_DISK_NACK none;
    }
}
