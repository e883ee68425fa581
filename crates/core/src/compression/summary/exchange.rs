//! The requests for one summary to the model, and its replies or failures.

use crate::provider::answer;
pub use crate::provider::answer::Reply;
use crate::provider::request::{RefusedParameter, refused_parameter};
use crate::text::json_text;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallPurpose {
    /// Summarises part `part` of `parts` (from 1); there are several if the range is too large for one request.
    Summary { part: u32, parts: u32 },
    /// Requests the sections that the summary lacked.
    Repair,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRequest {
    pub purpose: CallPurpose,
    pub system: String,
    pub user: String,
    /// The limit of the output.
    pub max_tokens: u32,
    /// Tokens of the whole prompt, as counted here.
    pub prompt_tokens: f64,
}

/// Why a request got no reply.
#[derive(Debug, Clone, PartialEq)]
pub enum CallFailure {
    TimedOut,
    /// The application has aborted; this counts as no failure.
    Aborted,
    /// The prompt was too long for the model; `max_tokens` is its window if the provider reports it.
    TooLong {
        max_tokens: Option<f64>,
    },
    /// Any other error: its code, its provider's class and its HTTP status, never its message (R9.2).
    Failed {
        code: String,
        class: String,
        status: Option<f64>,
        /// The request parameter that the endpoint rejects.
        refused: Option<RefusedParameter>,
    },
}

/// Details of a client's error in addition to its code and class.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorDetails {
    /// HTTP status.
    pub status: Option<f64>,
    /// The model's window, if an overflow error names it.
    pub max_tokens: Option<f64>,
    /// The error's texts: searched for the rejected parameter, and never passed on.
    pub complaint: Option<String>,
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
    /// A client's reply, as JSON of the fields that [`crate::provider::answer::paths`] names. `asked_model`, the model
    /// named in the request if the client reads that, is used if the reply names none.
    pub fn read(json: &str, asked_model: Option<String>) -> Self {
        let reply = answer::read(&json_text::parse(json).unwrap_or_default());
        Self::Reply(Reply { model: reply.model.or(asked_model), ..reply })
    }

    /// The failure with this code and class, and the error's details.
    pub fn failed(code: &str, class: &str, details: &ErrorDetails) -> Self {
        let is_about_request = details.status.is_none_or(|status| [400.0, 422.0].contains(&status));
        let complaint = details.complaint.as_deref().filter(|_| is_about_request);
        Self::Failure(match code {
            "aborted" => CallFailure::Aborted,
            "too_long" => CallFailure::TooLong { max_tokens: details.max_tokens },
            code => CallFailure::Failed {
                code: code.to_owned(),
                class: class.to_owned(),
                status: details.status,
                refused: complaint.and_then(|complaint| refused_parameter(complaint, None)),
            },
        })
    }
}
