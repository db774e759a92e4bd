//! The device mapper: linux/dm-ioctl.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/dm-ioctl.h"] {
        0xc138fd00 DM_VERSION inout(312 "struct dm_ioctl");
        0xc138fd01 DM_REMOVE_ALL inout(312 "struct dm_ioctl");
        0xc138fd02 DM_LIST_DEVICES inout(312 "struct dm_ioctl");
        0xc138fd03 DM_DEV_CREATE inout(312 "struct dm_ioctl");
        0xc138fd04 DM_DEV_REMOVE inout(312 "struct dm_ioctl");
        0xc138fd05 DM_DEV_RENAME inout(312 "struct dm_ioctl");
        0xc138fd06 DM_DEV_SUSPEND inout(312 "struct dm_ioctl");
        0xc138fd07 DM_DEV_STATUS inout(312 "struct dm_ioctl");
        0xc138fd08 DM_DEV_WAIT inout(312 "struct dm_ioctl");
        0xc138fd10 DM_DEV_ARM_POLL inout(312 "struct dm_ioctl");
        0xc138fd09 DM_TABLE_LOAD inout(312 "struct dm_ioctl");
        0xc138fd0a DM_TABLE_CLEAR inout(312 "struct dm_ioctl");
        0xc138fd0b DM_TABLE_DEPS inout(312 "struct dm_ioctl");
        0xc138fd0c DM_TABLE_STATUS inout(312 "struct dm_ioctl");
        0xc138fd0d DM_LIST_VERSIONS inout(312 "struct dm_ioctl");
        0xc138fd11 DM_GET_TARGET_VERSION inout(312 "struct dm_ioctl");
        0xc138fd0e DM_TARGET_MSG inout(312 "struct dm_ioctl");
        0xc138fd0f DM_DEV_SET_GEOMETRY inout(312 "struct dm_ioctl");
    }
}
