//! What each thread's block says of itself, for whoever has nothing but a core dump of the process: [`Description`].

use crate::process_view;
use crate::signal::xstate;
use crate::switch::{entry, lowpage};
use crate::sys::thread::{Area, Tls};
use crate::thread::{ALT_STACK, GUARD, Thread, XSAVE};
use crate::traced::State;
use abi::dump::{Component, Description, MAGIC, VERSION};
use core::mem::offset_of;
use core::sync::atomic::Ordering;

/// Length of the instruction that leads from the low pages to the entry for `__kernel_vsyscall`.
const STUB_LENGTH: u32 = 6;

fn low(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(0)
}

/// The description of every block of this process.
pub(crate) fn description() -> Description {
    let [call_return, fast_return] = entry::call_returns();
    let stub = lowpage::at(lowpage::STUB64);
    let features = crate::host::low(xstate::features());
    let mut components = [Component::default(); abi::dump::COMPONENTS];
    for (number, component) in (0..).zip(&mut components).skip(2).filter(|(number, _)| features & 1 << number != 0) {
        let range = xstate::component(number);
        *component = Component { offset: low(range.start), length: low(range.len()) };
    }
    Description {
        magic: MAGIC,
        version: VERSION,
        length: low(size_of::<Description>()),
        entry_text: entry::text(),
        call_return,
        fast_return,
        low_pages: [lowpage::at(0), lowpage::at(lowpage::LENGTH)],
        stub: [stub, stub + STUB_LENGTH],
        sysinfo_return: lowpage::SYSINFO_RETURN.load(Ordering::Relaxed),
        auxv: process_view::auxv(),
        tid: low(offset_of!(Thread, tid)),
        registers: low(offset_of!(Thread, regs)),
        segments_valid: low(offset_of!(Thread, segments_valid)),
        image_valid: low(offset_of!(Thread, image_valid)),
        image: [low(XSAVE), low(xstate::length())],
        vectors_in_use: low(offset_of!(Thread, vectors_in_use)),
        vectors: low(offset_of!(Thread, vectors)),
        handler_stack: [low(ALT_STACK), low(GUARD)],
        passing: low(offset_of!(Thread, ptrace) + offset_of!(State, passing)),
        areas: low(offset_of!(Thread, tls) + offset_of!(Tls, areas)),
        area: [
            low(size_of::<Area>()),
            low(offset_of!(Area, descriptor)),
            low(offset_of!(Area, in_use)),
            low(offset_of!(Area, ldt)),
        ],
        features,
        components,
    }
}
