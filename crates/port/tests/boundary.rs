//! What leaves the program is followed through the functions of a project, and what does not is left alone.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse};

/// The findings of rules about what leaves the program: rule, confidence, message.
fn found(test: &str, pair: &str, files: &[(&str, &str)]) -> Vec<(&'static str, Confidence, String)> {
    let paths = vec![tree::written("boundary", test, files)];
    let options = Options { jobs: 2, ..Options::new(paths, Pair::parse(pair).unwrap()) };
    let report = analyse(&options, &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
    let ours = report.findings.into_iter().filter(|finding| ["P050", "P051", "P052"].contains(&finding.rule));
    ours.map(|finding| (finding.rule, finding.source.unwrap().confidence, finding.message)).collect()
}

/// The only finding of one file for i386 and x86-64.
fn only(test: &str, text: &str) -> (&'static str, Confidence, String) {
    let found = found(test, "i386:x86-64", &[("main.c", text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}

fn none(test: &str, text: &str) {
    let found = found(test, "i386:x86-64", &[("main.c", text)]);
    assert!(found.is_empty(), "{found:?}");
}

const HEADER: &str = "struct header { char kind; long length; };\nint save(void *, unsigned long);\n";

#[test]
fn wrappers_in_other_files_are_on_the_way() {
    let files = [
        ("header.h", HEADER),
        ("main.c", "#include \"header.h\"\nint f(struct header *h) { return save(h, sizeof *h); }\n"),
        (
            "save.c",
            "#include <stdio.h>\n#include \"header.h\"\nextern FILE *file;\n\
             static int put(const char *from, unsigned long size) { return fwrite(from, size, 1, file) == 1; }\n\
             int save(void *what, unsigned long size) { return put(what, size); }\n",
        ),
    ];
    let found = found("wrappers", "i386:x86-64", &files);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = &found[0].2;
    assert!(message.contains("save(), save.c → put(), save.c → fwrite()"), "{message}");
    assert!(message.contains("`length` (long) grows"), "{message}");
}

#[test]
fn random_bytes_have_no_layout_and_a_pipe_is_between_relatives() {
    let first = |open: &str| {
        format!(
            "#include <stdio.h>\nlong first(void)\n{{\n    long seed = 0;\n    FILE *file = {open};\n    \
             if (file && fread(&seed, sizeof seed, 1, file) == 1) return seed;\n    return 1;\n}}\n"
        )
    };
    none("random", &first("fopen(\"/dev/urandom\", \"r\")"));
    none("directory", &first("fopen(\"..\", \"r\")"));
    let opened = "static FILE *opened(const char *path)\n{\n    return fopen(path, \"r\");\n}\n";
    for (test, path) in [("random-wrapper", "/dev/urandom"), ("file-wrapper", "seed")] {
        let text = first(&format!("opened(\"{path}\")")).replace("long first", &format!("{opened}long first"));
        match path {
            "seed" => assert_eq!(only(test, &text).1, Confidence::Probable),
            _ => none(test, &text),
        }
    }
    assert_eq!(only("popen", &first("popen(\"date\", \"r\")")).1, Confidence::Possible);
    assert_eq!(only("file", &first("fopen(\"seed\", \"r\")")).1, Confidence::Probable);
}

#[test]
fn what_a_file_sends_through_a_pipe_it_reads_from_that() {
    let text = |sends: &str| {
        format!(
            "#include <unistd.h>\nstruct event {{ char kind; long number; }};\nstruct {sends};\n\
             void put(struct {sends} *it) {{ int ends[2]; pipe(ends); write(ends[1], it, sizeof *it); }}\n\
             int get(struct event *it, int *from) {{ return read(from[3], it, sizeof *it); }}\n"
        )
    };
    let confidences = |test: &str, sends: &str| -> Vec<Confidence> {
        let found =
            found(test, "i386:x86-64", &[("main.c", &text(sends).replace("struct other;", "struct other { long size; };"))]);
        found.into_iter().map(|(_, confidence, _)| confidence).collect()
    };
    assert_eq!(confidences("both-ends", "event"), [Confidence::Possible; 2]);
    assert_eq!(confidences("other-end", "other").iter().filter(|of| **of == Confidence::Probable).count(), 1);
}

#[test]
fn functions_that_are_called_by_a_pointer_are_on_the_way() {
    let (_, _, message) = only(
        "pointers",
        "#include <unistd.h>\n\
         struct header { char kind; long length; };\n\
         struct calls { const char *name; void (*put)(int, void *, unsigned); };\n\
         static void plain(int fd, void *from, unsigned size) { if (write(fd, from, size)) return; }\n\
         static struct calls calls = { \"plain\", plain };\n\
         void f(int fd, struct header *h) { (*calls.put)(fd, h, sizeof *h); }\n",
    );
    assert!(message.contains("plain(), main.c → write()"), "{message}");
}

#[test]
fn a_function_of_the_system_that_is_given_to_another_is_on_the_way() {
    let text = "#include <stdio.h>\n\
         static void put(FILE *to, long number, size_t (*write_it)(const void *, size_t, size_t, FILE *))\n\
         { write_it(&number, sizeof number, 1, to); }\n\
         static size_t count(const void *from, size_t size, size_t n, FILE *to) { return fputc('x', to) + size * n + !from; }\n\
         void f(FILE *to, long number) { put(to, number, GIVEN); }\n";
    for given in ["fwrite", "&fwrite"] {
        let (rule, _, message) = only("given", &text.replace("GIVEN", given));
        assert!(rule == "P051" && message.contains("fwrite()"), "{rule}: {message}");
    }
    none("given-own", &text.replace("GIVEN", "count"));
}

#[test]
fn where_only_the_head_is_asked_for_the_members_behind_it_are_the_programs_own() {
    let text = "#include <stdio.h>\n#include <string.h>\n\
         struct head { int count, kind; long *all; };\n\
         static int get(FILE *from, void *to, unsigned bytes)\n\
         { char block[2048]; if (fread(block, 1, sizeof block, from) < bytes) return 0; memcpy(to, block, bytes); return 1; }\n\
         int f(FILE *from, struct head *h) { return get(from, h, BYTES); }\n";
    for (test, bytes, wanted) in
        [("head", "8", Confidence::Possible), ("whole", "sizeof *h", Confidence::Certain), ("more", "12", Confidence::Certain)]
    {
        assert_eq!(only(&format!("asked-{test}"), &text.replace("BYTES", bytes)).1, wanted, "{bytes}");
    }
}

#[test]
fn an_address_that_is_read_and_followed_is_of_the_same_process() {
    let text = "#include <sys/socket.h>\n\
         struct message { int kind; };\n\
         int other(struct message *);\n\
         int get(int s, struct message *known) { struct message *m; if (recv(s, &m, sizeof m, 0) < 1) return 0; USE; return 1; }\n\
         void put(int s, struct message *m) { send(s, &m, sizeof m, 0); }\n";
    let uses = [
        ("member", "return m->kind", Confidence::Possible),
        ("object", "*m = *known", Confidence::Possible),
        ("element", "return m[1].kind", Confidence::Possible),
        ("compared", "return m == known", Confidence::Possible),
        ("asked", "return m != 0", Confidence::Certain),
        ("given", "m = known; return m->kind", Confidence::Certain),
        ("nothing", "return known->kind", Confidence::Certain),
    ];
    for (test, used, wanted) in uses {
        let found = found(&format!("followed-{test}"), "i386:x86-64", &[("main.c", &text.replace("USE", used))]);
        // What gets another value did not come in.
        assert_eq!(found.len(), if test == "given" { 1 } else { 2 }, "{test}: {found:?}");
        assert!(found.iter().all(|(rule, confidence, _)| *rule == "P051" && *confidence == wanted), "{test}: {found:?}");
    }
}

#[test]
fn a_buffer_that_is_filled_by_the_caller_is_followed() {
    let (_, _, message) = only(
        "buffer",
        "#include <sys/socket.h>\n\
         struct header { char kind; long length; };\n\
         static long parse(const char *bytes) { const struct header *h = (const struct header *)bytes; return h->length; }\n\
         long f(int s) { char buffer[512]; return recv(s, buffer, sizeof buffer, 0) > 0 ? parse(buffer) : 0; }\n",
    );
    assert!(message.contains("a socket") && message.contains("recv()"), "{message}");
}

#[test]
fn what_is_copied_into_a_buffer_that_is_sent_is_followed() {
    only(
        "copied",
        "#include <string.h>\n#include <unistd.h>\n\
         struct header { char kind; long length; };\n\
         int f(int fd, struct header h) { char out[64]; memcpy(out, &h, sizeof h); return write(fd, out, sizeof h); }\n",
    );
}

#[test]
fn a_number_within_a_buffer_of_a_constant_size_is_found() {
    let head = "#include <stdio.h>\n#include <string.h>\n";
    let read = "long f(FILE *f) { char h[54]; long w; fread(h, 1, sizeof h, f); memcpy(&w, h + 18, sizeof w); return w; }\n";
    let written = "void f(FILE *f, long w) { char h[54]; memcpy(h + 18, &w, sizeof w); fwrite(h, 1, 54, f); }\n";
    for (test, text) in [("number-read", read), ("number-written", written)] {
        assert_eq!(only(test, &format!("{head}{text}")).0, "P051");
    }
    // An address is of no use to anybody else: what is taken for one came from here. Written, it moves what is behind it.
    let taken = "char *f(FILE *f, char *h) { char *p; memcpy(&p, h + 3, sizeof p); h += 8; fwrite(h, 1, 54, f); return p; }\n";
    let put = "void f(FILE *f, char *h, char *p) { memcpy(h, &p, sizeof p); fwrite(h, 1, 54, f); }\n";
    none("address-taken", &format!("{head}{taken}"));
    let read =
        taken.replace("h += 8; fwrite(h, 1, 54, f);", "").replace("char *p; memcpy", "char *p; fread(h, 1, 54, f); memcpy");
    assert_eq!(only("address-read", &format!("{head}{read}")).1, Confidence::Possible);
    // What is put into a buffer does not come into the program by it, nor does what is taken from one leave it.
    for (test, copy) in [("put-and-read", "memcpy(h, &w, sizeof w)"), ("put-and-read-by-bcopy", "bcopy(&w, h, sizeof w)")] {
        none(test, &format!("{head}void f(FILE *f, char *h, long w) {{ fread(h, 1, 54, f); {copy}; }}\n"));
        only(
            &test.replace("read", "written"),
            &format!("{head}void f(FILE *f, char *h, long w) {{ {copy}; fwrite(h, 1, 54, f); }}\n"),
        );
    }
    assert_eq!(only("address-put", &format!("{head}{put}")).1, Confidence::Certain);
    // A table of variables points to each, and not to a buffer that something is in.
    let table = "struct row { char *at; int width; };\nlong count;\nstruct row rows[] = { { (char *)&count, 32 } };\n\
                 void put(FILE *f, struct row *row) { fwrite(row->at, 1, 137, f); }\n";
    none("table-of-variables", &format!("{head}{table}"));
    // Four bytes are four bytes.
    none("four-bytes", &format!("{head}void f(FILE *f, long w) {{ fwrite(&w, 1, 4, f); }}\n"));
}

#[test]
fn what_is_copied_to_where_one_of_many_points_is_only_possible() {
    let text = |to: &str| {
        format!(
            "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
             struct item {{ char *text; }};\nstruct list {{ struct item *items, last; int count; }};\nstruct record {{ char *key; }};\n\
             char *save(int fd) {{ char *text = malloc(64); write(fd, text, 64); return text; }}\n\
             void name(struct list *l, int fd) {{ {to}.text = save(fd); }}\n\
             void add(struct list *l, struct record *r) {{ memcpy({to}.text, r, sizeof *r); }}\n"
        )
    };
    assert_eq!(only("of-many", &text("l->items[l->count]")).1, Confidence::Possible);
    assert_eq!(only("of-one", &text("l->last")).1, Confidence::Probable);
    // A table of what is to be kept says of each what it is.
    let table = "#include <unistd.h>\nstruct ship { char *name; } ship;\nstruct row { char *area; int size; };\n\
                 struct row rows[] = { { (char *)&ship, sizeof ship } };\n\
                 void dump(int fd) { struct row *p; for (p = rows; p->area; p++) write(fd, p->area, p->size); }\n";
    assert_ne!(only("table", table).1, Confidence::Possible);
}

#[test]
fn mappings_and_vectors_leave_the_program() {
    let (_, _, message) = only(
        "mapping",
        "#include <sys/mman.h>\n\
         struct header { char kind; long length; };\n\
         struct header *f(int fd) { return mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0); }\n",
    );
    assert!(message.contains("a mapped file"), "{message}");
    only(
        "vector",
        "#include <sys/uio.h>\n\
         struct header { char kind; long length; };\n\
         int f(int fd, struct header *h) { struct iovec v; v.iov_base = h; v.iov_len = sizeof *h; return writev(fd, &v, 1); }\n",
    );
}

#[test]
fn points_of_pictures_have_the_width_of_the_hardware() {
    let screen = |request: &str, points: &str| {
        format!(
            "#include <linux/fb.h>\n#include <sys/ioctl.h>\n#include <sys/mman.h>\n\
             void draw(void *screen, unsigned color) {{ {points} *at = screen; while (color) *at++ = color--; }}\n\
             int f(int fd) {{\n    struct fb_fix_screeninfo is;\n    ioctl(fd, {request}, &is);\n    \
             draw(mmap(0, is.smem_len, PROT_WRITE, MAP_SHARED, fd, 0), 7);\n    return 0;\n}}\n"
        )
    };
    let (rule, confidence, message) = only("screen", &screen("FBIOGET_FSCREENINFO", "unsigned long"));
    assert_eq!((rule, confidence), ("P051", Confidence::Probable));
    assert!(message.contains("in a picture as it lies in memory: mmap()"), "{message}");
    assert_eq!(only("no-screen", &screen("FBIOBLANK", "unsigned long")).1, Confidence::Possible);
    none("screen-of-ints", &screen("FBIOGET_FSCREENINFO", "unsigned"));
    // What a library draws: a structure of its own that leads there, and what a function is given.
    let member = |name: &str, member: &str, points: &str| {
        format!(
            "struct {name} {{ int width; char *{member}; }};\n\
             void f(struct {name} *of, int at, unsigned long color) {{ (({points} *)of->{member})[at] = color; }}\n"
        )
    };
    let (rule, confidence, message) = only("x-image", &member("_XImage", "data", "unsigned long"));
    assert_eq!((rule, confidence), ("P051", Confidence::Probable));
    assert!(message.ends_with("in memory: _XImage.data"), "{message}");
    assert_eq!(only("surface", &member("SDL_Surface", "pixels", "long")).1, Confidence::Probable);
    none("other-image", &member("image", "data", "unsigned long"));
    none("x-image-of-ints", &member("_XImage", "data", "unsigned"));
    // Each function takes so many numbers before the points, and so many behind.
    for (function, before, behind) in [
        ("glDrawPixels", 4, 0),
        ("glTexImage2D", 8, 0),
        ("glTexSubImage2D", 8, 0),
        ("SDL_CreateRGBSurfaceFrom", 0, 8),
        ("XCreateImage", 5, 5),
    ] {
        let drawn = |points: &str| {
            let list =
                |number: &str, pointer: &str| [vec![number; before], vec![pointer], vec![number; behind]].concat().join(", ");
            let (takes, given) = (list("int", "const void *"), list("4", "points"));
            format!("void {function}({takes});\nvoid f(const {points} *points) {{ {function}({given}); }}\n")
        };
        assert_eq!(only(&format!("drawn by {function}"), &drawn("unsigned long")).1, Confidence::Probable, "{function}");
        none(&format!("ints drawn by {function}"), &drawn("unsigned"));
    }
}

#[test]
fn what_leads_to_a_function_goes_to_the_same_process() {
    let text = |member: &str, call: &str| {
        format!(
            "#include <stdio.h>\n#include <sys/socket.h>\nextern FILE *file;\nstruct order {{ char kind; {member}; void *of; }};\n\
             int f(int s, struct order *o) {{ return {call}; }}\n"
        )
    };
    let sends = "send(s, o, sizeof *o, 0)";
    assert_eq!(only("to a function", &text("void (*call)(void *)", sends)).1, Confidence::Possible);
    assert_eq!(only("to an old function", &text("void (*call)()", sends)).1, Confidence::Possible);
    assert_eq!(only("to a table", &text("void *(*call)[4]", sends)).1, Confidence::Certain);
    assert_eq!(only("in a file", &text("void (*call)(void *)", "fwrite(o, sizeof *o, 1, file)")).1, Confidence::Certain);
}

#[test]
fn what_a_program_has_for_each_word_size_is_chosen() {
    let reads = |of: &str| {
        format!(
            "#include <fcntl.h>\n#include <unistd.h>\n#include <link.h>\n\
             struct mine {{ unsigned long start; }};\n\
             int f(void) {{ {of} head; int fd = open(\"x\", O_RDONLY); return read(fd, &head, sizeof head); }}\n"
        )
    };
    assert_eq!(only("chosen by the system", &reads("ElfW(Ehdr)")).1, Confidence::Possible);
    assert_eq!(only("chosen by nobody", &reads("struct mine")).1, Confidence::Probable);
    // A number of another width for each is one that the program counts by, and keeps in its files (libtommath).
    let digit = "#include <fcntl.h>\n#include <stdint.h>\n#include <unistd.h>\n\
                 #ifdef __LP64__\ntypedef uint64_t digit;\n#else\ntypedef uint32_t digit;\n#endif\n\
                 long f(digit *of) { int fd = open(\"x\", O_RDONLY); return read(fd, of, sizeof *of); }\n";
    let (_, sure, message) = only("a digit of the machine", digit);
    assert!(sure == Confidence::Probable && message.contains("`digit`"), "{message}");
}

#[test]
fn the_address_of_a_pointer_to_bytes_was_meant_for_no_vector() {
    let slip = "#include <sys/uio.h>\n\
                int f(int fd, void *data, int n) { struct iovec v; v.iov_base = &data; v.iov_len = n; return writev(fd, &v, 1); }\n";
    none("slip", slip);
    // A vector takes the address of a pointer for the place of a piece mostly.
    let pointers = only("pointers in a vector", &slip.replace("void *data", "struct node *data"));
    assert_eq!(pointers.1, Confidence::Possible);
    only("a pointer of its own in a vector", &slip.replace("void *data, int n) {", "int n) { void *data = &n;"));
}

#[test]
fn as_many_bytes_of_a_number_for_both_are_the_same() {
    let text = "#include <string.h>\n#include <unistd.h>\nchar data[64];\n\
                int f(int fd, unsigned long size) { memcpy(data, &size, COUNT); return write(fd, data, sizeof data); }\n";
    none("lower half", &text.replace("COUNT", "4"));
    only("all of it", &text.replace("COUNT", "sizeof size"));
    only("all of it for 64 bits", &text.replace("COUNT", "8"));
}

#[test]
fn bits_lie_in_words_of_any_width_as_they_do_in_bytes() {
    let text = "#include <stdio.h>\ntypedef unsigned long NAME_t;\n\
                int f(NAME_t *of, FILE *from, int size) { return fread((char *)of, size, 1, from); }\n";
    assert_eq!(only("bits", &text.replace("NAME", "bitmap")).1, Confidence::Possible);
    assert_eq!(only("numbers", &text.replace("NAME", "number")).1, Confidence::Probable);
}

#[test]
fn what_a_method_returns_another_class_returns_something_else_by() {
    let text = "#include <stdio.h>\nstruct bytes { char *of; char *begin() { return of; } };\n\
                struct nodes { void *first[4]; char *begin() { return (char *)first; } };\n\
                int emit(bytes *b, int n) { return fwrite(b->begin(), n, 1, stdout); }\n";
    let found = found("methods", "i386:x86-64", &[("main.cc", text)]);
    assert!(matches!(found.as_slice(), [("P051", Confidence::Possible, _)]), "{found:?}");
}

#[test]
fn what_is_told_beside_a_message_goes_to_the_same_process() {
    let text = "#include <unistd.h>\nstruct NAME { unsigned long cmsg_len; int cmsg_level; };\n\
                int f(int fd, struct NAME *of) { return write(fd, of, sizeof *of); }\n";
    for name in ["cmsghdr", "nn_cmsghdr", "zz_msghdr"] {
        none(name, &text.replace("NAME", name));
    }
    only("mycmsghdr", &text.replace("NAME", "mycmsghdr"));
}

#[test]
fn a_pointer_in_a_file_is_certain_and_a_pipe_is_not() {
    let text = |open: &str| {
        format!(
            "#include <fcntl.h>\n#include <unistd.h>\n\
             struct node {{ struct node *next; int value; }};\n\
             int f(struct node *n) {{ {open} return write(fd, n, sizeof *n); }}\n"
        )
    };
    assert_eq!(only("file", &text("int fd = open(\"x\", O_WRONLY);")).1, Confidence::Certain);
    assert_eq!(only("descriptor", &text("extern int fd;")).1, Confidence::Probable);
    let pipe = "#include <unistd.h>\nstruct node { struct node *next; int value; };\n\
                int f(struct node *n) { int fds[2]; if (pipe(fds)) return 1; return write(fds[1], n, sizeof *n); }\n";
    assert_eq!(only("pipe", pipe).1, Confidence::Possible);
}

#[test]
fn single_values_and_times_have_their_own_rules() {
    let value = "#include <stdio.h>\nint f(FILE *f, long l) { return fwrite(&l, 1, sizeof l, f) == sizeof l; }\n";
    assert_eq!(only("value", value).0, "P051");
    let time =
        "#include <time.h>\n#include <unistd.h>\nint f(int fd) { time_t now = time(0); return write(fd, &now, sizeof now); }\n";
    assert_eq!(only("time", time).0, "P052");
}

#[test]
fn what_stays_in_the_program_is_silent() {
    none(
        "inside",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n\
         struct node { struct node *next; long value; };\n\
         struct node *f(struct node *n) { struct node *m = malloc(sizeof *m); memcpy(m, n, sizeof *m); return m; }\n\
         int g(FILE *f, struct node *n) { return fprintf(f, \"%ld\", n->value); }\n\
         void *h(void) { struct node *n = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return n; }\n",
    );
}

#[test]
fn the_part_that_is_the_same_is_silent() {
    none(
        "part",
        "#include <stddef.h>\n#include <unistd.h>\n\
         struct header { int magic, version; long length; };\n\
         int f(int fd, struct header *h) { return write(fd, h, 8); }\n",
    );
}

#[test]
fn the_part_up_to_a_member_is_silent_where_it_is_the_same() {
    let count = |count: &str| {
        format!(
            "#include <stdint.h>\n#include <unistd.h>\n\
             struct header {{ int magic, version; long length; int end; }};\n\
             int f(int fd, struct header *h, struct header *other) {{\n\
             intptr_t count = {count};\n\
             return other != h && write(fd, h, (size_t)count); }}\n"
        )
    };
    none("up_to", &count("(char *)&h->length - (char *)h"));
    none("up_to_number", &count("(intptr_t)&h->length - (intptr_t)h"));
    none("up_to_behind", &count("(intptr_t)&h->version - (intptr_t)h + sizeof h->version"));
    assert_eq!(only("beyond", &count("(intptr_t)&h->length - (intptr_t)h + sizeof h->length")).0, "P050");
    assert_eq!(only("up_to_end", &count("(char *)&h->end - (char *)h")).0, "P050");
    assert_eq!(only("up_to_other", &count("(char *)&other->version - (char *)h")).0, "P050");
    assert_eq!(only("up_to_by_words", &count("&h->length - (long *)h")).0, "P050");
    let method = "#include <unistd.h>\nstruct header { int magic, version; void *next; int put(int fd); };\n\
                  int header::put(int fd) { return write(fd, this, (char *)&next - (char *)this); }\n";
    assert_eq!(cxx("up_to_of_this", method), []);
    let other = method.replace("put(int fd)", "put(int fd, header *of)").replace("this", "of");
    assert_eq!(cxx("up_to_of_other", &other).len(), 1);
}

#[test]
fn what_is_copied_up_to_a_member_is_silent_where_it_is_the_same() {
    let copied = |count: &str| {
        format!(
            "#include <string.h>\n#include <sys/socket.h>\n\
             struct message {{ int kind, ranks; char *list; int end; }};\n\
             int f(int fd, struct message *m) {{\n\
             char data[4096];\n\
             long got = recv(fd, data, sizeof data, 0);\n\
             memcpy(m, data, {count}); return got > 0; }}\n"
        )
    };
    none("copied_up_to", &copied("8"));
    none("copied_but_pointer", &copied("sizeof *m - sizeof(char *)").replace(" int end;", ""));
    none("copied_up_to_member", &copied("(char *)&m->ranks - (char *)m"));
    let counted = |more: &str| copied("n").replace("long got", &format!("int n; n = 4 + 4; {more} long got"));
    none("copied_by_variable", &counted(""));
    for more in ["n += fd;", "n++;", "recv(fd, &n, 4, 0);", "if (fd) n = sizeof *m;"] {
        assert_eq!(
            found("copied_by_variables", "i386:x86-64", &[("main.c", &counted(more))]).first().map(|of| of.0),
            Some("P050")
        );
    }
    let initial = |more: &str| copied("n").replace("long got", &format!("int n = 8; {more} long got"));
    none("copied_by_initial", &initial(""));
    none("copied_by_product", &initial("").replace(", n)", ", (size_t)n * 1)"));
    assert_eq!(only("copied_by_two", &initial("").replace(", n)", ", (size_t)n * 2)")).0, "P050");
    assert_eq!(only("copied_by_initial_or", &initial("if (fd) n = sizeof *m;")).0, "P050");
    assert_eq!(only("copied_beyond", &copied("12")).0, "P050");
    assert_eq!(only("copied_whole", &copied("sizeof *m")).0, "P050");
}

#[test]
fn a_pointer_that_has_something_else_at_other_times_sends_a_structure_only_if_its_size_says_so() {
    let sent = |other: &str, count: &str| {
        format!(
            "#include <string.h>\n#include <unistd.h>\n\
             struct message {{ char *list; int kind; }};\n\
             static char *text, *other;\n\
             void keep(struct message *m, char *line, char *of) {{ text = (char *)m; {other} }}\n\
             long put(int fd) {{ return write(fd, text, {count}); }}\n"
        )
    };
    let confidence = |test: &str, other: &str, count: &str| only(test, &sent(other, count)).1;
    assert_eq!(confidence("only_it", "", "strlen(text)"), Confidence::Probable);
    assert_eq!(confidence("or_line", "if (line) text = line;", "strlen(text)"), Confidence::Possible);
    assert_eq!(confidence("or_result", "if (line) text = strdup(line);", "strlen(text)"), Confidence::Possible);
    assert_eq!(confidence("or_line_whole", "if (line) text = line;", "sizeof(struct message)"), Confidence::Probable);
    assert_eq!(confidence("copied_line", "memcpy(text, line, 4);", "strlen(text)"), Confidence::Probable);
    // Each object has its own.
    let member =
        sent("if (line) kept.text = line;", "1").replace("*text,", "*unused; static struct { char *text; } kept; static char");
    let member = member.replace("{ text =", "{ kept.text =").replace("(fd, text", "(fd, kept.text");
    assert_eq!(only("member_or_line", &member).1, only("member", &member.replace("if (line) kept.text = line;", "")).1);
    let parameter = "long f(int fd, char *text, struct message *m) { text = (char *)m; return write(fd, text, 1); }\n\
                     long g(int fd, char *line) { return f(fd, line, 0); }\n";
    let text = format!("#include <unistd.h>\nstruct message {{ long kind; char *list; }};\n{parameter}");
    assert_eq!(only("or_given", &text).1, Confidence::Possible);
    assert_eq!(only("not_given", text.split("long g").next().unwrap()).1, Confidence::Probable);
}

#[test]
fn the_type_of_a_message_is_the_kernels() {
    none(
        "message",
        "#include <sys/msg.h>\n\
         struct message { long type; char text[16]; };\n\
         int f(int queue, struct message *m) { return msgsnd(queue, m, sizeof m->text, 0); }\n",
    );
}

#[test]
fn a_function_of_the_project_counts_more_than_its_name() {
    none(
        "shadow",
        "struct node { struct node *next; long value; };\n\
         static long count;\n\
         int send(int to, void *what, unsigned long size, int flags) { count += to + size + flags; return what != 0; }\n\
         int f(struct node *n) { return send(1, n, sizeof *n, 0); }\n",
    );
}

#[test]
fn only_alignment_differs_between_some_architectures() {
    let text = "#include <stdint.h>\n#include <unistd.h>\n\
                struct entry { char kind; uint64_t value; };\n\
                int f(int fd, struct entry *e) { return write(fd, e, sizeof *e); }\n";
    let found = |pair: &str| found(&pair.replace(':', "-"), pair, &[("main.c", text)]);
    let i386 = found("i386:x86-64");
    assert!(matches!(i386.as_slice(), [(_, _, message)] if message.contains("its alignment differs")), "{i386:?}");
    assert!(found("armhf:arm64").is_empty());
}

/// The findings of one file of C++ for i386 and x86-64: rule and line's text behind the way.
fn cxx(test: &str, text: &str) -> Vec<(&'static str, String)> {
    let found = found(test, "i386:x86-64", &[("main.cc", text)]);
    found.into_iter().map(|(rule, _, message)| (rule, message)).collect()
}

const TEMPLATES: &str = "#include <cstdio>\n#include <cstring>\n#include <ostream>\nextern FILE *file;\n\
    struct rec { int kind; long length; };\nstruct same { int a, b; };\n\
    template <class T> void put(const T &v) { fwrite(&v, sizeof v, 1, file); }\n\
    template <typename T> void save(std::ostream &o, const T &v) { o.write(reinterpret_cast<const char *>(&v), sizeof(T)); }\n\
    template <typename T> bool get(T *v) { return fread(v, sizeof *v, 1, file) == 1; }\n\
    template <typename T> T load() { T v; fread(&v, sizeof v, 1, file); return v; }\n\
    template <typename T> void twice(const T &v) { put(v); put(v); }\n\
    template <typename T> struct Box { void store(const T &v) { fwrite(&v, sizeof(T), 1, file); } };\n\
    template <typename T> bool equal(const T &a, const T &b) { return memcmp(&a, &b, sizeof a) == 0; }\n";

#[test]
fn what_is_given_to_a_template_that_writes_it_is_found_where_it_is_given() {
    for (name, body, rule, way) in [
        ("reference", "void f(const rec &r) { put(r); }", "P050", "put(), main.cc → fwrite()"),
        ("stream", "void f(std::ostream &o, rec r) { save(o, r); }", "P050", "save(), main.cc → write()"),
        ("pointer", "void f(rec *r) { get(r); }", "P050", "get(), main.cc → fread()"),
        ("value", "void f(long n) { put(n); }", "P051", "put(), main.cc → fwrite()"),
        ("returned", "long f() { rec r = load<rec>(); return r.length; }", "P050", "load(), main.cc → fread()"),
        ("nested", "void f(const rec &r) { twice(r); }", "P050", "twice(), main.cc → put(), main.cc → fwrite()"),
        ("class", "void f(const rec &r) { Box<rec> box; box.store(r); }", "P050", "store(), main.cc → fwrite()"),
        (
            "itself",
            "void f(std::ostream &o, const rec &r) { o.write(reinterpret_cast<const char *>(&r), sizeof r); }",
            "P050",
            "memory: write()",
        ),
    ] {
        let found = cxx(&format!("template-{name}"), &format!("{TEMPLATES}{body}\n"));
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].0 == rule && found[0].1.contains(way), "{name}: {found:?}");
    }
}

#[test]
fn a_template_for_what_does_not_differ_or_stays_here_is_silent() {
    let body = "void f(const same &s, int i, const rec &r, std::ostream &o) { put(s); put(i); save(o, s); twice(i); Box<same> b; b.store(s); equal(r, r); same t = load<same>(); get(&t); }\n";
    assert_eq!(cxx("template-same", &format!("{TEMPLATES}{body}")), []);
    // One that has its own way for this type.
    let own =
        "template <> void put(const rec &r) { int length = (int)r.length; put(length); }\nvoid f(const rec &r) { put(r); }\n";
    assert_eq!(cxx("template-own", &format!("{TEMPLATES}{own}")), []);
}

#[test]
fn bytes_that_a_method_returns_are_each_objects_own() {
    let text = "#include <cstdio>\n#include <cstring>\nextern FILE *file;\n\
        struct Text { unsigned char *own; unsigned long size; const unsigned char *bytes() const; };\n\
        const unsigned char *Text::bytes() const { return own; }\n\
        struct attribute { void *value; unsigned long size; };\n\
        void save(const Text &t) { fwrite(t.bytes(), 1, t.size, file); }\n\
        void copy(attribute *a, const Text &t) { memcpy(a->value, t.bytes(), t.size); }\n\
        unsigned long kind(attribute *a);\n\
        unsigned long f() { unsigned long kind_of = 1; attribute a[] = {{&kind_of, sizeof kind_of}}; return kind(a); }\n";
    let found = found("methods", "i386:x86-64", &[("main.cc", text)]);
    let sure: Vec<_> = found.iter().map(|(rule, confidence, _)| (*rule, *confidence)).collect();
    assert_eq!(sure, [("P051", Confidence::Possible)], "{found:?}");
}

#[test]
fn what_is_behind_a_header_has_another_type() {
    let read = |address: &str, size: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nstruct memory {{ char *bytes; long size; }};\n\
             struct memory *load(FILE *file, long length)\n{{\n    struct memory *memory = malloc(length + sizeof *memory);\n    \
             if (memory)\n        memory->size = fread({address}, {size}, length, file);\n    return memory;\n}}\n"
        )
    };
    none("behind an element", &read("&memory[1]", "1"));
    none("behind a sum", &read("memory + 1", "1"));
    assert_eq!(only("the next one", &read("&memory[1]", "sizeof *memory")).0, "P050");
    assert_eq!(only("the first one", &read("&memory[0]", "1")).0, "P050");
    assert_eq!(only("one further away", &read("memory + 2", "1")).0, "P050");
}

#[test]
fn a_size_that_is_a_number_is_said_instead_of_what_leaves_by_it() {
    let sent =
        |size: &str| format!("#include <unistd.h>\nint send_it(int to, char **names) {{ return write(to, names, {size}); }}\n");
    let files = |size: &str| tree::written("boundary", &format!("said once {}", size.len()), &[("main.c", &sent(size))]);
    let rules = |size: &str| -> Vec<&'static str> {
        let report = analyse(&Options::new(vec![files(size)], Pair::parse("i386:x86-64").unwrap()), &()).unwrap();
        report.findings.iter().map(|finding| finding.rule).collect()
    };
    assert_eq!(rules("4"), ["P040"]);
    assert_eq!(rules("sizeof *names"), ["P051"]);
}

#[test]
fn what_only_ends_with_more_padding_is_no_other_union() {
    let of = |member: &str| {
        format!(
            "#include <unistd.h>\nlong f(int fd, int n) {{ union {{ char b[9]; {member} x; }} u; u.x = n; return write(fd, u.b, n); }}\n"
        )
    };
    none("union padding", &of("long long"));
    only("union grows", &of("long"));
}

#[test]
fn a_text_that_is_short_is_kept_in_the_place_of_a_long_one() {
    let head = "#include <string.h>\n#include <unistd.h>\n\
        struct text { char *data; int length; union { char few[16]; struct { long hash; char kind; } of; } u; };\n";
    let kept = "void set(struct text *t, const char *from) { memcpy(t->u.few, from, t->length); t->data = t->u.few; }\n\
        long put(int fd, struct text *t) { return write(fd, t->data, t->length); }\n";
    let found = found("text kept", "i386:x86-64", &[("main.c", &format!("{head}{kept}"))]);
    assert!(found.iter().all(|(_, confidence, _)| *confidence == Confidence::Possible), "{found:?}");
    let put = |length: &str| {
        format!("{head}long put(int fd, struct text *t) {{ const char *at = t->u.few; return write(fd, at, {length}); }}\n")
    };
    assert_eq!(only("text short", &put("t->length")).1, Confidence::Possible);
    assert_eq!(only("text whole", &put("sizeof t->u")).1, Confidence::Probable);
}

#[test]
fn a_list_of_unused_memory_is_no_format() {
    let text = "#include <unistd.h>\nstatic void *unused;\n\
        long f(int fd, char *block) { long n = write(fd, block, 8); *(void **)block = unused; unused = block; return n; }\n";
    none("unused", text);
    only("numbers", &text.replace("*(void **)block = unused;", "*(long *)block = 4;"));
}

#[test]
fn what_is_called_a_pipe_is_one() {
    let text = "#include <unistd.h>\nstruct message { void *to; int signal; };\nstruct loop { int signal_pipe[2]; };\n\
        long f(struct loop *l, struct message m) { return write(l->signal_pipe[1], &m, sizeof m); }\n";
    assert_eq!(only("named pipe", text).1, Confidence::Possible);
    let puts = "#include <unistd.h>\nint pipe_put(int fd, void *what, unsigned size) { return write(fd, what, size); }\n";
    let by_function =
        text.replace("#include <unistd.h>\n", puts).replace("signal_pipe", "ends").replace("return write(l", "return pipe_put(l");
    assert_eq!(only("named by its function", &by_function).1, Confidence::Possible);
    assert!(only("named otherwise", &text.replace("signal_pipe", "signal_fds")).1 > Confidence::Possible);
}

#[test]
fn a_member_that_pipe_fills_is_one_wherever_it_is_copied() {
    let text = "#include <sys/socket.h>\n#include <unistd.h>\nstruct message { void *to; int kind; };\nstruct link { int ends[2]; };\n\
        int opens(struct link **l) { return pipe((*l)->ends); }\n\
        long f(struct link *l, int who, struct message m) { int fd = l->ends[who]; return write(fd, &m, sizeof m); }\n";
    assert_eq!(only("ends of a pair", text).1, Confidence::Possible);
    assert!(only("ends of others", &text.replace("(*l)->ends);", "(int *)*l);")).1 > Confidence::Possible);
    let replaced = text.replace("int fd = l->ends[who];", "int fd = l->ends[who]; fd = who;");
    assert!(only("ends that are replaced", &replaced).1 > Confidence::Possible);
    // A project's own, of whichever function, and what is kept of it.
    let own = "#include <sys/socket.h>\nstruct message { void *to; int kind; };\nstruct link { int in, out; };\nint net_socketpair(int *, int);\n\
        void opens(struct link *l) { int ends[2]; net_socketpair(ends, SOCK_DGRAM); l->in = ends[0]; l->out = ends[1]; }\n\
        long f(struct link *l, int out, struct message m) { return send(l->out, &m, sizeof m, 0); }\n";
    assert_eq!(only("kept of a pair", own).1, Confidence::Possible);
    assert!(only("of another", &own.replace("l->out, &m", "out, &m")).1 > Confidence::Possible);
}

#[test]
fn whoever_makes_pairs_of_sockets_may_write_to_one() {
    let text = "#include <sys/socket.h>\n#include <unistd.h>\nstruct message { void *to; int kind; };\n\
        int opens(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }\n\
        long f(int fd, struct message m) { return write(fd, &m, sizeof m); }\n";
    assert_eq!(only("descriptor of a pair", text).1, Confidence::Possible);
    let number = text.replace("int fd, struct message m", "int fd, unsigned long m");
    assert_eq!(only("number for a pair", &number).1, Confidence::Possible);
    assert!(
        only("number for nobody", &number.replace("socketpair(AF_UNIX, SOCK_STREAM, 0, ends)", "0")).1 > Confidence::Possible
    );
    assert!(
        only("descriptor of nobody", &text.replace("socketpair(AF_UNIX, SOCK_STREAM, 0, ends)", "0")).1 > Confidence::Possible
    );
    let file =
        text.replace("int fd, struct", "char *name, struct").replace("return write", "int fd = creat(name, 0); return write");
    assert!(only("file beside a pair", &format!("#include <fcntl.h>\n{file}")).1 > Confidence::Possible);
}

#[test]
fn a_file_that_ends_with_the_process_is_nobody_elses() {
    let text = "#include <stdio.h>\nlong f(long n) { FILE *to = tmpfile(); return fwrite(&n, sizeof n, 1, to); }\n";
    none("temporary", text);
    only("kept", &text.replace("tmpfile()", "fopen(\"a\", \"w\")"));
    let one = "#include <stdio.h>\nFILE **files;\nvoid opens(int n) { files[n] = tmpfile(); }\n\
        long f(long n) { FILE *to = files[n]; return fwrite(&n, sizeof n, 1, to); }\n";
    none("one of them", one);
    only("one of others", &one.replace("tmpfile()", "fopen(\"a\", \"w\")"));
    let deleted = "#include <stdio.h>\n#include <unistd.h>\nstatic char name[] = \"cells.tmp\"; static FILE *cells;\n\
        void opens(void) { cells = fopen(name, \"w+b\"); }\nvoid closes(void) { fclose(cells); unlink(name); }\n\
        long f(long n) { return fwrite(&n, sizeof n, 1, cells); }\n";
    none("deleted", deleted);
    only("deleted by others", &deleted.replace("unlink(name);", ""));
    only("written only", &deleted.replace("w+b", "wb"));
}

#[test]
fn words_by_which_bytes_are_searched_are_none() {
    let text = "#include <stdio.h>\n\
        long f(FILE *to, const void *of, unsigned long n) { const unsigned long *w = of, *at = w, *end; n = n / sizeof *w; end = w + n;\n\
        while (n && !*at) at++, n--; fwrite((const char *)end, 1, 9, to); return fwrite(at, sizeof *w, n, to); }\n";
    none("searched", text);
    only("not counted", &text.replace("n / sizeof *w", "n / 2").replace("fwrite((const char *)end, 1, 9, to);", ""));
    let filled = "#include <stdio.h>\nlong f(FILE *from, FILE *to) { unsigned long b[64]; long n = fread(b, 1, sizeof b, from);\n\
        return fwrite(b, 1, n, to); }\n";
    none("filled", filled);
    let counted = "#include <stdio.h>\n#include <stdlib.h>\nextern unsigned long *kept;\n\
        void f(FILE *from, unsigned long n) { unsigned long *b = malloc((n + 7) / sizeof *b); fread(b, 1, n, from); kept = b; }\n";
    none("counted", counted);
    only("not in bytes", &counted.replace("fread(b, 1, n", "fread(b, sizeof *b, n"));
    let looked_at = filled.replace("return fwrite", "b[0]++; return fwrite");
    assert_eq!(found("looked at", "i386:x86-64", &[("main.c", &looked_at)]).len(), 2);
}

#[test]
fn what_is_set_before_it_is_looked_at_did_not_come_in() {
    let text = "#include <sys/socket.h>\nlong now(void);\nlong f(int s)\n{\n    long n;\n    if (recv(s, (char *)&n, sizeof n, 0) < 0)\n        return 0;\n    \
        n = now();\n    return n;\n}\n";
    none("set", text);
    only("looked at", &text.replace("n = now()", "n += now()"));
    only("looked at when it is set", &text.replace("n = now()", "n = n + now()"));
    only("set at times", &text.replace("n = now()", "if (s) n = now()"));
    only("another one", &text.replace("n = now()", "long m = now()"));
    only("sent", &text.replace("recv", "send"));
    only("of all", &text.replace("long f(", "long n;\nlong f(").replace("    long n;\n", ""));
    only("before", &text.replace("    if (recv", "    while (n || recv"));
}

#[test]
fn files_that_are_named_by_the_word_size_are_kept_apart() {
    let text = "#include <stdio.h>\n#include <stdint.h>\n#if UINTPTR_MAX > 0xffffffff\n#define WORD \"64\"\n#else\n#define WORD \"32\"\n#endif\n\
        struct entry { long size; };\nlong save(const struct entry *of)\n{\n    FILE *to = fopen(\"cache-\" WORD, \"w\");\n    \
        return fwrite(of, sizeof *of, 1, to);\n}\n";
    assert_eq!(only("kept apart", text).1, Confidence::Possible);
    assert_eq!(only("one name", &text.replace("\"64\"", "\"32\"")).1, Confidence::Probable);
    assert_eq!(only("format", &text.replace("\"64\"", "\"%64\"")).1, Confidence::Probable);
}

#[test]
fn what_includes_a_header_of_another_system_is_for_that() {
    let sure = |test: &str, header: &str| {
        let text = format!(
            "#include \"made.h\"\n#include \"{header}\"\n#include <stdio.h>\nstruct entry {{ long size; }};\n\
             long save(FILE *to, const struct entry *of) {{ return fwrite(of, sizeof *of, 1, to); }}\n"
        );
        let paths = vec![tree::written("boundary", test, &[("main.c", &text)])];
        let report = analyse(&Options::new(paths, Pair::parse("i386:x86-64").unwrap()), &()).unwrap();
        let found: Vec<_> = report.findings.into_iter().filter(|finding| finding.rule == "P050").collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap().source.unwrap().confidence
    };
    assert_eq!(sure("vxworks", "vxWorks.h"), Confidence::Possible);
    assert_eq!(sure("made", "others.h"), Confidence::Probable);
}

#[test]
fn what_follows_the_head_of_an_echo_comes_back() {
    let text = "#include <sys/socket.h>\nstruct icmp_head { char type, code; short sum; int id; long rest; };\n\
        long ping(int s, struct icmp_head *of) { return send(s, of, sizeof *of, 0); }\n";
    assert_eq!(only("rest", text).1, Confidence::Possible);
    assert_eq!(only("other name", &text.replace("icmp_head", "ping_head")).1, Confidence::Probable);
    assert_eq!(only("head", &text.replace("int id; long rest", "long id; int rest")).1, Confidence::Probable);
    assert_eq!(
        only(
            "file",
            &text.replace("<sys/socket.h>", "<unistd.h>").replace("send(s, of, sizeof *of, 0)", "write(s, of, sizeof *of)")
        )
        .1,
        Confidence::Probable
    );
}

#[test]
fn words_that_are_taken_byte_by_byte_are_bytes() {
    let text = "#include <unistd.h>\nlong f(int fd, unsigned long *words, long n) { char *bytes = (char *)words; return read(fd, bytes, n); }\n";
    none("taken", text);
    only("asked how large", &text.replace("char *bytes", "n *= sizeof *words; char *bytes"));
    none("asked what is missing", &text.replace("char *bytes", "n += sizeof *words - n % sizeof *words; char *bytes"));
    none("asked how many bits", &text.replace("char *bytes", "n %= sizeof(long) * 8; char *bytes"));
    only("no bytes", &text.replace("char *", "void *"));
    let stepped = text.replace("read(fd, bytes", "read(fd, (char *)words + n").replace("char *bytes = (char *)words;", "");
    none("stepped", &stepped);
    only("not stepped", &stepped.replace("words + n", "words"));
}

#[test]
fn a_pointer_at_the_end_leads_to_what_follows_in_memory() {
    let text = "#include <unistd.h>\nstruct dcd { short tag, length; int command; unsigned char *data; };\n\
        long f(int fd, struct dcd *of) { int n = of->length; return write(fd, (unsigned char *)of, n); }\n";
    assert_eq!(only("length of its own", text).1, Confidence::Possible);
    assert_eq!(only("all of it", &text.replace("of->length", "sizeof *of")).1, Confidence::Probable);
    let between = text.replace("int command; unsigned char *data;", "unsigned char *data; int command;");
    assert_eq!(only("between", &between).1, Confidence::Probable);
}

#[test]
fn any_bytes_will_do_for_random_numbers() {
    let text = "#include <stdio.h>\nunsigned long seeds[4];\n\
        void read_seed(const char *name) { FILE *f = fopen(name, \"r\"); if (f) fread(seeds, sizeof *seeds, 4, f); }\n";
    assert_eq!(only("seed", text).1, Confidence::Possible);
    assert_eq!(only("no seed", &text.replace("read_seed", "read_table")).1, Confidence::Probable);
}

#[test]
fn structures_of_the_kernels_are_as_wide_as_the_kernel() {
    let text = "#include <sys/socket.h>\n#include \"include/linux/own.h\"\nlong f(int s, struct packet *p) { return recv(s, p, sizeof *p, 0); }\n";
    let sure = |test: &str, name: &str| {
        let files = [
            ("main.c", text.replace("include/linux/own.h", name)),
            (name, "struct packet { unsigned long id; char *of; };\n".to_owned()),
        ];
        let found = found(test, "i386:x86-64", &files.each_ref().map(|(name, text)| (*name, text.as_str())));
        found.iter().map(|(_, sure, _)| *sure).max()
    };
    assert_eq!(sure("of the kernel", "include/linux/own.h"), Some(Confidence::Possible));
    assert_eq!(sure("of the project", "include/own/own.h"), Some(Confidence::Certain));
    assert_eq!(sure("named after the kernel", "own-kernel.h"), Some(Confidence::Possible));
    assert_eq!(sure("for users of the kernel", "uapi_own.h"), Some(Confidence::Possible));
    let message = text
        .replace("p, sizeof", "&message, sizeof")
        .replace("{ return", "{ struct { struct packet head; char rest[4]; } message; return");
    let head = ("include/linux/own.h", "struct packet { unsigned long id; char *of; };\n");
    let found = found("begins with the kernel's", "i386:x86-64", &[("main.c", &message), head]);
    assert_eq!(found.iter().map(|(_, sure, _)| *sure).collect::<Vec<_>>(), [Confidence::Possible]);
}

#[test]
fn bytes_that_something_else_counts_are_no_longs() {
    let sure = |test: &str, size: &str| {
        only(
            test,
            &format!(
                "#include <unistd.h>\nstruct map {{ unsigned long *bits, count; }};\n\
                 int save(int fd, struct map *map, unsigned long bytes)\n{{\n    unsigned long first = map->count * sizeof(long);\n    \
                 return write(fd, map->bits, {size}) > 0;\n}}\n"
            ),
        )
        .1
    };
    assert_eq!(sure("bits", "(map->count + 7) / 8"), Confidence::Possible);
    assert_eq!(sure("shifted_bits", "map->count >> 3"), Confidence::Possible);
    assert_eq!(sure("elements", "map->count * sizeof(long)"), Confidence::Probable);
    assert_eq!(sure("counted_before", "first"), Confidence::Probable);
    assert_eq!(sure("counted_elsewhere", "bytes"), Confidence::Probable);
    // Nor is memory of no type that has a pointer to such for a name.
    let named = |to: &str| {
        format!(
            "#include <unistd.h>\nextern {to} *buffers[2];\n\
             int save(int fd, int which, unsigned long bytes)\n{{\n    unsigned long *from;\n    \
             from = buffers[which];\n    return write(fd, from, bytes) > 0;\n}}\n"
        )
    };
    none("named", &named("void"));
    only("named_numbers", &named("unsigned long"));
    let single = |test: &str, size: &str| {
        let file = format!(
            "#include <unistd.h>\nstruct row {{ int bytes; }};\nlong f(int fd, struct row *row)\n{{\n    long n = 0;\n    \
                            read(fd, &n, {size});\n    return n;\n}}\n"
        );
        only(test, &file).1
    };
    assert_eq!(single("single", "row->bytes"), Confidence::Possible);
    assert_eq!(single("whole_single", "sizeof n"), Confidence::Probable);
}

#[test]
fn space_at_the_end_is_written_by_who_asks_for_the_size() {
    let sure = |test: &str, size: &str| {
        only(
            test,
            &format!(
                "#include <sys/socket.h>\nstruct message {{ double when; char text[4]; }};\n\
                 int f(int fd, struct message *m, int bytes) {{ return send(fd, m, {size}, 0); }}\n"
            ),
        )
        .1
    };
    assert_eq!(sure("length", "bytes"), Confidence::Possible);
    assert_eq!(sure("whole_message", "sizeof *m"), Confidence::Probable);
}

#[test]
fn space_that_only_the_kernel_knows_is_no_member() {
    let addressed = |what: &str| {
        format!(
            "#include <sys/socket.h>\n#include <unistd.h>\nstruct peer {{ {what}unsigned length, kind; struct sockaddr_storage of; }};\n\
             int f(int fd, struct peer *p) {{ return write(fd, p, sizeof *p); }}\n"
        )
    };
    none("address", &addressed(""));
    assert_eq!(only("pointer_and_address", &addressed("char *name; ")).0, "P050");
}

#[test]
fn a_call_that_counts_by_a_type_says_what_is_in_a_shared_buffer() {
    let answer = "#include <unistd.h>\n\
        int send(int in, int out, unsigned long sent)\n{\n    char buffer[1024];\n    long n = read(in, buffer, sizeof buffer);\n    \
        write(out, buffer, n);\n    return read(out, buffer, sizeof(long)) && *(long *)buffer == sent;\n}\n";
    let (rule, confidence, _) = only("counted by a type", answer);
    assert_eq!((rule, confidence), ("P051", Confidence::Probable));
    assert_eq!(only("counted otherwise", &answer.replace("sizeof(long)", "n")).1, Confidence::Possible);
}

#[test]
fn what_is_read_and_never_looked_at_has_no_layout() {
    let touch = "#include <unistd.h>\nint touch(int fd)\n{\n    long word;\n    return read(fd, &word, sizeof word);\n}\n";
    none("thrown away", touch);
    only("looked at", &touch.replace("return read(fd, &word, sizeof word)", "read(fd, &word, sizeof word); return word"));
    only("written", &touch.replace("long word", "long word = 4").replace("read(", "write("));
    let renew = "#include <unistd.h>\nstruct head { long size, count; };\nint renew(int fd)\n{\n    struct head head;\n    \
        return read(fd, &head, sizeof head) && lseek(fd, 0, SEEK_SET) == 0 && write(fd, &head, sizeof head);\n}\n";
    none("written back", renew);
    let some = |test: &str, text: &str| assert_eq!(found(test, "i386:x86-64", &[("main.c", text)]).len(), 2, "{test}");
    some("changed and written back", &renew.replace("&& lseek", "&& head.count++ && lseek"));
    some("copied and written back", &renew.replace("struct head head;", "extern struct head all; struct head head = all;"));
    some("read twice", &renew.replace("write(", "read("));
}

#[test]
fn as_much_as_a_text_is_long_is_no_number() {
    let prints = |length: &str| {
        format!(
            "#include <unistd.h>\n#include <string.h>\nextern long cells[64];\n\
             void prints(const char *s) {{ if (write(1, s, {length})) return; }}\n\
             void fails(int at) {{ prints((char *)&cells[at]); }}\n"
        )
    };
    assert_eq!(only("as long as a text", &prints("strlen(s)")).1, Confidence::Possible);
    assert_eq!(only("as large as a number", &prints("sizeof(long)")).1, Confidence::Probable);
}

#[test]
fn a_pointer_that_had_room_moves_nothing() {
    let message = |member: &str| {
        format!(
            "#include <stdint.h>\n#include <sys/socket.h>\nstruct message {{ union {{ uint64_t number; {member} }} of; }};\n\
             long f(int s, struct message *m) {{ return send(s, m, sizeof *m, 0); }}\n"
        )
    };
    assert_eq!(only("has room", &message("void *pointer;")).1, Confidence::Possible);
    assert_eq!(only("has no room", &message("void *pointers[3];")).1, Confidence::Certain);
    // As the superblock of a file system, whose pointers are for those who read it.
    let block = |room: &str| {
        let fields = format!("int first; void *room[{room}]; char *one; int *two; int last, more;");
        message("char is;").replace("union {", &format!("{fields} union {{"))
    };
    assert_eq!(only("has room for all", &block("32 / sizeof(void *) - 2")).1, Confidence::Certain);
    assert_eq!(
        only("has room at a multiple", &block("32 / sizeof(void *) - 2").replace("int first;", "long long first;")).1,
        Confidence::Possible
    );
}

#[test]
fn what_a_member_gets_by_a_function_is_a_pipe_if_all_that_are_given_are() {
    let text = "#include <stdlib.h>\n#include <unistd.h>\nstruct message { void *to; int kind; };\nstruct queue { int fd; };\n\
        struct queue *queue_new(int fd) { struct queue *q = malloc(sizeof *q); q->fd = fd; return q; }\n\
        struct queue *opens(int other) { int ends[2]; (void)other; if (pipe(ends)) return 0; return queue_new(ends[1]); }\n\
        long put(struct queue *q, struct message m) { return write(q->fd, &m, sizeof m); }\n";
    assert_eq!(only("given ends", text).1, Confidence::Possible);
    // In a function between, and in another file.
    let (of_queue, rest) = text.split_once("struct queue *opens").unwrap();
    let head = "#include <unistd.h>\nstruct queue;\nstruct queue *queue_new(int);\nstatic struct queue *child(int ends[2]) { return queue_new(ends[0]); }\n";
    let opens = format!(
        "{head}struct queue *opens{}",
        rest.split_once("long put").unwrap().0.replace("queue_new(ends[1])", "child(ends)")
    );
    let of_queue = format!("{of_queue}long put{}", rest.split_once("long put").unwrap().1);
    let apart = found("given ends apart", "i386:x86-64", &[("queue.c", &of_queue), ("opens.c", &opens)]);
    assert_eq!(apart.first().unwrap().1, Confidence::Possible, "{apart:?}");
    // Another one may come from anywhere.
    for (test, more) in [
        ("given ends and others", "struct queue *others(int fd) { return queue_new(fd); }\n"),
        ("given ends and results", "int others(void);\nstruct queue *opened(void) { return queue_new(others()); }\n"),
        ("ends that are replaced in a member", "void others(struct queue *q, int fd) { q->fd = fd; }\n"),
        ("given by whoever has the pointer", "struct queue *(*made)(int) = queue_new;\n"),
    ] {
        assert!(only(test, &format!("{text}{more}")).1 > Confidence::Possible, "{test}");
    }
}

#[test]
fn a_time_in_a_raw_packet_comes_back_to_its_sender() {
    let text = "#include <sys/socket.h>\n#include <sys/time.h>\nstruct probe { int seq; struct timeval sent; };\n\
        long send_probe(struct probe p) { int fd = socket(AF_INET, SOCK_RAW, 1); return send(fd, &p, sizeof p, 0); }\n";
    assert_eq!(only("raw time", text), ("P052", Confidence::Possible, only("raw time again", text).2));
    assert!(only("stream time", &text.replace("SOCK_RAW", "SOCK_STREAM")).1 > Confidence::Possible);
    assert!(only("raw length", &text.replace("struct timeval sent", "long length")).1 > Confidence::Possible);
}

#[test]
fn whoever_has_both_ways_chooses_one() {
    let text = "#include <stdio.h>\nvoid put(FILE *f, const void *what, unsigned long size) { fwrite(what, size, 1, f); }\n\
        void save(FILE *f, int portable, long *numbers, int n)\n{\n    char bytes[8] = \"\";\n    if (portable) { for (; n; n--) put(f, bytes, sizeof bytes); }\n    \
        else { if (n) put(f, numbers, sizeof *numbers * n); }\n}\n";
    assert_eq!(only("both ways", text).1, Confidence::Possible);
    let of_system = text
        .replace("put(f, bytes, sizeof bytes)", "fwrite(bytes, sizeof bytes, 1, f)")
        .replace("put(f, numbers, sizeof *numbers * n)", "fwrite(numbers, sizeof *numbers, n, f)");
    assert_eq!(only("both ways of the system's", &of_system).1, Confidence::Possible);
    let with_mark = of_system.replace("else { if (n)", "else { fwrite(bytes, sizeof bytes, 1, f); if (n)");
    assert!(only("a mark before a number", &with_mark).1 > Confidence::Possible);
    assert!(only("one way", &text.replace("put(f, bytes", "printf(bytes")).1 > Confidence::Possible);
    assert!(only("one way or none", &text.replace("    else {", "    {")).1 > Confidence::Possible);
}

#[test]
fn a_list_of_objects_is_not_sent_as_it_is() {
    let text = "#include <sys/uio.h>\nstruct item { struct item *next; int length; char data[8]; };\n\
        void add(struct iovec *to, struct item *it) { to->iov_base = it; to->iov_len = sizeof *it; }\n";
    let back = "int length(struct iovec *of) { return ((struct item *)of->iov_base)->length; }\n";
    assert!(only("sent by a list", text).1 > Confidence::Possible);
    let both = found("taken from a list again", "i386:x86-64", &[("main.c", &format!("{text}{back}"))]);
    assert!(both.iter().all(|(_, confidence, _)| *confidence == Confidence::Possible), "{both:?}");
}

#[test]
fn more_bytes_than_a_pointer_has_are_those_that_it_leads_to() {
    let text = "#include <stdio.h>\nstruct table { unsigned char *of; unsigned n; };\n\
        void load(struct table *t, FILE *f) { fread((char *)&t->of, sizeof *t->of * t->n, 1, f); }\n";
    assert_eq!(only("pointer by its count", text).1, Confidence::Possible);
    assert!(only("pointer by its size", &text.replace("sizeof *t->of * t->n", "sizeof t->of")).1 > Confidence::Possible);
}

#[test]
fn a_file_that_is_removed_where_it_is_opened_is_nobodys_wherever_it_is_kept() {
    let text = "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\nstruct head { long size; char *name; };\n\
        static int opens(const char *name) { int f = open(name, O_CREAT | O_EXCL | O_RDWR, 0600); remove(name); return f; }\n\
        static void put(struct head *h, FILE *f) { fwrite(h, sizeof *h, 1, f); }\n\
        void saves(struct head *h) { int fd = opens(\"/tmp/x\"); FILE *f = fdopen(fd, \"r+\"); put(h, f); write(fileno(f), h, sizeof *h); }\n";
    let confidences = |test: &str, text: &str| -> Vec<Confidence> {
        found(test, "i386:x86-64", &[("main.c", text)]).into_iter().map(|(_, confidence, _)| confidence).collect()
    };
    assert!(confidences("removed", text).is_empty(), "{:?}", confidences("removed again", text));
    // What was a character before is no other file.
    let again = |by: &str| text.replace("int fd = opens", &format!("int fd = {by}; if (fd < 0) return; fd = opens"));
    assert!(confidences("removed and a character", &again("getchar()")).is_empty());
    assert!(confidences("removed and small", &text.replace("int fd", "char fd")).is_empty());
    assert_eq!(confidences("removed and a copy", &again("dup(1)")).len(), 2);
    assert_eq!(confidences("left", &text.replace("remove(name)", "puts(name)")).len(), 2);
    assert_eq!(confidences("there before", &text.replace("O_CREAT | O_EXCL", "O_CREAT")).len(), 2);
}

#[test]
fn an_allocator_keeps_what_belongs_to_others_apart() {
    let text = |of: &str| {
        format!(
            "#include <stdio.h>\n#include <string.h>\nstruct {of} {{ char *object_base, *next_free; }};\n\
             struct name {{ char *text; long hash; }};\nextern FILE *file;\n\
             void keep(struct {of} *names, struct name *of) {{ memcpy(names->next_free, of, sizeof *of); }}\n\
             void tell(struct {of} *texts) {{ texts->next_free = texts->object_base; fwrite(texts->object_base, 1, 4, file); \
             fwrite(texts->next_free, 1, strlen(texts->next_free), file); }}\n"
        )
    };
    none("allocator", &text("obstack"));
    assert_eq!(only("buffer", &text("buffer")).0, "P050");
}

#[test]
fn a_local_socket_of_a_single_program_has_it_at_both_ends() {
    let talk = "#include <sys/socket.h>\nstatic int listening, peer;\n\
        void serve(void) { listening = socket(AF_UNIX, SOCK_STREAM, 0); peer = accept(listening, 0, 0); }\n\
        int tell(long mark) { return send(peer, &mark, sizeof mark, 0); }\n\
        int ask(long *mark) { int fd = socket(AF_UNIX, SOCK_STREAM, 0); return recv(fd, mark, sizeof *mark, 0); }\n";
    let sure = |test: &str, text: &str, files: &[(&str, &str)]| -> Vec<Confidence> {
        let files: Vec<(&str, &str)> = [("talk.c", text)].into_iter().chain(files.iter().copied()).collect();
        found(test, "i386:x86-64", &files).into_iter().map(|(_, confidence, _)| confidence).collect()
    };
    let program = "void serve(void);\nint tell(long), ask(long *);\n\
        int main(void) { long mark = 1; serve(); return tell(mark) + ask(&mark); }\n";
    assert_eq!(sure("local one", talk, &[("one.c", program), ("tests/all.c", program)]), [Confidence::Possible; 2]);
    assert_eq!(sure("local two", talk, &[("one.c", program), ("two.c", program)]), [Confidence::Probable; 2]);
    assert_eq!(sure("local none", talk, &[]), [Confidence::Probable; 2]);
    // Where it is kept in a variable, and given on from there.
    let kept = "static int server_sock;\nvoid use_server(int sock) { server_sock = sock; }\nint tell(int sock, long mark);\n\
        int tell_again(int sock, long mark) { return tell(sock, mark); }\n\
        int all(long mark) { return tell_again(server_sock, mark); }\n";
    let main = "#include <sys/socket.h>\nvoid use_server(int);\nint all(long);\n\
        int main(void) { int fd = socket(AF_UNIX, SOCK_STREAM, 0); use_server(fd); return all(1); }\n";
    let send = "#include <sys/socket.h>\nint tell(int sock, long mark) { return send(sock, &mark, sizeof mark, 0); }\n";
    // There is another one, of which nothing is sent.
    let other = ("other.c", "#include <sys/socket.h>\nint other(void) { return socket(AF_INET, SOCK_STREAM, 0); }\n");
    assert_eq!(sure("local kept", send, &[("kept.c", kept), ("main.c", main), other]), [Confidence::Possible]);
    let internet = main.replace("AF_UNIX", "AF_INET");
    assert_eq!(sure("internet kept", send, &[("kept.c", kept), ("main.c", &internet)]), [Confidence::Probable]);
    // Which one it is nobody says, where all are local.
    let send = send.replace("sock,", "to,");
    let others = main.replace("use_server", "use_other").replace("void use_other(int);", "void use_other(int of) { (void)of; }");
    let others = format!("{others}int tell(int, long);\nint all(long mark) {{ return tell((int)mark, mark); }}\n");
    assert_eq!(sure("local unknown", &send, &[("main.c", &others)]), [Confidence::Possible]);
    let internet = others.replace("AF_UNIX", "AF_INET");
    assert_eq!(sure("internet unknown", &send, &[("main.c", &internet)]), [Confidence::Probable]);
    let internet = talk.replace("AF_UNIX", "AF_INET");
    assert_eq!(sure("internet one", &internet, &[("one.c", program)]), [Confidence::Probable; 2]);
}

#[test]
fn what_the_librarys_method_returns_belongs_to_its_object() {
    let text = "#include <cstdio>\n#include <cstring>\n#include <string>
class Stream { FILE *f; public: virtual size_t read(char *to, size_t n) { return fread(to, 1, n, f); } virtual ~Stream() {} };
static std::string readString(Stream &stream, size_t length) {
    std::string string(length, ' ');
    stream.read(const_cast<char*>(string.data()), length);
    return string;
}
class Model { char *last; char *allocate(size_t n) { return new char[n]; }
public:
 void add(const std::string &text) {
    size_t len = text.length();
    if (last) {
        size_t oldLen = 0;
        memcpy(&oldLen, last + 1, sizeof(size_t));
        memcpy(last + sizeof(size_t) + 1 + oldLen, text.data(), len);
    } else {
    last = allocate(len + sizeof(size_t) + 1);
    memcpy(last + 1, &len, sizeof(size_t));
    memcpy(last + sizeof(size_t) + 1, text.data(), len);
    }
 }
};
void both(Stream &s, Model &m) { m.add(readString(s, 4)); }\n";
    let found = found("librarys", "i386:x86-64", &[("main.cc", text)]);
    assert!(found.iter().all(|(_, confidence, _)| *confidence == Confidence::Possible), "{found:?}");
}

#[test]
fn a_stream_that_is_given_where_bytes_are_taken_as_well_is_no_bytes() {
    let text = |of: &str| {
        format!(
            "#include <stdio.h>\nextern FILE *shown;\nstruct row {{ char *text; }};\nstatic char *buffer;\n\
             void find(int is_memory, void *to) {{ if (is_memory) buffer = to; fwrite(buffer, 1, 80, shown); }}\n\
             void all({of} *out) {{ find(0, out); }}\n"
        )
    };
    none("stream", &text("FILE"));
    assert_eq!(only("no stream", &text("struct row")).0, "P050");
}

#[test]
fn a_structure_with_members_of_its_own_for_each_word_size_is_chosen() {
    let text = |more: &str| {
        format!(
            "#include <stdio.h>\nstruct head {{ char kind; long base;\n#ifndef __x86_64__\n{more}\n#endif\n}};\n\
             void put(FILE *f, struct head *of) {{ fwrite(of, sizeof *of, 1, f); }}\n"
        )
    };
    assert_eq!(only("a member less", &text("unsigned data;")).1, Confidence::Possible);
    assert_eq!(only("the same members", &text("")).1, Confidence::Probable);
    let stat = text("").replace("stdio.h>", "stdio.h>\n#include <sys/stat.h>").replace("long base;", "struct stat of;");
    assert_ne!(only("members of the C library", &stat).1, Confidence::Possible);
}
