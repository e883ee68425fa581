//! Scans JSON text without building values: whether it is valid for `JSON.parse`, and its top-level members.
//!
//! `serde_json` stops at 128 levels and rejects lone surrogate escapes. `JSON.parse` accepts both, and tool
//! results contain both. So this module walks the grammar itself, with an explicit stack, in one pass over UTF-16.

pub(crate) mod grammar;

use grammar::{
    BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, at_end, decode, read_key,
    skip_value, skip_white_space,
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
    /// Includes quotes and brackets.
    pub text: &'t [u16],
    pub kind: ValueKind,
}

impl<'t> Value<'t> {
    /// With escapes as written; `None` for other kinds.
    pub fn string_body(&self) -> Option<&'t [u16]> {
        if self.kind != ValueKind::String {
            return None;
        }
        self.text.get(1..self.text.len().checked_sub(1)?)
    }

    /// As `JSON.parse` returns it; `None` for other kinds.
    pub fn decode_string(&self) -> Option<Vec<u16>> {
        self.string_body().map(decode)
    }

    /// As `JSON.parse` returns it; `None` for other kinds.
    pub fn number(&self) -> Option<f64> {
        if self.kind != ValueKind::Number {
            return None;
        }
        String::from_utf16(self.text).ok()?.parse().ok()
    }

    /// `None` for other kinds.
    pub fn is_empty_array(&self) -> Option<bool> {
        if self.kind != ValueKind::Array {
            return None;
        }
        let after = skip_white_space(self.text, 1);
        Some(self.text.get(after) == Some(&CLOSE_BRACKET))
    }
}

/// Visits the top-level members of `text`, which must be exactly one JSON object.
///
/// `visit` gets each key as written between its quotes (see [`key_is`]) and the value, in order, including
/// duplicates. Returns false if the text is not valid JSON or not an object: the caller must then discard what it
/// visited. O(text), no recursion.
pub fn object_members<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    entries::<true, true>(text, &mut visit).and_then(|end| at_end(text, end)).is_some()
}

/// Reads the complete JSON object at the start of `text` and ignores the rest. O(object).
pub fn leading_object_members<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    entries::<true, true>(text, &mut visit).is_some()
}

/// Assumes that `text` starts with a valid object; otherwise visits and result are meaningless. Several times as fast, for callers
/// that check only the few texts that matter.
pub fn leading_members_unchecked<'t>(text: &'t [u16], mut visit: impl FnMut(&'t [u16], Value<'t>)) -> bool {
    entries::<false, true>(text, &mut visit).is_some()
}

/// Visits the elements of `text`, which must be exactly one JSON array; false if it is not.
pub fn array_elements<'t>(text: &'t [u16], mut visit: impl FnMut(Value<'t>)) -> bool {
    let end = entries::<true, false>(text, &mut |_, element| visit(element));
    end.and_then(|end| at_end(text, end)).is_some()
}

/// Visits the members of the object, or the elements of the array, at the start of `text`; an element's key is empty. Returns the
/// end.
fn entries<'t, const CHECKED: bool, const IN_OBJECT: bool>(
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
        visit(key, value_at(text, at, end)?);
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
    if raw == name {
        return !raw.contains(&BACKSLASH);
    }
    // `"std\u0065rr"` is `stderr` to `JSON.parse`; an escaped key is always longer than its meaning.
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
