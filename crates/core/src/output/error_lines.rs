//! Decides which lines of an output say what went wrong: compilers, test runners, package managers, stack traces.

use super::lines::{first_inked, next_newline};
use std::collections::VecDeque;
use std::ops::Range;

/// Lines shown before an error line: pytest and Python put the failing source there.
const LINES_BEFORE: usize = 2;

/// Rustc's excerpts and stack frames stand after an error; a blank line ends them.
const LINES_AFTER: usize = 8;

/// Minified bundles put megabytes on one line, so only so much of it is looked at and shown.
const LINE_HEAD: usize = 400;

/// Returns sorted ranges within `budget` units, and the units they use.
///
/// `gap` is what a notice between two ranges may cost. Error lines come first, all of them if they fit; then what stands around
/// them, in reading order: a compiler's first error explains the others. O(text), and memory for what may be shown only.
pub(super) fn error_blocks(text: &[u16], budget: usize, gap: usize) -> (Vec<Range<usize>>, usize) {
    let mut candidates = candidates(text, budget);
    let mut used = 0;
    for is_error in [true, false] {
        for at in 0..candidates.len() {
            let joins =
                at.checked_sub(1).and_then(|before| Some((candidates.get(before)?, candidates.get(at)?)));
            let joins =
                joins.is_some_and(|(before, line)| before.taken && before.shown.end + 1 == line.shown.start);
            let Some(line) = candidates.get_mut(at).filter(|line| line.is_error == is_error) else {
                continue;
            };
            let cost = line.shown.len() + 1 + if joins { 0 } else { gap };
            if used + cost > budget {
                break;
            }
            used += cost;
            line.taken = true;
        }
    }
    (candidates.into_iter().filter(|line| line.taken).map(|line| line.shown).collect(), used)
}

/// Looks at the first and the last `scanned` units, with half of the budget for the first.
pub(super) fn error_blocks_within(
    text: &[u16],
    budget: usize,
    gap: usize,
    scanned: usize,
) -> (Vec<Range<usize>>, usize) {
    let head = text.get(..scanned).unwrap_or(text);
    let (mut blocks, used) = error_blocks(head, budget / 2, gap);
    let from = text.len().saturating_sub(scanned).max(head.len());
    let from = text.get(from..).and_then(next_newline).map_or(text.len(), |newline| from + newline + 1);
    let (of_tail, used_by_tail) = error_blocks(text.get(from..).unwrap_or_default(), budget - used, gap);
    blocks.extend(of_tail.into_iter().map(|block| from + block.start..from + block.end));
    (blocks, used + used_by_tail)
}

/// An error line, or one near it.
struct Candidate {
    shown: Range<usize>,
    is_error: bool,
    taken: bool,
}

/// Stops when the error lines alone exceed `budget`.
fn candidates(text: &[u16], budget: usize) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut passed: VecDeque<Range<usize>> = VecDeque::with_capacity(LINES_BEFORE + 1);
    let (mut after, mut cost, mut start) = (0, 0, 0);
    while cost <= budget && start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.get(..next_newline(rest).unwrap_or(rest.len())).unwrap_or_default();
        let shown = start..start + super::split_at_cut(line, LINE_HEAD.min(line.len())).0.len();
        if is_error_line(line) {
            found.extend(passed.drain(..).map(|shown| Candidate { shown, is_error: false, taken: false }));
            cost += shown.len() + 1;
            found.push(Candidate { shown, is_error: true, taken: false });
            after = LINES_AFTER;
        } else if after > 0 && first_inked(line).is_some() {
            found.push(Candidate { shown, is_error: false, taken: false });
            after -= 1;
        } else {
            after = 0;
            passed.push_back(shown);
            if passed.len() > LINES_BEFORE {
                passed.pop_front();
            }
        }
        start += line.len() + 1;
    }
    found
}

/// Error lines begin so, once indentation, colours and `[...]` or time stamps are set aside; in lower case.
const BEGINNINGS: &[&str] = &[
    // rustc, cargo, gcc's driver, shells, npm, git
    "error:",
    "error[",
    "error ",
    "errors:",
    "fatal:",
    "fatal error",
    "npm err!",
    "npm error",
    "err_pnpm",
    "fatal ",
    "critical",
    "[error]",
    "[fatal]",
    "level=error",
    "level=fatal",
    // test runners
    "fail ",
    "fail:",
    "fail\t",
    "failed ",
    "failed:",
    "--- fail",
    "not ok ",
    "failures:",
    "test result: failed",
    "e   ",
    "\u{1}", // one of the failure marks, see `mark`
    "expected:",
    "received:",
    "expect(",
    "assertionerror",
    "assertion failed",
    "assertion `",
    // stack traces
    "panic:",
    "traceback (most recent call last)",
    "exception in thread",
    "caused by:",
    "uncaught ",
    "unhandled",
    "segmentation fault",
    "build failed",
    "make: ***",
];

/// Error lines may hold these anywhere in their head; in lower case.
const MARKS: &[&str] = &[
    ": error ts", ": error:", " - error ts", ": fatal error", " panicked at", "undefined reference to",
    "... failed", "]: ***", "command not found", "no such file or directory", "permission denied",
    "core dumped", ": error[", "=== failures", "=== errors", "short test summary", "test failed",
    "tests failed", "cannot find module", "could not compile", "could not resolve", "out of memory",
];

/// Lines shorter than this are not searched.
const SHORTEST_MARK: usize = 6;

fn is_error_line(line: &[u16]) -> bool {
    // Outputs are full of lines that say nothing; no error says it in fewer units than `FAIL`.
    if line.len() < 4 || first_inked(line).is_none() {
        return false;
    }
    let mut head = [0_u8; LINE_HEAD];
    let head = ascii_head(line, &mut head);
    BEGINNINGS.iter().any(|&beginning| head.starts_with(beginning))
        || (head.len() >= SHORTEST_MARK && MARKS.iter().any(|&mark| head.contains(mark)))
        || reports_failed_exit(head)
        || names_an_exception(head)
        || counts_failures(head)
        || is_go_diagnostic(head)
}

/// The line in lower-case ASCII without indentation and colours; other units become `?`, failure marks `\u{1}`.
fn ascii_head<'b>(line: &[u16], buffer: &'b mut [u8; LINE_HEAD]) -> &'b str {
    let mut length = 0;
    let mut units = line.iter().take(LINE_HEAD).copied();
    while let Some(unit) = units.next() {
        if unit == 0x1B {
            // A colour: ESC [ … letter.
            let _ = units.by_ref().find(|unit| matches!(unit, 0x41..=0x5A | 0x61..=0x7A));
            continue;
        }
        let byte = mark(unit);
        if length == 0 && (byte == b' ' || byte == b'\t') {
            continue;
        }
        if let Some(slot) = buffer.get_mut(length) {
            *slot = byte;
            length += 1;
        }
    }
    buffer.get(..length).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or_default()
}

/// Test runners mark failures with one of ● ✕ ✖ ✗ × ❌; all become one byte.
fn mark(unit: u16) -> u8 {
    match unit {
        0x25CF | 0x2715 | 0x2716 | 0x2717 | 0xD7 | 0x274C => 1,
        0..=0x7F => u8::try_from(unit).unwrap_or(b'?').to_ascii_lowercase(),
        _ => b'?',
    }
}

/// `TypeError: …`, `java.lang.IllegalStateException: …`, `ValueError` alone on its line.
fn names_an_exception(head: &str) -> bool {
    let name = head.split(|unit: char| !(unit.is_ascii_alphanumeric() || unit == '.' || unit == '_')).next();
    let rest = name.and_then(|name| head.get(name.len()..)).unwrap_or_default();
    let ends = |suffix: &str| name.is_some_and(|name| name.len() > suffix.len() && name.ends_with(suffix));
    (ends("error") || ends("exception")) && (rest.trim_end().is_empty() || rest.starts_with(':'))
}

/// `exited with code 1`, `exit status 2`; not `exit code: 0`.
fn reports_failed_exit(head: &str) -> bool {
    ["exit code", "exited with code", "exit status"].iter().any(|words| {
        head.split_once(words).is_some_and(|(_, after)| {
            let code = after.trim_start_matches([' ', ':', '=']);
            code.starts_with(|digit: char| matches!(digit, '1'..='9'))
        })
    })
}

/// `Tests: 2 failed, 3 passed`, `= 1 failed in 0.1s =`, `Found 3 errors`; not `0 failed`.
fn counts_failures(head: &str) -> bool {
    [" failed", " errors", " error in", " failures"].iter().any(|word| {
        head.split(word).next().filter(|before| before.len() < head.len()).is_some_and(|before| {
            let digits = before.len() - before.trim_end_matches(|unit: char| unit.is_ascii_digit()).len();
            let number = before.get(before.len() - digits..).unwrap_or_default();
            number.bytes().any(|digit| digit != b'0')
        })
    })
}

/// `pkg/x.go:12:5: undefined: y` and `x_test.go:12: got 1`.
fn is_go_diagnostic(head: &str) -> bool {
    let Some((path, rest)) = head.split_once(".go:") else { return false };
    let mut fields = rest.split(':');
    let number = |field: Option<&str>| {
        field.is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
    };
    !path.contains(' ') && number(fields.next()) && (path.ends_with("_test") || number(fields.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_is_shorter_than_the_shortest() {
        assert_eq!(MARKS.iter().map(|mark| mark.len()).min(), Some(SHORTEST_MARK));
        assert!(BEGINNINGS.iter().all(|&beginning| beginning.len() >= 4 || beginning == "\u{1}"));
    }

    #[test]
    fn ordinary_lines_are_no_errors() {
        for line in [
            "test result: ok. 3 passed; 0 failed",
            "0 errors, 2 warnings",
            "exit code: 0",
            "an error-free build",
            "PASS src/a.test.ts",
        ] {
            assert!(!is_error_line(&crate::text::utf16::units(line)), "{line}");
        }
    }
}
