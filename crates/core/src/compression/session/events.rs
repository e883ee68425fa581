//! The log events of compression (R9, REQ-3.6): figures and names, never content. Applications identify an event by its
//! field `event`, the function's name, which must not change.

use tracing::{debug, error, info, warn};

use super::settings::Settings;
use super::step::ContextFigures;
use super::usage::WindowUsage;
use crate::compression::summary::exchange::{CallFailure, CallPurpose, SummaryRequest};

macro_rules! events {
    ($($(#[$doc:meta])* $level:ident $name:ident($($field:ident: $kind:ty),*) $text:literal)*) => {
        $($(#[$doc])*
        pub fn $name($($field: $kind),*) {
            $level!(event = stringify!($name), $($field,)* $text);
        })*
    };
}

events! {
    /// Logged once.
    warn window_guessed(window_tokens: f64) "the model's window is not known, so this is a guess"
    /// `before_*` is the size assumed so far if none is configured.
    info window_learnt(window_tokens: f64, model: &str, before_tokens: f64, before_source: &str)
        "the provider has said how large the window is"
    info parameter_refused(parameter: &str, model: &str) "asked again without a parameter that was refused"
    debug skipped(reason: &str) "compression skipped"
    /// Tokens are 0 if the provider reports none.
    debug summary_answered(model: &str, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64)
        "summary answered"
    warn summary_refused(reason: &str) "summary refused, history unchanged"
    debug discarded(reason: &str) "summary discarded"
    /// See [`WindowUsage::doubted_tokens`]. Logged once.
    warn usage_doubted(reported_tokens: f64, estimated_tokens: f64) "reported usage is too small to be true"
    debug breaker_opened(failures: u32, pause_ms: f64) "no summaries for a while"
    warn setting_refused(key: &str, expected: &str) "setting ignored, its default holds"
    /// `came` is `promise`, the type of a value that is no section, or the class or code of the thrown error.
    warn setting_unreadable(key: &str, came: &str) "configuration could not be read, defaults hold"
    warn setting_unknown(key: &str, meant: &str) "unknown setting ignored"
    /// `messages` of `total` messages have an unknown form; `forms` are names of forms, never content.
    warn unrecognised(messages: usize, total: usize, forms: &str)
        "messages of an unknown form: counted as JSON text, a little high"
    /// Records of earlier compressions have invalid values; `fields` are our field names, never values.
    warn record_odd(fields: &str) "a compression's record holds what none has: passed over"
    warn archive_failed(code: &str) "archive not written"
    /// `code` as in [`summary_failed`]; `problem` names a wrong argument and its type, never its value.
    error failed(code: &str, problem: &str) "compression failed, history unchanged"
    debug aborted() "compression aborted"
    warn truncated(before_count: usize, after_count: usize, dropped: usize, shortened: usize, tokens_before: f64,
        tokens_after: f64) "history truncated at the hard limit"
    /// See [`CannotFit`](crate::compression::hard_limit::CannotFit); `limit_tokens` is the configured limit.
    error cannot_fit(system_tokens: f64, pending_tokens: f64, limit_tokens: f64)
        "what can't be cut is above the hard limit"
}

pub fn triggered(usage: &WindowUsage, settings: &Settings, message_count: usize) {
    info!(
        event = "triggered",
        used_tokens = usage.tokens,
        window_tokens = settings.max_context_tokens,
        window_source = settings.window_source.name(),
        ratio = usage.tokens / settings.max_context_tokens,
        threshold = settings.threshold,
        source = usage.source.name(),
        message_count,
        "context is above the compression threshold"
    );
}

pub fn summary_requested(request: &SummaryRequest, model: &str, message_count: usize) {
    let (purpose, part, parts) = match request.purpose {
        CallPurpose::Summary { part, parts } => ("summary", part, parts),
        CallPurpose::Repair => ("repair", 1, 1),
    };
    let prompt_tokens = request.prompt_tokens;
    debug!(event = "summary_requested", purpose, part, parts, model, prompt_tokens, message_count, "summary requested");
}

/// `code` and `error_class` are the error's words or numbers, never its message; `status` is HTTP.
pub fn summary_failed(failure: &CallFailure, duration_ms: f64) {
    let (code, error_class, status) = (failure.code(), failure.class(), failure.status());
    warn!(event = "summary_failed", code, error_class, status, duration_ms, "summary failed, history unchanged");
}

/// Usage is a share of `window_tokens`.
pub fn compressed(
    after: &ContextFigures,
    tokens_before: f64,
    window_tokens: f64,
    level: u32,
    model: &str,
    duration_ms: f64,
) {
    info!(
        event = "compressed",
        // Log entries already have a field `level`.
        compression_level = level,
        before_count = after.before_count,
        after_count = after.after_count,
        tokens_before,
        tokens_after = after.tokens_after,
        usage_before = tokens_before / window_tokens,
        usage_after = after.tokens_after / window_tokens,
        model,
        duration_ms,
        "history compressed"
    );
}

#[cfg(test)]
mod tests;
