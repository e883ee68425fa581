//! Decides whether a call failed, for the digest.

use crate::compression::message::{ChatMessage, ToolCall};
use crate::failure::{Verdict, verdict_of};
use crate::tools;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// Also if it is unclear.
    Succeeded,
    Failed,
    /// Something failed, but the message answers several calls and doesn't say which.
    Unknown,
}

impl CallOutcome {
    /// `result` answers `call`, and perhaps other calls.
    pub fn of(call: &ToolCall, result: &ChatMessage) -> Self {
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
