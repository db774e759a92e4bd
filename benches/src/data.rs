//! What the programs work on: the guests, compiled, and input data, the same on every machine.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use compare::stats::Random;

/// Compiles every guest into `into`, static, unless it is there and newer than its source.
pub(crate) fn build_guests(into: &Path) -> Result<()> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("guest");
    let compiler = std::env::var("I386_CC").unwrap_or_else(|_| "i686-linux-gnu-gcc".to_owned());
    fs::create_dir_all(into).with_context(|| format!("cannot create {}", into.display()))?;
    let header = modified(&sources.join("measure.h"))?;
    for entry in fs::read_dir(&sources).with_context(|| format!("cannot list {}", sources.display()))? {
        let source = entry?.path();
        let Some(name) = source.file_stem().filter(|_| source.extension().is_some_and(|extension| extension == "c")) else {
            continue;
        };
        let program = into.join(name);
        if modified(&program).is_ok_and(|built| built > header && modified(&source).is_ok_and(|changed| built > changed)) {
            continue;
        }
        let status = Command::new(&compiler)
            .args(["-std=gnu11", "-O2", "-static", "-pthread", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([&program, &source])
            .status()
            .with_context(|| format!("cannot run {compiler}: apt-get install gcc-i686-linux-gnu, or set I386_CC"))?;
        if !status.success() {
            bail!("{compiler} {}: {status}", source.display());
        }
    }
    Ok(())
}

fn modified(path: &Path) -> Result<std::time::SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).with_context(|| format!("cannot look at {}", path.display()))
}

/// Writes the input of the programs in the root directory into `into`.
pub(crate) fn write_inputs(into: &Path) -> Result<()> {
    let write = |name: &str, content: &dyn Fn() -> Result<Vec<u8>, std::fmt::Error>| -> Result<()> {
        let path = into.join(name);
        fs::write(&path, content()?).with_context(|| format!("cannot write {}", path.display()))
    };
    match fs::create_dir_all(into) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(error).with_context(|| format!("cannot create {}", into.display()));
        }
        _ => {}
    }
    write("text", &|| Ok(text(20_000_000)))?;
    write("large.c", &|| source(10_000).map(String::into_bytes))?;
    write("rows.sql", &|| Ok(SQL.as_bytes().to_vec()))?;
    write_files(&into.join("files"), 100_000)?;
    let repository = into.join("repository");
    if !repository.join(".git/HEAD").exists() {
        write_files(&repository, 20_000)?;
        let author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
        for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "all"]] {
            let mut git = Command::new("git");
            git.arg("-C").arg(&repository).args(author).args(words).env("GIT_CONFIG_GLOBAL", "/dev/null");
            let status = git.status().context("cannot run git")?;
            if !status.success() {
                bail!("{git:?}: {status}");
            }
        }
    }
    Ok(())
}

/// So many small files, a thousand in a directory; those that are there stay.
fn write_files(into: &Path, count: usize) -> Result<()> {
    for directory in 0..count.div_ceil(1000) {
        let path = into.join(format!("{directory:03}"));
        if path.exists() {
            continue;
        }
        let unfinished = path.with_extension("new");
        fs::create_dir_all(&unfinished).with_context(|| format!("cannot create {}", unfinished.display()))?;
        for file in 0..1000 {
            fs::write(unfinished.join(format!("file{file}")), format!("{directory} {file}\n"))?;
        }
        fs::rename(&unfinished, &path)?;
    }
    Ok(())
}

/// Text that compresses about as well as a source tree: words of very different frequency, numbers, a few random bytes.
fn text(length: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let words: Vec<Vec<u8>> =
        (0..4096).map(|_| (0..2 + random.below(9)).map(|_| b"etaoinshrdlucmfwypvbgkjqxz"[random.below(26)]).collect()).collect();
    let mut text = Vec::with_capacity(length + 64);
    while text.len() < length {
        // The product of two uniform numbers makes early words frequent and late ones rare.
        let index = random.below(words.len()) * random.below(words.len()) / words.len();
        text.extend_from_slice(&words[index]);
        match random.below(64) {
            0 => text.extend_from_slice(format!(" {}\n", random.next() % 1_000_000).as_bytes()),
            1 => text.extend_from_slice(&random.next().to_le_bytes()),
            2..8 => text.push(b'\n'),
            _ => text.push(b' '),
        }
    }
    text.truncate(length);
    text
}

/// A C file of at least `lines` lines without any `#include`, so that the compiler proper takes it as it is: functions with
/// loops, switches, structures, 64-bit and floating-point arithmetic, which call earlier ones.
fn source(lines: usize) -> Result<String, std::fmt::Error> {
    let mut random = Random::new(2);
    let mut c = String::from("struct item { int kind; unsigned weight; long long sum; double mean; struct item *next; };\n");
    let mut functions = 0;
    while c.lines().count() < lines {
        // Counting the lines is quadratic, so it is done once per hundred functions.
        for _ in 0..100 {
            function(&mut c, functions, &mut random)?;
            functions += 1;
        }
    }
    Ok(c)
}

fn function(c: &mut String, number: usize, random: &mut Random) -> std::fmt::Result {
    let constant = |random: &mut Random| random.next() % 9973 + 3;
    writeln!(c, "long long f{number}(struct item *list, unsigned count, const unsigned char *data)\n{{")?;
    writeln!(c, "\tunsigned table[{}] = {{ 0 }}, state = {}u;", 16 << random.below(3), constant(random))?;
    writeln!(c, "\tlong long sum = {};\n\tdouble mean = {}.5;\n", constant(random), constant(random))?;
    writeln!(c, "\tfor (unsigned i = 0; i < count; i++) {{")?;
    writeln!(c, "\t\tstate = state * {}u + data[i % {}];", constant(random) * 2 + 1, constant(random))?;
    writeln!(c, "\t\tswitch ((state >> {}) % 7) {{", random.below(20))?;
    for case in 0..6 {
        let statement = match random.below(6) {
            0 => format!("table[i & 15] ^= state << {}", random.below(31)),
            1 => format!("sum += (long long)state * {}", constant(random)),
            2 => format!("mean = mean * 0.{} + table[state & 15]", constant(random)),
            3 => format!("sum ^= sum >> {}", random.below(40) + 1),
            4 => format!("if (sum % {} == 0) state ^= i", constant(random)),
            _ if number > 0 => {
                format!("if (i + 1 < count && !list) sum += f{}(list, count - i - 1, data + i)", random.below(number))
            }
            _ => "sum++".to_owned(),
        };
        writeln!(c, "\t\tcase {case}:\n\t\t\t{statement};\n\t\t\tbreak;")?;
    }
    writeln!(c, "\t\tdefault:\n\t\t\tsum -= table[i % 16];\n\t\t}}\n\t}}")?;
    writeln!(c, "\tfor (struct item *item = list; item; item = item->next) {{")?;
    writeln!(c, "\t\titem->sum += sum + item->kind;\n\t\titem->mean = (item->mean + mean) / {}.0;", constant(random))?;
    writeln!(c, "\t\tif (item->weight > {}u)\n\t\t\titem->weight /= 3;\n\t}}", constant(random))?;
    writeln!(c, "\treturn sum + (long long)mean + table[state & 15];\n}}\n")
}

/// Inserts, an index, joins and aggregates; the numbers come from a linear congruential generator.
const SQL: &str = "\
CREATE TABLE item(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT, weight REAL);
BEGIN;
WITH RECURSIVE step(id, state) AS (
  SELECT 1, 12345 UNION ALL SELECT id + 1, (state * 1103515245 + 12345) % 2147483648 FROM step WHERE id < 100000)
INSERT INTO item SELECT id, state % 1000, printf('item-%08x', state), state / 7.0 FROM step;
COMMIT;
CREATE INDEX by_parent ON item(parent, weight);
CREATE INDEX by_name ON item(name);
SELECT parent, count(*), sum(weight), min(name), max(name) FROM item GROUP BY parent ORDER BY 3 DESC LIMIT 20;
SELECT count(*) FROM item a JOIN item b ON b.parent = a.parent AND b.weight > a.weight WHERE a.id % 37 = 0;
SELECT count(*) FROM item WHERE name LIKE '%7f%' OR name GLOB '*a?c*';
UPDATE item SET weight = weight * 1.5 WHERE parent % 3 = 0;
DELETE FROM item WHERE id % 5 = 0;
SELECT count(*), total(weight) FROM item;
PRAGMA integrity_check;
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_repeat_and_have_the_size_asked_for() {
        let once = text(100_000);
        assert_eq!(once.len(), 100_000);
        assert_eq!(once, text(100_000));
        let c = source(500).expect("a String takes everything");
        assert!(c.lines().count() >= 500);
        assert_eq!(c, source(500).expect("a String takes everything"));
    }
}
