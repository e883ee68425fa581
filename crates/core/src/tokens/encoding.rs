//! The exact `OpenAI` encodings: how many tokens a text is, and of which kind.

use std::sync::OnceLock;

use super::bpe::{Counted, PieceKind, PieceMemo, Pieces, Split, TokenVocabulary};
use super::classes::{ClassCounts, of_piece};

/// Text that spells a special token (`<|endoftext|>`) counts as ordinary text: in a transcript that is what it is.
pub trait Encoding: Send + Sync {
    /// O(text) for every input.
    fn count(&self, text: &str) -> usize;

    /// The classes add up to [`Encoding::count`].
    fn pieces_by_class(&self, text: &str) -> ClassCounts {
        self.classes_up_to(text, usize::MAX).0
    }

    /// Stops once there are more than `limit` tokens, which bounds the work. The whole text was counted where `bytes` is its length.
    fn count_up_to(&self, text: &str, limit: usize) -> Counted;

    /// Like [`Encoding::count_up_to`], by class, with the bytes that were counted.
    fn classes_up_to(&self, text: &str, limit: usize) -> (ClassCounts, usize);
}

pub(super) static O200K_VOCABULARY: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. The vocabulary is read on first use, once for the process.
#[must_use]
pub fn o200k() -> &'static dyn Encoding {
    static O200K: OnceLock<Bpe> = OnceLock::new();
    O200K.get_or_init(|| Bpe { vocabulary: TokenVocabulary::read(O200K_VOCABULARY), split: Split::O200k })
}

/// `cl100k_base`: GPT-4 and 3.5.
#[must_use]
pub fn cl100k() -> &'static dyn Encoding {
    static CL100K: OnceLock<Bpe> = OnceLock::new();
    CL100K.get_or_init(|| Bpe { vocabulary: TokenVocabulary::read(CL100K_VOCABULARY), split: Split::Cl100k })
}

struct Bpe {
    vocabulary: TokenVocabulary,
    split: Split,
}

impl Encoding for Bpe {
    fn count(&self, text: &str) -> usize {
        let bytes = text.as_bytes();
        PieceMemo::with(self.split, |memo| {
            Pieces::new(text, self.split)
                .map(|piece| bytes.get(piece.start..piece.end).unwrap_or_default())
                .map(|piece| memo.count(&self.vocabulary, piece))
                .sum()
        })
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Counted {
        let mut counted = Counted { tokens: 0, bytes: 0 };
        self.pieces_up_to(text, limit, |_, _, tokens, bytes| {
            counted = Counted { tokens: counted.tokens + tokens, bytes };
        });
        counted
    }

    fn classes_up_to(&self, text: &str, limit: usize) -> (ClassCounts, usize) {
        let (mut counts, mut counted) = (ClassCounts::default(), 0);
        self.pieces_up_to(text, limit, |kind, content, tokens, bytes| {
            counts = counts.plus(of_piece(kind, content, tokens));
            counted = bytes;
        });
        (counts, counted)
    }
}

impl Bpe {
    /// Shows each piece with its tokens and where it ends, until there are more than `limit` tokens.
    fn pieces_up_to(&self, text: &str, limit: usize, mut show: impl FnMut(PieceKind, &[u8], usize, usize)) {
        PieceMemo::with(self.split, |memo| {
            let mut total = 0;
            for piece in Pieces::new(text, self.split) {
                let content = text.as_bytes().get(piece.start..piece.end).unwrap_or_default();
                let counted = memo.count_up_to(&self.vocabulary, content, limit.saturating_sub(total));
                total += counted.tokens;
                let seen = content.get(..counted.bytes).unwrap_or_default();
                show(piece.kind, seen, counted.tokens, piece.start + counted.bytes);
                if total > limit || counted.bytes < content.len() {
                    break;
                }
            }
        });
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
