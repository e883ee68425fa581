//! The requests for one summary to the model, its replies or failures, and the tokens that each call has spent.

use crate::provider::answer;
pub use crate::provider::answer::Reply;
use crate::provider::request::{RefusedParameter, refused_parameter};
use crate::text::json_text;
use crate::tokens::models::Model;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallPurpose {
    /// Summarises part `part` of `parts` (from 1); there are several if the range is too large for one request.
    Summary { part: u32, parts: u32 },
    /// Asks for the sections that a summary lacks.
    Repair,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRequest {
    pub purpose: CallPurpose,
    pub system: String,
    pub user: String,
    pub max_tokens: u32,
    /// As counted here.
    pub prompt_tokens: f64,
}

/// Why a request got no reply.
#[derive(Debug, Clone, PartialEq)]
pub enum CallFailure {
    /// No reply within the configured time.
    TimedOut,
    /// The application has aborted; this counts as no failure.
    Aborted,
    /// The prompt was too long for the model; `max_tokens` is its window if the provider reports it.
    TooLong { max_tokens: Option<f64> },
    /// Any other error: its code, its provider's class and its HTTP status, never its message (R9.2).
    Failed {
        code: String,
        class: String,
        status: Option<f64>,
        /// The request parameter that the endpoint rejects.
        refused: Option<RefusedParameter>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum SummaryAnswer {
    Reply(Reply),
    Failure(CallFailure),
}

impl CallFailure {
    pub fn code(&self) -> &str {
        match self {
            Self::TimedOut => "timeout",
            Self::Aborted => "aborted",
            Self::TooLong { .. } => "too_long",
            Self::Failed { code, .. } => code,
        }
    }

    pub const fn status(&self) -> Option<f64> {
        if let Self::Failed { status, .. } = self { *status } else { None }
    }

    /// The provider's class of the error, or the code if there is none.
    pub fn class(&self) -> &str {
        match self {
            Self::Failed { class, .. } if !class.is_empty() => class,
            _ => self.code(),
        }
    }
}

impl SummaryAnswer {
    /// A client's reply, as JSON of the fields that [`crate::provider::answer::paths`] names. `asked_model`, of the
    /// request, is used if the reply names none.
    pub fn read(json: &str, asked_model: Option<String>) -> Self {
        let reply = answer::read(&json_text::parse(json).unwrap_or_default());
        Self::Reply(Reply { model: reply.model.or(asked_model), ..reply })
    }

    /// A client's error. `complaint`, its texts, is searched for the rejected parameter and never passed on.
    pub fn failed(
        code: &str,
        class: &str,
        status: Option<f64>,
        max_tokens: Option<f64>,
        complaint: Option<&str>,
    ) -> Self {
        let complaint = complaint.filter(|_| status.is_none_or(|status| [400.0, 422.0].contains(&status)));
        let refused = complaint.and_then(|complaint| refused_parameter(complaint, None));
        Self::Failure(match code {
            "aborted" => CallFailure::Aborted,
            "too_long" => CallFailure::TooLong { max_tokens },
            code => CallFailure::Failed { code: code.to_owned(), class: class.to_owned(), status, refused },
        })
    }
}

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
        let as_asked = Self { model: asked_model.to_owned(), input_tokens: asked_tokens, ..Self::default() };
        match answer {
            SummaryAnswer::Reply(Reply { usage, model, text, .. }) => {
                let model = model.clone().unwrap_or(as_asked.model);
                let written = || text.as_deref().map_or(0.0, |text| Model::named(&model).count(text).ceil());
                Some(Self {
                    input_tokens: usage.prompt_tokens().unwrap_or(asked_tokens),
                    cached_tokens: usage.cached_tokens().unwrap_or(0.0),
                    output_tokens: usage.output_tokens().unwrap_or_else(written),
                    is_estimated: usage.prompt_tokens().is_none() || usage.output_tokens().is_none(),
                    model,
                })
            }
            // The model may have read the prompt and written until the call was given up.
            SummaryAnswer::Failure(CallFailure::TimedOut | CallFailure::Aborted) => {
                Some(Self { is_estimated: true, ..as_asked })
            }
            SummaryAnswer::Failure(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
