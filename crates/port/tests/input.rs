//! What goes in: lists of commands, bare directories, files that cannot be analysed, results that are kept.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use findings::{Confidence, Report};
use port::pair::Pair;
use port::{Options, analyse};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory with these files.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    tree::written("input", name, files)
}

fn options(path: &Path) -> Options {
    Options { jobs: 2, ..Options::new(vec![path.to_path_buf()], Pair::ALL[0]) }
}

fn list(directory: &Path, entries: &[Value]) -> PathBuf {
    let path = directory.join("compile_commands.json");
    fs::write(&path, serde_json::to_string(entries).unwrap()).unwrap();
    path
}

fn found(report: &Report) -> Vec<(&str, &str)> {
    report.findings.iter().map(|finding| (finding.rule, finding.target.as_str())).collect()
}

fn unchecked(report: &Report, what: &str) -> String {
    let of: Vec<&str> = report.not_checked.iter().filter(|of| of.what == what).map(|of| of.because.as_str()).collect();
    assert_eq!(of.len(), 1, "{what}: {:?}", report.not_checked);
    of[0].to_owned()
}

/// One certain finding, wherever it is compiled with what it needs.
const BAD: &str = "extern int key(int);\nint f(char *p) { return key((int)p); }\n";

#[test]
fn every_form_of_an_entry_is_read() {
    let needs = |name: &str| format!("#include <h.h>\n#ifdef {name}\n{BAD}#endif\n");
    let directory = tree(
        "forms",
        &[
            ("command.c", &needs("COMMAND")),
            ("arguments.c", &needs("ARGUMENTS")),
            ("sub/relative.c", &needs("RELATIVE")),
            ("response.c", &needs("RESPONSE")),
            ("launcher.c", &needs("LAUNCHER")),
            ("as c++.c", "#ifdef __cplusplus\n#include <h.h>\nlong x = 0xffffffff;\n#endif\n"),
            ("inc dir/h.h", "#ifndef TEXT\n#error\n#endif\n"),
            ("words.rsp", "-DRESPONSE\n'-I' inc\\ dir -DTEXT=\\\"a\\ b\\\""),
            ("start.S", "nop\n"),
            ("x.f90", "end\n"),
        ],
    );
    let words = |file: &str, define: &str| {
        json!([
            "gcc",
            "-m32",
            "-march=i686",
            "-flto=auto",
            "-fno-tree-vrp",
            define,
            "-I",
            "inc dir",
            "-DTEXT=\"a b\"",
            "-c",
            file,
            "-o",
            "x.o"
        ])
    };
    let entries = [
        json!({"directory": ".", "file": "command.c", "command": "gcc -DCOMMAND -I'inc dir' \"-DTEXT=\\\"a b\\\"\" -c command.c", "output": "x.o"}),
        json!({"directory": directory, "file": "arguments.c", "arguments": words("arguments.c", "-DARGUMENTS")}),
        json!({"directory": directory, "file": "arguments.c", "arguments": words("arguments.c", "-DARGUMENTS")}),
        json!({"directory": directory.join("sub"), "file": "../sub/relative.c", "arguments": ["cc", "-DRELATIVE", "-DTEXT", "-isystem", "../inc dir", "-c", "relative.c"]}),
        json!({"directory": directory, "file": "response.c", "arguments": ["gcc", "@words.rsp", "response.c"]}),
        json!({"directory": directory, "file": "launcher.c", "arguments": ["ccache", "gcc", "-DLAUNCHER", "-DTEXT", "-Iinc dir", "launcher.c"]}),
        json!({"directory": directory, "file": "as c++.c", "arguments": ["g++", "-std=gnu++2c", "-DTEXT", "-Iinc dir", "as c++.c"]}),
        json!({"directory": directory, "file": "start.S", "arguments": ["gcc", "-c", "start.S"]}),
        json!({"directory": directory, "file": "x.f90", "arguments": ["gfortran", "-c", "x.f90"]}),
        json!({"directory": directory, "file": "gone.c", "arguments": ["gcc", "-c", "gone.c"]}),
        json!({"directory": directory, "file": "neither.c"}),
        json!({"directory": directory, "file": "quote.c", "command": "gcc 'quote.c"}),
        json!({"directory": directory, "arguments": ["gcc"]}),
    ];
    let list = list(&directory, &entries);
    let report = analyse(&options(&list), &()).unwrap();
    assert_eq!(
        found(&report),
        [
            ("P001", "arguments.c"),
            ("P001", "command.c"),
            ("P001", "launcher.c"),
            ("P001", "response.c"),
            ("P001", "sub/relative.c"),
            ("P024", "as c++.c")
        ],
        "{:?}",
        report.not_checked
    );
    assert_eq!(unchecked(&report, "start.S"), "it is assembly, not C or C++");
    assert_eq!(unchecked(&report, "x.f90"), "it is Fortran, not C or C++");
    assert!(
        unchecked(&report, &directory.join("gone.c").display().to_string().replace(&format!("{}/", directory.display()), ""))
            .contains("not there any more")
    );
    assert!(unchecked(&report, "neither.c").contains("neither `arguments` nor `command`"));
    assert!(unchecked(&report, "quote.c").contains("a quote has no end"));
    assert_eq!(report.not_checked.len(), 6, "{:?}", report.not_checked);
}

#[test]
fn a_list_that_is_none_says_how_to_get_one() {
    for (text, said) in
        [("{}", "no compilation database"), ("[", "no compilation database"), ("[]", "no C or C++ files"), ("", "--save")]
    {
        let directory = tree("no list", &[("compile_commands.json", text)]);
        let error = format!("{:#}", analyse(&options(&directory.join("compile_commands.json")), &()).unwrap_err());
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn a_bare_directory_finds_its_own_headers() {
    let directory = tree(
        "bare",
        &[
            (
                "src/a.c",
                "#include \"part/x.h\"\n#include <y.h>\n#include <string.h>\nint f(char *p) { return key((int)p) + (int)strlen(Y); }\n",
            ),
            ("include/part/x.h", "#include \"near.h\"\nextern int key(int);\n"),
            ("include/part/near.h", "\n"),
            ("lib/y.h", "#define Y \"y\"\n"),
            ("lib/y.i", "%module y\n%include \"y.h\"\n"),
            // What only other systems need is left out, which is said.
            ("win32/string.h", "#error this is not the system's\n"),
        ],
    );
    std::os::unix::fs::symlink(&directory, directory.join("src/circle")).unwrap();
    let mut options = options(&directory);
    options.paths.push(directory.join("src"));
    let report = analyse(&options, &()).unwrap();
    assert_eq!(found(&report).iter().filter(|(rule, _)| *rule == "P001").count(), 1, "{:?}", report.not_checked);
    let [circle, other] = report.not_checked.as_slice() else { panic!("{:?}", report.not_checked) };
    assert!(circle.what.ends_with("circle") && circle.because.contains("not followed"), "{circle:?}");
    assert!(other.what == "win32" && other.because.contains("another system"), "{other:?}");
}

#[test]
fn of_files_that_are_there_for_each_processor_that_for_the_new_one_is_analysed() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let analysed = |test: &str, names: &[&str]| {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, cut)).collect();
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        let name = |target: &String| target.rsplit('/').next().unwrap_or_default().to_owned();
        let mut found: Vec<String> = report.findings.iter().map(|finding| name(&finding.target)).collect();
        found.sort();
        found
    };
    let without = ["call/call-arm.c", "call/call-i386.c", "call/call-m68k.c", "call/call-sparc64.c", "call/call-all.c"];
    assert_eq!(analysed("processors", &without), ["call-all.c", "call-i386.c"]);
    let with = [&without[..], &["call/call-x86_64.c"]].concat();
    assert_eq!(analysed("processors with the new one", &with), ["call-all.c", "call-x86_64.c"]);
    let assembly = "void f(void) { __asm__(\"leal -8(%ebp), %esp\"); }\n";
    let files: Vec<(&str, &str)> = with.iter().map(|name| (*name, assembly)).collect();
    let report = analyse(&options(&tree("processors as text", &files)), &()).unwrap();
    let named = |name: &str| report.findings.iter().any(|finding| finding.target.contains(name));
    assert!(named("call-all.c") && !named("call-i386.c"), "{:?}", report.findings);
    let directories =
        ["src/alpha/ffi.c", "src/sh/ffi.c", "src/vax/ffi.c", "src/x86/ffi.c", "src/x86/win32.c", "src/main.c", "src/arm/ffi.c"];
    assert_eq!(analysed("processors as directories", &directories), ["ffi.c", "main.c", "win32.c"]);
    let named =
        ["posix-386/ffi.c", "posix-amd64/mine.c", "posix-mips/ffi.c", "posix-sun4u/ffi.c", "posix-port/all.c", "w-x86_64/a.c"];
    assert_eq!(analysed("processors as parts of directories", &named), ["a.c", "all.c", "mine.c"]);
    // Two are no list of all processors, nor are files in several directories.
    assert_eq!(analysed("two processors", &["arm.c", "call-arm.c", "call-m68k.c", "other/call-mips.c"]).len(), 4);
}

#[test]
fn of_files_that_are_there_for_each_system_that_for_linux_is_analysed() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let directory = tree(
        "systems",
        &[
            ("src/toyWinDraw.c", cut),
            ("src/toyUnixPipe.c", cut),
            ("src/toyWindow.c", cut),
            ("src/darwin_main.c", cut),
            ("src/unix_main.c", cut),
            ("src/win_list.c", cut),
            ("src/nestedvm.c", cut),
            ("cmake/platforms/nestedvm.cmake", ""),
            ("cmake/platforms/unix.cmake", ""),
            ("boards/stm32/vectors.c", cut),
        ],
    );
    let report = analyse(&options(&directory), &()).unwrap();
    let mut files: Vec<String> = report.findings.iter().map(|finding| finding.target.clone()).collect();
    files.sort();
    let file = |name: &str| files.iter().any(|file| file.ends_with(name));
    assert!(["toyUnixPipe.c", "toyWindow.c", "unix_main.c", "win_list.c"].into_iter().all(file) && files.len() == 4, "{files:?}");
    assert!(unchecked(&report, "src/darwin_main.c and 2 more").contains("another system"), "{:?}", report.not_checked);
    assert!(unchecked(&report, "boards/stm32").contains("another system"), "{:?}", report.not_checked);
}

#[test]
fn an_attribute_that_a_macro_has_made_is_read_to_its_end() {
    let after = "int unused(int, int);\n".repeat(50);
    let text = format!(
        "#define LOGS __attribute__((format(printf, 1, 2)))\n{after}LOGS void log_it(const char *, ...);\n\
         #include \"last.h\"\nvoid f(unsigned long n) {{ log_it(\"%d\", n); tell(\"%d\", n); }}\n"
    );
    let last = "LAST_LOGS void tell(const char *, ...);\n";
    let header = "#define LAST_LOGS __attribute__((format(printf, 1, 2)))";
    let directory =
        tree("attribute", &[("a.c", &format!("#include \"first.h\"\n{text}")), ("first.h", header), ("last.h", last)]);
    let report = analyse(&options(&directory), &()).unwrap();
    // Whoever is not known to take a format would be P031.
    let rules: Vec<&str> = found(&report).iter().map(|(rule, _)| *rule).filter(|rule| rule.starts_with("P03")).collect();
    assert_eq!(rules, ["P030", "P030"], "{:?}", report.findings);
}

#[test]
fn a_missing_config_h_is_made_of_its_template_and_this_is_said() {
    let directory = tree(
        "template",
        &[
            (
                "a.c",
                &format!(
                    "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n#if SIZEOF_LONG == 8 && HAVE_STRDUP && !defined HAVE_NOTHING_LIKE_IT\nlong seen_64;\n#endif\n#ifdef HAVE_UNISTD_H\n{BAD}#endif\n"
                ),
            ),
            (
                "config.h.in",
                "/* Define to 1 if you have the <unistd.h> header file. */\n#undef HAVE_UNISTD_H\n#undef SIZEOF_LONG\n#undef HAVE_STRDUP\n#undef HAVE_NOTHING_LIKE_IT\n",
            ),
            ("configure", "#!/bin/sh\n"),
        ],
    );
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.c")]);
    assert!(unchecked(&report, "config.h").contains("was made of config.h.in"));
    assert!(unchecked(&report, "configure").contains("./configure; biarch port -- make"));
}

#[test]
fn what_a_template_includes_is_made_of_its_template_as_well() {
    let bad = format!("#include \"config.h\"\n#if TEXT && !HAVE_NOWHERE\n{BAD}#endif\n");
    let files = [
        ("a.c", bad.as_str()),
        ("config.h.in", "#undef HAVE_UNISTD_H\n#include \"names.h\"\n"),
        (
            "names.h.in",
            "#define NAME \"@NAME@\"\n#define HAVE_STRDUP 0\n#define HAVE_NOWHERE 0\n#define SIZEOF_INT\t@SIZEOF_INT@\n#define TEXT HAVE_STRDUP && SIZEOF_INT == 4\n",
        ),
        ("configure", "#!/bin/sh\n"),
    ];
    let report = analyse(&options(&tree("template-of-template", &files)), &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.c")], "{:?}", report.not_checked);
    assert!(unchecked(&report, "names.h").contains("was made of names.h.in"));
}

#[test]
fn a_header_that_is_made_is_not_what_the_name_of_the_tree_would_lead_to() {
    let bad = format!("#include <tree-name/config.h>\n#ifdef HAVE_UNISTD_H\n{BAD}#endif\n");
    let configure = "AC_INIT(a)\nAC_CONFIG_HEADER(include/tree-name/config.h:templates/other.in)\nAC_CHECK_HEADERS(unistd.h)\n";
    let files = [("a.c", bad.as_str()), ("config.h", "/* for another system */\n"), ("configure.ac", configure)];
    let report = analyse(&options(&tree("tree-name", &files)), &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.c")], "{:?}", report.not_checked);
}

#[test]
fn a_header_is_made_of_the_template_that_configure_names_for_it() {
    let bad = format!("#include \"made.h\"\n#ifdef ASKED_IN_TEMPLATE\n{BAD}#endif\n");
    let configure = |header: &str| format!("AC_INIT(a)\nAC_CONFIG_HEADER([{header}])\nAC_CHECK_HEADERS(unistd.h)\n");
    let template = "#define ASKED_IN_TEMPLATE 1\n#undef HAVE_UNISTD_H\n";
    for (test, header, at, wanted) in [
        ("made-above", "../made.h:asks.h.in", "unix/asks.h.in", vec![("P001", "a.c")]),
        ("made of another", "made.h:sub/asks.in", "unix/sub/asks.in", vec![]),
        ("made of nothing", "../made.h:asks.h.in", "asks.h.in", vec![]),
        ("made of another tree", "../made.h:../../made-above/unix/asks.h.in", "unix/asks.h.in", vec![]),
    ] {
        let configure = configure(header);
        let files = [("a.c", bad.as_str()), ("unix/configure.in", &configure), (at, template), ("unix/b.c", "int b;\n")];
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        assert_eq!(found(&report), wanted, "{test}: {:?}", report.not_checked);
    }
}

#[test]
fn a_header_that_the_build_copies_is_taken_from_where_it_is() {
    let (asks, makefile) = ("#undef NEVER\ntypedef long count;\n#define ASKED 1\n", "all: a.o\na.o: config.h\n");
    for (test, include, copied, wanted) in [
        ("copied", "config.h", "config.def.h", vec![("P001", "a.c")]),
        ("copied-above", "../config.h", "config.def.h", vec![("P001", "a.c")]),
        ("copied-zero", "config.h", "config.h0", vec![("P001", "a.c")]),
        ("copied-other", "config.h", "other.def.h", vec![]),
        ("copied-not", "config.h", "config.h.orig", vec![]),
    ] {
        let bad = format!("#include \"{include}\"\n#ifdef ASKED\n{BAD}#endif\n");
        let report = analyse(&options(&tree(test, &[("a.c", &bad), (copied, asks), ("Makefile", makefile)])), &()).unwrap();
        assert_eq!(found(&report), wanted, "{test}: {:?}", report.not_checked);
        if !wanted.is_empty() {
            assert_eq!(
                unchecked(&report, "config.h"),
                format!("it is not there, and {copied} was taken for it; the build copies that")
            );
        }
    }
}

#[test]
fn a_header_that_was_taken_from_the_tree_is_not_written_to_when_it_is_made() {
    let (copied, bad) = ("#define ASKED 1\n", format!("#include \"config.h\"\n#ifdef ASKED\n{BAD}#endif\n"));
    let files = [("a.c", bad.as_str()), ("config.def.h", copied)];
    assert_eq!(found(&analyse(&options(&tree("copied-before", &files)), &()).unwrap()), [("P001", "a.c")]);
    let directory = tree("copied-before", &[files[0], files[1], ("config.h.in", "#undef HAVE_UNISTD_H\n")]);
    assert!(unchecked(&analyse(&options(&directory), &()).unwrap(), "config.h").contains("was made of config.h.in"));
    assert_eq!(fs::read_to_string(directory.join("config.def.h")).unwrap(), copied);
}

#[test]
fn what_configure_finds_is_said_by_options_where_it_makes_no_header() {
    let both =
        format!("#if SIZEOF_LONG == 4 || SIZEOF_LONG == 8\n#if HAVE_UNISTD_H && !defined HAVE_NOWHERE_H\n{BAD}#endif\n#endif\n");
    let configure = "AC_INIT(a.c)\nAC_CHECK_SIZEOF(long)\nAC_CHECK_HEADERS(unistd.h nowhere.h)\nAC_OUTPUT(Makefile)\n";
    let directory = |test: &str, configure: &str| tree(test, &[("src/a.c", &both), ("configure.in", configure)]);
    let report = analyse(&options(&directory("answers", configure)), &()).unwrap();
    assert_eq!(found(&report), [("P001", "src/a.c")], "{:?}", report.not_checked);
    // Automake says how the program is called as well.
    let named = format!("const char *name = PACKAGE;\n{BAD}");
    let automake = configure.replace("AC_CHECK_SIZEOF", "AM_INIT_AUTOMAKE(a, 1)\nAC_CHECK_SIZEOF");
    let of_automake = tree("answers-of-automake", &[("a.c", &named), ("configure.in", &automake)]);
    let report = analyse(&options(&of_automake), &()).unwrap();
    assert!(!report.not_checked.iter().any(|of| of.what == "a.c"), "{:?}", report.not_checked);
    // One that is beside the sources is for all of them, if it is the only one and has none of its own.
    let beside = |test: &str, more: &[(&str, &str)]| {
        let files = [&[("src/a.c", &*both), ("unix/configure.in", configure)], more].concat();
        found(&analyse(&options(&tree(test, &files)), &()).unwrap()).len()
    };
    assert_eq!(beside("answers-beside", &[]), 1);
    assert_eq!(beside("answers-beside-sources", &[("unix/b.c", "")]), 0);
    assert_eq!(beside("answers-of-two", &[("other/configure.in", configure)]), 0);
    // Where it makes one, that is to be included.
    let other = configure.replace("AC_OUTPUT", "AC_CONFIG_HEADERS(config.h)\nAC_OUTPUT");
    assert_eq!(found(&analyse(&options(&directory("no-answers", &other)), &()).unwrap()), []);
}

#[test]
fn headers_that_are_missing_are_named_once() {
    let directory = tree(
        "missing",
        &[
            ("a.c", &format!("#include <no/such.h>\nno_such_type x;\n{BAD}")),
            ("b.c", "#include <no/such.h>\n#include \"nor this.h\"\n"),
            // Other packages have one, which it is not.
            ("c.c", "#include \"config.h\"\n"),
        ],
    );
    let report = analyse(&options(&directory), &()).unwrap();
    // The rest of the file counts all the same.
    assert_eq!(found(&report), [("P001", "a.c")]);
    assert!(unchecked(&report, "no/such.h, nor this.h").contains("a.c and 1 more"));
    assert!(unchecked(&report, "config.h").contains("is made when the package is configured"));
    assert_eq!(report.not_checked.len(), 2, "{:?}", report.not_checked);
}

#[test]
fn a_file_with_a_library_that_is_not_installed_is_no_file_of_another_system() {
    let files = ["<Xm/no_such.h>", "<exec/no_such.h>"].map(|header| {
        format!(
            "#include <stdio.h>\n#include {header}\nstruct shape {{ long id; }};\n\
             int load(FILE *f, struct shape *s) {{ return fread(s, sizeof *s, 1, f); }}\n"
        )
    });
    let directory = tree("libraries", &[("library.c", &files[0]), ("other.c", &files[1])]);
    let report = analyse(&options(&directory), &()).unwrap();
    let sure = |name: &str| {
        let found = report.findings.iter().find(|finding| finding.rule == "P050" && finding.target.ends_with(name));
        found.and_then(|finding| finding.source.as_ref()).map(|source| source.confidence)
    };
    assert_eq!(sure("library.c"), Some(Confidence::Probable));
    assert_eq!(sure("other.c"), Some(Confidence::Possible));
    let said = &report.targets[0].description;
    assert!(said.starts_with("2 of 2 files, 2 of them only in part"), "{said}");
}

#[test]
fn no_package_is_named_for_a_header_that_the_project_makes() {
    // Python's packages, glib and many others have a file of this name.
    let directory =
        tree("made", &[("main.c", "#include \"object.h\"\n#include \"pyconfig.h\"\n#include \"version.h\"\nint main;\n")]);
    let report = analyse(&options(&directory), &()).unwrap();
    let said = unchecked(&report, "object.h, pyconfig.h, version.h");
    assert!(!said.contains("/usr/include"), "{said}");
}

#[test]
fn files_are_as_large_for_32_bits_as_configure_would_have_made_them() {
    let source = "#include <sys/types.h>\n#include <unistd.h>\n#include \"config.h\"\n\
                  struct block { int kind; off_t next; };\nint put(int fd, struct block *b) { return write(fd, b, sizeof *b); }\n\
                  int cut(off_t next) { int n = next; return n; }\n";
    let header = |line: &str| format!("/* config.h.  Generated from config.h.in by configure.  */\n{line}\n");
    let sides = |name: &str, line: &str| {
        let directory = tree(name, &[("main.c", source), ("config.h", &header(line))]);
        let report = analyse(&options(&directory), &()).unwrap();
        report.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(sides("files-asked", "/* #undef _FILE_OFFSET_BITS */"), ["P050"], "its alignment differs");
    assert_eq!(sides("files-not-asked", ""), ["P050", "P010"]);
}

#[test]
fn what_configure_has_found_for_64_bits_is_not_taken_for_32() {
    let source = "#include <stdio.h>\n#ifdef HEADER\n#include HEADER\n#endif\n\
                  #if SIZEOF_LONG == 8\ntypedef long wide;\n#else\ntypedef long long wide;\n#endif\n\
                  struct rec { wide a, b; };\nint put(FILE *f, struct rec *r) { return fwrite(r, sizeof *r, 1, f); }\n";
    let sized = "#define SIZEOF_INT 4\n# define SIZEOF_LONG 8 /* bytes */\n";
    let configured = format!("/* config.h.  Generated from config.h.in by configure.  */\n{sized}");
    let meson = format!("/*\n * Autogenerated by the Meson build system.\n */\n{sized}");
    type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [&'a str]);
    let rows: [Row; 6] = [
        ("sizes-configure", &[("src/config.h", &configured)], &["-DHEADER=\"config.h\""]),
        ("sizes-meson", &[("build/myconf.h", &meson)], &["-I../build", "-DHEADER=<myconf.h>"]),
        (
            "sizes-cmake",
            &[("build/CMakeCache.txt", ""), ("build/inc/config.h", sized)],
            &["-I../build/inc", "-DHEADER=<config.h>"],
        ),
        ("sizes-word", &[], &["-DSIZEOF_LONG=8"]),
        ("sizes-words", &[], &["-D", "SIZEOF_LONG=8"]),
        // Somebody has written this for 64 bits, and 32 read the same.
        ("sizes-own", &[("src/config.h", sized)], &["-DHEADER=\"config.h\""]),
    ];
    for (name, files, arguments) in rows {
        let directory = tree(name, &[files, &[("src/main.c", source)]].concat());
        let words: Vec<&str> = ["cc"].iter().chain(arguments).chain(&["-c", "main.c"]).copied().collect();
        list(&directory, &[json!({"directory": directory.join("src"), "file": "main.c", "arguments": words})]);
        let report = analyse(&options(&directory), &()).unwrap();
        let expected: &[&str] = if name == "sizes-own" { &["P050"] } else { &[] };
        let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, expected, "{name}: {:?}", report.not_checked);
    }
}

#[test]
fn a_project_begins_where_it_is_built_and_not_at_what_is_above_its_list_as_well() {
    let entry =
        |directory: &Path| json!({"directory": directory, "file": directory.join("a.c"), "arguments": ["cc", "-c", "a.c"]});
    let other = ("other/Makefile", "CFLAGS = -m32\n");
    let makefile = ("sources/one/Makefile", "CFLAGS = -m32\n");
    let files = [other, makefile, ("sources/one/src/a.c", BAD), ("sources/two/Makefile", "CFLAGS = -m32\n")];
    let top = tree("begins", &files);
    let build = top.join("build");
    fs::create_dir(&build).unwrap();
    list(&build, &[entry(&top.join("sources/one/src"))]);
    let report = analyse(&options(&build), &()).unwrap();
    let mut targets: Vec<&str> =
        report.findings.iter().map(|finding| finding.target.rsplit("sources/one/").next().unwrap()).collect();
    targets.sort_unstable();
    assert_eq!(targets, ["Makefile", "src/a.c"]);

    // The same of a copy, whose list is still that of where it was copied from.
    let copy = top.join("copy");
    fs::create_dir(&copy).unwrap();
    fs::write(copy.join("a.c"), BAD).unwrap();
    list(&copy, &[entry(&top.join("sources/one/src"))]);
    let report = analyse(&options(&copy), &()).unwrap();
    assert_eq!(report.findings.len(), 2, "{:?}", found(&report));
    let said = unchecked(&report, "compile_commands.json");
    assert!(said.contains("it lists no file of this directory"), "{said}");
}

#[test]
fn a_file_that_cannot_be_analysed_costs_only_itself() {
    let deep = format!("int x = {}1{};\n", "(".repeat(20_000), ")".repeat(20_000));
    let huge = format!("int a[] = {{{}}};\n", "1,".repeat(12_000_000));
    let directory =
        tree("broken", &[("good.c", BAD), ("deep.c", &deep), ("huge.c", &huge), ("syntax.c", "int f( {{{ \n"), ("latin1.c", "")]);
    fs::write(directory.join("latin1.c"), [b"/* \xe4 */ const char *s = \"\xff\xfe\";\n", BAD.as_bytes()].concat()).unwrap();
    fs::write(directory.join("binary.c"), [0, 159, 146, 150, 0, 7].repeat(1000)).unwrap();
    fs::create_dir(directory.join("directory.c")).unwrap();
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), [("P001", "good.c"), ("P001", "latin1.c")], "{:?}", report.not_checked);
    assert!(unchecked(&report, "huge.c").contains("MiB of memory"), "{:?}", report.not_checked);
    assert!(unchecked(&report, "deep.c").contains("nest"), "{:?}", report.not_checked);
    for name in ["syntax.c", "binary.c"] {
        unchecked(&report, name);
    }
}

#[test]
fn nothing_but_failures_is_an_error_that_names_them() {
    let directory = tree("nothing", &[("a.c", "#include \"pipe.h\"\n")]);
    assert!(std::process::Command::new("mkfifo").arg(directory.join("pipe.h")).status().unwrap().success());
    let mut options = options(&directory);
    options.input.time_limit = 1;
    let error = format!("{:#}", analyse(&options, &()).unwrap_err());
    assert!(error.contains("could be analysed") && error.contains("a.c: it takes longer than 1 seconds"), "{error}");
}

/// More than a file has that is parsed for one word size after the other.
fn large(text: &str) -> String {
    "/* much that nobody reads */\n".repeat(10_000) + text
}

/// Each side waits for a header that it gets when the other side is there as well.
#[test]
fn a_large_file_is_parsed_for_both_word_sizes_at_once() {
    let sides = "#ifdef __LP64__\n#include \"wide.h\"\n#else\n#include \"narrow.h\"\n#endif\nint f(int *p) { return (int)p; }\n";
    let directory = tree("large", &[("a.c", &large(sides))]);
    let headers = ["wide.h", "narrow.h"].map(|name| directory.join(name));
    for header in &headers {
        assert!(std::process::Command::new("mkfifo").arg(header).status().unwrap().success());
    }
    let meeting = std::thread::spawn(move || {
        // Opening one waits until somebody reads it.
        let pipes = headers.map(|header| (fs::OpenOptions::new().write(true).open(&header).unwrap(), header));
        for (pipe, header) in pipes {
            // Who reads it later, for its text, need not wait.
            fs::remove_file(&header).unwrap();
            fs::write(&header, "").unwrap();
            drop(pipe);
        }
    });
    let mut options = options(&directory.join("a.c"));
    options.input.time_limit = 20;
    let report = analyse(&options, &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.c")]);
    assert_eq!(report.not_checked.len(), 0, "{:?}", report.not_checked);
    meeting.join().unwrap();
}

/// Members that are defined outside of their template. What the compiler says of an instance is found, and nothing else that is in it.
const BUFFER: &str = "template <class T> class buffer {
    T *start, *at;
    int size;
  public:
    void grow(int by);
    int used();
};
template <class T> void buffer<T>::grow(int by) {
    int offset = at - start;
    size = (size + by) * sizeof(T);
    at = start + offset;
}
template <class T> int buffer<T>::used() {
    return (at - start) & (1 << 4 * sizeof(T *));
}
";

#[test]
fn headers_that_are_compiled_beforehand_change_nothing() {
    let common = "#include <string>\n#include <vector>\n";
    let plain: Vec<(String, String)> = (0..30)
        .map(|at| {
            // Where there is an error, nothing is instantiated.
            let cut = if at % 2 == 1 { "(int)p" } else { "*p" };
            let text = format!(
                "{common}std::vector<std::string> all{at};\nlong f{at}(char *p) {{ return key({cut}) + all{at}.size(); }}\n\
                 #include \"buffer.hh\"\nint g{at}(buffer<char> *of) {{ of->grow(1); return of->used(); }}\n"
            );
            (format!("plain{at:02}.cc"), format!("extern int key(int);\n{text}"))
        })
        .collect();
    let others = [
        // With <vector> the name would be ambiguous.
        (
            "own.cc",
            "#include <string>\nusing namespace std;\ntemplate <class T> struct vector { T *first; };\nvector<int> one;\n"
                .to_owned(),
        ),
        // Without the definition, which comes too late behind the headers, the two would differ.
        (
            "files.cc",
            format!(
                "#define _FILE_OFFSET_BITS 64\n{common}#include <sys/types.h>\nstruct head {{ off_t size; }} __attribute__((packed));\n"
            ),
        ),
        (
            "files-by-header.cc",
            format!(
                "#include \"config.hh\"\n{common}#include <sys/types.h>\nstruct head {{ off_t size; }} __attribute__((packed));\n"
            ),
        ),
        ("files-of-both.cc", format!("{common}#include <sys/types.h>\nstruct head {{ off_t size; }} __attribute__((packed));\n")),
        // What the library does not give it is refused.
        ("refused.cc", "#include <string>\nstd::vector<int> none;\n".to_owned()),
    ];
    let files = plain
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .chain(others.iter().map(|(name, text)| (*name, text.as_str())));
    let files: Vec<(&str, &str)> =
        files.chain([("config.hh", "# define _FILE_OFFSET_BITS 64\n"), ("buffer.hh", BUFFER)]).collect();
    let told = |report: &Report| -> Vec<String> {
        let found = report.findings.iter().map(|finding| format!("{}: {} {}", finding.target, finding.rule, finding.message));
        let unchecked = report.not_checked.iter().map(|of| format!("{}: {}", of.what, of.because));
        let mut told: Vec<String> = found.chain(unchecked).collect();
        told.sort();
        told
    };
    // In pieces they are too few for that.
    let directory = tree("precompiled", &files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".cc")).collect();
    let mut apart = Vec::new();
    for names in names.chunks(10) {
        let paths = names.iter().map(|name| directory.join(name)).collect();
        apart.extend(told(&analyse(&Options { jobs: 2, ..Options::new(paths, Pair::ALL[0]) }, &()).unwrap()));
    }
    apart.sort();
    apart.dedup();
    let together = told(&analyse(&options(&directory), &()).unwrap());
    assert_eq!(together, apart);
    let of = |name: &str| together.iter().filter(|said| said.starts_with(name)).count();
    assert_eq!(
        ["plain07.cc", "own.cc", "files.cc", "files-by-header.cc", "files-of-both.cc", "refused.cc"].map(of),
        [1, 0, 0, 0, 1, 1],
        "{together:#?}"
    );
}

#[test]
fn a_large_file_of_which_one_word_size_fails_is_named_and_the_others_are_analysed() {
    for (name, side) in [("narrow", "#ifndef"), ("wide", "#ifdef")] {
        let text = large(&format!("{side} __LP64__\n#include \"pipe.h\"\n#endif\n"));
        let directory = tree(&format!("large-{name}"), &[("a.c", &text), ("b.c", "int f(int *p) { return (int)p; }\n")]);
        assert!(std::process::Command::new("mkfifo").arg(directory.join("pipe.h")).status().unwrap().success());
        let mut options = Options { jobs: 3, ..options(&directory) };
        options.input.time_limit = 1;
        let report = analyse(&options, &()).unwrap();
        assert_eq!(found(&report), [("P001", "b.c")]);
        assert!(unchecked(&report, "a.c").contains("it takes longer than 1 seconds"), "{:?}", report.not_checked);
    }
}

#[test]
fn a_config_guess_asks_no_other_one_that_would_never_end() {
    let directory = tree("guess asks", &[("a.c", "int a;\n"), ("config.guess", "sh never.guess\n    i386) ;;\n")]);
    assert!(std::process::Command::new("mkfifo").arg(directory.join("never.guess")).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(found(&analyse(&options(&directory), &()).unwrap()).len()));
    assert_eq!(receiver.recv_timeout(std::time::Duration::from_secs(60)), Ok(1));
}

#[test]
fn what_is_named_and_would_never_end_is_refused() {
    let directory = tree("special", &[]);
    fs::create_dir_all(&directory).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(directory.join("pipe.c")).status().unwrap().success());
    for path in [directory.join("pipe.c"), PathBuf::from("/dev/zero")] {
        let mut options = options(&directory);
        options.paths = vec![path.clone()];
        let error = format!("{:#}", analyse(&options, &()).unwrap_err());
        assert!(error.contains("is no regular file"), "{}: {error}", path.display());
    }
}

#[test]
fn a_program_that_needs_a_library_of_the_machine_that_has_built_it_is_named() {
    let directory =
        tree("linked", &[("main.c", "int f(void);\nint main(void) { return f(); }\n"), ("f.c", "int f(void) { return 0; }\n")]);
    let gcc = |words: &[&str]| {
        let done = std::process::Command::new("gcc").args(words).current_dir(&directory).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let (named, path) = ("-Wl,-soname,libnamed.so.1", directory.join("libunnamed.so"));
    gcc(&["-shared", "-o", "libnamed.so.1", named, "f.c"]);
    gcc(&["-shared", "-o", "libunnamed.so", "f.c"]);
    gcc(&["-o", "good", "main.c", "./libnamed.so.1"]);
    gcc(&["-o", "bad", "main.c", path.to_str().unwrap()]);
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), [("P077", "bad")]);
    assert!(report.findings[0].message.contains(path.to_str().unwrap()), "{:?}", report.findings);
    // It is not for the architecture that is asked about.
    let options = Options { pair: Pair::parse("armhf:arm64").unwrap(), ..options(&directory) };
    assert_eq!(found(&analyse(&options, &()).unwrap()), []);
}

#[test]
fn a_cast_that_clang_refuses_in_cxx_is_a_finding_and_costs_nothing_else() {
    let text = "extern int key;\nvoid f(char *p) { key = (int)p; key = (int)(p + 1); }\nlong g(void *p) { return long(p); }\n";
    let directory = tree("refused", &[("a.cc", text)]);
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.cc"), ("P001", "a.cc")], "{:?}", report.findings);
    assert_eq!(report.not_checked, []);
}

#[test]
fn an_array_of_what_nobody_has_defined_has_no_size_and_costs_nothing() {
    let text = "class node;\nextern int key;\nvoid g(const node of[], node *const *to);\nvoid f(char *p) { key = (int)p; }\n";
    let directory = tree("undefined-elements", &[("a.cc", text)]);
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), [("P001", "a.cc")], "{:?}", report.not_checked);
    assert_eq!(report.not_checked, []);
}

/// Analysed with results kept, and how many files of results are there afterwards.
fn kept(directory: &Path, arguments: &[&str]) -> (Vec<(String, String)>, usize) {
    let cache = directory.with_extension("cache");
    let mut options = options(directory);
    options.arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
    options.input.cache = Some(cache.clone());
    let report = analyse(&options, &()).unwrap();
    assert_eq!(report.not_checked, []);
    let findings = report.findings.iter().map(|of| (of.rule.to_owned(), of.target.clone())).collect();
    (findings, results(&cache).len())
}

/// The results that are kept; what compilers have answered is there as well.
fn results(cache: &Path) -> Vec<PathBuf> {
    let below = |path: &Path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let all = below(&cache.join("results")).into_iter().flat_map(|path| below(&path));
    all.filter(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).contains("\"hits\":")).collect()
}

fn age(directory: &Path) {
    // What was written in the same moment is not trusted.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(100);
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            age(&entry);
        } else {
            fs::File::options().append(true).open(entry).unwrap().set_modified(old).unwrap();
        }
    }
}

#[test]
fn a_result_that_is_kept_is_used_until_something_that_it_depends_on_changes() {
    let files = [
        ("a.c", "#include \"k.h\"\nint f(char *p) { return key((KEY)p); }\n"),
        ("inc/k.h", "#define KEY int\nextern int key(KEY);\n"),
        ("first/README", ""),
    ];
    let directory = tree("kept", &files);
    let _ = fs::remove_dir_all(directory.with_extension("cache"));
    let (first, inc) = (format!("-I{}", directory.join("first").display()), format!("-I{}", directory.join("inc").display()));
    let list = [first.as_str(), inc.as_str()];
    let bad = vec![("P001".to_owned(), "a.c".to_owned())];
    age(&directory);
    assert_eq!(kept(&directory, &list), (bad.clone(), 1));
    // That it is used is seen by a result that is not what would be found.
    let path = results(&directory.with_extension("cache")).remove(0);
    let whole = fs::read(&path).unwrap();
    let replaced = String::from_utf8(whole[16..].to_vec()).unwrap().replace("\"P001\"", "\"P002\"");
    let sum = {
        use sha2::Digest;
        sha2::Sha256::digest(&replaced)
    };
    fs::write(&path, [&sum[..16], replaced.as_bytes()].concat()).unwrap();
    assert_eq!(kept(&directory, &list).0, [("P002".to_owned(), "a.c".to_owned())]);
    // Damaged anywhere, it does not count.
    for at in [0, 20, whole.len() / 2, whole.len() - 1] {
        let mut damaged = fs::read(&path).unwrap();
        damaged[at] ^= 1;
        fs::write(&path, damaged).unwrap();
        assert_eq!(kept(&directory, &list), (bad.clone(), 1), "byte {at}");
    }
    fs::write(&path, "").unwrap();
    assert_eq!(kept(&directory, &list).0, bad);
    // Other arguments, a header before the other, another content.
    assert_eq!(kept(&directory, &[&first, &inc, "-DX"]), (bad.clone(), 2));
    fs::write(directory.join("first/k.h"), "#define KEY long\nextern int key(KEY);\n").unwrap();
    age(&directory);
    assert_eq!(kept(&directory, &list).0, []);
    fs::remove_file(directory.join("first/k.h")).unwrap();
    assert_eq!(kept(&directory, &list).0, bad);
    fs::write(directory.join("inc/k.h"), "#define KEY long\nextern int key(KEY);\n").unwrap();
    assert_eq!(kept(&directory, &list).0, []);
}

#[test]
fn a_file_that_is_named_gets_the_rules_about_text_as_in_its_directory() {
    let list = "#if defined(__i386__) || defined(__sparc__)\n#define ORDER 1\n#else\n#error \"unknown\"\n#endif\n";
    let source = format!(
        "#include \"order.h\"\nconst char *loader = \"/lib/ld-linux.so.2\";\nstatic void f(void) {{ __asm__(\"pushl %eax\"); }}\n#ifdef NAMED\n{BAD}#endif\n"
    );
    let directory =
        tree("named", &[("a.c", &source), ("sub/order.h", list), ("sub/other.h", list), ("Makefile", "CFLAGS = -m32\n")]);
    let mut options = options(&directory.join("a.c"));
    options.arguments = vec!["-I".to_owned() + &directory.join("sub").display().to_string(), "-DNAMED".to_owned()];
    let report = analyse(&options, &()).unwrap();
    let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule).collect();
    for rule in ["P001", "P071", "P081", "P082"] {
        assert_eq!(
            rules.iter().filter(|other| **other == rule).count(),
            1,
            "{rule}: {:?} {:?}",
            found(&report),
            report.not_checked
        );
    }
    // What is beside it was not named.
    assert!(!rules.contains(&"P073"), "{rules:?}");
    assert!(!report.findings.iter().any(|finding| finding.target.ends_with("other.h")), "{:?}", found(&report));
    // Named with its directory, it is said once.
    options.paths = vec![directory.join("a.c"), directory.clone()];
    let both = analyse(&options, &()).unwrap();
    assert_eq!(both.findings.iter().filter(|finding| finding.rule == "P071").count(), 1, "{:?}", found(&both));
}

#[test]
fn of_what_only_lies_beside_a_file_nobody_concludes_what_a_name_is_for() {
    let text = "#ifdef GIVEN_BY_THE_BUILD\nvoid f(void) { __asm__(\"pushl %eax\"); }\n#endif\n";
    let directory = tree("beside-named", &[("a.c", text)]);
    let sure = |path: &Path| {
        let report = analyse(&options(path), &()).unwrap();
        let ours: Vec<_> = report.findings.iter().filter(|of| of.rule == "P081").collect();
        assert_eq!(ours.len(), 1, "{:?}", report.findings);
        ours[0].source.as_ref().unwrap().confidence
    };
    assert_eq!(sure(&directory), Confidence::Possible);
    assert_eq!(sure(&directory.join("a.c")), Confidence::Probable);
}

#[test]
fn a_build_file_that_is_named_is_looked_at_and_not_compiled() {
    let directory =
        tree("named build", &[("Makefile", "CFLAGS = -m32\n"), ("mk", "#!/bin/sh\ngcc -m32 a.c\n"), ("notes.json", "")]);
    for name in ["Makefile", "mk"] {
        let path = directory.join(name);
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let report = analyse(&options(&path), &()).unwrap();
        assert_eq!(report.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["P073"], "{name}");
        assert!(report.targets[0].description.starts_with("1 file as text, i386"), "{:?}", report.targets[0].description);
    }
}

#[test]
fn symbolic_links_that_lead_nowhere_or_in_a_circle_are_named() {
    let directory = tree("links", &[("src/a.c", BAD), ("src/sub/b.c", "int b;\n"), ("elsewhere/c.c", BAD)]);
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, directory.join("src").join(name)).unwrap();
    link(".", "sub/itself");
    link("..", "sub/above");
    link("y", "x");
    link("x", "y");
    link("nothing.c", "gone.c");
    link("../elsewhere", "outside");
    // These cost nothing: the first is analysed where it is, the others are no source.
    link("a.c", "same.c");
    link("nothing", "README");
    let report = analyse(&options(&directory.join("src")), &()).unwrap();
    let mut named: Vec<&str> = report.not_checked.iter().map(|of| of.what.rsplit('/').next().unwrap_or_default()).collect();
    named.sort_unstable();
    assert_eq!(named, ["above", "gone.c", "itself", "outside", "x", "y"], "{:?}", report.not_checked);
    assert_eq!(found(&report).len(), 1, "{:?}", found(&report));
}

#[test]
fn an_empty_list_says_so_and_what_to_do() {
    let directory = tree("empty list", &[("compile_commands.json", "[]"), ("a.c", BAD)]);
    let error = format!("{:#}", analyse(&options(&directory), &()).unwrap_err());
    assert!(error.contains("the list is empty") && error.contains("biarch port -- make"), "{error}");
    // With something else to analyse it is only named.
    let mut options = options(&directory.join("a.c"));
    options.paths.push(directory.join("compile_commands.json"));
    let report = analyse(&options, &()).unwrap();
    assert!(report.not_checked.iter().any(|of| of.because.contains("lists no files")), "{:?}", report.not_checked);
}

#[test]
fn what_is_quoted_of_a_file_is_never_long() {
    let long = "x".repeat(3_000_000);
    let directory = tree("long", &[("a.c", BAD)]);
    for entry in [json!(long), json!({"file": long, "command": "'"}), json!({"file": long, "command": "gcc"})] {
        let path = list(&directory, &[entry]);
        let error = format!("{:#}", analyse(&options(&path), &()).unwrap_err());
        assert!(error.len() < 3000, "{}", error.len());
        let mut options = options(&path);
        options.paths.push(directory.join("a.c"));
        let report = analyse(&options, &()).unwrap();
        assert!(report.not_checked.iter().all(|of| of.what.len() + of.because.len() < 3000), "{}", report.not_checked.len());
    }
}

#[test]
fn what_a_makefile_for_linux_defines_by_other_variables_is_taken_from_the_nearest() {
    let text = "#ifndef ON_LINUX\n#error \"no system\"\n#endif\n#ifdef OF_ANOTHER\n#error \"another\"\n#endif\nint f;\n";
    // Twelve of each of the next, around and around.
    let circles: String = (0..9).map(|at| format!("V{at} = {}\n", format!("$(V{}) ", (at + 1) % 9).repeat(12))).collect();
    let circles = format!("{circles}CFLAGS = $(V0)\n");
    let files = [
        ("Makefile", "all:\n\tcd src && $(MAKE)\n"),
        ("src/Makefile.linux", "PLATFORM = -DON_LINUX\nFOR = $(PLATFORM) $(FOR)\nOTHER = -DOF_ANOTHER\nCPPFLAGS += $(FOR) -I.\n"),
        ("src/Makefile.os2", "CPPFLAGS += -DON_OS2\n"),
        ("round/Makefile", circles.as_str()),
        ("round/round.c", "int f;\n"),
        ("src/main.c", text),
        ("src/part/other.c", text),
    ];
    let report = analyse(&options(&tree("variables for linux", &files)), &()).unwrap();
    assert_eq!(report.not_checked.len(), 1, "{:?}", report.not_checked);
    assert!(unchecked(&report, "Makefile").contains("not observed"));
}

#[test]
fn what_a_makefile_defines_is_defined_where_nobody_has_observed_the_build() {
    let makefile = "\
        # -DCOMMENTED\n\
        AM_CPPFLAGS = -I$(srcdir) -DPLAIN '-DQUOTED=\"$(datadir)\"' \\\n\t-DESCAPED=\\\"1.2\\\" # -DBEHIND\n\
        x_CFLAGS += -DNUMBER=4 -DNUMBER=5 -DVARIABLE=$(VALUE) -D4 -D\n\
        if WIN\nAM_CFLAGS = -DCONDITIONAL\nendif\n\
        OTHER = -DOF_ANOTHER\n\
        DEFS = -DAFTER\n\
        x.o: x.c\n\t$(CC) CFLAGS=-DRECIPE x.c\n";
    let sure = |name: &str| format!("#if !defined({name})\n#error \"no {name}\"\n#endif\n");
    let never = |name: &str| format!("#if defined({name})\n#error \"{name}\"\n#endif\n");
    let names = ["PLAIN", "QUOTED", "ESCAPED", "NUMBER", "AFTER"].map(sure).concat();
    let none = ["COMMENTED", "BEHIND", "VARIABLE", "CONDITIONAL", "OF_ANOTHER", "RECIPE"].map(never).concat();
    let text = format!(
        "{names}{none}#if NUMBER != 4\n#error \"another number\"\n#endif\nconst char *texts[] = {{ QUOTED, ESCAPED }};\n\
         int parts[sizeof ESCAPED == 4 ? 1 : -1];\n"
    );
    let none = ["PLAIN", "AFTER"].map(never).concat();
    let files = [
        ("lib/Makefile.am", makefile),
        ("lib/Makefile", "CFLAGS = -DANOTHER\n"),
        ("lib/a.c", text.as_str()),
        ("lib/below/b.c", text.as_str()),
        ("c.c", none.as_str()),
        ("src/Makefile", "CFLAGS=-DOWN\n"),
        ("src/d.c", "#ifndef OWN\n#error \"no OWN\"\n#endif\nint d;\n"),
    ];
    let report = analyse(&options(&tree("defines", &files)), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);

    // What a rule for every source has, also where nobody has made the makefile.
    let files = [
        ("Makefile.in", "CFLAGS = @CFLAGS@\n.c.o:\n\t$(CC) -I. -DOWN $(CFLAGS) -c $<\nd.o: d.c\n\t$(CC) -DRECIPE -c d.c\n"),
        ("d.c", "#if !defined OWN || defined RECIPE\n#error \"no OWN\"\n#endif\nint d;\n"),
        ("packed/Makefile", "CFLAGS = -O2 -fpack-struct -fpack-structs -funsigned-char=\n"),
        ("packed/p.c", "struct head { char kind; int size; };\nint size[sizeof(struct head) == 5 ? 1 : -1];\n"),
    ];
    let report = analyse(&options(&tree("defines by a rule", &files)), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);

    // What is above gives its own to those below, if it says so; and what one includes is its own.
    let down = |how: &str| format!("CFLAGS = -DABOVE -DNUMBER=4\n{how}\n");
    let (below, both) = ("CFLAGS += -DNUMBER=5\n", "#if NUMBER != 5\n#error \"another number\"\n#endif\n");
    let with = format!("{}{both}int a;\n", sure("ABOVE"));
    for (test, above, text) in [
        ("exported", down("export CFLAGS LDFLAGS"), &with),
        ("all exported", down(".EXPORT_ALL_VARIABLES:"), &with),
        ("exported at all", down("export"), &with),
        ("given", down("all:\n\t$(MAKE) -C src CFLAGS=\"$(CFLAGS)\""), &with),
        ("kept", down("export PREFIX\nall:\n\t$(MAKE) -C src"), &format!("{}{both}int a;\n", never("ABOVE"))),
    ] {
        let files = [("Makefile", above.as_str()), ("src/Makefile", below), ("src/a.c", text)];
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        assert_eq!(report.not_checked.len(), 1, "{test}: {:?}", report.not_checked);
    }
    let includes = "TOP = ..\ninclude ../config.mk\n-include $(TOP)/make/rules\nsinclude nothing.mk\ninclude $(NOWHERE)/x.mk\ninclude Makefile\n";
    let files = [
        ("src/Makefile", includes),
        ("config.mk", "CFLAGS = -DINCLUDED -I inc -Iinc\n"),
        ("make/rules", "CPPFLAGS = -DBY_VARIABLE\n"),
        ("src/inc/own/size.h", "#define WORD 8\n"),
        ("old/own/size.h", "#define WORD 4\n"),
        ("src/a.c", &(["INCLUDED", "BY_VARIABLE"].map(sure).concat() + "#include <own/size.h>\nint size[WORD == 8 ? 1 : -1];\n")),
    ];
    let report = analyse(&options(&tree("included makefiles", &files)), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);

    // Where each system has a makefile, elsewhere.
    let files = [
        ("make/Makefile.hpux", "CFLAGS = -DOF_ANOTHER\n"),
        ("make/Makefile.linux", "CFLAGS = -DPLAIN -DAFTER\n"),
        ("make/Makefile.linux_sql", "CFLAGS = -DOF_ANOTHER\n"),
        ("src/a.c", &(["PLAIN", "AFTER"].map(sure).concat() + &never("OF_ANOTHER") + "int a;\n")),
        ("own/makefile", "CFLAGS = -DOWN\n"),
        ("own/b.c", &(sure("OWN") + &never("PLAIN") + "int b;\n")),
    ];
    let report = analyse(&options(&tree("defines for linux", &files)), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
}

#[test]
fn what_is_wrong_in_a_header_is_said_of_that_once() {
    let files = [
        ("config.h", "#error \"not for this system\"\n"),
        ("a.c", "#include \"config.h\"\n"),
        ("b.c", "#include \"config.h\"\n"),
        ("c.c", "#error \"nor this\"\n"),
    ];
    let report = analyse(&options(&tree("refused", &files)), &()).unwrap();
    let said: Vec<(&str, &str)> = report.not_checked.iter().map(|of| (of.what.as_str(), of.because.as_str())).collect();
    let expected = [
        ("c.c", "1 of its lines are not analysed: \"nor this\" (i386)"),
        ("config.h", "lines of a.c and 1 more are not analysed: \"not for this system\" (i386)"),
    ];
    assert_eq!(said, expected);
    assert!(report.targets[0].description.starts_with("3 of 3 files, 3 of them only in part"), "{:?}", report.targets);
}

#[test]
fn what_is_for_a_compiler_of_another_system_is_no_header_of_this_one() {
    let number = |of: &str| format!("typedef unsigned {of} Bit32u;\n");
    let files = [
        ("config.h.in", &*number("int")),
        ("src/visualc_net10/config.h", &number("long")),
        ("src/libwin32/loader.c", BAD),
        ("src/a.c", "#include \"config.h\"\nint size[sizeof(Bit32u) == 4 ? 1 : -1];\n"),
        ("src/win32_tools.c", "int kept;\n"),
    ];
    let directory = tree("compilers", &files.map(|(name, text)| (name, text)));
    let report = analyse(&options(&directory), &()).unwrap();
    assert_eq!(found(&report), []);
    assert!(unchecked(&report, "src/visualc_net10").contains("for another system"));
    assert!(unchecked(&report, "src/libwin32").contains("for another system"));
    assert_eq!(report.not_checked.len(), 3, "{:?}", report.not_checked);
}

#[test]
fn a_header_in_angles_is_that_of_the_project_before_that_beside_the_file() {
    let files = [
        ("include/toy.h", "#define SIZE 4\n"),
        ("toy/toy.h", "#define SIZE 8\n"),
        ("toy/own.h", "#define OWN 2\n"),
        ("toy/a.c", "#include <toy.h>\n#include <own.h>\nint size[SIZE == 4 && OWN == 2 ? 1 : -1];\n"),
        ("toy/b.c", "#include \"toy.h\"\nint size[SIZE == 8 ? 1 : -1];\n"),
        // That of another part is not for all.
        ("part/include/own.h", "#define OWN 3\n"),
        ("part/c.c", "#include <own.h>\nint size[OWN == 3 ? 1 : -1];\n"),
    ];
    let report = analyse(&options(&tree("angles", &files)), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
}

#[test]
fn what_no_build_file_names_is_only_possible() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let sources = ["main.c", "names.c", "parts.c", "lib/late.c", "lib/included.c", "old.c"];
    let surest = |makefile: &str, test: &str| {
        let mut files: Vec<(&str, &str)> = sources.iter().map(|name| (*name, cut)).collect();
        files.extend([
            ("Makefile", makefile),
            ("lib/use.c", "#include \"included.c\"\n"),
            (
                "lib/Makefile.am",
                "a_SOURCES = use.c late.c\n# old.c\n#ALL = $(wildcard *.c)\ninclude_HEADERS = old.h\nEXTRA_DIST = a \\\n old.c\n",
            ),
            ("configure.ac", "AC_INIT([old])\n"),
            // What tests read is more than there is of the program.
            ("regress/input/1.c", ""),
            ("regress/input/2.c", ""),
            ("regress/input/3.c", ""),
        ]);
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        let possible = report.findings.iter().filter(|of| of.source.as_ref().unwrap().confidence == Confidence::Possible);
        let names: BTreeSet<String> = possible.map(|finding| finding.target.clone()).collect();
        let said =
            report.not_checked.iter().any(|of| of.what == "old.c and 3 more" && of.because.contains("no build file names it"));
        (names.into_iter().collect::<Vec<_>>(), said)
    };
    assert_eq!(
        surest("OBJS = main.o $(O)/names.o parts.$(OBJEXT) # old.o\nclean:\n\t-rm -f main.o old.o\n", "unnamed"),
        (vec!["old.c".to_owned()], true)
    );
    let cleans = "OBJS = main.o names.o parts.o\nclean:\n\t@find . -name '*.c.out' \\\n\t-exec rm {} \\;\n";
    assert_eq!(surest(cleans, "removed"), (vec!["old.c".to_owned()], true));
    // Whatever is there, or most of it, is built.
    assert_eq!(surest("OBJS = main.o $(wildcard *.c)\n", "wildcard"), (Vec::new(), false));
    assert_eq!(surest("OBJS = main.o\n", "few are named"), (Vec::new(), false));
}

#[test]
fn a_source_that_another_includes_is_analysed_there_although_its_object_depends_on_it() {
    let sure = |test: &str, rule: &str| {
        let makefile = format!("OBJS = main.o names.o all.o\n{rule}\n");
        let files = [
            ("Makefile", makefile.as_str()),
            ("main.c", ""),
            ("names.h", "char *name_of(int);\n"),
            ("names.c", "#include \"names.h\"\nchar *name_of(int n) { return n ? \"a\" : 0; }\n"),
            ("all.c", "#include \"names.h\"\n#include \"part.c\"\n"),
            ("part.c", "char *first(void) { return name_of(1); }\n"),
        ];
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        let found = report.findings.iter().find(|of| of.target == "part.c").unwrap();
        found.source.as_ref().unwrap().confidence
    };
    assert_eq!(sure("depends", "all.o : all.c names.h part.c"), Confidence::Possible);
    assert_eq!(sure("is compiled", "all.o : all.c names.h part.c\npart.o: part.c"), Confidence::Probable);
    assert_eq!(sure("is the first", "old.o : part.c"), Confidence::Probable);
}

#[test]
fn of_sources_with_one_name_a_build_file_means_those_of_its_directory() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let sure = |test: &str, above: &str, beside: &str| {
        let files = [
            ("Makefile", above),
            ("main.c", ""),
            ("tests/Makefile", beside),
            ("tests/turn.c", ""),
            ("tests/bind.c", ""),
            ("part/tests/turn.c", cut),
            ("part/tests/names.mk", "OBJS = more.o\n"),
            ("part/tests/more.c", ""),
        ];
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        let of_cut = report.findings.iter().find(|of| of.target == "part/tests/turn.c");
        of_cut.unwrap().source.as_ref().unwrap().confidence
    };
    let named = "OBJS = turn.o bind.o\n";
    assert_eq!(sure("the other one", "OBJS = main.o\n", named), Confidence::Possible);
    assert_eq!(sure("the other one, from above", "OBJS = main.o tests/turn.o\n", "OBJS = bind.o\n"), Confidence::Possible);
    let surely = Confidence::Certain.lower();
    assert_eq!(sure("this one, from above", "OBJS = main.o part/tests/turn.o\n", named), surely);
    assert_eq!(sure("this one, from beside", "OBJS = main.o\n", "OBJS = bind.o ../part/tests/turn.o turn.o\n"), surely);
    assert_eq!(sure("nobody knows which, from above", "OBJS = main.o turn.o\n", named), surely);
    assert_eq!(sure("a word", "OBJS = main.o\nturn: all\n", named), Confidence::Possible);
    assert_eq!(sure("nobody knows which", "OBJS = main.o $(DIR)/turn.o\n", named), surely);
}

#[test]
fn what_is_built_for_lack_of_a_function_that_the_system_has_is_only_possible() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let files = [
        ("Makefile", "OBJS = main.o missing/asprintf.o missing/of_ours.o src/asprintf.o\n"),
        ("main.c", ""),
        ("missing/asprintf.c", cut),
        ("missing/of_ours.c", cut),
        ("src/asprintf.c", cut),
    ];
    let report = analyse(&options(&tree("lack", &files)), &()).unwrap();
    let possible = report.findings.iter().filter(|of| of.source.as_ref().unwrap().confidence == Confidence::Possible);
    assert_eq!(possible.map(|finding| finding.target.as_str()).collect::<Vec<_>>(), ["missing/asprintf.c"]);
    assert_eq!(report.findings.len(), 3);

    // What CMake has found is there if its header is.
    let found = "#cmakedefine STDIO_FOUND\n#cmakedefine NO_SUCH_LIBRARY_FOUND\n";
    let asks = "#include \"config.h\"\n#if !defined STDIO_FOUND || defined NO_SUCH_LIBRARY_FOUND\n#error \"not found\"\n#endif\nint f;\n";
    let report = analyse(&options(&tree("found", &[("config.h.in", found), ("a.c", asks)])), &()).unwrap();
    assert!(report.not_checked.iter().all(|of| of.what == "config.h"), "{:?}", report.not_checked);
}

#[test]
fn what_only_makefiles_for_other_processors_name_is_only_possible() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let sure = |test: &str, makefile: &str| {
        let files = [
            ("Makefile", "OBJS = main.o more.o\n"),
            ("main.c", ""),
            ("more.c", ""),
            ("soft/float.c", cut),
            ("alpha/a.c", ""),
            ("vax/a.c", ""),
            ("x86_64/a.c", ""),
            ("x86_64/Makefile", "OBJS = a.o\n"),
            ("ppc/a.c", ""),
            (makefile, "SOFT = soft/float.o a.o\n"),
        ];
        let report = analyse(&options(&tree(test, &files)), &()).unwrap();
        assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
        report.findings[0].source.as_ref().unwrap().confidence
    };
    assert_eq!(sure("named for others", "ppc/Makefile"), Confidence::Possible);
    assert_eq!(sure("named for all", "soft/Makefile"), Confidence::Certain);
}

#[test]
fn what_automake_builds_on_another_system_only_is_only_possible() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let makefile = "if SUN\nparts = src login\nelse\nparts = src\nendif\nSUBDIRS = $(parts) po\n";
    let program = "bin_PROGRAMS = main\nmain_SOURCES = main.c\nif SUN\nOF_SUN=sun.c\nmain_SOURCES += $(OF_SUN) . ..\nendif\nif PLATFORM_WIN32\n\
        main_SOURCES += native.c\nelse\nmain_SOURCES += unix.c\nendif\nEXTRA_main_SOURCES = sun.c unix.c\n\
        CLEANFILES = native.c sun.c\n";
    let configure =
        "AC_INIT([main])\ncase \"$host\" in\n*-*-solaris*) sun=true ;;\n*) sun=false ;;\nesac\nAM_CONDITIONAL(SUN, $sun)\n";
    let named = "main_SOURCES = main.c sun.c native.c unix.c\n";
    let files = [
        ("Makefile.am", makefile),
        ("src/Makefile.am", program),
        ("src/Makefile.in", named),
        ("login/Makefile.am", "bin_PROGRAMS = login\nlogin_SOURCES = login.c\n"),
        ("configure.ac", configure),
        ("src/main.c", cut),
        ("src/sun.c", cut),
        ("src/native.c", cut),
        ("src/unix.c", cut),
        ("src/more.c", cut),
        ("src/most.c", cut),
        ("src/rest.mk", "ALSO = more.o most.o\n"),
        ("login/login.c", cut),
    ];
    let report = analyse(&options(&tree("automake", &files)), &()).unwrap();
    let possible = report.findings.iter().filter(|of| of.source.as_ref().unwrap().confidence == Confidence::Possible);
    let mut names: Vec<&str> = possible.map(|finding| finding.target.as_str()).collect();
    names.sort();
    assert_eq!(names, ["login/login.c", "src/native.c", "src/sun.c"]);
}

#[test]
fn what_no_build_file_names_is_only_possible_as_text_as_well() {
    let assembly = "int get(void) { int r; __asm__(\"pushl %%ebx\\n\\tcpuid\\n\\tpopl %%ebx\" : \"=a\"(r) : \"0\"(0) : \"ecx\", \"edx\"); return r; }\n";
    for (makefile, wanted) in
        [("OBJS = a.o b.o c.o\n", Confidence::Possible), ("OBJS = a.o b.o c.o cpu.o\n", Confidence::Probable)]
    {
        let files = [("a.c", "int a;\n"), ("b.c", "int b;\n"), ("c.c", "int c;\n"), ("cpu.c", assembly), ("Makefile", makefile)];
        let report = analyse(&options(&tree("as text", &files)), &()).unwrap();
        let sure: Vec<_> =
            report.findings.iter().filter(|of| of.rule == "P081").map(|of| of.source.as_ref().unwrap().confidence).collect();
        assert_eq!(sure, [wanted], "{makefile}: {:?}", report.findings);
    }
}

#[test]
fn the_header_of_a_grammar_is_made_of_it() {
    let grammar = "%union { char *name; long number; }\n%token <number> NUMBER\n%token NAME\n%%\nall: NUMBER NAME ;\n";
    let source = "#include \"y.tab.h\"\nint key(int token, char *p) { return token == NUMBER ? (int)p : (int)yylval.name; }\n";
    let files = [("src/calc.y", grammar), ("src/a.c", source)];
    let report = analyse(&options(&tree("grammar", &files)), &()).unwrap();
    let sure: Vec<_> = report.findings.iter().map(|of| (of.rule, of.source.as_ref().unwrap().confidence)).collect();
    assert_eq!(sure, [("P001", Confidence::Certain); 2], "{:?}", report.not_checked);
    assert!(unchecked(&report, "y.tab.h").contains("made of src/calc.y, with the tokens"), "{:?}", report.not_checked);
    // That of a parser of C++ has a class.
    let files = [("src/calc.y", "%skeleton \"lalr1.cc\"\n%token NUMBER\n%%\n"), ("src/a.c", source)];
    let report = analyse(&options(&tree("grammar of C++", &files)), &()).unwrap();
    assert!(unchecked(&report, "y.tab.h").contains("not found"), "{:?}", report.not_checked);
}

#[test]
fn a_c_library_is_analysed_with_its_own_headers() {
    let headers = ["ctype.h", "stdio.h", "stdlib.h", "string.h", "unistd.h"];
    let of = |directory: &str, headers: &[&str]| {
        let texts = headers.iter().map(|name| (format!("include/{name}"), "char *made(int n);\n".to_owned()));
        let sources = [
            ("include/choices.h", "\n"),
            ("a.c", "#include <choices.h>\n#include <stdio.h>\nchar *f(void) { return made(1); }\n"),
            ("made.c", "#include <stdio.h>\nchar *made(int n) { static char text[9]; return text + n; }\n"),
        ];
        let sources = sources.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let files: Vec<(String, String)> = texts.chain(sources).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let report = analyse(&options(&tree(directory, &files)), &()).unwrap();
        report.findings.iter().filter(|of| of.rule == "P003").count()
    };
    assert_eq!(of("a C library", &headers), 0);
    // One is there for systems that do not have it.
    assert_eq!(of("a program", &headers[..2]), 1);
}

#[test]
fn what_needs_64_bits_has_nobody_run_with_32() {
    let cut = "int key(char *p) { return (int)p; }\n";
    let narrow = "_Static_assert(sizeof(long) == 4, \"old\");\n";
    for (needs, wanted) in [
        ("typedef __int128 wide;\n", Confidence::Possible),
        ("struct word { unsigned long front : 58; };\n", Confidence::Possible),
        ("_Static_assert(sizeof(void *) == 8, \"new\");\n", Confidence::Possible),
        ("_Static_assert(sizeof(void *) == 2, \"none\");\n", Confidence::Certain),
        (narrow, Confidence::Certain),
    ] {
        let report = analyse(&options(&tree("needs 64", &[("a.c", &format!("{needs}{cut}"))])), &()).unwrap();
        let found: Vec<_> = report.findings.iter().filter(|of| of.rule == "P001").collect();
        assert_eq!(found.len(), 1, "{:?}", report.findings);
        assert_eq!(found[0].source.as_ref().unwrap().confidence, wanted, "{needs}");
    }
}

#[test]
fn assembly_that_no_build_file_names_is_only_possible() {
    let assembly = "add:\n\tpushl %ebp\n\tmovl 8(%esp), %eax\n\tpopl %ebp\n\tret\n";
    for (makefile, wanted) in [("OBJS = a.o\n", Confidence::Possible), ("OBJS = a.o add.o\n", Confidence::Probable)] {
        let files = [("a.c", "int a;\n"), ("add.S", assembly), ("Makefile", makefile)];
        let report = analyse(&options(&tree("assembly", &files)), &()).unwrap();
        let found: Vec<_> = report.findings.iter().filter(|of| of.rule == "P080").collect();
        assert_eq!(found.len(), 1, "{:?}", report.findings);
        assert_eq!(found[0].source.as_ref().unwrap().confidence, wanted, "{makefile}");
    }
}

#[test]
fn who_has_assembly_for_the_new_architecture_has_built_there() {
    let (push, asks) = ("add:\n\tpushl %ebp\n\tret\n", "#ifdef __x86_64__\nsum:\n#endif\n");
    for (path, text, wanted) in [
        ("x86_64/sum.S", "sum:\n", Confidence::Possible),
        ("sum.S", asks, Confidence::Possible),
        ("sum.S", "sum:\n", Confidence::Probable),
        ("x86_64/sum.c", "int b;\n", Confidence::Probable),
        ("sum.c", asks, Confidence::Probable),
    ] {
        let files = [("a.c", "int a;\n"), ("add.S", push), (path, text), ("Makefile", "OBJS = a.o add.o sum.o\n")];
        let report = analyse(&options(&tree("assembly of others", &files)), &()).unwrap();
        let found: Vec<_> = report.findings.iter().filter(|of| of.rule == "P080").collect();
        assert_eq!(found.len(), 1, "{:?}", report.findings);
        assert_eq!(found[0].source.as_ref().unwrap().confidence, wanted, "{path} {text}");
    }
}

#[test]
fn headers_are_found_where_the_build_would_link_to_them() {
    let files = [
        ("include/log.h", "typedef unsigned log_t;\n#undef LEVEL\n#define LEVEL 4\n"),
        ("src/a.c", "#include <toy/log.h>\nint size[sizeof(log_t) == LEVEL ? 1 : -1];\n"),
        ("src/b.c", "#include <toy/other/log.h>\n"),
        ("src/c.c", "#include <toy/nowhere.h>\n"),
        // Of a library, whatever the project has.
        ("include/gstdio.h", "\n"),
        ("src/d.c", "#include <glib/gstdio.h>\n"),
    ];
    let directory = tree("linked", &files);
    // The second time the link is there; then it leads to where the header was before.
    for round in 0..3 {
        if round == 2 {
            fs::create_dir(directory.join("lib")).unwrap();
            fs::rename(directory.join("include"), directory.join("lib/include")).unwrap();
        }
        let report = analyse(&options(&directory), &()).unwrap();
        let from = if round == 2 { "lib/include" } else { "include" };
        assert!(unchecked(&report, "toy").contains(&format!("the headers of {from} are taken")), "{:?}", report.not_checked);
        let missing: Vec<&str> =
            report.not_checked.iter().filter(|of| of.because.contains("not found")).map(|of| of.what.as_str()).collect();
        let missing = missing.join(", ");
        assert!(["toy/other/log.h", "toy/nowhere.h", "glib/gstdio.h"].iter().all(|name| missing.contains(name)), "{missing}");
        assert!(!report.not_checked.iter().any(|of| of.because.contains("a.c")), "{:?}", report.not_checked);
    }
}

#[test]
fn headers_are_found_where_the_build_puts_all_of_them_into_one_directory() {
    let files = [
        ("src/low/log.h", "typedef unsigned log_t;\n"),
        ("src/high/say.h", "#define LEVEL 4\n"),
        ("src/low/two.h", "\n"),
        ("src/high/two.h", "\n"),
        ("src/a.c", "#include <toy/log.h>\n#include <toy/say.h>\nint size[sizeof(log_t) == LEVEL ? 1 : -1];\n"),
        ("src/b.c", "#include <toy/two.h>\n"),
        ("src/c.c", "#include <log/log.h>\n"),
    ];
    let report = analyse(&options(&tree("libtoy-1.2", &files)), &()).unwrap();
    assert!(unchecked(&report, "toy").contains("the headers of src/high and 1 more are taken"), "{:?}", report.not_checked);
    let missing = report.not_checked.iter().filter(|of| of.because.contains("not found")).map(|of| of.what.as_str());
    assert_eq!(missing.collect::<Vec<_>>(), ["log/log.h, toy/two.h"]);
    assert_eq!(report.not_checked.len(), 2, "{:?}", report.not_checked);
}

#[test]
fn of_headers_with_one_name_that_is_taken_where_the_makefile_has_the_compiler_look() {
    let wide = "#define WORD 8\n";
    let files = [
        ("ports/old/include/arch/cc.h", "#define WORD 4\n"),
        ("ports/unix/include/arch/cc.h", wide),
        ("Makefile.am", "AM_CPPFLAGS = -I$(top_srcdir)/ports/../ports/unix/include -I$(HOME)/x -I/usr/include\n"),
        ("src/a.c", "#include <arch/cc.h>\nint size[WORD == 8 ? 1 : -1];\n"),
        // The makefile that is nearer says another one, and the first of two counts.
        ("part/first/arch/cc.h", "#define WORD 3\n"),
        ("part/second/arch/cc.h", "#define WORD 5\n"),
        ("part/Makefile", "CFLAGS = -Isecond -I${srcdir}/first\n"),
        ("part/b.c", "#include <arch/cc.h>\nint size[WORD == 5 ? 1 : -1];\n"),
        ("part/in/Makefile", "DEFS = -I@srcdir@/../first\n"),
        ("part/in/c.c", "#include \"arch/cc.h\"\nint size[WORD == 3 ? 1 : -1];\n"),
    ];
    let report = analyse(&options(&tree("searched", &files)), &()).unwrap();
    let said: Vec<_> = report.not_checked.iter().filter(|of| !of.because.contains("not observed")).collect();
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_header_that_configure_makes_is_made_of_what_that_asks_for() {
    let asks = |header: &str| {
        format!(
            "#include \"{header}\"\n#if !HAVE_STRDUP || !HAVE_UNISTD_H || SIZEOF_LONG != __SIZEOF_LONG__\n#error \"{header}\"\n#endif\nint f;\n"
        )
    };
    let files = [
        ("configure.ac", "AC_INIT\nAC_CONFIG_HEADERS([config.h])\nAC_CHECK_FUNCS([strdup])\nAC_CHECK_SIZEOF(long)\n".to_owned()),
        ("a.c", asks("config.h")),
        ("lib/b.c", asks("../config.h")),
        ("lib/c.c", asks("config.h")),
        ("lib/configure.in", "AC_INIT\nAC_CONFIG_HEADERS(config.h)\n".to_owned()),
        // Another one has this name, and is not the one that is meant, except for what is beside it.
        ("plugins/other/config.h", "#error \"of another\"\n".to_owned()),
        ("plugins/mine/config.h", "#define MINE 1\n".to_owned()),
        ("plugins/mine/d.c", "#include \"config.h\"\n#ifndef MINE\n#error \"mine\"\n#endif\nint f;\n".to_owned()),
        // Nor is one of the project's own in a directory that is named.
        ("include/own/config.h", "#define OWN 1\n".to_owned()),
        ("e.c", "#include \"own/config.h\"\n#ifndef OWN\n#error \"own\"\n#endif\nint f;\n".to_owned()),
    ];
    let report = analyse(&options(&tree("asks", &files.each_ref().map(|(name, text)| (*name, text.as_str())))), &()).unwrap();
    assert!(unchecked(&report, "config.h").contains("was made of configure.ac"));
    assert!(unchecked(&report, "configure.ac").contains("not observed"));
    assert_eq!(report.not_checked.len(), 2, "{:?}", report.not_checked);
}

#[test]
fn a_header_that_adds_to_the_systems_is_found_before_it() {
    let found = |test: &str, first: &str| {
        let shim = format!("{first}\nvoid *own_copy(const void *, unsigned long);\n");
        let files = [
            ("include/string.h", shim.as_str()),
            ("include/own.h", ""),
            ("include/time.h", "int own_time;\n"),
            (
                "own_copy.c",
                "#include <string.h>\nvoid *own_copy(const void *from, unsigned long n) { return (char *)from + n; }\n",
            ),
            ("a.c", "#include <string.h>\n#include <own.h>\nchar *f(const char *p) { return own_copy(p, strlen(p)); }\n"),
        ];
        analyse(&options(&tree(test, &files)), &()).unwrap().findings.iter().filter(|finding| finding.rule == "P003").count()
    };
    assert_eq!(found("include next", "#include_next <string.h>"), 0);
    assert_eq!(found("instead", "extern int nothing;"), 1);
}

#[test]
fn what_a_header_in_angles_does_is_found_also_beside_one_with_a_name_of_the_systems() {
    let cut = "static inline int own(char *p) { return (int)p; }\n";
    for (name, wanted) in [("of_our_own.h", Some(Confidence::Certain)), ("string.h", None)] {
        let include = format!("include/{name}");
        let files = [
            ("include/own.h", cut),
            (&*include, ""),
            ("a.c", "#include <own.h>\n#include <string.h>\nint f(char *p) { return strlen(p) == 1; }\n"),
        ];
        let report = analyse(&options(&tree(name, &files)), &()).unwrap();
        assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
        // What is in a directory that may not come before the system's is taken for the system's.
        let first = report.findings.iter().find(|of| of.target == "include/own.h");
        assert_eq!(first.map(|of| of.source.as_ref().unwrap().confidence), wanted, "{name}: {:?}", report.findings);
    }
}

#[test]
fn what_tests_do_wrong_is_less_sure() {
    let cut = "int cut(char *p) { return (int)p; }\n";
    for (name, wanted) in [
        ("a.c", Confidence::Certain),
        ("latest/a.c", Confidence::Certain),
        ("tests/a.c", Confidence::Probable),
        ("validation/a.c", Confidence::Probable),
        ("contrib/sub/a.c", Confidence::Probable),
        ("src/tests.c", Confidence::Probable),
        ("src/regress.c", Confidence::Certain),
        ("contributed/a.c", Confidence::Certain),
        ("src/testlist/a.c", Confidence::Probable),
        ("lib/unit-tests/sub/a.c", Confidence::Probable),
        ("test_a.c", Confidence::Probable),
    ] {
        let directory = tree("of tests", &[(name, cut)]);
        let sure = |path: &Path| analyse(&options(path), &()).unwrap().findings[0].source.as_ref().unwrap().confidence;
        assert_eq!(sure(&directory), wanted, "{name}");
        // Whoever names it wants it.
        assert_eq!(sure(&directory.join(name)), Confidence::Certain, "{name}");
        fs::remove_file(directory.join(name)).unwrap();
    }
}

#[test]
fn what_automake_compiles_for_tests_alone_is_less_sure() {
    let cut = "int main(int count, char **all) { return count ? (int)all[0] : 0; }\n";
    let files = [
        ("Makefile.am", "bin_PROGRAMS = toy\ncheck_PROGRAMS = tc-cast\n"),
        ("toy.c", "int main(void) { return 0; }\n"),
        ("tc-cast.c", cut),
    ];
    let directory = tree("of check programs", &files);
    let sure = |path: &Path| analyse(&options(path), &()).unwrap().findings[0].source.as_ref().unwrap().confidence;
    assert_eq!(sure(&directory), Confidence::Probable);
    assert_eq!(sure(&directory.join("tc-cast.c")), Confidence::Certain);
}

#[test]
fn a_function_of_the_projects_is_none_of_the_systems_in_angles_either() {
    let files = [
        ("include/own.h", "int opens(int of);\n"),
        (
            "a.c",
            "#include <own.h>\n#include <unistd.h>\nint own(char *p) { return opens((int)(long)p); }\n\
                 int systems(char *p) { return close((int)(long)p); }\n",
        ),
    ];
    let report = analyse(&options(&tree("own in angles", &files)), &()).unwrap();
    let sure: Vec<_> = report.findings.iter().map(|of| of.source.as_ref().map(|of| (of.line, of.confidence))).collect();
    assert_eq!(sure, [Some((3, Confidence::Certain)), Some((4, Confidence::Possible))]);
}
