//! Finds data URLs inside a text. A data URL has a media type or says that it is base64, and has a comma; `data:` at the start of
//! server-sent events, YAML or log lines does not.

use std::ops::Range;

use super::base64_runs::read_group;
use super::base64_tokens::{Alphabet, read_any_wrapping, read_segment};
use super::binary_data::SIZE_THRESHOLD;
use crate::text::json_probe::grammar::{BACKSLASH, COMMA, backslashes_before};
use crate::text::utf16::{equals_folded, is_line_break, is_white_space, letter, starts_with_folded};

/// Beginnings of media types: IANA's, and two others in use.
const MEDIA_TYPES: [&str; 12] = [
    "application/", "audio/", "binary/", "chemical/", "font/", "haptics/", "image/", "message/", "model/",
    "multipart/", "text/", "video/",
];
/// Units between `data:` and the comma, and of white space before a URL.
const LONGEST_HEADER: usize = 256;
const SCHEME: &str = "data:";

/// Data URLs that are longer than the threshold, ascending. O(text).
pub fn data_urls(text: &[u16]) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut at = 0;
    while let Some(start) = next_scheme(text, at) {
        at = start + SCHEME.len();
        if text.len() - start <= SIZE_THRESHOLD {
            break;
        }
        if !can_begin(text, start) {
            continue;
        }
        let Some((payload_start, is_base64)) = read_header(text, at) else { continue };
        let end = url_end(text, start, payload_start, is_base64);
        if end - start > SIZE_THRESHOLD {
            urls.push(start..end);
        }
        at = end.max(at);
    }
    urls
}

/// The start of the next `data:`. Searches in blocks without a branch per unit, so that it compiles to vector code.
fn next_scheme(text: &[u16], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    /// Units from the first letter to the colon.
    const APART: usize = 4;
    let is_at = |at: usize| starts_with_folded(text.get(at..).unwrap_or_default(), SCHEME);
    let mut at = from;
    while let Some(block) = text.get(at..at + BLOCK + APART) {
        let (firsts, colons) = (block.get(..BLOCK)?, block.get(APART..)?);
        // Zero if both match.
        let nearest = firsts
            .iter()
            .zip(colons)
            .fold(u16::MAX, |nearest, (&first, &colon)| nearest.min(((first | 0x20) ^ 0x64) | (colon ^ 0x3A)));
        if nearest == 0
            && let Some(found) = (at..at + BLOCK).find(|&at| is_at(at))
        {
            return Some(found);
        }
        at += BLOCK;
    }
    (at..text.len()).find(|&at| is_at(at))
}

/// False after a word. A letter after a backslash is an escape such as `\n`.
fn can_begin(text: &[u16], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).and_then(|at| text.get(at)) else { return true };
    let is_word = (before | 0x20).wrapping_sub(0x61) < 26
        || before.wrapping_sub(0x30) < 10
        || matches!(letter(*before), '-' | '.' | '_');
    let is_escape = matches!(letter(*before), 'n' | 'r' | 't')
        && start.checked_sub(2).and_then(|at| text.get(at)) == Some(&BACKSLASH);
    !is_word || is_escape
}

/// For the text after `data:`, the start of the payload after the comma, and whether it is base64.
fn read_header(text: &[u16], start: usize) -> Option<(usize, bool)> {
    let rest = text.get(start..)?;
    let is_header = |&unit: &u16| is_header_character(unit) || matches!(letter(unit), ' ' | '/' | ';' | '=' | '\\');
    let length = rest.iter().take(LONGEST_HEADER).take_while(|unit| is_header(unit)).count();
    if rest.get(length) != Some(&COMMA) {
        return None;
    }
    let header: Vec<u16> = rest.get(..length)?.iter().copied().filter(|&unit| unit != BACKSLASH).collect();
    let mut parts = header.split(|&unit| unit == 0x3B);
    let media_type = parts.next()?;
    let parameters: Vec<&[u16]> = parts.map(|parameter| parameter.strip_prefix(&[0x20]).unwrap_or(parameter)).collect();
    let is_base64 = parameters.last().is_some_and(|last| equals_folded(last, "base64"));
    let is_typed = MEDIA_TYPES.iter().any(|name| starts_with_folded(media_type, name))
        && media_type.iter().filter(|&&unit| unit == 0x2F).count() == 1
        && media_type.iter().all(|&unit| is_header_character(unit) || unit == 0x2F);
    let is_well_formed = parameters.iter().all(|parameter| !parameter.contains(&0x20));
    let is_url = is_well_formed && (is_typed || (media_type.is_empty() && is_base64));
    is_url.then_some((start + length + 1, is_base64))
}

/// Characters that RFC 2045 allows in names, and the percent sign of URLs.
const fn is_header_character(unit: u16) -> bool {
    matches!(
        letter(unit),
        '0'..='9' | 'A'..='Z' | 'a'..='z' | '!' | '#'..='\'' | '*' | '+' | '-' | '.' | '^'..='`' | '|' | '~'
    )
}

fn url_end(text: &[u16], start: usize, payload_start: usize, is_base64: bool) -> usize {
    let delimiter = Delimiter::before(text, start);
    if !is_base64 {
        return delimiter.plain_end(text, payload_start);
    }
    let end_of_wrapped = read_any_wrapping(text, payload_start);
    if delimiter.closes(text, end_of_wrapped) {
        // White space before the closing delimiter is no data, but a text that is all data includes it.
        return end_of_wrapped;
    }
    let payload = text.get(payload_start..).unwrap_or_default();
    let blanks = payload.iter().take_while(|unit| matches!(unit, 0x20 | 0x0A | 0x0D)).count();
    let data_start = payload_start + blanks;
    let [standard_end, url_safe_end] = Alphabet::ALL.map(|alphabet| read_segment(text, data_start, alphabet).0);
    let alphabet = if url_safe_end > standard_end { Alphabet::UrlSafe } else { Alphabet::Standard };
    read_group(text, data_start, alphabet, true).end
}

/// What encloses a data URL, and so decides where it ends.
enum Delimiter {
    /// Nothing: the URL begins the text.
    Text,
    /// A quotation mark, and the number of backslashes before it.
    Quote(u16, usize),
    Parenthesis,
    /// Nothing: the URL is a word of the text.
    Word,
}

impl Delimiter {
    fn before(text: &[u16], start: usize) -> Self {
        let before = text.get(..start).unwrap_or_default();
        match before.last() {
            Some(&quote @ (0x22 | 0x27 | 0x60)) => Self::Quote(quote, backslashes_before(before, before.len() - 1)),
            Some(&unit) if letter(unit) == '(' => Self::Parenthesis,
            _ if before.len() <= LONGEST_HEADER && before.iter().all(|&unit| is_white_space(unit)) => Self::Text,
            _ => Self::Word,
        }
    }

    fn closes(&self, text: &[u16], at: usize) -> bool {
        match self {
            Self::Text => at == text.len(),
            Self::Quote(quote, backslashes) => {
                let rest = text.get(at..).unwrap_or_default();
                rest.iter().take(*backslashes).all(|&unit| unit == BACKSLASH) && rest.get(*backslashes) == Some(quote)
            }
            Self::Parenthesis => text.get(at).is_some_and(|&unit| letter(unit) == ')'),
            Self::Word => false,
        }
    }

    fn plain_end(&self, text: &[u16], payload_start: usize) -> usize {
        let mut depth = 0_usize;
        for (at, &unit) in text.iter().enumerate().skip(payload_start) {
            let is_end = match self {
                Self::Text => is_line_break(unit),
                Self::Quote(quote, backslashes) => {
                    is_line_break(unit) || (unit == *quote && backslashes_before(text, at) == *backslashes)
                }
                Self::Parenthesis => is_line_break(unit) || (letter(unit) == ')' && depth == 0),
                Self::Word => letter(unit) <= ' ' || matches!(letter(unit), '"' | '<' | '>' | '`' | '\\'),
            };
            if is_end {
                let backslashes = if let Self::Quote(_, backslashes) = self { *backslashes } else { 0 };
                return at - backslashes.min(at - payload_start);
            }
            match letter(unit) {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        text.len()
    }
}

#[cfg(test)]
mod tests;
