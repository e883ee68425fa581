//! Decides whether a tool's result says that its call failed.

use crate::compress::message::Message;
use crate::rules::errors::{ErrorDetection, command_failed, starts_as_error};
use crate::utf16::units;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As far as its result says.
    Succeeded,
    /// The host, the result's beginning or an exit code says so.
    Failed,
    /// Something failed, but the message answers several calls and doesn't say which.
    Unknown,
}

/// An exit code stands on one of the first or last lines; in between a log may quote another command's.
const LINES_WITH_EXIT_CODE: usize = 3;

/// Longer lines are output that happens to begin like an exit code.
const LONGEST_EXIT_LINE: usize = 120;

impl Outcome {
    /// Of a call of any tool: the host's mark, or `Error:` (SPEC R1.5).
    #[must_use]
    pub fn of_call(result: &Message) -> Self {
        Self::of(result, has_error_mark(result))
    }

    /// Of a command: that, its JSON's `exitCode` or `stderr`, or a line with its exit code.
    #[must_use]
    pub fn of_command(result: &Message) -> Self {
        let text = result.text.as_str();
        let failed = has_error_mark(result)
            || (text.trim_start().starts_with('{') && command_failed(&units(text), ErrorDetection::ExitCode))
            || exit_code(text).is_some_and(|code| code != 0);
        Self::of(result, failed)
    }

    fn of(result: &Message, failed: bool) -> Self {
        match (failed, result.answers.len()) {
            (false, _) => Self::Succeeded,
            (true, 0 | 1) => Self::Failed,
            (true, _) => Self::Unknown,
        }
    }
}

fn has_error_mark(result: &Message) -> bool {
    let head: String = result.text.chars().take(256).collect();
    result.failed || starts_as_error(&units(&head), true) == Some(true)
}

/// The exit code that a line at either end of an output tells.
fn exit_code(text: &str) -> Option<i64> {
    let inked = |line: &&str| !line.trim().is_empty();
    let first = text.lines().filter(inked).take(LINES_WITH_EXIT_CODE);
    let last = text.lines().rev().filter(inked).take(LINES_WITH_EXIT_CODE);
    first.chain(last).find_map(exit_code_of_line)
}

/// `Exit code 2`, `exit code: 1`, `Command exited with code 2`, `Process exited with code 0`, `exit status 1`,
/// `<returncode>1</returncode>`.
pub(super) fn exit_code_of_line(line: &str) -> Option<i64> {
    if line.len() > LONGEST_EXIT_LINE {
        return None;
    }
    let line = line.trim().to_ascii_lowercase();
    let line = line.trim_start_matches(['[', '(', '<', '*']);
    let line = ["command ", "process "].iter().find_map(|&word| line.strip_prefix(word)).unwrap_or(line);
    let beginnings = ["exit code", "exit_code", "exitcode", "exit status", "exited with code", "returncode"];
    let after = beginnings.iter().find_map(|&words| line.strip_prefix(words))?;
    let code = after.trim_start_matches([' ', ':', '=', '>', '"']);
    let end = code.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(code.len());
    code.get(..end)?.parse().ok()
}
