//! Reads a provider's report of what a request took. Every provider names its figures otherwise.

use serde_json::Value;

/// One provider's names for the prompt's tokens.
struct Form {
    /// The prompt, or what of it the cache didn't hold.
    prompt: &'static str,
    /// What the cache held or took in, where it is counted beside `prompt` and not within it.
    beside: &'static [&'static str],
    /// When this is there, `prompt` is the whole prompt whatever else is reported.
    whole_if: Option<&'static str>,
    /// Counted within `prompt`, unless it is more than that: then it must stand beside it.
    within: Option<&'static str>,
}

impl Form {
    /// A provider whose figure is the whole prompt.
    const fn whole(prompt: &'static str) -> Self {
        Self { prompt, beside: &[], whole_if: None, within: None }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.beside.iter().copied().chain([self.prompt]).chain(self.whole_if).chain(self.within)
    }
}

/// Anthropic's figures of the prompt cache; hosts that rename the rest keep these names.
const CACHE: &[&str] = &["cache_read_input_tokens", "cache_creation_input_tokens"];

/// The same as Bedrock and hosts spell them.
const CAMEL_CACHE: &[&str] = &["cacheReadInputTokens", "cacheCreationInputTokens", "cacheWriteInputTokens"];

/// In the order of trial: the first that gives more than zero is taken.
///
/// `prompt_tokens` is the whole prompt with `OpenAI` (chat) and `DeepSeek`; hosts that fill it from Anthropic's
/// `input_tokens` keep Anthropic's cache figures beside it, and gateways that have added those up already say so
/// by `OpenAI`'s details. `input_tokens` is Anthropic's or `OpenAI`'s (responses), told apart in the same way.
const FORMS: &[Form] = &[
    Form {
        beside: CACHE,
        whole_if: Some("prompt_tokens_details.cached_tokens"),
        ..Form::whole("prompt_tokens")
    },
    Form {
        beside: CACHE,
        whole_if: Some("input_tokens_details.cached_tokens"),
        ..Form::whole("input_tokens")
    },
    // Gemini: cached content is counted within.
    Form::whole("promptTokenCount"),
    // DeepSeek, where a host keeps only what it is billed by.
    Form { beside: &["prompt_cache_hit_tokens"], ..Form::whole("prompt_cache_miss_tokens") },
    // Hosts that note the figure on their messages, and the AI SDK up to version 4.
    Form::whole("promptTokens"),
    // Bedrock; the AI SDK from version 5 on. Its `cachedInputTokens` is a part of `inputTokens` for every provider
    // but Anthropic, where version 5 leaves out what the cache held.
    Form { beside: CAMEL_CACHE, within: Some("cachedInputTokens"), ..Form::whole("inputTokens") },
    // What the AI SDK's providers report from version 6 on.
    Form::whole("inputTokens.total"),
    // The agent pi: what the cache held or took in stands beside.
    Form { beside: &["cacheRead", "cacheWrite"], ..Form::whole("input") },
];

/// Where hosts keep a provider's report on the message that it came with, in the order of trial.
pub const REPORT_FIELDS: [&str; 4] = ["usage", "usageMetadata", "usage_metadata", "_usage"];

/// What the answer took, by the names that providers use.
pub const COMPLETION_FIELDS: [&str; 7] = [
    "completion_tokens",
    "output_tokens",
    "candidatesTokenCount",
    "completionTokens",
    "outputTokens",
    "outputTokens.total",
    "output",
];

/// What of the prompt came from the cache, by the names that providers and SDKs use; the first that is there counts.
pub const CACHED_FIELDS: [&str; 15] = [
    "cache_read_input_tokens",
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cachedContentTokenCount",
    "cacheReadInputTokens",
    "cachedInputTokens",
    "inputTokenDetails.cacheReadTokens",
    "inputTokens.cacheRead",
    "input_token_details.cache_read",
    "inputTokensDetails.cached_tokens",
    "inputTokensDetails.0.cached_tokens",
    "promptTokensDetails.cachedTokens",
    "cached_tokens",
    "cacheRead",
];

/// The tokens that came from the cache: `figures` holds a value, or none, for each of [`CACHED_FIELDS`]. None where the
/// report has no such figure, or an impossible one.
#[must_use]
pub fn cached_tokens(figures: &[Option<f64>]) -> Option<f64> {
    figures.iter().copied().flatten().find(|figure| (0.0..IMPOSSIBLE).contains(figure))
}

/// No model takes a prompt of this many tokens.
const IMPOSSIBLE: f64 = 1e9;

/// Why a report says nothing about the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// None of its figures has a name that is known.
    Missing,
    /// It reports nothing but zeros, as some gateways do for streamed answers.
    Zero,
    /// A figure is negative, not finite, or beyond any model.
    Impossible,
}

/// The names to look up in a report, a dot before a nested one; the order is that of [`prompt_tokens`]' `figures`.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    FORMS.iter().flat_map(Form::names)
}

/// Every figure that is looked up in a report, a dot before a nested name.
pub fn figure_paths() -> impl Iterator<Item = &'static str> {
    field_names().chain(COMPLETION_FIELDS).chain(CACHED_FIELDS)
}

/// What a request took, in tokens; nothing where the report says nothing that can be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// The whole prompt, what was read from or written to the cache included.
    pub prompt_tokens: Option<f64>,
    /// What of it the cache held.
    pub cached_tokens: Option<f64>,
    /// The answer.
    pub completion_tokens: Option<f64>,
}

impl Usage {
    /// The figures of `report`, an object in any provider's form.
    #[must_use]
    pub fn read(report: &Value) -> Self {
        let figure = |path: &str| path.split('.').try_fold(report, |value, name| value.get(name))?.as_f64();
        let figures: Vec<Option<f64>> = field_names().map(figure).collect();
        let completion = COMPLETION_FIELDS.into_iter().filter_map(figure);
        let cached: Vec<Option<f64>> = CACHED_FIELDS.into_iter().map(figure).collect();
        Self {
            prompt_tokens: prompt_tokens(&figures).ok(),
            cached_tokens: cached_tokens(&cached),
            completion_tokens: completion.into_iter().find(|tokens| (0.0..IMPOSSIBLE).contains(tokens)),
        }
    }
}

/// The tokens of the whole prompt, cached ones included.
///
/// # Errors
/// Says why the report can't be used. `figures` holds a value, or none, for each of [`field_names`].
pub fn prompt_tokens(figures: &[Option<f64>]) -> Result<f64, Unusable> {
    let figure = |wanted: &str| {
        let position = field_names().position(|name| name == wanted)?;
        figures.get(position).copied().flatten()
    };
    let mut unusable = Unusable::Missing;
    for form in FORMS {
        let Some(prompt) = figure(form.prompt) else { continue };
        let counted_within = form.whole_if.and_then(figure).is_some();
        let beside = if counted_within { &[] } else { form.beside };
        let left_out = form.within.and_then(figure).filter(|&cached| cached > prompt);
        let parts = beside.iter().filter_map(|name| figure(name)).chain(left_out).chain([prompt]);
        match checked_sum(parts) {
            Ok(total) => return Ok(total),
            Err(Unusable::Impossible) => return Err(Unusable::Impossible),
            Err(reason) => unusable = reason,
        }
    }
    Err(unusable)
}

/// Adds figures up when they can be what they claim to be.
///
/// # Errors
/// [`Unusable::Zero`] or [`Unusable::Impossible`].
pub fn checked_sum(parts: impl Iterator<Item = f64>) -> Result<f64, Unusable> {
    let mut total = 0.0;
    for part in parts {
        if !(0.0..IMPOSSIBLE).contains(&part) {
            return Err(Unusable::Impossible);
        }
        total += part;
    }
    match total {
        0.0 => Err(Unusable::Zero),
        total if total < IMPOSSIBLE => Ok(total),
        _ => Err(Unusable::Impossible),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(report: &[(&str, f64)]) -> Result<f64, Unusable> {
        let figures: Vec<_> = field_names()
            .map(|name| report.iter().find(|(given, _)| *given == name).map(|(_, value)| *value))
            .collect();
        prompt_tokens(&figures)
    }

    #[test]
    fn every_providers_report_gives_the_whole_prompt() {
        let cases: &[(&str, &[(&str, f64)])] = &[
            ("OpenAI chat", &[("prompt_tokens", 900.0), ("prompt_tokens_details.cached_tokens", 512.0)]),
            ("OpenAI responses", &[("input_tokens", 900.0), ("input_tokens_details.cached_tokens", 0.0)]),
            (
                "Anthropic",
                &[
                    ("input_tokens", 10.0),
                    ("cache_read_input_tokens", 800.0),
                    ("cache_creation_input_tokens", 90.0),
                ],
            ),
            ("Anthropic without a cache", &[("input_tokens", 900.0)]),
            (
                "DeepSeek",
                &[
                    ("prompt_tokens", 900.0),
                    ("prompt_cache_hit_tokens", 640.0),
                    ("prompt_cache_miss_tokens", 260.0),
                ],
            ),
            ("DeepSeek's bill", &[("prompt_cache_hit_tokens", 640.0), ("prompt_cache_miss_tokens", 260.0)]),
            ("Gemini", &[("promptTokenCount", 900.0)]),
            (
                "the terminal agent on Anthropic",
                &[
                    ("prompt_tokens", 10.0),
                    ("cache_read_input_tokens", 800.0),
                    ("cache_creation_input_tokens", 90.0),
                ],
            ),
            (
                "a gateway that adds up",
                &[
                    ("prompt_tokens", 900.0),
                    ("cache_read_input_tokens", 800.0),
                    ("prompt_tokens_details.cached_tokens", 800.0),
                ],
            ),
            ("the agent server", &[("promptTokens", 900.0)]),
            ("the AI SDK", &[("inputTokens", 900.0), ("cachedInputTokens", 800.0)]),
            ("the AI SDK 5 on Anthropic", &[("inputTokens", 100.0), ("cachedInputTokens", 800.0)]),
            ("the AI SDK's providers", &[("inputTokens.total", 900.0)]),
            (
                "Bedrock",
                &[("inputTokens", 10.0), ("cacheReadInputTokens", 800.0), ("cacheWriteInputTokens", 90.0)],
            ),
            ("zero-filled", &[("prompt_tokens", 0.0), ("input_tokens", 900.0)]),
        ];
        for (provider, report) in cases {
            assert_eq!(read(report), Ok(900.0), "{provider}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(read(&[]), Err(Unusable::Missing));
        assert_eq!(read(&[("cache_read_input_tokens", 5.0)]), Err(Unusable::Missing));
        assert_eq!(read(&[("prompt_tokens", 0.0)]), Err(Unusable::Zero));
        for odd in [-1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(read(&[("prompt_tokens", odd)]), Err(Unusable::Impossible), "{odd}");
        }
        let one_negative = [("input_tokens", 10.0), ("cache_read_input_tokens", -1.0)];
        assert_eq!(read(&one_negative), Err(Unusable::Impossible));
    }
}
