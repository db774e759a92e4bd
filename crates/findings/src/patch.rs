//! A repair that a program can make: files to create or to add to, and what is left to a person.

use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// What repairs one finding, in this order. All paths are below [`directory`](Self::directory).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Patch {
    /// What the lines that it adds to files are marked with. Findings with the same cause have the same patch.
    pub name: &'static str,
    /// The tree that it is for, or nothing where no file is changed. Not part of the formats: it may be no text, and a finding names its target.
    #[serde(skip)]
    pub directory: PathBuf,
    /// What to do.
    pub steps: Vec<Step>,
}

/// One step of a [`Patch`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Step {
    /// A file that is not there yet.
    Create {
        /// Where, below the tree.
        path: String,
        /// All of it.
        contents: String,
    },
    /// Lines at the end of a file, between two marks, so that they are added once. The file is created where there is none.
    Append {
        /// Where, below the tree.
        path: String,
        /// The lines without the marks. `#` begins a comment in that file.
        contents: String,
    },
    /// Lines of a kernel's configuration. Where a fragment belongs is the user's to say.
    Fragment {
        /// Such as `CONFIG_COMPAT=y`.
        contents: String,
    },
    /// A command for a person to type; biarch does not.
    Run {
        /// As it is typed, in the tree.
        command: String,
    },
    /// A word for the kernel's command line, which is in the boot loader's configuration.
    BootArgument {
        /// Such as `ia32_emulation=1`.
        argument: String,
    },
}

impl Patch {
    /// Begins the lines that [`Step::Append`] adds.
    #[must_use]
    pub fn mark(&self) -> String {
        format!("# >>> biarch {} >>>", self.name)
    }

    /// The lines of a [`Step::Append`] with the marks around them.
    #[must_use]
    pub fn block(&self, contents: &str) -> String {
        format!("{}\n{}\n# <<< biarch {} <<<\n", self.mark(), contents.trim_end_matches('\n'), self.name)
    }
}
