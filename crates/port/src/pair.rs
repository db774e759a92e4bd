//! What the source is moved from, and to.

use anyhow::{Result, bail};

/// An architecture, as compilers know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// What people call it.
    pub name: &'static str,
    /// clang's name for it.
    pub target: &'static str,
    /// Those of Debian's cross compilers, and of directories.
    pub triplet: &'static str,
    /// The bits of a pointer.
    pub bits: u32,
}

const I386: Abi = Abi { name: "i386", target: "i686-linux-gnu", triplet: "i386-linux-gnu", bits: 32 };
const ARMHF: Abi = Abi { name: "armhf", target: "arm-linux-gnueabihf", triplet: "arm-linux-gnueabihf", bits: 32 };
const X86_64: Abi = Abi { name: "x86-64", target: "x86_64-linux-gnu", triplet: "x86_64-linux-gnu", bits: 64 };
const ARM64: Abi = Abi { name: "arm64", target: "aarch64-linux-gnu", triplet: "aarch64-linux-gnu", bits: 64 };

/// From which 32-bit architecture to which 64-bit one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// That of 32 bits, then that of 64.
    pub sides: [Abi; 2],
}

/// The position of the 32-bit side in whatever has one of each.
pub(crate) const NARROW: usize = 0;
/// That of the 64-bit side.
pub(crate) const WIDE: usize = 1;

impl Pair {
    /// All that there are, the first for whoever names none.
    pub const ALL: [Self; 4] = [
        Self { sides: [I386, X86_64] },
        Self { sides: [ARMHF, ARM64] },
        Self { sides: [I386, ARM64] },
        Self { sides: [ARMHF, X86_64] },
    ];

    /// As it is written on the command line.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}:{}", self.sides[NARROW].name, self.sides[WIDE].name)
    }

    /// The pair of this name.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn parse(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|pair| pair.name() == name);
        match found {
            Some(pair) => Ok(pair),
            None => bail!("no pair {name}; there are {}", Self::ALL.map(Self::name).join(", ")),
        }
    }
}
