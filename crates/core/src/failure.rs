//! Decides whether a tool result says that its call failed, for rules, summaries, sessions on disk and pictures.
//! [`forms`] lists the criteria. A JSON result is read by `envelope`; here are a command's exit code and a text's beginning.

mod envelope;
pub mod forms;

use envelope::{Envelope, is_filled};
pub use envelope::{Exit, Verdict};
use forms::{BEFORE_EXIT_WORDS, BEGINNINGS, EXIT_CODES, EXIT_WORDS, says_nothing};

use crate::text::json_probe::grammar::{BACKSLASH, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE, backslashes_before};
use crate::text::json_probe::{key_is, object_members};
use crate::text::utf16::{equals_ascii, starts_with_ascii, to_utf8, trim_start, units};
use crate::tools::ToolKind;

const ERROR: &str = "Error:";
/// Only the first and last lines are searched; a log in between may quote another command's exit code.
const LINES_WITH_EXIT_CODE: usize = 5;
/// A longer line (in units or bytes) is output that happens to begin like an exit code.
const LONGEST_EXIT_LINE: usize = 120;

/// What a result says about its call: by its JSON, else by a command's exit code and by the beginning. O(text). In an
/// array of results, the one of `call_id` is read; if that id is unknown, one failure among several is doubtful.
pub fn verdict(text: &[u16], tool: ToolKind, call_id: Option<&str>) -> Verdict {
    if let Some(by_json) = Envelope::verdict_of(text, call_id) {
        return by_json;
    }
    match (by_beginning(text), if tool == ToolKind::Command { exit_of(text) } else { None }) {
        (beginning, None) => beginning,
        (Verdict::Succeeded, Some(Exit::Code(0))) => Verdict::Succeeded,
        (_, Some(Exit::Code(0))) => Verdict::Doubtful,
        _ => Verdict::Failed,
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

/// Like [`verdict`], from only the beginning of a text; `None` if that is not enough. `is_whole`: `head` is all of the text.
pub fn verdict_by_head(head: &[u16], is_whole: bool, tool: ToolKind) -> Option<Verdict> {
    if is_whole {
        return Some(verdict(head, tool, None));
    }
    let start = trim_start(head);
    let is_open = tool == ToolKind::Command
        || BEGINNINGS.iter().any(|beginning| start.len() < beginning.len())
        || matches!(start.first(), Some(0x7B | 0x5B)) // JSON
        || by_beginning(start) != Verdict::Succeeded;
    if is_open { None } else { Some(Verdict::Succeeded) }
}

/// True if `Error:` follows white space at the start; `None` if `head` is too short to decide.
pub fn starts_as_error(head: &[u16], is_whole: bool) -> Option<bool> {
    let start = trim_start(head);
    if is_whole || start.len() >= ERROR.len() { Some(starts_with_ascii(start, ERROR)) } else { None }
}

/// True if the content is one JSON object whose `stderr` is not empty: a failure by the rule of the original function,
/// the application's own that ours replaces. The last duplicate counts. O(content).
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

fn by_beginning(text: &[u16]) -> Verdict {
    let start = trim_start(text);
    if starts_with_ascii(start, ERROR) {
        let line = start.split(|&unit| unit == 0x0A).next().unwrap_or_default();
        return if names_no_error(&to_utf8(line)) { Verdict::Doubtful } else { Verdict::Failed };
    }
    let fails = BEGINNINGS.iter().any(|words| starts_with_ascii(start, words));
    if fails { Verdict::Failed } else { Verdict::Succeeded }
}

/// True for a line such as `Error: (none)`, which applications write when nothing failed.
pub fn names_no_error(line: &str) -> bool {
    let (name, value) = line.split_once([':', '：']).unwrap_or((line, "-"));
    let is_error = matches!(name.trim().to_ascii_lowercase().as_str(), "error" | "stderr" | "错误");
    is_error && says_nothing(value)
}

/// The exit code in an output's first or last lines. O(text).
pub(super) fn exit_of(text: &[u16]) -> Option<Exit> {
    let lines = || text.split(|&unit| unit == 0x0A);
    let is_filled = |line: &&[u16]| !trim_start(line).is_empty();
    let first = lines().filter(is_filled).take(LINES_WITH_EXIT_CODE);
    let last = lines().rev().filter(is_filled).take(LINES_WITH_EXIT_CODE);
    let is_short = |line: &&[u16]| line.len() <= LONGEST_EXIT_LINE;
    first.chain(last).filter(is_short).find_map(|line| exit_of_line(&to_utf8(line)))
}

/// Matches `Exit code 2`, `Exit Code: (none)`, `Command exited with code 2`, `Process exited with code 0`, `exit status 1`,
/// `[The command completed with exit code 127.]`, `Command failed with exit code: 1.`, `<returncode>1</returncode>`.
pub fn exit_of_line(line: &str) -> Option<Exit> {
    if line.len() > LONGEST_EXIT_LINE {
        return None;
    }
    let line = line.trim().trim_start_matches(['[', '(', '<', '*', '#']);
    if !may_name_exit(line.trim_start()) {
        return None;
    }
    let line = line.to_ascii_lowercase();
    let splits = EXIT_WORDS.iter().filter_map(|&words| line.split_once(words));
    let (before, after) = splits.min_by_key(|(before, _)| before.len())?;
    if !before.split_whitespace().all(|word| BEFORE_EXIT_WORDS.contains(&word)) {
        return None;
    }
    let value = after.trim_start_matches([' ', ':', '：', '=', '>', '"']);
    if value.starts_with("(none)") || value.starts_with("null") {
        return Some(Exit::Killed);
    }
    let end = value.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(value.len());
    value.get(..end)?.parse().ok().map(Exit::Code)
}

/// A cheap pre-test: ten searches in each of ten lines took a sixth of the rules' time.
fn may_name_exit(line: &str) -> bool {
    let begins = |words: &&str| {
        let start = line.as_bytes().get(..words.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(words.as_bytes()))
    };
    EXIT_WORDS.iter().chain(&BEFORE_EXIT_WORDS).any(begins)
}

/// True if the units up to a result's only `}` say that its command exited with 0 and wrote nothing to `stderr`, which
/// settles most results without reading the output. The content must begin with `{`: without another brace the last
/// members can be read backwards, and nothing before an exit code of 0 makes it a failure.
pub fn ends_as_success(end: &[u16]) -> bool {
    end.split_last().is_some_and(|(&last, rest)| last == CLOSE_BRACE && last_members_succeed(rest) == Some(true))
}

/// `None` if a member is too large or has an unexpected form.
fn last_members_succeed(mut rest: &[u16]) -> Option<bool> {
    let (mut stderr_settled, mut exit_settled) = (false, false);
    while !(stderr_settled && exit_settled) {
        let (before_value, value, is_text) = last_value(trim_json_end(rest))?;
        let (&COLON, before_colon) = trim_json_end(before_value).split_last()? else { return None };
        let (before_key, key) = last_string(trim_json_end(before_colon))?;
        if key.contains(&BACKSLASH) {
            return None;
        }
        // Read backwards, the first match is the last duplicate.
        if equals_ascii(key, "stderr") && !stderr_settled {
            if is_text && !value.is_empty() {
                return None;
            }
            stderr_settled = true;
        } else if !exit_settled && EXIT_CODES.iter().any(|name| equals_ascii(key, name)) {
            // Other spellings of zero are left to a full read.
            if value != [0x30] {
                return None;
            }
            exit_settled = true;
        }
        match trim_json_end(before_key).split_last()? {
            (&COMMA, before) => rest = before,
            (&OPEN_BRACE, _) => return Some(exit_settled),
            _ => return None,
        }
    }
    Some(true)
}

/// The text before the value, the value, and whether it is a string; `None` for anything but a string, number or literal.
fn last_value(text: &[u16]) -> Option<(&[u16], &[u16], bool)> {
    if text.last() == Some(&QUOTE) {
        let (before, body) = last_string(text)?;
        return Some((before, body, true));
    }
    let is_word = |unit: &u16| matches!(unit, 0x30..=0x39 | 0x61..=0x7A | 0x45 | 0x2B | 0x2D | 0x2E);
    let start = text.iter().rposition(|unit| !is_word(unit)).map_or(0, |at| at + 1);
    let (before, word) = text.split_at_checked(start)?;
    (!before.is_empty() && !word.is_empty()).then_some((before, word, false))
}

/// The text before the string that `text` ends with, and the string's body.
fn last_string(text: &[u16]) -> Option<(&[u16], &[u16])> {
    let (&QUOTE, inside) = text.split_last()? else { return None };
    let mut end = inside.len();
    loop {
        let open = inside.get(..end)?.iter().rposition(|&unit| unit == QUOTE)?;
        let before = inside.get(..open)?;
        let escapes = backslashes_before(before, before.len());
        // The backslashes may continue before this text.
        if escapes == before.len() {
            return None;
        }
        if escapes.is_multiple_of(2) {
            return Some((before, inside.get(open + 1..)?));
        }
        end = open;
    }
}

fn trim_json_end(text: &[u16]) -> &[u16] {
    let end = text.iter().rposition(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09)).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod ending_tests;

#[cfg(test)]
mod tests;
