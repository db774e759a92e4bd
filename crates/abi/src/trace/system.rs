//! What the calls about the whole machine are to do.

use crate::named_arg;

named_arg! {
    /// Flags of getrandom(2).
    flags RandomFlags { GRND_NONBLOCK = 1, GRND_RANDOM = 2, GRND_INSECURE = 4 }
}

named_arg! {
    /// What reboot(2) is to do.
    choice RebootCommand {
        LINUX_REBOOT_CMD_RESTART = 0x0123_4567, LINUX_REBOOT_CMD_HALT = 0xcdef_0123, LINUX_REBOOT_CMD_CAD_ON = 0x89ab_cdef,
        LINUX_REBOOT_CMD_CAD_OFF = 0, LINUX_REBOOT_CMD_POWER_OFF = 0x4321_fedc, LINUX_REBOOT_CMD_RESTART2 = 0xa1b2_c3d4,
        LINUX_REBOOT_CMD_SW_SUSPEND = 0xd000_fce2, LINUX_REBOOT_CMD_KEXEC = 0x4558_4543,
    }
}

named_arg! {
    /// What syslog(2) is to do.
    choice SyslogAction {
        SYSLOG_ACTION_CLOSE = 0, SYSLOG_ACTION_OPEN = 1, SYSLOG_ACTION_READ = 2, SYSLOG_ACTION_READ_ALL = 3,
        SYSLOG_ACTION_READ_CLEAR = 4, SYSLOG_ACTION_CLEAR = 5, SYSLOG_ACTION_CONSOLE_OFF = 6, SYSLOG_ACTION_CONSOLE_ON = 7,
        SYSLOG_ACTION_CONSOLE_LEVEL = 8, SYSLOG_ACTION_SIZE_UNREAD = 9, SYSLOG_ACTION_SIZE_BUFFER = 10,
    }
}
