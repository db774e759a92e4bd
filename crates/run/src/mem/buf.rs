//! Scratch space for handlers whose arguments have a length that the guest chooses.
//!
//! Small ones live on the thread's own stack, large ones in a mapping of their own; nothing is shared between threads, so a
//! signal, a fork or a dying thread can leave nothing behind. The supervisor has no heap.

use crate::host;
use abi::Errno;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// Up to this many bytes stay on the stack.
const INLINE: usize = 1024;

/// A zeroed array of `T` whose length is known only at run time.
pub(crate) struct Buf<T> {
    inline: MaybeUninit<[u64; INLINE / 8]>,
    /// The mapping, or null where `inline` is used.
    mapped: *mut u8,
    length: usize,
    element: PhantomData<T>,
}

// SAFETY: the mapping is this value's own.
unsafe impl<T: Send> Send for Buf<T> {}

impl<T: FromBytes + FromZeros + IntoBytes> Buf<T> {
    /// `length` zeroes.
    ///
    /// # Errors
    /// `ENOMEM` where the kernel gives no memory.
    pub(crate) fn zeroed(length: usize) -> Result<Self, Errno> {
        const { assert!(align_of::<T>() <= 8) };
        let bytes = length.checked_mul(size_of::<T>()).ok_or(Errno::ENOMEM)?;
        if bytes <= INLINE {
            return Ok(Self { inline: MaybeUninit::zeroed(), mapped: core::ptr::null_mut(), length, element: PhantomData });
        }
        const READ_WRITE: u64 = 3;
        const PRIVATE_ANONYMOUS: u64 = 0x22;
        // SAFETY: a new mapping at an address of the kernel's choosing.
        let at = unsafe { host::call(host::nr::MMAP, [0, bytes as u64, READ_WRITE, PRIVATE_ANONYMOUS, u64::MAX, 0]) }?;
        let at = usize::try_from(at).map_err(|_| Errno::ENOMEM)?;
        Ok(Self {
            inline: MaybeUninit::uninit(),
            mapped: core::ptr::with_exposed_provenance_mut(at),
            length,
            element: PhantomData,
        })
    }
}

impl<T> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        let start = if self.mapped.is_null() { self.inline.as_ptr().cast() } else { self.mapped.cast_const().cast() };
        // SAFETY: `zeroed` made room for `length` elements, and zeroes are a valid `T` (`FromZeros`).
        unsafe { core::slice::from_raw_parts(start, self.length) }
    }
}

impl<T> DerefMut for Buf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let start = if self.mapped.is_null() { self.inline.as_mut_ptr().cast() } else { self.mapped.cast() };
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(start, self.length) }
    }
}

impl<T> Drop for Buf<T> {
    fn drop(&mut self) {
        if !self.mapped.is_null() {
            let bytes = self.length * size_of::<T>();
            // SAFETY: the mapping is this value's own. Unmapping cannot fail, and there would be nothing to do about it.
            let _ = unsafe { host::call(host::nr::MUNMAP, [self.mapped.addr() as u64, bytes as u64]) };
        }
    }
}
