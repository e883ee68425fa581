//! Splits a message into texts: a call's arguments by string, a patch by line.

use std::borrow::Cow;

use serde_json::Value;

use super::grams::{Gram, Wanted, grams};
use crate::text::json_text;

/// A text of a message. Quotes do not cross texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    Text(&'a str),
    /// Usually JSON.
    Arguments(&'a str),
}

/// Names of arguments whose text an edit must find, in lower case and without underscores.
const OLD_KEYS: [&str; 3] = ["oldstring", "oldtext", "oldstr"];
/// Such arguments only together with the new text: search tools use the first name alone.
const OLD_KEYS_OF_PAIRS: [(&str, &str); 2] = [("search", "replace"), ("find", "replace")];
const PATCH: &str = "*** Begin Patch";
const BLOCK: &str = "<<<<<<< SEARCH";

/// Finds the grams that an assistant message may have copied, each with its text: lines that its edits must find, quotes, names.
pub(super) fn answer_grams(field: Field<'_>, found: &mut impl FnMut(&str, Gram)) {
    let mut one = |text: &str, is_old: bool| {
        let wanted = if is_old { Wanted::Lines } else { Wanted::Speech };
        grams(text, wanted, &mut |gram| found(text, gram));
    };
    match field {
        Field::Text(text) => parts_of(text, &mut one),
        Field::Arguments(text) => match json_text::parse(text) {
            Ok(arguments) => strings(&arguments, false, &mut |text, is_old| {
                if is_old { one(text, true) } else { parts_of(text, &mut one) }
            }),
            Err(_) => parts_of(text, &mut one),
        },
    }
}

/// Finds all grams that a later assistant message may copy.
pub(super) fn prompt_grams(field: Field<'_>, found: &mut impl FnMut(&str, Gram)) {
    let mut one = |text: &str| grams(text, Wanted::All, &mut |gram| found(text, gram));
    match field {
        Field::Text(text) => {
            let plain = without_colours(text);
            one(&plain);
            // Otherwise the `n` of JSON's `\n` becomes part of a word.
            let is_json = plain.trim_start().starts_with(['{', '[', '"']) && plain.contains("\\n");
            if let Some(inner) = is_json.then(|| json_text::parse(&plain).ok()).flatten() {
                strings(&inner, false, &mut |text, _| one(text));
            }
        }
        Field::Arguments(text) => match json_text::parse(text) {
            Ok(arguments) => strings(&arguments, false, &mut |text, _| one(text)),
            Err(_) => one(text),
        },
    }
}

/// Visits each string of `value`; the flag is true if an edit must find it.
fn strings(value: &Value, is_old: bool, each: &mut impl FnMut(&str, bool)) {
    match value {
        Value::String(text) => each(text, is_old),
        Value::Array(values) => {
            for value in values {
                strings(value, is_old, each);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let key = plain_key(key);
                let pair = OLD_KEYS_OF_PAIRS.iter().find(|(old, _)| *old == key);
                let has_other =
                    |(_, new): &(&str, &str)| fields.keys().any(|other| plain_key(other).starts_with(*new));
                let is_old = OLD_KEYS.contains(&key.as_str()) || pair.is_some_and(has_other);
                strings(value, is_old, each);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn plain_key(key: &str) -> String {
    key.chars().filter(|&letter| letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Visits the parts of a patch that must be found, and the other parts.
fn parts_of(text: &str, one: &mut impl FnMut(&str, bool)) {
    let patch = text.contains(PATCH);
    if !patch && !text.contains(BLOCK) {
        one(text, false);
        return;
    }
    // A patch inside a program's string has escaped line ends.
    let is_written_out = patch && !text.contains("\n*** ") && text.contains("\\n");
    let text = if is_written_out { Cow::Owned(text.replace("\\n", "\n")) } else { Cow::Borrowed(text) };
    let (mut old, mut rest) = (String::new(), String::new());
    let mut in_block = false;
    for line in text.lines() {
        let found = if patch { old_of_patch(line) } else { old_of_block(line, &mut in_block) };
        let (to, line) = match found {
            Some(line) => (&mut old, line),
            None => (&mut rest, line.strip_prefix('+').unwrap_or(line)),
        };
        to.push_str(line);
        to.push('\n');
    }
    one(&old, true);
    one(&rest, false);
}

fn old_of_patch(line: &str) -> Option<&str> {
    line.strip_prefix(' ').or_else(|| line.strip_prefix('-')).filter(|_| !line.starts_with("---"))
}

fn old_of_block<'a>(line: &'a str, in_block: &mut bool) -> Option<&'a str> {
    if line.starts_with(BLOCK) {
        *in_block = true;
        return None;
    }
    if line.starts_with("=======") {
        *in_block = false;
    }
    in_block.then_some(line)
}

/// Removes escape sequences.
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
