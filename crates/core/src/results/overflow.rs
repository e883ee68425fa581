//! Decides whether a provider's error means that the conversation is too long for the model (R5.7).
//! Providers state this in a sentence, not a code, and write similar sentences about rate limits and output limits, for which
//! compressing the conversation would be wrong. So whole sentences are matched, not words: those of `overflow/wordings.tsv`. Only
//! the provider's own words count, not the headers, the request and the quotations that an error's text may include.

mod error_text;
mod foreign_words;
mod template;

use std::sync::LazyLock;

use super::{Language, in_language};
use error_text::{ErrorText, normalise};
use template::Template;

// Tables of sentences; the head of each describes its columns.
const WORDINGS_FILE: &str = include_str!("overflow/wordings.tsv");
const NEAR_MISSES_FILE: &str = include_str!("overflow/near_misses.tsv");
const FIGURES_FILE: &str = include_str!("overflow/figures.tsv");
/// Pairs of a name that occurs in texts and its provider, for wordings that several providers share.
#[rustfmt::skip] // Each pair would have a line.
const PROVIDER_NAMES: &[(&str, &str)] = &[
    ("deepseek", "deepseek"), ("openrouter", "openrouter"), ("dashscope", "qwen"), ("qwen", "qwen"),
    ("moonshot", "moonshot"), ("kimi", "moonshot"), ("zhipu", "glm"), ("bigmodel", "glm"), ("z.ai", "glm"),
    ("mistral", "mistral"), ("cerebras", "cerebras"), ("siliconflow", "siliconflow"), ("vllm", "vllm"),
    ("sglang", "sglang"), ("together", "together"), ("fireworks", "fireworks"), ("deepinfra", "deepinfra"),
    ("bedrock", "bedrock"), ("llama.cpp", "llama.cpp"), ("ollama", "ollama"),
];
/// Texts with more units are logs or pages, not error messages; only their beginning is searched.
const LONGEST_MESSAGE: usize = 65_536;
/// These providers answer an overflow with HTTP status 413 and no text. For others 413 means too many bytes.
const USE_413_FOR_OVERFLOWS: [&str; 2] = ["cerebras", "mistral"];
const CONTENT_TOO_LARGE: f64 = 413.0;

/// The sentences with which providers report an overflow; the provider is empty if several share the wording. Parsed, as the tables
/// below, at the first error: 0.1 ms, and nothing in a process without failed requests.
static WORDINGS: LazyLock<Vec<(&'static str, Template)>> = LazyLock::new(read_wordings);
static NEAR_MISSES: LazyLock<Vec<Template>> = LazyLock::new(|| read_templates(NEAR_MISSES_FILE));
/// Forms in which a text gives figures outside the sentence that reports the overflow.
static FIGURES: LazyLock<Vec<Template>> = LazyLock::new(|| read_templates(FIGURES_FILE));

fn table_lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn first_column(line: &'static str) -> &'static str {
    line.split('\t').next().unwrap_or_default()
}

fn read_wordings() -> Vec<(&'static str, Template)> {
    let rows = table_lines(WORDINGS_FILE).filter_map(|line| line.split_once('\t'));
    rows.map(|(provider, rest)| (provider, Template::new(first_column(rest)))).collect()
}

fn read_templates(file: &'static str) -> Vec<Template> {
    let patterns = table_lines(file).map(first_column);
    patterns.filter(|pattern| !pattern.is_empty()).map(Template::new).collect()
}

fn is_near_miss(error: &ErrorText) -> bool {
    NEAR_MISSES.iter().any(|template| template.find(&error.text, |_| true).is_some())
}

/// What a provider's error says about a conversation that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextOverflow {
    /// Tokens of the request, including the output reserve if the provider counts it.
    pub requested: Option<u64>,
    pub max: Option<u64>,
    /// The provider's name in lower case; `openai` also for the many servers that imitate it.
    pub provider: &'static str,
}

impl ContextOverflow {
    fn figure_count(&self) -> u8 {
        u8::from(self.requested.is_some()) + u8::from(self.max.is_some())
    }

    /// True if the request is not below the limit: then the error is certainly an overflow.
    fn is_proven(&self) -> bool {
        matches!((self.requested, self.max), (Some(requested), Some(max)) if requested >= max)
    }
}

/// What a caller knows about an error in addition to its texts.
#[derive(Clone, Debug, Default)]
pub struct ErrorOrigin {
    /// In the caller's spelling.
    pub provider: Option<String>,
    pub status: Option<f64>,
}

/// The overflow that an error's text reports; `None` for any other error. Case and runs of white space don't matter. O(message ×
/// wordings), at most 64 Ki units.
pub fn parse_context_overflow(message: &[u16]) -> Option<ContextOverflow> {
    let message = message.get(..message.len().min(LONGEST_MESSAGE)).unwrap_or_default();
    let error = normalise(message);
    let overflow = overflow_in(&error)?;
    (overflow.is_proven() || !is_near_miss(&error)).then_some(overflow)
}

/// The overflow that a wording outside quotations reports; of several wordings, the one with the most figures.
fn overflow_in(error: &ErrorText) -> Option<ContextOverflow> {
    let text = error.text.as_str();
    let overflows = WORDINGS.iter().filter_map(|&(provider, ref template)| {
        let numbers = template.find(text, |found| !error.is_quoted(&found))?;
        Some(ContextOverflow { requested: numbers.requested_total(), max: numbers.named("max"), provider })
    });
    let best = with_most_figures(overflows)?;
    let named = || PROVIDER_NAMES.iter().find(|(name, _)| text.contains(name));
    let provider = if best.provider.is_empty() { named().map_or("openai", |named| named.1) } else { best.provider };
    Some(complete_figures(ContextOverflow { provider, ..best }, text))
}

/// The overflow with the most figures; of several, the first.
fn with_most_figures(overflows: impl Iterator<Item = ContextOverflow>) -> Option<ContextOverflow> {
    overflows.reduce(|best, next| if next.figure_count() > best.figure_count() { next } else { best })
}

/// Adds missing figures from the rest of the text, such as a separate field.
fn complete_figures(mut overflow: ContextOverflow, text: &str) -> ContextOverflow {
    if overflow.figure_count() == 2 {
        return overflow;
    }
    for additional in FIGURES.iter().filter_map(|template| template.find(text, |_| true)) {
        overflow.requested = overflow.requested.or_else(|| additional.requested_total());
        overflow.max = overflow.max.or_else(|| additional.named("max"));
    }
    overflow
}

/// The overflow that one of an error's texts, or its origin alone, reports. The one with the most figures is chosen: a client's own
/// sentence often has fewer than the body that it wraps.
pub fn find_overflow<'m, M>(origin: &ErrorOrigin, messages: M) -> Option<ContextOverflow>
where
    M: IntoIterator<Item = &'m [u16]> + Clone,
{
    let overflows = messages.clone().into_iter().filter_map(parse_context_overflow);
    with_most_figures(overflows).or_else(|| {
        let given = origin.provider.as_deref().unwrap_or_default().to_ascii_lowercase();
        let provider = USE_413_FOR_OVERFLOWS.into_iter().find(|name| given.contains(name))?;
        let is_bare_413 = origin.status == Some(CONTENT_TOO_LARGE)
            && !messages.into_iter().any(|message| is_near_miss(&normalise(message)));
        is_bare_413.then_some(ContextOverflow { requested: None, max: None, provider })
    })
}

/// Two sentences shown to the user instead of the provider's error: what happened, and what to do (R5.7).
pub fn user_texts(language: Language) -> (&'static str, &'static str) {
    let english = (
        "The conversation is too long for the model's context window.",
        "Start a new session to continue the conversation.",
    );
    in_language(language, ("对话内容过长，已超出模型上下文限制。", "建议新开一个会话继续对话。"), english)
}

#[cfg(test)]
mod tests;
