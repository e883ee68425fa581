//! Splits a message into the texts whose grams are extracted: a call's arguments into strings, a patch into the lines that must be found
//! and the others.

use std::borrow::Cow;

use serde_json::Value;

use super::grams::{Gram, Wanted, visit_grams};
use crate::text::json_text;

/// A text of a message. A quote lies within one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    Text(&'a str),
    /// Arguments of a call, usually JSON.
    Arguments(&'a str),
}

/// Names of arguments whose text an edit must find, in lower case and without underscores.
const OLD_KEYS: [&str; 3] = ["oldstring", "oldtext", "oldstr"];
/// The same for arguments of edits that also have a new text: search tools have an argument of the same name, without a new text.
const OLD_KEYS_WITH_NEW_TEXT: [&str; 2] = ["search", "find"];
const NEW_TEXT_PREFIX: &str = "replace";
/// Beginnings of the two patch formats.
const PATCH_START: &str = "*** Begin Patch";
const BLOCK_START: &str = "<<<<<<< SEARCH";

/// Visits the grams that an assistant message may have copied, each with its text: lines that its edits must find, quotes, names.
pub(super) fn visit_assistant_grams(field: Field<'_>, visit: &mut impl FnMut(&str, Gram)) {
    let mut visit_part = |text: &str, is_old: bool| {
        let wanted = if is_old { Wanted::Lines } else { Wanted::QuotesAndNames };
        visit_grams(text, wanted, &mut |gram| visit(text, gram));
    };
    match field {
        Field::Text(text) => visit_patch_parts(text, &mut visit_part),
        Field::Arguments(text) => match json_text::parse(text) {
            Ok(arguments) => visit_strings(&arguments, false, &mut |text, is_old| {
                if is_old { visit_part(text, true) } else { visit_patch_parts(text, &mut visit_part) }
            }),
            Err(_) => visit_patch_parts(text, &mut visit_part),
        },
    }
}

/// Visits all grams that a later assistant message may copy.
pub(super) fn visit_source_grams(field: Field<'_>, visit: &mut impl FnMut(&str, Gram)) {
    let mut visit_text = |text: &str| visit_grams(text, Wanted::All, &mut |gram| visit(text, gram));
    match field {
        Field::Text(text) => {
            let plain = without_colours(text);
            visit_text(&plain);
            // In JSON, the `n` of `\n` would become part of a word.
            let is_json = plain.trim_start().starts_with(['{', '[', '"']) && plain.contains("\\n");
            if let Some(value) = is_json.then(|| json_text::parse(&plain).ok()).flatten() {
                visit_strings(&value, false, &mut |text, _| visit_text(text));
            }
        }
        Field::Arguments(text) => match json_text::parse(text) {
            Ok(arguments) => visit_strings(&arguments, false, &mut |text, _| visit_text(text)),
            Err(_) => visit_text(text),
        },
    }
}

/// Visits each string of `value`, and whether an edit must find it; `is_old` decides that for a string outside objects.
fn visit_strings(value: &Value, is_old: bool, visit: &mut impl FnMut(&str, bool)) {
    match value {
        Value::String(text) => visit(text, is_old),
        Value::Array(values) => {
            for value in values {
                visit_strings(value, is_old, visit);
            }
        }
        Value::Object(fields) => {
            let has_new_text = || fields.keys().any(|key| plain_key(key).starts_with(NEW_TEXT_PREFIX));
            for (key, value) in fields {
                let key = plain_key(key);
                let is_old = OLD_KEYS.contains(&key.as_str())
                    || OLD_KEYS_WITH_NEW_TEXT.contains(&key.as_str()) && has_new_text();
                visit_strings(value, is_old, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn plain_key(key: &str) -> String {
    key.chars().filter(|&letter| letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Visits two parts of a patch: the lines that must be found (the flag is true), and the others. Visits another text as one part.
fn visit_patch_parts(text: &str, visit: &mut impl FnMut(&str, bool)) {
    let is_patch = text.contains(PATCH_START);
    if !is_patch && !text.contains(BLOCK_START) {
        visit(text, false);
        return;
    }
    // A patch inside a program's string has escaped line ends.
    let has_escaped_ends = is_patch && !text.contains("\n*** ") && text.contains("\\n");
    let text = if has_escaped_ends { Cow::Owned(text.replace("\\n", "\n")) } else { Cow::Borrowed(text) };
    let (mut old_lines, mut other_lines) = (String::new(), String::new());
    let mut is_in_block = false;
    for line in text.lines() {
        let old_line = if is_patch { old_of_patch(line) } else { old_of_block(line, &mut is_in_block) };
        let (part, line) = match old_line {
            Some(old_line) => (&mut old_lines, old_line),
            None => (&mut other_lines, line.strip_prefix('+').unwrap_or(line)),
        };
        part.push_str(line);
        part.push('\n');
    }
    visit(&old_lines, true);
    visit(&other_lines, false);
}

/// The text of an unchanged or removed line of a patch.
fn old_of_patch(line: &str) -> Option<&str> {
    line.strip_prefix(' ').or_else(|| line.strip_prefix('-')).filter(|_| !line.starts_with("---"))
}

/// A line between `<<<<<<< SEARCH` and `=======`.
fn old_of_block<'a>(line: &'a str, is_in_block: &mut bool) -> Option<&'a str> {
    if line.starts_with(BLOCK_START) {
        *is_in_block = true;
        return None;
    }
    if line.starts_with("=======") {
        *is_in_block = false;
    }
    is_in_block.then_some(line)
}

fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains("\u{1b}[") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split("\u{1b}[");
    plain.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';');
        plain.push_str(rest.strip_prefix(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(rest));
    }
    Cow::Owned(plain)
}
