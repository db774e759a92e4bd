//! A method overrides another on one side only
//!
//! # What
//! A method overrides a virtual one of a base class for one word size, and for the other it does not, because their parameters are not
//! of the same type: `unsigned` and `size_t`, `long` and `int32_t`.
//!
//! # Why
//! Where it does not override, it hides: whoever calls it through the base class gets the base's own. The compiler says nothing unless
//! the method is marked `override`.
//!
//! # Example
//! Bad:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! struct Sink { virtual ~Sink(); virtual void put(size_t size); };
//! struct File : Sink { void put(unsigned int size); };
//! ```
//!
//! Good:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! struct Sink { virtual ~Sink(); virtual void put(size_t size); virtual void put(char c); };
//! struct File : Sink { void put(size_t size) override; };
//! ```
//!
//! # Fix
//! Give it the parameters of the base's method, and mark it `override`.
//!
//! # References
//! - CWE-704
//! - \[class.virtual\] of the C++ standard

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Method], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some([narrow, wide]) = node.declarations() else { return };
    if narrow.overrides.is_empty() == wide.overrides.is_empty() {
        return;
    }
    // Where the compiler did not understand one of the sides, that is the difference.
    if node.tree().units.iter().any(|unit| unit.diagnostics.iter().any(|said| said.severity >= 3)) {
        return;
    }
    let units = node.tree().units;
    let text = |side: usize, of: &crate::ast::Declaration| {
        let base = of.overrides.first().map(|id| units[side].declaration(*id));
        match base {
            Some(base) => format!("overrides {}", units[side].get_type(base.type_id).spelling),
            None => "overrides nothing".to_owned(),
        }
    };
    let message = format!("`{}` overrides a virtual method for one word size only", wide.name);
    found.report(node, Confidence::Certain, message, [text(NARROW, narrow), text(WIDE, wide)]);
}
