//! Decides which tool results are errors: they always stay, so that the agent doesn't repeat the mistake.

use crate::text::json_probe::grammar::{BACKSLASH, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE};
use crate::text::json_probe::{
    Value, ValueKind, key_is, leading_members_unchecked, leading_object_members, object_members,
};
use crate::text::utf16::{starts_with_ascii, trim_start};

const STDERR: [u16; 6] = ascii(b"stderr");
const EXIT_CODE: [u16; 8] = ascii(b"exitCode");

/// What makes a tool result an error, besides its status and a content that starts with `Error:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorDetection {
    /// Nothing more (R2.4).
    Status,
    /// A terminal result that is one JSON object, from end to end, with a non-empty `stderr`: the reference's rule.
    Stderr,
    /// A terminal result that starts with a JSON object whose `stderr` is not empty or whose `exitCode` is no
    /// success (R1.5). Hosts append their own text to such an object: a hook's warning, a hint, the time.
    ExitCode,
}

/// Whether a content whose first units are `head` starts with `Error:` after white space; `None` when `head`,
/// not the whole content, is too short to tell.
#[must_use]
pub fn starts_as_error(head: &[u16], is_whole: bool) -> Option<bool> {
    const PREFIX: &str = "Error:";
    let start = trim_start(head);
    if is_whole || start.len() >= PREFIX.len() { Some(starts_with_ascii(start, PREFIX)) } else { None }
}

/// True when a content that starts with `head` is no JSON object, whatever follows.
#[must_use]
pub fn cannot_be_object(head: &[u16], is_whole: bool) -> bool {
    let first = head.iter().find(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09));
    first.map_or(is_whole, |&unit| unit != OPEN_BRACE)
}

/// Whether a terminal result says that its command failed. Last duplicate key wins, nested keys don't count, what
/// is no JSON object is not an error. O(content).
#[must_use]
pub fn command_failed(content: &[u16], detection: ErrorDetection) -> bool {
    if detection == ErrorDetection::Status {
        return false;
    }
    // Most commands succeed: only what looks like a failure is worth checking that it is JSON.
    let mut hint = Failure::default();
    if !leading_members_unchecked(content, |key, value| hint.note(key, &value)) || !hint.counts(detection) {
        return false;
    }
    let mut found = Failure::default();
    let note = |key: &[u16], value: Value<'_>| found.note(key, &value);
    let is_object = match detection {
        ErrorDetection::ExitCode => leading_object_members(content, note),
        _ => object_members(content, note),
    };
    is_object && found.counts(detection)
}

/// What the members of a result say.
#[derive(Default)]
struct Failure {
    stderr: bool,
    exit_code: bool,
}

impl Failure {
    fn note(&mut self, key: &[u16], value: &Value<'_>) {
        if key_is(key, &STDERR) {
            self.stderr = is_filled(value);
        } else if key_is(key, &EXIT_CODE) {
            self.exit_code = is_failure_code(value);
        }
    }

    fn counts(&self, detection: ErrorDetection) -> bool {
        self.stderr || (self.exit_code && detection == ErrorDetection::ExitCode)
    }
}

/// A string or array that holds something.
fn is_filled(stderr: &Value<'_>) -> bool {
    match stderr.kind {
        ValueKind::String => stderr.string_body().is_some_and(|body| !body.is_empty()),
        ValueKind::Array => stderr.is_empty_array() == Some(false),
        _ => false,
    }
}

/// A number other than 0, `null` (killed by a signal), or a string other than `"0"` (`"ENOENT"`: never started).
fn is_failure_code(exit_code: &Value<'_>) -> bool {
    match exit_code.kind {
        ValueKind::Number => exit_code.number().is_some_and(|code| code != 0.0),
        ValueKind::String => exit_code.decode_string().is_some_and(|code| code != [0x30]),
        ValueKind::Literal => exit_code.text.first() == Some(&0x6E),
        ValueKind::Object | ValueKind::Array => false,
    }
}

/// The units that end where the only `}` of a terminal result stands already say: `Some(false)` when its command
/// can't have failed, `None` when the whole content must be looked at. No units stand for a content without `}`.
///
/// A result that succeeded ends with `"stderr":"","exitCode":0}`, perhaps a few small members more, and what a host
/// wrote behind the object. If the content starts with an object, the object ends at that brace, since there is no
/// other, and its last members can be read from the back; if it does not, it is no error either. So most results are
/// settled without reading what the command printed.
#[must_use]
pub fn succeeded_by_end(end: &[u16], detection: ErrorDetection) -> Option<bool> {
    let Some((&CLOSE_BRACE, mut rest)) = end.split_last() else { return Some(false) };
    let (mut stderr_settled, mut exit_settled) = (false, detection != ErrorDetection::ExitCode);
    while !(stderr_settled && exit_settled) {
        let (before_value, value) = last_value(trim_json_end(rest))?;
        let (&COLON, before_colon) = trim_json_end(before_value).split_last()? else { return None };
        let (before_key, key) = last_string(trim_json_end(before_colon))?;
        if key.contains(&BACKSLASH) {
            return None;
        }
        // Read from the back, the first one met is the last duplicate.
        if key == STDERR && !stderr_settled {
            stderr_settled = value.is_no_error_text();
            if !stderr_settled {
                return None;
            }
        } else if key == EXIT_CODE && !exit_settled {
            exit_settled = value.is_no_failure_code();
            if !exit_settled {
                return None;
            }
        }
        match trim_json_end(before_key).split_last()? {
            (&COMMA, before) => rest = before,
            (&OPEN_BRACE, _) => return Some(false),
            _ => return None,
        }
    }
    Some(false)
}

/// A small value that ends where the text ends.
enum LastValue<'t> {
    Text(&'t [u16]),
    /// A number or a literal.
    Word(&'t [u16]),
}

impl LastValue<'_> {
    fn is_no_error_text(&self) -> bool {
        match self {
            LastValue::Text(text) => text.is_empty(),
            LastValue::Word(_) => true,
        }
    }

    fn is_no_failure_code(&self) -> bool {
        match self {
            LastValue::Text(text) => *text == [0x30],
            // `true` and `false` say nothing, `null` is a failure; another way to write 0 is left to the whole.
            LastValue::Word(word) => matches!(word, [0x30] | [0x74 | 0x66, ..]),
        }
    }
}

/// The string, number or literal at the end of `text`, and what stands before it; `None` for anything else.
fn last_value(text: &[u16]) -> Option<(&[u16], LastValue<'_>)> {
    if text.last() == Some(&QUOTE) {
        let (before, body) = last_string(text)?;
        return Some((before, LastValue::Text(body)));
    }
    let is_word = |unit: &u16| matches!(unit, 0x30..=0x39 | 0x61..=0x7A | 0x45 | 0x2B | 0x2D | 0x2E);
    let start = text.iter().rposition(|unit| !is_word(unit)).map_or(0, |at| at + 1);
    let (before, word) = text.split_at_checked(start)?;
    (!before.is_empty() && !word.is_empty()).then_some((before, LastValue::Word(word)))
}

/// The string at the end of `text`, without its quotes, and what stands before it.
fn last_string(text: &[u16]) -> Option<(&[u16], &[u16])> {
    let (&QUOTE, inside) = text.split_last()? else { return None };
    let mut end = inside.len();
    loop {
        let open = inside.get(..end)?.iter().rposition(|&unit| unit == QUOTE)?;
        let before = inside.get(..open)?;
        let escapes = before.iter().rev().take_while(|&&unit| unit == BACKSLASH).count();
        // A run of backslashes that reaches the start may go on before it.
        if escapes == before.len() {
            return None;
        }
        if escapes % 2 == 0 {
            return Some((before, inside.get(open + 1..)?));
        }
        end = open;
    }
}

fn trim_json_end(text: &[u16]) -> &[u16] {
    let end = text.iter().rposition(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09)).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or_default()
}

const fn ascii<const N: usize>(bytes: &[u8; N]) -> [u16; N] {
    let mut units = [0; N];
    let mut at = 0;
    while at < N {
        #[allow(clippy::indexing_slicing)] // at < N, both have N
        {
            units[at] = bytes[at] as u16;
        }
        at += 1;
    }
    units
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
