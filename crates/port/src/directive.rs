//! Lines for the preprocessor, as they are written: `#ifdef A`, `# else`.

/// What a line says to the preprocessor, without the `#` and what is before the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// `if A`, `ifdef A`, `ifndef A`
    If(&'a str),
    /// `elif A`, `elifdef A`
    Elif(&'a str),
    /// `else`, with what stands behind it: `else // not ARM`.
    Else(&'a str),
    /// `endif`
    Endif,
    /// Another one: `include <a.h>`.
    Other(&'a str),
}

/// The directive that a line is.
pub(crate) fn of(line: &str) -> Option<Directive<'_>> {
    let text = line.trim_start().strip_prefix('#')?.trim();
    Some(match text {
        _ if text.starts_with("if") => Directive::If(text),
        _ if text.starts_with("elif") => Directive::Elif(text),
        _ if text.starts_with("else") => Directive::Else(text),
        _ if text.starts_with("endif") => Directive::Endif,
        _ => Directive::Other(text),
    })
}

#[cfg(test)]
mod tests {
    use super::{Directive, of};

    #[test]
    fn lines_are_told_apart_however_they_are_set() {
        assert_eq!(of("#if A\n"), Some(Directive::If("if A")));
        assert_eq!(of("  #\tifdef A // why\r\n"), Some(Directive::If("ifdef A // why")));
        assert_eq!(of("# elif defined(B)"), Some(Directive::Elif("elif defined(B)")));
        assert_eq!(of("#else /* A */"), Some(Directive::Else("else /* A */")));
        assert_eq!(of("#  endif"), Some(Directive::Endif));
        assert_eq!(of("#include <a.h>"), Some(Directive::Other("include <a.h>")));
        assert_eq!(of("#"), Some(Directive::Other("")));
        assert_eq!(of("int a; #if A"), None);
    }
}
