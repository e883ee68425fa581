//! Looks into JSON text without building anything: whether it is valid for `JSON.parse`, and which outermost members it has.
//!
//! `serde_json` stops at 128 levels and refuses lone surrogate escapes; `JSON.parse` accepts both, and tool
//! results hold both. So the grammar is walked here, with an explicit stack, in one pass over UTF-16.

pub(crate) mod grammar;

use grammar::{
    BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, at_end, decode,
    skip_string, skip_value, skip_white_space,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Object,
    Array,
    String,
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

#[derive(Debug, Clone, Copy)]
pub struct Value<'t> {
    /// Quotes and brackets are included.
    pub text: &'t [u16],
    pub kind: ValueKind,
}

impl<'t> Value<'t> {
    /// Escapes are as written; `None` for other kinds.
    #[must_use]
    pub fn string_body(&self) -> Option<&'t [u16]> {
        if self.kind != ValueKind::String {
            return None;
        }
        self.text.get(1..self.text.len().checked_sub(1)?)
    }

    /// As `JSON.parse` would give it; `None` for other kinds.
    #[must_use]
    pub fn decode_string(&self) -> Option<Vec<u16>> {
        self.string_body().map(decode)
    }

    /// As `JSON.parse` would give it; `None` for other kinds.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        if self.kind != ValueKind::Number {
            return None;
        }
        String::from_utf16(self.text).ok()?.parse().ok()
    }

    /// `None` for other kinds.
    #[must_use]
    pub fn is_empty_array(&self) -> Option<bool> {
        if self.kind != ValueKind::Array {
            return None;
        }
        let after = skip_white_space(self.text, 1);
        Some(self.text.get(after) == Some(&CLOSE_BRACKET))
    }
}

/// Visits the outermost members of `text`, which must be one JSON object from end to end.
///
/// `visit` gets each key as written between its quotes (see [`key_is`]) and the value, in order, duplicates
/// included. Returns false when the text is not valid JSON or not an object: what was visited until then must
/// be thrown away. O(text), no recursion.
pub fn object_members<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    members::<true>(text, &mut visit).and_then(|end| at_end(text, end)).is_some()
}

/// Takes the complete JSON object that `text` starts with, whatever follows it. O(object).
pub fn leading_object_members<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    members::<true>(text, &mut visit).is_some()
}

/// Takes `text` to start with an object; where it does not, what is visited and returned means nothing. Several times as fast, for
/// callers who check only what has turned out to matter.
pub fn leading_members_unchecked<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    members::<false>(text, &mut visit).is_some()
}

fn members<'t, const CHECKED: bool>(
    text: &'t [u16],
    visit: &mut impl FnMut(&'t [u16], Value<'t>),
) -> Option<usize> {
    let mut at = skip_white_space(text, 0);
    if *text.get(at)? != OPEN_BRACE {
        return None;
    }
    at = skip_white_space(text, at + 1);
    if *text.get(at)? == CLOSE_BRACE {
        return Some(at + 1);
    }
    loop {
        if *text.get(at)? != QUOTE {
            return None;
        }
        let key_end = skip_string::<CHECKED>(text, at + 1)?;
        let key = text.get(at + 1..key_end - 1)?;
        at = skip_white_space(text, key_end);
        if *text.get(at)? != COLON {
            return None;
        }
        at = skip_white_space(text, at + 1);
        let end = skip_value::<CHECKED>(text, at)?;
        visit(key, value_at(text, at, end)?);
        at = skip_white_space(text, end);
        match *text.get(at)? {
            COMMA => at = skip_white_space(text, at + 1),
            CLOSE_BRACE => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Visits the elements of `text`, which must be one JSON array from end to end; false when it is not.
pub fn array_elements<'t>(text: &'t [u16], mut visit: impl FnMut(Value<'t>)) -> bool {
    elements(text, &mut visit).is_some()
}

fn elements<'t>(text: &'t [u16], visit: &mut impl FnMut(Value<'t>)) -> Option<()> {
    let mut at = skip_white_space(text, 0);
    if *text.get(at)? != OPEN_BRACKET {
        return None;
    }
    at = skip_white_space(text, at + 1);
    if *text.get(at)? == CLOSE_BRACKET {
        return at_end(text, at + 1);
    }
    loop {
        let end = skip_value::<true>(text, at)?;
        visit(value_at(text, at, end)?);
        at = skip_white_space(text, end);
        match *text.get(at)? {
            COMMA => at = skip_white_space(text, at + 1),
            CLOSE_BRACKET => return at_end(text, at + 1),
            _ => return None,
        }
    }
}

/// True when `raw`, a key as written between its quotes, means `name`.
#[must_use]
pub fn key_is(raw: &[u16], name: &[u16]) -> bool {
    if raw == name {
        return !raw.contains(&BACKSLASH);
    }
    // `"std\u0065rr"` is `stderr` to `JSON.parse`; an escape never makes a key shorter than its meaning.
    raw.len() > name.len() && raw.contains(&BACKSLASH) && decode(raw) == name
}

pub(crate) fn value_at(text: &[u16], start: usize, end: usize) -> Option<Value<'_>> {
    let kind = match *text.get(start)? {
        OPEN_BRACE => ValueKind::Object,
        OPEN_BRACKET => ValueKind::Array,
        QUOTE => ValueKind::String,
        0x74 | 0x66 | 0x6E => ValueKind::Literal,
        _ => ValueKind::Number,
    };
    Some(Value { text: text.get(start..end)?, kind })
}

#[cfg(test)]
#[path = "json_probe_tests.rs"]
mod tests;
