//! What is refused, where it is written, and what is to be written instead.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    directory
}

fn compile(compiler: &str, directory: &Path, functions: &[&str]) {
    let source: String = functions.iter().map(|name| format!("void {name}(void) {{}}\n")).collect();
    fs::write(directory.join("x.c"), source).expect("x.c");
    let status = Command::new(compiler)
        .args(["-shared", "-fPIC", "-nostdlib", "-o"])
        .arg(directory.join("libx.so"))
        .arg(directory.join("x.c"))
        .status();
    assert!(status.expect("a compiler").success());
}

/// What is said of a header and the rest of an annotation file; the library has `f` and `g`.
fn said(name: &str, header: &str, toml: &str) -> String {
    let directory = scratch(name);
    compile("i686-linux-gnu-gcc", &directory, &["f", "g"]);
    of(&directory, header, toml)
}

fn of(directory: &Path, header: &str, toml: &str) -> String {
    fs::write(directory.join("x.h"), header).expect("x.h");
    fs::write(directory.join("x.toml"), format!("header = \"x.h\"\nlibrary = \"./libx.so\"\n{toml}")).expect("x.toml");
    match Annotation::read(&directory.join("x.toml")).and_then(|annotation| bridge::build::resolve(&annotation)) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => format!("{error:#}").replace(&format!("{}/", directory.display()), ""),
    }
}

#[test]
fn a_pointer_without_annotation_is_refused_with_its_line_and_what_to_write() {
    let said = said("pointer", "\n\nint f(const char *text, long value);\n", "");
    assert_eq!(
        said,
        "one question is open:\nx.h:3: f, text: what the pointer `const char *` is for is not known\n    write [functions.f] parameters.text = { pass = \"string\" }"
    );
}

/// Structures that are counted are not taken for one, which the library would write beyond; where a number may be either, that is asked.
#[test]
fn guesses_follow_from_names_and_from_what_stands_beside() {
    let cases = [
        ("struct s *samples, unsigned count", "samples = { pass = \"inout\", length = \"count\" }"),
        ("const struct s *of, int nmemb", "of = { pass = \"in\", length = \"nmemb\" }"),
        ("int nsamples, struct s *samples", "samples = { pass = \"inout\", length = \"nsamples\" }"),
        ("struct s *samples, int nsamples", "samples = { pass = \"inout\", length = \"nsamples\" }"),
        ("int n, struct s *one", "one = { pass = \"inout\" }"),
        ("struct s *info, int port", "info = { pass = \"inout\" }"),
        ("struct s *info, unsigned size", "info = { pass = \"in\", \"out\", \"inout\", \"string\", \"opaque\" or \"user\" }"),
        ("const void *data, unsigned size", "data = { pass = \"in\", length = \"size\" }"),
        ("char *text, int size", "text = { pass = \"out\", length = \"size\" }"),
    ];
    for (number, (parameters, expected)) in cases.into_iter().enumerate() {
        let said = said(&format!("guess{number}"), &format!("struct s {{ int a; long b; }};\nint f({parameters});\n"), "");
        assert!(said.ends_with(&format!("write [functions.f] parameters.{expected}")), "{parameters}: {said}");
    }
}

/// What one function is for, others say: who frees, who gives back.
#[test]
fn guesses_follow_from_other_functions_of_the_header() {
    let header = "char *lib_text(void);\nconst char *lib_name(void);\nvoid lib_free(void *memory);\n\
        void lib_set_private(int of, void *what);\nvoid *lib_get_private(int of);\nvoid *lib_get_other(int of);\n\
        void lib_get(long *values, unsigned *count);\nint lib_at(const int where[4]);\nint lib_stop(void *handle);\n\
        void lib_ask(long *values, unsigned *size);\nvoid lib_where(int *offset, int *size);\n";
    let directory = scratch("others");
    let functions = ["text", "name", "free", "set_private", "get_private", "get_other", "get", "at", "stop", "ask", "where"];
    compile("i686-linux-gnu-gcc", &directory, &functions.map(|name| format!("lib_{name}")).each_ref().map(String::as_str));
    let said = of(&directory, header, "");
    for expected in [
        "[functions.lib_text] result = { pass = \"string\", free = \"lib_free\" }",
        "[functions.lib_name] result = { pass = \"string\" }",
        "[functions.lib_free] parameters.memory = { pass = \"opaque\" }",
        "[functions.lib_set_private] parameters.what = { pass = \"user\" }",
        "[functions.lib_get_private] result = { pass = \"user\" }",
        "[functions.lib_get_other] result = { pass = \"opaque\" }",
        "[functions.lib_get] parameters.values = { pass = \"out\", length = \"*count\", written = \"*count\" }",
        "[functions.lib_at] parameters.where = { pass = \"in\" }",
        "[functions.lib_stop] parameters.handle = { pass = \"opaque\" }",
        // Elements or bytes: only a person knows. Two numbers beside each other are no array.
        "[functions.lib_ask] parameters.values = { pass = \"in\", \"out\"",
        "[functions.lib_where] parameters.offset = { pass = \"inout\" }",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

/// Function types that are written inside of parameters and members have the names of the header, and the numbers that they had
/// when nobody knew those.
#[test]
fn parameters_of_function_types_have_the_names_of_the_header_and_numbers() {
    let header = "typedef void (*told)(int level, int (*more)(const char *line));\n\
        struct s { long n; int (*ask)(int (*each)(const char *text), void *closure); };\n\
        int f(int (*visit)(int index, void *user, void (*inner)(const char *text)), void *user);\n\
        int g(const struct s *s, told t);\n";
    let rest = "[functions.g]\nparameters.s.pass = \"in\"\n";
    let asked = said("nested", header, rest);
    for expected in [
        "x.h:3: f.visit, user: what the pointer `void *` is for is not known\n    write [callbacks.\"f.visit\"] parameters.user = ",
        "write [callbacks.\"f.visit.inner\"] parameters.text = { pass = \"string\" }",
        "write [callbacks.\"s.ask.each\"] parameters.text = { pass = \"string\" }",
        "write [callbacks.\"told.more\"] parameters.line = { pass = \"string\" }",
    ] {
        assert!(asked.contains(expected), "{expected}: {asked}");
    }
    let names = "[functions.f]\nparameters.user.pass = \"user\"\n[callbacks.\"f.visit\"]\nparameters.user.pass = \"user\"\n\
        [callbacks.\"f.visit.inner\"]\nparameters.text.pass = \"string\"\n[callbacks.\"s.ask\"]\nparameters.closure.pass = \"user\"\n\
        [callbacks.\"s.ask.each\"]\nparameters.text.pass = \"string\"\n[callbacks.\"told.more\"]\nparameters.line.pass = \"string\"\n";
    assert_eq!(said("nested-names", header, &format!("{rest}{names}")), "accepted");
    let numbers = "[functions.f]\nparameters.arg1.pass = \"user\"\n[callbacks.\"f.arg0\"]\nparameters.arg1.pass = \"user\"\n\
        [callbacks.\"f.arg0.arg2\"]\nparameters.arg0.pass = \"string\"\n[callbacks.\"s.ask\"]\nparameters.arg1.pass = \"user\"\n\
        [callbacks.\"s.ask.arg0\"]\nparameters.arg0 = { pass = \"in\", length = \"zero\" }\n\
        [callbacks.\"told.arg1\"]\nparameters.arg0.pass = \"string\"\n";
    assert_eq!(said("nested-numbers", header, &format!("{rest}{numbers}")), "accepted");
    let both = format!("{rest}{names}[callbacks.told]\nparameters.arg0 = {{}}\nparameters.level = {{}}\n");
    let said = said("nested-both", header, &both);
    assert!(said.contains("x.h:4: told: `arg0` is its parameter `level`, which is there as well"), "{said}");
}

/// Values of another type than the key's are refused with what belongs there.
#[test]
fn what_is_no_annotation_is_refused_with_what_belongs_there() {
    let cases = [
        ("[functions]\nf = 3\n", "x.toml:4: invalid type: integer `3`, expected a table, as { skip = \"why\" }"),
        (
            "[functions.f]\nparameters.v = \"in\"\n",
            "x.toml:4: invalid type: string \"in\", expected a table, as { pass = \"in\" }",
        ),
        (
            "[functions.f]\nvariadic = \"x\"\n",
            "x.toml:4: invalid type: string \"x\", expected a table, as { printf = \"format\" }",
        ),
        ("[types]\ns = true\n", "x.toml:4: invalid type: boolean `true`, expected a table, as { opaque = true }"),
        ("[functions.f]\nparameters.v = { length = true }\n", "x.toml:4: expected a number, or an expression as \"n * size\""),
        ("restart = -1\n", "x.toml:3: invalid value: integer `-1`"),
        ("restart = 99999999999999999999\n", "x.toml:3: invalid type: integer `99999999999999999999`"),
        ("[functions.f]\nparameters.v = { pass = \"in\", length = 4 }\n", "accepted"),
    ];
    for (number, (toml, expected)) in cases.into_iter().enumerate() {
        let said = said(&format!("type{number}"), "int f(const long *v);\n", toml);
        assert!(said.contains(expected), "{toml}: {said}");
    }
    let directory = scratch("no-header");
    fs::write(directory.join("x.toml"), "library = \"libx.so\"\n").expect("x.toml");
    let said = Annotation::read(&directory.join("x.toml")).expect_err("it has no header").to_string();
    assert!(said.ends_with("x.toml:1: missing field `header`: write header = \"foo.h\""), "{said}");
}

#[test]
fn what_is_written_as_advised_is_accepted() {
    let toml = "[functions.f]\nparameters.text = { pass = \"string\" }\n";
    assert_eq!(said("advised", "int f(const char *text, long value);\n", toml), "accepted");
}

#[test]
fn each_refusal_says_what_is_wrong() {
    let cases: [(&str, &str, &str, &str); 34] = [
        (
            "union",
            "union u { long l; double *d; }; struct s { int k; union u u; }; int f(struct s *s);",
            "[functions.f]\nparameters.s = { pass = \"in\" }",
            "x.h:1: s, u: `union u` is a union, and what says which of its members counts is not known\n    write [types.s] fields.u = { discriminant = \"k\", cases = { VALUE = \"l\", VALUE = \"d\" } }",
        ),
        ("void", "int f(void *p);", "[functions.f]\nparameters.p = { pass = \"in\" }", "a `void *` needs a length in bytes"),
        (
            "list",
            "#include <stdarg.h>\nint f(const char *t, va_list list);",
            "[functions.f]\nparameters.t = { pass = \"string\" }",
            "x.h:2: f, list: `va_list`: it is `char *` for 32 bits and",
        ),
        (
            "variadic",
            "int f(const char *format, ...);",
            "[functions.f]\nparameters.format = { pass = \"string\" }",
            "what may follow its parameters is not known\n    write [functions.f] variadic = { printf = \"format\" }",
        ),
        (
            "more",
            "int f(int n, ...);",
            "[functions.f]\nvariadic = { types = [\"int\", \"callback_t\"] }",
            "x.h:1: f, ...: `callback_t`, which may follow, is no type that is known here",
        ),
        (
            "more-pointer",
            "int f(int n, ...);",
            "[functions.f]\nvariadic = { types = [{ pass = \"string\", type = \"long\" }] }",
            "x.h:1: f, ...: `long` may follow as \"in\", \"out\" or \"inout\", not as \"string\"",
        ),
        (
            "more-key",
            "int f(int n, ...);",
            "[functions.f]\nvariadic = { types = [{ pass = \"out\", of = \"long\" }] }",
            "what follows is a type, or a pointer to one as { pass = \"out\", type = \"long\" }",
        ),
        ("wide", "__int128 f(int);", "", "cannot be parsed|128|not supported"),
        (
            "flexible",
            "struct s { long n; char data[]; }; int f(struct s *s);",
            "[functions.f]\nparameters.s = { pass = \"in\" }",
            "x.h:1: s, data: an array without a length",
        ),
        (
            "missing",
            "int f(int); int nowhere(int);",
            "",
            "x.h:1: nowhere: libx.so has no such function\n    write [functions.nowhere] skip = ",
        ),
        (
            "length",
            "int f(const int *v, int n);",
            "[functions.f]\nparameters.v = { pass = \"in\", length = \"m\" }",
            "its length `m` names `m`, which is not there",
        ),
        ("convention", "int __attribute__((regparm(2))) f(int a, int b);", "", "a convention of its own"),
        ("prototype", "int f();", "", "its parameters are not declared"),
        ("key", "int f(int);", "[functions.f]\nparameters.x = { path = \"in\" }", "x.toml:4: unknown field `path`"),
        ("pass", "int f(int);", "\n[functions.f]\nparameters.x = { pass = \"inn\" }", "x.toml:5: unknown variant `inn`"),
        ("function", "int f(int);", "[functions.h]\nskip = \"x\"", "h: the header declares no such function"),
        ("parameter", "int f(int a);", "[functions.f]\nparameters.b = { pass = \"in\" }", "it has no parameter `b`"),
        (
            "field",
            "struct s { int *p; }; int f(struct s *s);",
            "[functions.f]\nparameters.s = { pass = \"in\" }\n[types.s]\nfields.q = { pass = \"in\" }",
            "it has no member `q`",
        ),
        (
            "callback",
            "typedef int (*heard)(void *from); int f(heard h);",
            "[callbacks.herd]\nparameters.from = { pass = \"user\" }\n[callbacks.heard]\nparameters.from = { pass = \"user\" }",
            "x.h: herd: the header has no such function type",
        ),
        (
            "callback-of-nothing",
            "int f(int (*h)(int a));",
            "[callbacks.\"g.h\"]\nparameters.a = {}",
            "the header has no such function type",
        ),
        (
            "callback-parameter",
            "int f(int (*h)(int a));",
            "[callbacks.\"f.h\"]\nparameters.b = {}",
            "x.h:1: f.h: it has no parameter `b`",
        ),
        (
            "untouched",
            "struct s { int *p; long n; }; int f(struct s *s);",
            "[functions.f]\nparameters.s = { pass = \"in\", untouched = [\"n\"] }\n[types.s]\nfields.p = { pass = \"in\" }",
            "x.h:1: f, s: `n`, which is to be untouched, is no pointer in a structure that it points to",
        ),
        (
            "untouched-nothing",
            "int f(int *p);",
            "[functions.f]\nparameters.p = { pass = \"in\", untouched = [\"p\"] }",
            "is no pointer in a structure",
        ),
        ("syntax", "int f(int;\n", "", "x.h:1: expected"),
        (
            "callback-of-no-parameter",
            "int f(int (*h)(int a));",
            "[callbacks.\"f.g\"]\nparameters.a = {}",
            "f.g: the header has no such function type",
        ),
        (
            "huge",
            "int f(const long *v);",
            "[functions.f]\nparameters.v = { pass = \"in\", length = \"18446744073709551616\" }",
            "x.h:1: f, v: its length 18446744073709551616 is more than 32 bits can address",
        ),
        (
            "on-error",
            "int f(int a);",
            "[functions.f]\non_error = \"0; abort()\"",
            "x.h:1: f, result: `0; abort()` is no value in C",
        ),
        (
            "by-nothing",
            "int f(int n, ...);",
            "[functions.f]\nvariadic = { by = \"m\", cases = { 1 = [\"int\"] } }",
            "x.h:1: f, ...: it has no parameter `m` that could say what follows",
        ),
        (
            "by-text",
            "int f(int n, ...);",
            "[functions.f]\nvariadic = { printf = \"n\" }",
            "`n` is no text, and so no format of printf(3)",
        ),
        (
            "by-pointer",
            "int f(const char *n, ...);",
            "[functions.f]\nparameters.n.pass = \"string\"\nvariadic = { by = \"n\", types = [] }",
            "`n` is no number, and cannot say what follows",
        ),
        ("by-missing", "int f(int n, ...);", "[functions.f]\nvariadic = { cases = { 1 = [] } }", "`cases` without `by`"),
        (
            "no-variadic",
            "int f(int n);",
            "[functions.f]\nvariadic = { types = [] }",
            "nothing follows its parameters: it is not variadic",
        ),
        (
            "rows",
            "int f(char **rows, int n, int width);",
            "[functions.f]\nparameters.rows = { pass = \"in\", length = \"n\", to = { pass = \"in\", length = \"width\" } }",
            "f, rows: its length `width`: of what a pointer behind a pointer leads to",
        ),
        (
            "callback",
            "typedef int (*cb)(void *a, char *b); int f(cb c);",
            "",
            "x.h:1: cb, b: what the pointer `char *` is for is not known",
        ),
    ];
    for (name, header, toml, expected) in cases {
        let said = said(name, header, toml);
        assert!(expected.split('|').any(|one| said.contains(one)), "{name}: {said}");
    }
}

#[test]
fn a_library_for_another_architecture_is_refused() {
    for (compiler, machine) in [("cc", "x86-64"), ("aarch64-linux-gnu-gcc", "64-bit ARM")] {
        let directory = scratch(machine);
        compile(compiler, &directory, &["f"]);
        let said = of(&directory, "int f(int);", "");
        assert!(said.contains(&format!("is for {machine}, and a bridge is for a library for i386")), "{said}");
    }
    let directory = scratch("armhf");
    compile("arm-linux-gnueabihf-gcc", &directory, &["f"]);
    let said = of(&directory, "int f(int);", "transport = \"in-process\"\n");
    assert!(said.contains("write transport = \"process\""), "{said}");
    // Where the flags say that floating-point numbers are in registers for integers.
    let library = directory.join("libx.so");
    let mut bytes = fs::read(&library).expect("a library");
    bytes[0x25] = 0x02;
    fs::write(&library, bytes).expect("a library");
    let said = of(&directory, "int f(int);", "");
    assert!(said.contains("(armel)"), "{said}");
    let directory = scratch("text");
    fs::write(directory.join("libx.so"), "no library").expect("a file");
    assert!(of(&directory, "int f(int);", "").contains("it is not an ELF file"));
}

/// What is said of a header by a library that was compiled with `-g` from this source.
fn said_by(name: &str, source: &str, header: &str, toml: &str) -> String {
    said_by_kind("-g", name, source, header, toml)
}

fn said_by_kind(kind: &str, name: &str, source: &str, header: &str, toml: &str) -> String {
    let directory = scratch(name);
    fs::write(directory.join("x.c"), source).expect("x.c");
    let mut compiler = Command::new("i686-linux-gnu-gcc");
    fs::write(directory.join("x.map"), "V1 { };\nV2 { } V1;\n").expect("x.map");
    compiler.arg(format!("-Wl,--version-script={}", directory.join("x.map").display()));
    compiler
        .args(["-g", kind, "-O2", "-shared", "-fPIC", "-nostdlib", "-o"])
        .arg(directory.join("libx.so"))
        .arg(directory.join("x.c"));
    assert!(compiler.status().expect("a compiler").success());
    of(&directory, header, toml)
}

#[test]
fn a_header_that_is_not_the_librarys_is_refused_where_debugging_information_says_so() {
    let cases = [
        ("int f(int a, int b) { return a + b; }", "int f(int a);", "", "f: it takes 1 parameters, and in libx.so 2"),
        ("int f(long long a) { return a; }", "int f(int a);", "", "`a` is `int` of 4 bytes, and `long long int` of 8 bytes"),
        ("int f(float a) { return a; }", "int f(int a);", "", "`a` is `int` of 4 bytes, and `float` of 4 bytes"),
        ("double f(void) { return 1; }", "int f(void);", "", "it returns `int` of 4 bytes, and `double` of 8 bytes"),
        ("int g(int a) { return a; } void f(void) { }", "int f(void);", "", "it returns `int`, and nothing"),
        ("char f(void) { return 1; }", "int f(void);", "", "it returns `int` of 4 bytes, and `char` of 1 bytes"),
        (
            "struct s { int a; int added; long b; }; long f(struct s *s) { return s->b; }",
            "struct s { int a; long b; };\nlong f(struct s *s);",
            "[functions.f]\nparameters.s.pass = \"in\"",
            "s: its member `b` is at byte 4, and at byte 8",
        ),
        (
            "struct s { int a; struct { short b; } c; }; int f(const struct s *s) { return s->c.b; }",
            "struct s { int a; struct { int b; } c; };\nint f(const struct s *s);",
            "[functions.f]\nparameters.s.pass = \"in\"",
            "s: `c`: its member `b` has 4 bytes, and 2 bytes",
        ),
        (
            "struct s { int a; long added; }; struct s *f(void) { return 0; }",
            "struct s { int a; };\nstruct s *f(void);",
            "[functions.f]\nresult.pass = \"in\"",
            "s: it has 4 bytes, and 8",
        ),
    ];
    for (number, (source, header, toml, expected)) in cases.into_iter().enumerate() {
        let said = said_by(&format!("compiled{number}"), source, header, toml);
        assert!(said.contains(expected), "{source}: {said}");
        assert!(
            said.contains("in libx.so, as its debugging information says: the header is of another version") || number == 0,
            "{said}"
        );
    }
}

/// What only members lead to, and function types, are compared as well.
#[test]
fn what_members_and_callbacks_lead_to_is_compared_with_debugging_information() {
    let list = "struct item { struct item *next; long value; }; struct list { int n; struct item *first; };";
    let of_list = "[functions.f]\nparameters.l.pass = \"in\"\n[types.list]\nfields.first.pass = \"in\"\n[types.item]\nfields.next.pass = \"in\"";
    let opaque = "[functions.f]\nparameters.l.pass = \"in\"\n[types.list]\nfields.first.pass = \"opaque\"";
    let cases = [
        (
            "struct item { struct item *next; int added; long value; }; struct list { int n; struct item *first; };\nlong f(const struct list *l) { return l->first->value; }",
            list,
            of_list,
            "x.h:1: item: its member `value` is at byte 4, and at byte 8",
        ),
        (
            "struct item { struct item *next; long value, added; }; struct list { int n; struct item *first; };\nlong f(const struct list *l) { return l->first->value; }",
            list,
            opaque,
            "accepted",
        ),
        (
            "struct item { struct item *next; long value; }; struct list { int n; struct item *first; };\nlong f(const struct list *l) { return l->first->value; }",
            list,
            of_list,
            "accepted",
        ),
        (
            "struct deep { short of; }; struct list { int n; struct { const struct deep *of; } all[2]; };\nlong f(const struct list *l) { return l->all[1].of->of; }",
            "struct deep { int of; }; struct list { int n; struct { const struct deep *of; } all[2]; };",
            "[functions.f]\nparameters.l.pass = \"in\"\n[types.\"list.all\"]\nfields.of.pass = \"in\"",
            "x.h:1: deep: its member `of` has 4 bytes, and 2 bytes",
        ),
        (
            "struct list { int n; long long *all; };\nlong f(const struct list *l) { return *l->all; }",
            "struct list { int n; int *all; };",
            "[functions.f]\nparameters.l.pass = \"in\"\n[types.list]\nfields.all = { pass = \"in\", length = \"n\" }",
            "x.h:1: list: `all` leads to `int` of 4 bytes, and to `long long int` of 8 bytes",
        ),
        (
            "struct list { int n; int (*hear)(long long of); };\nlong f(const struct list *l) { return l->hear(1); }",
            "struct list { int n; int (*hear)(int of); };",
            "[functions.f]\nparameters.l.pass = \"in\"",
            "x.h:1: list: `hear`: `of` is `int` of 4 bytes, and `long long int` of 8 bytes",
        ),
        (
            "typedef int (*hear)(int of, void *user); struct list { int n; };\nlong f(const struct list *l, hear h, void *user) { return h(l->n, user); }",
            "typedef int (*hear)(void *user); struct list { int n; };",
            "[functions.f]\nparameters.l.pass = \"in\"\nparameters.user.pass = \"user\"\n[callbacks.hear]\nparameters.user.pass = \"user\"",
            "x.h:2: f: `h`: it takes 1 parameters, and in libx.so 2",
        ),
        (
            "typedef long long (*hear)(int of); struct list { int n; };\nlong f(const struct list *l, hear h) { return h(l->n); }",
            "typedef int (*hear)(int of); struct list { int n; };",
            "[functions.f]\nparameters.l.pass = \"in\"",
            "x.h:2: f: `h`: it returns `int` of 4 bytes, and `long long int` of 8 bytes",
        ),
        (
            "struct item { long added, value; }; typedef void (*hear)(const struct item *of); struct list { int n; };\nlong f(const struct list *l, hear h) { struct item i = { l->n, 1 }; h(&i); return 0; }",
            "struct item { long value; }; typedef void (*hear)(const struct item *of); struct list { int n; };",
            "[functions.f]\nparameters.l.pass = \"in\"\n[callbacks.hear]\nparameters.of.pass = \"in\"",
            "x.h:1: item: its member `value` is at byte 0, and at byte 4",
        ),
        (
            "struct list { int n; int (*same)(int of); }; typedef void (*old)();\nlong f(const struct list *l, old h) { h(); return l->same(1); }",
            "struct list { int n; int (*same)(unsigned of); }; typedef void (*old)(int of);",
            "[functions.f]\nparameters.l.pass = \"in\"",
            "accepted",
        ),
    ];
    for (number, (source, header, toml, expected)) in cases.into_iter().enumerate() {
        // The function is declared as it is defined.
        let declaration = source.rsplit_once('\n').and_then(|(_, function)| function.split_once(" {")).expect("a function").0;
        let header = format!("{header}\n{declaration};\n");
        let said = said_by(&format!("leads{number}"), source, &header, toml);
        assert!(said.contains(expected), "{source}: {said}");
    }
}

#[test]
fn a_header_that_says_the_same_in_other_words_is_accepted() {
    let cases = [
        ("unsigned f(void *a, short b) { return !a + b; }", "typedef unsigned long handle;\nlong f(handle a, int b);", ""),
        ("int f(a, b) char a; float b; { return a + b; }", "int f(int a, double b);", ""),
        ("int f(int a) { return a; }", "void f(int a);", ""),
        ("int f(const char *a, ...) { return *a; }", "int f(const char *a);", "[functions.f]\nparameters.a.pass = \"string\""),
        (
            "struct s { int a; long added; }; struct s *f(void) { return 0; }",
            "struct s { int a; };\nstruct s *f(void);",
            "[types.s]\nopaque = true",
        ),
        (
            "struct s; void f(struct s *s) { (void)s; }",
            "struct s { int a; };\nvoid f(struct s *s);",
            "[functions.f]\nparameters.s.pass = \"in\"",
        ),
        (
            "struct s { int real; char is[60]; }; void f(struct s *s) { s->real = 1; }",
            "struct s { char hidden[64]; };\nvoid f(struct s *s);",
            "[functions.f]\nparameters.s.pass = \"inout\"",
        ),
        // An older version of the function has its name in the source.
        (
            "int f(int a, int b) { return a + b; }\nint newer(int a) { return a; }\n__asm__(\".symver newer,f@@V2\\n.symver f,f@V1,remove\");",
            "int f(int a);",
            "",
        ),
        (
            "static inline int both(int a) { return a; } extern inline __attribute__((gnu_inline)) int f(int a);\nint f(int a) { return both(a); } int g(int a) { return f(a); }",
            "int f(int a);",
            "",
        ),
    ];
    for (number, (source, header, toml)) in cases.into_iter().enumerate() {
        assert_eq!(said_by(&format!("same{number}"), source, header, toml), "accepted", "{source}");
    }
}

#[test]
fn debugging_information_of_every_version_says_the_same_and_lines_alone_say_nothing() {
    let source =
        "struct s { int a; unsigned b : 3, c : 9; long long d; char e[3]; };\nlong f(struct s *s, short n) { return s->d + n; }";
    let other = "struct s { int a; unsigned b : 3, c : 10; long long d; char e[3]; };\nlong f(struct s *s, short n);";
    let same = "struct s { int a; unsigned b : 3, c : 9; long long d; char e[3]; };\nlong f(struct s *s, short n);";
    let toml = "[functions.f]\nparameters.s.pass = \"in\"";
    for kind in ["-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gz", "-flto", "-g1"] {
        assert_eq!(said_by_kind(kind, kind, source, same, toml), "accepted", "{kind}");
        let said = said_by_kind(kind, kind, source, other, toml);
        let is_seen = said.contains("s: its member `c` has 10 bits, and 9 bits in libx.so");
        assert_eq!(is_seen, kind != "-g1", "{kind}: {said}");
    }
}
