//! Expresses a requested length in words, because models follow a word count better than a token count.

use crate::results::Language;

/// Measured on summaries of code, with their paths, names and numbers; prose has fewer tokens a word.
const TOKENS_PER_WORD: f64 = 1.4;
const CHARACTERS_PER_TOKEN: f64 = 1.2;

/// `500 words (about 700 tokens)`, `840 字（约 700 个 token）`: the numbers rounded down to two digits.
pub fn length_in_words(tokens: f64, language: Language) -> String {
    let rounded = |number: f64| {
        let number = number.max(1.0);
        let unit = 10_f64.powf((number.log10().floor() - 1.0).max(0.0));
        (number / unit).floor() * unit
    };
    let tokens_rounded = rounded(tokens);
    match language {
        Language::Chinese => {
            format!("{} 字（约 {tokens_rounded} 个 token）", rounded(tokens * CHARACTERS_PER_TOKEN))
        }
        Language::English => {
            format!("{} words (about {tokens_rounded} tokens)", rounded(tokens / TOKENS_PER_WORD))
        }
    }
}
