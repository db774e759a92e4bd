//! What the compiler refuses for 64 bits alone is a finding; and every place is one of its own, for who allows one.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use findings::{Confidence, Report};
use port::pair::Pair;
use port::{Options, analyse};

fn analysed(name: &str, files: &[(&str, &str)]) -> Report {
    let options = Options { jobs: 2, ..Options::new(vec![tree::written("places", name, files)], Pair::ALL[0]) };
    analyse(&options, &()).unwrap()
}

/// Rule, file, line, confidence; but for what is allowed.
fn found(report: &Report) -> Vec<(&str, &str, u32, Confidence)> {
    let mut found: Vec<_> = report
        .new_findings()
        .map(|of| (of.rule, of.target.rsplit('/').next().unwrap(), of.source.as_ref().unwrap().line, of.confidence()))
        .collect();
    found.sort();
    found
}

#[test]
fn what_is_refused_for_64_bits_alone_is_certain() {
    let report = analysed(
        "refused",
        &[
            (
                "a.c",
                "struct header { long a; int b; };\n\
                 typedef char has_8_bytes[sizeof(struct header) == 8 ? 1 : -1];\n\
                 _Static_assert(sizeof(long) == 4, \"long must be 4\");\n\
                 int g(int x) { switch (x) { case 8: return 1; case sizeof(long): return 2; } return 0; }\n\
                 #if __SIZEOF_POINTER__ == 4\nint only32(void) { return 1; }\n#endif\n\
                 int use(void) { return only32(); }\n",
            ),
            (
                "b.cc",
                "static_assert(sizeof(void *) == 4, \"\");\n\
                 template<int N> struct A { char x[N]; };\nA<sizeof(long)> *p = (A<4> *)0;\n",
            ),
            // What is wrong for both is no finding, and hides none.
            ("c.c", "int f(int x) { switch (x) { case 1: case 1: ; } return 0; }\nchar v[sizeof(long) == 4 ? 1 : -1];\n"),
            (
                "d.c",
                "int f(int x) { switch (x) { case 4: case sizeof(long): ; } return 0; }\nchar v[sizeof(long) == 4 ? 1 : -1];\n",
            ),
        ],
    );
    let certain = Confidence::Certain;
    let wanted = [("a.c", 2), ("a.c", 3), ("a.c", 4), ("a.c", 8), ("b.cc", 1), ("b.cc", 3), ("c.c", 2), ("d.c", 2)];
    assert_eq!(found(&report), wanted.map(|(file, line)| ("P083", file, line, certain)), "{:?}", report.not_checked);
    let unchecked: Vec<&str> = report.not_checked.iter().map(|of| of.what.rsplit('/').next().unwrap()).collect();
    assert_eq!(unchecked, ["c.c", "d.c"], "{:?}", report.not_checked);
}

#[test]
fn what_another_rule_says_of_a_line_is_said_once() {
    let report = analysed(
        "once",
        &[
            // A cast that C++ refuses, and a list of architectures.
            ("a.cc", "extern int key(int);\nint f(char *p) { return key((int)p); }\n"),
            (
                "b.c",
                "#if defined(__i386__)\nint order;\n#elif defined(__sparc__)\nint order;\n#else\n#error \"unknown\"\n#endif\n",
            ),
        ],
    );
    let certain = Confidence::Certain;
    assert_eq!(found(&report), [("P001", "a.cc", 2, certain), ("P082", "b.c", 1, certain)], "{:?}", report.not_checked);
    let error = "#if __SIZEOF_LONG__ != 4\n#error \"no long of 4 bytes\"\n#endif\n";
    assert_eq!(found(&analysed("error", &[("a.c", error)])), [("P083", "a.c", 2, certain)]);
}

#[test]
fn what_may_follow_from_something_else_is_not_certain() {
    let header = "#include <nowhere.h>\nchar v[sizeof(long) == 4 ? 1 : -1];\n";
    let report = analysed("header", &[("a.c", header)]);
    assert!(found(&report).iter().all(|of| of.3 < Confidence::Certain), "{:?}", found(&report));
    // What configure has answered for 32 bits is not what it answers for 64, and is read as what that is.
    let files = [
        ("config.h", "/* config.h.  Generated from config.h.in by configure.  */\n#define SIZEOF_LONG 4\n"),
        ("a.c", "#include \"config.h\"\nchar v[sizeof(long) == SIZEOF_LONG ? 1 : -1];\n"),
    ];
    assert_eq!(found(&analysed("configured", &files)), []);
    // Nobody has said that this is compiled for 64 bits at all.
    let own = [("a-i386.c", "char v[sizeof(long) == 4 ? 1 : -1];\n")];
    assert_eq!(found(&analysed("own", &own)), [("P083", "a-i386.c", 1, Confidence::Possible)]);
    let both = "char v[sizeof(long) == 4 || sizeof(long) == 8 ? 1 : -1];\nint f(void) { return nowhere; }\n";
    assert_eq!(found(&analysed("both", &[("a.c", both)])), []);
}

#[test]
fn what_is_in_a_header_is_as_sure_as_where_most_is_seen_of_it() {
    let header = ("value.h", "union value { long whole[2]; int parts[2]; };\n");
    let unused = ("a.c", "#include \"value.h\"\nunion value one;\n");
    let used = "#include \"value.h\"\nint f(union value *of, long number) { of->whole[0] = number; return of->parts[1]; }\n";
    let report = analysed("header_unused", &[header, unused]);
    assert_eq!(found(&report), [("P056", "value.h", 1, Confidence::Possible)]);
    for (name, file) in [("header_before", "0.c"), ("header_after", "b.c")] {
        let report = analysed(name, &[header, unused, (file, used)]);
        assert!(found(&report).contains(&("P056", "value.h", 1, Confidence::Probable)), "{name}: {:?}", found(&report));
    }
}

#[test]
fn every_place_where_something_leaves_is_one() {
    let text = |allow: &str| {
        format!(
            "#include <stdio.h>\nstruct rec {{ int a; long b; char *p; }};\n{allow}\n\
             int a(FILE *f, struct rec *r) {{ return fwrite(r, sizeof *r, 1, f); }}\n\
             int b(FILE *f, struct rec *r) {{ return fwrite(r, sizeof *r, 1, f); }}\n\
             int c(FILE *f, long n) {{ return fwrite(&n, sizeof n, 1, f); }}\n\
             int d(FILE *f, long n) {{ fwrite(&n, sizeof n, 1, f); return fwrite(&n, sizeof n, 1, f); }}\n"
        )
    };
    let lines = |report: &Report| found(report).iter().map(|of| (of.0.to_owned(), of.2)).collect::<Vec<_>>();
    let all = [("P050", 4), ("P050", 5), ("P051", 6), ("P051", 7), ("P051", 7)].map(|(rule, line)| (rule.to_owned(), line));
    assert_eq!(lines(&analysed("all", &[("a.c", &text(""))])), all);
    let allowed = analysed("allowed", &[("a.c", &text("// biarch: allow P050 only this one is temporary"))]);
    assert_eq!(lines(&allowed), all[1..]);
}

#[test]
fn calls_of_what_a_file_does_not_declare_are_shown_as_one() {
    let logins = "char *who(void) { return getlogin(); }\nchar *user(void) { return getlogin(); }\n";
    let own = "char *mine(void) { return made(); }\nchar *again(void) { return made(); }\n";
    let made = ("b.c", "char *made(void) { return (char *)\"\"; }\n");
    let report = analysed("undeclared", &[("a.c", &format!("{logins}{own}")), made]);
    let lines: Vec<_> = found(&report).iter().map(|of| (of.0, of.2)).collect();
    assert_eq!(lines, [("P003", 1), ("P003", 2), ("P003", 3), ("P003", 4)]);
    let folds = |a: usize, b: usize| report.findings[a].folds_with(&report.findings[b]);
    assert!(folds(0, 1) && folds(2, 3) && !folds(1, 2));
}

#[test]
fn functions_that_are_given_to_one_that_calls_them_have_its_parameter_for_a_cause() {
    let text = "#include <stdlib.h>\nvoid add(const char *name, int (*call)(char *));\n\
                int one(char *of) { return (int)of; }\nint two(char *of) { return (int)of; }\n\
                int alone(char *of) { return (int)of; }\n\
                int compare(const void *a, const void *b) { return (int)a; }\n\
                long total;\nint sum(char *of) { return of ? total : 0; }\n\
                void all(char *of) { add(\"one\", one); add(\"two\", &two); qsort(of, 1, 1, compare);\n\
                add(\"sum\", sum); srand(total); }\n";
    let report = analysed("callbacks", &[("a.c", text)]);
    let of = |because: &findings::Because| (because.what.clone(), because.place.line);
    let causes: Vec<_> = report.findings.iter().filter_map(|finding| finding.source.as_ref()?.because.as_ref().map(of)).collect();
    // What the system declares is nobody's to repair: srand().
    assert_eq!(report.findings.len(), causes.len() + 1);
    let callers = [("parameter 2 of `add`", 2), ("parameter 2 of `add`", 2)];
    let all = [callers[0], callers[1], ("`int alone()`", 5), ("`int compare()`", 6), ("`int sum()`", 8)];
    assert_eq!(causes, all.map(|(what, line)| (what.to_owned(), line)));
}

#[test]
fn a_macro_that_rotates_what_it_is_given_is_one_finding() {
    let step = "#define STEP(w, s) (w = w << s | w >> (32 - s))\n";
    let twice = "unsigned long f(unsigned long a, unsigned long b) { STEP(a, 7);\nSTEP(b, 12);\nreturn a + b; }\n";
    let report = analysed("rotates", &[("a.c", &format!("{step}{twice}"))]);
    assert_eq!(found(&report), [("P026", "a.c", 2, Confidence::Certain)]);
    assert_eq!(report.findings[0].source.as_ref().unwrap().uses.len(), 1);
    // Written out, it is two.
    let written = twice.replace("STEP(a, 7)", "a = a << 7 | a >> 25").replace("STEP(b, 12)", "b = b << 12 | b >> 20");
    assert_eq!(found(&analysed("rotates-twice", &[("a.c", &written)])).len(), 2);
}

#[test]
fn who_says_what_a_size_is_has_no_library_of_the_systems() {
    let text = "typedef unsigned size_t;\nint key(char *p) { return (int)p; }\n";
    assert_eq!(found(&analysed("own size", &[("a.c", text)])), [("P001", "a.c", 2, Confidence::Possible)]);
    let other = text.replace("size_t", "own_t");
    assert_eq!(found(&analysed("another size", &[("a.c", &other)])), [("P001", "a.c", 2, Confidence::Certain)]);
    let systems = text.replace("typedef unsigned size_t;", "#include <stddef.h>");
    assert_eq!(found(&analysed("size of the system's", &[("a.c", &systems)])), [("P001", "a.c", 2, Confidence::Certain)]);
}
