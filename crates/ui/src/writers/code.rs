//! The machine code of a benchmark on both sides, side by side.

use super::Format;
use anstyle::Style;
use compare::functions::{self, Function};
use compare::worker::Abi;
use serde_json::json;
use std::io::{self, Write};

/// Columns of an instruction on the left.
const LEFT: usize = 44;

/// Writes the functions of the benchmark `name` in `format`, those of 32 bits on the left. `*` marks what belongs to the work.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(name: &str, sides: [(Abi, &[Function]); 2], format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(name, sides, out),
        Format::Json => {
            let side = |(abi, functions): (Abi, &[Function])| {
                json!({
                    "abi": abi,
                    "work": functions::mix(functions),
                    "functions": functions.iter().map(|function| json!({
                        "name": function.name,
                        "instructions": function.instructions.iter().zip(&function.hot).map(|(one, hot)| json!({
                            "address": one.address, "bytes": one.length, "text": one.text, "class": one.class, "work": hot,
                        })).collect::<Vec<_>>(),
                        "calls": function.elsewhere,
                    })).collect::<Vec<_>>(),
                })
            };
            let [narrow, wide] = sides;
            let document = json!({ "schema_version": 1, "benchmark": name, "narrow": side(narrow), "wide": side(wide) });
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        }
    }
}

fn text(name: &str, sides: [(Abi, &[Function]); 2], out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let [(left_abi, left), (right_abi, right)] = sides;
    writeln!(out, "{bold}{:LEFT$}  {}{bold:#}", format!("{name} as {}", left_abi.name()), right_abi.name())?;
    for at in 0..left.len().max(right.len()) {
        let lines = |functions: &[Function]| functions.get(at).map_or_else(Vec::new, lines);
        let (left, right) = (lines(left), lines(right));
        for line in 0..left.len().max(right.len()) {
            let text = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
            writeln!(out, "{}", format!("{:LEFT$}  {}", text(&left), text(&right)).trim_end())?;
        }
        writeln!(out)?;
    }
    for (abi, functions) in sides {
        let mix = functions::mix(functions);
        writeln!(
            out,
            "{}: the work (*) is {} instructions of {} bytes, {} at a slot of the stack, {} pushes and pops, {} with vector registers",
            abi.name(),
            mix.instructions,
            mix.bytes,
            mix.slots,
            mix.pushes,
            mix.vectors
        )?;
        let mut elsewhere: Vec<&str> = functions.iter().flat_map(|function| &function.elsewhere).map(String::as_str).collect();
        elsewhere.sort_unstable();
        elsewhere.dedup();
        if !elsewhere.is_empty() {
            writeln!(out, "{}: calls {}, which is not shown", abi.name(), elsewhere.join(", "))?;
        }
    }
    Ok(())
}

fn lines(function: &Function) -> Vec<String> {
    let start = function.instructions.first().map_or(0, |one| one.address);
    let instruction = |(one, hot): (&compare::disassembly::Instruction, &bool)| {
        let mark = if *hot { '*' } else { ' ' };
        format!("{mark} {:>4x}  {}", one.address - start, one.text.replace('\t', " "))
    };
    std::iter::once(format!("{}:", function.name))
        .chain(function.instructions.iter().zip(&function.hot).map(instruction))
        .collect()
}
