//! Performance counters: perf_event_open(2).

ioctl_rows! {
    ["linux/types.h", "linux/perf_event.h"] {
        0x2400 PERF_EVENT_IOC_ENABLE value;
        0x2401 PERF_EVENT_IOC_DISABLE value;
        0x2402 PERF_EVENT_IOC_REFRESH value;
        0x2403 PERF_EVENT_IOC_RESET value;
        0x2405 PERF_EVENT_IOC_SET_OUTPUT value;
        0x40042408 PERF_EVENT_IOC_SET_BPF value;
        0x40042409 PERF_EVENT_IOC_PAUSE_OUTPUT value;
        0x40082404 PERF_EVENT_IOC_PERIOD in(8 "__u64");
        0x40042406 / 0x40082406 PERF_EVENT_IOC_SET_FILTER in(1 "char");
        0x80042407 / 0x80082407 PERF_EVENT_IOC_ID out(8 "__u64");
        0xc004240a / 0xc008240a PERF_EVENT_IOC_QUERY_BPF inout(8 "struct perf_event_query_bpf");
        0x4004240b / 0x4008240b PERF_EVENT_IOC_MODIFY_ATTRIBUTES in(128 "struct perf_event_attr");
    }
}
