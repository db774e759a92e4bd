//! How sure a finding can be in a file of which the compiler has not understood everything: where a header is missing, or an option.

use crate::ast::kind::Kind;
use crate::ast::{Declaration, Diagnostic, Place, Unit};
use crate::compiler::Language;
use crate::missing;
use crate::pair::WIDE;
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;

/// Errors in one file, for both word sizes together.
const BROKEN: usize = 40;
/// What the compiler says of a number that only 64 bits have, of a field that only a `long` of 64 bits has room for, and of what the source
/// asserts itself.
const NEEDS_WIDE: [&str; 3] = ["int128", "exceeds the width of its type", "static assertion failed"];

/// How deep the types of members are looked into: in a damaged tree a structure may be in itself.
const NESTED: usize = 3;

impl<'a> Tree<'a> {
    /// Whether the compiler had to guess at types: what it does not know becomes `int`.
    pub(crate) fn is_guessed(&self) -> bool {
        self.errors().any(|(_, said)| said.text.contains("unknown type name"))
    }

    /// Whether it needs 64 bits: what it asks of the compiler is refused for 32, and not for 64.
    fn is_only_wide(&self) -> bool {
        let needs = |said: &&Diagnostic| said.severity >= 3 && NEEDS_WIDE.iter().any(|text| said.text.contains(text));
        let is_same = |said: &Diagnostic, other: &Diagnostic| (&said.text, said.place.start) == (&other.text, other.place.start);
        let [narrow, wide] = self.units.map(|unit| unit.diagnostics.iter().filter(needs));
        narrow.into_iter().any(|said| !wide.clone().any(|other| is_same(said, other)))
    }

    /// Whether names are missing that its own options would give it. With those it is compiled, whatever clang does not understand.
    fn is_incomplete(&self) -> bool {
        let names = ["use of undeclared identifier", "no member named"];
        !self.is_configured && self.errors().any(|(_, said)| names.iter().any(|name| said.text.contains(name)))
    }

    /// Whether so much of it is damaged that most likely it is compiled with options that nobody knows.
    fn is_broken(&self) -> bool {
        !self.is_configured && self.errors().filter(|(unit, said)| is_source(unit, said)).count() >= BROKEN
    }

    /// Whether a header that it includes itself is nowhere. Without one of a library only what that has is not known.
    fn is_torn(&self) -> bool {
        let misses = |said: &Diagnostic| missing::name(said).is_some_and(|name| !missing::is_of_library(name));
        !self.is_configured && self.errors().any(|(unit, said)| misses(said) && is_source(unit, said))
    }

    /// Whether the headers that it lacks say only how it is to be compiled, by their names: `config.h`.
    fn lacks_only_options(&self) -> bool {
        let mut lacked = self.errors().filter_map(|(_, said)| missing::name(said)).filter(|name| !missing::is_of_library(name));
        lacked.all(|name| name.ends_with("config.h"))
    }

    /// Whether a header of a library is missing, which is most likely not installed.
    fn lacks_library(&self) -> bool {
        self.errors().any(|(_, said)| missing::name(said).is_some_and(missing::is_of_library))
    }

    /// Whether a header is nowhere, whoever includes it.
    pub(crate) fn misses_header(&self) -> bool {
        self.errors().any(|(_, said)| missing::name(said).is_some())
    }

    /// Whether it is most likely a file of another system: it includes a header that is nowhere and is not of a library that is only not
    /// installed, or uses types that no header has. One that is included in quotes is the project's, and made when it is built: without it
    /// nothing is known. What is refused for 32 bits nobody has run there.
    pub(crate) fn seems_foreign(&self) -> bool {
        if self.is_only_wide() {
            return true;
        }
        let misses = |said: &Diagnostic| missing::name(said).is_some();
        let is_strange = |said: &Diagnostic| match missing::name(said) {
            Some(name) => !missing::is_of_library(name),
            // With a library's header its types are missing.
            None => !self.lacks_library() && said.text.contains("unknown type name"),
        };
        // Where the project says itself what a `size_t` is, there is mostly no library of the system's.
        let unit = self.units[WIDE];
        let is_systems = |path: &str| path.starts_with("/usr/") || path.contains("stddef");
        let is_size = |of: &Declaration| of.kind == Kind::Typedef && of.name == "size_t" && !is_systems(unit.file(of.place.file));
        let is_others = |said: &Diagnostic| missing::name(said).is_some_and(missing::is_of_other_system);
        if unit.declarations.iter().any(is_size) || self.errors().any(|(unit, said)| is_others(said) && is_source(unit, said)) {
            return true;
        }
        !self.is_configured
            && !self.errors().any(|(unit, said)| misses(said) && missing::is_quoted(unit, said.place))
            && self.errors().any(|(unit, said)| is_strange(said) && is_source(unit, said))
    }

    /// How sure a finding is that would be this sure where everything is known.
    pub(crate) fn doubt(&self, confidence: Confidence) -> Confidence {
        match confidence {
            _ if self.is_foreign || self.is_torn() || self.is_broken() => Confidence::Possible,
            confidence if !self.is_guessed() && !self.is_incomplete() => confidence,
            confidence => confidence.lower(),
        }
    }

    fn errors(&self) -> impl Iterator<Item = (&Unit, &Diagnostic)> {
        let of = |unit: &'a Unit| unit.diagnostics.iter().filter(|said| said.severity >= 3).map(move |said| (unit, said));
        self.units.into_iter().flat_map(of)
    }

    /// Whether the compiler refuses something at this place, for 64 bits.
    fn refuses(&self, place: Place) -> bool {
        let is_in = |at: Place| at.file == place.file && (place.start..place.end).contains(&at.start);
        self.units[WIDE].diagnostics.iter().any(|said| said.severity >= 3 && is_in(said.place))
    }
}

impl Expression<'_> {
    /// How sure a finding is here that would be this sure where everything is known: what the compiler does not understand elsewhere in the file
    /// leaves a function as it is that names none of it.
    pub(crate) fn doubt(self, confidence: Confidence) -> Confidence {
        let tree = self.tree();
        match confidence {
            _ if tree.is_foreign => Confidence::Possible,
            confidence if !(tree.is_guessed() || tree.is_incomplete() || tree.is_torn() || tree.is_broken()) => confidence,
            // Of the many errors of a file that lacks a library's header most come from that.
            confidence if self.is_understood() => match () {
                () if tree.is_torn() && !tree.lacks_only_options() => Confidence::Possible,
                () if tree.is_broken() && !tree.lacks_library() => Confidence::Possible,
                () if tree.is_torn() => confidence.lower(),
                () => confidence,
            },
            confidence => tree.doubt(confidence),
        }
    }

    /// Whether the compiler had to guess at types, here or in what is named here: what it does not know becomes `int`.
    pub(crate) fn is_guessed(self) -> bool {
        self.tree().is_guessed() && !self.is_understood()
    }

    /// Whether the compiler refuses nothing in this function, or in this type that is in none, nor in what declares anything that is
    /// named in it.
    fn is_understood(self) -> bool {
        let tree = self.tree();
        // What is in the body of a function that is called does not matter.
        let is_of_body = |of: &Declaration| {
            let mut defined = tree.functions().filter(|function| function.body().is_some());
            let found = defined.find(|function| function.declaration().is_some_and(|other| std::ptr::eq(other, of)));
            found.is_some_and(|function| !function.has_damaged_head())
        };
        let is_refused = |of: &Declaration| tree.refuses(of.place) && !is_of_body(of);
        let is_odd = |part: Self| {
            let types = part.types();
            let records = [Some(types), types.inner()].into_iter().flatten().filter_map(Types::record);
            types.is_damaged() || part.declaration().into_iter().chain(records.map(|[_, wide]| wide)).any(is_refused)
        };
        let record = || self.ancestors().filter(|outer| outer.kind().is_record()).last();
        let whole = self.function().or_else(record).unwrap_or(self);
        !tree.refuses(whole.place()) && !whole.descendants().any(is_odd)
    }

    /// Whether its type, or that of what it converts, is one that the compiler has not understood, or it is in a function of which the
    /// compiler does not understand what it takes and returns.
    pub(crate) fn is_damaged(self) -> bool {
        let is_clean = self.tree().errors().next().is_none();
        !is_clean
            && (self.types().is_damaged()
                || self.converted().is_some_and(|inner| inner.types().is_damaged())
                || self.function().is_some_and(Self::has_damaged_head))
    }

    /// Whether the compiler refuses something between the beginning of a function and its body.
    fn has_damaged_head(self) -> bool {
        self.body().is_some_and(|body| self.tree().refuses(Place { end: body.place().start, ..self.place() }))
    }
}

impl Types<'_> {
    /// Whether it has its name by a typedef that the compiler has not understood, or a member that has: what it does not know becomes `int`.
    fn is_damaged(self) -> bool {
        self.is_damaged_in(NESTED)
    }

    fn is_damaged_in(self, levels: usize) -> bool {
        let is_array = self.canonical(WIDE).count.is_some();
        self.typedefs().any(|of| self.tree.refuses(of.place))
            || levels > 0
                && (is_array && self.inner().is_some_and(|of| of.is_damaged_in(levels - 1))
                    || self.fields().any(|(_, of)| of.is_damaged_in(levels - 1)))
    }
}

/// Whether it is said of a source, and not of a header.
fn is_source(unit: &Unit, said: &Diagnostic) -> bool {
    Language::of_file(unit.file(said.place.file)).is_some()
}
