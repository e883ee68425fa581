//! Removes binary data from a stored tool result (R5.5) without parsing and serialising it, which would change numbers, escapes and
//! duplicate keys.

use std::borrow::Cow;
use std::ops::Range;

use super::binary_data::{
    FieldUnits, LARGE_DATA_FIELDS, LONGEST_LOCATION, SIZE_THRESHOLD, binary_placeholder, is_location,
    large_placeholder, listed_units,
};
use super::binary_runs::{Replacement, apply_replacements, binary_runs};
use super::byte_lists::{ByteList, read_bytes, read_list};
use crate::text::json_probe::grammar::{
    BACKSLASH, COLON, OPEN_BRACE, OPEN_BRACKET, QUOTE, decode, skip_string, skip_value, skip_white_space,
};
use crate::text::json_probe::{ValueKind, array_elements, key_is};
use crate::text::utf16::{position, units};

/// The fields that [`sanitize_results_json`] gets if the application names none.
pub fn default_fields() -> Vec<Vec<u16>> {
    LARGE_DATA_FIELDS.map(units).to_vec()
}

/// The JSON text of tool results without binary data; `None` if nothing changes. O(content), no recursion.
/// Placeholders replace the values of `fields` (at any depth, above the minimum size), lists of bytes, and binary data inside strings.
/// Text that `JSON.parse` rejects, or that isn't an array of objects, is not modified.
pub fn sanitize_results_json(content: &[u16], fields: &[Vec<u16>]) -> Option<Vec<u16>> {
    let mut all_objects = true;
    let valid = array_elements(content, |element| all_objects &= element.kind == ValueKind::Object);
    if !valid || !all_objects {
        return None;
    }
    apply_replacements(content, find_replacements(content, fields))
}

/// The replacements in `json`, which is valid, so strings, brackets and colons determine the structure.
fn find_replacements(json: &[u16], fields: &[Vec<u16>]) -> Vec<Replacement> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = next_string(json, at) {
        find_lists(json, at, start, &mut found);
        at = end;
        let body = json.get(start + 1..end - 1).unwrap_or_default();
        if let Some(list) = indexed_bytes(json, start, body) {
            at = list.range.end;
            found.push(list_as_string(list));
            continue;
        }
        let after = skip_white_space(json, end);
        if json.get(after) != Some(&COLON) {
            find_runs(body, start + 1, &mut found);
        } else if fields.iter().any(|name| key_is(body, name)) {
            let value_start = skip_white_space(json, after + 1);
            at = skip_value::<true>(json, value_start).unwrap_or(json.len());
            // A value that stays is too small to contain anything else that is replaced.
            let value_units = field_units(json.get(value_start..at).unwrap_or_default());
            if let Some(placeholder) = binary_placeholder(value_units) {
                found.push(json_string(value_start..at, &placeholder));
            }
        }
    }
    find_lists(json, at, json.len(), &mut found);
    found
}

fn next_string(json: &[u16], from: usize) -> Option<(usize, usize)> {
    let start = from + position(json.get(from..)?, QUOTE)?;
    Some((start, skip_string::<true>(json, start + 1)?))
}

fn list_as_string(list: ByteList) -> Replacement {
    json_string(list.range, &large_placeholder(list.byte_count as u64))
}

fn json_string(range: Range<usize>, placeholder: &str) -> Replacement {
    Replacement { range, text: format!("\"{placeholder}\"") }
}

fn find_lists(json: &[u16], from: usize, to: usize, found: &mut Vec<Replacement>) {
    let mut at = from;
    while let Some(open) = json.get(at..to).and_then(|gap| position(gap, OPEN_BRACKET)) {
        let start = at + open;
        let (end, list) = read_list(json, start);
        found.extend(list.map(list_as_string));
        at = end.max(start + 1);
    }
}

/// The object whose first key is `body`, at `key_start`, if its fields are bytes.
fn indexed_bytes(json: &[u16], key_start: usize, body: &[u16]) -> Option<ByteList> {
    if body != [0x30] {
        return None;
    }
    let open = json.get(..key_start)?.iter().rposition(|&unit| !matches!(unit, 0x20 | 0x09 | 0x0A | 0x0D))?;
    (json.get(open) == Some(&OPEN_BRACE)).then(|| read_list(json, open).1)?
}

fn find_runs(body: &[u16], start: usize, found: &mut Vec<Replacement>) {
    // Escapes only make a body longer than its value.
    if body.len() <= SIZE_THRESHOLD {
        return;
    }
    // The same position in the string's value, where an escape is one unit, and in its text, where it is two or six.
    let (mut in_value, mut in_text) = (0, 0);
    let mut move_to = |next_in_value: usize| {
        while in_value < next_in_value {
            in_text += match body.get(in_text..) {
                Some([BACKSLASH, 0x75, ..]) => 6,
                Some([BACKSLASH, ..]) => 2,
                _ => 1,
            };
            in_value += 1;
        }
        in_text
    };
    let value = if body.contains(&BACKSLASH) { Cow::Owned(decode(body)) } else { Cow::Borrowed(body) };
    for run in binary_runs(&value) {
        let range = start + move_to(run.range.start)..start + move_to(run.range.end);
        // A placeholder for a list of bytes has quotation marks.
        let text = run.text.replace('\\', "\\\\").replace('"', "\\\"");
        found.push(Replacement { range, text });
    }
}

/// The units of a field's value. Keys don't count; each byte of a list does (R5.2).
fn field_units(value: &[u16]) -> FieldUnits {
    let mut units = FieldUnits::default();
    let mut at = 0;
    while let Some(found) =
        value.get(at..).and_then(|rest| rest.iter().position(|&unit| matches!(unit, QUOTE | OPEN_BRACKET | OPEN_BRACE)))
    {
        let start = at + found;
        if value.get(start) != Some(&QUOTE) {
            let (end, bytes) = read_bytes(value, start);
            let count = bytes.as_ref().map_or(0, |bytes| listed_units(bytes.len()));
            (units.total, units.data) = (units.total + count, units.data + count);
            at = if bytes.is_some() { end } else { start + 1 };
            continue;
        }
        let Some(end) = skip_string::<true>(value, start + 1) else { break };
        at = end;
        if value.get(skip_white_space(value, at)) != Some(&COLON) {
            let body = value.get(start + 1..at - 1).unwrap_or_default();
            let length = decoded_length(body);
            let is_short = length <= LONGEST_LOCATION as u64;
            units.total += length;
            units.data += if is_short && is_location(&decode(body)) { 0 } else { length };
        }
    }
    units
}

fn decoded_length(body: &[u16]) -> u64 {
    let mut at = 0;
    let mut length = body.len();
    while let Some(escape) = body.get(at..).and_then(|rest| position(rest, BACKSLASH)) {
        let escape_units = if body.get(at + escape + 1) == Some(&0x75) { 6 } else { 2 };
        length -= escape_units - 1;
        at += escape + escape_units;
    }
    length as u64
}

#[cfg(test)]
mod tests;
