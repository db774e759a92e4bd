//! The processes that parse: `worker/worker.c`, a dynamic program inside this static one.

use crate::ast::decode::Decoder;
use crate::ast::{Constant, Macro, Unit};
use crate::cache::{Cache, Key, Seen};
use crate::symbols::LOOKUPS;
use anyhow::{Context, Result, bail};
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/worker"));

/// What one worker may take, in MiB: a file that needs more is not analysed.
const MEMORY: &str = "1536";

/// The releases of libclang that are tried, the first that is there is taken: 17 is the first that can say all that is asked, and
/// with 19 every test is made.
const RELEASES: [u32; 7] = [19, 20, 21, 22, 18, 17, 23];

const SIGKILL: i32 = 9;
const SIGALRM: i32 = 14;

/// Definitions of macros, and values of variables.
pub(crate) type Macros = (Vec<Macro>, Vec<(String, Constant)>);

/// A worker that is running.
pub(crate) struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: Decoder<BufReader<ChildStdout>>,
    /// The file that libclang is in.
    library: String,
    /// What libclang says of itself.
    pub(crate) version: String,
    time_limit: u32,
}

/// How the worker's C library gets memory, mallopt(3): trees of a hundred megabytes are built by one thread and are walked twice, so that
/// large pages, from one heap, are worth a tenth of the time. What the user has set comes last, and counts.
fn tunables(of_user: Option<String>) -> String {
    let ours = "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1:glibc.malloc.top_pad=16777216";
    of_user.map_or_else(|| ours.to_owned(), |of_user| format!("{ours}:{of_user}"))
}

/// Where libclang may be.
fn libraries() -> Vec<String> {
    let mut libraries: Vec<String> = std::env::var("LIBCLANG_PATH").into_iter().filter(|path| !path.is_empty()).collect();
    for release in RELEASES {
        libraries.push(format!("libclang-{release}.so.1"));
        libraries.push(format!("libclang-{release}.so.{release}"));
        libraries.push(format!("/usr/lib/llvm-{release}/lib/libclang.so.1"));
        libraries.push(format!("libclang.so.{release}"));
        libraries.push(format!("libclang.so.{release}.1"));
    }
    libraries.push("libclang.so".to_owned());
    libraries
}

impl Worker {
    /// Starts one, which ends when a file takes longer than that many seconds.
    pub(crate) fn start(time_limit: u32) -> Result<Self> {
        let image = memfd_create("biarch-port-worker", MemfdFlags::CLOEXEC).context("cannot start the parser")?;
        let mut file = File::from(image);
        file.write_all(IMAGE).context("cannot start the parser")?;
        let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
        command
            .env("GLIBC_TUNABLES", tunables(std::env::var("GLIBC_TUNABLES").ok()))
            .arg(MEMORY)
            .arg(time_limit.to_string())
            .arg(LOOKUPS.join(","))
            .args(libraries())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start the parser, which needs a 64-bit C library")?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("cannot talk to the parser")
        };
        let mut answers = Decoder(BufReader::with_capacity(1 << 16, answers));
        let Ok(library) = answers.text() else {
            let mut why = String::new();
            let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut why));
            let _ = child.wait();
            bail!(
                "libclang cannot be loaded ({}): apt-get install libclang1-19 libclang-common-19-dev; or name it, LIBCLANG_PATH=/…/libclang.so",
                why.trim()
            );
        };
        let version = answers.text()?;
        Ok(Self { child, requests, answers, library, version, time_limit })
    }

    /// Parses a file; the arguments are those of clang. After an error the worker may be gone, see [`Worker::is_gone`].
    pub(crate) fn parse(&mut self, file: &str, arguments: &[String]) -> Result<Unit> {
        self.unit(request(file, arguments))
    }

    /// The same, of a file whose other tree says where things are: of most expressions this one does not, their places are nowhere.
    /// Without instances, there is nothing about what the functions of templates become either.
    pub(crate) fn parse_briefly(&mut self, file: &str, arguments: &[String], with_instances: bool) -> Result<Unit> {
        let mut words = vec!["-biarch-brief".to_owned()];
        words.extend((!with_instances).then(|| "-biarch-uninstantiated".to_owned()));
        words.extend_from_slice(arguments);
        self.unit(request(file, &words))
    }

    /// Compiles a header into a file, for files that include it: the files that it is made of.
    pub(crate) fn precompile(&mut self, header: &str, to: &str, arguments: &[String]) -> Result<Vec<String>> {
        let mut words = vec![format!("-biarch-precompile={to}")];
        words.extend_from_slice(arguments);
        let unit = self.unit(request(header, &words))?;
        Ok(unit.inclusions.iter().map(|(file, _)| unit.file(*file).to_owned()).collect())
    }

    fn unit(&mut self, request: Vec<u8>) -> Result<Unit> {
        // Whoever writes to one that has ended meanwhile ends as well, by SIGPIPE.
        if self.has_ended() {
            bail!("{}", self.end());
        }
        let answered = self.requests.write_all(&request).map_err(anyhow::Error::from).and_then(|()| self.answers.unit());
        match answered {
            Err(_) if self.is_gone() => bail!("{}", self.end()),
            answered => answered,
        }
    }

    /// The macros that a text defines, and the values of its variables `biarch_macro_NAME`.
    pub(crate) fn macros(&mut self, text: &str, arguments: &[String]) -> Result<Macros> {
        let mut words = vec![format!("-biarch-macros={text}")];
        words.extend_from_slice(arguments);
        let answered =
            self.requests.write_all(&request("", &words)).map_err(anyhow::Error::from).and_then(|()| self.answers.macros());
        match answered {
            Err(_) if self.is_gone() => bail!("{}", self.end()),
            answered => answered,
        }
    }

    /// What it answers to these requests for a file, as it is.
    pub(crate) fn raw(&mut self, file: &str, requests: &[Vec<String>]) -> Result<Vec<u8>> {
        for arguments in requests {
            self.requests.write_all(&request(file, arguments))?;
        }
        // An answer to nothing is nothing; the worker ends when it is asked for what it does not understand.
        self.requests.write_all(&[0])?;
        let mut bytes = Vec::new();
        self.answers.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether it is known to have ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Whether it has ended, so that another has to be started, where its answer had no end.
    pub(crate) fn is_gone(&mut self) -> bool {
        // Its pipe is closed a moment before it can be waited for.
        for _ in 0..100 {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(std::time::Duration::from_millis(1)),
                _ => return true,
            }
        }
        false
    }

    /// Why it has ended.
    fn end(&mut self) -> String {
        let mut said = String::new();
        let _ = self.child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
        let status = self.child.wait().ok();
        if said.contains("bad_alloc") || said.contains("no memory") || said.contains("out of memory") {
            return format!("it needs more than {MEMORY} MiB of memory");
        }
        match status.and_then(|status| status.signal()) {
            Some(SIGALRM) => format!("it takes longer than {} seconds: --time-limit gives it more", self.time_limit),
            Some(SIGKILL) => "its parser was killed: was the memory of the machine used up?".to_owned(),
            Some(signal) => format!("clang crashed (signal {signal}): try `clang -fsyntax-only` with it"),
            None => format!("the parser ended: {}", said.lines().last().unwrap_or("without a word")),
        }
    }
}

/// Which other library is found, if one is installed.
const LOADER: &str = "/etc/ld.so.cache";

/// What libclang says of itself; to load it takes longer than all else that a run does which finds everything in the cache. Leaves the
/// worker that was started, if one was.
///
/// # Errors
/// Where there is no libclang.
pub(crate) fn version(cache: Option<&Cache>, time_limit: u32, worker: &mut Option<Worker>) -> Result<String> {
    let key = Key::of(&format!("{:?}", ["LIBCLANG_PATH", "LD_LIBRARY_PATH"].map(std::env::var_os)));
    if let Some(version) = cache.and_then(|cache| cache.find::<String>(key)) {
        return Ok(version);
    }
    let started = Worker::start(time_limit)?;
    let version = started.version.clone();
    if let Some(cache) = cache {
        cache.store(key, &Seen { files: [started.library.clone(), LOADER.to_owned()].into(), ..Seen::default() }, &version);
    }
    *worker = Some(started);
    Ok(version)
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(file: &str, arguments: &[String]) -> Vec<u8> {
    let mut request = Vec::new();
    number(&mut request, arguments.len() as u64 + 1);
    for word in std::iter::once(file).chain(arguments.iter().map(String::as_str)) {
        number(&mut request, word.len() as u64);
        request.extend_from_slice(word.as_bytes());
    }
    request
}

fn number(into: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        into.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    into.push(value.to_le_bytes()[0]);
}
