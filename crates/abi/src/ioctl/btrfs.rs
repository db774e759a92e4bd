//! btrfs: linux/btrfs.h.

use crate::structs::ioctl::{btrfs_ioctl_received_subvol_args, btrfs_ioctl_send_args};

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/btrfs.h"] {
        0x50009401 BTRFS_IOC_SNAP_CREATE in(4096 "struct btrfs_ioctl_vol_args");
        0x50009402 BTRFS_IOC_DEFRAG in(4096 "struct btrfs_ioctl_vol_args");
        0x50009403 BTRFS_IOC_RESIZE in(4096 "struct btrfs_ioctl_vol_args");
        0x50009404 BTRFS_IOC_SCAN_DEV in(4096 "struct btrfs_ioctl_vol_args");
        0x50009405 BTRFS_IOC_FORGET_DEV in(4096 "struct btrfs_ioctl_vol_args");
        0x9406 BTRFS_IOC_TRANS_START none;
        0x9407 BTRFS_IOC_TRANS_END none;
        0x9408 BTRFS_IOC_SYNC none;
        0x5000940a BTRFS_IOC_ADD_DEV in(4096 "struct btrfs_ioctl_vol_args");
        0x5000940b BTRFS_IOC_RM_DEV in(4096 "struct btrfs_ioctl_vol_args");
        0x5000940c BTRFS_IOC_BALANCE in(4096 "struct btrfs_ioctl_vol_args");
        0x5000940e BTRFS_IOC_SUBVOL_CREATE in(4096 "struct btrfs_ioctl_vol_args");
        0x5000940f BTRFS_IOC_SNAP_DESTROY in(4096 "struct btrfs_ioctl_vol_args");
        0x40309410 BTRFS_IOC_DEFRAG_RANGE in(48 "struct btrfs_ioctl_defrag_range_args");
        0xd0009411 BTRFS_IOC_TREE_SEARCH inout(4096 "struct btrfs_ioctl_search_args");
        0xc0709411 BTRFS_IOC_TREE_SEARCH_V2 inout(112 "struct btrfs_ioctl_search_args_v2");
        0xd0009412 BTRFS_IOC_INO_LOOKUP inout(4096 "struct btrfs_ioctl_ino_lookup_args");
        0x40089413 BTRFS_IOC_DEFAULT_SUBVOL in(8 "__u64");
        0xc0109414 BTRFS_IOC_SPACE_INFO inout(16 "struct btrfs_ioctl_space_args");
        0x80089418 BTRFS_IOC_START_SYNC out(8 "__u64");
        0x40089416 BTRFS_IOC_WAIT_SYNC in(8 "__u64");
        0x50009417 BTRFS_IOC_SNAP_CREATE_V2 in(4096 "struct btrfs_ioctl_vol_args_v2");
        0x50009418 BTRFS_IOC_SUBVOL_CREATE_V2 in(4096 "struct btrfs_ioctl_vol_args_v2");
        0x80089419 BTRFS_IOC_SUBVOL_GETFLAGS out(8 "__u64");
        0x4008941a BTRFS_IOC_SUBVOL_SETFLAGS in(8 "__u64");
        0xc400941b BTRFS_IOC_SCRUB inout(1024 "struct btrfs_ioctl_scrub_args");
        0x941c BTRFS_IOC_SCRUB_CANCEL none;
        0xc400941d BTRFS_IOC_SCRUB_PROGRESS inout(1024 "struct btrfs_ioctl_scrub_args");
        0xd000941e BTRFS_IOC_DEV_INFO inout(4096 "struct btrfs_ioctl_dev_info_args");
        0x8400941f BTRFS_IOC_FS_INFO out(1024 "struct btrfs_ioctl_fs_info_args");
        0xc4009420 BTRFS_IOC_BALANCE_V2 inout(1024 "struct btrfs_ioctl_balance_args");
        0x40049421 BTRFS_IOC_BALANCE_CTL in(4 "int");
        0x84009422 BTRFS_IOC_BALANCE_PROGRESS out(1024 "struct btrfs_ioctl_balance_args");
        0xc0389423 BTRFS_IOC_INO_PATHS inout(56 "struct btrfs_ioctl_ino_path_args");
        0xc0389424 BTRFS_IOC_LOGICAL_INO inout(56 "struct btrfs_ioctl_logical_ino_args");
        0xc0c09425 / 0xc0c89425 BTRFS_IOC_SET_RECEIVED_SUBVOL inout[btrfs_ioctl_received_subvol_args];
        0x40449426 / 0x40489426 BTRFS_IOC_SEND in[btrfs_ioctl_send_args];
        0x90009427 BTRFS_IOC_DEVICES_READY out(4096 "struct btrfs_ioctl_vol_args");
        0xc0109428 BTRFS_IOC_QUOTA_CTL inout(16 "struct btrfs_ioctl_quota_ctl_args");
        0x40189429 BTRFS_IOC_QGROUP_ASSIGN in(24 "struct btrfs_ioctl_qgroup_assign_args");
        0x4010942a BTRFS_IOC_QGROUP_CREATE in(16 "struct btrfs_ioctl_qgroup_create_args");
        0x8030942b BTRFS_IOC_QGROUP_LIMIT out(48 "struct btrfs_ioctl_qgroup_limit_args");
        0x4040942c BTRFS_IOC_QUOTA_RESCAN in(64 "struct btrfs_ioctl_quota_rescan_args");
        0x8040942d BTRFS_IOC_QUOTA_RESCAN_STATUS out(64 "struct btrfs_ioctl_quota_rescan_args");
        0x942e BTRFS_IOC_QUOTA_RESCAN_WAIT none;
        0xc4089434 BTRFS_IOC_GET_DEV_STATS inout(1032 "struct btrfs_ioctl_get_dev_stats");
        0xca249435 / 0xca289435 BTRFS_IOC_DEV_REPLACE refused "natively the kernel does not know it either";
        0x80189439 BTRFS_IOC_GET_FEATURES out(24 "struct btrfs_ioctl_feature_flags");
        0x5000943a BTRFS_IOC_RM_DEV_V2 in(4096 "struct btrfs_ioctl_vol_args_v2");
        0xc038943b BTRFS_IOC_LOGICAL_INO_V2 inout(56 "struct btrfs_ioctl_logical_ino_args");
        0x81e8943c / 0x81f8943c BTRFS_IOC_GET_SUBVOL_INFO refused "natively the kernel does not know it either";
        0xd000943d BTRFS_IOC_GET_SUBVOL_ROOTREF inout(4096 "struct btrfs_ioctl_get_subvol_rootref_args");
        0xd000943e BTRFS_IOC_INO_LOOKUP_USER inout(4096 "struct btrfs_ioctl_ino_lookup_user_args");
        0x5000943f BTRFS_IOC_SNAP_DESTROY_V2 in(4096 "struct btrfs_ioctl_vol_args_v2");
        0x80789440 / 0x80809440 BTRFS_IOC_ENCODED_READ refused "its array of buffers is not converted";
        0x40789440 / 0x40809440 BTRFS_IOC_ENCODED_WRITE refused "its array of buffers is not converted";
    }
}
