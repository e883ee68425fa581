//! Decides what a log says of a compression (R9, REQ-3.6): figures and names, never content.
//!
//! Each function is one kind of event. Hosts tell them apart by the field `event`, which stays as it is; texts may
//! be reworded. Without a subscriber an event costs one load.

use tracing::{debug, error, info, warn};

use super::settings::WindowSource;
use crate::compression::hard_limit::CannotFit;

/// The state of the context when compression begins.
#[derive(Debug, Clone, Copy)]
pub struct Triggered<'a> {
    /// Tokens in use.
    pub used_tokens: f64,
    /// The most that the window holds ...
    pub window_tokens: f64,
    /// ... and how that is known.
    pub window_source: WindowSource,
    /// The share in use ...
    pub ratio: f64,
    /// ... and the one from which on history is compressed.
    pub threshold: f64,
    /// Where the figure comes from, see [`crate::compression::session::usage::Source::name`].
    pub source: &'a str,
    /// Messages in the conversation.
    pub message_count: usize,
}

/// The context is fuller than it should be.
pub fn triggered(at: &Triggered<'_>) {
    info!(
        event = "triggered",
        used_tokens = at.used_tokens,
        window_tokens = at.window_tokens,
        window_source = at.window_source.name(),
        ratio = at.ratio,
        threshold = at.threshold,
        source = at.source,
        message_count = at.message_count,
        "context is above the compression threshold"
    );
}

/// The window is a guess: neither a setting nor the model is known. Said once.
pub fn window_guessed(window_tokens: f64) {
    warn!(event = "window_guessed", window_tokens, "the model's window is not known, so this is a guess");
}

/// A provider has said how large its model's window is.
pub fn window_learnt(window_tokens: f64) {
    info!(event = "window_learnt", window_tokens, "the provider has said how large the window is");
}

/// Nothing was tried.
pub fn skipped(reason: &str) {
    debug!(event = "skipped", reason, "compression skipped");
}

/// One call of the model that summarises.
#[derive(Debug, Clone, Copy)]
pub struct SummaryRequested<'a> {
    /// `summary` or `repair`.
    pub purpose: &'a str,
    /// Which of so many parts, from 1.
    pub part: u32,
    pub parts: u32,
    pub model: &'a str,
    /// Tokens of the request.
    pub prompt_tokens: f64,
    /// Messages that are summarised in all.
    pub message_count: usize,
}

/// A model is asked for a summary.
pub fn summary_requested(request: &SummaryRequested<'_>) {
    debug!(
        event = "summary_requested",
        purpose = request.purpose,
        part = request.part,
        parts = request.parts,
        model = request.model,
        prompt_tokens = request.prompt_tokens,
        message_count = request.message_count,
        "summary requested"
    );
}

/// It answered; tokens as its provider says, 0 where it doesn't.
pub fn summary_answered(model: &str, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64) {
    debug!(
        event = "summary_answered",
        model, duration_ms, prompt_tokens, completion_tokens, "summary answered"
    );
}

/// What it answered can't be used.
pub fn summary_refused(reason: &str) {
    warn!(event = "summary_refused", reason, "summary refused, history unchanged");
}

/// It did not answer. `code` and `error_class` are words or numbers of the error's own, never its message.
pub fn summary_failed(code: &str, error_class: &str, duration_ms: f64) {
    warn!(event = "summary_failed", code, error_class, duration_ms, "summary failed, history unchanged");
}

/// What a compression has come to. Usage is the share of the window.
#[derive(Debug, Clone, Copy)]
pub struct Compressed<'a> {
    /// Compressions within the summary.
    pub level: u32,
    /// Messages before.
    pub before_count: usize,
    /// Messages after.
    pub after_count: usize,
    pub tokens_before: f64,
    pub tokens_after: f64,
    /// Share of the window before.
    pub usage_before: f64,
    /// Share of the window after.
    pub usage_after: f64,
    /// The model that summarised.
    pub model: &'a str,
    /// All its calls and what lay between them.
    pub duration_ms: f64,
}

/// History was replaced by its summary.
pub fn compressed(result: &Compressed<'_>) {
    info!(
        event = "compressed",
        // Not `level`: that is how grave an entry is.
        compression_level = result.level,
        before_count = result.before_count,
        after_count = result.after_count,
        tokens_before = result.tokens_before,
        tokens_after = result.tokens_after,
        usage_before = result.usage_before,
        usage_after = result.usage_after,
        model = result.model,
        duration_ms = result.duration_ms,
        "history compressed"
    );
}

/// A summary came too late: the history had changed.
pub fn discarded(reason: &str) {
    debug!(event = "discarded", reason, "summary discarded");
}

/// What a truncation has come to.
#[derive(Debug, Clone, Copy)]
pub struct Truncated {
    /// Messages before.
    pub before_count: usize,
    /// Messages after.
    pub after_count: usize,
    /// Messages cut out.
    pub dropped: usize,
    /// Messages cut short.
    pub shortened: usize,
    pub tokens_before: f64,
    pub tokens_after: f64,
}

/// History was cut.
pub fn truncated(result: &Truncated) {
    warn!(
        event = "truncated",
        before_count = result.before_count,
        after_count = result.after_count,
        dropped = result.dropped,
        shortened = result.shortened,
        tokens_before = result.tokens_before,
        tokens_after = result.tokens_after,
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

/// A provider's figure for a prompt is less than it can be, see [`crate::compression::session::usage::WindowUsage::doubted_tokens`]. Said once.
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

/// A configured value can't be used, see [`crate::compression::session::settings::Refused`]. R7.1 wants a warning.
pub fn setting_refused(key: &str, expected: &str) {
    warn!(event = "setting_refused", key, expected, "setting ignored, its default holds");
}

/// A key could not be read: `came` is `promise`, a type that is no section, or the class or code of what was thrown.
pub fn setting_unreadable(key: &str, came: &str) {
    warn!(event = "setting_unreadable", key, came, "configuration could not be read, defaults hold");
}

/// A key that is no setting but looks like one, see [`crate::compression::session::settings::typing_errors`].
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

/// Something that nobody foresaw; the history is as it was. `code` as for [`summary_failed`]; `problem` names an argument that
/// is none, and what came in its place, never a value.
pub fn failed(code: &str, problem: &str) {
    error!(event = "failed", code, problem, "compression failed, history unchanged");
}

/// The host gave up.
pub fn aborted() {
    debug!(event = "aborted", "compression aborted");
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
