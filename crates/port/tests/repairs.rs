//! What `--fix` offers: it is right, it is enough, and it is nothing else.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::Report;
use port::pair::Pair;
use port::{Options, analyse, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn analysed(directory: &Path) -> Report {
    let options = Options { jobs: 2, fix: true, ..Options::new(vec![directory.to_path_buf()], Pair::ALL[0]) };
    analyse(&options, &()).unwrap()
}

fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("repairs").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// What becomes of a file, and how many findings are left of those rules.
fn repaired(name: &str, text: &str, rules: &[&str]) -> (String, usize) {
    let directory = directory(name);
    let path = directory.join("a.c");
    fs::write(&path, text).unwrap();
    let count = |report: &Report| report.findings.iter().filter(|finding| rules.contains(&finding.rule)).count();
    let report = analysed(&directory);
    assert!(count(&report) > 0, "{name}: nothing is found: {:?}", report.findings);
    for (file, outcome) in write::apply(&report) {
        outcome.unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let after = fs::read_to_string(&path).unwrap();
    for compiler in ["i686-linux-gnu-gcc", "gcc"] {
        let compiled = Command::new(compiler).args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]).arg(&path).output().unwrap();
        assert!(compiled.status.success(), "{name} {compiler}: {}\n{after}", String::from_utf8_lossy(&compiled.stderr));
    }
    (after, count(&analysed(&directory)))
}

const HEAD: &str = "#include <string.h>\n#include <unistd.h>\nextern char text[];\n";

#[test]
fn a_variable_gets_the_type_of_what_is_kept_in_it() {
    for (name, body, wanted) in [
        ("alone", "int f(const char *s) { int n = strlen(s); return s[n] == 0; }\n", "size_t n = strlen(s)"),
        (
            "loop",
            "void f(const char *s) { int n = strlen(s); for (int i = 0; i < n; i++) text[i] = s[i]; }\n",
            "size_t n = strlen(s); for (size_t i = 0; i < n; i++)",
        ),
        (
            "list",
            "void f(const char *s)\n{\n\tint c = 0, n, k = 1;\n\n\tn = strlen(s);\n\tmemcpy(text, s, n + 1);\n\ttext[c] = k;\n}\n",
            "\tsize_t n;\n\tint c = 0, k = 1;\n",
        ),
        (
            "signed",
            "int f(int from, size_t most) { int n; while ((n = read(from, text, most)) > 0) text[n] = 0; return n < 0; }\n",
            "ssize_t n; while",
        ),
        ("sum", "size_t f(char **all) { int n = 0; for (; *all; all++) n += strlen(*all); return n; }\n", "size_t n = 0"),
    ] {
        let (after, left) = repaired(name, &format!("{HEAD}{body}"), &["P010", "P011"]);
        assert!(after.contains(wanted), "{name}: {after}");
        assert_eq!(left, 0, "{name}: {after}");
    }
}

#[test]
fn a_variable_whose_use_asks_for_a_sign_or_its_size_is_left_alone() {
    for (name, body) in [
        ("below", "int f(const char *s) { int n = strlen(s); n -= 3; return n < 0; }\n"),
        ("down", "int f(const char *s) { int n; for (n = strlen(s); --n >= 0;) if (s[n] == '/') return 1; return 0; }\n"),
        ("less", "int f(const char *s) { int n = strlen(s); return n - 1 > 5; }\n"),
        ("address", "void g(int *);\nvoid f(const char *s) { int n = strlen(s); g(&n); }\n"),
        ("variadic", "void g(int, ...);\nvoid f(const char *s) { int n = strlen(s); g(1, n); }\n"),
        ("passed", "void g(int);\nvoid f(const char *s) { int n = strlen(s); g(n); }\n"),
        ("returned", "int f(const char *s) { int n = strlen(s); return n; }\n"),
        ("first", "void g(int);\nvoid f(const char *s) { int n = strlen(s), m = 3; g(m); text[n] = 0; }\n"),
        ("error", "int f(const char *s) { int n = -1; if (s) n = strlen(s); return n == -1; }\n"),
    ] {
        let text = format!("{HEAD}{body}");
        let (after, left) = repaired(name, &text, &["P010"]);
        assert_eq!((after.as_str(), left), (text.as_str(), 1), "{name}");
    }
}

#[test]
fn a_constant_is_written_in_the_type_that_it_becomes() {
    for (name, body, wanted) in [
        ("inverted", "unsigned long f(void) { return ~0U; }\n", "return ~0UL;"),
        ("cast", "#include <stddef.h>\nsize_t f(void) { return (unsigned)-1; }\n", "return (size_t)-1;"),
        ("error", "long f(void) { return 0xffffffff; }\n", "return -1L;"),
    ] {
        let (after, left) = repaired(&format!("constant-{name}"), body, &["P024"]);
        assert!(after.contains(wanted), "{name}: {after}");
        assert_eq!(left, 0, "{name}: {after}");
    }
}

#[test]
fn a_format_for_a_size_gets_its_length_whether_it_has_a_name_or_not() {
    let text = "#include <stdio.h>\n#include <string.h>\nvoid f(const char *s, const char *t)\n{\n    size_t n = strlen(t);\n    \
        printf(\"%d\\n\", strlen(s));\n    printf(\"%u of %5d: %x\\n\", strlen(s) + 1, sizeof n, n);\n    printf(\"%d %s\\n\", t - s, s);\n}\n";
    let wanted = [
        "printf(\"%zu\\n\", strlen(s));",
        "printf(\"%zu of %5zu: %zx\\n\", strlen(s) + 1, sizeof n, n);",
        "printf(\"%td %s\\n\", t - s, s);",
    ];
    let (after, left) = repaired("format-size", text, &["P030"]);
    assert!(wanted.iter().all(|line| after.contains(line)), "{after}");
    assert_eq!(left, 0, "{after}");
}
