//! A script knows the machine's name only as it was for 32 bits
//!
//! # What
//! A script or build file looks at `uname -m` or at configure's `$host_cpu`, lists `i?86` or `arm*`, and not what the new architecture is
//! called: `x86_64`, `aarch64`.
//!
//! # Why
//! The new machine is taken for none that is known: the script stops, or takes options for no processor in particular, without what the
//! old one had.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: build.sh
//! case `uname -m` in
//!     i?86) flags=-DLITTLE ;;
//!     sparc) flags=-DBIG ;;
//!     *) echo "unknown machine"; exit 1 ;;
//! esac
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: build.sh
//! case `uname -m` in
//!     i?86 | x86_64) flags=-DLITTLE ;;
//!     sparc) flags=-DBIG ;;
//!     *) echo "unknown machine"; exit 1 ;;
//! esac
//! ```
//!
//! # Fix
//! Add the new name: `x86_64` (and `amd64`, as the BSDs say), `aarch64` (and `arm64`). Better ask the compiler: `__BYTE_ORDER__`,
//! `__SIZEOF_LONG__`; `uname` tells of the machine that builds.
//!
//! # References
//! - CWE-1105
//! - uname(1)

use super::{Found, Visit};
use crate::files::{File, FileKind};
use crate::pair::{NARROW, WIDE};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

/// A `case` of more lines is about something else.
const LINES: usize = 60;

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if !matches!(file.kind, FileKind::Script | FileKind::Build) {
        return;
    }
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    let old: &[&str] = if narrow == "i386" { &["i?86", "i*86", "i[3", "i386", "i486", "i686", "x86)"] } else { &["arm*", "armv", "arm)", "arm|", "arm |"] };
    let new: &[&str] = if wide == "x86-64" { &["x86_64", "amd64", "x86-64", "*86*", "*64", "?86*"] } else { &["aarch64", "arm64", "*64"] };
    let lines: Vec<(usize, &str)> = file.lines().collect();
    for (number, (_, line)) in lines.iter().enumerate() {
        let code = line.trim_start();
        let about = ["uname", "host_cpu", "target_cpu", "build_cpu", "UNAME_M", "MACHINE"].iter().any(|word| code.contains(word));
        if !code.starts_with("case ") || !about {
            continue;
        }
        let block: Vec<&(usize, &str)> = lines[number..].iter().take(LINES).take_while(|(_, line)| line.trim() != "esac").collect();
        // `$host` has the system as well: `i?86-*-linux*`.
        let is_pattern = |line: &str| line.split('#').next().is_some_and(|line| line.contains(')'));
        let patterns = block.iter().skip(1).filter(|(_, line)| is_pattern(line));
        let listed = patterns.clone().find(|(_, line)| old.iter().any(|name| line.contains(name)));
        let known = patterns.clone().any(|(_, line)| new.iter().any(|name| line.contains(name)));
        let (Some((at, line)), false) = (listed, known) else { continue };
        let otherwise = block.iter().skip_while(|(_, line)| !line.trim_start().starts_with("*)"));
        let stops = otherwise.take(6).any(|(_, line)| ["exit", "AC_MSG_ERROR", "error"].iter().any(|word| line.contains(word)));
        let message = format!("{wide} is not on this list of machines, {narrow} is");
        let sides = [format!("{narrow}: {}", line.trim()), if stops { "it stops" } else { "no line is for it" }.to_owned()];
        let start = at + line.len() - line.trim_start().len();
        if let Some(hit) = found.add_text(file, (start, at + line.len()), message, sides) {
            hit.confidence = if stops { Confidence::Certain } else { Confidence::Possible };
        }
    }
}
