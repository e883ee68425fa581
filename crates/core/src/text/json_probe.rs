//! Scans JSON text without building values, with an explicit stack, in one pass over UTF-16: `serde_json` stops at 128 levels and
//! rejects lone surrogate escapes, which `JSON.parse` accepts and tool results contain.

pub(crate) mod grammar;

use grammar::{
    BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, decode, is_at_end, read_key,
    skip_value, skip_white_space,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Object,
    Array,
    String,
    Number,
    Literal,
}

/// A value as written in a JSON text.
#[derive(Debug, Clone, Copy)]
pub struct Value<'t> {
    /// Includes quotes and brackets.
    pub text: &'t [u16],
    pub kind: ValueKind,
}

impl<'t> Value<'t> {
    /// The text between the quotes of a string, with its escapes; `None` for other kinds.
    pub fn string_body(&self) -> Option<&'t [u16]> {
        self.text.strip_prefix(&[QUOTE])?.strip_suffix(&[QUOTE])
    }

    /// The string that `JSON.parse` returns; `None` for other kinds.
    pub fn decode_string(&self) -> Option<Vec<u16>> {
        self.string_body().map(decode)
    }

    /// The number that `JSON.parse` returns; `None` for other kinds.
    pub fn number(&self) -> Option<f64> {
        if self.kind != ValueKind::Number {
            return None;
        }
        String::from_utf16(self.text).ok()?.parse().ok()
    }

    pub fn has_elements(&self) -> bool {
        self.kind == ValueKind::Array && self.text.get(skip_white_space(self.text, 1)) != Some(&CLOSE_BRACKET)
    }
}

/// Visits the top-level members of `text`, which must be exactly one JSON object. O(text), no recursion.
/// `visit` gets each key as written between its quotes (see [`key_is`]) and the value, in order, including duplicates. False if the
/// text is not valid JSON or not an object: the caller must then discard what it visited.
pub fn object_members<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    visit_entries::<true, true>(text, &mut visit).is_some_and(|end| is_at_end(text, end))
}

/// [`object_members`] of the complete JSON object at the start of `text`; ignores the rest. O(object). Without `CHECKED` several times as
/// fast, but unless `text` starts with a valid object, the visits and the result are meaningless: repeat with `CHECKED` before relying on them.
pub fn leading_members<'t, const CHECKED: bool>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    visit_entries::<CHECKED, true>(text, &mut visit).is_some()
}

/// Visits the elements of `text`, which must be exactly one JSON array; false if it is not.
pub fn array_elements<'t>(text: &'t [u16], mut visit: impl FnMut(Value<'t>)) -> bool {
    let end = visit_entries::<true, false>(text, &mut |_, element| visit(element));
    end.is_some_and(|end| is_at_end(text, end))
}

/// Visits the members of the object, or the elements of the array, at the start of `text`; an element's key is empty. Returns the end.
fn visit_entries<'t, const CHECKED: bool, const IN_OBJECT: bool>(
    text: &'t [u16],
    visit: &mut impl FnMut(&'t [u16], Value<'t>),
) -> Option<usize> {
    let (open, close) = if IN_OBJECT { (OPEN_BRACE, CLOSE_BRACE) } else { (OPEN_BRACKET, CLOSE_BRACKET) };
    let mut at = skip_white_space(text, 0);
    if *text.get(at)? != open {
        return None;
    }
    at = skip_white_space(text, at + 1);
    if *text.get(at)? == close {
        return Some(at + 1);
    }
    loop {
        let mut key: &[u16] = &[];
        if IN_OBJECT {
            (key, at) = read_key::<CHECKED>(text, at)?;
        }
        let end = skip_value::<CHECKED>(text, at)?;
        let kind = match *text.get(at)? {
            OPEN_BRACE => ValueKind::Object,
            OPEN_BRACKET => ValueKind::Array,
            QUOTE => ValueKind::String,
            0x74 | 0x66 | 0x6E => ValueKind::Literal,
            _ => ValueKind::Number,
        };
        visit(key, Value { text: text.get(at..end)?, kind });
        at = skip_white_space(text, end);
        match *text.get(at)? {
            COMMA => at = skip_white_space(text, at + 1),
            unit if unit == close => return Some(at + 1),
            _ => return None,
        }
    }
}

/// True if `raw`, a key as written between its quotes, means `name`.
pub fn key_is(raw: &[u16], name: &[u16]) -> bool {
    // `"std\u0065rr"` is `stderr` to `JSON.parse`; an escaped key is always longer than its meaning.
    if raw == name {
        return !raw.contains(&BACKSLASH);
    }
    raw.len() > name.len() && raw.contains(&BACKSLASH) && decode(raw) == name
}

#[cfg(test)]
mod tests;
