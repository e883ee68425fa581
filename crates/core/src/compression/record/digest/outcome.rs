//! Decides what a summary is told of a call: a failure is one that still stands, unless a later success clears it.

use crate::compression::message::{Call, Message};
use crate::failure::{Verdict, verdict_of};
use crate::tools;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// As far as its result says; what is in doubt is no failure.
    Succeeded,
    /// The host or its result says so.
    Failed,
    /// Something failed, but the message answers several calls and doesn't say which.
    Unknown,
}

impl CallOutcome {
    /// Of `call`, whose result, or one of several, `result` is.
    #[must_use]
    pub fn of(call: &Call, result: &Message) -> Self {
        let says_failed = || {
            verdict_of(&result.text, tools::kind_of(&call.name), Some(call.id.as_str())) == Verdict::Failed
        };
        match (result.failed || says_failed(), result.answers.len()) {
            (false, _) => Self::Succeeded,
            (true, 0 | 1) => Self::Failed,
            (true, _) => Self::Unknown,
        }
    }
}
