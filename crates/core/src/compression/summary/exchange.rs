//! What passes between a compaction and whoever calls the model for it.

use crate::provider::answer;
pub use crate::provider::answer::Reply;
use crate::text::json_text;

/// Why the model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For a summary of part `part` of `parts` (from 1); more than one when the range is too large at once.
    Summary { part: u32, parts: u32 },
    /// For the sections that its summary lacked.
    Repair,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Why.
    pub purpose: Purpose,
    /// The system message.
    pub system: String,
    /// The user message, with the history quoted in it.
    pub user: String,
    /// The most tokens to answer with.
    pub max_tokens: u32,
    /// Tokens of both messages, as counted for the summary model.
    pub prompt_tokens: u64,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq)]
pub enum CallFailure {
    /// Nothing came in time.
    TimedOut,
    /// The host gave up; counts as no failure.
    Aborted,
    /// The prompt was too long for the model; its window where the provider says.
    TooLong { max_tokens: Option<f64> },
    /// Anything else: an error's code, and the class that its provider gives it; never its message (R9.2).
    Failed { code: String, class: String },
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Reply(Reply),
    /// Without one.
    Failure(CallFailure),
}

impl CallFailure {
    /// The code in events, statistics and results.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::TimedOut => "timeout",
            Self::Aborted => "aborted",
            Self::TooLong { .. } => "too_long",
            Self::Failed { code, .. } => code,
        }
    }

    /// What kind of error its provider calls it; the code where that says no more.
    #[must_use]
    pub fn class(&self) -> &str {
        match self {
            Self::Failed { class, .. } if !class.is_empty() => class,
            _ => self.code(),
        }
    }
}

impl Answer {
    /// What a client answered, as JSON of the fields that [`crate::provider::answer::paths`] names. `asked_model` counts
    /// where the answer names no model: the one that was asked for, if the client looked at it.
    #[must_use]
    pub fn read(json: &str, asked_model: Option<String>) -> Self {
        let reply = answer::read(&json_text::parse(json).unwrap_or_default());
        Self::Reply(Reply { model: reply.model.or(asked_model), ..reply })
    }

    /// The failure of that code and class; `max_tokens` is the model's window where an overflow names it.
    #[must_use]
    pub fn failed(code: &str, class: &str, max_tokens: Option<f64>) -> Self {
        Self::Failure(match code {
            "aborted" => CallFailure::Aborted,
            "too_long" => CallFailure::TooLong { max_tokens },
            code => CallFailure::Failed { code: code.to_owned(), class: class.to_owned() },
        })
    }
}
