//! Decides whether a provider's error means that the conversation is too long for the model (R5.7).
//!
//! Providers say so in a sentence, not a code, and say similar things of rate limits and of output limits, where
//! compressing the conversation would be wrong. So whole sentences are matched, not words.

mod signatures;
mod template;

use super::Language;
use signatures::{NOT_AN_OVERFLOW, PROVIDER_NAMES, SIGNATURES};

/// Longer texts are logs or pages, not error messages; their beginning is looked at.
const LONGEST_MESSAGE: usize = 65_536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextOverflow {
    /// Tokens of the request, output reserve included where the provider counts it.
    pub requested: Option<u64>,
    pub max: Option<u64>,
    /// In lower case: `openai` also for the many servers that imitate it.
    pub provider: &'static str,
}

/// `None` for any other error.
///
/// Case and runs of white space don't count, so quoted and wrapped messages are found in what wraps them. O(message ×
/// signatures), at most 64 Ki units.
#[must_use]
pub fn parse_context_overflow(message: &[u16]) -> Option<ContextOverflow> {
    let text = normalised(message);
    if NOT_AN_OVERFLOW.iter().any(|&words| text.contains(words)) {
        return None;
    }
    SIGNATURES.iter().find_map(|signature| {
        let found = template::find(&text, signature.sentence)?;
        let provider =
            if signature.provider.is_empty() { provider_named_in(&text) } else { signature.provider };
        Some(ContextOverflow { requested: found.requested(), max: found.max, provider })
    })
}

/// The overflow with the most figures, the earliest of those. A client's own sentence often says less than the body that it
/// wraps.
#[must_use]
pub fn parse_best<'m>(messages: impl IntoIterator<Item = &'m [u16]>) -> Option<ContextOverflow> {
    let figures =
        |found: &ContextOverflow| u8::from(found.requested.is_some()) + u8::from(found.max.is_some());
    let found = messages.into_iter().filter_map(parse_context_overflow);
    found.reduce(|best, next| if figures(&next) > figures(&best) { next } else { best })
}

fn provider_named_in(text: &str) -> &'static str {
    PROVIDER_NAMES.iter().find(|(name, _)| text.contains(name)).map_or("openai", |&(_, provider)| provider)
}

fn normalised(message: &[u16]) -> String {
    let message = message.get(..message.len().min(LONGEST_MESSAGE)).unwrap_or_default();
    let mut text = String::with_capacity(message.len());
    for letter in char::decode_utf16(message.iter().copied()) {
        let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
        if !letter.is_whitespace() {
            text.push(letter.to_ascii_lowercase());
        } else if !text.ends_with(' ') {
            text.push(' ');
        }
    }
    text
}

/// The sentence that the user reads instead of the provider's error, and the way out (R5.7).
#[must_use]
pub const fn user_texts(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("对话内容过长，已超出模型上下文限制。", "建议新开一个会话继续对话。"),
        Language::English => (
            "The conversation is too long for the model's context window.",
            "Start a new session to continue the conversation.",
        ),
    }
}

#[cfg(test)]
mod tests;
