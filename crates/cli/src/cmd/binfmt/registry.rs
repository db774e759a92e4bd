//! What the kernel does with programs by their first bytes: binfmt_misc, and the files that fill it after a boot, binfmt.d(5).

use anyhow::{Result, bail};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where binfmt_misc is mounted (`Documentation/admin-guide/binfmt-misc.rst`).
const DIRECTORY: &str = "/proc/sys/fs/binfmt_misc";
/// Where systemd-binfmt(8), and OpenRC's binfmt, look for what to register after a boot. A file hides those of the same name in
/// the later directories.
const CONFIGURATIONS: &[&str] = &["/etc/binfmt.d", "/run/binfmt.d", "/usr/local/lib/binfmt.d", "/usr/lib/binfmt.d"];

/// What the kernel compares: 0x7f ELF, 32 bits, little-endian, anything up to `e_type`; that is `ET_EXEC` or `ET_DYN`, and `e_machine` is
/// `EM_386` or `EM_486`. The mask lets 2 and 7 pass as well, SPARC and the i860, of which there are no little-endian programs for Linux.
const MAGIC: [u8; 20] = [0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0];
const MASK: [u8; 20] = [255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 255, 0xfa, 255];

/// The first bytes of i386 programs, of both types.
const PROGRAMS: [[u8; 20]; 2] = {
    let mut programs = [MAGIC; 2];
    programs[1][16] = 3;
    programs[0][18] = 3;
    programs[1][18] = 3;
    programs
};

/// One entry of binfmt_misc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// What it is called.
    pub(super) name: String,
    /// Whether the kernel looks at it.
    pub(super) enabled: bool,
    /// The program that programs are given to.
    pub(super) interpreter: PathBuf,
    /// As the kernel prints them: `P`, `O`, `C`, `F`.
    pub(super) flags: String,
    offset: usize,
    magic: Vec<u8>,
    mask: Vec<u8>,
}

impl Entry {
    /// Reads what the kernel says of an entry (`entry_status` in `fs/binfmt_misc.c`); `None` for one that goes by file names.
    fn parse(name: &str, text: &str) -> Option<Self> {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        let magic = bytes(value("magic ")?)?;
        Some(Self {
            name: name.to_owned(),
            enabled: text.starts_with("enabled"),
            interpreter: value("interpreter ")?.into(),
            flags: value("flags:").unwrap_or_default().to_owned(),
            offset: value("offset ")?.parse().ok()?,
            mask: value("mask ").map_or_else(|| Some(vec![0xff; magic.len()]), bytes)?,
            magic,
        })
    }

    /// Whether the kernel gives i386 programs to it, as long as no other entry is asked first.
    fn takes_i386(&self) -> bool {
        self.enabled && PROGRAMS.iter().any(|program| self.matches(program))
    }

    /// What is beyond `head` is not looked at.
    fn matches(&self, head: &[u8]) -> bool {
        let head = head.get(self.offset..).unwrap_or_default();
        self.offset == 0 && self.magic.iter().zip(&self.mask).zip(head).all(|((magic, mask), byte)| (magic ^ byte) & mask == 0)
    }
}

/// Hexadecimal digits, two for each byte.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// What is told to the kernel, and what a configuration file holds: `:name:type:offset:magic:mask:interpreter:flags`.
pub(super) fn line(name: &str, interpreter: &str, flags: &str) -> String {
    let escaped = |bytes: &[u8]| bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    format!(":{name}:M::{}:{}:{interpreter}:{flags}", escaped(&MAGIC), escaped(&MASK))
}

/// The kernel's register of programs.
pub(super) struct Registry;

impl Registry {
    /// The register, if it is there.
    pub(super) fn open() -> Result<Self> {
        if !Path::new(DIRECTORY).is_dir() {
            bail!(
                "this kernel has no binfmt_misc\n  where it is a module, as root: modprobe binfmt_misc\n  \
                 without one, CONFIG_BINFMT_MISC is off: start programs with biarch run"
            );
        }
        // With systemd, looking mounts it.
        if !Path::new(DIRECTORY).join("register").exists() {
            bail!("binfmt_misc is not mounted\n  mount it, as root: mount -t binfmt_misc binfmt_misc {DIRECTORY}");
        }
        Ok(Self)
    }

    /// Whether the kernel looks at any entry at all.
    pub(super) fn enabled(&self) -> bool {
        !fs::read_to_string(Path::new(DIRECTORY).join("status")).is_ok_and(|text| text.trim() == "disabled")
    }

    /// The entry of this name.
    pub(super) fn entry(&self, name: &str) -> Option<Entry> {
        Entry::parse(name, &fs::read_to_string(Path::new(DIRECTORY).join(name)).ok()?)
    }

    /// The entries that i386 programs are given to, by name.
    pub(super) fn for_i386(&self) -> Result<Vec<Entry>> {
        let mut names = vec![];
        for entry in fs::read_dir(DIRECTORY)? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names.iter().filter_map(|name| self.entry(name)).filter(Entry::takes_i386).collect())
    }

    /// Registers what `line` describes.
    pub(super) fn register(&self, line: &str) -> Result<()> {
        write("register", line)
    }

    /// Takes an entry out.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        write(name, "-1")
    }
}

/// The kernel takes each write(2) as a whole.
fn write(name: &str, text: &str) -> Result<()> {
    let path = Path::new(DIRECTORY).join(name);
    let written = fs::OpenOptions::new().write(true).open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let next = match error.kind() {
            ErrorKind::PermissionDenied => "\n  only root may: sudo biarch binfmt ...",
            ErrorKind::ReadOnlyFilesystem => {
                "\n  in a container /proc/sys is read-only: do it outside; what is registered there is for its containers too"
            }
            _ => "",
        };
        anyhow::anyhow!("cannot write {}: {error}{next}", path.display())
    })
}

/// The file that registers `name` after a boot.
pub(super) fn configuration(name: &str) -> Option<PathBuf> {
    let mut seen: Vec<std::ffi::OsString> = vec![];
    for directory in CONFIGURATIONS {
        let files = fs::read_dir(directory).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> =
            files.map(|file| file.path()).filter(|path| path.extension() == Some("conf".as_ref())).collect();
        paths.sort_unstable();
        for path in paths {
            let file = path.file_name().unwrap_or_default().to_owned();
            if seen.contains(&file) {
                continue;
            }
            seen.push(file);
            // Devices and such are nobody's configuration, and /dev/null is how a file is hidden.
            let text = if path.is_file() { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
            let registers = |line: &str| {
                let mut characters = line.chars();
                let delimiter = characters.next().filter(|first| !"#;".contains(*first));
                delimiter.is_some_and(|delimiter| characters.as_str().split(delimiter).next() == Some(name))
            };
            if text.lines().any(|line| registers(line.trim())) {
                return Some(path);
            }
        }
    }
    None
}

/// Our own configuration file.
pub(super) fn own_configuration(name: &str) -> PathBuf {
    Path::new(CONFIGURATIONS[0]).join(name).with_extension("conf")
}

/// Writes our own configuration file, whole or not at all.
pub(super) fn keep(name: &str, line: &str) -> Result<PathBuf> {
    let path = own_configuration(name);
    let new = path.with_extension("conf.new");
    let text = format!("# `biarch binfmt install` has written this, and `biarch binfmt remove` deletes it.\n{line}\n");
    let written =
        fs::create_dir_all(CONFIGURATIONS[0]).and_then(|()| fs::write(&new, text)).and_then(|()| fs::rename(&new, &path));
    if let Err(error) = written {
        // Where it cannot be written it cannot be deleted either.
        let _ = fs::remove_file(&new);
        bail!("cannot write {}: {error}", path.display());
    }
    Ok(path)
}
