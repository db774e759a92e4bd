//! A script knows the machine's name only as it was for 32 bits
//!
//! # What
//! A script or build file looks at `uname -m`, at configure's `$host_cpu`, at `$(ARCH)` and the like, lists `i?86` or `arm*`, and not what
//! the new architecture is called: `x86_64`, `aarch64`. So does a condition of make, CMake or Meson that asks for the old one alone.
//!
//! # Why
//! The new machine is taken for none that is known: the script stops, or takes options for no processor in particular, without what the
//! old one had. A variable that is only set for the old one is empty. Where there is another branch for all others, it is only possible
//! that something is wrong.
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
//! // file: rules.mk
//! ifeq ($(ARCH),i686)
//! OBJS = copy86.o
//! else
//! $(error no rules for $(ARCH))
//! endif
//! program: $(OBJS)
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
//! // file: rules.mk
//! ifeq ($(ARCH),i686)
//! OBJS = copy86.o
//! else
//! ifneq (,$(filter x86_64 amd64,$(ARCH)))
//! OBJS = copy.o
//! else
//! $(error no rules for $(ARCH))
//! endif
//! endif
//! program: $(OBJS)
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
use crate::conditions::{self, Group};
use crate::files::{File, FileKind, words};
use crate::pair::{NARROW, WIDE};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

/// The words that stop a script or a build: `-Werror` does not.
const STOPS: [&str; 4] = ["exit", "AC_MSG_ERROR", "FATAL_ERROR", "error"];

fn stops(line: &str) -> bool {
    words(line).any(|word| STOPS.contains(&word))
}

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if !matches!(file.kind, FileKind::Script | FileKind::Build) {
        return;
    }
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    // Nearly all files name no machine: every name of the old one has one of these in it.
    let parts = if narrow == "i386" { ["86", "ia32", "IA32"] } else { ["arm", "Arm", "ARM"] };
    if !parts.iter().any(|part| file.text.contains(part)) {
        return;
    }
    let own = conditions::machine_variables(file);
    // What a file makes of the name first, `sed -e s/x86_64/i386/`, is not the machine's any more.
    let is_renamed = file.lines().any(|(_, line)| {
        let changes = ["sed ", "subst", "//"].iter().any(|word| line.contains(word));
        changes && names(conditions::code(line), wide) && (names(line, narrow) || conditions::asks_for_machine(line, &own))
    });
    if !is_renamed {
        cases(file, &own, found);
        ifs(file, &own, found);
    }
}

/// Whether one of the words is a machine's name of this architecture.
fn names(text: &str, abi: &str) -> bool {
    conditions::words(text).any(|word| conditions::is_machine(word, abi))
}

/// What is in the patterns of a `case` for an architecture, and which words are such a pattern.
fn patterns(abi: &str) -> [&'static [&'static str]; 2] {
    match abi {
        "i386" => [&["i?86", "i*86", "i[3", "i386", "i486", "i586", "i686"], &["x86"]],
        "armhf" => [&["arm*", "armv"], &["arm"]],
        "x86-64" => [&["x86_64", "amd64", "x86-64"], &["*86*", "*64", "?86*"]],
        _ => [&["aarch64", "arm64"], &["*64"]],
    }
}

/// How many `case` begin in this line, less those that end.
fn opened(line: &str) -> i32 {
    let mut before = "";
    let mut count = 0;
    for word in conditions::code(line).split_whitespace() {
        let begins = before.is_empty() || before.ends_with([')', ';']) || ["then", "else", "do"].contains(&before);
        count += i32::from(word == "case" && begins);
        count -= i32::from(word.split(|c: char| !c.is_ascii_alphanumeric()).next() == Some("esac") && begins);
        before = word;
    }
    count
}

fn cases(file: &File<'_>, own: &[&str], found: &mut Found<'_>) {
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    let lines: Vec<(usize, &str)> = file.lines().collect();
    for (number, (_, line)) in lines.iter().enumerate() {
        let code = line.trim_start();
        let about = ["host_cpu", "target_cpu", "build_cpu", "UNAME_M", "MACHINE"].iter().any(|word| code.contains(word));
        if opened(line) <= 0 || !about && !conditions::asks_for_machine(code, own) {
            continue;
        }
        let mut depth = 0;
        let block: Vec<&(usize, &str)> = lines[number..]
            .iter()
            .take_while(|(_, line)| {
                depth += opened(line);
                depth > 0
            })
            .collect();
        let is_for = |line: &str, abi: &str| {
            let [parts, whole] = patterns(abi);
            let mut branches = conditions::code(line).split(";;").filter_map(|branch| branch.split_once(')'));
            branches.any(|(pattern, _)| {
                // `$host` has the system as well: `i?86-*-linux*`.
                let mut machines = conditions::words(pattern).filter_map(|word| word.split('-').next());
                parts.iter().any(|part| pattern.contains(part)) || machines.any(|machine| whole.contains(&machine))
            })
        };
        let branches = block.iter().skip(1);
        let listed = branches.clone().find(|(_, line)| is_for(line, narrow));
        let known = branches.clone().any(|(_, line)| is_for(line, wide));
        let (Some((at, line)), false) = (listed, known) else { continue };
        let mut otherwise = branches.skip_while(|(_, line)| !line.trim_start().starts_with("*)"));
        // To the end of the branch for all others.
        let mut is_over = false;
        let stops = otherwise.any(|(_, line)| {
            let stops = !is_over && stops(conditions::code(line));
            is_over |= line.contains(";;");
            stops
        });
        let message = format!("{wide} is not on this list of machines, {narrow} is");
        let sides = [format!("{narrow}: {}", line.trim()), if stops { "it stops" } else { "no line is for it" }.to_owned()];
        let start = at + line.len() - line.trim_start().len();
        if let Some(hit) = found.add_text(file, (start, at + line.len()), message, sides) {
            hit.confidence = if stops { Confidence::Certain } else { Confidence::Possible };
        }
    }
}

fn ifs(file: &File<'_>, own: &[&str], found: &mut Found<'_>) {
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    let asks = |condition: &str| conditions::asks_for_machine(condition, own);
    let groups = conditions::groups(file.text);
    let is_asked_elsewhere = groups.iter().flat_map(Group::conditions).any(|condition| asks(condition) && names(condition, wide))
        || file.lines().any(|(_, line)| line.trim_start().starts_with(wide_case(wide)));
    for group in &groups {
        let about = |condition: &&str| asks(condition) && names(condition, narrow);
        let Some(listed) = group.conditions().find(about) else { continue };
        // In what is asked inside, or in the name of a file for it, somebody has thought of the new one.
        let known = group.conditions().any(conditions::is_negative)
            || group.conditions().any(|condition| names(condition, wide))
            || group.otherwise.iter().flatten().any(|line| names(line, wide) || words(line).any(|word| conditions::is_machine(word, wide)));
        if known {
            continue;
        }
        let stops = group.otherwise.iter().flatten().find(|line| stops(line));
        let empty = only_here(file, group);
        if stops.is_none() && is_asked_elsewhere {
            continue;
        }
        let message = format!("this asks for {narrow}, and nothing is said of {wide}");
        let there = match (stops, empty, &group.otherwise) {
            (Some(line), ..) => format!("it stops: {}", line.trim()),
            (None, Some(name), _) => format!("`{name}` is empty"),
            (None, None, Some(_)) => "it is one of all others".to_owned(),
            (None, None, None) => "nothing of it is done".to_owned(),
        };
        let end = file.text[group.at..].find('\n').map_or(file.text.len(), |length| group.at + length);
        let place = (group.at, group.at + file.text[group.at..end].trim_end().len());
        if let Some(hit) = found.add_text(file, place, message, [format!("{narrow}: {}", listed.trim()), format!("{wide}: {there}")]) {
            hit.confidence = match (stops, empty) {
                (Some(_), _) => Confidence::Certain,
                (None, Some(_)) => Confidence::Probable,
                (None, None) => Confidence::Possible,
            };
        }
    }
}

/// How a branch of a `case` for the new architecture begins.
fn wide_case(wide: &str) -> &'static str {
    if wide == "x86-64" { "x86_64" } else { "aarch64" }
}

/// A variable of make that gets a value here and nowhere else, where there is no other branch, and is more than an option for the
/// compiler, without which the program is the same.
fn only_here<'a>(file: &File<'a>, group: &Group<'a>) -> Option<&'a str> {
    const OPTIONS: [&str; 9] = ["FLAG", "OPT", "ARCH", "CPU", "DEF", "WARN", "TUNE", "MACH", "LIBDIR"];
    let is_make = group.conditions().next().is_some_and(|first| first.starts_with("ifeq") || first.starts_with("ifneq"));
    if group.otherwise.is_some() || !is_make {
        return None;
    }
    let assigned = |line: &'a str, with: &[&str]| {
        let (before, _) = line.split_once('=').filter(|_| !line.starts_with('\t'))?;
        let name = before.trim_end_matches([':', '?', '+', '!']).trim();
        let sign = before.trim_end().strip_prefix(name).unwrap_or(before).trim();
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_name && with.contains(&sign)).then_some(name)
    };
    let is_inside = |at: usize| group.body.iter().any(|(other, _)| *other == at);
    let elsewhere = || file.lines().filter(|(at, _)| !is_inside(*at)).map(|(_, line)| line);
    group.body.iter().filter_map(|(_, line)| assigned(line, &["", ":"])).find(|name| {
        let is_option = OPTIONS.iter().any(|part| name.to_ascii_uppercase().contains(part));
        let is_set = elsewhere().any(|line| assigned(line, &["", ":", "?", "+", "::"]) == Some(*name));
        let is_used = [format!("$({name})"), format!("${{{name}}}")].iter().any(|used| elsewhere().any(|line| line.contains(used.as_str())));
        !is_option && !is_set && is_used
    })
}
