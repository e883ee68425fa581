//! Selects which parts of a long output stay if the caller requests more than its head (R4.4). `head`, `tail` and `both` limit the kept
//! text and add the notice to it, as the original function does; `errors` fits text and notices into the limit.

use super::error_lines::error_blocks;
use super::frames::without_old_frames;
use super::{notice, split_at_cut, splits_pair, trim_empty_lines};
use crate::text::utf16::{NEWLINE, count_newlines, position, units};
use std::borrow::Cow;
use std::ops::Range;

/// Attempts to use the units that are left: each counts the lines of the dropped text again.
const MAX_FILLS: usize = 6;
/// A cut that leaves at most this part of the limit unused is good enough.
const UNUSED_PART: usize = 100;
/// The ends are aligned to whole lines if that costs at most this part of the limit at each.
const ALIGNED_PART: usize = 32;

named_enum! {
    OutputKeep {
        Head = "head",
        Tail = "tail",
        /// Half from each end.
        Both = "both",
        /// Like `Both`, and between them the lines around errors.
        Errors = "errors",
    }
}

/// `content` trimmed and, if longer than `limit` units, truncated according to `keep` (R4.4). O(content).
///
/// Never longer than `content`, and never splits a surrogate pair. Removes old frames of progress bars first. If the notice does not
/// fit, less text is kept; if there is no room at all (a limit of a few units), the cut is not marked. Borrowed if nothing was cut.
pub fn truncate_keeping(content: &[u16], limit: usize, keep: OutputKeep) -> Cow<'_, [u16]> {
    truncated(content, limit, keep, usize::MAX)
}

/// [`OutputKeep::Errors`], but searches only the first and last `scanned` units: an agent waits while megabytes are searched.
pub fn truncate_to_errors(content: &[u16], limit: usize, scanned: usize) -> Cow<'_, [u16]> {
    truncated(content, limit, OutputKeep::Errors, scanned)
}

fn truncated(content: &[u16], limit: usize, keep: OutputKeep, scanned: usize) -> Cow<'_, [u16]> {
    let trimmed = trim_empty_lines(content);
    if trimmed.len() <= limit {
        return Cow::Borrowed(trimmed);
    }
    match without_old_frames(trimmed) {
        Cow::Borrowed(text) => cut(text, limit, keep, scanned),
        Cow::Owned(text) if text.len() <= limit => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(cut(&text, limit, keep, scanned).into_owned()),
    }
}

fn cut(text: &[u16], limit: usize, keep: OutputKeep, scanned: usize) -> Cow<'_, [u16]> {
    if keep == OutputKeep::Errors { keep_errors(text, limit, scanned) } else { keep_ends(text, limit, keep) }
}

/// Keeps `limit` units at the ends that `keep` names, and replaces the rest by a notice.
fn keep_ends(text: &[u16], limit: usize, keep: OutputKeep) -> Cow<'_, [u16]> {
    let cut = ends_with_notice(text, limit, keep);
    if cut.len() <= text.len() {
        return Cow::Owned(cut);
    }
    // Less text is kept, to make room for the notice. The number in the notice may then grow, up to this length.
    match text.len().checked_sub(notice(count_newlines(text) + 1).len() + 4) {
        Some(room) => Cow::Owned(ends_with_notice(text, room.min(limit), keep)),
        None if keep == OutputKeep::Tail => Cow::Borrowed(tail_of(text, limit)),
        None => Cow::Borrowed(split_at_cut(text, limit).0),
    }
}

/// The ends of `text`, `kept_units` long together, with a notice between them.
fn ends_with_notice(text: &[u16], kept_units: usize, keep: OutputKeep) -> Vec<u16> {
    let tail_units = match keep {
        OutputKeep::Head => 0,
        OutputKeep::Tail => kept_units,
        OutputKeep::Both | OutputKeep::Errors => kept_units / 2,
    };
    let head = split_at_cut(text, kept_units - tail_units).0;
    let tail = tail_of(text, tail_units);
    let dropped = text.get(head.len()..text.len() - tail.len()).unwrap_or_default();
    let before = if keep == OutputKeep::Tail { "" } else { "\n\n" };
    let after = if keep == OutputKeep::Head { "" } else { "\n\n" };
    let notice = format!("{before}{}{after}", notice(count_newlines(dropped) + 1));
    [head, &units(&notice), tail].concat()
}

/// The last `units` units, or one less if the cut would split a pair: the limit holds at both ends.
fn tail_of(text: &[u16], units: usize) -> &[u16] {
    let at = text.len().saturating_sub(units);
    text.get(if splits_pair(text, at) { at + 1 } else { at }..).unwrap_or_default()
}

/// Keeps lines near errors, and both ends. Errors get half of the limit, and the ends get what errors don't need.
fn keep_errors(text: &[u16], limit: usize, scanned: usize) -> Cow<'_, [u16]> {
    let notice_units = notice(count_newlines(text) + 1).len() + 2;
    // Room for a head, a tail, one error line and the notices around it; below that, a plain cut is better.
    if limit < 4 * notice_units {
        return keep_ends_within(text, limit, notice_units);
    }
    let (blocks, used) = error_blocks(text, limit / 2, notice_units, scanned);
    let mut ends = Ends { head: 0, tail: 0 };
    ends.grow(text, limit - used - notice_units);
    // Ends that reach an error line need no notice there; the ends get the units saved.
    for _ in 0..MAX_FILLS {
        let slack = limit.saturating_sub(render(text, &ends.merged_with(&blocks, text.len())).len());
        if slack <= limit / UNUSED_PART {
            break;
        }
        ends.grow(text, slack);
    }
    ends.align_to_lines(text, limit / ALIGNED_PART);
    Cow::Owned(render(text, &ends.merged_with(&blocks, text.len())))
}

struct Ends {
    head: usize,
    tail: usize,
}

impl Ends {
    /// Adds `units`, most of them to the tail: the end of an output is more useful than its beginning.
    fn grow(&mut self, text: &[u16], units: usize) {
        self.head = split_at_cut(text, self.head + units / 3).0.len();
        self.tail = tail_of(text, self.tail + units - units / 3).len();
    }

    /// Both ends and `blocks` as ranges of a text of `text_len` units.
    fn merged_with(&self, blocks: &[Range<usize>], text_len: usize) -> Vec<Range<usize>> {
        let tail = text_len - self.tail..text_len;
        merged(std::iter::once(0..self.head).chain(blocks.iter().cloned()).chain([tail]).collect())
    }

    /// Shortens each end to whole lines if that costs at most `most_lost` units; a longer line is cut inside.
    fn align_to_lines(&mut self, text: &[u16], most_lost: usize) {
        let (head, after_head) = text.split_at_checked(self.head).unwrap_or((text, &[]));
        if after_head.first().is_some_and(|&unit| unit != NEWLINE)
            && let Some(line_end) = head.iter().rposition(|&unit| unit == NEWLINE)
            && line_end > 0
            && head.len() - line_end <= most_lost
        {
            self.head = line_end;
        }
        let (before_tail, tail) = text.split_at_checked(text.len() - self.tail).unwrap_or((&[], text));
        if before_tail.last().is_some_and(|&unit| unit != NEWLINE)
            && let Some(line_start) = position(tail, NEWLINE).map(|newline| newline + 1)
            && line_start < tail.len()
            && line_start <= most_lost
        {
            self.tail -= line_start;
        }
    }
}

/// Keeps both ends, with the notice inside the limit.
fn keep_ends_within(text: &[u16], limit: usize, notice_units: usize) -> Cow<'_, [u16]> {
    let Some(units) = limit.checked_sub(notice_units + 2).filter(|&units| units > 0) else {
        return Cow::Borrowed(split_at_cut(text, limit).0);
    };
    let kept = keep_ends(text, units, OutputKeep::Both);
    // The actual notice has fewer digits than the longest possible one.
    let slack = limit.saturating_sub(kept.len());
    let filled = keep_ends(text, units + slack, OutputKeep::Both);
    if filled.len() <= limit { filled } else { kept }
}

/// Joins ranges that overlap or are one line break apart. Head and tail may include error lines.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    ranges.sort_by_key(|range| range.start);
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end + 1 => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The ranges of `text`, with a notice for each gap between them.
fn render(text: &[u16], ranges: &[Range<usize>]) -> Vec<u16> {
    let mut out = Vec::new();
    let mut end = 0;
    for range in ranges {
        if range.start > end {
            let dropped = text.get(end..range.start).unwrap_or_default();
            if end > 0 {
                out.push(NEWLINE);
            }
            out.extend(notice(lines_in_gap(dropped)).encode_utf16());
            out.push(NEWLINE);
        }
        out.extend_from_slice(text.get(range.clone()).unwrap_or_default());
        end = range.end;
    }
    out
}

/// The number of lines in a gap. The line breaks at its edges belong to the kept lines.
fn lines_in_gap(gap: &[u16]) -> usize {
    let gap = gap.strip_prefix(&[NEWLINE]).unwrap_or(gap);
    count_newlines(gap.strip_suffix(&[NEWLINE]).unwrap_or(gap)) + 1
}
