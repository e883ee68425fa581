//! Decides how much of each text is left when messages that must stay are too large.

use super::super::message::{Message, Role};

/// A text is not cut below this: with less, a tool result says nothing any more.
const FLOOR_TOKENS: f64 = 200.0;
/// A text that is hardly longer is left alone. One that came out a little above the floor would be cut for ever.
const WORTH_CUTTING_TOKENS: f64 = 1.25 * FLOOR_TOKENS;
/// No text has more tokens in any model; what a message has besides is images and calls (see the factors in
/// [`crate::tokens::models`]).
const MOST_TOKENS_PER_BYTE: f64 = 1.6;

/// A message whose text is to be cut short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shorten {
    /// Which.
    pub index: usize,
    /// What the whole message may have afterwards, its share of the chat format and its calls included.
    pub max_tokens: f64,
}

/// A text that may be cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    index: usize,
    /// The whole message.
    tokens: f64,
    /// The text alone.
    cuttable_tokens: f64,
    is_result: bool,
}

impl Text {
    /// The share of its text in a message's tokens is estimated: images are not in the text, calls are not cut.
    #[allow(clippy::cast_precision_loss)] // lengths of texts
    pub fn of(index: usize, message: &Message) -> Self {
        let text_bytes = message.text.len() as f64;
        let call_bytes =
            |bytes: usize, call: &super::super::message::Call| bytes + call.name.len() + call.arguments.len();
        let bytes = text_bytes + message.calls.iter().fold(0, call_bytes) as f64;
        let share = if bytes > 0.0 { text_bytes / bytes } else { 0.0 };
        let cuttable_tokens = (message.tokens * share).min(text_bytes * MOST_TOKENS_PER_BYTE);
        let is_result = message.role == Role::Tool || !message.answers.is_empty();
        Self { index, tokens: message.tokens, cuttable_tokens, is_result }
    }

    fn to(self, text_tokens: f64) -> Shorten {
        let max_tokens = (self.tokens - self.cuttable_tokens + text_tokens).floor();
        Shorten { index: self.index, max_tokens: max_tokens.max(1.0) }
    }
}

/// Cuts the largest tool results to a common length, and other texts only where those are not enough. `None` when
/// no cutting saves `over_limit` tokens; `over_aim` are saved if they can be. O(n log n).
pub(super) fn shorten(texts: &[Text], over_aim: f64, over_limit: f64) -> Option<Vec<Shorten>> {
    let worth_cutting = texts.iter().copied().filter(|text| text.cuttable_tokens > WORTH_CUTTING_TOKENS);
    let (results, others): (Vec<Text>, Vec<Text>) = worth_cutting.partition(|text| text.is_result);
    let levels = if let Some(level) = common_length(&results, over_aim) {
        (level, f64::INFINITY)
    } else if most_saved(&results) >= over_limit {
        // A user's own words are not cut to get from the limit to what is aimed at.
        (FLOOR_TOKENS, f64::INFINITY)
    } else if let Some(level) = common_length(&others, over_aim - most_saved(&results)) {
        (FLOOR_TOKENS, level)
    } else if most_saved(&results) + most_saved(&others) >= over_limit {
        (FLOOR_TOKENS, FLOOR_TOKENS)
    } else {
        return None;
    };
    let level_of = |text: &Text| if text.is_result { levels.0 } else { levels.1 };
    let all = results.iter().chain(&others);
    let mut shortened: Vec<Shorten> = all
        .filter(|text| text.cuttable_tokens > level_of(text))
        .map(|text| text.to(level_of(text)))
        .collect();
    shortened.sort_unstable_by_key(|short| short.index);
    Some(shortened)
}

fn most_saved(texts: &[Text]) -> f64 {
    texts.iter().map(|text| text.cuttable_tokens - FLOOR_TOKENS).sum()
}

/// The greatest length, not below the floor, that saves `wanted` tokens when all longer texts are cut to it.
fn common_length(texts: &[Text], wanted: f64) -> Option<f64> {
    let mut longest_first: Vec<f64> = texts.iter().map(|text| text.cuttable_tokens).collect();
    longest_first.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut total, mut count) = (0.0, 0.0);
    for (position, &length) in longest_first.iter().enumerate() {
        total += length;
        count += 1.0;
        let level = (total - wanted) / count;
        let next = longest_first.get(position + 1).copied().unwrap_or(FLOOR_TOKENS);
        if level >= next.max(FLOOR_TOKENS) {
            return Some(level);
        }
    }
    None
}
