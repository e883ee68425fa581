//! Byte-pair encoding that only counts: characters, pieces of text, the vocabulary, and merging within a piece.

mod characters;
mod memo;
mod merge;
mod pieces;
mod vocabulary;

pub use memo::PieceMemo;
pub use pieces::{Piece, PieceKind, Pieces, Split};
pub use vocabulary::Vocabulary;

/// How many tokens `piece` is. Linear in its length.
#[must_use]
pub fn count_piece(vocabulary: &Vocabulary, piece: &[u8]) -> usize {
    if vocabulary.rank(piece).is_some() { 1 } else { merge::count(vocabulary, piece) }
}
