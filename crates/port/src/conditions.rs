//! Conditions in build files: `ifeq` of make, `if` of a shell, of CMake and of Meson, `unix {` of qmake. What they ask for is looked at as words.

use crate::automake;
use crate::files::{File, lines};
use crate::system;

/// One `if` with all that belongs to it.
#[derive(Debug, Default)]
pub(crate) struct Group<'a> {
    /// Where its first condition is.
    pub(crate) at: usize,
    /// Where each of its branches begins, with the condition as it is written; nothing for `else`.
    pub(crate) branches: Vec<(usize, Option<&'a str>)>,
    /// The lines between it and its end, with their offsets.
    pub(crate) body: Vec<(usize, &'a str)>,
    /// What is done where no condition holds; nothing, where there is no such branch.
    pub(crate) otherwise: Option<Vec<&'a str>>,
}

impl<'a> Group<'a> {
    /// Its conditions, as they are written.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &'a str> {
        self.branches.iter().filter_map(|(_, condition)| *condition)
    }

    /// Whether the line that begins there is inside.
    fn has(&self, at: usize) -> bool {
        self.body.binary_search_by_key(&at, |(other, _)| *other).is_ok()
    }

    /// The condition under which a line inside is reached; nothing after `else`.
    fn condition(&self, at: usize) -> Option<&'a str> {
        self.branches.iter().rfind(|(start, _)| *start < at).and_then(|(_, condition)| *condition)
    }
}

/// What only files for qmake have.
const QMAKE: [&str; 3] = ["QMAKE_", "CONFIG +=", "CONFIG+="];

/// Deeper ones are of no build file.
const DEPTH: usize = 64;

/// All of them; those inside others come first.
pub(crate) fn groups(text: &str) -> Vec<Group<'_>> {
    let (mut open, mut found): (Vec<Group<'_>>, Vec<Group<'_>>) = (Vec::new(), Vec::new());
    let is_qmake = QMAKE.iter().any(|name| text.contains(name));
    for (at, line) in lines(text) {
        let code = code(line).trim();
        let (first, condition) = split(code);
        for group in &mut open {
            group.body.push((at, line));
        }
        if is_qmake && in_braces(at, code, &mut open, &mut found) {
            continue;
        }
        match first.to_ascii_lowercase().as_str() {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" | "if" if open.len() < DEPTH => {
                let start = at + line.len() - line.trim_start().len();
                open.push(Group { at: start, branches: vec![(start, Some(code))], ..Group::default() });
                // `if …; then …; fi` in one line.
                if first == "if" && (code.ends_with("; fi") || code.ends_with(";fi")) {
                    found.extend(open.pop());
                }
            }
            "elif" | "elseif" => open.last_mut().into_iter().for_each(|group| group.branches.push((at, Some(code)))),
            "else" if condition.starts_with("if") => {
                open.last_mut().into_iter().for_each(|group| group.branches.push((at, Some(code))))
            }
            "else" => open.last_mut().into_iter().for_each(|group| {
                group.branches.push((at, None));
                group.otherwise = Some(vec![condition]);
            }),
            "endif" | "fi" | "fi;" => found.extend(open.pop()),
            _ => {
                let last = open.last_mut().and_then(|group| group.otherwise.as_mut());
                last.into_iter().for_each(|lines| lines.push(code));
            }
        }
    }
    found
}

/// Takes what begins, goes on or ends a block of qmake: `unix:!macx {`, `} else: win32 {`, `}`. Whether the line is one of these.
fn in_braces<'a>(at: usize, code: &'a str, open: &mut Vec<Group<'a>>, found: &mut Vec<Group<'a>>) -> bool {
    let condition = |text: &'a str| text.strip_prefix("else").map_or(Some(text), |rest| rest.strip_prefix(':')).map(str::trim);
    match (code.strip_suffix('{'), code.strip_prefix('}')) {
        (Some(_), Some(next)) => {
            let next = condition(next.trim_end_matches('{').trim());
            open.last_mut().into_iter().for_each(|group| group.branches.push((at, next)));
        }
        (Some(begin), None) if open.len() < DEPTH => {
            open.push(Group { at, branches: vec![(at, condition(begin.trim()))], ..Group::default() });
        }
        (None, Some("")) => found.extend(open.pop()),
        _ => return false,
    }
    true
}

/// A line without its comment.
pub(crate) fn code(line: &str) -> &str {
    // `$#` and `${#name}` are no comments.
    let is_comment = |at: &usize| *at == 0 || line[..*at].ends_with([' ', '\t', '=']);
    line.match_indices('#').map(|(at, _)| at).find(is_comment).map_or(line, |at| &line[..at])
}

/// The variable that a line gives a value.
pub(crate) fn variable(code: &str) -> Option<&str> {
    let (before, _) = code.split_once('=')?;
    before.trim_end_matches([':', '?', '+']).split_whitespace().last()
}

fn split(code: &str) -> (&str, &str) {
    let code = code.trim_start_matches(['@', '-']);
    let end = code.find([' ', '\t', '(']).unwrap_or(code.len());
    (code[..end].trim_end_matches(';'), code[end..].trim_start())
}

/// The words of a condition or a pattern: names of machines have wildcards in them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_?%*[]-.".contains(c);
    text.split(move |c: char| !is_part(c)).map(|word| word.trim_matches(['-', '.'])).filter(|word| !word.is_empty())
}

/// Whether a word is what a processor of this architecture is called, by uname(1), dpkg or a person.
pub(crate) fn is_machine(word: &str, abi: &str) -> bool {
    let word = word.to_ascii_lowercase();
    // `i686-linux-gnu`, `i386-*-*`.
    let machine = word.split('-').next().unwrap_or_default();
    match abi {
        "i386" => {
            let digit = machine.strip_prefix('i').and_then(|rest| rest.strip_suffix("86"));
            digit.is_some_and(|digit| ["3", "4", "5", "6", "?", "%", "*", "[3-6]", "[3456]", "[34567]", "[3-7]"].contains(&digit))
                || ["ia32", "x86", "x86_32", "i86pc"].contains(&machine)
        }
        "armhf" => {
            let rest = machine.strip_prefix("arm");
            rest.is_some_and(|rest| {
                ["", "*", "%", "hf", "el"].contains(&rest) || rest.starts_with('v') && !rest.starts_with("v8")
            })
        }
        "x86-64" => {
            ["x86_64", "amd64", "x64", "x86_64*", "x86_64%"].contains(&word.as_str())
                || word.starts_with("x86_64-")
                || word.starts_with("x86-64")
                || ["*86*", "%86%", "x86*", "x86%", "?86*", "*64", "%64", "*64*", "*86"].contains(&machine)
        }
        _ => {
            ["aarch64", "arm64", "armv8", "*64", "%64", "*64*"].contains(&machine)
                || ["aarch64", "arm64"].iter().any(|name| machine.starts_with(name))
                || ["arm*", "arm%"].contains(&machine)
        }
    }
}

/// Names of variables that hold what uname(1) or configure say of the machine.
const VARIABLES: [&str; 28] = [
    "arch",
    "host_arch",
    "hostarch",
    "target_arch",
    "targetarch",
    "build_arch",
    "subarch",
    "cpu",
    "host_cpu",
    "target_cpu",
    "build_cpu",
    "machine",
    "machtype",
    "hosttype",
    "uname_m",
    "uname_machine",
    "processor",
    "deb_host_arch",
    "deb_build_arch",
    "deb_target_arch",
    "deb_host_gnu_cpu",
    "deb_build_gnu_cpu",
    "deb_host_arch_cpu",
    "cmake_system_processor",
    "cmake_host_system_processor",
    "cpu_family",
    "uname_p",
    "hostcpu",
];

/// What prints the machine's name.
const ASKS: [&str; 6] = ["uname -m", "uname -p", "uname -i", "--print-architecture", "dpkg-architecture", "-dumpmachine"];

/// The variables of a file that have the machine's name in them.
pub(crate) fn machine_variables<'a>(file: &File<'a>) -> Vec<&'a str> {
    let asks = file.lines().map(|(_, line)| code(line)).filter(|line| ASKS.iter().any(|ask| line.contains(ask)));
    let name = |line: &'a str| {
        let (before, _) = line.split_once('=')?;
        let name = before.trim_end_matches([' ', '\t', ':', '?']).split_whitespace().last()?;
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some(name)
    };
    asks.filter_map(name).collect()
}

/// Whether something asks for the machine: by one of these variables, one that is always called so, or by the program that knows.
pub(crate) fn asks_for_machine(text: &str, own: &[&str]) -> bool {
    let is_name = |word: &str| own.contains(&word) || VARIABLES.contains(&word.to_ascii_lowercase().as_str());
    ASKS.iter().any(|ask| text.contains(ask)) || crate::files::words(text).any(is_name)
}

/// Whether a line is inside a condition that asks for the machine, or names one of this architecture.
pub(crate) fn is_for_machine(groups: &[Group<'_>], at: usize, abi: &str, own: &[&str]) -> bool {
    let inside = groups.iter().filter(|group| group.has(at));
    let mut asked = inside.flat_map(Group::conditions);
    asked.any(|condition| asks_for_machine(condition, own) || words(condition).any(|word| is_machine(word, abi)))
}

/// Whether a line is inside a condition that holds on another system: `if(MINGW)`, `ifeq ($(platform), xenon)`, one of automake.
pub(crate) fn is_for_other_system(groups: &[Group<'_>], at: usize, automakes: &automake::Others) -> bool {
    let inside = groups.iter().filter(|group| group.has(at));
    inside.filter_map(|group| group.condition(at)).any(|condition| {
        if automakes.has(condition) {
            return true;
        }
        let lower = condition.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let is_platform = lower.contains("eq") && has(&["platform", "(os)", "system"]);
        !is_negative(condition) && !has(&["linux", "unix", "posix"]) && (is_platform || system::names_other(&lower))
    })
}

/// Whether it is true where what is asked for is not there: `ifneq ($(ARCH),i386)`, `!=`, `NOT`.
pub(crate) fn is_negative(condition: &str) -> bool {
    // `ifneq (,$(findstring i386,$(ARCH)))` is true where it is found, and so is `ifeq (i386,$(findstring i386,$(ARCH)))`.
    let filters = ["findstring", "filter "].iter().any(|function| condition.contains(function));
    let is_filtered = filters && ["(,", "( ,", ",)", ", )", "\"\"", "''"].iter().any(|nothing| condition.contains(nothing));
    condition.starts_with("ifneq") && !is_filtered
        || condition.starts_with("ifeq") && is_filtered
        || condition.contains("!=")
        || crate::files::words(condition).any(|word| word == "NOT" || word == "not")
        || condition.contains("if !")
}
