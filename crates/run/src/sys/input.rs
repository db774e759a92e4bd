//! A structure that the guest passes in: converted, and handed to the host's kernel in the supervisor's memory.

use crate::host;
use crate::mem;
use abi::GuestPtr;
use abi::structs::{Guest, Widen};
use zerocopy::{FromBytes, IntoBytes};

/// An address that no process has: the kernel answers `EFAULT` when it comes to read there.
pub(crate) const UNREADABLE: u64 = 1 << 63;

/// The converted structure, or why there is none.
///
/// A pointer that cannot be read is the kernel's to complain about, not ours: it may have an earlier complaint, such as a
/// wrong clock or a missing privilege, and the guest is to see the same one as ever.
pub(crate) enum Input<H> {
    /// The guest passed a null pointer.
    Null,
    /// Nothing is mapped there.
    Unreadable,
    /// What was there.
    Value(H),
}

impl<H> Input<H> {
    /// Reads what `pointer` points at.
    pub(crate) fn read<G: FromBytes + IntoBytes + Guest<Host = H> + Widen<H>>(pointer: GuestPtr<G>) -> Self {
        if pointer.is_null() {
            return Self::Null;
        }
        mem::read(pointer).map_or(Self::Unreadable, |value| Self::Value(value.widen()))
    }

    /// The same, changed.
    pub(crate) fn map(self, change: impl FnOnce(H) -> H) -> Self {
        match self {
            Self::Value(value) => Self::Value(change(value)),
            other => other,
        }
    }

    /// What to pass to the host's kernel. The value must outlive the call.
    pub(crate) fn address(&self) -> u64 {
        match self {
            Self::Null => 0,
            Self::Unreadable => UNREADABLE,
            Self::Value(value) => host::addr(value),
        }
    }
}

/// The address of `value`, which the kernel is to fill for `pointer`; or null where the guest passed null.
pub(crate) fn output<G, H>(pointer: GuestPtr<G>, value: &mut H) -> u64 {
    if pointer.is_null() { 0 } else { host::addr_mut(value) }
}
