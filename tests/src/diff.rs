//! A unified diff of two short texts.

/// How many equal lines are shown around a difference.
const CONTEXT: usize = 2;

/// The lines that lead from `old` to `new`, each with its mark; `None` when the texts are equal.
#[must_use]
pub fn unified(old: &str, new: &str, old_name: &str, new_name: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // common[i][j]: length of the longest common subsequence of a[i..] and b[j..].
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let mut lines = vec![];
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && common[i + 1][j] >= common[i][j + 1]) {
            lines.push(('-', a[i]));
            i += 1;
        } else {
            lines.push(('+', b[j]));
            j += 1;
        }
    }
    let near = |at: usize| lines[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())].iter().any(|(m, _)| *m != ' ');
    let mut text = format!("--- {old_name}\n+++ {new_name}\n");
    let mut gap = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if near(at) {
            text.push_str(if gap { "@@\n" } else { "" });
            text.push(*mark);
            text.push_str(line);
            text.push('\n');
        }
        gap = !near(at);
    }
    if old.ends_with('\n') != new.ends_with('\n') {
        text.push_str("\\ one of them does not end with a newline\n");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(unified("a\nb\n", "a\nb\n", "x", "y"), None);
    }

    #[test]
    fn far_lines_are_left_out() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\n5\n6\n7\neight\n9\n";
        assert_eq!(unified(old, new, "x", "y").as_deref(), Some("--- x\n+++ y\n@@\n 6\n 7\n-8\n+eight\n 9\n"));
    }

    #[test]
    fn a_missing_newline_is_a_difference() {
        assert_eq!(unified("a\n", "a", "x", "y").as_deref(), Some("--- x\n+++ y\n\\ one of them does not end with a newline\n"));
    }
}
