//! An interface of one's own: the same C program prints the same whether the functions are its own or a server's, for each pair of word sizes.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "what is skipped is to be seen")]

use bridge::annotation::Annotation;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The compilers for 32 and for 64 bits.
const COMPILERS: [(&str, &str); 2] = [("32", "i686-linux-gnu-gcc"), ("64", "cc")];
/// Nothing may take longer, however busy the machine is: what hangs is a failure.
const LIMIT: &str = "120";

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface").join(name)
}

/// Client, server and the program that is both, for both word sizes.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interface");
        drop(fs::remove_dir_all(&directory));
        fs::create_dir_all(&directory).unwrap();
        generate(&source("things.toml"), &directory);
        for (bits, compiler) in COMPILERS {
            let compile = |name: &str, sources: &[PathBuf], options: &[&str]| {
                let mut command = Command::new(compiler);
                command.args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pthread"]);
                command.args(options).arg("-I").arg(directory.join("include"));
                succeeds(command.arg("-o").arg(directory.join(format!("{name}{bits}"))).args(sources));
            };
            let generated = |side: &str| directory.join(format!("things-{side}.c"));
            compile("server", &[source("server.c"), source("things.c"), generated("server")], &[]);
            compile("client", &[source("client.c"), generated("client")], &["-DREMOTE"]);
            compile("errors", &[source("errors.c"), generated("client")], &["-D_GNU_SOURCE"]);
            compile("both", &[source("client.c"), source("things.c")], &[]);
        }
        directory
    })
}

fn generate(annotation: &Path, into: &Path) {
    let annotation = Annotation::read(annotation).unwrap();
    bridge::build::build(&annotation, into).unwrap_or_else(|error| panic!("{error:#}"));
}

/// A server that runs, at a socket of its own.
struct Server {
    process: Child,
    socket: PathBuf,
}

impl Server {
    fn start(bits: &str, name: &str) -> Self {
        Self::of(Command::new(built().join(format!("server{bits}"))), built().join(format!("{name}.socket")))
    }

    fn of(mut program: Command, socket: PathBuf) -> Self {
        let process = program.arg(&socket).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not listen");
            thread::sleep(Duration::from_millis(5));
        }
        Self { process, socket }
    }

    fn run(&self, client: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("timeout");
        succeeds(command.arg(LIMIT).arg(client).arg(&self.socket).args(arguments))
    }

    fn kill(&self, signal: &str) {
        succeeds(Command::new("kill").args([signal, &self.process.id().to_string()]));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn same(printed: &str, expected: &str, what: &str) {
    for (number, (one, two)) in expected.lines().zip(printed.lines()).enumerate() {
        assert_eq!(two, one, "{what}, line {}", number + 1);
    }
    assert_eq!(printed.len(), expected.len(), "{what}");
}

#[test]
fn every_pair_of_word_sizes_prints_what_one_program_prints() {
    let expected = succeeds(&mut Command::new(built().join("both64")));
    same(&succeeds(&mut Command::new(built().join("both32"))), &expected, "one program of 32 bits");
    for (server, _) in COMPILERS {
        for (client, _) in COMPILERS {
            let running = Server::start(server, &format!("pair{client}{server}"));
            let printed = running.run(&built().join(format!("client{client}")), &[]);
            same(&printed, &expected, &format!("client {client}, server {server}"));
            assert_eq!(running.run(&built().join(format!("errors{client}")), &["bits"]), format!("{client}\n"));
        }
    }
}

/// Compiled for 32- and 64-bit ARM, against each other and against x86-64, by an emulator of processes.
#[test]
#[ignore = "needs qemu-user: make test-full"]
fn other_architectures_print_the_same() {
    const MACHINES: [(&str, &str, &str); 3] = [
        ("armhf", "arm-linux-gnueabihf-gcc", "qemu-arm-static"),
        ("aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64-static"),
        ("x86-64", "cc", "env"),
    ];
    let directory = built();
    let expected = succeeds(&mut Command::new(directory.join("both64")));
    for (machine, compiler, _) in MACHINES {
        for side in ["client", "server"] {
            let mut command = Command::new(compiler);
            command.args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pthread", "-static"]);
            command
                .args(["-DREMOTE", "-I"])
                .arg(directory.join("include"))
                .arg("-o")
                .arg(directory.join(format!("{side}-{machine}")));
            command.arg(source(&format!("{side}.c"))).arg(directory.join(format!("things-{side}.c")));
            succeeds(command.args((side == "server").then(|| source("things.c"))));
        }
    }
    for (server, _, emulator) in MACHINES {
        let mut command = Command::new(emulator);
        command.arg(directory.join(format!("server-{server}")));
        let running = Server::of(command, directory.join(format!("machine-{server}.socket")));
        for (client, _, emulator) in MACHINES {
            let mut command = Command::new("timeout");
            command.args([LIMIT, emulator]).arg(directory.join(format!("client-{client}"))).arg(&running.socket);
            let printed = succeeds(&mut command);
            same(&printed, &expected, &format!("client {client}, server {server}"));
        }
    }
}

/// The server with 64 bits that serves clients with 32, which were built for one with 32: the same file, for each server.
#[test]
fn the_monitor_serves_unmodified_32_bit_clients_with_64_bits() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/monitor");
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("monitor");
    drop(fs::remove_dir_all(&directory));
    fs::create_dir_all(&directory).unwrap();
    generate(&example.join("monitor.toml"), &directory);
    for (bits, compiler) in COMPILERS {
        for side in ["client", "server"] {
            let mut command = Command::new(compiler);
            command.args(["-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-I"]).arg(directory.join("include"));
            command.arg("-o").arg(directory.join(format!("{side}{bits}"))).arg(example.join(format!("{side}.c")));
            succeeds(command.arg(directory.join(format!("monitor-{side}.c"))));
        }
    }
    for (server, _) in COMPILERS {
        let mut running =
            Server::of(Command::new(directory.join(format!("server{server}"))), directory.join(format!("{server}.socket")));
        for (client, _) in COMPILERS {
            let printed = running.run(&directory.join(format!("client{client}")), &[]);
            let expected = "guest has: 0+16 (-2) 100+1 (2)\ndriver has:\nnone is left: No space left on device\n\
                released 1, 16 used\ndriver has: 100+1 (12)\n0 is of guest, 100 of driver\n0 used\n";
            assert_eq!(printed, expected, "client {client}, server {server}");
        }
        running.kill("-KILL");
        let said = std::io::read_to_string(running.process.stderr.take().unwrap()).unwrap();
        assert!(said.contains(", 32 bits\n") && said.contains(", 64 bits\n"), "{said}");
    }
}

#[test]
fn a_client_may_be_one_under_biarch() {
    let Some(biarch) = env::var_os("BIARCH") else {
        println!("skipped: BIARCH does not name the program");
        return;
    };
    let expected = succeeds(&mut Command::new(built().join("both64")));
    let server = Server::start("64", "under-biarch");
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(&biarch).args(["run", "--"]).arg(built().join("client32")).arg(&server.socket);
    same(&succeeds(&mut command), &expected, "a client under biarch");
}

#[test]
fn what_does_not_fit_on_the_other_side_is_an_error_of_the_call() {
    let server = Server::start("32", "fits");
    let printed = server.run(&built().join("errors64"), &["fits"]);
    let expected = "EOVERFLOW: big, value: 5000000000 does not fit into 32 bits\n42 1\n\
        EOVERFLOW: doubled, l: -3000000000 does not fit into 32 bits\n0\n\
        EOVERFLOW: sum_of, numbers: 549755813887 does not fit into 32 bits\n0\n15\n";
    assert_eq!(printed, expected);
    drop(server);
    let server = Server::start("64", "result");
    let printed = server.run(&built().join("errors32"), &["result"]);
    assert_eq!(printed, "EOVERFLOW: list_sum, result: 4294967294 does not fit into 32 bits\n0\n");
}

#[test]
fn mistakes_of_a_client_are_its_own() {
    for (server, _) in COMPILERS {
        for (client, _) in COMPILERS {
            let running = Server::start(server, &format!("mistakes{client}{server}"));
            let errors = built().join(format!("errors{client}"));
            let printed = running.run(&errors, &["handle"]);
            let lines: Vec<&str> = printed.lines().collect();
            assert_eq!(lines[0], "5");
            assert!(lines[1].starts_with("EBADF: thing_value, thing: 0x") && lines[2] == "0", "{printed}");
            assert_eq!(lines[3], "EBADF: thing_value, thing: 0x7777 is nothing that this server has given");
            assert_eq!(lines[5..], ["EINVAL: made, from: it must not be NULL", "1"]);
            let printed = running.run(&errors, &["loop"]);
            assert_eq!(
                printed,
                "ELOOP: list_sum, next: more than 1000 structures behind one another, or one that leads to itself\n0\n"
            );
            let printed = running.run(&errors, &["size"]);
            let expected = "EMSGSIZE: checksum, data: its length is more than 268435456\n0\n\
                EINVAL: twice, numbers: its length is less than zero\n126145\n";
            assert_eq!(printed, expected);
            assert_eq!(running.run(&errors, &["left-out"]), "ENOSYS: left_out: it is left out: a function cannot be asked for\n");
        }
    }
}

#[test]
fn the_end_of_a_server_is_noticed_at_once_and_told_once() {
    for (client, _) in COMPILERS {
        let errors = built().join(format!("errors{client}"));
        // In a call: whatever it waits for.
        let server = Server::start("64", &format!("ends{client}"));
        let printed = server.run(&errors, &["ends"]);
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines[0], "EPIPE: ends: the server has ended");
        assert!(lines[1].contains(": add: cannot reach the server at "), "{printed}");
        let server = Server::start("64", &format!("waits{client}"));
        let mut command = Command::new("timeout");
        let mut waiting =
            command.arg(LIMIT).arg(&errors).arg(&server.socket).arg("waits").stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(waiting.stdout.take().unwrap()).lines();
        assert_eq!(out.next().unwrap().unwrap(), "waiting");
        thread::sleep(Duration::from_millis(100));
        server.kill("-KILL");
        let start = Instant::now();
        assert_eq!(out.next().unwrap().unwrap(), "EPIPE: waits: the server has ended");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert!(waiting.wait().unwrap().success());
        drop(server);
        // Between two calls, and there is another one.
        let name = format!("idle{client}");
        let server = Server::start("64", &name);
        let mut command = Command::new("timeout");
        command.arg(LIMIT).arg(&errors).arg(&server.socket).arg("idle").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut idle = command.spawn().unwrap();
        let mut out = BufReader::new(idle.stdout.take().unwrap()).lines();
        assert_eq!(out.next().unwrap().unwrap(), "15");
        server.kill("-KILL");
        drop(server);
        let _other = Server::start("32", &name);
        thread::sleep(Duration::from_millis(100));
        idle.stdin.take().unwrap().write_all(b"\n").unwrap();
        let rest: Vec<String> = out.map(|line| line.unwrap()).collect();
        assert_eq!(rest, ["EPIPE: add: the server has ended since the last call", "0", "15"]);
        assert!(idle.wait().unwrap().success());
    }
}

#[test]
fn a_client_that_nobody_answers_ends_with_a_sentence() {
    let mut command = Command::new(built().join("errors64"));
    let output = command.args(["/nowhere/socket", "abort"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "things: add: cannot reach the server at /nowhere/socket: No such file or directory\n");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6));
}

#[test]
fn a_server_outlives_clients_that_are_killed_and_strangers() {
    let server = Server::start("64", "outlives");
    // One that says nothing, one that says nonsense, one of another interface.
    let silent = UnixStream::connect(&server.socket).unwrap();
    let mut nonsense = UnixStream::connect(&server.socket).unwrap();
    nonsense.write_all(&[0x5a; 24]).unwrap();
    let other = built().join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("things.h"), "int add(int one);\n").unwrap();
    fs::write(other.join("things.toml"), "header = \"things.h\"\ninterface = \"things\"\n").unwrap();
    generate(&other.join("things.toml"), &other);
    let program = "#include \"things-client.h\"\n#include \"things.h\"\nint main(int n, char **a) { (void)n; things_connect(a[1]); return add(1); }\n";
    fs::write(other.join("main.c"), program).unwrap();
    let mut compiler = Command::new("cc");
    compiler
        .arg("-I")
        .arg(other.join("include"))
        .arg("-o")
        .arg(other.join("main"))
        .args([other.join("main.c"), other.join("things-client.c")]);
    succeeds(compiler.arg("-pthread"));
    let output = Command::new(other.join("main")).arg(&server.socket).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was made of another interface"), "{said}");
    for turn in 0..20 {
        let mut client = Command::new(built().join("client32")).arg(&server.socket).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(turn * 3));
        client.kill().unwrap();
        client.wait().unwrap();
    }
    let expected = succeeds(&mut Command::new(built().join("both64")));
    same(&server.run(&built().join("client64"), &[]), &expected, "after all that");
    drop(silent);
    // Its connections are gone with the clients.
    let threads = || fs::read_dir(format!("/proc/{}/task", server.process.id())).unwrap().count();
    let start = Instant::now();
    while threads() > 3 {
        assert!(start.elapsed() < Duration::from_secs(30), "{} threads are left", threads());
        thread::sleep(Duration::from_millis(10));
    }
    server.kill("-TERM");
    let mut process = server;
    assert!(process.process.wait().unwrap().success());
    assert!(!process.socket.exists(), "the socket is removed");
}

/// The socket and the memory as a client has them, of which it makes what it likes.
#[test]
fn a_hostile_client_gets_errors_and_the_server_goes_on() {
    let server = Server::start("64", "hostile");
    let program = built().join("hostile");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pthread", "-I"]).arg(built());
    compiler.arg("-I").arg(built().join("include")).arg("-o").arg(&program).arg(source("hostile.c"));
    succeeds(&mut compiler);
    let errors: u32 = (0..20)
        .map(|seed| {
            let printed = server.run(&program, &["1000", &seed.to_string()]);
            assert!(printed.starts_with("1000 requests, "), "seed {seed}: {printed}");
            assert!(UnixStream::connect(&server.socket).is_ok(), "seed {seed} ended the server");
            printed.split_whitespace().nth(2).and_then(|errors| errors.parse::<u32>().ok()).unwrap()
        })
        .sum();
    assert!(errors > 5000, "{errors} errors");
    let expected = succeeds(&mut Command::new(built().join("both64")));
    same(&server.run(&built().join("client64"), &[]), &expected, "after that");
}

#[test]
fn what_cannot_be_said_between_processes_is_refused_with_its_line() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interface-refused");
    drop(fs::remove_dir_all(&directory));
    fs::create_dir_all(&directory).unwrap();
    let header = "struct open { int a; union { int b; long c; }; long d; };\n\
        int later(int (*function)(int));\nint print(const char *format, ...);\nint kept(const char *name);\nint opened(struct open *open);\n\
        int odd_serve(int number);\n";
    fs::write(directory.join("odd.h"), header).unwrap();
    let text = "header = \"odd.h\"\ninterface = \"odd\"\n[functions.print]\nparameters.format = { pass = \"string\" }\nvariadic = { printf = \"format\" }\n\
        [functions.kept]\nparameters.name = { pass = \"string\", kept = true }\n[functions.opened]\nparameters.open = { pass = \"in\" }\n\
        [types.open]\nfields.member1 = { discriminant = \"a\", cases = { 0 = \"b\", 1 = \"c\" } }\n";
    fs::write(directory.join("odd.toml"), text).unwrap();
    let annotation = Annotation::read(&directory.join("odd.toml")).unwrap();
    let said = format!("{:#}", bridge::build::build(&annotation, &directory).unwrap_err());
    for part in [
        "odd.h:2: later, function: a server cannot call functions of its clients",
        "odd.h:3: print: a variadic function cannot be asked for between processes",
        "odd.h:4: kept, name: a server cannot keep an address of a client",
        "odd.h:6: odd_serve: client or server have a function of that name",
        "odd.h:1: open: it has a member without a name",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    fs::write(directory.join("odd.toml"), "header = \"odd.h\"\n").unwrap();
    let said = format!("{:#}", Annotation::read(&directory.join("odd.toml")).unwrap_err());
    assert!(said.contains("either `library`, a 32-bit library, or `interface`"), "{said}");
}
