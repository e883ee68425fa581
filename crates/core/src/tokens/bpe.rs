//! Counts byte-pair encoding tokens of one piece of text; `pieces` splits texts, `merge` merges a piece that is no token itself. Counts of
//! short pieces are cached: some 93 % of a session's pieces repeat, and a table that fits the CPU cache is faster than a vocabulary.

mod merge;
mod pieces;
mod vocabulary;

use std::cell::RefCell;

pub use merge::Counted;
pub use pieces::{Piece, PieceIter, PieceKind, Split};
pub use vocabulary::TokenVocabulary;

use vocabulary::{medium_hash, packed};

/// Longer pieces are not cached: they may have more than fifteen tokens, and a slot has four bits for the count.
const REMEMBERED_BYTES: usize = 15;
/// 16,384 pieces of 16 bytes for each encoding: fits a core's own cache.
const SLOT_BITS: u32 = 14;
/// The lower 124 bits hold the bytes and their number, the upper four the token count.
const COUNT_SHIFT: u32 = 124;

/// Counts the tokens of a piece, a long one only slightly beyond `limit` tokens. O(piece).
fn count_piece(vocabulary: &TokenVocabulary, piece: &[u8], limit: usize) -> Counted {
    if vocabulary.rank(piece).is_some() {
        return Counted { tokens: 1, bytes: piece.len() };
    }
    merge::count(vocabulary, piece, limit)
}

thread_local! {
    static MEMOS: RefCell<[PieceMemo; 2]> = RefCell::default();
}

/// Token counts of short pieces, in a hash table without collision handling: a new piece overwrites its slot.
#[derive(Debug, Default)]
pub struct PieceMemo {
    slots: Vec<u128>,
}

impl PieceMemo {
    pub fn with<R>(split: Split, work: impl FnOnce(&mut Self) -> R) -> R {
        MEMOS.with_borrow_mut(|[o200k, cl100k]| {
            let memo = if split == Split::O200k { o200k } else { cl100k };
            if memo.slots.is_empty() {
                memo.slots = vec![0; 1 << SLOT_BITS];
            }
            work(memo)
        })
    }

    /// For a long piece with more than `limit` tokens, counts only the start.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // a slot's number and four bits
    pub fn count(&mut self, vocabulary: &TokenVocabulary, piece: &[u8], limit: usize) -> Counted {
        if piece.len() > REMEMBERED_BYTES {
            return count_piece(vocabulary, piece, limit);
        }
        let key = packed(piece);
        let Some(slot) = self.slots.get_mut((medium_hash(key) >> (64 - SLOT_BITS)) as usize) else {
            return count_piece(vocabulary, piece, limit);
        };
        if *slot << 4 != key << 4 {
            let tokens = count_piece(vocabulary, piece, limit).tokens;
            *slot = key | (tokens as u128) << COUNT_SHIFT;
        }
        Counted { tokens: (*slot >> COUNT_SHIFT) as usize, bytes: piece.len() }
    }
}
