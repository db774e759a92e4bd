//! Servers of the i386 root directory under load from 64-bit programs: the commands, and the time of a request.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::rows::Server;
use crate::system::{System, Systems, WORK};

/// How long a server may take to answer, and to end.
const PATIENCE: Duration = Duration::from_secs(30);

const NGINX_PORT: u16 = 7480;
const POSTGRESQL_PORT: u16 = 7481;

/// Makes a cluster; PostgreSQL does not run as root, and what it waits for is not to be the disk.
const CLUSTER: &str = r#"
set -e
PATH=/usr/lib/postgresql/15/bin:$PATH
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
rm -rf new
mkdir new
chown postgres new
as initdb -D new -A trust --no-sync
cat >> new/postgresql.conf <<C
unix_socket_directories = ''
fsync = off
full_page_writes = off
max_wal_size = 4GB
jit = off
port = $1
C
as pg_ctl -D new -l new/log -w start
as pgbench -h 127.0.0.1 -p "$1" -q -i -s 5 postgres
as pg_ctl -D new -w stop
mv new cluster
"#;

/// Writes what the servers work on, unless it is there.
pub(crate) fn prepare(systems: &Systems, root: &Path) -> Result<()> {
    let work = root.join(WORK.trim_start_matches('/'));
    fs::write(
        work.join("nginx.conf"),
        format!(
            "daemon off; user root; pid {WORK}/nginx.pid; error_log stderr crit; events {{ }}\n\
             http {{ access_log off; server {{ listen 127.0.0.1:{NGINX_PORT}; root {WORK}/www; sendfile on; }} }}\n"
        ),
    )?;
    fs::create_dir_all(work.join("www"))?;
    fs::write(work.join("www/file"), "x".repeat(8192))?;
    if !work.join("cluster").exists() {
        let system = if systems.native { System::Native } else { System::Biarch };
        let script = format!("cd {WORK}; {CLUSTER}");
        let mut command = systems.rooted(system, &["/bin/sh", "-c", &script, "sh", &POSTGRESQL_PORT.to_string()])?;
        let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {command:?}"))?;
        ensure!(output.status.success(), "making a PostgreSQL cluster: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Nanoseconds of a request.
pub(crate) fn measure(systems: &Systems, system: System, server: Server) -> Result<f64> {
    let (port, words) = match server {
        Server::Nginx => (NGINX_PORT, &["/usr/sbin/nginx", "-c", "{work}/nginx.conf"][..]),
        Server::Postgresql => (
            POSTGRESQL_PORT,
            &[
                "/usr/bin/setpriv",
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                "/usr/lib/postgresql/15/bin/postgres",
                "-D",
                "{work}/cluster",
            ][..],
        ),
    };
    ensure!(TcpStream::connect(("127.0.0.1", port)).is_err(), "something listens on port {port} already");
    let root = systems.root.as_deref().context("no i386 root directory")?;
    let _running = Running::start(systems.rooted(system, words)?, port)?;
    let (load, before) = match server {
        Server::Nginx => (format!("ab -q -n 20000 -c 8 http://127.0.0.1:{port}/file"), "Requests per second:"),
        Server::Postgresql => {
            (format!("pgbench -h 127.0.0.1 -p {port} -U postgres -n -c 4 -j 2 -T 3 -M prepared postgres"), "tps =")
        }
    };
    if server == Server::Postgresql {
        // It listens before it has recovered, and refuses whoever comes by then.
        let first = format!("pgbench -h 127.0.0.1 -p {port} -U postgres -n -t 1 postgres");
        let start = Instant::now();
        while let Err(error) = wide(root, &first) {
            ensure!(start.elapsed() < PATIENCE, "it does not get ready: {error:#}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let report = wide(root, &load)?;
    let rate = report.lines().find_map(|line| line.strip_prefix(before)?.split_whitespace().next()?.parse::<f64>().ok());
    let rate = rate.filter(|rate| *rate > 0.0).with_context(|| format!("{load}: no {before:?} in {report:?}"))?;
    Ok(1e9 / rate)
}

/// What a 64-bit program of the root directory's `/opt/amd64` prints.
fn wide(root: &Path, words: &str) -> Result<String> {
    let (program, arguments) = words.split_once(' ').unwrap_or((words, ""));
    let own = root.join("opt/amd64/usr");
    let libraries = own.join("lib/x86_64-linux-gnu");
    let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
    command.arg("--library-path").arg(&libraries).arg(own.join("bin").join(program)).args(arguments.split(' '));
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{words}: {}: {}", output.status, said.lines().last().unwrap_or("it said nothing"));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A server, until this goes.
struct Running(Child);

impl Running {
    fn start(mut command: Command, port: u16) -> Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = Self(command.spawn().with_context(|| format!("cannot run {command:?}"))?);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = running.0.try_wait()? {
                bail!("{command:?}: {status}");
            }
            ensure!(start.elapsed() < PATIENCE, "{command:?}: nothing on port {port}");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&self.0), rustix::process::Signal::TERM);
        let start = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
