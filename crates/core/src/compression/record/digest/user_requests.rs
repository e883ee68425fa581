//! Decides which of the user's requests are kept verbatim (R7.6): the first, since a lost task is never finished
//! (EDGE 20), then the newest.

use serde_json::Value;

use crate::compression::message::{ChatMessage, ChatRole};
use crate::compression::plain_text::{bounded, head_of, plain_text};

const LONGEST_REQUEST_CHARS: usize = 2_000;
const LONGEST_TOTAL_CHARS: usize = 12_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserRequests {
    pub first: Option<String>,
    /// The newest after the first, as many as fit.
    pub newest: Vec<String>,
    pub forgotten: u32,
}

impl UserRequests {
    pub fn current(&self) -> Option<&str> {
        self.newest.last().or(self.first.as_ref()).map(String::as_str)
    }

    pub(super) fn add(&mut self, message: &ChatMessage) {
        if let Some(text) = request_in(message) {
            self.add_text(&text);
        }
    }

    /// Adds messages older than those added so far. Most are known already, such as the copies of pinned messages.
    pub(super) fn add_older<'m>(&mut self, messages: impl Iterator<Item = &'m ChatMessage>) {
        let is_new = |text: &String| self.first.as_ref() != Some(text) && !self.newest.contains(text);
        let older: Vec<String> = messages.filter_map(request_in).filter(is_new).collect();
        if older.is_empty() {
            return;
        }
        let known = std::mem::replace(self, Self { forgotten: self.forgotten, ..Self::default() });
        known.first.iter().chain(&older).chain(&known.newest).for_each(|text| self.add_text(text));
    }

    fn add_text(&mut self, text: &str) {
        let text = bounded(text.trim(), LONGEST_REQUEST_CHARS);
        if text.is_empty() || is_client_noise(&text) || self.current() == Some(text.as_str()) {
            return;
        }
        if self.first.is_none() {
            self.first = Some(text);
            return;
        }
        self.newest.push(text);
        let length = |text: &String| text.chars().count();
        let mut total = self.first.iter().chain(&self.newest).map(length).sum::<usize>();
        while total > LONGEST_TOTAL_CHARS && !self.newest.is_empty() {
            total -= length(&self.newest.remove(0));
            self.forgotten = self.forgotten.saturating_add(1);
        }
    }

    pub(super) fn from_json(stored: &Value, forgotten: u32) -> Self {
        let mut requests = Self { forgotten, ..Self::default() };
        let newest = stored.get("newest").and_then(Value::as_array).into_iter().flatten();
        let texts = stored.get("first").into_iter().chain(newest).filter_map(Value::as_str);
        texts.for_each(|text| requests.add_text(&plain_text(text)));
        requests
    }
}

fn request_in(message: &ChatMessage) -> Option<String> {
    (message.role == ChatRole::User && message.answers.is_empty()).then(|| {
        let text = plain_text(head_of(&message.text, LONGEST_REQUEST_CHARS));
        bounded(text.trim(), LONGEST_REQUEST_CHARS)
    })
}

/// Text that a client writes as the user: a note that a turn was interrupted, or a bare `/command`. As the first
/// request of a session it would replace the task.
pub(crate) fn is_client_noise(text: &str) -> bool {
    let command = text.strip_prefix('/').unwrap_or_default();
    let is_command = !command.is_empty()
        && command.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':'));
    is_command || (text.starts_with("[Request interrupted by user") && text.ends_with(']'))
}
