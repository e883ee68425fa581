//! Selects the lines of an output, and the parts of long lines, to show because of an error in or near them.

use super::error_search::error_in;
use super::{first_non_blank, split_at_cut, splits_pair};
use crate::text::utf16::{NEWLINE, position};
use std::collections::VecDeque;
use std::ops::Range;

/// Lines shown before an error line: pytest and Python print the failing source there.
const LINES_BEFORE: usize = 2;
/// Lines shown after an error line, up to a blank one: rustc's excerpts and stack frames follow the error.
const LINES_AFTER: usize = 8;
/// Units shown of a line near an error; the rest is dropped.
const LINE_HEAD: usize = 400;
/// Minimum units shown of a long error line.
const MIN_PART: usize = 400;
/// Errors shown of one long line, each with its surroundings.
const MAX_PARTS: usize = 8;

/// Sorted ranges of `text` to show, within `budget` units, and the units they use; `notice_units` is the length of the longest notice
/// between two ranges. Of a longer text only the first and the last `scanned` units are searched; the first get half of
/// the budget.
pub(super) fn error_blocks(text: &[u16], budget: usize, notice_units: usize, scanned: usize) -> Blocks {
    if text.len() / 2 <= scanned {
        return blocks_of(text, budget, notice_units);
    }
    let head = text.get(..scanned).unwrap_or(text);
    let (mut blocks, used) = blocks_of(head, budget / 2, notice_units);
    let cut = text.len().saturating_sub(scanned).max(head.len());
    let newline = text.get(cut..).and_then(|rest| position(rest, NEWLINE));
    let tail_start = newline.map_or(cut, |newline| cut + newline + 1);
    let tail = text.get(tail_start..).unwrap_or_default();
    let (tail_blocks, used_by_tail) = blocks_of(tail, budget - used, notice_units);
    blocks.extend(tail_blocks.into_iter().map(|block| tail_start + block.start..tail_start + block.end));
    (blocks, used + used_by_tail)
}

type Blocks = (Vec<Range<usize>>, usize);

/// Error lines come first, all of them if they fit; then the lines around them, in reading order: a compiler's first error explains the
/// others. O(text), and memory only for what may be shown.
fn blocks_of(text: &[u16], budget: usize, notice_units: usize) -> Blocks {
    let mut candidates = find_candidates(text, budget, notice_units);
    let mut used = 0;
    for is_error in [true, false] {
        // The unit after the previous line's break, if that line is shown.
        let mut after_shown = None;
        for line in &mut candidates {
            if line.is_error == is_error {
                let notice = if after_shown == Some(line.range.start) { 0 } else { notice_units };
                let cost = line.range.len() + 1 + notice;
                if used + cost > budget {
                    break;
                }
                used += cost;
                line.is_shown = true;
            }
            after_shown = line.is_shown.then_some(line.range.end + 1);
        }
    }
    (candidates.into_iter().filter(|line| line.is_shown).map(|line| line.range).collect(), used)
}

pub fn is_error_line(line: &[u16]) -> bool {
    // Outputs are full of lines too short to report anything.
    line.len() >= SHORTEST && error_in(line, 0).is_some()
}

/// Units of the shortest error line: an error in Chinese or Japanese takes two characters.
const SHORTEST: usize = 2;

/// The error lines of `text`; of longer lines, the `max_units` around the error's words. O(text).
pub fn error_parts(text: &[u16], max_units: usize) -> impl Iterator<Item = &[u16]> {
    text.split(|&unit| unit == NEWLINE).filter_map(move |line| {
        let found = error_in(line, 0)?;
        line.get(part_around(line, &found, max_units))
    })
}

/// An error line or a part of it, or a line near one.
struct Candidate {
    range: Range<usize>,
    is_error: bool,
    is_shown: bool,
}

/// The error lines and the lines near them, in order. Stops when the error lines alone exceed `budget`.
fn find_candidates(text: &[u16], budget: usize, notice_units: usize) -> Vec<Candidate> {
    let max_units = MIN_PART.max(budget / 8).min(budget.saturating_sub(notice_units + 1));
    let mut found = Vec::new();
    // The newest first.
    let mut lines_before = VecDeque::with_capacity(LINES_BEFORE);
    let (mut lines_after, mut cost, mut start) = (0, 0, 0);
    while cost <= budget && start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.get(..position(rest, NEWLINE).unwrap_or(rest.len())).unwrap_or_default();
        let parts = error_parts_of_line(line, max_units, budget - cost);
        let head = start..start + split_at_cut(line, LINE_HEAD.min(line.len())).0.len();
        let candidate = |range, is_error| Candidate { range, is_error, is_shown: false };
        if !parts.is_empty() {
            found.extend(lines_before.drain(..).rev().map(|range| candidate(range, false)));
            for part in parts {
                cost += part.len() + 1;
                found.push(candidate(start + part.start..start + part.end, true));
            }
            lines_after = LINES_AFTER;
        } else if lines_after > 0 && first_non_blank(line).is_some() {
            found.push(candidate(head, false));
            lines_after -= 1;
        } else {
            lines_after = 0;
            lines_before.truncate(LINES_BEFORE - 1);
            lines_before.push_front(head);
        }
        start += line.len() + 1;
    }
    found
}

/// The whole line if it has at most `max_units`; otherwise the parts around its errors, in reading order.
fn error_parts_of_line(line: &[u16], max_units: usize, budget: usize) -> Vec<Range<usize>> {
    let (mut parts, mut end) = (Vec::new(), 0);
    let max_parts = MAX_PARTS.min(budget / max_units.max(1)).max(1);
    while end < line.len()
        && line.len() >= SHORTEST
        && parts.len() < max_parts
        && let Some(error) = error_in(line, end)
    {
        let part = part_around(line, &error, max_units);
        parts.push(part.start.max(end)..part.end);
        end = part.end;
    }
    parts
}

/// The `max_units` of `line` around `words`: a quarter of them before, because what follows is more useful.
fn part_around(line: &[u16], words: &Range<usize>, max_units: usize) -> Range<usize> {
    if line.len() <= max_units {
        return 0..line.len();
    }
    let start = words.start.saturating_sub(max_units / 4).min(line.len() - max_units);
    let end = start + max_units;
    let start = if splits_pair(line, start) { start + 1 } else { start };
    start..if splits_pair(line, end) { end - 1 } else { end }
}
