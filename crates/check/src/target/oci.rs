//! A container's image: the OCI image layout (a directory, or a tar archive of one), and what `docker save` makes. Its layers are
//! put one onto the other, for every platform that is in it.

use super::file::unpacked;
use super::intake::{Extent, Intake, MAX_ENTRIES, Taken};
use super::{name, open, tar};
use crate::Progress;
use crate::facts::Facts;
use crate::progress::Watched;
use findings::{Report, Unchecked};
use serde::Deserialize;
use serde_json::from_slice;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A manifest, an index or a configuration: `MaxManifestSize` of most tools.
const MAX_JSON: u64 = 4 << 20;
/// Platforms of one image; the largest multi-platform images have a dozen.
const MAX_IMAGES: usize = 32;
/// Layers of one image: overlayfs has no more than 500.
const MAX_LAYERS: usize = 500;
/// Manifests and indexes of one image.
const MAX_MANIFESTS: usize = 256;

/// The digest of an index, a manifest or a layer; or the path of a layer in an archive of docker.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    digest: String,
    #[serde(default)]
    media_type: String,
    platform: Option<Platform>,
}

#[derive(Clone, Deserialize)]
struct Platform {
    architecture: String,
    os: String,
    variant: Option<String>,
}

/// An index, or a manifest.
#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    manifests: Vec<Descriptor>,
    config: Option<Descriptor>,
    #[serde(default)]
    layers: Vec<Descriptor>,
}

/// An image in the `manifest.json` of docker.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Saved {
    config: String,
    #[serde(default)]
    layers: Vec<String>,
}

/// An image to be put together: its platform, and the paths of its layers, the lowest first.
struct Image {
    platform: String,
    layers: Vec<String>,
}

/// Gives a small file of the image by its path.
type Document<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Layers by path, each read once.
type Layers = BTreeMap<String, Result<Intake, String>>;

/// Whether an archive that begins with a member of this name is one of images, and not of a root file system.
pub(super) fn is_member(path: &[u8]) -> bool {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    // A digest in the name: of a configuration or of a layer, as docker, podman and others store them.
    let digest = |name: &[u8]| name.get(..64).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    matches!(path, b"oci-layout" | b"index.json" | b"manifest.json" | b"repositories" | b"blobs/sha256/")
        || path.starts_with(b"blobs/sha256/")
        || path == b"blobs/"
        || digest(first.strip_prefix(b"sha256:").unwrap_or(first))
}

/// Whether the directory is an image layout.
pub(super) fn is_layout(path: &Path) -> bool {
    path.join("oci-layout").is_file() && path.join("index.json").is_file()
}

/// The path of what has this digest. Nothing in it may lead elsewhere.
fn blob(digest: &str) -> Option<String> {
    let (algorithm, hash) = digest.split_once(':')?;
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (plain(algorithm) && plain(hash)).then(|| format!("blobs/{algorithm}/{hash}"))
}

fn platform(platform: &Platform) -> String {
    let variant = platform.variant.as_ref().map(|variant| format!("/{variant}")).unwrap_or_default();
    format!("{}/{}{variant}", platform.os, platform.architecture)
}

/// The images that a store has, and what was wrong with others.
fn images(document: Document<'_>) -> Result<(Vec<Image>, Vec<String>), String> {
    let (mut found, mut wrong, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    if let Some(index) = document("index.json") {
        let index: Manifest = from_slice(&index).map_err(|error| format!("its index.json is damaged: {error}"))?;
        for descriptor in &index.manifests {
            manifest(document, descriptor, &mut seen, &mut found, &mut wrong);
        }
    } else if let Some(list) = document("manifest.json") {
        let list: Vec<Saved> = from_slice(&list).map_err(|error| format!("its manifest.json is damaged: {error}"))?;
        for saved in list.into_iter().take(MAX_IMAGES) {
            let platform = of_configuration(document, &saved.config);
            found.push(Image { platform, layers: saved.layers.into_iter().take(MAX_LAYERS).collect() });
        }
    } else {
        return Err("it has neither an index.json nor a manifest.json".to_owned());
    }
    Ok((found, wrong))
}

/// The platform that the configuration of an image names.
fn of_configuration(document: Document<'_>, path: &str) -> String {
    let configuration = document(path);
    configuration
        .and_then(|bytes| from_slice::<Platform>(&bytes).ok())
        .map_or_else(|| "unknown platform".to_owned(), |found| platform(&found))
}

fn manifest(
    document: Document<'_>,
    descriptor: &Descriptor,
    seen: &mut BTreeSet<String>,
    found: &mut Vec<Image>,
    wrong: &mut Vec<String>,
) {
    // The proofs of origin that buildx adds are for no platform.
    let attestation = descriptor.platform.as_ref().is_some_and(|platform| platform.os == "unknown");
    if attestation || found.len() >= MAX_IMAGES || seen.len() >= MAX_MANIFESTS || !seen.insert(descriptor.digest.clone()) {
        return;
    }
    let bytes = blob(&descriptor.digest).and_then(|path| document(&path));
    let read = match bytes.map(|bytes| from_slice::<Manifest>(&bytes)) {
        Some(Ok(read)) => read,
        Some(Err(error)) => return wrong.push(format!("manifest {} is damaged: {error}", descriptor.digest)),
        None => return wrong.push(format!("manifest {} is not in it", descriptor.digest)),
    };
    for inner in &read.manifests {
        manifest(document, inner, seen, found, wrong);
    }
    let layers: Vec<&Descriptor> = read.layers.iter().take(MAX_LAYERS).collect();
    // What is no file system, such as a chart or a signature, has other layers.
    if layers.is_empty() || !layers.iter().all(|layer| layer.media_type.contains("tar")) {
        return;
    }
    let platform = descriptor.platform.as_ref().map(platform).unwrap_or_else(|| {
        let config = read.config.as_ref().and_then(|config| blob(&config.digest));
        config.map_or_else(|| "unknown platform".to_owned(), |path| of_configuration(document, &path))
    });
    match layers.iter().map(|layer| blob(&layer.digest)).collect() {
        Some(layers) => found.push(Image { platform, layers }),
        None => wrong.push(format!("manifest {} has a layer without a digest", descriptor.digest)),
    }
}

/// Puts the images together; `layer` gives a layer, read once.
fn assemble(name: &str, document: Document<'_>, layers: &Layers, facts: &mut Facts, report: &mut Report) -> Result<(), String> {
    let (images, wrong) = images(document)?;
    if images.is_empty() && wrong.is_empty() {
        return Err("there is no image of a file system in it".to_owned());
    }
    report.not_checked.extend(wrong.into_iter().map(|because| Unchecked { what: name.to_owned(), because }));
    let mut count = 0;
    for image in images {
        // Many images of the same layers are as large as that many layers.
        count += image
            .layers
            .iter()
            .filter_map(|path| layers.get(path)?.as_ref().ok())
            .map(|layer| layer.tree.entries.len())
            .sum::<usize>();
        if count > MAX_ENTRIES {
            let because = format!("there are more than {MAX_ENTRIES} paths in its images; those that come last are left out");
            report.not_checked.push(Unchecked { what: name.to_owned(), because });
            break;
        }
        let name = format!("{name} ({})", image.platform);
        let mut whole = Intake::default();
        for path in &image.layers {
            match layers.get(path) {
                Some(Ok(layer)) => whole.lay(layer),
                Some(Err(because)) => whole.failed(path.clone().into_bytes(), because.clone()),
                None => whole.failed(path.clone().into_bytes(), "this layer is not in it".to_owned()),
            }
        }
        whole.finish(name.clone(), format!("{name}:"), Extent::Whole, facts, report);
    }
    Ok(())
}

/// Reads one layer.
fn layer(input: impl BufRead, taken: Taken) -> Result<Intake, String> {
    let mut intake = Intake::after(taken);
    let result = unpacked(input, |data| tar::read(data, &mut intake));
    match result {
        Err(because) if intake.is_empty() => Err(because),
        Err(because) => {
            intake.failed(Vec::new(), because);
            Ok(intake)
        }
        Ok(()) => Ok(intake),
    }
}

/// Reads the layout in the directory at `path`.
///
/// # Errors
/// Where there is no image in it.
pub(super) fn read_layout(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) -> Result<(), String> {
    let document = |inside: &str| {
        let mut bytes = Vec::new();
        open(&path.join(inside)).ok()?.take(MAX_JSON).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let name = name(path);
    let mut layers: Layers = BTreeMap::new();
    let (images, _) = images(&document)?;
    let mut taken = Taken::default();
    for layer_path in images.iter().flat_map(|image| &image.layers) {
        if layers.contains_key(layer_path) {
            continue;
        }
        let read = open(&path.join(layer_path)).map_err(|error| error.to_string()).and_then(|file| {
            let size = file.metadata().map_or(0, |metadata| metadata.len());
            layer(BufReader::new(Watched::new(file, size, &name, progress)), taken)
        });
        taken = read.as_ref().map_or(taken, Intake::taken);
        layers.insert(layer_path.clone(), read);
    }
    assemble(&name, &document, &layers, facts, report)
}

/// Reads an archive of images. It is read once: what is a layer shows in its contents, and only at the end in which image it is.
///
/// # Errors
/// Where there is no image in it.
pub(super) fn read(input: &mut dyn Read, name: &str, facts: &mut Facts, report: &mut Report) -> Result<(), String> {
    let mut documents: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut layers: Layers = BTreeMap::new();
    let mut links: Vec<(String, String)> = Vec::new();
    let (mut taken, mut text) = (Taken::default(), 0);
    let result = tar::members(input, |mut member| {
        let path = String::from_utf8_lossy(member.path.strip_prefix(b"./").unwrap_or(&member.path)).into_owned();
        if let Some(target) = member.target() {
            // docker of before 25 stores a layer of two images once, and a link.
            links.push((path, String::from_utf8_lossy(&target).into_owned()));
            return links.len() < MAX_LAYERS * MAX_IMAGES;
        }
        if !member.is_file() {
            return true;
        }
        let mut contents = BufReader::new(&mut member.contents);
        let start = contents.fill_buf().unwrap_or_default();
        if matches!(start.first(), Some(b'{' | b'[')) {
            let mut bytes = Vec::new();
            text += member.size.min(MAX_JSON);
            if member.size <= MAX_JSON && text <= 16 * MAX_JSON && contents.read_to_end(&mut bytes).is_ok() {
                bytes.truncate(usize::try_from(member.size).unwrap_or_default());
                documents.insert(path, bytes);
            }
        } else if layers.len() < MAX_LAYERS * MAX_IMAGES && !path.ends_with("/VERSION") && path != "repositories" {
            let read = layer(contents, taken);
            taken = read.as_ref().map_or(taken, Intake::taken);
            layers.insert(path, read);
        }
        true
    });
    for (path, target) in links {
        let layer = layers.get(&target).and_then(|layer| layer.as_ref().ok().cloned());
        layers.extend(layer.map(|layer| (path, Ok(layer))));
    }
    match (assemble(name, &|path| documents.get(path).cloned(), &layers, facts, report), result) {
        (Ok(()), Ok(())) => Ok(()),
        (Ok(()), Err(because)) => {
            report.not_checked.push(Unchecked { what: name.to_owned(), because });
            Ok(())
        }
        (Err(_), Err(because)) | (Err(because), Ok(())) => Err(because),
    }
}
