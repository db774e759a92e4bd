//! Devices on I2C: linux/i2c-dev.h.

use crate::structs::ioctl::{i2c_rdwr_ioctl_data, i2c_smbus_ioctl_data, ulong};

ioctl_rows! {
    ["linux/types.h", "linux/i2c.h", "linux/i2c-dev.h"] {
        0x0701 I2C_RETRIES value;
        0x0702 I2C_TIMEOUT value;
        0x0703 I2C_SLAVE value;
        0x0704 I2C_TENBIT value;
        0x0705 I2C_FUNCS out[ulong];
        0x0706 I2C_SLAVE_FORCE value;
        0x0707 I2C_RDWR special[i2c_rdwr_ioctl_data];
        0x0708 I2C_PEC value;
        0x0720 I2C_SMBUS in[i2c_smbus_ioctl_data];
    }
}
