//! Decides which messages are requests of the user's, and which of them counts now.

use crate::compression::message::{Message, Role};

/// Whether `message` is something that a user asks, and not tool results in Anthropic's form or our own making.
#[must_use]
pub fn is_request(message: &Message) -> bool {
    begins_turn(message) && message.made.is_none()
}

/// What the user wants now: the newest message with words of the user's own, also beside tool results. Our own
/// messages, results alone and empty messages are none.
#[must_use]
pub fn newest_request(messages: &[Message]) -> Option<usize> {
    messages.iter().rposition(|message| {
        let has_words = if message.answers.is_empty() {
            !message.text.trim().is_empty()
        } else {
            message.units_beside_results > 0
        };
        message.role == Role::User && message.made.is_none() && has_words
    })
}

/// The user's first request that is still there: the task (EDGE 20).
#[must_use]
pub fn first_request(messages: &[Message]) -> Option<usize> {
    messages.iter().position(is_request)
}

/// Of a first request, so much is kept on record for later notices.
const RECORDED_CHARS: usize = 4_000;

/// The first request as it is kept on record when it goes: its beginning, if it is long.
#[must_use]
pub fn recorded_request(messages: &[Message]) -> Option<String> {
    let request = messages.get(first_request(messages)?)?;
    Some(request.text.chars().take(RECORDED_CHARS).collect())
}

/// A provider takes any user message without results for the start of a turn, summaries and notices too.
#[must_use]
pub fn begins_turn(message: &Message) -> bool {
    message.role == Role::User && message.answers.is_empty()
}
