//! The exact `OpenAI` encodings: how many tokens a text is, and of which kind.

use std::sync::OnceLock;

use super::bpe::{PieceMemo, Pieces, Split, Vocabulary};
use super::classes::{ClassCounts, of_piece};

/// A byte-pair encoding that counts. Text that spells a special token (`<|endoftext|>`) counts as ordinary text:
/// in a transcript that is what it is.
pub trait Encoding: Send + Sync {
    /// How many tokens `text` is. Linear in `text` for every input.
    fn count(&self, text: &str) -> usize;

    /// The same tokens by what their pieces are; the three add up to [`Encoding::count`].
    fn pieces_by_class(&self, text: &str) -> ClassCounts;

    /// Counts piece by piece and stops once there are more than `limit`: `None` then.
    fn count_up_to(&self, text: &str, limit: usize) -> Option<usize>;
}

pub(super) static O200K_VOCABULARY: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. The vocabulary is read on first use, once for the process.
#[must_use]
pub fn o200k() -> &'static dyn Encoding {
    static O200K: OnceLock<Bpe> = OnceLock::new();
    O200K.get_or_init(|| Bpe { vocabulary: Vocabulary::read(O200K_VOCABULARY), split: Split::O200k })
}

/// `cl100k_base`: GPT-4 and 3.5. The vocabulary is read on first use, once for the process.
#[must_use]
pub fn cl100k() -> &'static dyn Encoding {
    static CL100K: OnceLock<Bpe> = OnceLock::new();
    CL100K.get_or_init(|| Bpe { vocabulary: Vocabulary::read(CL100K_VOCABULARY), split: Split::Cl100k })
}

struct Bpe {
    vocabulary: Vocabulary,
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

    fn pieces_by_class(&self, text: &str) -> ClassCounts {
        let bytes = text.as_bytes();
        PieceMemo::with(self.split, |memo| {
            Pieces::new(text, self.split).fold(ClassCounts::default(), |counts, piece| {
                let content = bytes.get(piece.start..piece.end).unwrap_or_default();
                counts.plus(of_piece(piece.kind, content, memo.count(&self.vocabulary, content)))
            })
        })
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        PieceMemo::with(self.split, |memo| {
            let mut count = 0;
            for piece in Pieces::new(text, self.split) {
                count += memo.count(&self.vocabulary, bytes.get(piece.start..piece.end).unwrap_or_default());
                if count > limit {
                    return None;
                }
            }
            Some(count)
        })
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
