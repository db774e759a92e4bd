//! Block devices over a network: linux/nbd.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/nbd.h"] {
        0xab00 NBD_SET_SOCK value;
        0xab01 NBD_SET_BLKSIZE value;
        0xab02 NBD_SET_SIZE value;
        0xab03 NBD_DO_IT none;
        0xab04 NBD_CLEAR_SOCK none;
        0xab05 NBD_CLEAR_QUE none;
        0xab06 NBD_PRINT_DEBUG none;
        0xab07 NBD_SET_SIZE_BLOCKS value;
        0xab08 NBD_DISCONNECT none;
        0xab09 NBD_SET_TIMEOUT value;
        0xab0a NBD_SET_FLAGS value;
    }
}
