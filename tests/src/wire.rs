//! What the boot test and the machine it boots say to each other: a list of jobs there, a stream of results back.
//!
//! Everything is a netstring, `LENGTH:BYTES,`, so that output of any shape survives, and a stream that was cut off is seen
//! to be.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::process::Outcome;
use crate::program::End;

/// Something to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What its result is filed under.
    pub name: String,
    /// How long it may take.
    pub timeout: Duration,
    /// Its standard input.
    pub stdin: String,
    /// The program and its arguments.
    pub words: Vec<PathBuf>,
}

/// The name under which the machine says that it has done everything; what follows is the number of jobs.
const END: &str = "end";

fn put(out: &mut impl Write, bytes: &[u8]) -> Result<()> {
    write!(out, "{}:", bytes.len())?;
    out.write_all(bytes)?;
    out.write_all(b",").context("writing")
}

fn get(input: &mut impl Read) -> Result<Vec<u8>> {
    let byte = |input: &mut dyn Read| -> Result<u8> {
        let mut byte = [0];
        input.read_exact(&mut byte).context("cut off")?;
        Ok(byte[0])
    };
    let mut length = 0_usize;
    loop {
        match byte(input)? {
            b':' => break,
            digit @ b'0'..=b'9' if length < 1 << 30 => length = length * 10 + usize::from(digit - b'0'),
            other => bail!("not a length: {other:#x}"),
        }
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes).context("cut off")?;
    ensure!(byte(input)? == b',', "a string of the wrong length");
    Ok(bytes)
}

fn text(input: &mut impl Read) -> Result<String> {
    Ok(String::from_utf8_lossy(&get(input)?).into_owned())
}

/// Writes the list of jobs.
pub fn put_jobs(out: &mut impl Write, jobs: &[Job]) -> Result<()> {
    put(out, jobs.len().to_string().as_bytes())?;
    for job in jobs {
        put(out, job.name.as_bytes())?;
        put(out, job.timeout.as_secs().to_string().as_bytes())?;
        put(out, job.stdin.as_bytes())?;
        put(out, job.words.len().to_string().as_bytes())?;
        for word in &job.words {
            put(out, word.as_os_str().as_encoded_bytes())?;
        }
    }
    Ok(())
}

/// Reads the list of jobs.
pub fn get_jobs(input: &mut impl Read) -> Result<Vec<Job>> {
    let count: usize = text(input)?.parse()?;
    (0..count)
        .map(|_| {
            let (name, timeout, stdin) = (text(input)?, Duration::from_secs(text(input)?.parse()?), text(input)?);
            let words: usize = text(input)?.parse()?;
            let words = (0..words).map(|_| text(input).map(PathBuf::from)).collect::<Result<_>>()?;
            Ok(Job { name, timeout, stdin, words })
        })
        .collect()
}

/// Writes what a job did.
pub fn put_result(out: &mut impl Write, name: &str, outcome: &Outcome) -> Result<()> {
    let end = match outcome.end {
        End::Exit(status) => format!("exit {status}"),
        End::Signal(signal) => format!("signal {signal}"),
        End::Timeout => "timeout".to_owned(),
        End::Flood => "flood".to_owned(),
    };
    let mut record = vec![];
    for field in [name, &end, &outcome.stdout, &outcome.stderr] {
        put(&mut record, field.as_bytes())?;
    }
    out.write_all(&record).context("writing")
}

/// Writes that there is no more to come.
pub fn put_end(out: &mut impl Write, jobs: usize) -> Result<()> {
    put(out, END.as_bytes())?;
    put(out, jobs.to_string().as_bytes())
}

/// Reads every result that arrived whole; and why there are no more, unless the stream says itself that it is complete.
pub fn get_results(input: &mut impl Read) -> (Vec<(String, Outcome)>, Result<()>) {
    let mut results = vec![];
    loop {
        match get_result(input, results.len()) {
            Ok(Some(result)) => results.push(result),
            Ok(None) => return (results, Ok(())),
            Err(error) => return (results, Err(error)),
        }
    }
}

fn get_result(input: &mut impl Read, before: usize) -> Result<Option<(String, Outcome)>> {
    let (name, end) = (text(input)?, text(input)?);
    if name == END {
        let count: usize = end.parse()?;
        ensure!(count == before, "{before} results arrived of {count}");
        return Ok(None);
    }
    let end = match end.split_once(' ') {
        Some(("exit", status)) => End::Exit(status.parse()?),
        Some(("signal", signal)) => End::Signal(signal.parse()?),
        _ if end == "timeout" => End::Timeout,
        _ if end == "flood" => End::Flood,
        _ => bail!("not an end: {end}"),
    };
    Ok(Some((name, Outcome { end, stdout: text(input)?, stderr: text(input)? })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End) -> Outcome {
        Outcome { stdout: "a,1:b\n".to_owned(), stderr: String::new(), end }
    }

    #[test]
    fn jobs_arrive_as_sent() -> Result<()> {
        let words = vec![PathBuf::from("/bin/true"), PathBuf::from("")];
        let job = Job { name: "fs::stat".to_owned(), timeout: Duration::from_secs(7), stdin: "1:a,\n".to_owned(), words };
        let mut bytes = vec![];
        put_jobs(&mut bytes, &[job.clone(), job.clone()])?;
        assert_eq!(get_jobs(&mut bytes.as_slice())?, [job.clone(), job]);
        Ok(())
    }

    #[test]
    fn results_arrive_as_sent_and_a_cut_is_noticed() -> Result<()> {
        let ends = [End::Exit(3), End::Signal(11), End::Timeout, End::Flood];
        let mut bytes = vec![];
        for end in ends {
            put_result(&mut bytes, "x", &outcome(end))?;
        }
        let cut = bytes.len();
        put_end(&mut bytes, ends.len())?;
        let (results, complete) = get_results(&mut bytes.as_slice());
        complete?;
        assert_eq!(results.into_iter().map(|(_, outcome)| outcome).collect::<Vec<_>>(), ends.map(outcome));
        for length in 0..bytes.len() {
            let (results, complete) = get_results(&mut &bytes[..length]);
            assert!(complete.is_err(), "{length} bytes of {} passed for all", bytes.len());
            assert!(length < cut || results.len() == ends.len());
        }
        Ok(())
    }

    #[test]
    fn a_wrong_count_is_noticed() -> Result<()> {
        let mut bytes = vec![];
        put_result(&mut bytes, "x", &outcome(End::Exit(0)))?;
        put_end(&mut bytes, 2)?;
        assert!(get_results(&mut bytes.as_slice()).1.is_err());
        Ok(())
    }
}
