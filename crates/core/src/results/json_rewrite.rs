//! Decides how a stored tool result loses its binary data without being parsed and written again (R5.5).
//!
//! Writing JSON anew would change numbers, escapes and duplicate keys; here only the spans of binary data change.

use super::binary_data::{
    FieldUnits, LARGE_DATA_FIELDS, LONGEST_REFERENCE, SIZE_THRESHOLD, binary_placeholder, is_large_data,
    is_reference, large_placeholder, may_be_large_data,
};
use crate::text::json_probe::grammar::{
    BACKSLASH, COLON, QUOTE, decode, skip_string, skip_value, skip_white_space,
};
use crate::text::json_probe::{ValueKind, array_elements, key_is};

/// So much of an escaped string is decoded to see whether the rest is worth it.
const BEGINNING: usize = 1024;

/// Fields whose value is binary data whatever it looks like.
#[derive(Clone, Debug)]
pub struct LargeDataFields(Vec<Vec<u16>>);

impl LargeDataFields {
    #[must_use]
    pub fn named(names: Vec<Vec<u16>>) -> Self {
        Self(names)
    }

    fn has(&self, raw_key: &[u16]) -> bool {
        self.0.iter().any(|name| key_is(raw_key, name))
    }
}

impl Default for LargeDataFields {
    fn default() -> Self {
        Self(LARGE_DATA_FIELDS.iter().map(|name| name.encode_utf16().collect()).collect())
    }
}

/// `None` when nothing is to change.
///
/// The values of `fields` (at any depth, above the floor) and large data strings become placeholders;
/// every other unit stays as written. Text that `JSON.parse` refuses, or that isn't an array of objects, is left
/// alone. O(content), no recursion.
#[must_use]
pub fn sanitize_results_json(content: &[u16], fields: &LargeDataFields) -> Option<Vec<u16>> {
    let mut all_objects = true;
    let valid = array_elements(content, |element| all_objects &= element.kind == ValueKind::Object);
    if !valid || !all_objects {
        return None;
    }
    let mut out = Vec::new();
    let mut copied = 0;
    for_each_replacement(content, fields, |start, end, placeholder| {
        out.extend_from_slice(content.get(copied..start).unwrap_or_default());
        out.push(QUOTE);
        out.extend(placeholder.encode_utf16());
        out.push(QUOTE);
        copied = end;
    });
    if copied == 0 {
        return None;
    }
    out.extend_from_slice(content.get(copied..).unwrap_or_default());
    Some(out)
}

/// `json` has been found valid, so strings and colons tell all there is to know about structure.
fn for_each_replacement(
    json: &[u16],
    fields: &LargeDataFields,
    mut replace: impl FnMut(usize, usize, String),
) -> Option<()> {
    let mut at = 0;
    loop {
        let start = next_string(json, at)?;
        let end = skip_string::<true>(json, start + 1)?;
        let body = json.get(start + 1..end - 1)?;
        let after = skip_white_space(json, end);
        at = end;
        if json.get(after) != Some(&COLON) {
            if let Some(units) = large_data_units(body) {
                replace(start, end, large_placeholder(units));
            }
        } else if fields.has(body) {
            let value_start = skip_white_space(json, after + 1);
            at = skip_value::<true>(json, value_start)?;
            // What stays is too small, or too short a path, to hold anything else that is replaced.
            if let Some(placeholder) = binary_placeholder(field_units(json.get(value_start..at)?)) {
                replace(value_start, at, placeholder);
            }
        }
    }
}

fn next_string(json: &[u16], from: usize) -> Option<usize> {
    json.get(from..)?.iter().position(|&unit| unit == QUOTE).map(|at| from + at)
}

fn large_data_units(body: &[u16]) -> Option<u64> {
    // Escapes only make a body longer than what it means.
    if body.len() <= SIZE_THRESHOLD {
        return None;
    }
    let Some(escape) = body.get(..BEGINNING)?.iter().position(|&unit| unit == BACKSLASH) else {
        // A data URL may hold escapes further on; base64 without line breaks can't.
        if !may_be_large_data(body.get(..BEGINNING)?) {
            return None;
        }
        return decoded_large_units(body);
    };
    let beginning = body.get(..last_whole_escape(body, BEGINNING.max(escape)))?;
    if may_be_large_data(&decode(beginning)) { decoded_large_units(body) } else { None }
}

fn decoded_large_units(body: &[u16]) -> Option<u64> {
    let units = |text: &[u16]| is_large_data(text).then_some(text.len() as u64);
    if body.contains(&BACKSLASH) { units(&decode(body)) } else { units(body) }
}

fn last_whole_escape(body: &[u16], limit: usize) -> usize {
    let mut at = 0;
    let mut whole = 0;
    while at <= limit {
        whole = at;
        at += match body.get(at..) {
            Some([BACKSLASH, 0x75, ..]) => 6,
            Some([BACKSLASH, ..]) => 2,
            Some([_, ..]) => 1,
            _ => break,
        };
    }
    whole
}

/// Keys don't count (R5.2).
fn field_units(value: &[u16]) -> FieldUnits {
    let mut units = FieldUnits::default();
    let mut at = 0;
    while let Some(start) = next_string(value, at)
        && let Some(end) = skip_string::<true>(value, start + 1)
    {
        at = end;
        if value.get(skip_white_space(value, at)) != Some(&COLON) {
            let body = value.get(start + 1..at - 1).unwrap_or_default();
            let length = decoded_length(body);
            let is_short = length <= LONGEST_REFERENCE as u64;
            units.total += length;
            units.data += if is_short && is_reference(&decode(body)) { 0 } else { length };
        }
    }
    units
}

fn decoded_length(body: &[u16]) -> u64 {
    let mut at = 0;
    let mut length = body.len();
    while let Some(escape) = body.get(at..).and_then(|rest| rest.iter().position(|&unit| unit == BACKSLASH)) {
        let written = if body.get(at + escape + 1) == Some(&0x75) { 6 } else { 2 };
        length -= written - 1;
        at += escape + written;
    }
    length as u64
}

#[cfg(test)]
#[path = "json_rewrite_tests.rs"]
mod tests;
