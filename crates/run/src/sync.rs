//! A lock that needs neither a heap nor thread-local storage: a futex word.

use crate::host;
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, Ordering};

/// 0: free, 1: held, 2: held and waited for.
pub(crate) struct Lock<T> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only by the holder.
unsafe impl<T: Send> Sync for Lock<T> {}

const FUTEX_WAIT_PRIVATE: u64 = 128;
const FUTEX_WAKE_PRIVATE: u64 = 129;

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    /// Looks at the value without the lock.
    ///
    /// # Safety
    /// `look` must be sound while another thread writes.
    pub(crate) unsafe fn peek<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
        look(self.value.get())
    }

    /// Frees the lock, in a child whose other threads are not there any more.
    pub(crate) fn release(&self) {
        self.state.store(0, Ordering::Release);
    }

    /// Waits for the lock. A signal that arrives meanwhile is put off until the handler returns to the guest, so a holder is
    /// never interrupted by something that needs the lock.
    pub(crate) fn lock(&self) -> Held<'_, T> {
        if self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.state.swap(2, Ordering::Acquire) != 0 {
                // SAFETY: the word outlives the call. A spurious return is fine: the loop looks again.
                let _ = unsafe { host::call(host::nr::FUTEX, [host::addr(&self.state), FUTEX_WAIT_PRIVATE, 2, 0]) };
            }
        }
        Held { lock: self }
    }
}

/// The lock is held as long as this value lives.
pub(crate) struct Held<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Deref for Held<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}
impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held, and `self` is borrowed exclusively.
        unsafe { &mut *self.lock.value.get() }
    }
}
impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        if self.lock.state.swap(0, Ordering::Release) == 2 {
            // SAFETY: waking touches no memory.
            let _ = unsafe { host::call(host::nr::FUTEX, [host::addr(&self.lock.state), FUTEX_WAKE_PRIVATE, 1]) };
        }
    }
}
