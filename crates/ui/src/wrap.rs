//! Text in lines that fit, by the columns that a terminal gives to each character.

use std::io::IsTerminal;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Where nobody can say how wide the output is.
const DEFAULT: usize = 80;
/// Below this, lines are too short to be read and are left to the terminal.
const NARROWEST: usize = 40;

/// The columns of standard output: those of the terminal, or 80.
#[must_use]
pub fn columns() -> usize {
    let out = std::io::stdout();
    let size = out.is_terminal().then(|| terminal_size::terminal_size_of(&out)).flatten();
    // A serial line and some pseudo-terminals say that they have 0.
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0).map_or(DEFAULT, |width| width.max(NARROWEST))
}

/// The columns that `text` takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// `text` in lines of `first` and then `rest` columns. Blanks are where a line may end; a word that does not fit into a line by
/// itself, such as a path, is cut after a slash, or anywhere.
pub(crate) fn lines(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for mut word in text.split(' ').filter(|word| !word.is_empty()) {
        let room = |lines: &Vec<String>| if lines.is_empty() { first } else { rest }.max(1);
        if !line.is_empty() && width(&line) + 1 + width(word) > room(&lines) {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        while line.is_empty() && width(word) > room(&lines) {
            let (part, more) = word.split_at(cut(word, room(&lines)));
            lines.push(part.to_owned());
            word = more;
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// `text` in one line of at most `room` columns; what is left out in the middle is an ellipsis.
pub(crate) fn shortened(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let (head, _) = text.split_at(cut_anywhere(text, room / 2));
    let tail = ending(text, room.saturating_sub(width(head) + 1));
    format!("{head}…{tail}")
}

/// The end of `text` that has room in `room` columns.
pub(crate) fn ending(text: &str, room: usize) -> &str {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= room
    };
    let length: usize = text.chars().rev().take_while(fits).map(char::len_utf8).sum();
    text.get(text.len() - length..).unwrap_or_default()
}

/// The beginning of `text` that has room in `room` columns; an ellipsis stands for the rest.
pub(crate) fn beginning(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let end = cut_anywhere(text, room.saturating_sub(1));
    format!("{}…", text.get(..end).unwrap_or_default())
}

/// Where to cut a word that is wider than `room`: after the last slash in the second half of the line, else where it is full.
fn cut(word: &str, room: usize) -> usize {
    let full = cut_anywhere(word, room);
    let slash = word.get(..full).and_then(|part| part.rfind('/')).map(|at| at + 1);
    slash.filter(|at| at * 2 > full).unwrap_or(full)
}

/// The end of what fits into `room`, at least one character; what takes no room of its own stays with the one before.
fn cut_anywhere(text: &str, room: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        let columns = c.width().unwrap_or(0);
        if at > 0 && columns > 0 && used + columns > room {
            return at;
        }
        used += columns;
    }
    text.len()
}

/// Joins the lines of each paragraph; empty lines end one, and indented lines stay as they are.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            open = false;
        } else if line.starts_with("    ") {
            paragraphs.push(line.to_owned());
            open = false;
        } else if let Some(last) = paragraphs.last_mut().filter(|_| open && !line.starts_with("- ")) {
            last.push(' ');
            last.push_str(line.trim_start());
        } else {
            paragraphs.push(line.to_owned());
            open = true;
        }
    }
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::{ending, lines, paragraphs, shortened, width};

    #[test]
    fn lines_are_as_wide_as_the_terminal_and_no_wider() {
        assert_eq!(lines("one two three four", 7, 10), ["one two", "three four"]);
        assert_eq!(lines("", 7, 10), [""]);
        // Two columns each, and an accent that takes none.
        assert_eq!(lines("日本 語の e\u{301}e\u{301} x", 5, 5), ["日本", "語の", "e\u{301}e\u{301} x"]);
        for room in 1..40 {
            let text = "a 日本語のファイル名 e\u{301}\u{301}e /usr/lib/i386-linux-gnu/libveryverylong.so.1 \u{1f4a9} end";
            let wrapped = lines(text, room, room);
            assert!(wrapped.iter().all(|line| width(line) <= room.max(2)), "{room}: {wrapped:?}");
            let joined: String = wrapped.concat();
            assert_eq!(joined.replace(' ', ""), text.replace(' ', ""), "{room}: nothing is lost");
        }
    }

    #[test]
    fn a_path_that_is_too_long_is_cut_after_a_slash() {
        assert_eq!(lines("in /usr/lib/i386/libm.so.6 and", 14, 14), ["in", "/usr/lib/i386/", "libm.so.6 and"]);
        assert_eq!(lines("/a/bcdefghijklmn", 10, 10), ["/a/bcdefgh", "ijklmn"], "a short first part is no place to cut");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shortened("/mnt/disk", 9), "/mnt/disk");
        assert_eq!(shortened("/mnt/some/where/rootfs", 12), "/mnt/s…ootfs");
        for room in 5..12 {
            assert!(width(&shortened("日本語のファイル名e\u{301}", room)) <= room, "{room}");
        }
    }

    #[test]
    fn an_end_is_as_long_as_there_is_room() {
        assert_eq!([0, 1, 3, 4, 9].map(|room| ending("a日bc", room)), ["", "c", "bc", "日bc", "a日bc"]);
    }

    #[test]
    fn what_is_to_be_typed_stays_a_line() {
        let text = "one\ntwo\n\n    make\n    make install\nthree\n- a\n  b\n- c";
        assert_eq!(paragraphs(text), ["one two", "    make", "    make install", "three", "- a b", "- c"]);
    }
}
