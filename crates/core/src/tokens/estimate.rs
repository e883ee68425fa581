//! A rough token count from what the characters are, for reports. No vocabulary, one pass.
//!
//! Measured on recorded sessions against `o200k_base` (TOKENS.md 4.1, 4.2): tool output runs at 2.6
//! (terminal) to 3.4 (JSON) units a token and Chinese prose at 1.64, so one factor for both is 59 % off on
//! Chinese. Two factors stay within about a tenth on either.

/// UTF-16 units of a token in Latin text, code, JSON and terminal output taken together.
const UNITS_PER_TOKEN: f64 = 3.0;
/// The same in Chinese, Japanese and Korean.
const WIDE_UNITS_PER_TOKEN: f64 = 1.64;
/// CJK and everything after it but the halves of surrogate pairs starts here.
const FIRST_WIDE: u16 = 0x2E80;

/// How much of the context window a text takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// UTF-16 units.
    pub units: usize,
    /// Estimated tokens.
    pub tokens: usize,
}

impl Size {
    /// Measures `text`. O(text).
    #[must_use]
    pub fn of(text: &[u16]) -> Self {
        // Summing flags instead of branching lets the compiler count many units at once.
        let wide: usize = text
            .chunks(1 << 15)
            .map(|block| usize::from(block.iter().map(|&unit| u16::from(unit >= FIRST_WIDE)).sum::<u16>()))
            .sum();
        let narrow = text.len() - wide;
        #[allow(clippy::cast_precision_loss)] // lengths of JavaScript strings are below 2^30
        let tokens = narrow as f64 / UNITS_PER_TOKEN + wide as f64 / WIDE_UNITS_PER_TOKEN;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let tokens = tokens.ceil() as usize;
        Self { units: text.len(), tokens }
    }

    /// Both sizes together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { units: self.units + other.units, tokens: self.tokens + other.tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utf16::units;

    #[test]
    fn chinese_costs_more_tokens_than_latin_of_the_same_length() {
        assert_eq!(Size::of(&units("abcabc")), Size { units: 6, tokens: 2 });
        assert_eq!(Size::of(&units("你好世界")), Size { units: 4, tokens: 3 });
        assert_eq!(Size::of(&[]), Size { units: 0, tokens: 0 });
    }

    #[test]
    fn a_long_text_counts_every_block() {
        let long = units(&"你".repeat(200_000));
        assert_eq!(Size::of(&long).tokens, 121_952);
    }
}
