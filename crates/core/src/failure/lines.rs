//! Finds a process's exit code at either end of its output.

use super::forms::{BEFORE_EXIT_WORDS, EXIT_WORDS, says_nothing};
use crate::text::utf16::{to_utf8, trim_start};

/// Only the first and last lines are searched; a log in between may quote another command's exit code.
const LINES_WITH_EXIT_CODE: usize = 5;

/// A longer line (in units or bytes) is output that happens to begin like an exit code.
const LONGEST_EXIT_LINE: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i64),
    /// A signal ended the process, or it never started.
    Killed,
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
    let (before, after) = EXIT_WORDS
        .iter()
        .filter_map(|&words| line.split_once(words))
        .min_by_key(|(before, _)| before.len())?;
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

/// True for a line such as `Error: (none)`, which applications write when nothing failed.
pub fn names_no_error(line: &str) -> bool {
    let (name, value) = line.split_once([':', '：']).unwrap_or((line, "-"));
    let is_error = matches!(name.trim().to_ascii_lowercase().as_str(), "error" | "stderr" | "错误");
    is_error && says_nothing(value)
}
