//! Numbers and their bits under another width: what reads or writes them through a pointer, a system call or assembly.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use Confidence::{Certain, Possible, Probable};
use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse};

/// The rules that find something in a file, with how sure they are.
fn found(rule: &str, text: &str) -> Vec<(u32, Confidence)> {
    let test = std::thread::current().name().unwrap().to_owned();
    let paths = vec![tree::written("widths", &test, &[("a.c", text)]).join("a.c")];
    let report = analyse(&Options::new(paths, Pair::ALL[0]), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
    let ours = report.findings.into_iter().filter(|finding| finding.rule == rule);
    ours.filter_map(|finding| finding.source).map(|source| (source.line, source.confidence)).collect()
}

#[test]
fn bits_of_a_number_under_a_type_of_another_width_are_found() {
    let of = |text: &str| found("P005", text);
    assert_eq!(of("long f(float x) { return *(long *)&x; }\n"), [(1, Certain)]);
    assert_eq!(of("unsigned long f(float *x) { return *(unsigned long *)x; }\n"), [(1, Probable)]);
    assert_eq!(of("long f(double x) { return *(long *)&x; }\n"), [(1, Probable)]);
    assert_eq!(of("long f(double x) { return ((long *)&x)[1]; }\n"), [(1, Certain)]);
    assert_eq!(of("float f(long x) { return *(float *)&x; }\n"), [(1, Probable)]);
    for same in [
        "int f(float x) { return *(int *)&x; }\n",
        "int f(double x) { return *(int *)&x; }\n",
        "int f(double x) { return ((int *)&x)[1]; }\n",
        "long long f(double x) { return *(long long *)&x; }\n",
        "long long f(float x) { return *(long long *)&x; }\n",
        "char f(double x) { return *(char *)&x; }\n",
        "double f(long x) { return (double)x; }\n",
    ] {
        assert_eq!(of(same), [], "{same}");
    }
}

#[test]
fn what_the_kernel_reads_or_writes_has_its_own_width() {
    let of = |body: &str| {
        found(
            "P008",
            &format!(
                "#include <linux/fs.h>\n#include <stddef.h>\n#include <sys/ioctl.h>\n#include <sys/socket.h>\nint f(int fd) {{ {body} return 0; }}\n"
            ),
        )
    };
    assert_eq!(of("long n; ioctl(fd, FIONREAD, &n);"), [(5, Certain)]);
    assert_eq!(of("size_t n = 0; ioctl(fd, FIONREAD, (char *)&n);"), [(5, Possible)]);
    assert_eq!(of("long on = 1; ioctl(fd, FIONBIO, &on);"), [(5, Possible)]);
    assert_eq!(of("static long n; ioctl(fd, FIONREAD, &n);"), [(5, Possible)]);
    assert_eq!(of("long flags; ioctl(fd, FS_IOC_GETFLAGS, &flags);"), [(5, Certain)]);
    assert_eq!(of("unsigned n; ioctl(fd, BLKGETSIZE, &n);"), [(5, Certain)]);
    assert_eq!(of("int n; ioctl(fd, _IOR('x', 1, long), &n);"), [(5, Probable)]);
    assert_eq!(of("long e; socklen_t l = sizeof e; getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &l);"), [(5, Certain)]);
    for right in [
        "int n; ioctl(fd, FIONREAD, &n);",
        "unsigned long n; ioctl(fd, BLKGETSIZE, &n);",
        "unsigned long long n; ioctl(fd, BLKGETSIZE64, &n);",
        "int flags; ioctl(fd, FS_IOC_GETFLAGS, &flags);",
        "struct winsize w; ioctl(fd, TIOCGWINSZ, &w);",
        "ioctl(fd, TIOCSCTTY, 0);",
        "long n; ioctl(fd, _IOR('x', 1, long), &n);",
        "int e; socklen_t l = sizeof e; getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &l);",
        "struct timeval t; socklen_t l = sizeof t; getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, &l);",
    ] {
        assert_eq!(of(right), [], "{right}");
    }
}

#[test]
fn the_number_of_a_request_of_the_project_may_differ() {
    let of = |text: &str| found("P053", &format!("#include <linux/fs.h>\n#include <sys/ioctl.h>\n{text}\n"));
    assert_eq!(of("#define SET _IOW('x', 2, long)\nint f(int fd, long n) { return ioctl(fd, SET, &n); }"), [(4, Possible)]);
    assert_eq!(of("int f(int fd, void *n) { return ioctl(fd, _IOW('x', 2, void *), &n); }"), [(3, Possible)]);
    assert_eq!(
        of("#define SET _IOW('x', 2, long)\nint f(int n) { switch (n) { case SET: return 1; } return 0; }"),
        [(4, Possible)]
    );
    for same in [
        "#define SET _IOW('x', 2, int)\nint f(int fd, int n) { return ioctl(fd, SET, &n); }",
        // The kernel's own are as they are, and it knows both.
        "int f(int fd, int n) { return ioctl(fd, FS_IOC_SETFLAGS, &n); }",
        "int f(int n) { switch (n) { case sizeof(long): return 1; } return 0; }",
    ] {
        assert_eq!(of(same), [], "{same}");
    }
}

#[test]
fn operands_of_assembly_that_grow_are_found() {
    let of = |body: &str| {
        found("P084", &format!("int f(long v, int i, int *p) {{ int r = 0; long w = 0; {body} return r + (int)w; }}\n"))
    };
    assert_eq!(of("__asm__(\"movl %1, %0\" : \"=r\"(r) : \"r\"(v));"), [(1, Certain)]);
    assert_eq!(of("__asm__(\"movl %1, %0\" : \"=r\"(r) : \"m\"(v));"), [(1, Possible)]);
    assert_eq!(of("__asm__(\"mov %0, %%eax\" : : \"g\"(p) : \"eax\");"), [(1, Probable)]);
    // The instruction names only the first of them.
    assert_eq!(of("__asm__(\"bswap %0\" : \"=r\"(w) : \"0\"(v));"), [(1, Certain)]);
    for right in [
        "__asm__(\"movl %1, %0\" : \"=r\"(r) : \"r\"(i));",
        "__asm__(\"mov %1, %0\" : \"=r\"(w) : \"r\"(v));",
        "__asm__(\"movl %k1, %0\" : \"=r\"(r) : \"r\"(v));",
        "__asm__(\"movl (%1), %0\" : \"=r\"(r) : \"r\"(p));",
        "__asm__(\"movl %1, %0\" : \"=r\"(r) : \"i\"(7L));",
        "__asm__(\"\" : \"+r\"(w));",
        "\n#ifdef __i386__\n__asm__(\"movl %1, %0\" : \"=r\"(r) : \"r\"(v));\n#endif\n",
    ] {
        assert_eq!(of(right), [], "{right}");
    }
}
