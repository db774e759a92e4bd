//! Kernels, given or found in a root file system: their images and their configurations.

use crate::config::Config;
use crate::facts::{Kernel, shown};
use elf::kernel::{self, MAX_UNPACKED};
use elf::{Depth, Source, details};
use std::collections::BTreeMap;
use std::io::Read;

/// Images and configurations in one root file system that are looked at: a board that never removed a kernel has a few.
pub(super) const MAX_KERNELS: usize = 32;
/// A configuration has 100 to 400 KiB.
pub(super) const MAX_CONFIG: u64 = 8 << 20;

/// What a file in a root file system is, and the release that its path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role<'a> {
    Image(&'a str),
    Config(&'a str),
}

/// What the file at this path is to a kernel: in `/boot`, at the top of a partition that becomes `/boot`, or where
/// kernel-install(8) takes it from.
pub(super) fn role(path: &[u8]) -> Option<Role<'_>> {
    const IMAGES: [&str; 6] = ["vmlinuz", "vmlinux", "zImage", "uImage", "Image", "bzImage"];
    let path = std::str::from_utf8(path).ok()?;
    let top = path.strip_prefix("/boot").unwrap_or(path).strip_prefix('/');
    if let Some(name) = top.filter(|name| !name.contains('/')) {
        // The firmware of the Raspberry Pi has names of its own: kernel8.img, kernel_2712.img.
        let raspberry = name.strip_prefix("kernel").and_then(|rest| rest.strip_suffix(".img"));
        let image = IMAGES.iter().find_map(|kind| name.strip_prefix(kind)).or(raspberry);
        return image
            .map(|rest| Role::Image(rest.trim_start_matches('-')))
            .or_else(|| name.strip_prefix("config-").map(Role::Config));
    }
    let (release, name) = path.strip_prefix("/usr").unwrap_or(path).strip_prefix("/lib/modules/")?.split_once('/')?;
    match name {
        "config" => Some(Role::Config(release)),
        name => IMAGES.contains(&name).then_some(Role::Image(release)),
    }
}

/// Reads the image or the configuration at `path` of a root file system.
pub(super) fn read(path: &[u8], contents: &(impl Source + ?Sized)) -> Result<Kernel, String> {
    let name = shown(path);
    if let Some(Role::Image(_)) = role(path) {
        return image(name, contents);
    }
    let size = usize::try_from(contents.size().min(MAX_CONFIG)).unwrap_or_default();
    let mut text = vec![0; size];
    contents.read_at(0, &mut text).map_err(|error| error.to_string())?;
    config(name, text.as_slice())
}

/// The configuration that `input` is.
pub(super) fn config(name: String, input: impl Read) -> Result<Kernel, String> {
    let mut bytes = Vec::new();
    input.take(MAX_CONFIG).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let config = Config::parse(&String::from_utf8_lossy(&bytes)).ok_or("it has no kernel option in it")?;
    Ok(Kernel { name, config: Some(config), image: None, machine: None })
}

/// The kernel whose image has these contents.
pub(super) fn image(name: String, source: &(impl Source + ?Sized)) -> Result<Kernel, String> {
    let mut size = source.size();
    // A vmlinux may have a gigabyte of debug information behind what is loaded.
    if let Ok(details) = details(source, Depth::Headers) {
        size = details.loads.iter().map(|load| load.offset.saturating_add(load.size)).max().unwrap_or(size).min(size);
    }
    let size = usize::try_from(size).ok().filter(|size| *size <= MAX_UNPACKED).ok_or("it is larger than any kernel")?;
    let mut contents = vec![0; size];
    source.read_at(0, &mut contents).map_err(|error| error.to_string())?;
    let image = kernel::image(&contents).map_err(|error| error.to_string())?;
    let config = image.config.as_deref().and_then(Config::parse);
    Ok(Kernel { name, config, image: Some(image), machine: None })
}

/// The kernels of one root file system, each with the configuration whose path has the same release; `prefix` goes before their
/// paths.
pub(super) fn paired(found: BTreeMap<Vec<u8>, Kernel>, prefix: &str) -> Vec<Kernel> {
    let release = |path: &[u8]| match role(path) {
        Some(Role::Image(release) | Role::Config(release)) => release.to_owned(),
        None => String::new(),
    };
    let named = |kernel: Kernel| Kernel { name: format!("{prefix}{}", kernel.name), ..kernel };
    let (images, configs): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, kernel)| kernel.image.is_some());
    let mut kernels: Vec<Kernel> = Vec::new();
    for (path, kernel) in &images {
        let config =
            configs.iter().find(|(other, _)| release(other) == release(path)).and_then(|(_, other)| other.config.clone());
        let kernel = named(Kernel { config: kernel.config.clone().or(config), ..kernel.clone() });
        // /boot often has a copy of what is in /lib/modules.
        if !kernels.iter().any(|other| other.image == kernel.image) {
            kernels.push(kernel);
        }
    }
    let mut alone: Vec<(String, Kernel)> = configs.into_iter().map(|(path, config)| (release(&path), named(config))).collect();
    alone.retain(|(release_of, _)| !images.iter().any(|(path, _)| release(path) == *release_of));
    alone.dedup_by(|a, b| a.0 == b.0);
    kernels.extend(alone.into_iter().map(|(_, kernel)| kernel));
    kernels
}

#[cfg(test)]
mod tests {
    use super::{Role, role};

    #[test]
    fn paths_of_kernels() {
        assert_eq!(role(b"/boot/vmlinuz-6.12.1-arm64"), Some(Role::Image("6.12.1-arm64")));
        assert_eq!(role(b"/boot/Image"), Some(Role::Image("")));
        assert_eq!(role(b"/kernel8.img"), Some(Role::Image("8")));
        assert_eq!(role(b"/boot/config-6.1"), Some(Role::Config("6.1")));
        assert_eq!(role(b"/usr/lib/modules/6.17.5-300.fc43.aarch64/vmlinuz"), Some(Role::Image("6.17.5-300.fc43.aarch64")));
        assert_eq!(role(b"/lib/modules/6.17.5/config"), Some(Role::Config("6.17.5")));
        for path in [b"/boot/grub/vmlinuz".as_slice(), b"/lib/modules/6.1/kernel/vmlinux", b"/boot/initrd.img-6.1", b"/boot/\xff"]
        {
            assert_eq!(role(path), None);
        }
    }
}
