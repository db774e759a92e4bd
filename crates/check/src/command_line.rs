//! What the words of the kernel's command line do to 32-bit programs, and where a root file system keeps one.
//! Documentation/admin-guide/kernel-parameters.txt has the words.

use crate::facts::{Facts, shown};
use crate::root::Root;
use findings::Severity;

/// What one word of a command line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect<'a> {
    /// The word, as it stands there.
    pub(crate) word: &'a str,
    /// What becomes of programs.
    pub(crate) message: &'static str,
    pub(crate) severity: Severity,
}

/// A setting of the command line: nothing, if it is not there. Of several the last one counts, and what comes after `--` is
/// for init. The kernel takes `-` for `_` in a name.
fn setting<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let words = words(line).take_while(|word| *word != "--");
    let named = words.filter_map(|word| {
        let (own, value) = word.split_once('=').unwrap_or((word, ""));
        (own.replace('-', "_") == name).then_some((word, value.trim_matches('"')))
    });
    named.last()
}

/// The words of a line; spaces in quotes are part of a word.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let words = line.split(move |c: char| {
        quoted ^= c == '"';
        !quoted && c.is_ascii_whitespace()
    });
    words.filter(|word| !word.is_empty())
}

/// A word as kstrtobool() of the kernel reads it.
fn boolean(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_bytes() {
        [b'y' | b'1' | b't', ..] | [b'o', b'n', ..] => Some(true),
        [b'n' | b'0' | b'f', ..] | [b'o', b'f', ..] => Some(false),
        _ => None,
    }
}

/// What the line says about `ia32_emulation`, if it does.
pub(crate) fn ia32_emulation(line: &str) -> Option<bool> {
    setting(line, "ia32_emulation").and_then(|(_, value)| boolean(value))
}

/// The word that lets 32-bit ARM programs run on some of the cores.
pub(crate) fn mismatched(line: &str) -> Option<&str> {
    setting(line, "allow_mismatched_32bit_el0").map(|(word, _)| word)
}

/// What the line takes from programs.
pub(crate) fn effects(line: &str) -> Vec<Effect<'_>> {
    let mut effects = Vec::new();
    let mut look = |name: &str, is_bad: fn(&str) -> bool, message, severity| {
        if let Some((word, _)) = setting(line, name).filter(|(_, value)| is_bad(value)) {
            effects.push(Effect { word, message, severity });
        }
    };
    let slow = Severity::Slow;
    look("ia32_emulation", |value| boolean(value) == Some(false), "i386 programs do not start", Severity::Fails);
    look("arm64.no32bit_el0", |_| true, "32-bit ARM programs do not start", Severity::Fails);
    look("id_aa64pfr0.el0", |value| value == "1", "32-bit ARM programs do not start", Severity::Fails);
    // Whatever is not 1 is taken for 0.
    look("vdso32", |value| value != "1", "i386 programs make a system call whenever they read the clock", slow);
    look(
        "vdso",
        |value| value == "0",
        "programs of the kernel's own width make a system call whenever they read the clock",
        slow,
    );
    let clock = "all programs make a system call whenever they read the clock: the vDSO cannot read this clock source";
    look("clocksource", |value| matches!(value, "hpet" | "acpi_pm"), clock, slow);
    effects
}

/// A command line that a root file system has for the kernel.
pub(crate) struct CommandLine<'a> {
    /// The file.
    pub(crate) place: String,
    pub(crate) line: &'a str,
}

/// The command lines in the configuration of the boot loaders: GRUB, extlinux, systemd-boot, U-Boot's scripts of Armbian, and
/// the firmware of the Raspberry Pi.
pub(crate) fn of_root(root: &Root) -> Vec<CommandLine<'_>> {
    let texts = root.configurations.iter().filter_map(|(path, text)| Some((path, std::str::from_utf8(text).ok()?)));
    let lines = texts.flat_map(|(path, text)| {
        let place = format!("{}{}", root.prefix, shown(path));
        let whole = path.ends_with(b"/cmdline.txt") || path == b"/etc/kernel/cmdline";
        let grub = path.starts_with(b"/etc/default/grub");
        let boot = path.starts_with(b"/boot/") || path.starts_with(b"/efi/");
        text.lines().map(str::trim).filter(|line| !line.starts_with('#')).filter_map(move |line| {
            let key = line.split(|c: char| c.is_ascii_whitespace() || c == '=').next().unwrap_or_default();
            let rest = line.get(key.len()..)?.trim_start();
            let line = match key.to_ascii_lowercase().as_str() {
                _ if whole => line,
                "append" | "options" | "linux" | "linux16" | "linuxefi" if boot => rest,
                "extraargs" | "bootargs" if boot => rest.strip_prefix('=')?,
                key if grub && key.starts_with("grub_cmdline_linux") => rest.trim_start_matches('+').strip_prefix('=')?,
                _ => return None,
            };
            let quoted = |quote: char| line.strip_prefix(quote).and_then(|line| line.strip_suffix(quote));
            Some(CommandLine { place: place.clone(), line: quoted('"').or(quoted('\'')).unwrap_or(line) })
        })
    });
    lines.collect()
}

/// Whether the kernel is told to run i386 programs, by what is built in or by a boot loader.
pub(crate) fn turns_ia32_on(facts: &Facts, built_in: &str) -> bool {
    let loaders = facts.roots.iter().flat_map(of_root);
    ia32_emulation(built_in) == Some(true) || loaders.into_iter().any(|found| ia32_emulation(found.line) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::{effects, ia32_emulation, of_root};
    use crate::root::Root;

    fn words(line: &str) -> Vec<&str> {
        effects(line).into_iter().map(|effect| effect.word).collect()
    }

    #[test]
    fn the_last_word_counts() {
        assert_eq!(words("quiet ia32_emulation=0 ro"), ["ia32_emulation=0"]);
        assert_eq!(words("ia32-emulation=off"), ["ia32-emulation=off"]);
        assert_eq!(words("ia32_emulation=0 ia32_emulation=on"), [""; 0]);
        assert_eq!(ia32_emulation("ia32_emulation=0 ia32_emulation=on"), Some(true));
        assert_eq!(words("vdso32=1 -- vdso32=0"), [""; 0]);
        assert_eq!(words("vdso32=2 clocksource=hpet"), ["vdso32=2", "clocksource=hpet"]);
        assert_eq!(words("arm64.no32bit_el0 id_aa64pfr0.el0=2 vdso=1"), ["arm64.no32bit_el0"]);
        assert_eq!(words("dyndbg=\"file a vdso=0\""), [""; 0]);
    }

    #[test]
    fn boot_loaders_have_their_own_ways_to_write_it() {
        let mut root = Root::default();
        for (path, text) in [
            ("/etc/default/grub", "# GRUB_CMDLINE_LINUX=\"a\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet b\"\nGRUB_TIMEOUT=5\n"),
            ("/boot/extlinux/extlinux.conf", "label l\n  APPEND root=/dev/a c\n"),
            ("/boot/loader/entries/a.conf", "title A\noptions d\n"),
            ("/boot/firmware/cmdline.txt", "console=tty1 e\n"),
            ("/boot/armbianEnv.txt", "verbosity=1\nextraargs=f\n"),
            ("/etc/sysctl.conf", "options=g\nappend h\n"),
            ("/boot/cmdline.txt/\u{fffd}", "append"),
        ] {
            root.configurations.insert(path.as_bytes().to_vec(), text.as_bytes().to_vec());
        }
        root.configurations.insert(b"/boot/grub/grub.cfg".to_vec(), b"linux /vmlinuz \xff".to_vec());
        let mut lines: Vec<_> = of_root(&root).into_iter().map(|found| found.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, ["", "console=tty1 e", "d", "f", "quiet b", "root=/dev/a c"]);
    }
}
