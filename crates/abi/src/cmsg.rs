//! Control messages, cmsg(3): what travels beside a message of sendmsg(2) and recvmsg(2).
//!
//! A control message is a head (`struct cmsghdr`: 12 bytes in the guest, 16 on the host) and a payload, padded to 4 bytes in
//! the guest and to 8 on the host. Payloads are the same on both sides, but for the timestamps of the options with 32-bit
//! times. The conversions are those of the kernel's `net/compat.c`; they take slices and give slices, and reach nothing else.

use crate::Errno;
use crate::scalar::Signed as _;

/// Bytes of the head in the guest.
const HEAD32: usize = 12;
/// Bytes of the head on the host.
const HEAD64: usize = 16;

/// Level of the messages that every kind of socket knows.
pub const SOL_SOCKET: i32 = 1;
/// File descriptors, unix(7).
pub const SCM_RIGHTS: i32 = 1;
/// A descriptor of the sender's process, unix(7).
pub const SCM_PIDFD: i32 = 4;
/// `struct timeval`, socket(7).
pub const SO_TIMESTAMP_OLD: i32 = 29;
/// `struct timespec`, socket(7).
pub const SO_TIMESTAMPNS_OLD: i32 = 35;
/// Three of `struct timespec` (`Documentation/networking/timestamping.rst`).
pub const SO_TIMESTAMPING_OLD: i32 = 37;

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..value.len())) {
        place.copy_from_slice(value);
    }
}

/// One message of the guest's control buffer.
struct Guest32<'a> {
    level_and_type: &'a [u8],
    payload: &'a [u8],
}

/// The messages in a guest's control buffer, as `cmsghdr_from_user_compat_to_kern` walks them.
struct Walk<'a> {
    control: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Result<Guest32<'a>, Errno>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.control.len() {
            return None;
        }
        let rest = &self.control[self.at..];
        let length = word(rest, 0).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        // `CMSG_COMPAT_OK`: at least a head, and no more than there is.
        let (Some(level_and_type), Some(payload)) = (rest.get(4..HEAD32), rest.get(HEAD32..length)) else {
            self.at = self.control.len();
            return Some(Err(Errno::EINVAL));
        };
        self.at = self.at.saturating_add(length.next_multiple_of(4));
        Some(Ok(Guest32 { level_and_type, payload }))
    }
}

/// How many bytes [`widen`] writes for this control buffer of the guest.
///
/// # Errors
/// `EINVAL` where a message is shorter than its head or longer than the buffer, and where there is no message.
pub fn widened_length(control: &[u8]) -> Result<usize, Errno> {
    if control.len() < HEAD32 {
        return Err(Errno::EINVAL);
    }
    let mut total = 0;
    for message in (Walk { control, at: 0 }) {
        total += (HEAD64 + message?.payload.len()).next_multiple_of(8);
    }
    Ok(total)
}

/// Converts a guest's control buffer for sendmsg(2); `host` must have the length that [`widened_length`] gave.
///
/// # Errors
/// Those of [`widened_length`].
pub fn widen(control: &[u8], host: &mut [u8]) -> Result<(), Errno> {
    let mut at = 0;
    for message in (Walk { control, at: 0 }) {
        let message = message?;
        let length = HEAD64 + message.payload.len();
        put(host, at, &(length as u64).to_ne_bytes());
        put(host, at + 8, message.level_and_type);
        put(host, at + HEAD64, message.payload);
        at += length.next_multiple_of(8);
    }
    Ok(())
}

/// How much room the host's kernel must have so that everything that a guest's buffer of `length` bytes has room for arrives:
/// no message grows to more than twice its size.
///
/// Where only descriptors arrive this admits more of them than the guest has room for, and [`narrow`] hands back the rest.
#[must_use]
pub fn host_capacity(length: usize) -> usize {
    if length < HEAD32 { 0 } else { length.saturating_mul(2).saturating_add(64) }
}

/// What [`narrow`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// Bytes written to the guest's buffer: the new `msg_controllen`.
    pub length: usize,
    /// Whether something did not fit: `MSG_CTRUNC`.
    pub truncated: bool,
}

/// Hands every descriptor in what recvmsg(2) put into the host's control buffer to `each`.
pub fn descriptors_in(host: &[u8], each: &mut dyn FnMut(i32)) {
    narrow(host, &mut [], each);
}

/// Converts what recvmsg(2) put into the host's control buffer, as `put_cmsg_compat` and `scm_detach_fds_compat` would have
/// filled the guest's. Descriptors for which there is no room are handed to `lost`, which closes them.
pub fn narrow(host: &[u8], guest: &mut [u8], lost: &mut dyn FnMut(i32)) -> Narrowed {
    let mut out = Narrowed { length: 0, truncated: false };
    let mut at = 0;
    while let Some(length) = long(host, at) {
        let Ok(length) = usize::try_from(length) else { break };
        let Some(message) = host.get(at..).and_then(|rest| rest.get(..length)) else { break };
        let (Some(head), Some(payload)) = (message.get(8..HEAD64), message.get(HEAD64..)) else { break };
        at = at.saturating_add(length.next_multiple_of(8));
        let level = word(head, 0).unwrap_or(0).signed();
        let kind = word(head, 4).unwrap_or(0).signed();
        match (level, kind) {
            (SOL_SOCKET, SCM_RIGHTS) => narrow_rights(head, payload, guest, &mut out, lost),
            (SOL_SOCKET, SCM_PIDFD) if guest.len() - out.length < HEAD32 + 4 => {
                descriptors(payload).for_each(&mut *lost);
                out.truncated = true;
            }
            (SOL_SOCKET, SO_TIMESTAMP_OLD | SO_TIMESTAMPNS_OLD | SO_TIMESTAMPING_OLD) => {
                let mut words = [0; 24];
                let mut have = 0;
                for (long, word) in payload.chunks_exact(8).zip(words.chunks_exact_mut(4)) {
                    // Little-endian: the low half comes first, and the kernel cuts what does not fit.
                    word.copy_from_slice(&long[..4]);
                    have += 4;
                }
                put_message(head, &words[..have], guest, &mut out);
            }
            _ => put_message(head, payload, guest, &mut out),
        }
    }
    out
}

/// `put_cmsg_compat`: cuts the payload where the room ends.
fn put_message(head: &[u8], payload: &[u8], guest: &mut [u8], out: &mut Narrowed) {
    let room = &mut guest[out.length..];
    if room.len() < HEAD32 {
        out.truncated = true;
        return;
    }
    let whole = HEAD32 + payload.len();
    let length = whole.min(room.len());
    out.truncated |= length < whole;
    put(room, 0, &u32::try_from(length).unwrap_or(u32::MAX).to_ne_bytes());
    put(room, 4, head);
    put(room, HEAD32, &payload[..length - HEAD32]);
    out.length += whole.next_multiple_of(4).min(room.len());
}

/// `scm_detach_fds_compat`: as many whole descriptors as fit, and no message at all where none does.
fn narrow_rights(head: &[u8], payload: &[u8], guest: &mut [u8], out: &mut Narrowed, lost: &mut dyn FnMut(i32)) {
    let room = (guest.len() - out.length).saturating_sub(HEAD32) / 4;
    let fit = room.min(payload.len() / 4);
    if fit > 0 {
        put_message(head, &payload[..fit * 4], guest, out);
    }
    out.truncated |= fit * 4 < payload.len();
    descriptors(&payload[fit * 4..]).for_each(lost);
}

fn descriptors(payload: &[u8]) -> impl Iterator<Item = i32> + '_ {
    payload.chunks_exact(4).filter_map(|bytes| bytes.first_chunk().map(|bytes| i32::from_ne_bytes(*bytes)))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    /// A control message as the kernel is about to put it.
    #[derive(Clone, Debug)]
    struct Message {
        level: i32,
        kind: i32,
        payload: Vec<u8>,
    }

    /// `put_cmsg` and `scm_detach_fds` of a 64-bit task: what the host's kernel leaves in a buffer of `capacity` bytes, and
    /// whether it sets `MSG_CTRUNC`.
    fn kernel64(messages: &[Message], capacity: usize) -> (Vec<u8>, bool) {
        let (mut buffer, mut truncated) = (vec![], false);
        for message in messages {
            let room = capacity - buffer.len();
            let mut payload = message.payload.clone();
            if (message.level, message.kind) == (SOL_SOCKET, SCM_RIGHTS) {
                let fit = (room.saturating_sub(16) / 4).min(payload.len() / 4);
                truncated |= fit < payload.len() / 4;
                payload.truncate(fit * 4);
                if fit == 0 {
                    continue;
                }
            } else if room < 16 {
                truncated = true;
                continue;
            }
            let length = (16 + payload.len()).min(room);
            truncated |= length < 16 + payload.len();
            let space = (16 + payload.len()).next_multiple_of(8).min(room);
            let start = buffer.len();
            buffer.extend((length as u64).to_ne_bytes());
            buffer.extend(message.level.to_ne_bytes());
            buffer.extend(message.kind.to_ne_bytes());
            buffer.extend(&payload[..length - 16]);
            buffer.resize(start + space, 0);
        }
        (buffer, truncated)
    }

    /// What the kernel would have given a 32-bit task, written from `net/compat.c` and on its own.
    fn kernel32(messages: &[Message], capacity: usize) -> (Vec<u8>, bool) {
        let (mut buffer, mut truncated) = (vec![], false);
        for message in messages {
            let room = capacity - buffer.len();
            let mut payload = message.payload.clone();
            match (message.level, message.kind) {
                (SOL_SOCKET, SCM_RIGHTS) => {
                    let count = payload.len() / 4;
                    let most = if room <= 12 { 0 } else { (room - 12) / 4 };
                    truncated |= most < count;
                    payload.truncate(most.min(count) * 4);
                    if payload.is_empty() {
                        continue;
                    }
                }
                (SOL_SOCKET, 29 | 35 | 37) => payload = payload.chunks(8).flat_map(|long| long[..4].to_vec()).collect(),
                _ => {}
            }
            if room < 12 {
                truncated = true;
                continue;
            }
            let length = (12 + payload.len()).min(room);
            truncated |= length < 12 + payload.len();
            let start = buffer.len();
            buffer.extend(u32::try_from(length).unwrap().to_ne_bytes());
            buffer.extend(message.level.to_ne_bytes());
            buffer.extend(message.kind.to_ne_bytes());
            buffer.extend(&payload[..length - 12]);
            buffer.resize(start + (12 + payload.len()).next_multiple_of(4).min(room), 0);
        }
        (buffer, truncated)
    }

    fn message() -> impl Strategy<Value = Message> {
        prop_oneof![
            prop::collection::vec(3..1000i32, 1..64)
                .prop_map(|fds| (SCM_RIGHTS, fds.into_iter().flat_map(i32::to_ne_bytes).collect::<Vec<u8>>())),
            prop::collection::vec(any::<u8>(), 12).prop_map(|payload| (2, payload)),
            (prop_oneof![Just(29), Just(35)], prop::collection::vec(any::<u8>(), 16)),
            prop::collection::vec(any::<u8>(), 48).prop_map(|payload| (37, payload)),
        ]
        .prop_map(|(kind, payload)| Message { level: SOL_SOCKET, kind, payload })
        .boxed()
        .prop_union(
            (0..200i32, 5..60i32, prop::collection::vec(any::<u8>(), 0..70))
                .prop_filter("timestamps are above", |(level, ..)| *level != SOL_SOCKET)
                .prop_map(|(level, kind, payload)| Message { level, kind, payload })
                .boxed(),
        )
    }

    proptest! {
        /// The detour through the host's buffer gives what the kernel gives a 32-bit task, byte for byte, and every descriptor
        /// is either in the guest's buffer or handed back.
        #[test]
        fn received_as_from_the_compat_kernel(
            mut messages in prop::collection::vec(message(), 0..6),
            capacity in prop_oneof![0..24usize, 0..400usize],
        ) {
            // The kernel puts descriptors once, behind everything but the sender's pidfd, which needs room for a descriptor too
            // (`scm_recv_unix` in net/core/scm.c): where none fits in the guest's buffer they keep nothing else out of the host's.
            let is_rights = |message: &Message| (message.level, message.kind) == (SOL_SOCKET, SCM_RIGHTS);
            messages.sort_by_key(is_rights);
            messages.dedup_by(|one, other| is_rights(one) && is_rights(other));
            let (host, truncated64) = kernel64(&messages, host_capacity(capacity));
            let (expected, truncated32) = kernel32(&messages, capacity);
            let mut guest = vec![0; capacity];
            let mut lost = 0;
            let narrowed = narrow(&host, &mut guest, &mut |_| lost += 1);
            prop_assert_eq!(&guest[..narrowed.length], &expected[..]);
            prop_assert_eq!(narrowed.truncated || truncated64, truncated32);
            let count = |buffer: &[u8], head: usize, align: usize| {
                let (mut at, mut total) = (0, 0);
                while at + head <= buffer.len() {
                    let length = word(buffer, at).unwrap() as usize;
                    if [at + head - 8, at + head - 4].iter().all(|&place| word(buffer, place) == Some(1)) {
                        total += (length - head) / 4;
                    }
                    at += length.next_multiple_of(align);
                }
                total
            };
            prop_assert_eq!(count(&guest[..narrowed.length], 12, 4) + lost, count(&host, 16, 8));
        }

        /// Whatever a guest writes, nothing panics, and what is accepted is a chain of well-formed messages with the same
        /// payloads.
        #[test]
        fn anything_may_be_sent(mut control in prop::collection::vec(any::<u8>(), 0..200), lengths in prop::collection::vec(0..40u32, 20)) {
            // Random bytes hardly ever make a plausible length: plant some.
            let mut at = 0;
            for length in lengths {
                put(&mut control, at, &length.to_ne_bytes());
                at += (length as usize).next_multiple_of(4).max(4);
            }
            if let Ok(length) = widened_length(&control) {
                let mut host = vec![0xee; length];
                widen(&control, &mut host).unwrap();
                let (mut at, mut from) = (0, 0);
                while at < host.len() {
                    let wide = usize::try_from(long(&host, at).unwrap()).unwrap();
                    let small = word(&control, from).unwrap() as usize;
                    prop_assert_eq!(wide - 16, small - 12);
                    prop_assert_eq!(&host[at + 8..at + wide][..8], &control[from + 4..from + 12]);
                    prop_assert_eq!(&host[at + 16..at + wide], &control[from + 12..from + small]);
                    at += wide.next_multiple_of(8);
                    from += small.next_multiple_of(4);
                }
                prop_assert!(from >= control.len());
            }
        }

        /// Nor does a host buffer that no kernel would write.
        #[test]
        fn anything_may_be_received(host in prop::collection::vec(any::<u8>(), 0..200), capacity in 0..200usize, plant in 0..64u64) {
            let mut host = host;
            put(&mut host, 0, &plant.to_ne_bytes());
            let mut guest = vec![0; capacity];
            let narrowed = narrow(&host, &mut guest, &mut |_| {});
            prop_assert!(narrowed.length <= capacity);
        }
    }

    #[test]
    fn a_buffer_without_a_message_is_refused() {
        assert_eq!(widened_length(&[0; 11]), Err(Errno::EINVAL));
        assert_eq!(widened_length(&[0; 12]), Err(Errno::EINVAL));
        let mut control = [0; 12];
        put(&mut control, 0, &12u32.to_ne_bytes());
        assert_eq!(widened_length(&control), Ok(16));
        // One byte after the last message is read as the length of another (`cmsg_compat_nxthdr`).
        let mut control = [0; 13];
        put(&mut control, 0, &12u32.to_ne_bytes());
        assert_eq!(widened_length(&control), Err(Errno::EINVAL));
    }

    #[test]
    fn a_pidfd_that_does_not_fit_is_handed_back() {
        let (host, _) = kernel64(&[Message { level: 1, kind: SCM_PIDFD, payload: vec![7, 0, 0, 0] }], 64);
        let mut lost = vec![];
        let narrowed = narrow(&host, &mut [0; 15], &mut |fd| lost.push(fd));
        assert_eq!((narrowed, lost), (Narrowed { length: 0, truncated: true }, vec![7]));
    }
}
