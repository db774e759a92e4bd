//! What is built, from what, and what is left alone: small libraries of every awkward shape, used from C and C++.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory.canonicalize().unwrap()
}

fn compile(compiler: &str, arguments: &[&str], directory: &Path) {
    let output = Command::new(compiler).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{compiler} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A directory with a library `libx.so`, its header and its annotation.
fn library(name: &str, header: &str, source: &str, toml: &str) -> PathBuf {
    let directory = scratch(name);
    fs::write(directory.join("x.h"), header).unwrap();
    fs::write(directory.join("source.c"), format!("#include \"x.h\"\n{source}")).unwrap();
    fs::write(directory.join("x.toml"), format!("header = \"x.h\"\nlibrary = \"./libx.so\"\n{toml}")).unwrap();
    compile("i686-linux-gnu-gcc", &["-shared", "-fPIC", "-w", "-o", "libx.so", "source.c"], &directory);
    directory
}

fn build(directory: &Path, into: &Path) -> Result<PathBuf, String> {
    let annotation = Annotation::read(&directory.join("x.toml")).map_err(|error| format!("{error:#}"))?;
    bridge::build::build(&annotation, into).map(|built| built.library).map_err(|error| format!("{error:#}"))
}

/// What a program prints that uses the bridge.
fn printed(directory: &Path, compiler: &str, program: &str) -> String {
    let out = directory.join("out");
    build(directory, &out).unwrap();
    let source = if compiler == "c++" { "program.cc" } else { "program.c" };
    fs::write(directory.join(source), program).unwrap();
    let arguments =
        [source, "-Wall", "-Werror", "-Iout/include", "-Lout", "-lx", "-l:libbiarch.so.0", "-ldl", "-Wl,-rpath,$ORIGIN/out"];
    compile(compiler, &[&arguments[..], &["-o", "program"]].concat(), directory);
    let output = Command::new("timeout").arg("60").arg(directory.join("program")).current_dir(directory).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("{}{}{errors}", String::from_utf8_lossy(&output.stdout), if output.status.success() { "" } else { "FAILED " })
}

#[test]
fn what_a_bridge_is_made_of_and_what_others_have_made_is_not_written_over() {
    let directory = library("inputs", "int f(int a);\n", "int f(int a) { return a; }\n", "");
    let before = fs::read(directory.join("libx.so")).unwrap();
    let error = build(&directory, &directory).unwrap_err();
    assert!(error.contains("libx.so is what the bridge is made of") && error.contains("-o DIR"), "{error}");
    let out = directory.join("out");
    fs::create_dir(&out).unwrap();
    for theirs in ["x.c", "x.py", "libx.so"] {
        let contents: &[u8] = if theirs == "libx.so" { &before } else { b"int mine;\n" };
        fs::write(out.join(theirs), contents).unwrap();
        let error = build(&directory, &out).unwrap_err();
        assert!(error.contains(&format!("{theirs} is there, and was not made by")), "{error}");
        assert_eq!(fs::read(out.join(theirs)).unwrap(), contents);
        fs::remove_file(out.join(theirs)).unwrap();
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "nothing is written before all is known to be free");
    // In the directory `include` the header is an input.
    fs::create_dir(out.join("include")).unwrap();
    fs::rename(directory.join("x.h"), out.join("include/x.h")).unwrap();
    fs::write(directory.join("x.toml"), "header = \"out/include/x.h\"\nlibrary = \"./libx.so\"\n").unwrap();
    let error = build(&directory, &out).unwrap_err();
    assert!(error.contains("include/x.h is what the bridge is made of"), "{error}");
    // Twice into one directory is how one works.
    let other = directory.join("other");
    build(&directory, &other).unwrap();
    build(&directory, &other).unwrap();
    assert_eq!(fs::read(directory.join("libx.so")).unwrap(), before);
}

#[test]
fn a_soname_leads_into_no_other_directory() {
    let directory = library("soname", "int f(int a);\n", "int f(int a) { return a; }\n", "");
    let elsewhere = directory.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let soname = format!("-Wl,-soname,{}", elsewhere.join("libx.so").display());
    compile("i686-linux-gnu-gcc", &["-shared", "-fPIC", &soname, "-o", "libx.so", "source.c"], &directory);
    assert_eq!(build(&directory, &directory.join("out")).unwrap(), directory.join("out/libx.so"));
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
    for odd in ["a,b.so", "a b.so", "..", "libbiarch.so.0"] {
        let soname = ["-Xlinker", "-soname", "-Xlinker", odd];
        compile("i686-linux-gnu-gcc", &[&["-shared", "-fPIC", "-o", "libx.so", "source.c"], &soname[..]].concat(), &directory);
        let error = build(&directory, &directory.join("out")).unwrap_err();
        assert!(error.contains("DT_SONAME") && error.contains(odd), "{error}");
    }
}

#[test]
fn structures_without_a_name_or_without_members_are_converted() {
    let header = "struct a { int n; struct { long k; short s; } items[4]; struct { long deep; } two[2][3], *one; long z; };\n\
                  struct empty {};\n\
                  long sum(const struct a *a);\nint of_empty(struct empty e, int a, int b);\n";
    let source = "long sum(const struct a *a) { long s = a->z + a->one->deep; for (int i = 0; i < 4; i++) s += a->items[i].k * a->items[i].s;\n\
                  for (int i = 0; i < 6; i++) s += a->two[i / 3][i % 3].deep * i; return s; }\n\
                  int of_empty(struct empty e, int a, int b) { return a * 10 + b; }\n";
    for transport in ["in-process", "process"] {
        let toml = format!(
            "transport = \"{transport}\"\n[functions.sum]\nparameters.a = {{ pass = \"in\" }}\n[types.a]\nfields.one = {{ pass = \"in\" }}\n"
        );
        let directory = library(&format!("unnamed-{transport}"), header, source, &toml);
        let program = "#include <stdio.h>\n#include <x.h>\nint main(void) {\n\
                       __typeof__(*((struct a *)0)->one) one = {1000};\n\
                       struct a a = {4, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{{1}, {2}, {3}}, {{4}, {5}, {6}}}, &one, 10000};\n\
                       struct empty e;\n\
                       printf(\"%ld %d\\n\", sum(&a), of_empty(e, 1, 2));\n}\n";
        assert_eq!(printed(&directory, "cc", program), "11170 12\n", "{transport}");
    }
}

#[test]
fn a_list_that_is_too_long_is_an_error_and_no_crash() {
    let header = "struct node { struct node *next; long value; };\nlong sum(const struct node *list);\nconst struct node *made(int length);\n";
    let source = "#include <stdlib.h>\nlong sum(const struct node *l) { long s = 0; for (; l; l = l->next) s += l->value; return s; }\n\
                  const struct node *made(int length) { struct node *all = calloc(length, sizeof *all);\n\
                  for (int i = 0; i < length; i++) all[i].value = i, all[i].next = i + 1 < length ? &all[i + 1] : 0; return all; }\n";
    let toml = "[functions.sum]\nparameters.list = { pass = \"in\" }\n[functions.made]\nresult = { pass = \"in\" }\n\
                [types.node]\nfields.next = { pass = \"in\" }\n";
    let directory = library("list", header, source, toml);
    let program = "#include <stdio.h>\n#include <biarch.h>\n#include <x.h>\n\
                   static struct node nodes[100000];\n\
                   static void note(const struct biarch_error *error, void *unused) { (void)unused; printf(\"%d %s\\n\", error->status, error->function); }\n\
                   int main(void) { biarch_on_error(note, 0);\n\
                   for (int length = 2000; length <= 100000; length *= 50) {\n\
                   for (int i = 0; i < length; i++) nodes[i].value = i, nodes[i].next = i + 1 < length ? &nodes[i + 1] : 0;\n\
                   printf(\"%ld\\n\", sum(nodes));\n\
                   const struct node *list = made(length); printf(\"%d\\n\", list ? (int)list->next->value : -1); } }\n";
    assert_eq!(printed(&directory, "cc", program), "1999000\n1\n8 sum\n0\n8 made\n-1\n");
}

#[test]
fn a_header_of_any_shape_is_right_for_cxx() {
    let shapes = [
        ("guard", "#ifndef X_H\n#define X_H\n#ifdef _WIN32\n#include <windows.h>\n#endif\nint f(int a);\n#endif\n"),
        ("comment", "/* In C++, wrap this in extern \"C\" { } */ // extern \"C\"\nint f(int a);"),
        ("beside", "#pragma once\n#include \"types.h\"\nint f(number a);\n"),
        ("templates", "#include <stdlib.h>\n#include <math.h>\nint f(int a);\n"),
        ("own", "#ifdef __cplusplus\n#include <string>\nextern \"C\" {\n#endif\nint f(int a);\n#ifdef __cplusplus\n}\n#endif\n"),
        ("words", "#include <stddef.h>\nint f(_Bool a);\nsize_t g(const char *restrict text);\n"),
    ];
    for (name, header) in shapes {
        let toml = if name == "words" { "[functions.g]\nparameters.text = { pass = \"string\" }\n" } else { "" };
        let source = if name == "words" {
            "int f(_Bool a) { return 41 + a; } unsigned g(const char *t) { return *t; }"
        } else {
            "int f(int a) { return 41 + a; }"
        };
        let directory = scratch(&format!("cxx-{name}"));
        let beside = "#include <stdlib.h>\ntypedef int number;\n";
        let annotation = format!("header = \"x.h\"\nlibrary = \"./libx.so\"\n{toml}");
        for (file, text) in [("x.h", header), ("types.h", beside), ("source.c", source), ("x.toml", &annotation)] {
            fs::write(directory.join(file), text).unwrap();
        }
        compile("i686-linux-gnu-gcc", &["-shared", "-fPIC", "-o", "libx.so", "source.c"], &directory);
        let program = "#include <vector>\n#include <cstdio>\n#include <x.h>\nint main() { std::printf(\"%d\\n\", f(1)); }\n";
        // A header beside it is found by pkg-config's options; here it is copied.
        fs::create_dir_all(directory.join("out/include")).unwrap();
        fs::copy(directory.join("types.h"), directory.join("out/include/types.h")).unwrap();
        assert_eq!(printed(&directory, "c++", program), "42\n", "{name}");
    }
}

#[test]
fn what_a_bridge_cannot_call_or_give_to_programs_is_refused() {
    let cases = [
        (
            "typedef int (__attribute__((fastcall)) *cb)(int, int);\nint f(cb of);\n",
            "x.h:2: f, of: `cb`: such functions are called by a convention of their own",
        ),
        ("int f(int a) __asm__(\"f_v2\");\nint g(int a);\n", "gives them another name there: f"),
        (
            "#pragma GCC visibility push(hidden)\nint f(int a);\n#pragma GCC visibility pop\nint g(int a);\n",
            "hides these from the linker",
        ),
    ];
    for (number, (header, expected)) in cases.into_iter().enumerate() {
        let directory = library(&format!("refused{number}"), "", "int f(int a) { return a; } int g(int a) { return a; }\n", "");
        fs::write(directory.join("x.h"), header).unwrap();
        let error = build(&directory, &directory.join("out")).unwrap_err();
        assert!(error.contains(expected) && error.contains("write [functions.f] skip"), "{header}: {error}");
        assert!(!directory.join("out/libx.so").exists(), "{header}");
    }
}

#[test]
fn names_of_the_generated_source_are_free_for_the_library() {
    let header = "#define size 4\n#define count 5\nint once(int a);\nint bridge(int a);\nint open_library(int a);\nint narrow_1(int a);\n\
                  long widen(long a);\n";
    let source = "int once(int a) { return a; } int bridge(int a) { return a + 1; } int open_library(int a) { return a + 2; }\n\
                  int narrow_1(int a) { return a + 3; } long widen(long a) { return a + 4; }\n";
    let directory = library("names", header, source, "");
    let program = "#include <stdio.h>\n#include <x.h>\nint main(void) {\n\
                   printf(\"%d %d %d %d %ld\\n\", once(1), bridge(1), open_library(1), narrow_1(1), widen(1));\n}\n";
    assert_eq!(printed(&directory, "cc", program), "1 2 3 4 5\n");
}

#[test]
fn a_function_that_does_not_return_ends_the_program_where_the_library_cannot() {
    for transport in ["in-process", "process"] {
        let toml = format!("transport = \"{transport}\"\n");
        let header = "_Noreturn void die(int status);\n";
        let source = "#include <stdlib.h>\nvoid die(int status) { exit(status); }\n";
        let directory = library(&format!("noreturn-{transport}"), header, source, &toml);
        let program = "#include <stdio.h>\n#include <biarch.h>\n#include <x.h>\n\
                       static void note(const struct biarch_error *error, void *unused) { (void)unused; puts(error->function); fflush(stdout); }\n\
                       int main(void) { biarch_on_error(note, 0); die(3); }\n";
        assert_eq!(printed(&directory, "cc", program), "die\nFAILED ", "{transport}");
    }
}

#[test]
fn a_bridge_that_is_closed_closes_the_library() {
    for transport in ["in-process", "process"] {
        let header = "int next(void);\n";
        let source = "int next(void) { static int number; return ++number; }\n";
        let directory = library(&format!("closed-{transport}"), header, source, &format!("transport = \"{transport}\"\n"));
        // Beginning anew each time, with no server left behind.
        let program = "#include <dlfcn.h>\n#include <stdio.h>\n#include <dirent.h>\n\
                       static int open_files(void) { int n = 0; DIR *d = opendir(\"/proc/self/fd\"); while (readdir(d)) n++; closedir(d); return n; }\n\
                       int main(void) { int before = 0;\n\
                       for (int i = 0; i < 20; i++) {\n\
                       void *library = dlopen(\"out/libx.so\", RTLD_NOW); int (*next)(void) = (int (*)(void))dlsym(library, \"next\");\n\
                       int one = next(), two = next();\n\
                       if (one != 1 || two != 2) printf(\"%d: %d %d\\n\", i, one, two);\n\
                       dlclose(library); if (i == 1) before = open_files(); }\n\
                       printf(\"%d more\\n\", open_files() - before); }\n";
        assert_eq!(printed(&directory, "cc", program), "0 more\n", "{transport}");
    }
}

/// What `sstrip` leaves of a file: all that is mapped, and no section headers.
fn sstrip(library: &Path) {
    let mut bytes = fs::read(library).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let segments = (0..half(44)).map(|number| word(28) + number * half(42));
    let end = segments.map(|segment| word(segment + 4) + word(segment + 16)).max().unwrap();
    bytes.truncate(end);
    bytes[32..36].fill(0);
    bytes[48..52].fill(0);
    fs::write(library, bytes).unwrap();
}

#[test]
fn a_library_without_section_headers_is_called() {
    let directory = library(
        "sstrip",
        "int f(int a);\nint g(int a);\n",
        "int f(int a) { return a + 1; } int g(int a) { return a + 2; }\n",
        "",
    );
    for style in ["sysv", "gnu"] {
        let style = format!("-Wl,--hash-style={style},-soname,libx.so");
        compile("i686-linux-gnu-gcc", &["-shared", "-fPIC", &style, "-o", "libx.so", "source.c"], &directory);
        sstrip(&directory.join("libx.so"));
        let program = "#include <stdio.h>\n#include <x.h>\nint main(void) { printf(\"%d %d\\n\", f(1), g(1)); }\n";
        assert_eq!(printed(&directory, "cc", program), "2 3\n", "{style}");
    }
    fs::write(directory.join("x.h"), "int f(int a);\nint nowhere(int a);\n").unwrap();
    let error = build(&directory, &directory.join("out")).unwrap_err();
    assert!(error.contains("nowhere: libx.so has no such function"), "{error}");
}

/// The library asks which thread it is called by, as one does that keeps its state in storage of a thread, or a window.
#[test]
fn a_library_that_knows_its_thread_is_called_by_one_only() {
    let header = "typedef int (*again_t)(int number, void *user);\n\
                  int mine(void);\nint each(again_t again, void *user);\nint set_errno(int number);\nint crash(void);\n";
    let source = "#include <errno.h>\n#include <pthread.h>\n\
                  static pthread_t owner; static int is_known; static __thread int calls;\n\
                  int mine(void) { if (!is_known) owner = pthread_self(), is_known = 1; calls++; return pthread_equal(owner, pthread_self()) ? calls : -1; }\n\
                  int each(again_t again, void *user) { int sum = 0; for (int i = 0; i < 3; i++) sum += again(i, user); return sum + (mine() > 0); }\n\
                  int set_errno(int number) { errno = number; return -1; }\n\
                  int crash(void) { return *(volatile int *)8; }\n";
    let toml = "threads = \"one\"\n[callbacks.again_t]\nparameters.user = { pass = \"user\" }\n[functions.each]\nparameters.user = { pass = \"user\" }\n";
    for transport in ["in-process", "process"] {
        let directory = library(&format!("one-{transport}"), header, source, &format!("transport = \"{transport}\"\n{toml}"));
        let program = "#include <errno.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
                       #include <biarch.h>\n#include <x.h>\n\
                       static int again(int number, void *user) { return mine() > 0 ? number + *(int *)user : -1000; }\n\
                       static void *work(void *of) { for (int i = 0; i < 500; i++) { int by = 10; if (mine() < 0 || each(again, &by) != 34) *(int *)of += 1; } return 0; }\n\
                       static void note(const struct biarch_error *error, void *unused) { (void)unused;\n\
                       printf(\"%d %s %d\\n\", error->status, error->function, strstr(error->text, \"address 0x8\") != NULL); fflush(stdout); }\n\
                       int main(void) { pthread_t threads[8]; int wrong[8] = {0}, all = 0;\n\
                       for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, &wrong[i]);\n\
                       for (int i = 0; i < 8; i++) { pthread_join(threads[i], 0); all += wrong[i]; }\n\
                       errno = 0; int failed = set_errno(ENOTTY); printf(\"%d %d %d %d\\n\", all, mine(), failed, errno == ENOTTY); fflush(stdout);\n\
                       biarch_on_error(note, 0);\n\
                       if (!fork()) { int called = set_errno(5); printf(\"child %d\\n\", called); fflush(stdout); _exit(0); }\n\
                       wait(0); crash(); crash(); }\n";
        let printed = printed(&directory, "cc", program);
        // A server is its parent's.
        let child = if transport == "process" { "4 set_errno 0\nchild 0\n" } else { "child -1\n" };
        assert_eq!(printed, format!("0 20001 -1 1\n{child}3 crash 1\n3 crash 1\n"), "{transport}");
    }
}

/// What a member of a union points to is counted by what stands beside the union.
#[test]
fn a_length_of_what_a_unions_member_points_to_counts() {
    let header = "struct pair { long a; short b; };\nunion value { long one; struct pair *pairs; };\n\
                  struct event { int kind; union value value; unsigned n; };\n\
                  long sum(const struct event *events, int count);\nvoid negate(struct event *event);\n";
    let source = "long sum(const struct event *e, int count) { long s = 0; for (; count--; e++) { if (e->kind == 0) s += e->value.one;\n\
                  else for (unsigned i = 0; i < e->n; i++) s = s * 3 + e->value.pairs[i].a * e->value.pairs[i].b; } return s; }\n\
                  void negate(struct event *e) { for (unsigned i = 0; i < e->n; i++) e->value.pairs[i].a *= -1; }\n";
    let choice = "[types.event]\nfields.value = { discriminant = \"kind\", cases = { 0 = \"one\", 1 = \"pairs\" } }\n\
                  [functions.sum]\nparameters.events = { pass = \"in\", length = \"count\" }\n[functions.negate]\nparameters.event.pass = \"inout\"\n";
    let program = "#include <stdio.h>\n#include <x.h>\nint main(void) {\n\
                   struct pair pairs[] = {{1, 2}, {3, 4}, {5, 6}};\n\
                   struct event events[] = {{0, {.one = 100}, 0}, {1, {.pairs = pairs}, 3}, {0, {.one = 7}, 9}};\n\
                   printf(\"%ld\", sum(events, 3)); negate(&events[1]);\n\
                   printf(\" %ld %ld %ld\\n\", pairs[0].a, pairs[2].a, sum(events, 3)); }\n";
    for transport in ["in-process", "process"] {
        let toml = format!(
            "transport = \"{transport}\"\n{choice}[types.value]\nfields.pairs = {{ pass = \"inout\", length = \"n\" }}\n"
        );
        let directory = library(&format!("case-{transport}"), header, source, &toml);
        assert_eq!(printed(&directory, "cc", program), "2791 -1 -5 2623\n", "{transport}");
    }
    // What is asked can be answered where it is said.
    let directory = library("case-open", header, source, choice);
    let error = build(&directory, &directory.join("out")).unwrap_err();
    assert!(error.contains("value, pairs: what the pointer") && error.contains("write [types.value] fields.pairs"), "{error}");
    let directory = library(
        "case-wrong",
        header,
        source,
        &format!("{choice}[types.value]\nfields.pairs = {{ pass = \"in\", length = \"m\" }}\n"),
    );
    let error = build(&directory, &directory.join("out")).unwrap_err();
    assert!(error.contains("value, pairs: `m` names `m`, which is not there"), "{error}");
}

/// What happens to be in a structure that is only written does not fit, unless the annotation says that nobody reads it; and memory of the
/// program is no object of the library.
#[test]
fn what_has_no_32_bit_form_is_told_with_what_to_do() {
    let header = "typedef struct dev dev_t_;\nstruct info { long id; short kind; };\n\
                  int get(struct info *info);\nint start(dev_t_ *dev);\n";
    let source =
        "int get(struct info *info) { info->id = -7; info->kind = 3; return 1; } int start(dev_t_ *dev) { return dev != 0; }\n";
    let program = "#include <stdio.h>\n#include <biarch.h>\n#include <x.h>\n\
                   static void note(const struct biarch_error *error, void *unused) { (void)unused; printf(\"%s\\n\", error->text); }\n\
                   int main(void) { biarch_on_error(note, 0); struct info info = {1l << 40, 0}; char own[64];\n\
                   int called = get(&info); printf(\"%d %ld\\n\", called, info.id); start((dev_t_ *)own); }\n";
    for (pass, expected) in [("inout", "0 1099511627776\n"), ("out", "1 -7\n")] {
        let toml = format!("[functions.get]\nparameters.info.pass = \"{pass}\"\n");
        let directory = library(&format!("fits-{pass}"), header, source, &toml);
        let printed = printed(&directory, "cc", program);
        let advice = "; pass a smaller value, or memory from biarch_alloc; if the library only writes there, the annotation is pass = \"out\"\n";
        assert!(printed.contains(expected) && printed.ends_with(advice), "{pass}: {printed}");
        assert_eq!(
            printed.contains("get: argument id: the value has no 32-bit form: 1099511627776 does not fit"),
            pass == "inout",
            "{printed}"
        );
        assert!(printed.contains("start: argument dev: the value has no 32-bit form: 0x7f"), "{printed}");
        assert!(printed.contains(" is no address of the library"), "{printed}");
    }
}
