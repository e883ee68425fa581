//! Counts tokens exactly as the `OpenAI` encodings do, in total and by class.

use std::sync::OnceLock;

use super::bpe::{PieceIter, PieceMemo, Split, TokenVocabulary};
use super::classes::{ClassCounts, classes_of};

/// An encoding. Text that spells a special token (`<|endoftext|>`) counts as ordinary text, which it is in a transcript.
pub struct Encoding {
    vocabulary: TokenVocabulary,
    split: Split,
}

pub(super) static O200K_VOCABULARY: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. The vocabulary is read once per process, on first use.
pub fn o200k() -> &'static Encoding {
    static O200K: OnceLock<Encoding> = OnceLock::new();
    O200K
        .get_or_init(|| Encoding { vocabulary: TokenVocabulary::read(O200K_VOCABULARY), split: Split::O200k })
}

/// `cl100k_base`: GPT-4 and 3.5.
pub fn cl100k() -> &'static Encoding {
    static CL100K: OnceLock<Encoding> = OnceLock::new();
    CL100K.get_or_init(|| Encoding {
        vocabulary: TokenVocabulary::read(CL100K_VOCABULARY),
        split: Split::Cl100k,
    })
}

impl Encoding {
    /// O(text) for every input.
    pub fn count(&self, text: &str) -> usize {
        let bytes = text.as_bytes();
        PieceMemo::with(self.split, |memo| {
            PieceIter::new(text, self.split)
                .map(|piece| bytes.get(piece.start..piece.end).unwrap_or_default())
                .map(|piece| memo.count(&self.vocabulary, piece, usize::MAX).tokens)
                .sum()
        })
    }

    /// The sum of the classes is [`Encoding::count`].
    pub fn pieces_by_class(&self, text: &str) -> ClassCounts {
        self.classes_up_to(text, usize::MAX).0
    }

    /// Stops after more than `limit` tokens, which bounds the work. Also returns the number of bytes counted.
    pub fn classes_up_to(&self, text: &str, limit: usize) -> (ClassCounts, usize) {
        PieceMemo::with(self.split, |memo| {
            let (mut counts, mut total, mut bytes) = (ClassCounts::default(), 0, 0);
            for piece in PieceIter::new(text, self.split) {
                let content = text.as_bytes().get(piece.start..piece.end).unwrap_or_default();
                let counted = memo.count(&self.vocabulary, content, limit.saturating_sub(total));
                let seen = content.get(..counted.bytes).unwrap_or_default();
                counts = counts.plus(classes_of(piece.kind, seen, counted.tokens));
                total += counted.tokens;
                bytes = piece.start + counted.bytes;
                if total > limit || counted.bytes < content.len() {
                    break;
                }
            }
            (counts, bytes)
        })
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
