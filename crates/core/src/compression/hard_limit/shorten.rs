//! Decides how far to shorten each message when the messages that must stay are too large.

use crate::compression::decimal;
use crate::compression::message::{ChatMessage, ChatRole};

/// No text has more tokens per byte in any model; the remaining tokens of a message are images and calls (see the
/// factors in [`crate::tokens::models`]).
const MAX_TOKENS_PER_BYTE: f64 = 1.6;
/// A text barely longer than the floor is not cut: a cut that ends slightly above the floor would be repeated for ever.
const WORTH_CUTTING: f64 = 1.25;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shorten {
    pub index: usize,
    /// The most tokens of the whole message, including its chat format and its calls.
    pub max_tokens: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    pub index: usize,
    pub is_result: bool,
    /// The message also has thinking, which is worth more than this text.
    pub has_thinking: bool,
    tokens: f64,
    /// The text alone, without a user's own words next to results.
    cuttable_tokens: f64,
}

impl Text {
    /// The text's share of the message's tokens is estimated: images are not in the text, and calls are not cut.
    pub fn new(index: usize, message: &ChatMessage) -> Self {
        let text_bytes = decimal(message.text.len());
        let call_bytes = message.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        let bytes = text_bytes + decimal(call_bytes);
        let cuttable_bytes = (text_bytes - decimal(message.units_beside_results)).max(0.0);
        let share = if bytes > 0.0 { cuttable_bytes / bytes } else { 0.0 };
        let cuttable_tokens = (message.tokens * share).min(cuttable_bytes * MAX_TOKENS_PER_BYTE);
        let is_result = message.role == ChatRole::Tool || !message.answers.is_empty();
        let has_thinking = message.has_thinking;
        Self { index, is_result, has_thinking, tokens: message.tokens, cuttable_tokens }
    }

    pub fn saved_at(&self, floor: f64) -> f64 {
        if self.is_worth_cutting(floor) { self.cuttable_tokens - floor } else { 0.0 }
    }

    fn is_worth_cutting(&self, floor: f64) -> bool {
        self.cuttable_tokens > WORTH_CUTTING * floor
    }

    fn to(self, text_tokens: f64) -> Shorten {
        let max_tokens = (self.tokens - self.cuttable_tokens + text_tokens).floor();
        Shorten { index: self.index, max_tokens: max_tokens.max(1.0) }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Class {
    pub texts: Vec<Text>,
    pub floor: f64,
    /// These are cut only to get under the limit, never to reach the aim.
    pub is_last_resort: bool,
}

/// Cuts the first class to a common length, and the next classes only if that is not enough. `None` if no cut saves
/// `over_limit` tokens; saves `over_aim` tokens if possible. O(n log n).
pub(super) fn shorten(classes: &[Class], over_aim: f64, over_limit: f64) -> Option<Vec<Shorten>> {
    let (mut saved, mut shortened) = (0.0, Vec::new());
    for class in classes {
        let goal = if class.is_last_resort && saved >= over_limit { over_limit } else { over_aim };
        if saved >= goal {
            continue;
        }
        let texts: Vec<Text> =
            class.texts.iter().copied().filter(|text| text.is_worth_cutting(class.floor)).collect();
        let level = common_length(&texts, goal - saved, class.floor).unwrap_or(class.floor);
        for text in texts.iter().filter(|text| text.cuttable_tokens > level) {
            saved += text.cuttable_tokens - level;
            shortened.push(text.to(level));
        }
    }
    shortened.sort_unstable_by_key(|short| short.index);
    // Rounding may have lost a fraction of a token.
    (saved >= over_limit - 1e-6).then_some(shortened)
}

/// The greatest length, not below the floor, that saves `wanted` tokens when all longer texts are cut to it.
fn common_length(texts: &[Text], wanted: f64, floor: f64) -> Option<f64> {
    let mut longest_first: Vec<f64> = texts.iter().map(|text| text.cuttable_tokens).collect();
    longest_first.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut total, mut count) = (0.0, 0.0);
    for (position, &length) in longest_first.iter().enumerate() {
        total += length;
        count += 1.0;
        let level = (total - wanted) / count;
        let next = longest_first.get(position + 1).copied().unwrap_or(floor);
        if level >= next.max(floor) {
            return Some(level);
        }
    }
    None
}
