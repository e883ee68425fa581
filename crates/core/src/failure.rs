//! Decides whether a tool result says that its call failed, for rules, summaries, sessions on disk and pictures.
//! [`forms`] lists the criteria.

mod ending;
mod envelope;
pub mod forms;
mod lines;

use crate::text::json_probe::{key_is, object_members};
use crate::text::utf16::{starts_with_ascii, to_utf8, trim_start, units};
use crate::tools::ToolKind;

pub use ending::ends_as_success;
pub use envelope::Verdict;
use envelope::{Envelope, is_filled};
use lines::Exit;
pub use lines::{exit_of_line, names_no_error};

/// Reads the text's JSON, then a command's exit code line, then the beginning. O(text). In an array of results, the one
/// of `call_id` is read; if that id is unknown, one failure among several is doubtful.
pub fn verdict(text: &[u16], tool: ToolKind, call_id: Option<&str>) -> Verdict {
    if let Some(verdict_of_envelope) = Envelope::verdict_of(text, call_id) {
        return verdict_of_envelope;
    }
    let beginning = by_beginning(text);
    let exit = if tool == ToolKind::Command { lines::exit_of(text) } else { None };
    match exit {
        Some(Exit::Code(0)) if beginning != Verdict::Succeeded => Verdict::Doubtful,
        Some(Exit::Code(0)) => Verdict::Succeeded,
        Some(_) => Verdict::Failed,
        None => beginning,
    }
}

/// Like [`verdict`], but reads only the first line of a text that is neither JSON nor a command's output.
pub fn verdict_of(text: &str, tool: ToolKind, call_id: Option<&str>) -> Verdict {
    let start = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
    if tool == ToolKind::Command || start.starts_with(['{', '[']) {
        return verdict(&units(text), tool, call_id);
    }
    let line = start.lines().next().unwrap_or_default();
    by_beginning(&units(line))
}

/// Like [`verdict`], from a text's beginning; `None` if that is not enough. `is_whole` if `head` is the whole text.
pub fn verdict_by_head(head: &[u16], is_whole: bool, tool: ToolKind) -> Option<Verdict> {
    // In UTF-16 units: no beginning in `forms` is longer.
    const LONGEST_BEGINNING: usize = 16;
    if is_whole {
        return Some(verdict(head, tool, None));
    }
    let start = trim_start(head);
    let is_open = tool == ToolKind::Command
        || start.len() < LONGEST_BEGINNING
        || begins_as_json(start)
        || by_beginning(start) != Verdict::Succeeded;
    if is_open { None } else { Some(Verdict::Succeeded) }
}

/// True if `Error:` follows white space at the start; `None` if `head` is too short to decide.
pub fn starts_as_error(head: &[u16], is_whole: bool) -> Option<bool> {
    let start = trim_start(head);
    if is_whole || start.len() >= ERROR.len() { Some(starts_with_ascii(start, ERROR)) } else { None }
}

/// True if the content is one JSON object whose `stderr` has content, which is failure by the original function's rule. The last duplicate
/// counts. O(content).
pub fn has_stderr(content: &[u16]) -> bool {
    let stderr = units("stderr");
    let mut is_stderr_filled = false;
    let is_object = object_members(content, |key, value| {
        if key_is(key, &stderr) {
            is_stderr_filled = is_filled(value);
        }
    });
    is_object && is_stderr_filled
}

const ERROR: &str = "Error:";

fn begins_as_json(text: &[u16]) -> bool {
    matches!(text.first(), Some(0x7B | 0x5B))
}

/// The verdict by the words that a text begins with.
fn by_beginning(text: &[u16]) -> Verdict {
    let start = trim_start(text);
    if starts_with_ascii(start, ERROR) {
        let line = start.split(|&unit| unit == 0x0A).next().unwrap_or_default();
        return if names_no_error(&to_utf8(line)) { Verdict::Doubtful } else { Verdict::Failed };
    }
    let begins = forms::BEGINNINGS.iter().any(|words| starts_with_ascii(start, words));
    if begins { Verdict::Failed } else { Verdict::Succeeded }
}

#[cfg(test)]
mod tests;
