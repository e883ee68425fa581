//! Decides what a log says of messages that could not be read as they were meant: figures and names, never content.

use tracing::warn;

/// Where messages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The rules: what they don't recognise is left alone.
    Cleanup,
    /// A token counter: what it doesn't recognise is counted as JSON text.
    Tokens,
}

/// So many `messages` have a form that isn't known; `forms` names what they look like.
pub fn unrecognised(reader: Reader, messages: usize, total: usize, forms: &str) {
    match reader {
        Reader::Cleanup => warn!(
            event = "unrecognised",
            messages, total, forms, "messages of a form that isn't known: nothing was counted stale in them"
        ),
        Reader::Tokens => warn!(
            event = "unrecognised",
            messages,
            total,
            forms,
            "messages of a form that isn't known: counted as JSON text, a little high"
        ),
    }
}

/// So many tool results had their time in seconds.
pub fn times_in_seconds(results: usize) {
    warn!(
        event = "seconds",
        results, "times in seconds since 1970 where milliseconds are expected: read as seconds"
    );
}

/// So many tool results that a rule looked at don't say when they came: no age can be judged.
pub fn times_unknown(results: usize) {
    warn!(
        event = "untimed",
        results, "tool results without a time: the option unknownAge says what holds for them"
    );
}

/// A host's function, the option called `option`, threw of a result of `tool`, or answered with a promise.
pub fn unanswered(option: &str, tool: &str) {
    warn!(
        event = "unanswered",
        option, tool, "a function of the host's threw or didn't answer at once: the result stays"
    );
}
