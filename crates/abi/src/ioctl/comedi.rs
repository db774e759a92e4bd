//! Data acquisition: linux/comedi.h.

use crate::structs::ioctl::{comedi_chaninfo, comedi_cmd, comedi_insn, comedi_insnlist, comedi_rangeinfo};

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/comedi.h"] {
        0x40946400 COMEDI_DEVCONFIG in(148 "struct comedi_devconfig");
        0x80b06401 COMEDI_DEVINFO out(176 "struct comedi_devinfo");
        0x80486402 COMEDI_SUBDINFO out(72 "struct comedi_subdinfo");
        0x80206403 / 0x80306403 COMEDI_CHANINFO in[comedi_chaninfo];
        0x6405 COMEDI_LOCK value;
        0x6406 COMEDI_UNLOCK value;
        0x6407 COMEDI_CANCEL value;
        0x80086408 / 0x80106408 COMEDI_RANGEINFO in[comedi_rangeinfo];
        0x80406409 / 0x80506409 COMEDI_CMD inout[comedi_cmd];
        0x8040640a / 0x8050640a COMEDI_CMDTEST inout[comedi_cmd];
        0x8008640b / 0x8010640b COMEDI_INSNLIST special[comedi_insnlist];
        0x8020640c / 0x8028640c COMEDI_INSN in[comedi_insn];
        0x8020640d COMEDI_BUFCONFIG out(32 "struct comedi_bufconfig");
        0xc02c640e COMEDI_BUFINFO inout(44 "struct comedi_bufinfo");
        0x640f COMEDI_POLL value;
        0x6410 COMEDI_SETRSUBD value;
        0x6411 COMEDI_SETWSUBD value;
    }
}
