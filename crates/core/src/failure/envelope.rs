//! Decides what a JSON result says about its own call. An *envelope* is the JSON object in which a tool or application
//! wraps an output; its fields are read at the top level, and within [`NESTING_FIELDS`]. In an array of tool results,
//! the call's own is read. Applications append warnings, so text after the object is ignored.

use super::forms::{EXIT_CODES, NESTING_FIELDS, RESULT_FIELDS, STATUSES, TYPES, says_nothing};
use crate::text::json_probe::grammar::decode;
use crate::text::json_probe::{Value, ValueKind, array_elements, leading_members};

/// A larger object without a result's own field names is requested data, such as a file.
const MAX_MEMBERS_OF_A_RESULT: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Succeeded,
    /// `stderr` or `Error:` together with exit code 0: git, npm and cargo write their progress to `stderr`. Clean-up keeps such a
    /// result, and reports don't count it as a failure.
    Doubtful,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// In JSON 1 for any code but 0; the code itself if a line of text says it.
    Code(i64),
    /// A signal ended the process, or it never started.
    Killed,
}

#[derive(Debug, Default)]
pub(super) struct Envelope {
    exit: Option<Exit>,
    success: Option<bool>,
    has_error: bool,
    stderr: Stderr,
    /// `status` reports a failure: of the call, or of the object that was queried.
    has_failed_status: bool,
    call_id: Option<String>,
    has_result_fields: bool,
    members: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stderr {
    #[default]
    Empty,
    /// Not empty, but blank or a word for nothing such as `none`.
    Filled,
    SaysSomething,
}

impl Envelope {
    /// `None` if the text begins with neither a JSON object nor an array of them, or says nothing about its call. O(text).
    pub(super) fn verdict_of(text: &[u16], call_id: Option<&str>) -> Option<Verdict> {
        match text.iter().find(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09))? {
            0x7B => {
                // Most commands succeed, so only other results pay for checked JSON.
                let hint = Self::read::<false>(text)?;
                if hint.exit.is_some() && hint.verdict() == Some(Verdict::Succeeded) {
                    return hint.verdict();
                }
                Self::read::<true>(text)?.verdict()
            }
            0x5B => Self::of_entries(text, call_id),
            _ => None,
        }
    }

    fn of_entries(text: &[u16], call_id: Option<&str>) -> Option<Verdict> {
        let mut entries = Vec::new();
        let is_array = array_elements(text, |entry| {
            entries.extend(Self::read::<true>(entry.text).filter(|entry| entry.call_id.is_some()));
        });
        let own = entries.iter().find(|entry| entry.call_id.as_deref() == call_id);
        let fails = |entry: &Self| entry.verdict() == Some(Verdict::Failed);
        match (own, entries.as_slice()) {
            _ if !is_array => None,
            (Some(own), _) => own.verdict(),
            (None, [only]) => only.verdict(),
            _ => (call_id.is_none() && entries.iter().any(fails)).then_some(Verdict::Doubtful),
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        if self.members > MAX_MEMBERS_OF_A_RESULT && !self.has_result_fields && self.exit.is_none() {
            return None;
        }
        let says_failed = self.has_error
            || self.stderr == Stderr::SaysSomething
            || (self.has_failed_status && self.has_result_fields);
        let without_error = if self.stderr == Stderr::Empty { Verdict::Succeeded } else { Verdict::Doubtful };
        match (self.exit, self.success) {
            (Some(Exit::Code(0)), _) | (None, Some(true)) => Some(without_error),
            (Some(Exit::Killed), Some(true)) => Some(Verdict::Doubtful),
            (Some(_), _) | (None, Some(false)) => Some(Verdict::Failed),
            (None, None) if says_failed => Some(Verdict::Failed),
            (None, None) => Some(without_error).filter(|&verdict| verdict != Verdict::Succeeded),
        }
    }

    fn read<const CHECKED: bool>(object: &[u16]) -> Option<Self> {
        let mut envelope = Self::default();
        let mut nested = Vec::new();
        let is_object = leading_members::<CHECKED>(object, |key, value| {
            envelope.members += 1;
            let key = String::from_utf16_lossy(&decode(key));
            if NESTING_FIELDS.contains(&key.as_str()) && value.kind == ValueKind::Object {
                nested.push(value.text);
            }
            envelope.take(&key, value);
        });
        if !is_object {
            return None;
        }
        for object in nested {
            leading_members::<true>(object, |key, value| {
                envelope.take_nested(&String::from_utf16_lossy(&decode(key)), value);
            });
        }
        Some(envelope)
    }

    /// Reads a top-level member; the last duplicate counts.
    fn take(&mut self, key: &str, value: Value<'_>) {
        match key {
            "stderr" => self.stderr = stderr_in(value),
            "toolCallId" | "tool_call_id" => self.call_id = text_of(value),
            _ if EXIT_CODES.contains(&key) => self.exit = exit_of(value).or(self.exit),
            _ => self.success = success_in(key, value).or(self.success),
        }
        self.take_at_any_level(key, value);
    }

    /// A nested envelope only adds facts that are missing.
    fn take_nested(&mut self, key: &str, value: Value<'_>) {
        match key {
            "stderr" => self.stderr = self.stderr.max(stderr_in(value)),
            "type" if text_of(value).as_deref() == Some("timeout") => {
                self.success = self.success.or(Some(false));
            }
            _ if key == "exit" || EXIT_CODES.contains(&key) => self.exit = self.exit.or(exit_of(value)),
            _ => self.success = self.success.or(success_in(key, value)),
        }
        self.take_at_any_level(key, value);
    }

    fn take_at_any_level(&mut self, key: &str, value: Value<'_>) {
        self.has_error |= matches!(key, "error" | "errors") && says_something(value);
        self.has_failed_status |= key == "status" && is_one_of(&STATUSES, value);
        self.has_result_fields |= RESULT_FIELDS.contains(&key);
    }
}

/// Whether the call succeeded, by a member that says only that.
fn success_in(key: &str, value: Value<'_>) -> Option<bool> {
    let says_true = value.text.first() == Some(&0x74);
    let is_literal = value.kind == ValueKind::Literal && !is_null(value);
    match key {
        "success" | "ok" => is_literal.then_some(says_true),
        "isError" | "is_error" => is_literal.then_some(!says_true),
        "type" => is_one_of(&TYPES, value).then_some(false),
        _ => None,
    }
}

/// A number, also in quotes; another text for a process that never started; null for one that a signal ended.
fn exit_of(value: Value<'_>) -> Option<Exit> {
    // Truncating 0.5 would give a success.
    let code = |number: f64| Exit::Code(i64::from(number != 0.0));
    match value.kind {
        ValueKind::Number => value.number().map(code),
        ValueKind::String => Some(text_of(value)?.trim().parse().map_or(Exit::Killed, code)),
        ValueKind::Literal => is_null(value).then_some(Exit::Killed),
        ValueKind::Object | ValueKind::Array => None,
    }
}

fn is_null(value: Value<'_>) -> bool {
    value.text.first() == Some(&0x6E)
}

fn text_of(value: Value<'_>) -> Option<String> {
    value.decode_string().map(|text| String::from_utf16_lossy(&text))
}

fn is_one_of(words: &[&str], value: Value<'_>) -> bool {
    text_of(value).is_some_and(|text| words.contains(&text.as_str()))
}

fn stderr_in(value: Value<'_>) -> Stderr {
    match (is_filled(value), says_something(value)) {
        (false, _) => Stderr::Empty,
        (true, false) => Stderr::Filled,
        (true, true) => Stderr::SaysSomething,
    }
}

pub(super) fn is_filled(value: Value<'_>) -> bool {
    value.string_body().is_some_and(|body| !body.is_empty()) || value.has_elements()
}

/// False for null, `false`, an empty text or list, and `"(none)"`.
fn says_something(value: Value<'_>) -> bool {
    match value.kind {
        ValueKind::String => text_of(value).is_some_and(|text| !text.trim().is_empty() && !says_nothing(&text)),
        ValueKind::Array => value.has_elements(),
        ValueKind::Object => value.text.len() > 2,
        ValueKind::Literal => value.text.first() == Some(&0x74),
        ValueKind::Number => false,
    }
}
