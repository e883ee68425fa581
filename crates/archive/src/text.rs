//! Prepares a message's text for searches: without base64, case folded.

use std::borrow::Cow;

/// Shorter runs of base64 characters stay: hashes, ids and keys are worth finding.
const SHORTEST_DATA: usize = 256;
/// Shorter lines aren't wrapped data (RFC 7468 wraps at 64, RFC 2045 at 76).
const SHORTEST_WRAPPED_LINE: usize = 60;
/// Ends every indexed text, so that each character and pair begins a term of the index, which has three characters; words of one or two
/// characters are found as beginnings of terms.
const END: &str = "\n\n";

/// Replaces each long run of base64 in `text` by a note: one image once filled an index with its letters.
pub fn without_base64(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(start) = position_from(text.as_bytes(), at, is_alphabet) {
        let end = end_of_run(text.as_bytes(), start);
        at = end;
        let Some(run) = text.get(start..end).filter(|run| is_data(run)) else { continue };
        kept.push_str(text.get(copied..start).unwrap_or_default());
        kept.extend(["[base64: ", &run.len().to_string(), " characters]"]);
        copied = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(kept)
}

fn position_from(bytes: &[u8], from: usize, accepts: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.get(from..)?.iter().position(|&byte| accepts(byte)).map(|at| from + at)
}

/// The end of the run that begins at `start`. It continues after a line break if its line was as long as encoders make them.
fn end_of_run(bytes: &[u8], start: usize) -> usize {
    let mut line = start;
    loop {
        let end = position_from(bytes, line, |byte| !is_alphabet(byte)).unwrap_or(bytes.len());
        let break_bytes = match bytes.get(end..) {
            Some([b'\n', byte, ..]) if is_alphabet(*byte) => 1,
            Some([b'\r', b'\n', byte, ..]) if is_alphabet(*byte) => 2,
            _ => return end,
        };
        if end - line < SHORTEST_WRAPPED_LINE {
            return end;
        }
        line = end + break_bytes;
    }
}

const fn is_alphabet(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
}

/// Ruled lines, hexadecimal and a repeated letter are text: data of this length has letters of both cases and digits.
fn is_data(run: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| run.as_bytes().iter().any(kind);
    run.len() >= SHORTEST_DATA && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit)
}

/// The form in which texts and words are compared: lower case, one character for each, without NUL, which the index would skip.
pub fn folded(text: &str) -> String {
    if text.is_ascii() && !text.contains('\0') {
        return text.to_ascii_lowercase();
    }
    text.chars().map(folded_char).collect()
}

fn folded_char(character: char) -> char {
    match character {
        '\0' => char::REPLACEMENT_CHARACTER,
        // Its lower case has two characters, which would shift the positions of snippets; nobody types them.
        'İ' => 'i',
        // Lower-case variants of another letter: σ at the end of a word, s in old prints.
        'ς' => 'σ',
        'ſ' => 's',
        _ => {
            let mut lower = character.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(lower), None) => lower,
                _ => character,
            }
        }
    }
}

/// The text that is indexed.
pub fn searchable(text: &str) -> String {
    folded(text) + END
}

#[cfg(test)]
mod tests;
