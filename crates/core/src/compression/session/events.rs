//! The log events of compression (R9, REQ-3.6): figures and names, never content.
//!
//! Each function is one event. Applications identify events by the field `event`, which must not change; texts may be
//! reworded. Without a subscriber an event costs one load.

use tracing::{debug, error, info, warn};

use super::settings::Settings;
use super::step::ContextFigures;
use super::usage::WindowUsage;
use crate::compression::hard_limit::CannotFit;
use crate::compression::summary::exchange::{CallFailure, CallPurpose, SummaryRequest};

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

/// The window is a guess: neither a setting nor the model is known. Logged once.
pub fn window_guessed(window_tokens: f64) {
    warn!(event = "window_guessed", window_tokens, "the model's window is not known, so this is a guess");
}

/// A provider has reported its model's window; `before_*` is the size assumed so far if none is configured.
pub fn window_learnt(window_tokens: f64, model: &str, before_tokens: f64, before_source: &str) {
    info!(
        event = "window_learnt",
        window_tokens, model, before_tokens, before_source, "the provider has said how large the window is"
    );
}

pub fn parameter_refused(parameter: &str, model: &str) {
    info!(event = "parameter_refused", parameter, model, "asked again without a parameter that was refused");
}

pub fn skipped(reason: &str) {
    debug!(event = "skipped", reason, "compression skipped");
}

pub fn summary_requested(request: &SummaryRequest, model: &str, message_count: usize) {
    let (purpose, part, parts) = match request.purpose {
        CallPurpose::Summary { part, parts } => ("summary", part, parts),
        CallPurpose::Repair => ("repair", 1, 1),
    };
    let prompt_tokens = request.prompt_tokens;
    debug!(
        event = "summary_requested",
        purpose, part, parts, model, prompt_tokens, message_count, "summary requested"
    );
}

/// The model replied; tokens are 0 if its provider reports none.
pub fn summary_answered(model: &str, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64) {
    debug!(
        event = "summary_answered",
        model, duration_ms, prompt_tokens, completion_tokens, "summary answered"
    );
}

pub fn summary_refused(reason: &str) {
    warn!(event = "summary_refused", reason, "summary refused, history unchanged");
}

/// The model did not reply. `code` and `error_class` are words or numbers from the error, never its message; `status` is
/// HTTP.
pub fn summary_failed(failure: &CallFailure, duration_ms: f64) {
    let (code, error_class, status) = (failure.code(), failure.class(), failure.status());
    warn!(
        event = "summary_failed",
        code, error_class, status, duration_ms, "summary failed, history unchanged"
    );
}

/// A summary replaced part of the history. Usage is a share of `window_tokens`.
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

/// The summary came too late: the history had changed.
pub fn discarded(reason: &str) {
    debug!(event = "discarded", reason, "summary discarded");
}

/// Messages were removed (`dropped`) or shortened.
pub fn truncated(after: &ContextFigures, tokens_before: f64, dropped: usize, shortened: usize) {
    warn!(
        event = "truncated",
        before_count = after.before_count,
        after_count = after.after_count,
        dropped,
        shortened,
        tokens_before,
        tokens_after = after.tokens_after,
        "history truncated at the hard limit"
    );
}

/// No cut can bring the conversation under the limit: the system prompt or calls in flight are too large.
pub fn cannot_fit(problem: &CannotFit) {
    let &CannotFit { system_tokens, pending_tokens, limit_tokens } = problem;
    error!(
        event = "cannot_fit",
        system_tokens, pending_tokens, limit_tokens, "what can't be cut is above the hard limit"
    );
}

/// A provider's figure for a prompt is too small, see [`WindowUsage::doubted_tokens`]. Logged once.
pub fn usage_doubted(reported_tokens: f64, estimated_tokens: f64) {
    warn!(
        event = "usage_doubted",
        reported_tokens, estimated_tokens, "reported usage is too small to be true"
    );
}

/// Summaries failed so often that none is requested during `pause_ms`.
pub fn breaker_opened(failures: u32, pause_ms: f64) {
    debug!(event = "breaker_opened", failures, pause_ms, "no summaries for a while");
}

/// A configured value is invalid; R7.1 requires a warning.
pub fn setting_refused(key: &str, expected: &str) {
    warn!(event = "setting_refused", key, expected, "setting ignored, its default holds");
}

/// A key could not be read: `came` is `promise`, the type of a value that is no section, or the class or code of the
/// thrown error.
pub fn setting_unreadable(key: &str, came: &str) {
    warn!(event = "setting_unreadable", key, came, "configuration could not be read, defaults hold");
}

pub fn setting_unknown(key: &str, meant: &str) {
    warn!(event = "setting_unknown", key, meant, "unknown setting ignored");
}

/// `messages` of `total` messages have an unknown form; `forms` are names of forms, never content.
pub fn unrecognised(messages: usize, total: usize, forms: &str) {
    warn!(
        event = "unrecognised",
        messages, total, forms, "messages of an unknown form: counted as JSON text, a little high"
    );
}

/// Records of earlier compressions have invalid values; `fields` are our field names, never values.
pub fn record_invalid(fields: &str) {
    warn!(event = "record_odd", fields, "a compression's record holds what none has: passed over");
}

pub fn archive_failed(code: &str) {
    warn!(event = "archive_failed", code, "archive not written");
}

/// An unexpected failure; the history is unchanged. `code` as in [`summary_failed`]; `problem` names a wrong argument
/// and its type, never its value.
pub fn failed(code: &str, problem: &str) {
    error!(event = "failed", code, problem, "compression failed, history unchanged");
}

pub fn aborted() {
    debug!(event = "aborted", "compression aborted");
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
