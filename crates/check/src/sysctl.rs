//! What a root file system sets at run time: /etc/sysctl.conf and sysctl.d(5).

use crate::facts::shown;
use crate::root::Root;
use std::collections::BTreeMap;

/// A value, and the file that sets it.
pub(crate) struct Sysctl<'a> {
    pub(crate) value: &'a str,
    pub(crate) place: String,
}

/// Every setting, by its name with dots. A file in `/etc` hides the one with its name in `/usr/lib`; then the names of the files
/// are the order, and the last setting counts. `/etc/sysctl.conf` is read last by procps, and by systemd where a link says so.
pub(crate) fn of_root(root: &Root) -> BTreeMap<String, Sysctl<'_>> {
    let mut files = BTreeMap::new();
    for directory in ["/lib/sysctl.d/", "/usr/lib/sysctl.d/", "/usr/local/lib/sysctl.d/", "/etc/sysctl.d/", "/etc/sysctl.conf"] {
        for (path, text) in &root.configurations {
            if let Some(name) = path.strip_prefix(directory.as_bytes()) {
                files.insert((name.is_empty(), name), (path.as_slice(), text.as_slice()));
            }
        }
    }
    let mut settings = BTreeMap::new();
    for (path, text) in files.into_values() {
        let place = format!("{}{}", root.prefix, shown(path));
        for line in std::str::from_utf8(text).unwrap_or_default().lines().map(str::trim) {
            let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with(['#', ';'])) else { continue };
            let name = name.trim().trim_start_matches('-').replace('/', ".");
            settings.insert(name, Sysctl { value: value.trim(), place: place.clone() });
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::of_root;
    use crate::root::Root;

    #[test]
    fn what_is_read_last_counts() {
        let mut root = Root::default();
        for (path, text) in [
            ("/usr/lib/sysctl.d/50-a.conf", "a.a = 1\nb/b=1\nc.c=1"),
            ("/etc/sysctl.d/50-a.conf", "a.a = 2\n# d.d = 1\n-e.e = 1\n"),
            ("/usr/lib/sysctl.d/60-b.conf", "b/b=2\nc.c = 2"),
            ("/etc/sysctl.conf", "c.c=3\n"),
        ] {
            root.configurations.insert(path.as_bytes().to_vec(), text.as_bytes().to_vec());
        }
        let found: Vec<_> =
            of_root(&root).into_iter().map(|(name, setting)| format!("{name}={} {}", setting.value, setting.place)).collect();
        let wanted = [
            "a.a=2 /etc/sysctl.d/50-a.conf",
            "b.b=2 /usr/lib/sysctl.d/60-b.conf",
            "c.c=3 /etc/sysctl.conf",
            "e.e=1 /etc/sysctl.d/50-a.conf",
        ];
        assert_eq!(found, wanted);
    }
}
