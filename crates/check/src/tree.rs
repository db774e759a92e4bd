//! A build tree as rules see it: what its files say about the kernel and about 32-bit programs, and where they say it.

use crate::facts::Kernel;
use std::path::PathBuf;

/// What a tree belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// A build directory of Yocto or OpenEmbedded.
    Yocto,
    /// A layer of Yocto or OpenEmbedded, or a directory with some.
    Layer,
    /// Buildroot: its source, an output directory, or an external tree.
    Buildroot,
    /// A PTXdist project.
    Ptxdist,
    /// Armbian's build tree.
    Armbian,
    /// A kernel: its source, or the directory it is built in.
    Kernel,
}

impl System {
    /// For a person.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yocto => "Yocto build directory",
            Self::Layer => "Yocto layer",
            Self::Buildroot => "Buildroot tree",
            Self::Ptxdist => "PTXdist project",
            Self::Armbian => "Armbian build tree",
            Self::Kernel => "kernel tree",
        }
    }
}

/// What a line of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// `conf/local.conf:12`, from the tree
    pub place: String,
    /// The line, or what matters of it.
    pub text: String,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// What a fragment of a kernel configuration says about an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The option without `CONFIG_`.
    pub option: String,
    /// Whether it is turned on.
    pub on: bool,
    /// Where.
    pub said: Said,
}

/// The prefix of the 32-bit compiler that the kernel is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Where it is set.
    pub said: Said,
    /// The name of a compiler that is not there; nothing where there is one, or where it cannot be known before the build.
    pub missing: Option<String>,
}

/// Variants of a Yocto build for another ABI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multilib {
    /// `lib32`
    pub variant: String,
    /// Its `DEFAULTTUNE`, where there is one.
    pub tune: Option<Said>,
    /// Whether that is a tune of 32-bit ARM.
    pub arm: bool,
}

/// One build tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// As it was given.
    pub name: String,
    /// The directory.
    pub path: PathBuf,
    /// What it belongs to.
    pub system: System,
    /// What says that its kernel is for AArch64; nothing where it is not, or where it is not known.
    pub arm64: Option<Said>,
    /// What says that it makes 32-bit ARM programs, or an image with some.
    pub narrow: Vec<Said>,
    /// What gives the kernel build `CROSS_COMPILE_COMPAT`.
    pub compat: Option<Prefix>,
    /// `CROSS_COMPILE_COMPAT_VDSO` is set, which only Linux 5.3 reads.
    pub outdated: Option<Said>,
    /// What builds the kernel with clang.
    pub clang: Option<Said>,
    /// What links it with LLD.
    pub lld: Option<Said>,
    /// Fragments of kernel configurations that the tree uses.
    pub fragments: Vec<Fragment>,
    /// Yocto: its multilibs.
    pub multilibs: Vec<Multilib>,
    /// Yocto: where conf/multilib.conf is included.
    pub multilib_conf: Option<Said>,
    /// Yocto: where packages of a multilib are put into the image, and the variant's name.
    pub multilib_packages: Vec<(String, Said)>,
    /// Yocto: an override in the syntax of before 3.4, where the tree is newer.
    pub old_override: Option<Said>,
    /// Yocto: what takes the 64-bit `time_t` from 32-bit programs, or the test that looks for it.
    pub time32: Vec<Said>,
    /// The prefix of a 32-bit ARM compiler of this machine, or Debian's.
    pub arm_prefix: String,
    /// Files that the fix adds to; their paths are from the tree.
    pub places: Vec<String>,
    /// Files that were searched for all this.
    pub searched: usize,
}

impl Tree {
    /// A tree about which nothing is known yet.
    #[must_use]
    pub fn new(name: String, path: PathBuf, system: System) -> Self {
        Self {
            name,
            path,
            system,
            arm64: None,
            narrow: Vec::new(),
            compat: None,
            outdated: None,
            clang: None,
            lld: None,
            fragments: Vec::new(),
            multilibs: Vec::new(),
            multilib_conf: None,
            multilib_packages: Vec::new(),
            old_override: None,
            time32: Vec::new(),
            arm_prefix: String::new(),
            places: Vec::new(),
            searched: 0,
        }
    }

    /// What it is, in one line.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = format!("{}; {} files read", self.system.name(), self.searched);
        if let Some(said) = &self.arm64 {
            text.push_str(&format!("; for AArch64 ({said})"));
        }
        if let Some(multilib) = self.arm_multilib() {
            text.push_str(&format!("; {} is for 32-bit ARM", multilib.variant));
        }
        text
    }

    /// Whether this kernel was found in it.
    #[must_use]
    pub fn has(&self, kernel: &Kernel) -> bool {
        kernel.name.strip_prefix(self.name.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether a fragment turns this option off; the last one counts.
    #[must_use]
    pub fn turned_off(&self, option: &str) -> Option<&Said> {
        let last = self.fragments.iter().rfind(|fragment| fragment.option == option)?;
        (!last.on).then_some(&last.said)
    }

    /// The first variant that is for 32-bit ARM and takes effect.
    #[must_use]
    pub fn arm_multilib(&self) -> Option<&Multilib> {
        self.multilib_conf.as_ref()?;
        self.multilibs.iter().find(|multilib| multilib.arm)
    }
}
