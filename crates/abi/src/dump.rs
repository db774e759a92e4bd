//! What a core dump of the supervisor says of the guest in it, for `biarch core`: the kernel writes one of the 64-bit process, and the
//! registers of a thread that was in the supervisor are in its block.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Size and alignment of a thread's block in bytes.
pub const BLOCK: u64 = 512 * 1024;

/// Where in a block its description is: behind what every system call needs.
pub const OFFSET: u64 = 768;

/// In [`Description::magic`].
pub const MAGIC: u64 = u64::from_le_bytes(*b"biarch-d");

/// In [`Description::version`]: changes with every field here, and with every meaning.
pub const VERSION: u32 = 1;

/// Components of the extended state that a description knows: those of bits 0 to 7 of XCR0.
pub const COMPONENTS: usize = 8;

/// Where the processor's `xsave` puts a component of the extended state, in the form that is not compacted.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct Component {
    /// Offset in the image.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
}

/// What is in a thread's block at [`OFFSET`]: where in the block, and where in the process, things are. What is called an offset counts
/// from the beginning of the block.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct Description {
    /// [`MAGIC`].
    pub magic: u64,
    /// [`VERSION`].
    pub version: u32,
    /// Length of this structure in bytes.
    pub length: u32,
    /// The assembly that leads from the guest to the supervisor's Rust code and back: where it begins and ends.
    pub entry_text: [u64; 2],
    /// Where a system call returns to that the supervisor makes for the guest, whose registers are in the block then.
    pub call_return: u64,
    /// Where a system call on the fast path returns to, when all of the guest's registers but three are in the processor.
    pub fast_return: u64,
    /// The instructions below 4 GiB that lead to the supervisor: where they begin and end.
    pub low_pages: [u32; 2],
    /// Where those are that lead there from `__kernel_vsyscall`.
    pub stub: [u32; 2],
    /// Where `__kernel_vsyscall` returns.
    pub sysinfo_return: u32,
    /// The guest's auxiliary vector: its address, and its length in bytes.
    pub auxv: [u32; 2],
    /// Offset of the thread's id.
    pub tid: u32,
    /// Offset of the guest's registers, [`Registers`].
    pub registers: u32,
    /// Offset of a word that says whether these have the segment registers.
    pub segments_valid: u32,
    /// Offset of a word that says whether the floating-point and vector state is in the image instead of `vectors`.
    pub image_valid: u32,
    /// Offset and length of the image, as `xsave` writes it.
    pub image: [u32; 2],
    /// Offset of a word that says what `vectors` holds, bits of XCR0.
    pub vectors_in_use: u32,
    /// Offset of the first eight vector registers, of 64 bytes each, and the eight opmasks after them.
    pub vectors: u32,
    /// Offset of the signal handler's stack, and of its end.
    pub handler_stack: [u32; 2],
    /// Offset of a word that is not 0 while the thread sends itself a signal for its default action.
    pub passing: u32,
    /// Offset of the first of three thread-local areas.
    pub areas: u32,
    /// Length of one of them in bytes, and where in it are: its `struct user_desc`, a byte that says whether it is in use, and the
    /// LDT entry, of 16 bits, that stands for it.
    pub area: [u32; 4],
    /// The components that the supervisor saves, bits of XCR0.
    pub features: u32,
    /// Where they are in the image.
    pub components: [Component; COMPONENTS],
}

/// The guest's registers in a block. `cs` follows `eip` because together they are the far pointer of the jump back.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct Registers {
    /// `%eax`
    pub eax: u32,
    /// `%ebx`
    pub ebx: u32,
    /// `%ecx`
    pub ecx: u32,
    /// `%edx`
    pub edx: u32,
    /// `%esi`
    pub esi: u32,
    /// `%edi`
    pub edi: u32,
    /// `%ebp`
    pub ebp: u32,
    /// `%esp`
    pub esp: u32,
    /// `%eip`
    pub eip: u32,
    /// `%cs`
    pub cs: u16,
    /// `%ss`
    pub ss: u16,
    /// `%ds`
    pub ds: u16,
    /// `%es`
    pub es: u16,
    /// `%fs`
    pub fs: u16,
    /// `%gs`
    pub gs: u16,
    /// `%eflags`
    pub eflags: u32,
    /// The number of the system call that is being made, or -1.
    pub orig_eax: u32,
    /// Where to continue to make it again.
    pub restart_eip: u32,
}
