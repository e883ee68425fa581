//! Decides whether a provider's error means that the conversation is too long for the model (R5.7).
//!
//! Providers state this in a sentence, not a code, and write similar sentences about rate limits and output limits, for which
//! compressing the conversation would be wrong. So whole sentences are matched, not words: those of `overflow/wordings.tsv`. Only
//! the provider's own words count, not the headers, the request and the quotations that an error's text may include.

mod bare_status;
mod error_text;
mod headers;
mod quotation;
mod template;
mod wordings;

use super::Language;
pub use bare_status::ErrorOrigin;
use bare_status::bare_overflow;
use error_text::{ErrorText, normalise};
use wordings::{FIGURES, PROVIDER_NAMES, WORDINGS, is_near_miss};

/// Longer texts are logs or pages, not error messages; only their beginning is searched.
const LONGEST_MESSAGE: usize = 65_536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextOverflow {
    /// Tokens of the request, including the output reserve if the provider counts it.
    pub requested: Option<u64>,
    pub max: Option<u64>,
    /// In lower case; `openai` also for the many servers that imitate it.
    pub provider: &'static str,
}

impl ContextOverflow {
    fn figures(&self) -> u8 {
        u8::from(self.requested.is_some()) + u8::from(self.max.is_some())
    }

    /// A request above a limit, both in tokens of the context, is certain to be an overflow.
    fn is_proven(&self) -> bool {
        matches!((self.requested, self.max), (Some(requested), Some(max)) if requested >= max)
    }
}

/// `None` for any other error.
///
/// Case and runs of white space don't matter, so quoted and wrapped messages are found too. O(message × wordings), at
/// most 64 Ki units.
pub fn parse_context_overflow(message: &[u16]) -> Option<ContextOverflow> {
    let message = message.get(..message.len().min(LONGEST_MESSAGE)).unwrap_or_default();
    let own = normalise(message);
    let found = best_wording(&own)?;
    (found.is_proven() || !is_near_miss(&own)).then_some(found)
}

fn best_wording(own: &ErrorText) -> Option<ContextOverflow> {
    let text = own.text.as_str();
    let found = WORDINGS.iter().filter_map(|wording| {
        let found = wording.template.find(text, |found| !own.is_quoted(found.start, found.end))?;
        let (requested, max) = (found.numbers.requested(), found.numbers.max);
        Some(ContextOverflow { requested, max, provider: wording.provider })
    });
    let best = with_most_figures(found)?;
    let provider = if best.provider.is_empty() { provider_named_in(text) } else { best.provider };
    Some(complete_figures(ContextOverflow { provider, ..best }, text))
}

/// The first if several have as many.
fn with_most_figures(found: impl Iterator<Item = ContextOverflow>) -> Option<ContextOverflow> {
    found.reduce(|best, next| if next.figures() > best.figures() { next } else { best })
}

/// Adds missing figures from the rest of the text, such as a separate field.
fn complete_figures(mut found: ContextOverflow, text: &str) -> ContextOverflow {
    if found.figures() == 2 {
        return found;
    }
    for additional in FIGURES.iter().filter_map(|template| template.find(text, |_| true)) {
        found.requested = found.requested.or_else(|| additional.numbers.requested());
        found.max = found.max.or(additional.numbers.max);
    }
    found
}

/// The overflow that an error's texts report; `known` is what else the caller knows of the error.
///
/// The one with the most figures is chosen: a client's own sentence often has fewer than the body that it wraps.
pub fn find_overflow<'m, M>(known: &ErrorOrigin, messages: M) -> Option<ContextOverflow>
where
    M: IntoIterator<Item = &'m [u16]> + Clone,
{
    let found = messages.clone().into_iter().filter_map(parse_context_overflow);
    with_most_figures(found).or_else(|| {
        let provider = bare_overflow(known, messages)?;
        Some(ContextOverflow { requested: None, max: None, provider })
    })
}

fn provider_named_in(text: &str) -> &'static str {
    PROVIDER_NAMES.iter().find(|(name, _)| text.contains(name)).map_or("openai", |&(_, provider)| provider)
}

/// The sentence shown to the user instead of the provider's error, and the advice (R5.7).
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
