//! What kind of text tokens come from: vocabularies differ most in how they treat digits and CJK.

/// Tokens by class. Everything but digits and CJK is `other`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// Letters, white space, punctuation.
    pub other: usize,
    /// Pieces of one to three digits.
    pub digits: usize,
    /// Pieces with Chinese, Japanese or Korean characters.
    pub cjk: usize,
}

impl ClassCounts {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> usize {
        self.other + self.digits + self.cjk
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self { other: self.other + more.other, digits: self.digits + more.digits, cjk: self.cjk + more.cjk }
    }
}

/// How many tokens of a model's own vocabulary one `o200k_base` token of each class comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// For [`ClassCounts::other`].
    pub other: f64,
    /// For [`ClassCounts::digits`].
    pub digits: f64,
    /// For [`ClassCounts::cjk`].
    pub cjk: f64,
}

impl Factors {
    /// The encoding itself.
    pub const ONE: Self = Self { other: 1.0, digits: 1.0, cjk: 1.0 };

    /// Tokens of the model, estimated from `counts`. Not rounded.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // counts of a JavaScript string stay far below 2^52
    pub fn apply(self, counts: ClassCounts) -> f64 {
        self.other * counts.other as f64 + self.digits * counts.digits as f64 + self.cjk * counts.cjk as f64
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Digits,
    Cjk,
}

/// Chinese, Japanese and Korean letters and full-width forms.
#[must_use]
pub const fn is_cjk(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Counts runs of one class apart.
pub(super) fn by_runs(text: &str, count: impl Fn(&str) -> usize) -> ClassCounts {
    let class = |character: char| match character {
        _ if is_cjk(character) => Class::Cjk,
        _ if character.is_numeric() => Class::Digits,
        _ => Class::Other,
    };
    let mut counts = ClassCounts::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next().map(class) {
        let end = rest.find(|character| class(character) != first).unwrap_or(rest.len());
        let Some((run, tail)) = rest.split_at_checked(end) else { break };
        *match first {
            Class::Other => &mut counts.other,
            Class::Digits => &mut counts.digits,
            Class::Cjk => &mut counts.cjk,
        } += count(run);
        rest = tail;
    }
    counts
}
