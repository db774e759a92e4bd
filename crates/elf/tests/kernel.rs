//! Kernel images: every wrapper around the same kernel, and what is none.
//!
//! The kernel here is a banner, a configuration and a vDSO: all that is looked for. Debian's kernels are in the tests of
//! `biarch check`.
#![allow(clippy::unwrap_used, missing_docs)]

use elf::compression::Compression;
use elf::kernel::{Error, Image, image, is_image, unpack};
use elf::{Class, Depth, details};
use proptest::prelude::*;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A shared object for 32-bit ARM with a soname and a function, at address 0.
fn vdso() -> Vec<u8> {
    let full = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let strings = b"\0linux-vdso.so.1\0__vdso_clock_gettime64\0";
    let (strings_at, symbols_at, hash_at, dynamic_at) = (0x100, 0x140, 0x180, 0x1a0);
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x28\0\x01\0\0\0".to_vec();
    file.extend(full(&[0, 52, 0, 0x0500_0000]));
    file.extend([52u16, 32, 2, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()));
    file.extend(full(&[1, 0, 0, 0, 0x200, 0x200, 5, 0x1000]));
    file.extend(full(&[2, dynamic_at, dynamic_at, dynamic_at, 48, 48, 4, 4]));
    file.resize(0x200, 0);
    let mut put = |at: u32, bytes: &[u8]| {
        let at = usize::try_from(at).unwrap();
        file[at..at + bytes.len()].copy_from_slice(bytes);
    };
    put(strings_at, strings);
    put(symbols_at + 16, &full(&[17, 0x10, 4, 0x0001_0012]));
    put(hash_at, &full(&[1, 2]));
    let length = u32::try_from(strings.len()).unwrap();
    put(dynamic_at, &full(&[14, 1, 5, strings_at, 10, length, 6, symbols_at, 4, hash_at, 0, 0]));
    file
}

/// An arm64 Image with all that is looked for.
fn kernel() -> Vec<u8> {
    let mut image = b"MZ".to_vec();
    image.resize(0x38, 0);
    image.extend(b"ARM\x64");
    image.resize(0x1000, 0);
    image.extend(b"Linux version %s (%s)\0Linux version 6.12.1-test (me@here) #1 SMP\n\0");
    image.resize(0x2000, 0);
    image.extend(vdso());
    image.resize(0x3000, 0);
    image.extend(b"IKCFG_ST");
    image.extend(gzip(b"# Linux/arm64 6.12.1 Kernel Configuration\nCONFIG_ARM64=y\n"));
    image.extend(b"IKCFG_ED");
    image.resize(0x4000, 0);
    image
}

#[track_caller]
fn is_whole(found: &Image, format: &[&str]) {
    assert_eq!(found.format, format);
    assert_eq!(found.release(), Some("6.12.1-test"));
    assert_eq!(found.machine, Some(elf::EM_AARCH64));
    assert!(found.config.as_deref().unwrap().contains("CONFIG_ARM64=y"));
    assert_eq!(found.vdsos.len(), 1);
    assert_eq!((found.vdsos[0].class, found.vdsos[0].machine), (Class::Elf32, elf::EM_ARM));
    assert_eq!(found.vdsos[0].symbols, ["__vdso_clock_gettime64"]);
}

#[test]
fn an_image_as_it_is() {
    is_whole(&image(&kernel()).unwrap(), &["Image"]);
}

#[test]
fn an_image_in_gzip() {
    is_whole(&image(&gzip(&kernel())).unwrap(), &["gzip", "Image"]);
}

#[test]
fn an_image_in_zboot() {
    let payload = gzip(&kernel());
    let mut zboot = b"MZ\0\0zimg".to_vec();
    zboot.extend(512u32.to_le_bytes());
    zboot.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
    zboot.resize(24, 0);
    zboot.extend(b"gzip\0");
    zboot.resize(512, 0);
    zboot.extend(&payload);
    is_whole(&image(&zboot).unwrap(), &["zboot", "gzip", "Image"]);
    zboot.truncate(600);
    assert_eq!(image(&zboot), Err(Error::Damaged("its payload lies beyond its end")));
}

#[test]
fn an_image_in_a_legacy_header_of_u_boot() {
    let mut legacy = b"\x27\x05\x19\x56".to_vec();
    legacy.resize(30, 0);
    legacy.push(2);
    legacy.resize(64, 0);
    legacy.extend(gzip(&kernel()));
    is_whole(&image(&legacy).unwrap(), &["uImage", "gzip", "Image"]);
}

/// A flattened image tree with one property of this name and value.
fn fit(properties: &[(&str, &[u8])]) -> Vec<u8> {
    let mut strings = Vec::new();
    let mut tree = [1u32.to_be_bytes(), [0; 4]].concat();
    for (name, value) in properties {
        let numbers = [3, u32::try_from(value.len()).unwrap(), u32::try_from(strings.len()).unwrap()];
        tree.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        tree.extend(*value);
        tree.resize(tree.len().next_multiple_of(4), 0);
        strings.extend(name.as_bytes());
        strings.push(0);
    }
    tree.extend([2u32, 9].iter().flat_map(|token| token.to_be_bytes()));
    let total = 40 + tree.len() + strings.len();
    let header = [0xd00d_feed, total, 40, 40 + tree.len(), 0, 17, 16, 0, 0, 0];
    let mut file: Vec<u8> = header.iter().flat_map(|number| u32::try_from(*number).unwrap().to_be_bytes()).collect();
    file.extend(tree);
    file.extend(strings);
    file
}

#[test]
fn an_image_in_an_image_tree() {
    let packed = gzip(&kernel());
    is_whole(&image(&fit(&[("description", b"x\0"), ("data", &packed)])).unwrap(), &["FIT", "gzip", "Image"]);
    // Outside of the tree, behind it.
    let size = u32::try_from(packed.len()).unwrap().to_be_bytes();
    let mut outside = fit(&[("data-offset", &[0; 4]), ("data-size", &size)]);
    outside.resize(outside.len().next_multiple_of(4), 0);
    outside.extend(&packed);
    is_whole(&image(&outside).unwrap(), &["FIT", "gzip", "Image"]);
    assert_eq!(image(&fit(&[("data", b"a ramdisk")])), Err(Error::Damaged("no file in it is a kernel")));
}

#[test]
fn an_image_in_the_boot_protocol_of_x86() {
    let payload = gzip(&kernel());
    let mut boot = vec![0; 0x400];
    boot[0x1f1] = 1;
    boot[0x202..0x206].copy_from_slice(b"HdrS");
    boot[0x248..0x24c].copy_from_slice(&16u32.to_le_bytes());
    boot[0x24c..0x250].copy_from_slice(&u32::try_from(payload.len()).unwrap().to_le_bytes());
    boot.resize(0x400 + 16, 0);
    boot.extend(payload);
    is_whole(&image(&boot).unwrap(), &["bzImage", "gzip", "Image"]);
}

#[test]
fn wrappers_around_wrappers_have_an_end() {
    let mut wrapped = kernel();
    for _ in 0..9 {
        wrapped = gzip(&wrapped);
    }
    assert!(matches!(image(&wrapped), Err(Error::Damaged(_))));
}

#[test]
fn a_thousand_files_in_one_image_are_not_all_unpacked() {
    // 64 MiB of nothing each: one kernel among them is not looked for to the end.
    let bomb = gzip(&vec![0; 64 << 20]);
    let properties = vec![("data", bomb.as_slice()); 1000];
    assert_eq!(image(&fit(&properties)), Err(Error::TooLarge));
    let mut zimage = vec![0; 0x24];
    zimage.extend(b"\x18\x28\x6f\x01");
    zimage.extend(b"\x1f\x8b\x08".repeat(10_000));
    assert_eq!(image(&zimage), Err(Error::Damaged("nothing in it can be unpacked")));
}

#[test]
fn what_is_no_kernel_is_refused() {
    assert_eq!(image(b""), Err(Error::NotKernel));
    assert_eq!(image(b"#!/bin/sh\n"), Err(Error::NotKernel));
    assert!(!is_image(b"\x7fELF"));
    let program = std::fs::read("/proc/self/exe").unwrap();
    assert!(!is_image(&program), "a program is in the lower half of the address space");
    assert!(matches!(image(b"\x89LZO\0\r\n\x1a\n"), Err(Error::Damaged(_))));
}

#[test]
fn memory_that_a_header_asks_for_is_limited() {
    // A zstd frame whose window has 512 MiB is refused, the same with 2 MiB is not.
    for (header, result) in [(&b"\x28\xb5\x2f\xfd\x00\x98"[..], false), (b"\x28\xb5\x2f\xfd\x00\x58", true)] {
        let mut zstd = header.to_vec();
        for last in [0, 0, 1] {
            // A block of 128 KiB of one byte: last or not, type 1, size.
            zstd.extend((last | 1 << 1 | (128u32 << 10) << 3).to_le_bytes()[..3].iter());
            zstd.push(b'x');
        }
        assert_eq!(unpack(&zstd, Compression::Zstd).is_ok_and(|unpacked| unpacked.len() == 384 << 10), result);
    }
    // A stream of lzma whose dictionary has 4 GiB.
    let lzma = b"\x5d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0";
    assert!(unpack(lzma, Compression::Lzma).is_err());
    // lz4: a block that says 4 GiB
    assert!(unpack(b"\x02\x21\x4c\x18\xff\xff\xff\xff\0\0", Compression::Lz4Legacy).is_err());
}

#[test]
fn symbols_are_found_by_each_of_their_tables() {
    let found = details(vdso().as_slice(), Depth::Symbols).unwrap();
    assert_eq!(found.exports, ["__vdso_clock_gettime64"]);
    assert_eq!(found.soname.as_deref(), Some("linux-vdso.so.1"));
    assert_eq!(found.damage, [] as [&str; 0]);
    // Without DT_HASH, and without sections, nothing says how many there are.
    let mut bare = vdso();
    bare[0x1a0 + 32] = 0x7e;
    let found = details(bare.as_slice(), Depth::Symbols).unwrap();
    assert_eq!(found.damage, ["the number of its dynamic symbols cannot be found"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_to_an_image_is_fatal(
        changes in prop::collection::vec((0usize..0x3100, any::<u8>()), 0..8),
        near in prop::collection::vec((0usize..0x200, any::<u8>()), 0..8),
        wrap in 0..4,
        length in prop::option::of(0usize..0x4000),
    ) {
        let mut bytes = kernel();
        for (at, value) in changes {
            bytes[at] = value;
        }
        for (at, value) in near {
            bytes[0x2000 + at] = value;
        }
        bytes.truncate(length.unwrap_or(bytes.len()));
        let bytes = match wrap {
            0 => bytes,
            1 => gzip(&bytes),
            2 => fit(&[("data", &bytes)]),
            _ => { let mut packed = fit(&[("data", &gzip(&bytes))]); let middle = packed.len() / 2; packed[middle] ^= 0x55; packed }
        };
        let _ = image(&bytes);
    }

    #[test]
    fn no_bytes_behind_a_beginning_are_fatal(
        magic in prop::sample::select(vec![
            &b"\x1f\x8b\x08"[..], b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x02\x21\x4c\x18", b"\x5d\0\0\x80", b"\xd0\x0d\xfe\xed",
            b"\x27\x05\x19\x56", b"MZ\0\0zimg", b"\x7fELF\x02\x01\x01", b"\x7fELF\x01\x02\x01",
        ]),
        rest in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let bytes = [magic, &rest].concat();
        let _ = image(&bytes);
        let _ = details(bytes.as_slice(), Depth::Symbols);
    }
}
