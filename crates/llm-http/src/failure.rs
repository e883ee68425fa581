//! Errors of a client: an option or request that is rejected before anything is sent, and a request that failed.
//! Messages have no content and no keys, which are masked.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

/// An invalid option. Never shows the value: it may contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option}: expected {expected}, got {actual}")]
pub struct Invalid {
    /// The name that users know, such as `baseUrl`.
    pub option: String,
    pub expected: &'static str,
    pub actual: &'static str,
}

impl Invalid {
    pub(crate) fn new(option: impl Into<String>, expected: &'static str, actual: &'static str) -> Self {
        Self { option: option.into(), expected, actual }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    Cancelled,
    /// An error status, in the response's head or in its body.
    Status,
    /// Too many requests, or a provider that demands a longer wait than allowed.
    RateLimited,
    /// No key, a wrong one, or one without permission.
    Unauthorized,
    /// No response, or an incomplete one, within the time limit.
    Timeout,
    Connect,
    /// The server's identity is wrong, or it can't encrypt.
    Tls,
    ResponseTooLarge,
    /// The body doesn't look like an answer in the endpoint's style.
    BadResponse,
    /// A redirect to another origin, to which the key must not be sent.
    Redirect,
}

impl FailureKind {
    /// Stable: users compare with it.
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
    /// The expected and the actual value; never content, never a key.
    pub message: String,
    pub status: Option<u16>,
    pub retry_after: Option<Duration>,
    pub request_id: Option<String>,
    /// The provider's own message, secrets masked. May quote the prompt: not for logs.
    pub provider_message: Option<String>,
    /// The beginning of an error's body, which is searched for an overflow. May quote the prompt too.
    pub body: Option<String>,
    pub cause: Option<String>,
}

/// Omits fields that may quote the prompt: errors are logged through `Debug`.
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

/// What must not appear in errors, logs or inspection: the key, header values, passwords, query values.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    pub fn add(&mut self, text: &str) {
        /// Shorter texts would mask ordinary words, and are no secrets.
        const SHORTEST_BYTES: usize = 6;
        let text = text.trim();
        if text.len() >= SHORTEST_BYTES {
            self.0.push(text.to_owned());
            // If one secret begins with another, the longer must be masked first, or its rest would remain.
            self.0.sort_by_key(|secret| Reverse(secret.len()));
        }
    }

    /// Providers quote the key that they reject.
    pub fn masked(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "[masked]"))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.0.len())
    }
}

#[cfg(test)]
mod tests;
