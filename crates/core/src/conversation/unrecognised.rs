//! Logs what clean-up and token counting can't read or judge in their input: counts and names, never content.

use tracing::warn;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageReader {
    /// Clean-up leaves such messages unchanged.
    Cleanup,
    /// Token counting counts them as JSON text.
    Tokens,
}

/// `forms`: names of the messages' forms.
pub fn unrecognised(reader: MessageReader, messages: usize, total: usize, forms: &str) {
    match reader {
        MessageReader::Cleanup => warn!(
            event = "unrecognised",
            messages, total, forms, "messages of an unknown form: left unchanged"
        ),
        MessageReader::Tokens => warn!(
            event = "unrecognised",
            messages, total, forms, "messages of an unknown form: counted as JSON text, a little high"
        ),
    }
}

pub fn times_in_seconds(results: usize) {
    warn!(
        event = "seconds",
        results, "times in seconds since 1970 where milliseconds are expected: read as seconds"
    );
}

/// The ages of these results are unknown.
pub fn times_unknown(results: usize) {
    warn!(
        event = "untimed",
        results, "tool results without a time: the option unknownAge says what holds for them"
    );
}

/// The application's function `option` threw for a result of `tool`, or returned a promise.
pub fn unanswered(option: &str, tool: &str) {
    warn!(
        event = "unanswered",
        option, tool, "the application's function threw or returned a promise: the result stays"
    );
}
