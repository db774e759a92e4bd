//! A variadic function reads more bytes than it is given
//!
//! # What
//! A function with `...` that has no format gets an `int` where it reads a pointer or a `long`: `0` as the end of a list of
//! pointers, a number for `va_arg(list, long)`. What it reads is known where its body is in the same file, for execl(3) and its
//! relatives, and where all other arguments are pointers.
//!
//! # Why
//! Arguments for `...` are passed as they are: no compiler makes a pointer of `0` there. For 64 bits only 4 of the 8 bytes that are
//! read have been written. The list does not end where it should; whether it does depends on what was in the register or on the stack
//! before.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <unistd.h>
//! int f(const char *name) { return execl("/bin/ls", "ls", name, 0); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <fcntl.h>
//! #include <unistd.h>
//! int f(const char *name) { return execl("/bin/ls", "ls", name, (char *)NULL) + open(name, O_CREAT, 0); }
//! extern void error(const char *format, ...);
//! void g(void) { error("no such file", 0); }
//! ```
//!
//! # Fix
//! `(char *)NULL` ends a list; `(long)number`, or `0L`, is what `va_arg(list, long)` reads. `__attribute__((sentinel))` makes compilers
//! ask for it.
//!
//! # References
//! - CWE-686, CWE-843
//! - C11 6.5.2.2 paragraphs 6 and 7, 7.16.1.1

use super::{Found, Visit};
use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind};
use crate::format::{Constants, annotated, known, literals, wrappers};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

pub(super) const VISIT: Visit = Visit::Tree(look);

/// Those that read only what another argument tells them to.
const OTHERS: [&str; 15] = [
    "open", "open64", "openat", "openat64", "fcntl", "fcntl64", "ioctl", "prctl", "ptrace", "semctl", "mremap", "syscall",
    "shm_open", "sem_open", "ulimit",
];

/// What end their list with a null pointer.
const LISTS: [&str; 3] = ["execl", "execlp", "execle"];

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let (wrappers, reads) = (wrappers(tree), reads(tree));
    let hands_on = LazyCell::new(|| hands_on(tree));
    for call in tree.calls() {
        let (Some((name, arguments)), Some(function)) = (call.call(), call.declaration()) else { continue };
        let takes_format =
            known(function).or_else(|| annotated(function)).is_some() || wrappers.contains_key(&std::ptr::from_ref(function));
        let Some(first) = variadic(call).filter(|_| !takes_format && !OTHERS.contains(&name)) else { continue };
        // A format by its looks.
        let formats = first.checked_sub(1).and_then(|last| arguments.get(last));
        if formats.is_some_and(|format| literals(*format, &Constants::new()).iter().any(|[_, text]| text.contains('%'))) {
            continue;
        }
        let Some(given) = arguments.get(first..) else { continue };
        let body = reads.get(&std::ptr::from_ref(function));
        let (last, others) = match given.split_last() {
            Some((last, others)) => (*last, others),
            None => continue,
        };
        // A text alone may be a format that needs no argument.
        if others.is_empty()
            && formats.is_some_and(|format| !literals(*format, &Constants::new()).is_empty())
            && !LISTS.contains(&name)
        {
            continue;
        }
        let ends = last.value(WIDE) == Some(0) && is_small(last.types());
        if let Some(types) = body.filter(|types| types.iter().all(|of| of.widens())) {
            let Some(read) = types.first() else { continue };
            for argument in given.iter().filter(|argument| is_small(argument.types())) {
                let message = format!("{name} reads {} where it gets {}", read.spelling(), argument.types().spelling());
                let is_cut = hands_on.contains(&std::ptr::from_ref(function));
                report(found, *argument, if is_cut { Confidence::Possible } else { Confidence::Certain }, message, *read);
            }
        } else if ends && body.is_none() {
            let pointers = others.iter().chain(first.checked_sub(1).and_then(|last| arguments.get(last))).collect::<Vec<_>>();
            let in_library = LISTS.contains(&name);
            if pointers.iter().all(|other| other.types().is_pointer()) && !pointers.is_empty() || in_library {
                let message = format!("`0` is an int: it does not end the list of pointers that {name} reads");
                let confidence = if in_library { Confidence::Certain } else { Confidence::Probable };
                let Some(pointer) = pointers.last().map(|other| other.types()) else { continue };
                report(found, last, confidence, message, pointer);
            }
        }
    }
}

fn report(found: &mut Found<'_>, argument: Expression<'_>, confidence: Confidence, message: String, read: Types<'_>) {
    let side = |side: usize| {
        let (given, read) = (argument.types().describe(side), read.size(side).unwrap_or_default());
        format!("{given} is given, {read} bytes are read")
    };
    // A number in a register is what it was, as long as it is not negative: compilers write the upper half as zeros. What is read as a
    // pointer is one that ends a list.
    let is_negative = argument.value(WIDE).is_some_and(|value| value < 0);
    let is_right = argument.is_zero_extended() || !read.is_pointer() && argument.is_in_register() && !is_negative;
    let confidence = if is_right { Confidence::Possible } else { confidence };
    found.report(argument, confidence, message, [side(NARROW), side(WIDE)]);
}

fn is_small(types: Types<'_>) -> bool {
    types.integers().is_some_and(|both| both.iter().all(|integer| integer.bits <= 32))
}

/// The number of the first argument that has no parameter.
fn variadic(call: Expression<'_>) -> Option<usize> {
    let called = call.child(0)?.types();
    let called = if called.is_pointer() { called.inner()? } else { called };
    let of = called.canonical(WIDE);
    (of.is_variadic && of.kind == TypeKind::Function).then_some(of.arguments.len())
}

/// The functions that hand on what they read to the kernel, which takes of each as much as the call has: by syscall(2), or one that calls it.
fn hands_on(tree: &Tree<'_>) -> HashSet<*const Declaration> {
    let callers = |is_one: &dyn Fn(Expression<'_>) -> bool| -> HashSet<*const Declaration> {
        let calls = tree.calls().filter(|call| is_one(*call));
        calls.filter_map(|call| Some(std::ptr::from_ref(call.function()?.declaration()?))).collect()
    };
    let direct = callers(&|call| call.call().is_some_and(|(name, _)| name == "syscall"));
    let by_another = callers(&|call| call.declaration().is_some_and(|called| direct.contains(&std::ptr::from_ref(called))));
    direct.union(&by_another).copied().collect()
}

/// The types that the variadic functions of this file read, by `va_arg`.
fn reads<'a>(tree: &'a Tree<'a>) -> HashMap<*const Declaration, Vec<Types<'a>>> {
    let mut reads: HashMap<*const Declaration, Vec<Types<'a>>> = HashMap::new();
    for read in tree.nodes().filter(|node| node.kind() == Kind::Unexposed) {
        // `va_arg` is a conversion of the list to something else.
        let list = read.only_child().map(|inner| inner.strip().types());
        if !list.is_some_and(|list| list.spelling().contains("va_list")) || read.types().spelling().contains("va_list") {
            continue;
        }
        let Some(function) = read.function().and_then(Expression::declaration) else { continue };
        if read.types().sizes().is_some() && !read.types().spelling().contains("__va_list_tag") {
            reads.entry(function).or_default().push(read.types());
        }
    }
    reads
}
