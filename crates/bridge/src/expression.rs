//! Lengths: expressions of names, numbers, `+`, `-`, `*`, parentheses and calls.

/// The expression in C, with `name` for each name; or what is wrong with it. It is computed in 128 bits, so that nothing overflows.
pub(crate) fn in_c(text: &str, mut name: impl FnMut(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text.trim();
    // Parentheses that are open since the name of a function: arguments stay as they are.
    let mut in_call = 0;
    let mut stars = String::new();
    let mut is_operand = true;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if is_word(first) {
            let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
            rest = after;
            if first.is_ascii_digit() {
                word.parse::<u32>().map_err(|_| format!("has the number {word}, which is none"))?;
                out.push_str(word);
            } else {
                let found = name(word).ok_or_else(|| format!("names `{word}`, which is not there"))?;
                let is_call = rest.trim_start().starts_with('(');
                match (is_call, in_call) {
                    (true, 0) => out.push_str(&format!("(__int128){stars}{found}")),
                    // There may be no number.
                    (false, 0) if stars == "*" => out.push_str(&format!("(__int128)({found}?*{found}:0)")),
                    (false, 0) => out.push_str(&format!("(__int128)({stars}{found})")),
                    _ => out.push_str(&format!("{stars}{found}")),
                }
                in_call += usize::from(is_call && in_call == 0);
            }
            stars.clear();
            is_operand = false;
            continue;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        match first {
            ' ' => continue,
            '*' if is_operand => {
                stars.push('*');
                continue;
            }
            '(' if in_call > 0 => in_call += 1,
            ')' if in_call > 0 => in_call -= if in_call == 2 { 2 } else { 1 },
            '(' | ')' | '+' | '-' | '*' | ',' => {}
            _ => return Err(format!("has `{first}`, and may have names, numbers, + - * and parentheses only")),
        }
        is_operand = first != ')';
        out.push(first);
    }
    let balanced = out.matches('(').count() == out.matches(')').count();
    if out.is_empty() || is_operand || !stars.is_empty() || !balanced { Err("is no expression".to_owned()) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::in_c;

    #[test]
    fn names_are_replaced_and_what_is_no_length_is_refused() {
        let known = |name: &str| ["n", "size", "f"].contains(&name).then(|| format!("a_{name}"));
        assert_eq!(in_c("n * size + 1", known).as_deref(), Ok("(__int128)(a_n)*(__int128)(a_size)+1"));
        assert_eq!(in_c("*n", known).as_deref(), Ok("(__int128)(a_n?*a_n:0)"));
        assert_eq!(in_c("f(n, size) * 2", known).as_deref(), Ok("(__int128)a_f(a_n,a_size)*2"));
        for wrong in ["m", "n; abort()", "", "n / 2", "1x", "99999999999", "n +", "(n", "*"] {
            assert!(in_c(wrong, known).is_err(), "{wrong}");
        }
    }
}
