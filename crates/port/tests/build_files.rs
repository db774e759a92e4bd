//! Build files and scripts: what names the old architecture alone is found, and what has thought of the new one is left alone.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse};

/// The findings in one build file: rule, line, confidence, what is there.
fn found(pair: &str, name: &str, text: &str) -> Vec<(&'static str, u32, Confidence, String)> {
    let test = std::thread::current().name().unwrap().to_owned();
    let paths = vec![tree::written("build_files", &test, &[(name, text)]).join(name)];
    let report = analyse(&Options::new(paths, Pair::parse(pair).unwrap()), &()).unwrap();
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
    let of = |finding: findings::Finding| {
        let source = finding.source.unwrap();
        (finding.rule, source.line, source.confidence, finding.message)
    };
    report.findings.into_iter().map(of).collect()
}

fn x86(name: &str, text: &str) -> Vec<(&'static str, u32, Confidence)> {
    found("i386:x86-64", name, text).into_iter().map(|(rule, line, confidence, _)| (rule, line, confidence)).collect()
}

use Confidence::{Certain, Possible, Probable};

#[test]
fn a_condition_on_the_old_architecture_alone_is_found() {
    for (name, text, wanted) in [
        ("Makefile", "ifeq ($(ARCH),i686)\nOBJS = a.o\nelse\n$(error unknown)\nendif\n", (1, Certain)),
        ("Makefile", "all:\nifneq (,$(findstring i386,$(shell uname -m)))\nX = 1\nelse\nX = 2\nendif\n", (2, Possible)),
        ("Makefile", "M := $(shell uname -m)\nifeq ($(M),i586)\nOBJS = a.o\nendif\np: $(OBJS)\n", (2, Probable)),
        ("Makefile", "ifeq ($(ARCH),i386)\nCFLAGS += -DX\nendif\n", (1, Possible)),
        ("build.sh", "if [ \"$(uname -m)\" = i686 ]; then\n  make\nelse\n  echo no; exit 1\nfi\n", (1, Certain)),
        ("build.sh", "#!/bin/sh\ncase $ARCH in\n  i?86) make ;;\n  *) exit 1 ;;\nesac\n", (3, Certain)),
        (
            "x.cmake",
            "if(CMAKE_SYSTEM_PROCESSOR STREQUAL \"i686\")\nset(A 1)\nelse()\nmessage(FATAL_ERROR \"no\")\nendif()\n",
            (1, Certain),
        ),
        ("meson.build", "if host_machine.cpu_family() == 'x86'\n  a = 1\nelse\n  error('no')\nendif\n", (1, Certain)),
    ] {
        assert_eq!(x86(name, text), [("P075", wanted.0, wanted.1)], "{name}: {text}");
    }
}

#[test]
fn a_condition_that_has_thought_of_the_new_architecture_is_left_alone() {
    for (name, text) in [
        ("Makefile", "ifeq ($(ARCH),i686)\nX = 1\nelse ifeq ($(ARCH),x86_64)\nX = 2\nelse\n$(error unknown)\nendif\n"),
        ("Makefile", "ifneq ($(ARCH),i386)\nX = 1\nendif\n"),
        ("Makefile", "ifneq (,$(filter i386 amd64,$(ARCH)))\nX = 1\nendif\n"),
        ("Makefile", "ifeq ($(ARCH),i386)\nX = 1\nendif\nifeq ($(ARCH),x86_64)\nX = 2\nendif\n"),
        (
            "Makefile",
            "A := $(shell uname -m | sed -e s/i.86/i386/ -e s/x86_64/i386/)\nifeq ($(A),i386)\nX = 1\nelse\n$(error no)\nendif\n",
        ),
        ("Makefile", "ifeq ($(NAME),i386)\nX = 1\nendif\n"),
        ("build.sh", "if [ `uname -m` = i686 ] || [ `uname -m` = x86_64 ]; then make; else exit 1; fi\n"),
        ("x.cmake", "if(CMAKE_SYSTEM_PROCESSOR MATCHES \"i686|x86_64\")\nset(A 1)\nendif()\n"),
    ] {
        assert_eq!(x86(name, text), [], "{name}: {text}");
    }
}

#[test]
fn every_option_of_a_line_is_found_also_those_of_the_assembler_and_the_linker() {
    let text = "CFLAGS = -m32 -march=i686\nASFLAGS = --32 -Wa,--32\nLDFLAGS = -melf_i386 -Wl,-melf_i386 -Wl,-m,elf_i386\nLD = ld -m elf_i386\nNASM = nasm -f elf32\nB = objcopy -O elf32-i386\n";
    let lines: Vec<u32> = x86("rules.mk", text)
        .into_iter()
        .map(|(rule, line, _)| (rule, line))
        .map(|(rule, line)| {
            assert_eq!(rule, "P073");
            line
        })
        .collect();
    assert_eq!(lines, [1, 1, 2, 2, 3, 3, 3, 4, 5, 6]);
    assert_eq!(x86("rules.mk", "X = --32bit -format elf32\n# -m32\nall: elf32-i386.o\n"), []);
    assert_eq!(x86("build.sh", "gcc -m32 -c a.c\n"), [("P073", 1, Probable)]);
    assert_eq!(x86("build.sh", "gcc -c a.c -L/usr/lib -L/usr/local/lib\n"), [("P072", 1, Possible), ("P072", 1, Possible)]);
    let arm: Vec<_> = found("armhf:arm64", "rules.mk", "LDFLAGS = -marmelf_linux_eabi -Wl,-marmelf_linux_eabi\n");
    assert_eq!(arm.len(), 2, "{arm:?}");
}

#[test]
fn an_option_under_a_condition_on_the_architecture_is_left_alone() {
    let text = format!("ifeq ($(BITS),32)\n{}CFLAGS += -m32\nendif\n", "# more\n".repeat(3));
    assert_eq!(x86("rules.mk", &text), []);
    let far = format!("ifneq (,$(filter i386 x86_64,$(ARCH)))\n{}CFLAGS += -march=i686\nendif\n", "X += y\n".repeat(20));
    assert_eq!(x86("rules.mk", &far), []);
    let by_size = "if(CMAKE_SIZEOF_VOID_P STREQUAL \"8\")\nset(F \"-m64\")\nelse()\nset(F \"-m32\")\nendif()\n";
    assert_eq!(x86("flags.cmake", by_size), []);
    let path = "if [ \"$ARCH\" = i386 ]; then\n  export PKG_CONFIG_PATH=/usr/lib/i386-linux-gnu/pkgconfig\nfi\n";
    assert_eq!(x86("build.sh", path), [("P075", 1, Possible)]);
    assert_eq!(x86("build.sh", &path.replace("$ARCH\" = i386", "$USE\" = yes")), [("P071", 2, Probable)]);
}

#[test]
fn libraries_of_all_word_sizes_in_one_directory_are_found() {
    let library = "libx.so: x.o\n\t$(CC) -shared -o $@ $^\n";
    for (name, text, line, confidence) in [
        ("Makefile", format!("libdir = /usr/lib\n{library}"), 1, Probable),
        ("Makefile", "LIBDIR=/usr/local/lib/\nprogram: x.o\n".to_owned(), 1, Possible),
        ("Makefile", format!("{library}install:\n\tinstall -m 644 libx.so $(DESTDIR)/usr/lib/\n"), 4, Probable),
        (
            "CMakeLists.txt",
            "add_library(x SHARED x.c)\ninstall(TARGETS x LIBRARY DESTINATION /usr/lib)\n".to_owned(),
            2,
            Probable,
        ),
        ("install.sh", "cp libx.so /usr/lib\n".to_owned(), 1, Probable),
    ] {
        assert_eq!(x86(name, &text), [("P078", line, confidence)], "{name}: {text}");
    }
    for text in [
        "libdir = $(prefix)/lib\n",
        "LIBDIR = /usr/lib/games\n",
        "libdir = @libdir@\n",
        "datadir = /usr/lib\n",
        "install:\n\tinstall x $(DESTDIR)/usr/lib/x\n",
    ] {
        assert_eq!(x86("Makefile", &format!("{text}{library}")), [], "{text}");
    }
}

#[test]
fn a_makefile_for_those_who_do_not_configure_installs_what_nobody_has() {
    let text = "LIBDIR = /usr/lib\nlibx.so: x.o\n\t$(CC) -shared -o $@ $^\n";
    for (name, beside, wanted) in [
        ("Makefile.plain", "configure", Possible),
        ("linux.mak", "configure", Possible),
        ("Makefile", "configure", Probable),
        ("Makefile.plain", "other", Probable),
    ] {
        let test = format!("spare makefiles/{name} {beside}");
        let path = tree::written("build_files", &test, &[(name, text), (beside, ""), ("x.c", "int x;\n")]);
        let report = analyse(&Options::new(vec![path], Pair::parse("i386:x86-64").unwrap()), &()).unwrap();
        let found: Vec<_> = report.findings.iter().map(|of| (of.rule, of.source.as_ref().unwrap().confidence)).collect();
        assert_eq!(found, [("P078", wanted)], "{name} beside {beside}");
    }
}

#[test]
fn what_configure_writes_is_written_again() {
    let script = "#!/bin/sh\necho -m32 -L/usr/lib/i386-linux-gnu\n";
    for (name, wanted) in [("toy-config", 0), ("toy-configures", 3)] {
        let test = format!("what configure writes/{name}");
        let path = tree::written("build_files", &test, &[(name, script), ("a.c", "int a;\n")]);
        std::fs::set_permissions(path.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let report = analyse(&Options::new(vec![path], Pair::parse("i386:x86-64").unwrap()), &()).unwrap();
        assert_eq!(report.findings.len(), wanted, "{name}: {:?}", report.findings);
    }
}
