//! Trims and truncates a text that is read piece by piece, so that a huge output is never copied whole (R4.1).

use super::{first_non_blank, last_non_blank, notice, splits_pair};
use crate::text::utf16::{NEWLINE, count_newlines, position};
use std::ops::Range;

/// UTF-16 units: small enough for a core's cache, large enough for few calls. Only the last piece may be shorter.
pub const PIECE: usize = 1 << 15;

/// A text that is read piece by piece.
pub trait TextPieces {
    fn units(&self) -> usize;

    /// The piece that starts at unit `index * PIECE`.
    fn piece(&mut self, index: usize) -> &[u16];
}

impl TextPieces for &[u16] {
    fn units(&self) -> usize {
        self.len()
    }

    fn piece(&mut self, index: usize) -> &[u16] {
        self.get(index * PIECE..self.len().min((index + 1) * PIECE)).unwrap_or_default()
    }
}

/// The text trimmed and, if longer than `limit` units, cut there, with the original function's notice (R4.1); `None` if it stays
/// unchanged. O(text); memory for what is kept.
///
/// The notice counts the `\n`-separated pieces of the dropped text. It is added to `limit` units, so a text just over the limit
/// grows: the original function does this too, and [`super::truncate_keeping`] avoids it.
pub fn truncate(text: &mut impl TextPieces, limit: usize) -> Option<Vec<u16>> {
    let trimmed = non_blank_lines(text);
    if trimmed.len() <= limit {
        return (trimmed.len() != text.units()).then(|| copy_range(text, trimmed));
    }
    let cut = trimmed.start + limit;
    // One more unit shows whether the cut splits a pair.
    let mut kept = copy_range(text, trimmed.start..cut + 1);
    kept.truncate(if splits_pair(&kept, limit) { limit - 1 } else { limit });
    let mut dropped_lines = 1;
    for_each_part(text, trimmed.start + kept.len()..trimmed.end, |part| {
        dropped_lines += count_newlines(part);
    });
    kept.extend("\n\n".encode_utf16());
    kept.extend(notice(dropped_lines).encode_utf16());
    Some(kept)
}

/// `content` without blank lines at both ends; blank lines inside and indentation stay (R4.1). A line is blank if
/// `String.prototype.trim` leaves nothing of it. As in the original function, a `\r` before the removed last line break stays.
pub fn trim_empty_lines(content: &[u16]) -> &[u16] {
    let mut pieces = content;
    content.get(non_blank_lines(&mut pieces)).unwrap_or_default()
}

/// The text in one piece. O(text) memory.
pub fn copy_whole(text: &mut impl TextPieces) -> Vec<u16> {
    let units = text.units();
    copy_range(text, 0..units)
}

/// From the first to the last non-blank line, without the last line's break. Searches the end first: the beginning is needed next.
fn non_blank_lines(text: &mut impl TextPieces) -> Range<usize> {
    let Some(end) = non_blank_end(text) else { return 0..0 };
    let mut start = 0;
    for index in 0..text.units().div_ceil(PIECE) {
        let piece = text.piece(index);
        let non_blank = first_non_blank(piece);
        let blank = piece.get(..non_blank.unwrap_or(piece.len())).unwrap_or_default();
        if let Some(newline) = blank.iter().rposition(|&unit| unit == NEWLINE) {
            start = index * PIECE + newline + 1;
        }
        if non_blank.is_some() {
            break;
        }
    }
    start..end
}

fn non_blank_end(text: &mut impl TextPieces) -> Option<usize> {
    let mut end = text.units();
    for index in (0..text.units().div_ceil(PIECE)).rev() {
        let piece = text.piece(index);
        let non_blank = last_non_blank(piece);
        let from = non_blank.unwrap_or(0);
        if let Some(newline) = piece.get(from..).and_then(|rest| position(rest, NEWLINE)) {
            end = index * PIECE + from + newline;
        }
        if non_blank.is_some() {
            return Some(end);
        }
    }
    None
}

fn copy_range(text: &mut impl TextPieces, range: Range<usize>) -> Vec<u16> {
    let mut copy = Vec::with_capacity(range.len() + 64);
    for_each_part(text, range, |part| copy.extend_from_slice(part));
    copy
}

fn for_each_part(text: &mut impl TextPieces, range: Range<usize>, mut visit: impl FnMut(&[u16])) {
    let mut at = range.start;
    while at < range.end {
        let base = at / PIECE * PIECE;
        let piece = text.piece(at / PIECE);
        visit(piece.get(at - base..piece.len().min(range.end - base)).unwrap_or_default());
        at = base + PIECE;
    }
}
