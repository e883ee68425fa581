//! Decides what a log says of a compression (R9, REQ-3.6): figures and names, never content.
//!
//! Each function is one kind of event. Hosts tell them apart by the field `event`, which stays as it is; texts may
//! be reworded. Without a subscriber an event costs one load.

use tracing::{debug, error, info, warn};

use super::settings::Settings;
use super::step::ContextFigures;
use super::usage::WindowUsage;
use crate::compression::hard_limit::CannotFit;
use crate::compression::summary::exchange::{CallPurpose, SummaryRequest};

/// The context is fuller than it should be.
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

/// The window is a guess: neither a setting nor the model is known. Said once.
pub fn window_guessed(window_tokens: f64) {
    warn!(event = "window_guessed", window_tokens, "the model's window is not known, so this is a guess");
}

/// A provider has said how large its model's window is; `before_*` say what was reckoned with so far where none is set.
pub fn window_learnt(window_tokens: f64, model: &str, before_tokens: f64, before_source: &str) {
    info!(
        event = "window_learnt",
        window_tokens, model, before_tokens, before_source, "the provider has said how large the window is"
    );
}

/// The endpoint of `model` doesn't take a parameter, so the question is asked again without it.
pub fn parameter_refused(parameter: &str, model: &str) {
    info!(event = "parameter_refused", parameter, model, "asked again without a parameter that was refused");
}

/// No summary was tried.
pub fn skipped(reason: &str) {
    debug!(event = "skipped", reason, "compression skipped");
}

/// A model is asked for a summary of `message_count` messages.
pub fn summary_requested(request: &SummaryRequest, model: &str, message_count: usize) {
    let (purpose, part, parts) = match request.purpose {
        CallPurpose::Summary { part, parts } => ("summary", part, parts),
        CallPurpose::Repair => ("repair", 1, 1),
    };
    debug!(
        event = "summary_requested",
        purpose,
        part,
        parts,
        model,
        prompt_tokens = request.prompt_tokens,
        message_count,
        "summary requested"
    );
}

/// The model answered; tokens are 0 where its provider gives none.
pub fn summary_answered(model: &str, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64) {
    debug!(
        event = "summary_answered",
        model, duration_ms, prompt_tokens, completion_tokens, "summary answered"
    );
}

/// The answer can't be used.
pub fn summary_refused(reason: &str) {
    warn!(event = "summary_refused", reason, "summary refused, history unchanged");
}

/// The model did not answer. `code` and `error_class` are words or numbers of the error's own, never its message; `status` is of
/// HTTP.
pub fn summary_failed(code: &str, error_class: &str, status: Option<f64>, duration_ms: f64) {
    warn!(
        event = "summary_failed",
        code, error_class, status, duration_ms, "summary failed, history unchanged"
    );
}

/// History was replaced by its summary. Usage is a share of `window_tokens`.
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
        // Log entries have a `level` of their own.
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

/// A summary came too late: the history had changed.
pub fn discarded(reason: &str) {
    debug!(event = "discarded", reason, "summary discarded");
}

/// Messages were cut out (`dropped`) or cut short.
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

/// No cut can bring the conversation under the limit: the system prompt, or calls in flight, are too large.
pub fn cannot_fit(problem: &CannotFit) {
    error!(
        event = "cannot_fit",
        system_tokens = problem.system_tokens,
        pending_tokens = problem.pending_tokens,
        limit_tokens = problem.limit_tokens,
        "what can't be cut is above the hard limit"
    );
}

/// A provider's figure for a prompt is too small, see [`WindowUsage::doubted_tokens`]. Said once.
pub fn usage_doubted(reported_tokens: f64, estimated_tokens: f64) {
    warn!(
        event = "usage_doubted",
        reported_tokens, estimated_tokens, "reported usage is too small to be true"
    );
}

/// Summaries failed so often that none is asked for during `pause_ms`.
pub fn breaker_opened(failures: u32, pause_ms: f64) {
    debug!(event = "breaker_opened", failures, pause_ms, "no summaries for a while");
}

/// A configured value can't be used; R7.1 wants a warning.
pub fn setting_refused(key: &str, expected: &str) {
    warn!(event = "setting_refused", key, expected, "setting ignored, its default holds");
}

/// A key could not be read: `came` is `promise`, a type that is no section, or the class or code of what was thrown.
pub fn setting_unreadable(key: &str, came: &str) {
    warn!(event = "setting_unreadable", key, came, "configuration could not be read, defaults hold");
}

/// A key resembles a setting's name.
pub fn setting_unknown(key: &str, meant: &str) {
    warn!(event = "setting_unknown", key, meant, "unknown setting ignored");
}

/// So many of `total` messages have a form that isn't known; `forms` are names of forms, never content.
pub fn unrecognised(messages: usize, total: usize, forms: &str) {
    warn!(
        event = "unrecognised",
        messages, total, forms, "messages of a form that isn't known: counted as JSON text, a little high"
    );
}

/// Records of earlier compressions hold what no record has; `fields` are names of ours, never values.
pub fn record_odd(fields: &str) {
    warn!(event = "record_odd", fields, "a compression's record holds what none has: passed over");
}

/// Messages could not be stored in the archive.
pub fn archive_failed(code: &str) {
    warn!(event = "archive_failed", code, "archive not written");
}

/// An unforeseen failure; the history is as it was. `code` as for [`summary_failed`]; `problem` names a wrong argument and the
/// type that came, never a value.
pub fn failed(code: &str, problem: &str) {
    error!(event = "failed", code, problem, "compression failed, history unchanged");
}

/// The host aborted.
pub fn aborted() {
    debug!(event = "aborted", "compression aborted");
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
