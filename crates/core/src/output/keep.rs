//! Decides which parts of a long output stay when the caller asks for more than its head (R4.4).
//!
//! `head`, `tail` and `both` count the kept text against the limit, as the seed does, and put the notice on top;
//! `errors` fits notices and all into the limit. None of them makes a text longer than it was.

use super::error_lines::{error_blocks, error_blocks_within};
use super::lines::{count_newlines, next_newline};
use super::{notice, parts_a_pair, split_at_cut, trim_empty_lines};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKeep {
    Head,
    Tail,
    /// Half from each end.
    Both,
    /// As `Both`, and between them the lines around errors.
    Errors,
}

impl OutputKeep {
    pub const NAMES: [&str; 4] = ["head", "tail", "both", "errors"];

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Head, Self::Tail, Self::Both, Self::Errors]
            .into_iter()
            .zip(Self::NAMES)
            .find_map(|(keep, own)| (own == name).then_some(keep))
    }
}

/// `content` trimmed and, where longer than `limit` units, reduced as `keep` says (R4.4).
///
/// Never longer than `content`, never a parted surrogate pair. Where the notice would not fit, kept text makes
/// room for it; where there is no room at all (a limit of a few units), the cut goes unmarked. Borrowed when
/// nothing was cut. O(content).
#[must_use]
pub fn truncate_keeping(content: &[u16], limit: usize, keep: OutputKeep) -> Cow<'_, [u16]> {
    let trimmed = trim_empty_lines(content);
    if trimmed.len() <= limit {
        return Cow::Borrowed(trimmed);
    }
    match keep {
        OutputKeep::Errors => keep_errors(trimmed, limit, usize::MAX),
        ends => keep_ends(trimmed, limit, ends),
    }
}

/// [`OutputKeep::Errors`] with errors looked for in the first and last `scanned` units only: a result of megabytes is searched while an
/// agent waits.
#[must_use]
pub fn truncate_to_errors(content: &[u16], limit: usize, scanned: usize) -> Cow<'_, [u16]> {
    let trimmed = trim_empty_lines(content);
    if trimmed.len() <= limit { Cow::Borrowed(trimmed) } else { keep_errors(trimmed, limit, scanned) }
}

/// Leaves a notice for what lay between.
fn keep_ends(text: &[u16], limit: usize, keep: OutputKeep) -> Cow<'_, [u16]> {
    let marked = ends_with_notice(text, limit, keep);
    if marked.len() <= text.len() {
        return Cow::Owned(marked);
    }
    // Kept text makes room for the notice. With less kept its number may grow, to at most this.
    match text.len().checked_sub(notice(count_newlines(text) + 1).len() + 4) {
        Some(room) => Cow::Owned(ends_with_notice(text, room.min(limit), keep)),
        None if keep == OutputKeep::Tail => Cow::Borrowed(cut_tail(text, limit)),
        None => Cow::Borrowed(split_at_cut(text, limit).0),
    }
}

fn ends_with_notice(text: &[u16], units: usize, keep: OutputKeep) -> Vec<u16> {
    let tail_units = match keep {
        OutputKeep::Head => 0,
        OutputKeep::Tail => units,
        OutputKeep::Both | OutputKeep::Errors => units / 2,
    };
    let head = split_at_cut(text, units - tail_units).0;
    let tail = cut_tail(text, tail_units);
    let dropped = text.get(head.len()..text.len() - tail.len()).unwrap_or_default();
    let mut out = head.to_vec();
    if keep != OutputKeep::Tail {
        out.extend("\n\n".encode_utf16());
    }
    out.extend(notice(count_newlines(dropped) + 1).encode_utf16());
    if keep != OutputKeep::Head {
        out.extend("\n\n".encode_utf16());
    }
    out.extend_from_slice(tail);
    out
}

/// One unit fewer stays where a pair would be parted: the limit holds at both ends.
fn cut_tail(text: &[u16], units: usize) -> &[u16] {
    let at = text.len().saturating_sub(units);
    text.get(if parts_a_pair(text, at) { at + 1 } else { at }..).unwrap_or_default()
}

/// Errors get half of the limit, and what they don't need goes back to the ends.
fn keep_errors(text: &[u16], limit: usize, scanned: usize) -> Cow<'_, [u16]> {
    let gap = notice(count_newlines(text) + 1).len() + 2;
    // Room for a head, a tail, one error line and the notices around it; below that, a plain cut says more.
    if limit < 4 * gap {
        return keep_ends_within(text, limit, gap);
    }
    let (blocks, used) = if text.len() / 2 <= scanned {
        error_blocks(text, limit / 2, gap)
    } else {
        error_blocks_within(text, limit / 2, gap, scanned)
    };
    let ends = limit - used - gap;
    let head = whole_lines_of_head(text, ends / 3);
    let tail = whole_lines_of_tail(text, ends - ends / 3);
    let mut ranges = Vec::with_capacity(blocks.len() + 2);
    ranges.push(0..head);
    ranges.extend(blocks);
    ranges.push(tail..text.len());
    Cow::Owned(render(text, &merged(ranges)))
}

/// Fits the notice into the limit as well.
fn keep_ends_within(text: &[u16], limit: usize, gap: usize) -> Cow<'_, [u16]> {
    if limit <= gap + 2 {
        return Cow::Borrowed(split_at_cut(text, limit).0);
    }
    keep_ends(text, limit - gap - 2, OutputKeep::Both)
}

/// Ends on a line's end where there is one.
fn whole_lines_of_head(text: &[u16], units: usize) -> usize {
    let head = split_at_cut(text, units).0;
    head.iter().rposition(|&unit| unit == u16::from(b'\n')).filter(|&at| at > 0).unwrap_or(head.len())
}

/// Begins on a line's start where there is one.
fn whole_lines_of_tail(text: &[u16], units: usize) -> usize {
    let tail = cut_tail(text, units);
    let start = text.len() - tail.len();
    match next_newline(tail) {
        Some(at) if at + 1 < tail.len() => start + at + 1,
        _ => start,
    }
}

/// Joins ranges that overlap or are a line break apart. Head and tail may swallow error lines.
fn merged(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    let mut sorted = ranges;
    sorted.sort_by_key(|range| range.start);
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end + 1 => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn render(text: &[u16], ranges: &[Range<usize>]) -> Vec<u16> {
    let mut out = Vec::new();
    let mut end = 0;
    for range in ranges {
        if range.start > end {
            let dropped = text.get(end..range.start).unwrap_or_default();
            if end > 0 {
                out.push(u16::from(b'\n'));
            }
            out.extend(notice(lines_in_gap(dropped)).encode_utf16());
            out.push(u16::from(b'\n'));
        }
        out.extend_from_slice(text.get(range.clone()).unwrap_or_default());
        end = range.end;
    }
    out
}

/// The gap's edges are line breaks of the kept lines around it.
fn lines_in_gap(gap: &[u16]) -> usize {
    let newline = u16::from(b'\n');
    let gap = gap.strip_prefix(&[newline]).unwrap_or(gap);
    let gap = gap.strip_suffix(&[newline]).unwrap_or(gap);
    count_newlines(gap) + 1
}
