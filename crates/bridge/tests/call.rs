//! Single calls, as from the shell.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Transport;
use bridge::call::Call;

fn call(library: &str, declaration: &str, arguments: &[&str]) -> String {
    let call = Call {
        library: library.into(),
        declaration: declaration.to_owned(),
        arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        transport: Transport::InProcess,
    };
    call.run().unwrap_or_else(|error| format!("{error:#}"))
}

#[test]
fn functions_of_the_c_library_return_what_they_should() {
    let cos: f64 = call("libm.so.6", "double cos(double)", &["1.0"]).parse().expect("a number");
    assert!((cos - 1f64.cos()).abs() < 1e-15, "{cos}");
    assert_eq!(call("libc.so.6", "long labs(long value)", &["-2147483647"]), "2147483647");
    assert_eq!(call("libc.so.6", "char *strerror(int number);", &["2"]), "No such file or directory");
    assert_eq!(call("libc.so.6", "unsigned long strlen(const char *text)", &["gr\u{fc}n \"x\""]), "9");
}

#[test]
fn what_cannot_be_called_is_said() {
    let cases: [(&[&str], &str, &str); 7] = [
        (&["2147483648"], "long labs(long value)", "does not fit into the library's 32 bits"),
        (&["99999999999"], "int abs(int value)", "`99999999999` is no `int`"),
        (&["-1"], "unsigned sleep(unsigned seconds)", "`-1` is no `unsigned int`"),
        (&[], "long labs(long value)", "labs takes 1 arguments, and 0 are given"),
        (&["x"], "long labs(long value)", "`x` is no whole number"),
        (&[], "int no_such_function(void)", "libc.so.6 has no such function"),
        (&[], "labs", "is no declaration of a function"),
    ];
    for (arguments, declaration, expected) in cases {
        let said = call("libc.so.6", declaration, arguments);
        assert!(said.contains(expected), "{declaration}: {said}");
    }
}
