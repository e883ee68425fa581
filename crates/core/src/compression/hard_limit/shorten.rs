//! Decides how far to shorten each message when the messages that must stay are too large.

use crate::compression::message::{ChatMessage, ChatRole, MAX_TOKENS_PER_BYTE};
use crate::compression::to_f64;

/// A text with fewer tokens than its floor times this is not cut: a cut that ends slightly above the floor would be
/// repeated for ever.
const WORTH_CUTTING_FACTOR: f64 = 1.25;

/// How far to shorten a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShortenedMessage {
    pub index: usize,
    /// The most tokens of the whole message, including its chat format and its calls.
    pub max_tokens: f64,
}

/// The part of a message that may be shortened.
#[derive(Debug, Clone, Copy)]
pub(super) struct CuttableText {
    pub index: usize,
    pub is_result: bool,
    /// The message also has thinking, which is worth more than this text.
    pub has_thinking: bool,
    /// Tokens of the whole message.
    tokens: f64,
    /// Tokens of the text alone, without a user's own words next to results.
    cuttable_tokens: f64,
}

impl CuttableText {
    /// The text's share of the message's tokens is estimated: images are not in the text, and calls are not cut.
    pub fn new(index: usize, message: &ChatMessage) -> Self {
        let text_bytes = to_f64(message.text.len());
        let call_bytes = message.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        let bytes = text_bytes + to_f64(call_bytes);
        let cuttable_bytes = (text_bytes - to_f64(message.units_beside_results)).max(0.0);
        let share = if bytes > 0.0 { cuttable_bytes / bytes } else { 0.0 };
        let cuttable_tokens = (message.tokens * share).min(cuttable_bytes * MAX_TOKENS_PER_BYTE);
        let is_result = message.role == ChatRole::Tool || !message.answers.is_empty();
        let has_thinking = message.has_thinking;
        Self { index, is_result, has_thinking, tokens: message.tokens, cuttable_tokens }
    }

    /// How many tokens cutting the text to `floor` tokens saves.
    pub fn saved_at(&self, floor: f64) -> f64 {
        if self.is_worth_cutting(floor) { self.cuttable_tokens - floor } else { 0.0 }
    }

    fn is_worth_cutting(&self, floor: f64) -> bool {
        self.cuttable_tokens > WORTH_CUTTING_FACTOR * floor
    }

    fn shorten_to(self, text_tokens: f64) -> ShortenedMessage {
        let max_tokens = (self.tokens - self.cuttable_tokens + text_tokens).floor();
        ShortenedMessage { index: self.index, max_tokens: max_tokens.max(1.0) }
    }
}

/// Texts that are shortened to a common length, before those of the next class.
#[derive(Debug, Clone)]
pub(super) struct CutClass {
    pub texts: Vec<CuttableText>,
    /// No text is shortened below this.
    pub floor_tokens: f64,
    /// The texts are cut only to get under the limit, never to reach the aim.
    pub is_last_resort: bool,
}

/// Cuts the first class to a common length, and the next classes only if that is not enough. Saves `over_aim` tokens if
/// possible; `None` if no cut saves `over_limit` tokens. O(n log n).
pub(super) fn shorten_texts(
    classes: &[CutClass],
    over_aim: f64,
    over_limit: f64,
) -> Option<Vec<ShortenedMessage>> {
    let (mut saved, mut shortened) = (0.0, Vec::new());
    for class in classes {
        let goal = if class.is_last_resort && saved >= over_limit { over_limit } else { over_aim };
        if saved >= goal {
            continue;
        }
        let texts: Vec<CuttableText> =
            class.texts.iter().copied().filter(|text| text.is_worth_cutting(class.floor_tokens)).collect();
        let length = common_length(&texts, goal - saved, class.floor_tokens).unwrap_or(class.floor_tokens);
        for text in texts.iter().filter(|text| text.cuttable_tokens > length) {
            saved += text.cuttable_tokens - length;
            shortened.push(text.shorten_to(length));
        }
    }
    shortened.sort_unstable_by_key(|message| message.index);
    // Rounding may have lost a fraction of a token.
    (saved >= over_limit - 1e-6).then_some(shortened)
}

/// The greatest length in tokens, not below the floor, that saves `wanted` tokens when all longer texts are cut to it.
fn common_length(texts: &[CuttableText], wanted: f64, floor: f64) -> Option<f64> {
    let mut longest_first: Vec<f64> = texts.iter().map(|text| text.cuttable_tokens).collect();
    longest_first.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut total = 0.0;
    (1..).zip(&longest_first).find_map(|(count, length)| {
        total += length;
        let common = (total - wanted) / to_f64(count);
        let next = longest_first.get(count).copied().unwrap_or(floor);
        (common >= next.max(floor)).then_some(common)
    })
}
