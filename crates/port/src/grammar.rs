//! What yacc(1) or bison makes of a grammar for others: the header with its tokens, `y.tab.h`.

use crate::allow::without_comments;
use std::collections::HashSet;
use std::path::Path;

/// How the files of grammars end.
const EXTENSIONS: [&str; 4] = ["y", "yy", "ypp", "yxx"];

/// What declares tokens, in bison's manual "Bison Declaration Summary".
const TOKENS: [&str; 7] = ["token", "left", "right", "nonassoc", "precedence", "term", "binary"];

/// Whether a file is a grammar.
pub(crate) fn is_grammar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|other| extension == *other))
}

/// Whether a header of this name is made of that grammar: `parse.h` and `parse.tab.h` of `parse.y`, and `y.tab.h` of any.
pub(crate) fn makes(grammar: &Path, header: &Path) -> bool {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (own, made) = (stem(grammar), stem(header));
    let is_header = header.extension().is_some_and(|extension| extension.as_encoded_bytes().starts_with(b"h"));
    is_grammar(grammar) && is_header && (made == "y.tab" || made == own || made.strip_suffix(".tab") == Some(&own))
}

/// The header: tokens, and the type of their values. Nothing where a parser of C++ is made, or that type is made in another way.
pub(crate) fn header(grammar: &str) -> Option<String> {
    let text = without_comments(grammar);
    let declarations = text.split("\n%%").next().unwrap_or_default();
    if ["lalr1.cc", "glr.cc", "%language", "api.value.type", "api.prefix", "name-prefix"]
        .iter()
        .any(|other| declarations.contains(other))
    {
        return None;
    }
    let (mut tokens, mut rest): (Vec<(String, Option<u32>)>, &str) = (Vec::new(), declarations);
    let (mut before, mut union, mut known) = (String::new(), None, HashSet::new());
    while let Some((_, after)) = rest.split_once('%') {
        rest = after;
        if let Some(prologue) = rest.strip_prefix('{') {
            rest = prologue.split_once("%}").map_or("", |(_, behind)| behind);
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
        let (directive, behind) = rest.split_at(end);
        match directive {
            "union" => {
                let (body, behind) = braces(behind)?;
                union = Some(body);
                rest = behind;
            }
            "code" if behind.trim_start().starts_with("requires") || behind.trim_start().starts_with("provides") => {
                let (body, behind) = braces(behind)?;
                before.push_str(body);
                rest = behind;
            }
            "code" => rest = braces(behind)?.1,
            _ if TOKENS.contains(&directive) => {
                let list = behind.split("\n%").next().unwrap_or_default();
                rest = &behind[list.len()..];
                add(list, &mut tokens, &mut known);
            }
            _ => rest = behind,
        }
    }
    let mut next = 258;
    let constants = tokens.iter().map(|(name, number)| {
        let value = number.unwrap_or(next);
        next = value.saturating_add(1);
        format!("    {name} = {value},\n")
    });
    let constants: String = constants.collect();
    let constants = if constants.is_empty() { constants } else { format!("enum yytokentype {{\n{constants}}};\n") };
    let value = union.map_or_else(|| "int".to_owned(), |body| format!("union YYSTYPE {{{body}}}"));
    Some(format!(
        "#ifndef YY_TOKENS\n#define YY_TOKENS\n{before}\n{constants}#ifndef YYSTYPE\ntypedef {value} YYSTYPE;\n#define YYSTYPE YYSTYPE\n#endif\n\
         extern YYSTYPE yylval;\n#endif\n"
    ))
}

/// What is between the first brace and that which closes it, and what is behind.
fn braces(text: &str) -> Option<(&str, &str)> {
    let (_, body) = text.split_once('{')?;
    let mut depth = 1_usize;
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&body[..at], &body[at + 1..]));
        }
    }
    None
}

/// Adds the tokens of a list, each once: `<text> NAME NUMBER 300 "number"`.
fn add<'a>(list: &'a str, tokens: &mut Vec<(String, Option<u32>)>, known: &mut HashSet<&'a str>) {
    for word in list.split_whitespace() {
        // A tag may stand directly before a name.
        let word = word.strip_prefix('<').map_or(word, |tagged| tagged.split_once('>').map_or("", |(_, name)| name));
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let (Ok(number), Some((_, last))) = (word.parse(), tokens.last_mut()) {
            *last = Some(number);
        } else if is_name && known.insert(word) {
            tokens.push((word.to_owned(), None));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALCULATOR: &str = "%{\n#include <stdio.h>\n%token NO\n%}\n/* %token NEITHER */\n%code requires { struct node; }\n\
        %union { long number; struct { char *name; } of; }\n%token <number> NUMBER 300\n%token<name> NAME \"name\"\n%left '+' '-' PLUS\n\
        %nonassoc UNARY\n%type <number> all\n%start all\n%%\nall: NUMBER PLUS { $$ = 1 % 2; } ;\n%%\nint main(void) { return 0; }\n";

    #[test]
    fn tokens_and_the_type_of_values_are_declared() {
        let header = header(CALCULATOR).unwrap_or_default();
        assert!(header.contains("NUMBER = 300,\n    NAME = 301,\n    PLUS = 302,\n    UNARY = 303,\n}"), "{header}");
        assert!(header.contains("typedef union YYSTYPE { long number; struct { char *name; } of; } YYSTYPE;"), "{header}");
        assert!(header.contains("struct node;") && !header.contains("NO") && !header.contains("NEITHER"), "{header}");
    }

    #[test]
    fn without_a_union_values_are_numbers() {
        let header = header("%token A\n%%\nall: A;\n").unwrap_or_default();
        assert!(header.contains("A = 258") && header.contains("typedef int YYSTYPE;"), "{header}");
    }

    #[test]
    fn parsers_of_cxx_have_another_header() {
        assert_eq!(header("%skeleton \"lalr1.cc\"\n%token A\n%%\n"), None);
        assert_eq!(header("%define api.value.type variant\n%token A\n%%\n"), None);
    }

    #[test]
    fn any_part_of_a_grammar_is_read() {
        let ends = CALCULATOR.char_indices().map(|(at, _)| at);
        ends.for_each(|end| [&CALCULATOR[..end], &CALCULATOR[end..]].into_iter().for_each(|text| drop(header(text))));
    }

    #[test]
    fn a_header_is_made_of_the_grammar_of_its_name() {
        let makes = |grammar: &str, header: &str| makes(Path::new(grammar), Path::new(header));
        assert!(makes("src/spin.y", "y.tab.h") && makes("parse.y", "parse.tab.h") && makes("parse.yy", "parse.hh"));
        assert!(!makes("spin.y", "parse.tab.h") && !makes("spin.c", "y.tab.h") && !makes("spin.y", "spin.c"));
    }
}
