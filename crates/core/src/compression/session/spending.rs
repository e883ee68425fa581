//! Adds up the usage of the calls for a summary, for a conversation's bill.

use crate::compression::summary::exchange::{CallFailure, Reply, SummaryAnswer};
use crate::tokens::models::Model;

/// The tokens of one call. `input_tokens` include those read from a cache.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spent {
    /// The model that replied, otherwise the one that was called; empty if neither is known.
    pub model: String,
    pub input_tokens: f64,
    pub cached_tokens: f64,
    pub output_tokens: f64,
    /// True if a figure was counted here instead of reported.
    pub is_estimated: bool,
}

impl Spent {
    /// `None` for a rejected call, which costs nothing.
    pub fn from_answer(answer: &SummaryAnswer, asked_model: &str, asked_tokens: f64) -> Option<Self> {
        match answer {
            SummaryAnswer::Reply(Reply { usage, model, text, .. }) => {
                let model = model.as_deref().unwrap_or(asked_model);
                let written = || text.as_deref().map_or(0.0, |text| Model::named(model).count(text).ceil());
                Some(Self {
                    model: model.to_owned(),
                    input_tokens: usage.prompt_tokens().unwrap_or(asked_tokens),
                    cached_tokens: usage.cached_tokens().unwrap_or(0.0),
                    output_tokens: usage.output_tokens().unwrap_or_else(written),
                    is_estimated: usage.prompt_tokens().is_none() || usage.output_tokens().is_none(),
                })
            }
            // The model may have read the prompt and written until the call was given up.
            SummaryAnswer::Failure(CallFailure::TimedOut | CallFailure::Aborted) => Some(Self {
                model: asked_model.to_owned(),
                input_tokens: asked_tokens,
                is_estimated: true,
                ..Self::default()
            }),
            SummaryAnswer::Failure(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::summary::exchange::ErrorDetails;
    use crate::provider::usage::Usage;

    #[test]
    fn b8_what_the_provider_reports_counts_and_the_rest_is_counted_here() {
        let text = Some("one two three".to_owned());
        let usage = Usage {
            uncached: 500,
            cache_read: 400,
            output: 30,
            reports_cache_read: true,
            ..Usage::default()
        };
        let logged =
            Reply { text: text.clone(), usage, model: Some("small-2".to_owned()), ..Reply::default() };
        let spent = Spent::from_answer(&SummaryAnswer::Reply(logged), "small", 1_000.0).unwrap();
        assert_eq!((spent.model.as_str(), spent.is_estimated), ("small-2", false));
        assert_eq!((spent.input_tokens, spent.cached_tokens, spent.output_tokens), (900.0, 400.0, 30.0));
        let silent = SummaryAnswer::Reply(Reply { text, ..Reply::default() });
        let spent = Spent::from_answer(&silent, "gpt-4o", 1_000.0).unwrap();
        assert_eq!((spent.input_tokens, spent.output_tokens, spent.is_estimated), (1_000.0, 3.0, true));
    }

    #[test]
    fn b8_a_call_that_timed_out_may_have_been_billed_and_one_that_was_refused_was_not() {
        let late =
            Spent::from_answer(&SummaryAnswer::Failure(CallFailure::TimedOut), "small", 1_000.0).unwrap();
        assert_eq!((late.input_tokens, late.is_estimated), (1_000.0, true));
        assert_eq!(
            Spent::from_answer(
                &SummaryAnswer::failed("400", "invalid_request_error", &ErrorDetails::default()),
                "small",
                1_000.0
            ),
            None
        );
    }
}
