//! Counts byte-pair encoding tokens: character classes, pieces of text, the vocabulary, and merging within a piece.

mod characters;
mod memo;
mod merge;
mod pieces;
mod vocabulary;

pub use memo::PieceMemo;
pub use merge::Counted;
pub use pieces::{Piece, PieceIter, PieceKind, Split};
pub use vocabulary::TokenVocabulary;

/// Counts a long piece only slightly beyond `limit` tokens. O(piece).
pub fn count_piece(vocabulary: &TokenVocabulary, piece: &[u8], limit: usize) -> Counted {
    if vocabulary.rank(piece).is_some() {
        return Counted { tokens: 1, bytes: piece.len() };
    }
    merge::count(vocabulary, piece, limit)
}
