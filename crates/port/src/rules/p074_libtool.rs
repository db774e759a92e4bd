//! libtool makes no shared libraries for the new architecture
//!
//! # What
//! The libtool in configure has a list of the processors on which it knows how Linux links shared libraries, and the new one is not on
//! it. Such lists are in releases before 1.5, of 2003.
//!
//! # Why
//! What is not on the list is built static, with the warning "linker path does not have real file for library": the library's `.so` is
//! not there afterwards, and programs that are linked with it fail to build or carry a copy.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: aclocal.m4
//! linux-gnu*)
//!   case $host_cpu in
//!   alpha* | hppa* | i*86 | powerpc* | sparc* | ia64* )
//!     lt_cv_deplibs_check_method=pass_all ;;
//!   esac
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: aclocal.m4
//! linux* | k*bsd*-gnu)
//!   lt_cv_deplibs_check_method=pass_all
//!   ;;
//! ```
//!
//! # Fix
//! `autoreconf -fi` with a libtool of this century; Debian's packages do it by dh_autoreconf.
//!
//! # References
//! - CWE-1105
//! - <https://wiki.debian.org/Autoreconf>

use super::{Found, Visit};
use crate::files::{File, FileKind};
use crate::pair::WIDE;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if file.kind != FileKind::Configure || !file.text.contains("deplibs_check_method") {
        return;
    }
    let wide = file.pair.sides[WIDE];
    let machine = wide.target.split('-').next().unwrap_or_default();
    let lines: Vec<(usize, &str)> = file.lines().collect();
    for pair in lines.windows(2) {
        let [(at, list), (_, method)] = pair else { continue };
        let is_list = list.ends_with(')') && list.contains("i*86") && list.contains("sparc");
        if is_list && method.contains("deplibs_check_method=pass_all") && !list.contains(machine) {
            let message = format!("this libtool links no shared libraries for {}: it is not on its list of processors", wide.name);
            let sides = ["shared and static libraries".to_owned(), "static libraries".to_owned()];
            if let Some(hit) = found.add_text(file, (*at, at + list.len()), message, sides) {
                hit.confidence = Confidence::Certain;
            }
        }
    }
}
