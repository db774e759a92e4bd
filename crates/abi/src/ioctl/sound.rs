//! Sound: sound/asound.h and sound/asequencer.h.

use crate::structs::ioctl::{
    snd_ctl_elem_info, snd_ctl_elem_list, snd_ctl_elem_value, snd_hwdep_dsp_image, snd_pcm_channel_info, snd_pcm_hw_params,
    snd_pcm_status, snd_pcm_sw_params, snd_pcm_sync_ptr, snd_rawmidi_params, snd_rawmidi_status, snd_seq_port_info,
    snd_timer_gparams, snd_timer_info, snd_xferi, snd_xfern, ulong,
};

ioctl_rows! {
    ["sys/ioctl.h", "sound/asound.h"] {
        0x80044800 SNDRV_HWDEP_IOCTL_PVERSION out(4 "int");
        0x80dc4801 SNDRV_HWDEP_IOCTL_INFO out(220 "struct snd_hwdep_info");
        0x80404802 SNDRV_HWDEP_IOCTL_DSP_STATUS out(64 "struct snd_hwdep_dsp_status");
        0x40504803 / 0x40604803 SNDRV_HWDEP_IOCTL_DSP_LOAD in[snd_hwdep_dsp_image];
        0x80044100 SNDRV_PCM_IOCTL_PVERSION out(4 "int");
        0x81204101 SNDRV_PCM_IOCTL_INFO out(288 "struct snd_pcm_info");
        0x40044102 SNDRV_PCM_IOCTL_TSTAMP in(4 "int");
        0x40044103 SNDRV_PCM_IOCTL_TTSTAMP in(4 "int");
        0x40044104 SNDRV_PCM_IOCTL_USER_PVERSION in(4 "int");
        0xc25c4110 / 0xc2604110 SNDRV_PCM_IOCTL_HW_REFINE inout[snd_pcm_hw_params];
        0xc25c4111 / 0xc2604111 SNDRV_PCM_IOCTL_HW_PARAMS special[snd_pcm_hw_params];
        0x4112 SNDRV_PCM_IOCTL_HW_FREE none;
        0xc0684113 / 0xc0884113 SNDRV_PCM_IOCTL_SW_PARAMS special[snd_pcm_sw_params];
        0x806c4120 / 0x80984120 SNDRV_PCM_IOCTL_STATUS special[snd_pcm_status];
        0x80044121 / 0x80084121 SNDRV_PCM_IOCTL_DELAY out[ulong];
        0x4122 SNDRV_PCM_IOCTL_HWSYNC none;
        0xc0844123 / 0xc0884123 SNDRV_PCM_IOCTL_SYNC_PTR special[snd_pcm_sync_ptr];
        0xc06c4124 / 0xc0984124 SNDRV_PCM_IOCTL_STATUS_EXT special[snd_pcm_status];
        0x80104132 / 0x80184132 SNDRV_PCM_IOCTL_CHANNEL_INFO inout[snd_pcm_channel_info];
        0x4140 SNDRV_PCM_IOCTL_PREPARE none;
        0x4141 SNDRV_PCM_IOCTL_RESET none;
        0x4142 SNDRV_PCM_IOCTL_START none;
        0x4143 SNDRV_PCM_IOCTL_DROP none;
        0x4144 SNDRV_PCM_IOCTL_DRAIN none;
        0x40044145 SNDRV_PCM_IOCTL_PAUSE in(4 "int");
        0x40044146 / 0x40084146 SNDRV_PCM_IOCTL_REWIND special[ulong];
        0x4147 SNDRV_PCM_IOCTL_RESUME none;
        0x4148 SNDRV_PCM_IOCTL_XRUN none;
        0x40044149 / 0x40084149 SNDRV_PCM_IOCTL_FORWARD special[ulong];
        0x400c4150 / 0x40184150 SNDRV_PCM_IOCTL_WRITEI_FRAMES special[snd_xferi];
        0x800c4151 / 0x80184151 SNDRV_PCM_IOCTL_READI_FRAMES special[snd_xferi];
        0x400c4152 / 0x40184152 SNDRV_PCM_IOCTL_WRITEN_FRAMES special[snd_xfern];
        0x800c4153 / 0x80184153 SNDRV_PCM_IOCTL_READN_FRAMES special[snd_xfern];
        0x40044160 SNDRV_PCM_IOCTL_LINK in(4 "int");
        0x4161 SNDRV_PCM_IOCTL_UNLINK none;
        0x80045700 SNDRV_RAWMIDI_IOCTL_PVERSION out(4 "int");
        0x810c5701 SNDRV_RAWMIDI_IOCTL_INFO out(268 "struct snd_rawmidi_info");
        0x40045702 SNDRV_RAWMIDI_IOCTL_USER_PVERSION in(4 "int");
        0xc0205710 / 0xc0305710 SNDRV_RAWMIDI_IOCTL_PARAMS in[snd_rawmidi_params];
        0xc0245720 / 0xc0385720 SNDRV_RAWMIDI_IOCTL_STATUS inout[snd_rawmidi_status];
        0x40045730 SNDRV_RAWMIDI_IOCTL_DROP in(4 "int");
        0x40045731 SNDRV_RAWMIDI_IOCTL_DRAIN in(4 "int");
        0x80045400 SNDRV_TIMER_IOCTL_PVERSION out(4 "int");
        0xc0145401 SNDRV_TIMER_IOCTL_NEXT_DEVICE inout(20 "struct snd_timer_id");
        0x40045402 SNDRV_TIMER_IOCTL_TREAD_OLD refused "sound: events of timers with their times are not converted";
        0xc0e05403 / 0xc0f85403 SNDRV_TIMER_IOCTL_GINFO refused "sound: natively the kernel does not convert it either";
        0x403c5404 / 0x40485404 SNDRV_TIMER_IOCTL_GPARAMS in[snd_timer_gparams];
        0xc0405405 / 0xc0505405 SNDRV_TIMER_IOCTL_GSTATUS refused "sound: natively the kernel does not convert it either";
        0x40345410 SNDRV_TIMER_IOCTL_SELECT in(52 "struct snd_timer_select");
        0x80e05411 / 0x80e85411 SNDRV_TIMER_IOCTL_INFO out[snd_timer_info];
        0x40505412 SNDRV_TIMER_IOCTL_PARAMS in(80 "struct snd_timer_params");
        0x80585414 / 0x80605414 SNDRV_TIMER_IOCTL_STATUS refused "sound: natively the kernel does not convert it either";
        0x54a0 SNDRV_TIMER_IOCTL_START none;
        0x54a1 SNDRV_TIMER_IOCTL_STOP none;
        0x54a2 SNDRV_TIMER_IOCTL_CONTINUE none;
        0x54a3 SNDRV_TIMER_IOCTL_PAUSE none;
        0x400454a4 SNDRV_TIMER_IOCTL_TREAD64 in(4 "int");
        0x80045500 SNDRV_CTL_IOCTL_PVERSION out(4 "int");
        0x81785501 SNDRV_CTL_IOCTL_CARD_INFO out(376 "struct snd_ctl_card_info");
        0xc0485510 / 0xc0505510 SNDRV_CTL_IOCTL_ELEM_LIST inout[snd_ctl_elem_list];
        0xc1105511 SNDRV_CTL_IOCTL_ELEM_INFO special[snd_ctl_elem_info];
        0xc2c45512 / 0xc4c85512 SNDRV_CTL_IOCTL_ELEM_READ special[snd_ctl_elem_value];
        0xc2c45513 / 0xc4c85513 SNDRV_CTL_IOCTL_ELEM_WRITE special[snd_ctl_elem_value];
        0x40405514 SNDRV_CTL_IOCTL_ELEM_LOCK in(64 "struct snd_ctl_elem_id");
        0x40405515 SNDRV_CTL_IOCTL_ELEM_UNLOCK in(64 "struct snd_ctl_elem_id");
        0xc0045516 SNDRV_CTL_IOCTL_SUBSCRIBE_EVENTS inout(4 "int");
        0xc1105517 SNDRV_CTL_IOCTL_ELEM_ADD special[snd_ctl_elem_info];
        0xc1105518 SNDRV_CTL_IOCTL_ELEM_REPLACE special[snd_ctl_elem_info];
        0xc0405519 SNDRV_CTL_IOCTL_ELEM_REMOVE inout(64 "struct snd_ctl_elem_id");
        0xc008551a SNDRV_CTL_IOCTL_TLV_READ inout(8 "struct snd_ctl_tlv");
        0xc008551b SNDRV_CTL_IOCTL_TLV_WRITE inout(8 "struct snd_ctl_tlv");
        0xc008551c SNDRV_CTL_IOCTL_TLV_COMMAND inout(8 "struct snd_ctl_tlv");
        0xc0045520 SNDRV_CTL_IOCTL_HWDEP_NEXT_DEVICE inout(4 "int");
        0x80dc5521 SNDRV_CTL_IOCTL_HWDEP_INFO out(220 "struct snd_hwdep_info");
        0x80045530 SNDRV_CTL_IOCTL_PCM_NEXT_DEVICE out(4 "int");
        0xc1205531 SNDRV_CTL_IOCTL_PCM_INFO inout(288 "struct snd_pcm_info");
        0x40045532 SNDRV_CTL_IOCTL_PCM_PREFER_SUBDEVICE in(4 "int");
        0xc0045540 SNDRV_CTL_IOCTL_RAWMIDI_NEXT_DEVICE inout(4 "int");
        0xc10c5541 SNDRV_CTL_IOCTL_RAWMIDI_INFO inout(268 "struct snd_rawmidi_info");
        0x40045542 SNDRV_CTL_IOCTL_RAWMIDI_PREFER_SUBDEVICE in(4 "int");
        0xc00455d0 SNDRV_CTL_IOCTL_POWER inout(4 "int");
        0x800455d1 SNDRV_CTL_IOCTL_POWER_STATE out(4 "int");
    }
    ["sys/ioctl.h", "sound/asound.h", "sound/asequencer.h"] {
        0x80045300 SNDRV_SEQ_IOCTL_PVERSION out(4 "int");
        0x80045301 SNDRV_SEQ_IOCTL_CLIENT_ID out(4 "int");
        0xc0305302 SNDRV_SEQ_IOCTL_SYSTEM_INFO inout(48 "struct snd_seq_system_info");
        0xc0105303 SNDRV_SEQ_IOCTL_RUNNING_MODE inout(16 "struct snd_seq_running_info");
        0xc0bc5310 SNDRV_SEQ_IOCTL_GET_CLIENT_INFO inout(188 "struct snd_seq_client_info");
        0x40bc5311 SNDRV_SEQ_IOCTL_SET_CLIENT_INFO in(188 "struct snd_seq_client_info");
        0xc0a45320 / 0xc0a85320 SNDRV_SEQ_IOCTL_CREATE_PORT inout[snd_seq_port_info];
        0x40a45321 / 0x40a85321 SNDRV_SEQ_IOCTL_DELETE_PORT in[snd_seq_port_info];
        0xc0a45322 / 0xc0a85322 SNDRV_SEQ_IOCTL_GET_PORT_INFO inout[snd_seq_port_info];
        0x40a45323 / 0x40a85323 SNDRV_SEQ_IOCTL_SET_PORT_INFO in[snd_seq_port_info];
        0x40505330 SNDRV_SEQ_IOCTL_SUBSCRIBE_PORT in(80 "struct snd_seq_port_subscribe");
        0x40505331 SNDRV_SEQ_IOCTL_UNSUBSCRIBE_PORT in(80 "struct snd_seq_port_subscribe");
        0xc08c5332 SNDRV_SEQ_IOCTL_CREATE_QUEUE inout(140 "struct snd_seq_queue_info");
        0x408c5333 SNDRV_SEQ_IOCTL_DELETE_QUEUE in(140 "struct snd_seq_queue_info");
        0xc08c5334 SNDRV_SEQ_IOCTL_GET_QUEUE_INFO inout(140 "struct snd_seq_queue_info");
        0xc08c5335 SNDRV_SEQ_IOCTL_SET_QUEUE_INFO inout(140 "struct snd_seq_queue_info");
        0xc08c5336 SNDRV_SEQ_IOCTL_GET_NAMED_QUEUE inout(140 "struct snd_seq_queue_info");
        0xc05c5340 SNDRV_SEQ_IOCTL_GET_QUEUE_STATUS inout(92 "struct snd_seq_queue_status");
        0xc02c5341 SNDRV_SEQ_IOCTL_GET_QUEUE_TEMPO inout(44 "struct snd_seq_queue_tempo");
        0x402c5342 SNDRV_SEQ_IOCTL_SET_QUEUE_TEMPO in(44 "struct snd_seq_queue_tempo");
        0xc0605345 SNDRV_SEQ_IOCTL_GET_QUEUE_TIMER inout(96 "struct snd_seq_queue_timer");
        0x40605346 SNDRV_SEQ_IOCTL_SET_QUEUE_TIMER in(96 "struct snd_seq_queue_timer");
        0xc04c5349 SNDRV_SEQ_IOCTL_GET_QUEUE_CLIENT inout(76 "struct snd_seq_queue_client");
        0x404c534a SNDRV_SEQ_IOCTL_SET_QUEUE_CLIENT in(76 "struct snd_seq_queue_client");
        0xc058534b SNDRV_SEQ_IOCTL_GET_CLIENT_POOL inout(88 "struct snd_seq_client_pool");
        0x4058534c SNDRV_SEQ_IOCTL_SET_CLIENT_POOL in(88 "struct snd_seq_client_pool");
        0x4040534e SNDRV_SEQ_IOCTL_REMOVE_EVENTS in(64 "struct snd_seq_remove_events");
        0xc058534f SNDRV_SEQ_IOCTL_QUERY_SUBS inout(88 "struct snd_seq_query_subs");
        0xc0505350 SNDRV_SEQ_IOCTL_GET_SUBSCRIPTION inout(80 "struct snd_seq_port_subscribe");
        0xc0bc5351 SNDRV_SEQ_IOCTL_QUERY_NEXT_CLIENT inout(188 "struct snd_seq_client_info");
        0xc0a45352 / 0xc0a85352 SNDRV_SEQ_IOCTL_QUERY_NEXT_PORT inout[snd_seq_port_info];
    }
}
