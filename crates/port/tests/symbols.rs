//! What dlsym(3) finds is called by a type of its own: the function of that name is in another file, in a header, or nowhere.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use Confidence::{Possible, Probable};
use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse};

/// The findings about types of functions that are not allowed: file, line, how sure, and what is said.
fn found(files: &[(&str, &str)]) -> Vec<(String, u32, Confidence, String)> {
    found_by("P043", files)
}

/// The same of another rule.
fn found_by(rule: &str, files: &[(&str, &str)]) -> Vec<(String, u32, Confidence, String)> {
    let test = std::thread::current().name().unwrap().to_owned();
    let paths = vec![tree::written("symbols", &test, files)];
    let options = Options { jobs: 2, ..Options::new(paths, Pair::ALL[0]) };
    let report = analyse(&options, &()).unwrap();
    let ours = report.new_findings().filter(|finding| finding.rule == rule);
    ours.map(|finding| {
        let source = finding.source.as_ref().unwrap();
        let file = finding.target.rsplit('/').next().unwrap().to_owned();
        (file, source.line, source.confidence, finding.message.clone())
    })
    .collect()
}

/// The functions that are looked up, in a file of their own.
const LIBRARY: &str = "static int hidden(long n);\n\
    long twice(long n) { return 2 * n; }\n\
    char *name_of(int n) { return n ? \"a\" : \"b\"; }\n\
    int is_set(const char *mask, int bit) { return mask[bit]; }\n\
    unsigned next_of(unsigned n) { return n + 1; }\n\
    struct wrapped { long n; };\n\
    struct wrapped wrap(struct wrapped of) { return of; }\n\
    float half_of(float n) { return n / 2; }\n\
    static int hidden(long n) { return n != 0; }\n\
    int (*const kept)(long) = hidden;\n";

/// How sure it is for each line of a function that looks something up in this library.
fn lines(body: &str) -> Vec<(u32, Confidence)> {
    let text = format!("#include <dlfcn.h>\nvoid *f(void *l, void **p)\n{{\n{body}\nreturn *p = l;\n}}\n");
    let found = found(&[("library.c", LIBRARY), ("a.c", &text)]);
    found
        .into_iter()
        .map(|(file, line, confidence, _)| (line - 3, confidence, file))
        .map(|(line, confidence, file)| {
            assert_eq!(file, "a.c");
            (line, confidence)
        })
        .collect()
}

#[test]
fn what_is_looked_up_is_called_as_what_it_is_not() {
    for body in [
        "char *(*g)(int) = dlsym(l, \"name_of\"); int (*w)(int) = dlsym(l, \"name_of\"); g(1); w(1);",
        "int (*g)(int); g = dlsym(l, \"name_of\"); g(1);",
        "int (*g)(int); g = (int (*)(int))dlsym(l, \"name_of\"); g(1);",
        "int (*g)(int); *(void **)&g = dlsym(l, \"name_of\"); g(1);",
        "int (*g)(int); *(void **)(&g) = dlsym(l, \"name_of\"); g(1);",
        "struct { int (*g)(int); } s[2]; *(void **)&s[1].g = dlsym(l, \"name_of\"); s[1].g(1);",
        "((int (*)(int))dlsym(l, \"name_of\"))(1);",
        "typedef int getter(int); getter *g = (getter *)dlsym(l, \"name_of\"); g(1);",
        "typedef int (*getter)(int); getter g; if (!(g = (getter)dlsym(l, \"name_of\"))) return 0; g(1);",
        "int (*g)(int) = (int (*)(int))(void (*)(void))dlsym(l, \"name_of\"); g(1);",
        "int (*g)(int) = (int (*)(int))(unsigned long)dlsym(l, \"name_of\"); g(1);",
        "void *s = dlsym(l, \"name_of\"); if (!s) return 0; ((int (*)(int))s)(1);",
        "void *s; s = dlsym(l, \"name_of\"); int (*g)(int) = s; g(1);",
        "((int (*)(int))dlsym(RTLD_DEFAULT, \"name_\" \"of\"))(1);",
        "\n#define LOAD(name) int (*name##_)(int) = (int (*)(int))dlsym(l, #name);\nLOAD(name_of) name_of_(1);",
        "int (*g)(int, int) = dlsym(l, \"is_set\"); g(1, 2);",
    ] {
        let found = lines(body);
        assert!(matches!(found.as_slice(), [(_, Probable)]), "{body}: {found:?}");
    }
}

#[test]
fn what_is_looked_up_and_right_is_silent() {
    for body in [
        "char *(*g)(int) = dlsym(l, \"name_of\"); g(1);",
        // Each version has a type of its own.
        "extern void *dlvsym(void *, const char *, const char *); int (*g)(int) = dlvsym(l, \"name_of\", \"V1\"); g(1);",
        // Of the same width: another mistake, and the same for 32 bits.
        "void *(*g)(int) = dlsym(l, \"name_of\"); g(1);",
        "unsigned long (*g)(unsigned long) = dlsym(l, \"twice\"); g(1);",
        "long long (*g)(unsigned) = dlsym(l, \"next_of\"); g(1);",
        "void (*g)(int) = dlsym(l, \"name_of\"); g(1);",
        "double (*g)(double) = dlsym(l, \"twice\"); g(1);",
        // The last type is the one by which it is called.
        "long (*g)(long) = (long (*)(long))(int (*)(void))dlsym(l, \"twice\"); g(1);",
        "typedef void (*any)(void); any g = (any)dlsym(l, \"twice\"); g();",
        // What is passed otherwise.
        "int (*g)(struct wrapped *) = dlsym(l, \"wrap\"); g(0);",
        "long (*g)(long) = dlsym(l, \"half_of\"); g(1);",
        // Nobody defines it, or not so that it is found; or its name is not known.
        "int (*g)(int) = dlsym(l, \"thrice\"); g(1);",
        "int (*g)(int) = dlsym(l, \"hidden\"); g(1);",
        "int (*g)(int) = dlsym(l, \"twice@V1\"); g(1);",
        "const char *n = \"twice\"; int (*g)(int) = dlsym(l, n); g(1);",
        "int (*g)(int) = dlsym(l, *p ? \"next_of\" : \"twice\"); g(1);",
        // Data, and what is not called.
        "int *g = dlsym(l, \"twice\"); *p = g;",
        "*p = dlsym(l, \"twice\");",
        "*(void **)p = dlsym(l, \"twice\");",
        // A variable for several.
        "void *s = dlsym(l, \"twice\"); long (*g)(long) = s; s = dlsym(l, \"next_of\"); int (*h)(int) = s; g(h(1));",
        "void *s = dlsym(l, \"twice\"); p = &s; int (*g)(int) = s; g(1);",
        "static void *s; int (*g)(int) = s; *p = dlsym(l, \"twice\"); g(1);",
        "extern void *shared; shared = dlsym(l, \"name_of\"); int (*g)(int) = shared; g(1);",
        // Another function with such a name.
        "extern void *dlsymbol(void *, const char *); int (*g)(int) = dlsymbol(l, \"twice\"); g(dlsym(l, \"\") != 0);",
        // For 32 bits alone.
        "if (sizeof(long) == 4) { int (*g)(int) = dlsym(l, \"name_of\"); g(1); }",
    ] {
        assert_eq!(lines(body), [], "{body}");
    }
}

#[test]
fn what_may_be_right_is_only_possible() {
    for body in [
        // The lower half of a number is the number.
        "int (*g)(long) = dlsym(l, \"twice\"); g(1);",
        // A number of arguments that was wrong before.
        "int (*g)(int) = dlsym(l, \"is_set\"); g(1);",
        // Zeros are in front of it.
        "long (*g)(unsigned) = dlsym(l, \"twice\"); g(1);",
        "long (*g)(int) = dlsym(l, \"twice\"); g(1);",
        // Only the lower half is read.
        "unsigned (*g)(long) = dlsym(l, \"next_of\"); g(1);",
        // It may be a pointer to any function, which is converted where it is called.
        "int (*g)() = dlsym(l, \"name_of\"); g(1);",
    ] {
        assert_eq!(lines(body), [(1, Possible)], "{body}");
    }
    let text = "#include <dlfcn.h>\nint f(void *l) { int (*g)(int) = dlsym(l, \"name_of\"); return g(1); }\n";
    let confidence = |files: &[(&str, &str)]| found(files).into_iter().map(|of| of.2).collect::<Vec<_>>();
    let (one, other) = (("b.c", LIBRARY), ("c.c", "int name_of(int n) { return n; }\n"));
    // Of two programs one is right, or both are wrong.
    assert_eq!(confidence(&[("a.c", text), one, other]), [Possible]);
    assert_eq!(confidence(&[("a.c", text), one, ("c.c", LIBRARY)]), [Probable]);
    // What becomes of a type that no header has is not known.
    let guessed = format!("#include <strange.h>\nstrange_t *one(strange_t of) {{ return 0; }}\n{LIBRARY}");
    assert_eq!(confidence(&[("a.c", text), ("b.c", &guessed)]), [Possible]);
    let guessing = text.replacen('\n', "\n#include <strange.h>\nstrange_t two;\n", 1);
    assert_eq!(confidence(&[("a.c", &guessing), one]), [Possible]);
}

#[test]
fn a_header_declares_what_is_defined_elsewhere() {
    let call = "int f(void *l) { int (*g)(const char *) = dlsym(l, \"strdup\"); return g(\"a\"); }\n";
    let is = |text: &str, wanted: &[(u32, Confidence)]| {
        let found = found(&[("a.c", text)]);
        assert_eq!(found.iter().map(|of| (of.1, of.2)).collect::<Vec<_>>(), wanted, "{text}: {found:?}");
        assert!(
            found.iter().all(|of| of.3 == "`strdup` of string.h returns char * and is called as one that returns int"),
            "{found:?}"
        );
    };
    is(&format!("#include <dlfcn.h>\n#include <string.h>\n{call}"), &[(3, Probable)]);
    is(&format!("#include <dlfcn.h>\n{call}"), &[]);
    // One that no other file sees, though it is in this one.
    let static_ = "static char *strdup_of(const char *s) { return (char *)s; }\n";
    let text =
        format!("#include <dlfcn.h>\n{static_}{}", call.replace("\"strdup\"", "\"strdup_of\"").replace("f(void", "f2(void"));
    assert_eq!(found(&[("a.c", &format!("{text}char *g(void) {{ return strdup_of(\"\"); }}\n"))]), []);
    // What the project itself defines is meant, and not what a header has.
    let own = "int strdup(const char *s) { return *s; }\n";
    let text = format!("#include <dlfcn.h>\n#include <string.h>\n{call}");
    assert_eq!(found(&[("a.c", &text), ("b.c", own)]), []);
    // A header of the project, which another file includes and uses.
    let header = ("x.h", "extern long count_of(void);\n");
    let text = "#include <dlfcn.h>\nlong f(void *l) { return *((char *(*)(void))dlsym(l, \"name\"))() + ((long *(*)(void))dlsym(l, \"other\"))()[0]; }\n";
    let user = "#include \"x.h\"\nextern int name(void), unused(void);\nlong g(void) { return count_of() + name(); }\n";
    let found = found(&[header, ("a.c", text), ("b.c", user)]);
    let said = "`name` of b.c returns int and is called as one that returns char *".to_owned();
    assert_eq!(found, [("a.c".to_owned(), 2, Probable, said)]);
}

#[test]
fn what_is_called_before_it_is_defined_has_the_file_of_its_definition() {
    let print = "int all(void) { return show(\"\", 1); }\nint show(form, i0) char *form; { return form[i0]; }\n";
    let files = [("print.c", print), ("call.c", "int show();\nint call(char *name) { return show(\"%s\", name); }\n")];
    let found = found_by("P007", &files);
    let [(file, 2, Possible, message)] = found.as_slice() else { panic!("{found:?}") };
    assert!(file == "call.c" && message.ends_with("as print.c has it"), "{message}");
}

#[test]
fn a_list_that_another_file_only_copies_is_still_whole() {
    let head = "#include <stdarg.h>\n#include <stdio.h>\n";
    let size = format!(
        "{head}int size(const char *f, va_list ap)\n{{ va_list own; va_copy(own, ap); int n = vprintf(f, own); va_end(own); return n; }}\n"
    );
    let call = format!(
        "{head}int size(const char *f, va_list ap);\nint print(char *to, const char *f, va_list ap)\n{{ return size(f, ap) < 9 ? 0 : 1; }}\n\
        int again(char *to, const char *f, va_list ap)\n{{ int n = size(f, ap); return n + vsprintf(to, f, ap); }}\n"
    );
    let lines = |size: &str| {
        let found = found_by("P046", &[("size.c", size), ("call.c", &call)]);
        found.into_iter().map(|(file, line, sure, _)| (file, line, sure)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&size), []);
    let takes = size.replace("vprintf(f, own)", "vprintf(f, ap)");
    assert_eq!(lines(&takes), [("call.c".to_owned(), 7, Confidence::Certain)]);
    // What no file of the project has takes what it gets.
    assert_eq!(lines("\n"), [("call.c".to_owned(), 7, Confidence::Certain)]);
}

#[test]
fn a_name_of_cxx_is_no_symbol() {
    let text = "#include <dlfcn.h>\n#include <string.h>\nint f(void *l) { return ((int (*)(int))dlsym(l, \"name_of\"))(1); }\n";
    let of = |library: &str| found(&[("a.cc", text), ("b.cc", library)]).into_iter().map(|of| of.2).collect::<Vec<_>>();
    assert_eq!(of("char *name_of(int) { return 0; }\n"), []);
    assert_eq!(of("extern \"C\" char *name_of(int) { return 0; }\n"), [Probable]);
    assert_eq!(of("extern \"C\" {\nchar *name_of(int) { return 0; }\n}\n"), [Probable]);
    assert_eq!(of("namespace one { char *name_of(int) { return 0; } }\n"), []);
    let text = "#include <dlfcn.h>\n#include <string.h>\nchar *own(int);\nint f(void *l) { return ((int (*)(const char *))dlsym(l, \"strdup\"))(\"\") + ((int (*)(int))dlsym(l, \"own\"))(1) + *own(2); }\n";
    let found = found(&[("a.cc", text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].3.starts_with("`strdup` of string.h returns char *"), "{found:?}");
}

#[test]
fn what_is_looked_up_can_be_allowed_and_is_said_once() {
    let header = "#include <dlfcn.h>\nstatic inline int get(void *l) { int (*g)(int) = dlsym(l, \"name_of\"); return g(1); }\n";
    let user = "#include \"get.h\"\nint NAME(void *l) { return get(l); }\n";
    let files = |header: &str| {
        let (one, two) = (user.replace("NAME", "one"), user.replace("NAME", "two"));
        found(&[("get.h", header), ("a.c", &one), ("b.c", &two), ("library.c", LIBRARY)])
    };
    let said = "`name_of` of library.c returns char * and is called as one that returns int".to_owned();
    assert_eq!(files(header), [("get.h".to_owned(), 2, Probable, said)]);
    assert_eq!(files(&header.replacen('\n', "\n// biarch: allow P043 the name is a number there\n", 1)), []);
}
