//! Devices on SPI: linux/spi/spidev.h.

ioctl_rows! {
    ["linux/types.h", "linux/spi/spidev.h"] {
        0x80016b01 SPI_IOC_RD_MODE out(1 "__u8");
        0x40016b01 SPI_IOC_WR_MODE in(1 "__u8");
        0x80016b02 SPI_IOC_RD_LSB_FIRST out(1 "__u8");
        0x40016b02 SPI_IOC_WR_LSB_FIRST in(1 "__u8");
        0x80016b03 SPI_IOC_RD_BITS_PER_WORD out(1 "__u8");
        0x40016b03 SPI_IOC_WR_BITS_PER_WORD in(1 "__u8");
        0x80046b04 SPI_IOC_RD_MAX_SPEED_HZ out(4 "__u32");
        0x40046b04 SPI_IOC_WR_MAX_SPEED_HZ in(4 "__u32");
        0x80046b05 SPI_IOC_RD_MODE32 out(4 "__u32");
        0x40046b05 SPI_IOC_WR_MODE32 in(4 "__u32");
        0x40006b00 SPI_IOC_MESSAGE = "SPI_IOC_MESSAGE(0)" in(0 "struct spi_ioc_transfer");
    }
}
