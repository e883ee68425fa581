//! Counts tokens exactly as the `OpenAI` encodings do, in total and by class of text; factors by class give another model's tokens.

use std::sync::LazyLock;

use super::bpe::{PieceIter, PieceKind, PieceMemo, Split, TokenVocabulary};

/// An encoding. Text that spells a special token (`<|endoftext|>`) counts as ordinary text, which it is in a transcript.
pub struct Encoding {
    vocabulary: TokenVocabulary,
    split: Split,
}

pub(super) static O200K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. Each vocabulary is read once per process, on first use.
pub fn o200k() -> &'static Encoding {
    static O200K: LazyLock<Encoding> = LazyLock::new(|| Encoding::read(O200K_VOCABULARY, Split::O200k));
    &O200K
}

/// `cl100k_base`: GPT-4 and 3.5.
pub fn cl100k() -> &'static Encoding {
    static CL100K: LazyLock<Encoding> = LazyLock::new(|| Encoding::read(CL100K_VOCABULARY, Split::Cl100k));
    &CL100K
}

impl Encoding {
    fn read(vocabulary: &'static [u8], split: Split) -> Self {
        Self { vocabulary: TokenVocabulary::read(vocabulary), split }
    }

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

    pub fn count_by_class(&self, text: &str) -> ClassCounts {
        self.count_by_class_up_to(text, usize::MAX).0
    }

    /// [`Encoding::count_by_class`] up to just over `limit` tokens, which bounds the work; and the number of bytes counted.
    pub fn count_by_class_up_to(&self, text: &str, limit: usize) -> (ClassCounts, usize) {
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

/// Tokens by the kind of text that they come from: vocabularies differ most in digits and CJK.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// Letters, white space, punctuation: everything but digits and CJK.
    pub other: usize,
    pub digits: usize,
    pub cjk: usize,
}

impl ClassCounts {
    pub const fn total(self) -> usize {
        self.other + self.digits + self.cjk
    }

    pub const fn plus(self, more: Self) -> Self {
        Self { other: self.other + more.other, digits: self.digits + more.digits, cjk: self.cjk + more.cjk }
    }
}

/// Tokens of a model's own vocabulary per `o200k_base` token, for each class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    pub other: f64,
    pub digits: f64,
    pub cjk: f64,
}

impl Factors {
    pub const ONE: Self = Self { other: 1.0, digits: 1.0, cjk: 1.0 };

    pub fn apply(self, counts: ClassCounts) -> f64 {
        self.other * counts.other as f64 + self.digits * counts.digits as f64 + self.cjk * counts.cjk as f64
    }
}

/// Chinese, Japanese and Korean letters and full-width forms.
pub const fn is_cjk(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The tokens of a piece by class; those of a word of mixed scripts (`使用React组件`) are divided in proportion to its bytes.
fn classes_of(kind: PieceKind, piece: &[u8], tokens: usize) -> ClassCounts {
    match kind {
        PieceKind::Digits => return ClassCounts { digits: tokens, ..ClassCounts::default() },
        _ if piece.is_ascii() => return ClassCounts { other: tokens, ..ClassCounts::default() },
        _ => {}
    }
    let characters = str::from_utf8(piece).unwrap_or_default().chars();
    let cjk_bytes: usize = characters.filter(|&character| is_cjk(character)).map(char::len_utf8).sum();
    let cjk = (tokens * cjk_bytes + piece.len() / 2) / piece.len().max(1);
    ClassCounts { other: tokens - cjk, digits: 0, cjk }
}

#[cfg(test)]
mod tests;
