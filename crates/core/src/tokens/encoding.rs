//! Counts tokens exactly as the `OpenAI` encodings do, in total and by class.

use std::sync::OnceLock;

use super::bpe::{Counted, PieceIter, PieceKind, PieceMemo, Split, TokenVocabulary};
use super::classes::{ClassCounts, of_piece};

/// An encoding. Text that spells a special token (`<|endoftext|>`) counts as ordinary text, which it is in a transcript.
pub trait Encoding: Send + Sync {
    /// O(text) for every input.
    fn count(&self, text: &str) -> usize;

    /// The sum of the classes is [`Encoding::count`].
    fn pieces_by_class(&self, text: &str) -> ClassCounts {
        self.classes_up_to(text, usize::MAX).0
    }

    /// Stops after more than `limit` tokens, which bounds the work. All of the text was counted if `bytes` is its length.
    fn count_up_to(&self, text: &str, limit: usize) -> Counted;

    /// Like [`Encoding::count_up_to`], by class, with the number of bytes counted.
    fn classes_up_to(&self, text: &str, limit: usize) -> (ClassCounts, usize);
}

pub(super) static O200K_VOCABULARY: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. The vocabulary is read once per process, on first use.
pub fn o200k() -> &'static dyn Encoding {
    static O200K: OnceLock<Bpe> = OnceLock::new();
    O200K.get_or_init(|| Bpe { vocabulary: TokenVocabulary::read(O200K_VOCABULARY), split: Split::O200k })
}

/// `cl100k_base`: GPT-4 and 3.5.
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
            PieceIter::new(text, self.split)
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
    /// Passes each piece with its tokens and end to `show`, until there are more than `limit` tokens.
    fn pieces_up_to(&self, text: &str, limit: usize, mut show: impl FnMut(PieceKind, &[u8], usize, usize)) {
        PieceMemo::with(self.split, |memo| {
            let mut total = 0;
            for piece in PieceIter::new(text, self.split) {
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
