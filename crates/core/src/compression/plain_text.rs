//! Prepares a text so that a summary can quote it: no escape sequences, control characters and binary data; one line.

use crate::results::binary_data::large_placeholder;

/// This many base64 characters in a row aren't written by hand; they cost more tokens than any text of their length.
const SHORTEST_DATA_BYTES: usize = 512;

/// `text` without escape sequences and control characters, with a placeholder for each piece of binary data. O(text).
pub fn plain_text(text: &str) -> String {
    let has_controls = text.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\t');
    without_data(if has_controls { without_controls(text) } else { text.to_owned() })
}

/// A carriage return restarts a line, so it becomes a line break.
fn without_controls(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1B}' => match letters.next_if(|next| (' '..='~').contains(next)) {
                Some('[') => skip_control_sequence(&mut letters),
                Some(']' | 'P' | 'X' | '^' | '_') => skip_control_string(&mut letters),
                Some(' '..='/') => {
                    letters.next_if(|next| ('0'..='~').contains(next));
                }
                _ => {}
            },
            '\u{9B}' => skip_control_sequence(&mut letters),
            '\r' if letters.peek() != Some(&'\n') => kept.push('\n'),
            '\n' | '\t' => kept.push(letter),
            _ if letter.is_control() => {}
            _ => kept.push(letter),
        }
    }
    kept
}

type Letters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

fn skip_control_sequence(letters: &mut Letters<'_>) {
    while letters.next_if(|next| (' '..='?').contains(next)).is_some() {}
    letters.next_if(|next| ('@'..='~').contains(next));
}

/// Titles and links end with BEL or ESC \; one that never ends is skipped to the end of the line only.
fn skip_control_string(letters: &mut Letters<'_>) {
    let is_inside = |&next: &char| !matches!(next, '\n' | '\u{7}' | '\u{9C}' | '\u{1B}');
    while letters.next_if(is_inside).is_some() {}
    if letters.next_if(|&next| next != '\n') == Some('\u{1B}') {
        letters.next_if_eq(&'\\');
    }
}

fn without_data(text: String) -> String {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let (mut kept, mut copied_to, mut run_start) = (String::new(), 0, 0);
    let run_ends = text.bytes().enumerate().filter(|&(_, byte)| !is_base64(byte)).map(|(index, _)| index);
    for run_end in run_ends.chain([text.len()]) {
        if run_end - run_start >= SHORTEST_DATA_BYTES {
            kept.push_str(text.get(copied_to..run_start).unwrap_or_default());
            kept.push_str(&large_placeholder((run_end - run_start) as u64));
            copied_to = run_end;
        }
        run_start = run_end + 1;
    }
    if copied_to == 0 { text } else { kept + text.get(copied_to..).unwrap_or_default() }
}

/// Makes one line: after a list's `- ` it can't begin a heading.
pub fn one_line(text: &str, limit_chars: usize) -> String {
    let text = plain_text(head_of(text, limit_chars));
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ⏎ ");
    bounded(&line, limit_chars)
}

/// Usually enough of `text` to give `limit_chars` after escape sequences, blanks and binary data are removed. Avoids
/// reading a pasted log to its end.
pub fn head_of(text: &str, limit_chars: usize) -> &str {
    let most_bytes = limit_chars.saturating_mul(16).saturating_add(4_096).min(text.len());
    (0..=most_bytes).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Ends with `…` if something was cut.
pub fn bounded(text: &str, limit_chars: usize) -> String {
    match text.char_indices().nth(limit_chars) {
        None => text.to_owned(),
        Some(_) => text.chars().take(limit_chars.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests;
