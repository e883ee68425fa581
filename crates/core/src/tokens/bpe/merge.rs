//! Merges the bytes of a piece into tokens, lowest rank first, leftmost first among equals.
//!
//! A piece of a megabyte without a break (one letter repeated, base64) is merged in windows. A sequence of tokens is
//! the encoding of its text exactly if each two neighbours are the encoding of theirs. So a window's tokens are final as
//! soon as they fit the tokens before, and only the last few, which more text could still change, are merged again.
//! The work stays linear and within the CPU cache.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::TokenVocabulary;

/// Up to this length, rescanning all pairs after each merge is faster than a heap.
const SCANNED_BYTES: usize = 64;
/// Bytes of a long piece that are merged at a time.
const WINDOW_BYTES: usize = 4096;
/// Bytes at the end of a window that are merged again with the next: twice the longest token.
const UNSETTLED_BYTES: usize = 256;
/// Tokens that are merged again if a window does not fit those before it; doubled until it fits.
const FIRST_RETREAT: usize = 64;
const NONE: u32 = u32::MAX;

/// The tokens of the first `bytes` bytes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub tokens: usize,
    pub bytes: usize,
}

/// Counts a long piece only up to the window in which `limit` tokens are reached. `piece` must not itself be a token.
pub fn count(vocabulary: &TokenVocabulary, piece: &[u8], limit: usize) -> Counted {
    let tokens = match piece.len() {
        length if length <= 1 => length,
        length if length <= SCANNED_BYTES => scan(vocabulary, piece).0,
        length if length <= WINDOW_BYTES => ends(vocabulary, piece).len(),
        _ => return long(vocabulary, piece, WINDOW_BYTES, limit),
    };
    Counted { tokens, bytes: piece.len() }
}

/// The number of tokens of `piece`, and the end of the first. O(bytes²).
#[inline]
fn scan(vocabulary: &TokenVocabulary, piece: &[u8]) -> (usize, usize) {
    // starts[i]: start of part i; ranks[i]: rank of parts i and i + 1 joined.
    let (mut starts, mut ranks) = ([0_u8; SCANNED_BYTES + 2], [NONE; SCANNED_BYTES + 2]);
    for (start, slot) in (0..).zip(starts.iter_mut().take(piece.len() + 1)) {
        *slot = start;
    }
    for (slot, pair) in ranks.iter_mut().zip(piece.windows(2)) {
        if let &[first, second] = pair {
            *slot = vocabulary.pair_rank(first, second).unwrap_or(NONE);
        }
    }
    let mut parts = piece.len();
    loop {
        let mut least = NONE;
        let mut merged = 0;
        for (index, &rank) in ranks.iter().enumerate().take(parts.saturating_sub(1)) {
            if rank < least {
                (least, merged) = (rank, index);
            }
        }
        if least == NONE {
            return (parts, starts.get(1).map_or(0, |&start| usize::from(start)));
        }
        starts.copy_within(merged + 2..=parts, merged + 1);
        ranks.copy_within(merged + 1..parts, merged);
        parts -= 1;
        for part in [merged.wrapping_sub(1), merged] {
            let Some(slot) = ranks.get_mut(part) else { continue };
            *slot = if part + 1 < parts { rank_of_two(vocabulary, piece, &starts, part) } else { NONE };
        }
    }
}

#[inline]
fn rank_of_two(vocabulary: &TokenVocabulary, piece: &[u8], starts: &[u8], part: usize) -> u32 {
    let (Some(&start), Some(&end)) = (starts.get(part), starts.get(part + 2)) else { return NONE };
    let bytes = piece.get(usize::from(start)..usize::from(end)).unwrap_or_default();
    vocabulary.rank(bytes).unwrap_or(NONE)
}

/// A part, stored at the index of its first byte.
#[derive(Clone, Copy)]
struct MergePart {
    previous: u32,
    /// Start of the next part, end of this one.
    next: u32,
    /// Rank of this part joined with the next; also identifies heap entries that are still valid.
    rank: u32,
}

/// The ends of the tokens of `piece`. O(n log n).
#[allow(clippy::cast_possible_truncation)] // a piece is shorter than 2^32 bytes
fn ends(vocabulary: &TokenVocabulary, piece: &[u8]) -> Vec<u32> {
    let length = piece.len() as u32;
    let mut heap = BinaryHeap::with_capacity(piece.len());
    let mut parts: Vec<MergePart> = Vec::with_capacity(piece.len());
    for start in 0..length {
        let pair = piece.get(start as usize..).and_then(<[u8]>::first_chunk::<2>);
        let rank = pair.and_then(|&[first, second]| vocabulary.pair_rank(first, second)).unwrap_or(NONE);
        parts.push(MergePart { previous: start.wrapping_sub(1), next: start + 1, rank });
        if rank != NONE {
            heap.push(Reverse((rank, start)));
        }
    }
    while let Some(Reverse((rank, start))) = heap.pop() {
        if part(&parts, start).rank != rank {
            continue;
        }
        let absorbed = part(&parts, start).next;
        let next = part(&parts, absorbed).next;
        change(&mut parts, absorbed, |part| part.rank = NONE);
        change(&mut parts, next, |part| part.previous = start);
        change(&mut parts, start, |part| part.next = next);
        for left in [part(&parts, start).previous, start] {
            let right = part(&parts, left).next;
            let end = part(&parts, right).next;
            let bytes = if right < length { piece.get(left as usize..end as usize) } else { None };
            let rank = bytes.and_then(|bytes| vocabulary.rank(bytes)).unwrap_or(NONE);
            change(&mut parts, left, |part| part.rank = rank);
            if rank != NONE && left < length {
                heap.push(Reverse((rank, left)));
            }
        }
    }
    let mut ends = Vec::with_capacity(piece.len() / 3);
    let mut start = 0;
    while start < length {
        start = part(&parts, start).next;
        ends.push(start);
    }
    ends
}

#[inline]
fn part(parts: &[MergePart], start: u32) -> MergePart {
    parts.get(start as usize).copied().unwrap_or(MergePart { previous: NONE, next: NONE, rank: NONE })
}

#[inline]
fn change(parts: &mut [MergePart], start: u32, change: impl FnOnce(&mut MergePart)) {
    if let Some(part) = parts.get_mut(start as usize) {
        change(part);
    }
}

/// Counts a piece longer than a window, or its start once that has more than `limit` tokens.
fn long(vocabulary: &TokenVocabulary, piece: &[u8], window: usize, limit: usize) -> Counted {
    // Ends of the settled tokens, from 0 on, for retreats.
    let mut settled = vec![0_usize];
    let mut retreat = FIRST_RETREAT;
    let mut wanted = window;
    // Reused for repetitive text such as dashes or spaces: each window equals the one before.
    let (mut merged, mut tokens): (&[u8], Vec<u32>) = (&[], Vec::new());
    loop {
        let start = settled.last().copied().unwrap_or(0);
        if settled.len() > limit {
            return Counted { tokens: settled.len() - 1, bytes: start };
        }
        let end = wanted.min(piece.len());
        let text = piece.get(start..end).unwrap_or_default();
        if text != merged {
            (merged, tokens) = (text, ends(vocabulary, text));
        }
        if !fits(vocabulary, piece, &settled, text, &tokens) {
            // Each retreat goes back further and reads ahead further; from the start of the piece every window fits.
            let kept = settled.len().saturating_sub(retreat).max(1);
            settled.truncate(kept);
            retreat *= 2;
            wanted += window;
            continue;
        }
        if end == piece.len() {
            return Counted { tokens: settled.len() - 1 + tokens.len(), bytes: end };
        }
        let sure = text.len().saturating_sub(UNSETTLED_BYTES);
        let before = settled.len();
        settled.extend(
            tokens.iter().map(|&end| end as usize).take_while(|&end| end <= sure).map(|end| start + end),
        );
        // A window that settles nothing must grow before the next attempt.
        let reached = if settled.len() > before { settled.last().copied().unwrap_or(0) } else { end };
        retreat = FIRST_RETREAT;
        wanted = reached + window;
    }
}

/// True if the last settled token and the first of `tokens` are the encoding of their joined text.
fn fits(vocabulary: &TokenVocabulary, piece: &[u8], settled: &[usize], text: &[u8], tokens: &[u32]) -> bool {
    let &[.., before, start] = settled else { return true };
    let Some(&first) = tokens.first() else { return true };
    let both = piece.get(before..start + first as usize).unwrap_or_default();
    debug_assert!(text.len() >= first as usize);
    let left = start - before;
    if both.len() <= SCANNED_BYTES {
        return scan(vocabulary, both) == (2, left);
    }
    let joined = ends(vocabulary, both);
    joined.len() == 2 && joined.first().is_some_and(|&end| end as usize == left)
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
