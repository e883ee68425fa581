//! Decides which kind of text a token comes from: vocabularies differ most in digits and CJK.

use super::bpe::PieceKind;

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

    /// Returns an unrounded count.
    #[allow(clippy::cast_precision_loss)] // counts of a JavaScript string stay far below 2^52
    pub fn apply(self, counts: ClassCounts) -> f64 {
        self.other * counts.other as f64 + self.digits * counts.digits as f64 + self.cjk * counts.cjk as f64
    }
}

/// Chinese, Japanese and Korean letters and full-width forms.
pub const fn is_cjk(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// If a word mixes scripts (`使用React组件` is one piece of `o200k_base`), its tokens are divided in proportion to its bytes.
pub fn classes_of(kind: PieceKind, piece: &[u8], tokens: usize) -> ClassCounts {
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
