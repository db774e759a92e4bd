//! An answer of the worker, read: the counterpart of `worker/worker.c`.

use super::kind::{Kind, TypeKind};
use super::{Constant, Declaration, DeclarationId, Diagnostic, FileId, Macro, Node, Place, Type, TypeId, Unit, Value};
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, Read};

/// More than any file that a person has written; a worker that says more has lost its mind.
const MAX_NUMBER: usize = 20_000_000;

/// What worker.c has as MAX_DEPTH, and one.
const MAX_DEPTH: usize = 3001;

/// CXLinkage_External, CXLinkage_UniqueExternal.
const EXTERNAL: [u64; 2] = [4, 3];

/// CX_SC_Static.
const STATIC: u64 = 3;

/// How the value of a node is given.
const NO_VALUE: u64 = 0;
const SIGNED_VALUE: u64 = 1;
const UNSIGNED_VALUE: u64 = 2;
const TEXT_VALUE: u64 = 3;

/// The bytes of a number of 64 bits, at most.
const LONGEST: usize = 10;

const STOPPED: &str = "the worker has stopped";

/// Reads numbers and strings.
pub(crate) struct Decoder<R>(pub(crate) R);

impl<R: BufRead> Decoder<R> {
    fn byte(&mut self) -> Result<u8> {
        let buffer = self.0.fill_buf()?;
        let Some(&byte) = buffer.first() else { bail!(STOPPED) };
        self.0.consume(1);
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64> {
        let [number] = self.numbers()?;
        Ok(number)
    }

    /// So many numbers in a row.
    fn numbers<const COUNT: usize>(&mut self) -> Result<[u64; COUNT]> {
        let mut numbers = [0; COUNT];
        // Nearly always they are whole in what has been read already.
        let read = self.0.fill_buf()?;
        if read.len() >= COUNT * LONGEST {
            let mut rest = read.iter();
            for number in &mut numbers {
                *number = leb128(|| rest.next().copied().context(STOPPED))?;
            }
            let length = read.len() - rest.len();
            self.0.consume(length);
        } else {
            for number in &mut numbers {
                *number = leb128(|| self.byte())?;
            }
        }
        Ok(numbers)
    }

    fn signed(&mut self) -> Result<i64> {
        let value = self.number()?;
        let (half, sign) = (value >> 1, value & 1);
        let magnitude = i64::try_from(half)?;
        Ok(if sign == 1 { !magnitude } else { magnitude })
    }

    /// Nothing, where it is negative.
    fn natural(&mut self) -> Result<Option<u64>> {
        Ok(u64::try_from(self.signed()?).ok())
    }

    fn small(&mut self) -> Result<u32> {
        small(self.number()?)
    }

    fn flag(&mut self) -> Result<bool> {
        Ok(self.number()? != 0)
    }

    pub(crate) fn text(&mut self) -> Result<String> {
        let length = self.number()?;
        ensure!(length <= MAX_NUMBER as u64, "the worker's answer is damaged: a text of {length} bytes");
        let read = self.0.fill_buf()?;
        let bytes = match usize::try_from(length).ok().and_then(|length| read.get(..length)) {
            Some(whole) => {
                let bytes = whole.to_vec();
                self.0.consume(bytes.len());
                bytes
            }
            None => {
                let mut bytes = Vec::new();
                self.0.by_ref().take(length).read_to_end(&mut bytes)?;
                ensure!(bytes.len() as u64 == length, STOPPED);
                bytes
            }
        };
        // A name may have been cut within a character, and a file may be in any encoding.
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    fn place(&mut self) -> Result<Place> {
        let [file, start, length, macro_file] = self.numbers()?;
        let (start, macro_file) = (small(start)?, small(macro_file)?);
        let macro_text = if macro_file == 0 { None } else { Some((FileId(macro_file), self.small()?)) };
        Ok(Place { file: FileId(small(file)?), start, end: start.saturating_add(small(length)?), macro_text })
    }

    /// The answer to one request.
    pub(crate) fn unit(&mut self) -> Result<Unit> {
        let mut unit = Unit { files: vec![String::new()], ..Unit::default() };
        slot(&mut unit.types, 0)?;
        slot(&mut unit.declarations, 0)?;
        let mut open: Vec<usize> = Vec::new();
        loop {
            match self.byte()? {
                0 => break,
                1 => unit.files.push(self.text()?),
                2 => self.type_(&mut unit)?,
                3 => self.declaration(&mut unit)?,
                4 => {
                    // The worker goes no deeper, and whoever walks the tree has a stack for that.
                    ensure!(open.len() <= MAX_DEPTH, "the worker's answer is damaged: {MAX_DEPTH} nodes in one another");
                    open.push(unit.nodes.len());
                    let node = self.node()?;
                    unit.nodes.push(node);
                }
                5 => {
                    let Some(node) = open.pop() else { bail!("the worker's answer is damaged: up from nowhere") };
                    unit.nodes[node].next = u32::try_from(unit.nodes.len())?;
                }
                6 => {
                    let severity = u8::try_from(self.number()?)?;
                    let (option, text) = (self.text()?, self.text()?);
                    let (place, in_system_header, is_of_instantiation) = (self.place()?, self.flag()?, self.flag()?);
                    unit.diagnostics.push(Diagnostic { severity, option, text, place, in_system_header, is_of_instantiation });
                }
                7 => {
                    let file = FileId(self.small()?);
                    let in_system = self.flag()?;
                    unit.inclusions.push((file, in_system));
                }
                8 => bail!("libclang cannot read it: {}", failure(self.number()?)),
                9 => {
                    let (owner, text, number) = (self.small()?, self.text()?, self.small()?);
                    let owner = slot(&mut unit.declarations, owner)?;
                    if text == "overrides" {
                        owner.overrides.push(DeclarationId(number));
                    } else {
                        owner.attributes.push(text);
                    }
                }
                12 => {
                    let function = DeclarationId(self.small()?);
                    let in_linkage_specification = self.flag()?;
                    unit.symbols.push((function, in_linkage_specification));
                }
                other => bail!("the worker's answer is damaged: a record {other}"),
            }
            ensure!(unit.nodes.len() <= MAX_NUMBER, "it has more than {MAX_NUMBER} expressions and statements");
        }
        ensure!(open.is_empty(), "the worker's answer is damaged: the tree has no end");
        check(&unit)?;
        Ok(unit)
    }

    /// The answer to a request for macros: those of which there are definitions, and the values of variables.
    pub(crate) fn macros(&mut self) -> Result<crate::worker::Macros> {
        let (mut macros, mut constants) = (Vec::new(), Vec::new());
        loop {
            match self.byte()? {
                0 => return Ok((macros, constants)),
                8 => bail!("libclang cannot read it: {}", failure(self.number()?)),
                10 => {
                    let (name, is_function) = (self.text()?, self.flag()?);
                    let tokens = (0..self.number()?).map(|_| self.text()).collect::<Result<_>>()?;
                    macros.push(Macro { name, is_function, tokens });
                }
                11 => {
                    let name = self.text()?;
                    let value = match self.number()? {
                        0 => Constant::Integer(self.signed()?.into()),
                        1 => Constant::Integer(self.number()?.into()),
                        2 => Constant::Floating(f64::from_bits(self.number()?)),
                        3 => Constant::Text(self.text()?),
                        other => bail!("the worker's answer is damaged: a constant {other}"),
                    };
                    constants.push((name, value));
                }
                other => bail!("the worker's answer is damaged: a record {other}"),
            }
            ensure!(macros.len().max(constants.len()) <= MAX_NUMBER, "it has more than {MAX_NUMBER} macros");
        }
    }

    fn type_(&mut self, unit: &mut Unit) -> Result<()> {
        let number = self.small()?;
        let mut of = Type {
            kind: TypeKind::from_number(self.number()?),
            spelling: self.text()?,
            canonical: TypeId(self.small()?),
            size: self.natural()?,
            alignment: self.natural()?,
            inner: TypeId(self.small()?),
            count: self.natural()?,
            declaration: DeclarationId(self.small()?),
            is_const: self.flag()?,
            is_variadic: self.flag()?,
            arguments: Vec::new(),
        };
        for _ in 0..self.number()? {
            of.arguments.push(TypeId(self.small()?));
        }
        *slot(&mut unit.types, number)? = of;
        Ok(())
    }

    fn declaration(&mut self, unit: &mut Unit) -> Result<()> {
        let number = self.small()?;
        let kind = Kind::from_number(self.number()?);
        let name = self.text()?;
        let (type_id, underlying) = (TypeId(self.small()?), TypeId(self.small()?));
        let parent = DeclarationId(self.small()?);
        let (place, name_start) = (self.place()?, self.small()?);
        let in_system_header = self.flag()?;
        let is_external = EXTERNAL.contains(&self.number()?);
        let storage = self.number()?;
        let (offset, bits, value) = (self.natural()?, self.natural()?, self.signed()?);
        let into = slot(&mut unit.declarations, number)?;
        let fields = std::mem::take(&mut into.fields);
        *into = Declaration {
            kind,
            name,
            type_id,
            underlying,
            parent,
            place,
            name_start,
            in_system_header,
            is_external,
            is_static: storage == STATIC,
            offset,
            bits,
            value,
            fields,
            attributes: Vec::new(),
            overrides: Vec::new(),
        };
        if kind == Kind::Field && parent.0 != 0 {
            slot(&mut unit.declarations, parent.0)?.fields.push(DeclarationId(number));
        }
        Ok(())
    }

    fn node(&mut self) -> Result<Node> {
        let [kind, type_id, declaration, operator] = self.numbers()?;
        let kind = Kind::from_number(kind);
        let (type_id, declaration, operator) =
            (TypeId(small(type_id)?), DeclarationId(small(declaration)?), u8::try_from(operator)?);
        let place = self.place()?;
        let value = match self.number()? {
            NO_VALUE => None,
            SIGNED_VALUE => Some(Value::Integer(self.signed()?.into())),
            UNSIGNED_VALUE => Some(Value::Integer(self.number()?.into())),
            TEXT_VALUE => {
                let text = self.text()?;
                let inside = text.split_once('"').map_or("", |(_, text)| text.strip_suffix('"').unwrap_or(text));
                // A name is as it is, a literal has its quotes.
                Some(Value::Text(if kind == Kind::OverloadedRef { text } else { inside.to_owned() }))
            }
            other => bail!("the worker's answer is damaged: a value {other}"),
        };
        Ok(Node { kind, type_id, declaration, operator, place, value, next: 0 })
    }
}

/// A number of LEB128, without a sign.
#[inline]
fn leb128(mut next: impl FnMut() -> Result<u8>) -> Result<u64> {
    let mut value = 0;
    for at in 0..LONGEST {
        let byte = next()?;
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    bail!("the worker's answer is damaged: a number without end")
}

fn small(number: u64) -> Result<u32> {
    u32::try_from(number).map_err(|_| anyhow::anyhow!("the worker's answer is damaged: {number} where a small number belongs"))
}

/// That with this number, made if it has not been spoken of before.
fn slot<Item: Clone + Default>(items: &mut Vec<Item>, number: u32) -> Result<&mut Item> {
    let at = number as usize;
    ensure!(at <= MAX_NUMBER && at <= items.len() * 2 + (1 << 16), "the worker's answer is damaged: number {number}");
    if at >= items.len() {
        items.resize(at + 1, Item::default());
    }
    Ok(&mut items[at])
}

/// Every number that is followed later leads somewhere.
fn check(unit: &Unit) -> Result<()> {
    let file = |place: &Place| {
        (place.file.0 as usize) < unit.files.len()
            && place.macro_text.is_none_or(|(file, _)| (file.0 as usize) < unit.files.len())
    };
    let type_ = |id: TypeId| (id.0 as usize) < unit.types.len();
    let declaration = |id: DeclarationId| (id.0 as usize) < unit.declarations.len();
    let types = unit.types.iter().all(|of| {
        type_(of.canonical) && type_(of.inner) && declaration(of.declaration) && of.arguments.iter().all(|id| type_(*id))
    });
    let declarations = unit.declarations.iter().all(|of| {
        type_(of.type_id)
            && type_(of.underlying)
            && declaration(of.parent)
            && file(&of.place)
            && of.fields.iter().chain(&of.overrides).all(|id| declaration(*id))
    });
    let nodes = unit.nodes.iter().all(|node| type_(node.type_id) && declaration(node.declaration) && file(&node.place));
    let rest = unit.diagnostics.iter().all(|of| file(&of.place))
        && unit.inclusions.iter().all(|(id, _)| (id.0 as usize) < unit.files.len())
        && unit.symbols.iter().all(|(id, _)| declaration(*id));
    ensure!(types && declarations && nodes && rest, "the worker's answer is damaged: a number leads nowhere");
    Ok(())
}

/// CXErrorCode.
fn failure(code: u64) -> &'static str {
    match code {
        2 => "it has crashed, or needs more than 1536 MiB of memory",
        3 => "it does not understand the arguments",
        4 => "the file cannot be read, or has nothing that it can parse",
        _ => "it does not say why",
    }
}
