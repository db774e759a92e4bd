//! Digital television: linux/dvb/ca.h, dmx.h, frontend.h and net.h.

use crate::structs::ioctl::dtv_properties;

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/dvb/ca.h"] {
        0x6f80 CA_RESET none;
        0x80106f81 CA_GET_CAP out(16 "struct ca_caps");
        0x800c6f82 CA_GET_SLOT_INFO out(12 "struct ca_slot_info");
        0x80086f83 CA_GET_DESCR_INFO out(8 "struct ca_descr_info");
        0x810c6f84 CA_GET_MSG out(268 "struct ca_msg");
        0x410c6f85 CA_SEND_MSG in(268 "struct ca_msg");
        0x40106f86 CA_SET_DESCR in(16 "struct ca_descr");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/dvb/dmx.h"] {
        0x6f29 DMX_START none;
        0x6f2a DMX_STOP none;
        0x403c6f2b DMX_SET_FILTER in(60 "struct dmx_sct_filter_params");
        0x40146f2c DMX_SET_PES_FILTER in(20 "struct dmx_pes_filter_params");
        0x6f2d DMX_SET_BUFFER_SIZE value;
        0xc0106f32 DMX_GET_STC inout(16 "struct dmx_stc");
        0x40026f33 DMX_ADD_PID in(2 "__u16");
        0x40026f34 DMX_REMOVE_PID in(2 "__u16");
        0xc0086f3c DMX_REQBUFS inout(8 "struct dmx_requestbuffers");
        0xc0186f3d DMX_QUERYBUF inout(24 "struct dmx_buffer");
        0xc00c6f3e DMX_EXPBUF inout(12 "struct dmx_exportbuffer");
        0xc0186f3f DMX_QBUF inout(24 "struct dmx_buffer");
        0xc0186f40 DMX_DQBUF inout(24 "struct dmx_buffer");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/dvb/frontend.h"] {
        0x80a86f3d FE_GET_INFO out(168 "struct dvb_frontend_info");
        0x6f3e FE_DISEQC_RESET_OVERLOAD none;
        0x40076f3f FE_DISEQC_SEND_MASTER_CMD in(7 "struct dvb_diseqc_master_cmd");
        0x800c6f40 FE_DISEQC_RECV_SLAVE_REPLY out(12 "struct dvb_diseqc_slave_reply");
        0x6f41 FE_DISEQC_SEND_BURST value;
        0x6f42 FE_SET_TONE value;
        0x6f43 FE_SET_VOLTAGE value;
        0x6f44 FE_ENABLE_HIGH_LNB_VOLTAGE value;
        0x80046f45 FE_READ_STATUS out(4 "fe_status_t");
        0x80046f46 FE_READ_BER out(4 "__u32");
        0x80026f47 FE_READ_SIGNAL_STRENGTH out(2 "__u16");
        0x80026f48 FE_READ_SNR out(2 "__u16");
        0x80046f49 FE_READ_UNCORRECTED_BLOCKS out(4 "__u32");
        0x6f51 FE_SET_FRONTEND_TUNE_MODE value;
        0x80286f4e FE_GET_EVENT out(40 "struct dvb_frontend_event");
        0x6f50 FE_DISHNETWORK_SEND_LEGACY_CMD value;
        0x40086f52 / 0x40106f52 FE_SET_PROPERTY special[dtv_properties];
        0x80086f53 / 0x80106f53 FE_GET_PROPERTY special[dtv_properties];
        0x40246f4c FE_SET_FRONTEND in(36 "struct dvb_frontend_parameters");
        0x80246f4d FE_GET_FRONTEND out(36 "struct dvb_frontend_parameters");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/dvb/net.h"] {
        0xc0066f34 NET_ADD_IF inout(6 "struct dvb_net_if");
        0x6f35 NET_REMOVE_IF value;
        0xc0066f36 NET_GET_IF inout(6 "struct dvb_net_if");
    }
}
