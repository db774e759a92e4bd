//! Consumer electronics control: linux/cec.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/cec.h"] {
        0xc04c6100 CEC_ADAP_G_CAPS inout(76 "struct cec_caps");
        0x80026101 CEC_ADAP_G_PHYS_ADDR out(2 "__u16");
        0x40026102 CEC_ADAP_S_PHYS_ADDR in(2 "__u16");
        0x805c6103 CEC_ADAP_G_LOG_ADDRS out(92 "struct cec_log_addrs");
        0xc05c6104 CEC_ADAP_S_LOG_ADDRS inout(92 "struct cec_log_addrs");
        0xc0386105 CEC_TRANSMIT inout(56 "struct cec_msg");
        0xc0386106 CEC_RECEIVE inout(56 "struct cec_msg");
        0xc0506107 CEC_DQEVENT inout(80 "struct cec_event");
        0x80046108 CEC_G_MODE out(4 "__u32");
        0x40046109 CEC_S_MODE in(4 "__u32");
        0x8044610a CEC_ADAP_G_CONNECTOR_INFO out(68 "struct cec_connector_info");
    }
}
