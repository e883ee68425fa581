//! Decides how a failed request is told: a code to act on, and a sentence without content or keys.

use std::fmt;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    Cancelled,
    /// An error's status, in the answer's head or in its body.
    Status,
    /// Too many requests, or a provider that wants to be left alone for longer than allowed.
    RateLimited,
    /// No key, a wrong one, or one that may not do this.
    Unauthorized,
    /// Nothing came, or not all, in the given time.
    Timeout,
    /// No connection, or one that was cut.
    Connect,
    /// The other side isn't who it should be, or can't encrypt.
    Tls,
    ResponseTooLarge,
    /// The body doesn't look like the style's answers.
    BadResponse,
    /// A redirect to another origin, where the key must not go.
    Redirect,
}

impl FailureKind {
    /// Stable: what users compare with.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "ABORT_ERR",
            Self::Status => "LLM_HTTP_STATUS",
            Self::RateLimited => "LLM_RATE_LIMITED",
            Self::Unauthorized => "LLM_UNAUTHORIZED",
            Self::Timeout => "LLM_TIMEOUT",
            Self::Connect => "LLM_CONNECT",
            Self::Tls => "LLM_TLS",
            Self::ResponseTooLarge => "LLM_RESPONSE_TOO_LARGE",
            Self::BadResponse => "LLM_BAD_RESPONSE",
            Self::Redirect => "LLM_REDIRECT",
        }
    }

    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::Unauthorized,
            429 => Self::RateLimited,
            _ => Self::Status,
        }
    }
}

#[derive(Clone, thiserror::Error)]
#[error("{message}")]
pub struct HttpFailure {
    pub kind: FailureKind,
    /// What was expected and what came; never content, never a key.
    pub message: String,
    pub status: Option<u16>,
    pub retry_after: Option<Duration>,
    pub request_id: Option<String>,
    /// The provider's own sentence, secrets masked. May quote the prompt: not for logs.
    pub provider_message: Option<String>,
    /// The beginning of an error's body, in which an overflow may be found. May quote the prompt too.
    pub body: Option<String>,
    pub cause: Option<String>,
}

impl HttpFailure {
    pub(crate) fn new(kind: FailureKind, message: String) -> Self {
        Self {
            kind,
            message,
            status: None,
            retry_after: None,
            request_id: None,
            provider_message: None,
            body: None,
            cause: None,
        }
    }
}

/// Leaves out what may quote the prompt: errors end up in logs by their `Debug`.
impl fmt::Debug for HttpFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Failure")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
