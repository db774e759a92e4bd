//! libtool does not link shared libraries with what they need on the new architecture
//!
//! # What
//! The libtool in configure has a list of the processors on which it links a shared library with others without looking at these, and the
//! new one is not on it. Such lists are in releases before 1.5, of 2003. It is only possible: most libraries are linked with none but the
//! system's. What configure has is not said of aclocal.m4 again.
//!
//! # Why
//! For what is not on the list it asks file(1) about each library, and takes today's answers for no: with the warning "linker path does not
//! have real file for library" the others are left out, and whoever links with the result has to name them. With `-no-undefined` only a
//! static library is made: its `.so` is not there afterwards, and programs fail to build or carry a copy.
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
use std::path::Path;

pub(super) const VISIT: Visit = Visit::File(look);

const PASS_ALL: &str = "deplibs_check_method=pass_all";

/// Whether what the list decides is decided again behind it, for every processor.
fn is_for_all(lines: &[(usize, &str)]) -> bool {
    let behind = lines.iter().map(|(_, line)| line.trim()).skip_while(|line| *line != "esac").skip(1);
    behind.take_while(|line| *line != ";;").any(|line| line.contains(PASS_ALL))
}

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if file.kind != FileKind::Configure || !file.text.contains("deplibs_check_method") {
        return;
    }
    let is_beside = |name: &str| file.tree.files().iter().any(|other| *other == Path::new(file.path).with_file_name(name));
    if file.name != "configure" && is_beside("configure") {
        return;
    }
    let wide = file.pair.sides[WIDE];
    let machine = wide.target.split('-').next().unwrap_or_default();
    let lines: Vec<(usize, &str)> = file.lines().collect();
    for (number, pair) in lines.windows(2).enumerate() {
        let [(at, list), (_, method)] = pair else { continue };
        let is_list = list.ends_with(')') && list.contains("i*86") && list.contains("sparc");
        if is_list && method.contains(PASS_ALL) && !list.contains(machine) && !is_for_all(&lines[number..]) {
            let message =
                format!("this libtool does not know how libraries are linked with others for {}", wide.name);
            let sides =
                ["shared libraries".to_owned(), "without the others, or static with -no-undefined".to_owned()];
            if let Some(hit) = found.add_text(file, (*at, at + list.len()), message, sides) {
                hit.confidence = Confidence::Possible;
            }
        }
    }
}
