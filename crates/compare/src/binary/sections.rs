//! Sizes of sections, aligned across ABIs: what one calls `.rel.dyn` is `.rela.dyn` of the other.

use super::{Both, Side};
use anyhow::Result;
use object::{Object, ObjectSection, SectionFlags, SectionKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Sections that do the same for different ABIs, or share it out differently: the row's name and the sections in it. All others
/// are compared with those of the same name.
const ALIGNED: [(&str, &[&str]); 8] = [
    ("relocations", &[".rel.dyn", ".rela.dyn", ".relr.dyn"]),
    ("PLT relocations", &[".rel.plt", ".rela.plt", ".rel.iplt", ".rela.iplt"]),
    ("PLT", &[".plt", ".plt.got", ".plt.sec", ".iplt"]),
    ("GOT", &[".got", ".got.plt", ".igot", ".igot.plt"]),
    ("unwinding", &[".eh_frame", ".eh_frame_hdr", ".ARM.exidx", ".ARM.extab"]),
    ("hash tables", &[".hash", ".gnu.hash"]),
    ("notes", &[".note.gnu.build-id", ".note.ABI-tag", ".note.gnu.property", ".note.package", ".note"]),
    ("version tables", &[".gnu.version", ".gnu.version_r", ".gnu.version_d"]),
];

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// A section's name, or what several sections do.
    pub name: String,
    /// The sections of the narrow program that are in it.
    pub narrow_sections: Vec<String>,
    /// The sections of the wide program.
    pub wide_sections: Vec<String>,
    /// Bytes in memory.
    pub size: Both,
    /// Whether it is in memory when the program runs.
    pub loaded: bool,
}

/// All sections of both.
#[derive(Clone, Debug, Serialize)]
pub struct Sections {
    /// In the order of the wide program's file, those that are loaded first.
    pub rows: Vec<Row>,
    /// What size(1) calls text: code and whatever is not written.
    pub text: Both,
    /// What is written and in the file.
    pub data: Both,
    /// What is written and zero when the program starts.
    pub bss: Both,
    /// These three together.
    pub loaded: Both,
}

pub(super) fn compare(narrow: &object::File<'_>, wide: &object::File<'_>) -> Result<Sections> {
    let mut order: Vec<(bool, String)> = Vec::new();
    let mut rows: BTreeMap<(bool, String), Row> = BTreeMap::new();
    let (mut text, mut data, mut bss) = (Both::default(), Both::default(), Both::default());
    for (object, side) in [(wide, Side::Wide), (narrow, Side::Narrow)] {
        for section in object.sections() {
            let own = String::from_utf8_lossy(section.name_bytes()?).into_owned();
            let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
            let flag = |flag: u32| sh_flags & u64::from(flag) != 0;
            let loaded = flag(object::elf::SHF_ALLOC);
            // `.tbss` is in the template of thread-local storage, and takes no memory of its own.
            if section.kind() == SectionKind::Metadata && own.is_empty() {
                continue;
            }
            let name = ALIGNED.iter().find(|(_, members)| members.contains(&own.as_str())).map_or(own.as_str(), |row| row.0);
            let key = (!loaded, name.to_owned());
            let row = rows.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Row {
                    name: name.to_owned(),
                    narrow_sections: Vec::new(),
                    wide_sections: Vec::new(),
                    size: Both::default(),
                    loaded,
                }
            });
            let size = section.size();
            side.add(&mut row.size, size);
            match side {
                Side::Narrow => row.narrow_sections.push(own),
                Side::Wide => row.wide_sections.push(own),
            }
            if loaded {
                let zero = matches!(section.kind(), SectionKind::UninitializedData | SectionKind::UninitializedTls);
                let written = flag(object::elf::SHF_WRITE) && !flag(object::elf::SHF_EXECINSTR);
                let sum = if !written {
                    &mut text
                } else if zero {
                    &mut bss
                } else {
                    &mut data
                };
                side.add(sum, size);
            }
        }
    }
    order.sort_by_key(|(unloaded, _)| *unloaded);
    let rows = order.into_iter().filter_map(|key| rows.remove(&key)).collect();
    let sum = |side: fn(&Both) -> u64| [&text, &data, &bss].into_iter().map(side).fold(0, u64::saturating_add);
    let loaded = Both { narrow: sum(|both| both.narrow), wide: sum(|both| both.wide) };
    Ok(Sections { rows, text, data, bss, loaded })
}
