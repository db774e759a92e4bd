//! What automake's makefiles say: conditionals of which configure says that they hold on another system, and what is compiled for tests alone.

use crate::conditions::{code, is_negative};
use crate::system::names_other;
use std::collections::HashSet;

/// The names of those that do not hold on Linux.
#[derive(Default)]
pub(crate) struct Others(HashSet<String>);

impl Others {
    /// Those that a configure.ac sets: `AM_CONDITIONAL([SUN], [test "$host_os" = solaris])`, also by a variable that has its value there only.
    pub(crate) fn of(configure: &str) -> Self {
        let lines: Vec<&str> = configure.lines().map(|line| code(line.split("dnl ").next().unwrap_or_default()).trim()).collect();
        let set = set(&lines);
        let conditional = |line: &&str| {
            let (name, test) = line.strip_prefix("AM_CONDITIONAL(")?.split_once(',')?;
            let name = name.trim_matches(['[', ']', ' ', '\t']);
            let test = test.to_lowercase();
            let is_other = names_other(&name.to_lowercase()) || names_other(&test);
            let by_variable = || set.iter().any(|(variable, is_other)| *is_other && mentions(&test, variable));
            (!is_negative(&test) && (is_other || is_lex(&test) || by_variable())).then(|| name.to_owned())
        };
        Self(lines.iter().filter_map(conditional).collect())
    }

    /// Whether a condition of a makefile asks for one of them: `if SUN`.
    pub(crate) fn has(&self, condition: &str) -> bool {
        condition.strip_prefix("if ").is_some_and(|name| self.0.contains(name.trim()))
    }
}

/// The sources that a `Makefile.am` has for `check_PROGRAMS` alone, which nobody installs.
pub(crate) fn of_tests(makefile: &str) -> HashSet<String> {
    let text = makefile.replace("\\\n", " ");
    let lists = || {
        let list = |line| {
            code(line).split_once('=').map(|(name, words)| (name.trim_end_matches(['+', ' ', '\t']), words.split_whitespace()))
        };
        text.lines().filter(|line| !line.starts_with('\t')).filter_map(list)
    };
    let programs: Vec<&str> = lists().filter(|(name, _)| *name == "check_PROGRAMS").flat_map(|(_, words)| words).collect();
    // `tc_cast_SOURCES` are those of tc-cast.
    let sources_of = |program: &&str| {
        let flat = |c: char| if c.is_ascii_alphanumeric() || c == '@' { c } else { '_' };
        format!("{}_SOURCES", program.chars().map(flat).collect::<String>())
    };
    let own: HashSet<String> = programs.iter().map(sources_of).collect();
    let (tests, others): (Vec<_>, Vec<_>) =
        lists().filter(|(name, _)| name.ends_with("_SOURCES")).partition(|(name, _)| own.contains(*name));
    let names = |lists: Vec<(&str, std::str::SplitWhitespace<'_>)>| -> HashSet<String> {
        lists.into_iter().flat_map(|(_, words)| words).map(str::to_owned).collect()
    };
    let mut tests = names(tests);
    // A program without a list is made of the source that has its name.
    let named: HashSet<&str> = lists().map(|(name, _)| name).collect();
    let is_plain = |program: &&&str| !named.contains(sources_of(program).as_str());
    tests.extend(programs.iter().filter(is_plain).flat_map(|program| ["c", "cc", "cpp"].map(|end| format!("{program}.{end}"))));
    &tests - &names(others)
}

/// Whether it asks for AT&T's lex(1): autoconf takes flex(1), which every Linux has.
fn is_lex(test: &str) -> bool {
    test.contains("$lex") && !test.contains("flex")
}

/// Whether `$variable` or `${variable}` is in a text.
fn mentions(text: &str, variable: &str) -> bool {
    let mut after = text.match_indices('$').map(|(at, _)| text[at + 1..].trim_start_matches('{'));
    after.any(|rest| {
        let behind = rest.strip_prefix(variable);
        behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}

/// The variables that a shell gives a value other than no, in small letters; and whether it does so in branches of `case` for other systems
/// alone: `*-*-solaris*) is_sun=true ;;`.
fn set(lines: &[&str]) -> Vec<(String, bool)> {
    const NO: [&str; 4] = ["", "0", "false", "no"];
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut pattern = "";
    for line in lines {
        let (before, rest) = line.split_once(')').unwrap_or(("", line));
        let is_pattern = !before.is_empty() && !before.contains(['(', '=', '$', '"', '`']);
        if is_pattern {
            pattern = before;
        }
        let rest = if is_pattern { rest } else { line };
        for statement in rest.split([';', '&', ' ', '\t']) {
            let Some((name, value)) = statement.trim().split_once('=') else { continue };
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name || NO.contains(&value.trim_matches(['"', '\'']).to_lowercase().as_str()) {
                continue;
            }
            let (name, is_other) = (name.to_lowercase(), names_other(&pattern.to_lowercase()));
            match found.iter_mut().find(|(other, _)| *other == name) {
                Some((_, all)) => *all &= is_other,
                None => found.push((name, is_other)),
            }
        }
        if rest.contains(";;") || *line == "esac" {
            pattern = "";
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_check_programs_are_made_of_is_for_tests() {
        let makefile = "bin_PROGRAMS = toy\ntoy_SOURCES = toy.c both.c\ncheck_PROGRAMS = t-one \\\n  t-two # none.c\n\
            check_PROGRAMS += three\nt_one_SOURCES = one.c both.c\nEXTRA_DIST = list.c\ncheck_SCRIPTS = four\n";
        let mut found: Vec<String> = super::of_tests(makefile).into_iter().collect();
        found.sort();
        assert_eq!(found, ["one.c", "t-two.c", "t-two.cc", "t-two.cpp", "three.c", "three.cc", "three.cpp"]);
    }

    #[test]
    fn a_conditional_is_another_systems_if_all_that_set_it_are() {
        let configure = "case \"$host\" in\n*-*-solaris*)   sun=true;;\n*)  sun=false;;\nesac\nAM_CONDITIONAL(BY_CASE, $sun)\n\
            case $host in\n  *mingw* | *cygwin*)\n    native=\"yes\"\n    both=yes\n    ;;\n  *-linux*)\n    both=yes\n    ;;\nesac\n\
            AM_CONDITIONAL([BY_LINES], [test \"x${native}\" = xyes])\nAM_CONDITIONAL([BOTH], [test x$both = xyes])\n\
            AM_CONDITIONAL(OS_WIN32, [test -n \"$x\"])\nAM_CONDITIONAL(BY_TEST, test \"$host_os\" = darwin)\n\
            AM_CONDITIONAL(NOT, test \"$host_os\" != darwin)\nAM_CONDITIONAL(LEX, test \"x$LEX\" = \"xlex\")\n\
            AM_CONDITIONAL(FLEX, test \"x$LEX\" = \"xflex\")\nAM_CONDITIONAL(LONGER, test $sunny)\nAM_CONDITIONAL(UNSET, test $nothing)\n\
            # AM_CONDITIONAL(WIN32, 1)\nAM_CONDITIONAL(TORN\n";
        let mut names: Vec<String> = Others::of(configure).0.into_iter().collect();
        names.sort();
        assert_eq!(names, ["BY_CASE", "BY_LINES", "BY_TEST", "LEX", "OS_WIN32"]);
        let has = |condition: &str| Others::of(configure).has(condition);
        assert!(has("if BY_CASE") && !has("if BOTH") && !has("if !BY_CASE") && !has("ifndef BY_CASE"));
    }
}
