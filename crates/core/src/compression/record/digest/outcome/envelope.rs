//! Reads what a result that is JSON says of its own call: its exit code, `success`, `error`, `stderr`.
//!
//! Read are, at the outermost level or within `metadata`, `result` or `data`: `exitCode`, `exit_code`, `returncode`,
//! `return_code`, and `exit` in `metadata`, each a number, a number in quotes, or null for a process that a signal
//! ended; `success`, `ok`; `isError`, `is_error`; `error`, `errors`; `stderr`. An array of tool results is read at the
//! result of the call. Text after the object is passed over: hosts append warnings.

use super::exit::{Exit, says_nothing};
use crate::text::json_probe::grammar::{skip_value, skip_white_space};
use crate::text::json_probe::{Value, ValueKind, array_elements, object_members};

/// A larger object that has none of an answer's own names is data that was asked for, such as a file.
const MOST_MEMBERS_OF_AN_ANSWER: usize = 4;

const NESTED: [&str; 3] = ["metadata", "result", "data"];
const EXIT_CODES: [&str; 4] = ["exitCode", "exit_code", "returncode", "return_code"];
const OF_AN_ANSWER: [&str; 5] = ["stdout", "stderr", "output", "toolCallId", "tool_call_id"];

/// What one result says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Envelope {
    exit: Option<Exit>,
    success: Option<bool>,
    has_error: bool,
    has_stderr: bool,
    call_id: Option<String>,
    is_answer: bool,
}

impl Envelope {
    /// Of a text that begins with a complete JSON object, or is an array of them; `None` for any other. O(text).
    pub(super) fn of(text: &str, call_id: &str) -> Option<Self> {
        if !text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let text = crate::text::utf16::units(text);
        let start = skip_white_space(&text, 0);
        let text = text.get(start..skip_value::<true>(&text, start)?)?;
        let mut envelope = Self::default();
        if envelope.read(text, false) {
            return envelope.is_answer.then_some(envelope);
        }
        let mut entries = Vec::new();
        let is_array = array_elements(text, |entry| {
            let mut envelope = Self::default();
            if envelope.read(entry.text, false) && envelope.call_id.is_some() {
                entries.push(envelope);
            }
        });
        let own = entries.iter().position(|entry| entry.call_id.as_deref() == Some(call_id));
        let own = own.or_else(|| (entries.len() == 1).then_some(0)).filter(|_| is_array)?;
        Some(entries.swap_remove(own))
    }

    /// True for a failure, false for a success, `None` where it says neither.
    pub(super) fn failed(self) -> Option<bool> {
        match (self.exit, self.success) {
            (Some(Exit::Code(code)), _) => Some(code != 0),
            (_, Some(success)) => Some(!success),
            (Some(Exit::Killed), None) => Some(true),
            (None, None) => (self.has_error || self.has_stderr).then_some(true),
        }
    }

    /// False when `object` is none; a nested object adds to what is known and takes nothing back.
    fn read(&mut self, object: &[u16], is_nested: bool) -> bool {
        let mut members = 0;
        let mut nested = Vec::new();
        let is_object = object_members(object, |key, value| {
            members += 1;
            let key = String::from_utf16_lossy(key);
            if NESTED.contains(&key.as_str()) && value.kind == ValueKind::Object && !is_nested {
                nested.push(value.text);
            }
            self.take(&key, value, is_nested);
        });
        if !is_object {
            return false;
        }
        for object in nested {
            self.read(object, true);
        }
        self.is_answer |= members <= MOST_MEMBERS_OF_AN_ANSWER;
        true
    }

    fn take(&mut self, key: &str, value: Value<'_>, is_nested: bool) {
        let says_true = value.text.first() == Some(&u16::from(b't'));
        let is_literal = value.kind == ValueKind::Literal && !is_null(value);
        match key {
            "success" | "ok" if is_literal => self.success = Some(says_true),
            "isError" | "is_error" if is_literal => self.success = Some(!says_true),
            "error" | "errors" => self.has_error |= says_something(value),
            "stderr" => self.has_stderr = says_something(value),
            "toolCallId" | "tool_call_id" => self.call_id = text_of(value),
            _ if EXIT_CODES.contains(&key) || (is_nested && key == "exit") => {
                self.exit = exit_of(value).or(self.exit);
                self.is_answer |= self.exit.is_some();
            }
            _ => {}
        }
        self.is_answer |= OF_AN_ANSWER.contains(&key);
    }
}

fn exit_of(value: Value<'_>) -> Option<Exit> {
    if is_null(value) {
        return Some(Exit::Killed);
    }
    let text =
        if value.kind == ValueKind::String { text_of(value)? } else { String::from_utf16_lossy(value.text) };
    let number: f64 = text.trim().parse().ok()?;
    // Truncating a code of 0.5 would make it 0, a success.
    Some(Exit::Code(i64::from(number != 0.0)))
}

fn is_null(value: Value<'_>) -> bool {
    value.text.first() == Some(&u16::from(b'n'))
}

fn text_of(value: Value<'_>) -> Option<String> {
    value.decode_string().map(|text| String::from_utf16_lossy(&text))
}

/// Not for null, `false`, an empty text or list, and `"(none)"`.
fn says_something(value: Value<'_>) -> bool {
    match value.kind {
        ValueKind::String => {
            text_of(value).is_some_and(|text| !text.trim().is_empty() && !says_nothing(&text))
        }
        ValueKind::Array => value.is_empty_array() == Some(false),
        ValueKind::Object => value.text.len() > 2,
        ValueKind::Literal => value.text.first() == Some(&u16::from(b't')),
        ValueKind::Number => false,
    }
}
