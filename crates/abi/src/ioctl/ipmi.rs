//! Management controllers: linux/ipmi.h.

use crate::structs::ioctl::{ipmi_recv, ipmi_req, ipmi_req_settime};

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/ipmi.h"] {
        0x8014690d / 0x8028690d IPMICTL_SEND_COMMAND in[ipmi_req];
        0x801c6915 / 0x80306915 IPMICTL_SEND_COMMAND_SETTIME in[ipmi_req_settime];
        0xc018690c / 0xc030690c IPMICTL_RECEIVE_MSG inout[ipmi_recv];
        0xc018690b / 0xc030690b IPMICTL_RECEIVE_MSG_TRUNC inout[ipmi_recv];
        0x8002690e IPMICTL_REGISTER_FOR_CMD out(2 "struct ipmi_cmdspec");
        0x8002690f IPMICTL_UNREGISTER_FOR_CMD out(2 "struct ipmi_cmdspec");
        0x800c691c IPMICTL_REGISTER_FOR_CMD_CHANS out(12 "struct ipmi_cmdspec_chans");
        0x800c691d IPMICTL_UNREGISTER_FOR_CMD_CHANS out(12 "struct ipmi_cmdspec_chans");
        0x80046910 IPMICTL_SET_GETS_EVENTS_CMD out(4 "int");
        0x80046918 IPMICTL_SET_MY_CHANNEL_ADDRESS_CMD out(4 "struct ipmi_channel_lun_address_set");
        0x80046919 IPMICTL_GET_MY_CHANNEL_ADDRESS_CMD out(4 "struct ipmi_channel_lun_address_set");
        0x8004691a IPMICTL_SET_MY_CHANNEL_LUN_CMD out(4 "struct ipmi_channel_lun_address_set");
        0x8004691b IPMICTL_GET_MY_CHANNEL_LUN_CMD out(4 "struct ipmi_channel_lun_address_set");
        0x80046911 IPMICTL_SET_MY_ADDRESS_CMD out(4 "unsigned int");
        0x80046912 IPMICTL_GET_MY_ADDRESS_CMD out(4 "unsigned int");
        0x80046913 IPMICTL_SET_MY_LUN_CMD out(4 "unsigned int");
        0x80046914 IPMICTL_GET_MY_LUN_CMD out(4 "unsigned int");
        0x80086916 IPMICTL_SET_TIMING_PARMS_CMD out(8 "struct ipmi_timing_parms");
        0x80086917 IPMICTL_GET_TIMING_PARMS_CMD out(8 "struct ipmi_timing_parms");
        0x8004691e IPMICTL_GET_MAINTENANCE_MODE_CMD out(4 "int");
        0x4004691f IPMICTL_SET_MAINTENANCE_MODE_CMD in(4 "int");
    }
}
