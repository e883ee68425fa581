//! Logs what clean-up and token counting can't read or judge in their input: counts and names, never content.

use tracing::warn;

/// `messages` of `total` have an unknown form; `forms` are the names of these forms. `is_counted`: token counting read them, not clean-up.
pub fn unrecognised(is_counted: bool, messages: usize, total: usize, forms: &str) {
    let consequence = if is_counted { "counted as JSON text, a little high" } else { "left unchanged" };
    warn!(event = "unrecognised", messages, total, forms, "messages of an unknown form: {consequence}");
}

pub fn times_in_seconds(results: usize) {
    warn!(event = "seconds", results, "times in seconds since 1970 where milliseconds are expected: read as seconds");
}

pub fn times_unknown(results: usize) {
    warn!(event = "untimed", results, "tool results without a time: the option unknownAge says what holds for them");
}

/// Logs that the application's function `option` threw for a result of `tool`, or returned a promise.
pub fn unanswered(option: &str, tool: &str) {
    warn!(
        event = "unanswered",
        option, tool, "the application's function threw or returned a promise: the result stays"
    );
}
