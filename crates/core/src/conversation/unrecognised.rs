//! Logs what clean-up and token counting can't read or judge in their input: counts and names, never content.

use tracing::warn;

/// What reads messages, and what it does with those of an unknown form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageReader {
    Cleanup,
    Tokens,
}

/// `messages` of `total` have an unknown form; `forms` are the names of these forms.
pub fn unrecognised(reader: MessageReader, messages: usize, total: usize, forms: &str) {
    let consequence = match reader {
        MessageReader::Cleanup => "left unchanged",
        MessageReader::Tokens => "counted as JSON text, a little high",
    };
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
