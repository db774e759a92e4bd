//! What is wrong in a function that nothing in a program names is only possible.
#![allow(clippy::unwrap_used, missing_docs)]

mod tree;

use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse};
use std::fs;
use std::path::Path;

const FILE: &str = "#include <stdio.h>\nlong kept;\nvoid save(FILE *f) { fwrite(&kept, sizeof kept, 1, f); }\n";
const MAIN: (&str, &str) = ("main.c", "int main(void) { return 0; }\n");

/// How sure the finding is in a function that is called `save`.
fn sure(test: &str, files: &[(&str, &str)]) -> Confidence {
    sure_in(&tree::written("uncalled", test, files))
}

fn sure_in(directory: &Path) -> Confidence {
    let options = Options { jobs: 1, ..Options::new(vec![directory.to_path_buf()], Pair::parse("i386:x86-64").unwrap()) };
    let found = analyse(&options, &()).unwrap().findings;
    let ours: Vec<_> = found.iter().filter(|finding| finding.rule == "P051").collect();
    assert_eq!(ours.len(), 1, "{found:?}");
    ours[0].source.as_ref().unwrap().confidence
}

#[test]
fn what_a_program_never_names_is_not_called() {
    let named = "void save(void *);\nint main(void) { save(0); return 0; }\n";
    let switched_off = "void save(void *);\nint main(void)\n{\n#ifdef OSX\n    save(0);\n#endif\n    return 0;\n}\n";
    let kept = "void save(void *);\nvoid (*table[])(void *) = {save};\nint main(void) { return table[0] != 0; }\n";
    let by_name = "int find(const char *);\nint main(void) { return find(\"save\"); }\n";
    let optional = switched_off.replace("OSX", "WITH_SAVING");
    assert_eq!(sure("optional", &[("save.c", FILE), ("main.c", &optional)]), Confidence::Probable);
    let never = switched_off.replace("ifdef OSX", "if 0");
    assert_eq!(sure("never", &[("save.c", FILE), ("main.c", &never)]), Confidence::Possible);
    let guarded = "#ifndef MAIN_C\n#define MAIN_C\nvoid save(void *);\n#endif\nint main(void) { return 0; }\n";
    assert_eq!(sure("guarded", &[("save.c", FILE), ("main.c", guarded)]), Confidence::Possible);
    assert_eq!(sure("nobody", &[("save.c", FILE), MAIN]), Confidence::Possible);
    assert_eq!(sure("switched_off", &[("save.c", FILE), ("main.c", switched_off)]), Confidence::Possible);
    let unused = "void save(void *);\nvoid all(void) { save(0); }\nint main(void) { return 0; }\n";
    let used = unused.replace("return 0", "all(); return 0");
    assert_eq!(sure("by_what_nobody_calls", &[("save.c", FILE), ("main.c", unused)]), Confidence::Possible);
    assert_eq!(sure("by_another", &[("save.c", FILE), ("main.c", &used)]), Confidence::Probable);
    let itself = FILE.replace("fwrite(", "if (f) save(0); fwrite(");
    assert_eq!(sure("by_itself", &[("save.c", &itself), MAIN]), Confidence::Possible);
    assert_eq!(sure("called", &[("save.c", FILE), ("main.c", named)]), Confidence::Probable);
    assert_eq!(sure("kept", &[("save.c", FILE), ("main.c", kept)]), Confidence::Probable);
    assert_eq!(sure("by_name", &[("save.c", FILE), ("main.c", by_name)]), Confidence::Probable);
}

#[test]
fn what_is_not_understood_may_call_it() {
    // A directory that has a header of the system's name is searched behind the system's own.
    let last = [(
        "save.c",
        "#include <own.h>\n#include <stdio.h>\nlong kept;\nvoid save(FILE *f) { fwrite(&kept, sizeof kept, 1, f); }\n",
    )];
    let headers = [("port/own.h", "#include <stdio.h>\nvoid save(FILE *);\n"), ("port/getopt.h", "")];
    let named = ("main.c", "#include <own.h>\nint main(void) { save(stdout); return 0; }\n");
    assert_eq!(sure("searched_last", &[&last[..], &headers, &[MAIN]].concat()), Confidence::Possible);
    assert_eq!(sure("searched_last_and_called", &[&last[..], &headers, &[named]].concat()), Confidence::Probable);
    let told = ("ChangeLog.1", "* save.c (save): new function.\n");
    assert_eq!(sure("told", &[("save.c", FILE), MAIN, told]), Confidence::Possible);
    assert_eq!(sure("scripted", &[("save.c", FILE), MAIN, ("all.script", told.1)]), Confidence::Probable);
    let grammar = ("grammar.y", "%%\nall: { save(stdout); }\n");
    assert_eq!(sure("grammar", &[("save.c", FILE), MAIN, grammar]), Confidence::Probable);
    let broken = "int main(void) { save_all(1) return save(0); }\n";
    assert_eq!(sure("broken", &[("save.c", FILE), ("main.c", broken)]), Confidence::Probable);
    let broken_beside = format!("{FILE}int other(void) {{ one(1) return two(0); }}\n");
    assert_eq!(sure("broken_beside", &[("save.c", &broken_beside), MAIN]), Confidence::Possible);
    let broken_caller = format!("{FILE}int other(void) {{ one(1) return save(0); }}\n");
    // Who calls it has to be called as well.
    assert_eq!(sure("broken_caller", &[("save.c", &broken_caller), MAIN]), Confidence::Possible);
    let calls = ("main.c", "int other(void);\nint main(void) { return other(); }\n");
    assert_eq!(sure("called_broken_caller", &[("save.c", &broken_caller), calls]), Confidence::Probable);
    // Where it is named does not depend on how what is before it is encoded: here outside of a function that nobody calls.
    let named = |letter: &str| {
        let (letters, rest) = (letter.repeat(40), "    long_names_of_variables = 0;\n".repeat(9));
        format!("/* {letters} */\nvoid (*table)(void *) = save;\nint other(void)\n{{\n    one(1) return 2;\n{rest}}}\n")
    };
    let files = [("save.c", FILE), MAIN, ("table.c", &named("e"))];
    let directory = tree::written("uncalled", "encoded", &files);
    assert_eq!(sure_in(&directory), Confidence::Probable);
    let latin: Vec<u8> = named("\u{e9}").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    fs::write(directory.join("table.c"), latin).unwrap();
    assert_eq!(sure_in(&directory), Confidence::Probable);
    let lacking = |what: &str| format!("int main(void) {{ other(1) return 0; }}\n#ifndef HAVE_{what}\nREGISTER(save)\n#endif\n");
    assert_eq!(sure("for_a_lack", &[("save.c", FILE), ("main.c", &lacking("STRDUP"))]), Confidence::Possible);
    assert_eq!(sure("for_a_choice", &[("save.c", FILE), ("main.c", &lacking("NO_SUCH_FUNCTION"))]), Confidence::Probable);
    let declared = ("broken.h", "broken all;\nextern void save(void *);\n");
    assert_eq!(sure("declared_where_broken", &[("save.c", FILE), MAIN, declared]), Confidence::Possible);
    let called = ("broken.h", "broken all;\nsave(void *);\n");
    assert_eq!(sure("called_where_broken", &[("save.c", FILE), MAIN, called]), Confidence::Probable);
    let never_broken = "int main(void) { save_all(1) return 0; }\n#if 0\nsave(0);\n#endif\n";
    assert_eq!(sure("never_broken", &[("save.c", FILE), ("main.c", never_broken)]), Confidence::Possible);
    let else_broken = never_broken.replace("#endif", "#else\nsave(1);\n#endif");
    assert_eq!(sure("else_broken", &[("save.c", FILE), ("main.c", &else_broken)]), Confidence::Probable);
    let other = ("grammar.y", "%%\nall: { save_all(stdout); resave(); }\n");
    assert_eq!(sure("other_names", &[("save.c", FILE), MAIN, other]), Confidence::Possible);
    let said = "int main(void) { save_all(1) return 0; } /* save() is for later */\n// save(0);\n";
    assert_eq!(sure("said_where_broken", &[("save.c", FILE), ("main.c", said)]), Confidence::Possible);
    let undefined = format!("#ifdef save\n#undef save\n#endif\n{broken_beside}");
    assert_eq!(sure("undefined_where_broken", &[("save.c", &undefined), MAIN]), Confidence::Possible);
    let defined = undefined.replace("#undef save", "#define save_it save");
    assert_eq!(sure("defined_where_broken", &[("save.c", &defined), MAIN]), Confidence::Probable);
    let method = ("broken.h", "class page : broken {\n\tvirtual void save(FILE *f);\n};\n");
    assert_eq!(sure("method_where_broken", &[("save.c", FILE), MAIN, method]), Confidence::Possible);
    let returned = ("broken.h", "class page : broken { int f() {\n\treturn save(0);\n} };\n");
    assert_eq!(sure("returned_where_broken", &[("save.c", FILE), MAIN, returned]), Confidence::Probable);
}

#[test]
fn what_no_other_file_can_call_the_name_of_another_one_does_not() {
    let inside = FILE.replace("void save", "static void save");
    let other = "static void save(void *p) { (void)p; }\nint main(void) { save(0); return 0; }\n";
    assert_eq!(sure("another", &[("save.c", &inside), ("main.c", other)]), Confidence::Possible);
    assert_eq!(
        sure("another_of_all", &[("save.c", FILE), ("main.c", &other.replace("static ", "extern "))]),
        Confidence::Probable
    );
    let called = format!("{inside}void all(FILE *f) {{ save(f); }}\n");
    let calls = ("main.c", "void all(void *);\nint main(void) { all(0); return 0; }\n");
    assert_eq!(sure("called_inside", &[("save.c", &called), calls]), Confidence::Probable);
    assert_eq!(sure("told_inside", &[("save.c", &inside), MAIN, ("table.txt", "save\n")]), Confidence::Possible);
    let broken = "int main(void) { save_all(1) return 0; }\nint other = save(0);\n";
    assert_eq!(sure("broken_elsewhere", &[("save.c", &inside), ("main.c", broken)]), Confidence::Possible);
    // It is in as many files as include it, and one of them calls it.
    let header = ("save.h", &*inside);
    let files =
        [header, ("a.c", "#include \"save.h\"\n"), ("main.c", "#include \"save.h\"\nint main(void) { save(0); return 0; }\n")];
    assert_eq!(sure("header", &files), Confidence::Probable);
    assert_eq!(
        sure("header_of_nobody", &[header, ("main.c", "#include \"save.h\"\nint main(void) { return 0; }\n")]),
        Confidence::Possible
    );
    let part = ("broken.inc", "broken all;\nvoid (*one)() = { save(1) };\n");
    let includes = format!("{inside}#include \"broken.inc\"\n");
    assert_eq!(sure("included", &[("save.c", &includes), MAIN, part]), Confidence::Probable);
    let configure = ("configure", "#! /bin/sh\n# save\n");
    assert_eq!(sure("configure", &[("save.c", FILE), MAIN, configure]), Confidence::Possible);
}

#[test]
fn a_library_is_called_by_others() {
    let header = ("save.h", "void save(FILE *);\n");
    let included = FILE.replace("long kept", "#include \"save.h\"\nlong kept");
    assert_eq!(sure("no_main", &[("save.c", FILE)]), Confidence::Probable);
    let library = (
        "Makefile.am",
        "bin_PROGRAMS = main\nmain_SOURCES = main.c\nlib_LTLIBRARIES = libsave.la\nlibsave_la_SOURCES = save.c\n",
    );
    assert_eq!(sure("library", &[("save.c", FILE), MAIN, library, header]), Confidence::Probable);
    assert_eq!(sure("library_includes", &[("save.c", &included), MAIN, library, header]), Confidence::Probable);
    let pasted = ("save.h", "#define OF(name) void sa##name(FILE *);\nOF(ve)\n");
    assert_eq!(sure("library_pastes", &[("save.c", &included), MAIN, library, pasted]), Confidence::Probable);
    // What no header declares a user would have to declare himself.
    assert_eq!(sure("library_hides", &[("save.c", FILE), MAIN, library]), Confidence::Possible);
    assert_eq!(sure("library_alone_hides", &[("save.c", FILE), library]), Confidence::Possible);
    assert_eq!(sure("library_alone", &[("save.c", FILE), library, header]), Confidence::Probable);
    let exports = ("libsave.sym", "save\n");
    assert_eq!(sure("library_exports", &[("save.c", FILE), MAIN, library, exports]), Confidence::Probable);
    let inside = FILE.replace("void save", "static void save");
    assert_eq!(sure("library_inside", &[("save.c", &inside), MAIN, library, header]), Confidence::Probable);
    for (test, link, sure_without) in [
        ("soname", "cc -shared -Wl,-soname,libsave.so.1 -o libsave.so.1 save.o", Confidence::Possible),
        ("shared", "cc -shared -o save.so save.o", Confidence::Probable),
        ("module", "libtool --mode=link cc -module -o save.la save.lo", Confidence::Probable),
        ("modules", "cc -o kernel-module save.o", Confidence::Possible),
    ] {
        let makefile = ("Makefile", &*format!("all:\n\t{link}\n"));
        assert_eq!(sure(test, &[("save.c", FILE), MAIN, makefile]), sure_without, "{link}");
        let made = format!("{test}_declared");
        let sure_with = if test == "modules" { Confidence::Possible } else { Confidence::Probable };
        assert_eq!(sure(&made, &[("save.c", FILE), MAIN, makefile, header]), sure_with, "{link}");
    }
    // A module is made of what lies below its makefile, unless that says where else.
    for (test, link, sure_of_it) in [
        ("module_below", "cc -shared -o load.so load.o", Confidence::Possible),
        ("module_of_above", "cc -shared -o load.so load.o ../save.o", Confidence::Probable),
        ("module_of_variable", "cd ..; cc -shared -o load.so load.o $(TOP)/save.o", Confidence::Probable),
        (
            "module_of_rest",
            "cd ..; cc -shared -o load.so load.o $(TOP)/rest/save.o\n$(OBJ)/%.so: $(OBJ)/%.o",
            Confidence::Possible,
        ),
        ("module_of_search", "cc -shared -o load.so load.o save.o\nvpath %.c ..", Confidence::Probable),
        ("module_beside", "cc -shared -I.. -o load.so load.o; cd .. && tar cf all.tar load", Confidence::Possible),
    ] {
        let makefile = ("load/Makefile", &*format!("all:\n\t{link}\n"));
        let files = [("save.c", FILE), MAIN, ("load/load.c", ""), ("rest/save.c", ""), makefile];
        assert_eq!(sure(test, &files), sure_of_it, "{link}");
    }
    let installs = ("Makefile.in", "includedir = @includedir@\ninstall:\n\tcp save.h $(includedir)\n");
    assert_eq!(sure("installs_headers", &[("save.c", FILE), MAIN, installs, header]), Confidence::Probable);
    for (test, command) in [
        ("installs_by_install", "@install -m 644 save.h /usr/include"),
        ("installs_by_variable", "-${INSTALL_DATA} save.h ${PREFIX}/include"),
        ("installs_by_call", "$(call COPY,$(HEADERS),$(INCLUDE_INSTALL_PATH))"),
    ] {
        let makefile = ("Makefile", &*format!("install:\n\t{command}\n"));
        assert_eq!(sure(test, &[("save.c", FILE), MAIN, makefile, header]), Confidence::Probable, "{command}");
    }
    let compiles = ("Makefile", "main: main.c save.c\n\tcpp -Iinclude main.c > install\n");
    assert_eq!(sure("compiles_install", &[("save.c", FILE), MAIN, compiles, header]), Confidence::Possible);
    let works = ("Makefile", "main: main.c save.c\n\tcc main.c\nFLAGS = \\\n\t$(call FixIncludes,$(FLAGS))\n");
    assert_eq!(sure("calls_by_call", &[("save.c", FILE), MAIN, works, header]), Confidence::Possible);
    let made = ("Makefile.in", "includedir = @includedir@\ninstall:\n\tcp main $(bindir)\n");
    assert_eq!(sure("made_by_configure", &[("save.c", FILE), MAIN, made, header]), Confidence::Possible);
    let program = ("Makefile.am", "bin_PROGRAMS = main\nmain_SOURCES = main.c save.c\n");
    assert_eq!(sure("program", &[("save.c", FILE), MAIN, program, header]), Confidence::Possible);
}

#[test]
fn what_the_system_or_a_class_calls_is_called() {
    let started = FILE.replace("void save", "__attribute__((constructor)) void save");
    assert_eq!(sure("started", &[("save.c", &started), MAIN]), Confidence::Probable);
    let class = "#include <stdio.h>\nstruct view { virtual void save(FILE *f); };\nstruct page : view { long kept; void save(FILE *f); };\n\
                 void page::save(FILE *f) { fwrite(&kept, sizeof kept, 1, f); }\n";
    assert_eq!(sure("overrides", &[("save.cc", class), MAIN]), Confidence::Probable);
    let method = class.replace("virtual void save(FILE *f); ", "");
    assert_eq!(sure("method", &[("save.cc", &method), MAIN]), Confidence::Possible);
}

#[test]
fn of_files_that_are_named_the_others_may_call_it() {
    let directory = tree::written("uncalled", "named", &[("save.c", FILE), MAIN]);
    let sure = |paths: &[&str]| {
        let paths = paths.iter().map(|path| directory.join(path)).collect();
        let options = Options { jobs: 1, ..Options::new(paths, Pair::parse("i386:x86-64").unwrap()) };
        let found = analyse(&options, &()).unwrap().findings;
        found.iter().find(|finding| finding.rule == "P051").unwrap().source.as_ref().unwrap().confidence
    };
    assert_eq!(sure(&["save.c", "main.c"]), Confidence::Probable);
    assert_eq!(sure(&["."]), Confidence::Possible);
}
