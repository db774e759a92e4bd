//! Video: linux/videodev2.h and linux/media.h.

use crate::structs::ioctl::{
    media_links_enum, v4l2_buffer, v4l2_create_buffers, v4l2_edid, v4l2_event, v4l2_ext_controls, v4l2_format, v4l2_input,
    v4l2_standard,
};

ioctl_rows! {
    ["linux/videodev2.h"] {
        0x80685600 VIDIOC_QUERYCAP out(104 "struct v4l2_capability");
        0xc0405602 VIDIOC_ENUM_FMT inout(64 "struct v4l2_fmtdesc");
        0xc0cc5604 / 0xc0d05604 VIDIOC_G_FMT special[v4l2_format];
        0xc0cc5605 / 0xc0d05605 VIDIOC_S_FMT special[v4l2_format];
        0xc0145608 VIDIOC_REQBUFS inout(20 "struct v4l2_requestbuffers");
        0xc0445609 / 0xc0585609 VIDIOC_QUERYBUF special[v4l2_buffer];
        0x802c560a / 0x8030560a VIDIOC_G_FBUF refused "overlays are not converted";
        0x402c560b / 0x4030560b VIDIOC_S_FBUF refused "overlays are not converted";
        0x4004560e VIDIOC_OVERLAY in(4 "int");
        0xc044560f / 0xc058560f VIDIOC_QBUF special[v4l2_buffer];
        0xc0405610 VIDIOC_EXPBUF inout(64 "struct v4l2_exportbuffer");
        0xc0445611 / 0xc0585611 VIDIOC_DQBUF special[v4l2_buffer];
        0x40045612 VIDIOC_STREAMON in(4 "int");
        0x40045613 VIDIOC_STREAMOFF in(4 "int");
        0xc0cc5615 VIDIOC_G_PARM inout(204 "struct v4l2_streamparm");
        0xc0cc5616 VIDIOC_S_PARM inout(204 "struct v4l2_streamparm");
        0x80085617 VIDIOC_G_STD out(8 "v4l2_std_id");
        0x40085618 VIDIOC_S_STD in(8 "v4l2_std_id");
        0xc0405619 / 0xc0485619 VIDIOC_ENUMSTD inout[v4l2_standard];
        0xc04c561a / 0xc050561a VIDIOC_ENUMINPUT inout[v4l2_input];
        0xc008561b VIDIOC_G_CTRL inout(8 "struct v4l2_control");
        0xc008561c VIDIOC_S_CTRL inout(8 "struct v4l2_control");
        0xc054561d VIDIOC_G_TUNER inout(84 "struct v4l2_tuner");
        0x4054561e VIDIOC_S_TUNER in(84 "struct v4l2_tuner");
        0x80345621 VIDIOC_G_AUDIO out(52 "struct v4l2_audio");
        0x40345622 VIDIOC_S_AUDIO in(52 "struct v4l2_audio");
        0xc0445624 VIDIOC_QUERYCTRL inout(68 "struct v4l2_queryctrl");
        0xc02c5625 VIDIOC_QUERYMENU inout(44 "struct v4l2_querymenu");
        0x80045626 VIDIOC_G_INPUT out(4 "int");
        0xc0045627 VIDIOC_S_INPUT inout(4 "int");
        0xc0245628 / 0xc0285628 VIDIOC_G_EDID inout[v4l2_edid];
        0xc0245629 / 0xc0285629 VIDIOC_S_EDID inout[v4l2_edid];
        0x8004562e VIDIOC_G_OUTPUT out(4 "int");
        0xc004562f VIDIOC_S_OUTPUT inout(4 "int");
        0xc0485630 VIDIOC_ENUMOUTPUT inout(72 "struct v4l2_output");
        0x80345631 VIDIOC_G_AUDOUT out(52 "struct v4l2_audioout");
        0x40345632 VIDIOC_S_AUDOUT in(52 "struct v4l2_audioout");
        0xc0445636 VIDIOC_G_MODULATOR inout(68 "struct v4l2_modulator");
        0x40445637 VIDIOC_S_MODULATOR in(68 "struct v4l2_modulator");
        0xc02c5638 VIDIOC_G_FREQUENCY inout(44 "struct v4l2_frequency");
        0x402c5639 VIDIOC_S_FREQUENCY in(44 "struct v4l2_frequency");
        0xc02c563a VIDIOC_CROPCAP inout(44 "struct v4l2_cropcap");
        0xc014563b VIDIOC_G_CROP inout(20 "struct v4l2_crop");
        0x4014563c VIDIOC_S_CROP in(20 "struct v4l2_crop");
        0x808c563d VIDIOC_G_JPEGCOMP out(140 "struct v4l2_jpegcompression");
        0x408c563e VIDIOC_S_JPEGCOMP in(140 "struct v4l2_jpegcompression");
        0x8008563f VIDIOC_QUERYSTD out(8 "v4l2_std_id");
        0xc0cc5640 / 0xc0d05640 VIDIOC_TRY_FMT special[v4l2_format];
        0xc0345641 VIDIOC_ENUMAUDIO inout(52 "struct v4l2_audio");
        0xc0345642 VIDIOC_ENUMAUDOUT inout(52 "struct v4l2_audioout");
        0x80045643 VIDIOC_G_PRIORITY out(4 "__u32");
        0x40045644 VIDIOC_S_PRIORITY in(4 "__u32");
        0xc0745645 VIDIOC_G_SLICED_VBI_CAP inout(116 "struct v4l2_sliced_vbi_cap");
        0x5646 VIDIOC_LOG_STATUS none;
        0xc0185647 / 0xc0205647 VIDIOC_G_EXT_CTRLS special[v4l2_ext_controls];
        0xc0185648 / 0xc0205648 VIDIOC_S_EXT_CTRLS special[v4l2_ext_controls];
        0xc0185649 / 0xc0205649 VIDIOC_TRY_EXT_CTRLS special[v4l2_ext_controls];
        0xc02c564a VIDIOC_ENUM_FRAMESIZES inout(44 "struct v4l2_frmsizeenum");
        0xc034564b VIDIOC_ENUM_FRAMEINTERVALS inout(52 "struct v4l2_frmivalenum");
        0x8818564c VIDIOC_G_ENC_INDEX out(2072 "struct v4l2_enc_idx");
        0xc028564d VIDIOC_ENCODER_CMD inout(40 "struct v4l2_encoder_cmd");
        0xc028564e VIDIOC_TRY_ENCODER_CMD inout(40 "struct v4l2_encoder_cmd");
        0x4038564f VIDIOC_DBG_S_REGISTER in(56 "struct v4l2_dbg_register");
        0xc0385650 VIDIOC_DBG_G_REGISTER inout(56 "struct v4l2_dbg_register");
        0x40305652 VIDIOC_S_HW_FREQ_SEEK in(48 "struct v4l2_hw_freq_seek");
        0xc0845657 VIDIOC_S_DV_TIMINGS inout(132 "struct v4l2_dv_timings");
        0xc0845658 VIDIOC_G_DV_TIMINGS inout(132 "struct v4l2_dv_timings");
        0x80785659 / 0x80885659 VIDIOC_DQEVENT out[v4l2_event];
        0x4020565a VIDIOC_SUBSCRIBE_EVENT in(32 "struct v4l2_event_subscription");
        0x4020565b VIDIOC_UNSUBSCRIBE_EVENT in(32 "struct v4l2_event_subscription");
        0xc0f8565c / 0xc100565c VIDIOC_CREATE_BUFS inout[v4l2_create_buffers];
        0xc044565d / 0xc058565d VIDIOC_PREPARE_BUF special[v4l2_buffer];
        0xc040565e VIDIOC_G_SELECTION inout(64 "struct v4l2_selection");
        0xc040565f VIDIOC_S_SELECTION inout(64 "struct v4l2_selection");
        0xc0485660 VIDIOC_DECODER_CMD inout(72 "struct v4l2_decoder_cmd");
        0xc0485661 VIDIOC_TRY_DECODER_CMD inout(72 "struct v4l2_decoder_cmd");
        0xc0945662 VIDIOC_ENUM_DV_TIMINGS inout(148 "struct v4l2_enum_dv_timings");
        0x80845663 VIDIOC_QUERY_DV_TIMINGS out(132 "struct v4l2_dv_timings");
        0xc0905664 VIDIOC_DV_TIMINGS_CAP inout(144 "struct v4l2_dv_timings_cap");
        0xc0405665 VIDIOC_ENUM_FREQ_BANDS inout(64 "struct v4l2_frequency_band");
        0xc0c85666 VIDIOC_DBG_G_CHIP_INFO inout(200 "struct v4l2_dbg_chip_info");
        0xc0e85667 VIDIOC_QUERY_EXT_CTRL inout(232 "struct v4l2_query_ext_ctrl");
    }
    ["linux/media.h"] {
        0xc1007c00 MEDIA_IOC_DEVICE_INFO inout(256 "struct media_device_info");
        0xc1007c01 MEDIA_IOC_ENUM_ENTITIES inout(256 "struct media_entity_desc");
        0xc01c7c02 / 0xc0287c02 MEDIA_IOC_ENUM_LINKS inout[media_links_enum];
        0xc0347c03 MEDIA_IOC_SETUP_LINK inout(52 "struct media_link_desc");
        0xc0487c04 MEDIA_IOC_G_TOPOLOGY inout(72 "struct media_v2_topology");
        0x80047c05 MEDIA_IOC_REQUEST_ALLOC out(4 "int");
        0x7c80 MEDIA_REQUEST_IOC_QUEUE none;
        0x7c81 MEDIA_REQUEST_IOC_REINIT none;
    }
}
