//! Merges the bytes of a piece into tokens: the two neighbouring parts whose joined bytes are the token of the lowest rank become one part
//! (the leftmost of equals), until no two neighbours are a token. Up to 64 bytes, all pairs are scanned before each merge; up to 4 KiB, a
//! heap holds the pairs; a longer piece is merged in windows, so that the work stays linear and within the CPU cache.
//! Windows work because tokens are the encoding of their text exactly if each two neighbours are the encoding of theirs. So a window's
//! tokens are final, *settled*, if its first one fits the last settled one, except the last few, which the text after could change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::TokenVocabulary;

/// Up to this length, rescanning all pairs after each merge is faster than a heap.
const SCANNED_BYTES: usize = 64;
/// Bytes of a long piece that are merged at a time.
const WINDOW_BYTES: usize = 4096;
/// Bytes at the end of a window that are merged again with the next: twice the longest token.
const UNSETTLED_BYTES: usize = 256;
/// Settled tokens that are merged again if a window does not fit them; doubled until it fits.
const FIRST_RETREAT: usize = 64;
/// The rank of two parts that are no token together.
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
        length @ 0..=1 => length,
        2..=SCANNED_BYTES => merge_by_scanning(vocabulary, piece).0,
        ..=WINDOW_BYTES => token_ends(vocabulary, piece).len(),
        _ => return count_in_windows(vocabulary, piece, WINDOW_BYTES, limit),
    };
    Counted { tokens, bytes: piece.len() }
}

/// The number of tokens of a piece of at most [`SCANNED_BYTES`], and the end of the first one. O(bytes²).
#[inline]
fn merge_by_scanning(vocabulary: &TokenVocabulary, piece: &[u8]) -> (usize, usize) {
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
            *slot = if part + 1 < parts { joined_rank(vocabulary, piece, &starts, part) } else { NONE };
        }
    }
}

#[inline]
fn joined_rank(vocabulary: &TokenVocabulary, piece: &[u8], starts: &[u8], part: usize) -> u32 {
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
    /// Rank of this part joined with the next. A heap entry with another rank is outdated.
    rank: u32,
}

/// The ends of the tokens of `piece`, merged with a heap of the pairs. O(n log n).
#[allow(clippy::cast_possible_truncation)] // a piece is shorter than 2^32 bytes
fn token_ends(vocabulary: &TokenVocabulary, piece: &[u8]) -> Vec<u32> {
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

/// Counts a piece longer than `window_bytes`, or its start once that has more than `limit` tokens.
fn count_in_windows(vocabulary: &TokenVocabulary, piece: &[u8], window_bytes: usize, limit: usize) -> Counted {
    // 0, then the end of each settled token in the piece.
    let mut settled_ends = vec![0_usize];
    let mut retreat = FIRST_RETREAT;
    let mut wanted_end = window_bytes;
    // The last window and its tokens, reused for repetitive text such as dashes or spaces, where each window equals the one before.
    let (mut merged, mut ends_in_window): (&[u8], Vec<u32>) = (&[], Vec::new());
    loop {
        let start = settled_ends.last().copied().unwrap_or(0);
        if settled_ends.len() > limit {
            return Counted { tokens: settled_ends.len() - 1, bytes: start };
        }
        let end = wanted_end.min(piece.len());
        let window = piece.get(start..end).unwrap_or_default();
        if window != merged {
            (merged, ends_in_window) = (window, token_ends(vocabulary, window));
        }
        if !fits_settled(vocabulary, piece, &settled_ends, ends_in_window.first()) {
            // Each retreat goes back further and reads ahead further; from the start of the piece every window fits.
            settled_ends.truncate(settled_ends.len().saturating_sub(retreat).max(1));
            retreat *= 2;
            wanted_end += window_bytes;
            continue;
        }
        if end == piece.len() {
            return Counted { tokens: settled_ends.len() - 1 + ends_in_window.len(), bytes: end };
        }
        let unsettled_from = end.saturating_sub(UNSETTLED_BYTES);
        let new_ends = ends_in_window.iter().map(|&end| start + end as usize);
        settled_ends.extend(new_ends.take_while(|&end| end <= unsettled_from));
        // A window that settles nothing must grow before the next attempt.
        let last_settled = settled_ends.last().copied().filter(|&settled| settled > start);
        retreat = FIRST_RETREAT;
        wanted_end = last_settled.unwrap_or(end) + window_bytes;
    }
}

/// True if the last settled token and the window's first one, which ends at `first_end`, are the encoding of their joined text.
fn fits_settled(vocabulary: &TokenVocabulary, piece: &[u8], settled_ends: &[usize], first_end: Option<&u32>) -> bool {
    let (&[.., last_start, last_end], Some(&first_end)) = (settled_ends, first_end) else { return true };
    let joined = piece.get(last_start..last_end + first_end as usize).unwrap_or_default();
    let last_length = last_end - last_start;
    if joined.len() <= SCANNED_BYTES {
        return merge_by_scanning(vocabulary, joined) == (2, last_length);
    }
    matches!(token_ends(vocabulary, joined)[..], [end, _] if end as usize == last_length)
}

#[cfg(test)]
mod tests;
