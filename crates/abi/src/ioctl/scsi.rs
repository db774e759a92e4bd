//! SCSI and CD-ROM devices: scsi/sg.h, linux/cdrom.h.

use crate::structs::ioctl::sg_io_hdr;

ioctl_rows! {
    ["scsi/sg.h"] {
        0x2285 SG_IO special[sg_io_hdr];
        0x2201 SG_SET_TIMEOUT in(4 "int");
        0x2202 SG_GET_TIMEOUT none;
        0x2203 SG_EMULATED_HOST out(4 "int");
        0x2275 SG_SET_RESERVED_SIZE in(4 "int");
        0x2272 SG_GET_RESERVED_SIZE out(4 "int");
        0x2276 SG_GET_SCSI_ID out(32 "struct sg_scsi_id");
        0x227b SG_SET_FORCE_PACK_ID in(4 "int");
        0x227c SG_GET_PACK_ID out(4 "int");
        0x227d SG_GET_NUM_WAITING out(4 "int");
        0x227f SG_GET_SG_TABLESIZE out(4 "int");
        0x2270 SG_GET_COMMAND_Q out(4 "int");
        0x2282 SG_GET_VERSION_NUM out(4 "int");
        0x2288 SG_GET_KEEP_ORPHAN out(4 "int");
        0x227a SG_GET_LOW_DMA out(4 "int");
        0x2271 SG_SET_COMMAND_Q in(4 "int");
        0x227e SG_SET_DEBUG in(4 "int");
        0x2283 SG_NEXT_CMD_LEN in(4 "int");
        0x2284 SG_SCSI_RESET in(4 "int");
        0x2287 SG_SET_KEEP_ORPHAN in(4 "int");
    }
    ["scsi/scsi_ioctl.h", "scsi/scsi.h"] {
        0x5382 SCSI_IOCTL_GET_IDLUN out(8 "unsigned int[2]");
        0x5386 SCSI_IOCTL_GET_BUS_NUMBER out(4 "int");
        0x5385 SCSI_IOCTL_PROBE_HOST inout(4 "unsigned int");
    }
    ["linux/cdrom.h"] {
        0x5301 CDROMPAUSE none;
        0x5302 CDROMRESUME none;
        0x5307 CDROMSTOP none;
        0x5308 CDROMSTART none;
        0x5309 CDROMEJECT none;
        0x5319 CDROMCLOSETRAY none;
        0x5312 CDROMRESET none;
        0x5331 CDROM_GET_CAPABILITY none;
        0x530f CDROMEJECT_SW value;
        0x5320 CDROM_SET_OPTIONS value;
        0x5321 CDROM_CLEAR_OPTIONS value;
        0x5322 CDROM_SELECT_SPEED value;
        0x5323 CDROM_SELECT_DISC value;
        0x5325 CDROM_MEDIA_CHANGED value;
        0x5326 CDROM_DRIVE_STATUS value;
        0x5329 CDROM_LOCKDOOR value;
        0x5330 CDROM_DEBUG value;
        0x5327 CDROM_DISC_STATUS none;
        0x5328 CDROM_CHANGER_NSLOTS none;
        0x5305 CDROMREADTOCHDR out(2 "struct cdrom_tochdr");
        0x5306 CDROMREADTOCENTRY inout(12 "struct cdrom_tocentry");
        0x5310 CDROMMULTISESSION inout(8 "struct cdrom_multisession");
        0x5311 CDROM_GET_MCN out(14 "struct cdrom_mcn");
        0x530b CDROMSUBCHNL inout(16 "struct cdrom_subchnl");
        0x5313 CDROMVOLREAD out(4 "struct cdrom_volctrl");
        0x530a CDROMVOLCTRL in(4 "struct cdrom_volctrl");
        0x5303 CDROMPLAYMSF in(6 "struct cdrom_msf");
        0x5304 CDROMPLAYTRKIND in(4 "struct cdrom_ti");
    }
}
