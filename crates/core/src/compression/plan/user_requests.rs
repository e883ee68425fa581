//! Decides which messages are the user's requests, and which one is current.

use crate::compression::message::{ChatMessage, ChatRole};

/// The current request: the newest message with words of the user, even next to tool results.
pub fn newest_user_request(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().rposition(|message| {
        let has_words = if message.answers.is_empty() {
            !message.text.trim().is_empty()
        } else {
            message.units_beside_results > 0
        };
        message.role == ChatRole::User && message.created_as.is_none() && has_words
    })
}

/// The user's earliest remaining request, which states the task (EDGE 20).
pub fn first_user_request(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().position(|message| begins_turn(message) && message.created_as.is_none())
}

/// No notice quotes more of the first request, whatever the window's size.
const LONGEST_RECORDED_CHARS: usize = 4_000;

/// The text of the first request, cut to the length that later notices can quote.
pub fn first_request_to_record(messages: &[ChatMessage]) -> Option<String> {
    let request = messages.get(first_user_request(messages)?)?;
    Some(request.text.chars().take(LONGEST_RECORDED_CHARS).collect())
}

/// Providers start a turn at every user message without tool results, including a summary or notice.
pub fn begins_turn(message: &ChatMessage) -> bool {
    message.role == ChatRole::User && message.answers.is_empty()
}
