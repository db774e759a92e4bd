//! General-purpose pins: linux/gpio.h.

ioctl_rows! {
    ["linux/gpio.h"] {
        0x8044b401 GPIO_GET_CHIPINFO_IOCTL out(68 "struct gpiochip_info");
        0xc004b40c GPIO_GET_LINEINFO_UNWATCH_IOCTL inout(4 "__u32");
        0xc100b405 GPIO_V2_GET_LINEINFO_IOCTL inout(256 "struct gpio_v2_line_info");
        0xc100b406 GPIO_V2_GET_LINEINFO_WATCH_IOCTL inout(256 "struct gpio_v2_line_info");
        0xc250b407 GPIO_V2_GET_LINE_IOCTL inout(592 "struct gpio_v2_line_request");
        0xc110b40d GPIO_V2_LINE_SET_CONFIG_IOCTL inout(272 "struct gpio_v2_line_config");
        0xc010b40e GPIO_V2_LINE_GET_VALUES_IOCTL inout(16 "struct gpio_v2_line_values");
        0xc010b40f GPIO_V2_LINE_SET_VALUES_IOCTL inout(16 "struct gpio_v2_line_values");
        0xc048b402 GPIO_GET_LINEINFO_IOCTL inout(72 "struct gpioline_info");
        0xc16cb403 GPIO_GET_LINEHANDLE_IOCTL inout(364 "struct gpiohandle_request");
        0xc030b404 GPIO_GET_LINEEVENT_IOCTL inout(48 "struct gpioevent_request");
        0xc040b408 GPIOHANDLE_GET_LINE_VALUES_IOCTL inout(64 "struct gpiohandle_data");
        0xc040b409 GPIOHANDLE_SET_LINE_VALUES_IOCTL inout(64 "struct gpiohandle_data");
        0xc054b40a GPIOHANDLE_SET_CONFIG_IOCTL inout(84 "struct gpiohandle_config");
        0xc048b40b GPIO_GET_LINEINFO_WATCH_IOCTL inout(72 "struct gpioline_info");
    }
}
