//! File systems in user space: linux/fuse.h.

ioctl_rows! {
    ["sys/ioctl.h", "linux/fuse.h"] {
        0x8004e500 FUSE_DEV_IOC_CLONE out(4 "uint32_t");
    }
}
