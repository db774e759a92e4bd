//! Yocto: a multilib is not set up, or is not for another ABI
//!
//! # What
//! MULTILIBS has a variant for which conf/multilib.conf is not included, or no DEFAULTTUNE is set that counts.
//!
//! # Why
//! Three settings belong together. Without multilib.conf MULTILIBS has no effect, and there is no lib32- recipe at all.
//! Without a DEFAULTTUNE of its own the variant is built for the same ABI as everything else, which the build's own checks
//! refuse. DEFAULTTUNE_virtclass-multilib-lib32, as tutorials from before Yocto 3.4 have it, is an ordinary variable
//! that nobody reads: overrides are separated by colons since then.
//!
//! # Fix
//! All three in conf/local.conf, or in the distribution's file:
//!
//! ```text
//! require conf/multilib.conf
//! MULTILIBS = "multilib:lib32"
//! DEFAULTTUNE:virtclass-multilib-lib32 = "armv7athf-neon"
//! ```
//!
//! # References
//! - The Yocto Project's Development Tasks Manual, "Using Multilib"; Migration Guide 3.4, "Override syntax changes"
//! - OE-core's meta/classes-global/sanity.bbclass, check_sanity_tune and multilibs

use super::Found;
use crate::facts::Facts;
use crate::fixes;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in &facts.trees {
        for multilib in &tree.multilibs {
            let variant = &multilib.variant;
            let mut lines = String::new();
            let mut evidence = Vec::new();
            if tree.multilib_conf.is_none() {
                lines.push_str("require conf/multilib.conf\n");
                evidence.push(format!("MULTILIBS has multilib:{variant}, and nothing includes conf/multilib.conf"));
            }
            if multilib.tune.is_none() {
                evidence.push(format!("nothing sets DEFAULTTUNE:virtclass-multilib-{variant}"));
                evidence.extend(tree.old_override.iter().map(|old| format!("{old} is the syntax of before Yocto 3.4")));
                if tree.arm64.is_some() {
                    lines.push_str(&format!("DEFAULTTUNE:virtclass-multilib-{variant} = \"armv7athf-neon\"\n"));
                }
            }
            if !evidence.is_empty() {
                let message = format!("the multilib {variant} does not work, and what needs it is not built");
                let patch = (!lines.is_empty()).then(|| fixes::multilib(tree, lines)).flatten();
                found.add(&tree.name, message, evidence.join("; ")).patch = patch;
            }
        }
    }
}
