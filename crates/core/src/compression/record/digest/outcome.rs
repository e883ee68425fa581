//! Decides whether a tool's result says that its call failed.
//!
//! This is not the rule by which cleanup keeps errors (`rules::errors`). That one keeps a result in doubt, and anything
//! on `stderr` is doubt enough. Here a failure is told to the model as one that still stands, and git, npm and cargo
//! write their progress to `stderr`: so an exit code of 0 settles it.

mod envelope;
mod exit;

use super::shell::runs_command;
use crate::cleanup::rules::errors::starts_as_error;
use crate::compression::message::{Call, Message};
use crate::text::utf16::units;
use envelope::Envelope;
use exit::{Exit, says_nothing};

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

/// An exit code stands on one of the first or last lines, up to three others beside it; in between a log may quote
/// another command's.
const LINES_WITH_EXIT_CODE: usize = 5;

/// Longer lines are output that happens to begin like an exit code.
const LONGEST_EXIT_LINE: usize = 120;

/// What results of failed calls begin with besides `Error:`; the first two are those of Codex' scripts.
const FAILURE_BEGINNINGS: [&str; 3] = ["Script failed", "Script error:", "<tool_use_error>"];

impl Outcome {
    /// Of `call`, whose result, or one of several, `result` is.
    #[must_use]
    pub fn of(call: &Call, result: &Message) -> Self {
        if runs_command(call) { Self::of_command(call, result) } else { Self::of_call(call, result) }
    }
    /// Of a call of any tool: the host's mark, what the result's JSON says of itself, or `Error:`.
    fn of_call(call: &Call, result: &Message) -> Self {
        let failed = result.failed
            || Envelope::of(&result.text, &call.id)
                .and_then(Envelope::failed)
                .unwrap_or_else(|| begins_as_failure(&result.text));
        Self::told(result, failed)
    }

    /// Of a command: the same, and before `Error:` a line with its exit code.
    fn of_command(call: &Call, result: &Message) -> Self {
        let failed = result.failed
            || Envelope::of(&result.text, &call.id)
                .and_then(Envelope::failed)
                .or_else(|| exit_of(&result.text).map(|exit| exit != Exit::Code(0)))
                .unwrap_or_else(|| begins_as_failure(&result.text));
        Self::told(result, failed)
    }

    fn told(result: &Message, failed: bool) -> Self {
        match (failed, result.answers.len()) {
            (false, _) => Self::Succeeded,
            (true, 0 | 1) => Self::Failed,
            (true, _) => Self::Unknown,
        }
    }
}

fn begins_as_failure(text: &str) -> bool {
    let head: String = text.chars().take(256).collect();
    let begins_as_error = starts_as_error(&units(&head), true) == Some(true);
    (begins_as_error && !head.lines().find(|line| !line.trim().is_empty()).is_some_and(names_no_error))
        || FAILURE_BEGINNINGS.iter().any(|&words| head.trim_start().starts_with(words))
}

/// `Error: (none)`, as hosts write that nothing went wrong.
pub(super) fn names_no_error(line: &str) -> bool {
    let (name, value) = line.split_once([':', '：']).unwrap_or((line, "-"));
    let is_error = matches!(name.trim().to_ascii_lowercase().as_str(), "error" | "stderr" | "错误");
    is_error && says_nothing(value)
}

/// How the process ended, as a line at either end of an output tells.
fn exit_of(text: &str) -> Option<Exit> {
    let inked = |line: &&str| !line.trim().is_empty();
    let first = text.lines().filter(inked).take(LINES_WITH_EXIT_CODE);
    let last = text.lines().rev().filter(inked).take(LINES_WITH_EXIT_CODE);
    first.chain(last).find_map(exit_of_line)
}

/// What may stand before an exit code on its line.
const WORDS_BEFORE: [&str; 10] =
    ["the", "command", "process", "script", "program", "shell", "completed", "finished", "failed", "with"];

/// `Exit code 2`, `Exit Code: (none)`, `Command exited with code 2`, `Process exited with code 0`, `exit status 1`,
/// `[The command completed with exit code 127.]`, `Command failed with exit code: 1.`, `<returncode>1</returncode>`.
pub(super) fn exit_of_line(line: &str) -> Option<Exit> {
    if line.len() > LONGEST_EXIT_LINE {
        return None;
    }
    let line = line.trim().to_ascii_lowercase();
    let line = line.trim_start_matches(['[', '(', '<', '*', '#']);
    let names = [
        "exit code",
        "exit_code",
        "exitcode",
        "exit status",
        "exited with code",
        "exited with status code",
        "exited with status",
        "exited with exit code",
        "returncode",
        "退出码",
    ];
    let (before, after) =
        names.iter().filter_map(|&name| line.split_once(name)).min_by_key(|(before, _)| before.len())?;
    if !before.split_whitespace().all(|word| WORDS_BEFORE.contains(&word) || word == "exited") {
        return None;
    }
    let value = after.trim_start_matches([' ', ':', '：', '=', '>', '"']);
    if value.starts_with("(none)") || value.starts_with("null") {
        return Some(Exit::Killed);
    }
    let end = value.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(value.len());
    value.get(..end)?.parse().ok().map(Exit::Code)
}

#[cfg(test)]
mod tests;
