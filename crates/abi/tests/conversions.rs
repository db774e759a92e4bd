//! Widening loses nothing, and narrowing does what the row's policy says.

use abi::structs::{Chars, Narrow, Overflow, Widen};
use abi::structs::{sched, system, time};
use abi::{Long, ULong};
use proptest::prelude::*;
use zerocopy::{FromBytes, IntoBytes};

/// Any bytes are a guest's structure; through the host's and back, all but the padding must be the same.
fn there_and_back<G, H>(bytes: &[u8]) -> (G, G)
where
    G: FromBytes + Copy + Widen<H>,
    H: Narrow<G>,
{
    let guest = G::read_from_prefix(bytes).expect("there are enough bytes").0;
    (guest, guest.widen().narrow().expect("what was 32 bits fits 32 bits"))
}

macro_rules! round_trips {
    ($($module:ident :: $row:ident),* $(,)?) => {
        $(
            mod $row {
                use super::*;
                proptest! {
                    #[test]
                    fn there_and_back_is_the_same(bytes in prop::collection::vec(any::<u8>(), 512)) {
                        let (before, after): ($module::$row::Guest32, $module::$row::Guest32) =
                            there_and_back::<_, $module::$row::Host64>(&bytes);
                        // Field by field, as text: padding is not part of the value.
                        let show = |value: &dyn abi::trace::TraceValue| { let mut text = String::new(); value.trace(&mut text).map(|()| text) };
                        prop_assert_eq!(show(&before), show(&after));
                    }
                }
            }
        )*
    };
}
round_trips!(
    time::timespec,
    time::timeval,
    time::timezone,
    time::itimerval,
    time::itimerspec,
    time::timespec64,
    time::itimerspec64,
    time::timex,
    time::timex64,
    time::sigevent,
    time::tms,
    sched::rlimit,
    sched::rlimit64,
    sched::rusage,
    sched::sched_attr,
    system::sysinfo,
    system::kexec_segment,
    system::new_utsname,
);

proptest! {
    /// Of each row there is, not only of those that are looked at above.
    #[test]
    fn every_row_comes_back_from_any_bytes(bytes in prop::collection::vec(any::<u8>(), 8192)) {
        for row in abi::structs::LAYOUTS.iter().copied().flatten() {
            prop_assert!((row.comes_back)(&bytes), "{}", row.name);
        }
    }
}

#[test]
fn every_row_has_enough_bytes_there() {
    let rows = abi::structs::LAYOUTS.iter().copied().flatten();
    assert!(rows.clone().all(|row| row.size32.max(row.size64) <= 8192), "{:?}", rows.map(|row| row.size64).max());
}

#[test]
fn a_time_after_2038_is_an_overflow_and_names_its_field() {
    let late = time::timespec::Host64 { tv_sec: 1 << 31, tv_nsec: 5 };
    assert_eq!(Narrow::<time::timespec::Guest32>::narrow(late), Err(Overflow { field: "tv_sec" }));
    let truncated: time::timespec::Guest32 = late.truncate();
    assert_eq!(truncated.tv_sec.get(), i32::MIN);
    let saturated: time::timespec::Guest32 = late.saturate();
    assert_eq!(saturated.tv_sec.get(), i32::MAX);
}

#[test]
fn times_before_1970_keep_their_sign() {
    let early = time::timespec::Guest32 { tv_sec: Long(-1), tv_nsec: Long(999_999_999) };
    assert_eq!(early.widen(), time::timespec::Host64 { tv_sec: -1, tv_nsec: 999_999_999 });
}

#[test]
fn infinite_limits_stay_infinite() {
    let limit = sched::rlimit::Host64 { rlim_cur: 1 << 33, rlim_max: u64::MAX };
    let narrow: Result<sched::rlimit::Guest32, _> = limit.narrow();
    assert_eq!(narrow, Ok(sched::rlimit::Guest32 { rlim_cur: ULong(u32::MAX), rlim_max: ULong(u32::MAX) }));
}

#[test]
fn a_signal_value_is_a_number_not_an_address() {
    let event = time::sigevent::Guest32 { sigev_value: ULong(0x8000_0001), ..Default::default() };
    assert_eq!(event.widen().sigev_value, 0x8000_0001);
}

fn memory(totalram: u64, totalswap: u64, mem_unit: u32) -> system::sysinfo::Host64 {
    system::sysinfo::Host64 { totalram, freeram: totalram / 2, totalswap, mem_unit, ..Default::default() }
}

#[test]
fn memory_that_fits_is_given_in_bytes() {
    let info = memory(3 << 30, 1 << 30, 1);
    assert_eq!(info.scaled(), info);
}

#[test]
fn memory_that_does_not_fit_is_given_in_pages() {
    let info = memory(64 << 30, 1 << 30, 1).scaled();
    assert_eq!((info.mem_unit, info.totalram, info.freeram, info.totalswap), (4096, 64 << 18, 32 << 18, 1 << 18));
    // Swap alone is reason enough.
    assert_eq!(memory(1 << 30, 5 << 30, 1).scaled().mem_unit, 4096);
    // A unit that is larger already stays.
    assert_eq!(memory(1 << 40, 0, 4096).scaled().mem_unit, 4096);
}

proptest! {
    #[test]
    fn scaling_keeps_the_amount(totalram in 1u64 << 32..1u64 << 43) {
        let info = memory(totalram, 0, 1).scaled();
        prop_assert_eq!(info.totalram * u64::from(info.mem_unit), totalram & !4095);
        let guest: system::sysinfo::Guest32 = info.truncate();
        prop_assert_eq!(u64::from(guest.totalram.get()), info.totalram);
    }

    #[test]
    fn a_name_ends_at_its_nul(bytes in prop::collection::vec(any::<u8>(), 65)) {
        let name = Chars::<65>::read_from_bytes(&bytes).expect("65 bytes");
        let text = name.text();
        prop_assert!(!text.contains(&0));
        prop_assert!(text.len() == 65 || name.as_bytes()[text.len()] == 0);
    }
}
