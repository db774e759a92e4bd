//! A kernel configuration, `.config`: what `make menuconfig` wrote, not the Kconfig language.

use std::collections::HashMap;

/// What a configuration says about one option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting<'a> {
    /// `=y`
    Yes,
    /// `=m`
    Module,
    /// `# CONFIG_… is not set`, or `=n`
    No,
    /// There is no line: the option was not visible, or this kernel does not have it.
    Absent,
    /// Any other value, without its quotes.
    Value(&'a str),
}

impl Setting<'_> {
    /// Whether it is built in or a module.
    #[must_use]
    pub fn is_on(self) -> bool {
        matches!(self, Self::Yes | Self::Module)
    }
}

/// The options of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    options: HashMap<String, String>,
    /// From the heading, such as `Linux/arm64 6.12.43 Kernel Configuration`.
    pub version: Option<String>,
}

/// Lines that are looked at. A real configuration has about 12,000.
const MAX_LINES: usize = 200_000;

impl Config {
    /// Reads a configuration. Lines that are none of it are left out; nothing at all, where there is no option.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut config = Self::default();
        for line in text.lines().take(MAX_LINES).map(str::trim_end) {
            if let Some((name, value)) = line.strip_prefix("CONFIG_").and_then(|line| line.split_once('=')) {
                let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
                config.options.insert(name.to_owned(), value.to_owned());
            } else if let Some(name) = line.strip_prefix("# CONFIG_").and_then(|line| line.strip_suffix(" is not set")) {
                config.options.insert(name.to_owned(), "n".to_owned());
            } else if let Some(heading) =
                line.strip_prefix("# Linux/").and_then(|line| line.strip_suffix(" Kernel Configuration"))
            {
                config.version = heading.split(' ').nth(1).map(str::to_owned);
            }
        }
        (!config.options.is_empty()).then_some(config)
    }

    /// What it says about `CONFIG_` and this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Setting<'_> {
        match self.options.get(name).map(String::as_str) {
            None => Setting::Absent,
            Some("y") => Setting::Yes,
            Some("m") => Setting::Module,
            Some("n") => Setting::No,
            Some(value) => Setting::Value(value),
        }
    }

    /// The lines about these options, as a person would quote them.
    #[must_use]
    pub fn quote(&self, names: &[&str]) -> String {
        let quote = |name: &&str| match self.get(name) {
            Setting::Yes => format!("CONFIG_{name}=y"),
            Setting::Module => format!("CONFIG_{name}=m"),
            Setting::No => format!("CONFIG_{name} is not set"),
            Setting::Absent => format!("CONFIG_{name} has no line"),
            Setting::Value(value) => format!("CONFIG_{name}={value}"),
        };
        names.iter().map(quote).collect::<Vec<_>>().join(", ")
    }

    /// The number of options.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Setting};

    #[test]
    fn no_line_is_not_the_same_as_not_set() {
        let text = "#\n# Linux/arm64 6.12.43 Kernel Configuration\n#\nCONFIG_A=y\nCONFIG_B=m\n# CONFIG_C is not set\nCONFIG_D=\"x y\"\nCONFIG_E=0x10\n";
        let config = Config::parse(text).expect("it has options");
        let found = ["A", "B", "C", "D", "E", "F"].map(|name| config.get(name));
        let wanted = [Setting::Yes, Setting::Module, Setting::No, Setting::Value("x y"), Setting::Value("0x10"), Setting::Absent];
        assert_eq!(found, wanted);
        assert_eq!(config.version.as_deref(), Some("6.12.43"));
        assert_eq!(config.quote(&["A", "C", "F"]), "CONFIG_A=y, CONFIG_C is not set, CONFIG_F has no line");
    }

    #[test]
    fn a_text_without_options_is_no_configuration() {
        assert_eq!(Config::parse("# nothing\nhello = y\n"), None);
    }
}
