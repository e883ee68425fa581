//! What crosses to the face and back in the course of a summary.

use napi_derive::napi;
use palimpsest_core::compression::exchange::{Answer, CallFailure, Reply};

/// What one call of the model needs.
#[napi(object, object_from_js = false)]
pub struct SummaryCall {
    pub model: String,
    pub system: String,
    pub user: String,
    pub max_tokens: u32,
}

/// How it ended, as the face tells it.
#[napi(object, object_to_js = false)]
pub struct SummaryReply {
    /// Null when there is none or it is no text.
    pub text: Option<String>,
    pub has_tool_calls: bool,
    pub refused: bool,
    pub finish_reason: Option<String>,
    pub prompt_tokens: Option<f64>,
    pub completion_tokens: Option<f64>,
    /// Which model wrote it, where that is known.
    pub model: Option<String>,
    /// `aborted`, `too_long`, or an error's class or code: then there is no reply.
    pub failure: Option<String>,
    /// With `too_long`, the model's window.
    pub max_tokens: Option<f64>,
}

/// What the face knows beside the messages.
#[napi(object, object_to_js = false)]
pub struct SummaryTask {
    pub replaced_tokens: f64,
    /// See [`crate::compression::SummaryPlan`].
    pub holds_request: bool,
    pub now: f64,
    /// Of the newest summary in the range, its model's own text and digest.
    pub earlier_content: Option<String>,
    pub earlier_digest: Option<String>,
    pub instructions: Option<String>,
    /// A summary that the agent wrote.
    pub summary: Option<String>,
    /// Asked for by hand: the breaker neither asks nor learns.
    pub forced: bool,
}

/// How a compaction ended: with a summary, or with why there is none.
#[napi(object, object_from_js = false)]
pub struct SummaryOutcome {
    pub content: Option<String>,
    /// JSON, to be stored with the summary.
    pub digest: Option<String>,
    pub repaired: bool,
    pub missing_sections: Vec<String>,
    /// `refused`, `failed` or `aborted`.
    pub ended: Option<&'static str>,
    /// The reason or code.
    pub reason: Option<String>,
    pub duration_ms: f64,
}

/// The same as the core takes it.
pub fn read_reply(reply: SummaryReply) -> Answer {
    match reply.failure.as_deref() {
        None => Answer::Reply(Reply {
            text: reply.text,
            has_tool_calls: reply.has_tool_calls,
            refused: reply.refused,
            finish_reason: reply.finish_reason,
            prompt_tokens: reply.prompt_tokens,
            completion_tokens: reply.completion_tokens,
        }),
        Some("aborted") => Answer::Failure(CallFailure::Aborted),
        Some("too_long") => Answer::Failure(CallFailure::TooLong { max_tokens: reply.max_tokens }),
        Some(code) => Answer::Failure(CallFailure::Failed { code: code.to_owned() }),
    }
}
