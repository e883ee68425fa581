//! Shortens messages when those that must stay are too large: first how far each message, then the texts of each
//! (R7.11, R4.4).

use crate::compression::message::{ChatMessage, MAX_TOKENS_PER_BYTE};
use crate::compression::{to_f64, whole_tokens};
use crate::output::truncate_to_errors;
use crate::text::utf16::to_utf8;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, truncate};

/// A text with fewer tokens than its floor times this is not cut: a cut that ends slightly above the floor would be
/// repeated for ever.
const WORTH_CUTTING_FACTOR: f64 = 1.25;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShortenedMessage {
    pub index: usize,
    /// The most tokens of the whole message, including its chat format and its calls.
    pub max_tokens: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CuttableText {
    pub index: usize,
    pub is_result: bool,
    /// The message also has thinking, which is worth more than this text.
    pub has_thinking: bool,
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
        let (is_result, has_thinking) = (message.is_result(), message.has_thinking);
        Self { index, is_result, has_thinking, tokens: message.tokens, cuttable_tokens }
    }

    pub fn saved_at(&self, floor: f64) -> f64 {
        if self.is_worth_cutting(floor) { self.cuttable_tokens - floor } else { 0.0 }
    }

    fn is_worth_cutting(&self, floor: f64) -> bool {
        self.cuttable_tokens > WORTH_CUTTING_FACTOR * floor
    }
}

/// Texts that are shortened to a common length, before those of the next class.
pub(super) struct CutClass {
    pub texts: Vec<CuttableText>,
    pub floor_tokens: f64,
    /// The texts are cut only to get under the limit, never to reach the aim.
    pub is_last_resort: bool,
}

/// Cuts the first class to a common length, the next only if needed. Saves `over_aim` tokens if possible; `None` if no
/// cut saves `over_limit` tokens. O(n log n).
pub(super) fn shorten_texts(classes: &[CutClass], over_aim: f64, over_limit: f64) -> Option<Vec<ShortenedMessage>> {
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
            let max_tokens = (text.tokens - text.cuttable_tokens + length).floor().max(1.0);
            shortened.push(ShortenedMessage { index: text.index, max_tokens });
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

/// Every part gets this many tokens, or an equal share if there are fewer, before any part gets more.
const FIRST_SHARE_TOKENS: f64 = 24.0;
/// With less room than this, only the lines around errors would remain: the middle is cut instead.
const MIN_TOKENS_FOR_ERRORS: f64 = 64.0;
/// An output needs more line breaks than this to keep its error lines: with so few lines, one line may be most of it.
const MIN_LINE_BREAKS_FOR_ERRORS: usize = 4;
/// Error lines are searched in this many units at each end of an output: a search of all of a huge one takes too long.
const SCANNED_UNITS: usize = 1 << 17;
const CUT_MARKER: &str = "\n…\n";
const ELLIPSIS: &str = "…";
/// How often an output is cut to find the length that fits. Most outputs need two or three tries.
const MAX_TRIES: usize = 5;
/// The first try assumes this many units for each token.
const UNITS_PER_TOKEN: f64 = 4.0;
/// Each further try aims at this share of the length that would fit, since tokens aren't spread evenly.
const RETRY_SHARE: f64 = 0.97;
/// An output that fills this share of its room needs no further try.
const FILLED_SHARE: f64 = 0.9;
/// An output that must be cut keeps at most this, even in a window of a million tokens.
const MAX_OUTPUT_TOKENS: f64 = 64_000.0;

#[derive(Debug, Clone, Copy)]
pub struct TextPart<'t> {
    /// May hold lone surrogates.
    pub text: &'t [u16],
    pub is_output: bool,
}

/// Cuts `parts` to about `max_tokens` in all; `None` for a part that stays unchanged. Small parts stay whole, and a
/// user's words have priority over a tool's output. Large parts are cut to a common length; none becomes empty. An
/// output keeps its error lines, beginning and end. O(`max_tokens`), plus one scan of the text for each try.
pub fn shorten_parts(parts: &[TextPart<'_>], max_tokens: f64, model: &Model) -> Vec<Option<Vec<u16>>> {
    let counted = |&TextPart { text: units, is_output }: &_| {
        let text = to_utf8(units);
        let tokens = model.count_or_more(&text, max_tokens + 1.0);
        CountedPart { units, text, is_output, tokens, allotted: 0.0 }
    };
    let mut counted: Vec<CountedPart<'_>> = parts.iter().map(counted).collect();
    allot(&mut counted, max_tokens);
    counted.iter().map(|part| (part.tokens > part.allotted).then(|| part.shortened(model))).collect()
}

struct CountedPart<'t> {
    units: &'t [u16],
    text: String,
    is_output: bool,
    tokens: f64,
    allotted: f64,
}

/// Decides how many tokens each part may have: those that aren't outputs first, the smallest first.
fn allot(parts: &mut [CountedPart<'_>], max_tokens: f64) {
    let share = max_tokens.max(0.0) / to_f64(parts.len().max(1));
    for part in &mut *parts {
        part.allotted = part.tokens.min(FIRST_SHARE_TOKENS).min(share);
    }
    let mut rest = max_tokens - parts.iter().map(|part| part.allotted).sum::<f64>();
    for is_output in [false, true] {
        let mut smallest_first: Vec<_> = parts.iter_mut().filter(|part| part.is_output == is_output).collect();
        smallest_first.sort_by(|one, other| one.tokens.total_cmp(&other.tokens));
        let count = smallest_first.len();
        for (position, part) in smallest_first.into_iter().enumerate() {
            let more = (rest.max(0.0) / to_f64(count - position)).min(part.tokens - part.allotted);
            part.allotted += more;
            rest -= more;
        }
    }
}

impl CountedPart<'_> {
    /// Leaves at least an ellipsis, because providers reject empty texts.
    fn shortened(&self, model: &Model) -> Vec<u16> {
        let most_tokens = if self.is_output { self.allotted.min(MAX_OUTPUT_TOKENS) } else { self.allotted };
        let kept = if self.is_output { with_errors(self.units, most_tokens, model) } else { None };
        let kept = kept.or_else(|| ends_of(self.units, &self.text, most_tokens, model)).unwrap_or_default();
        if to_utf8(&kept).trim().is_empty() { ELLIPSIS.encode_utf16().collect() } else { kept }
    }
}

fn ends_of(units: &[u16], text: &str, max_tokens: f64, model: &Model) -> Option<Vec<u16>> {
    let count_tokens = |text: &str| whole_tokens(model.count_or_more(text, 2.0 * max_tokens + 1.0).ceil());
    let kept = truncate(&count_tokens, text, whole_tokens(max_tokens), Keep::Both, CUT_MARKER)?;
    Some(kept.of_units(units, text, CUT_MARKER))
}

fn with_errors(units: &[u16], max_tokens: f64, model: &Model) -> Option<Vec<u16>> {
    let newline = u16::from(b'\n');
    let has_lines = units.iter().filter(|&&unit| unit == newline).nth(MIN_LINE_BREAKS_FOR_ERRORS).is_some();
    if max_tokens < MIN_TOKENS_FOR_ERRORS || !has_lines {
        return None;
    }
    let mut limit_units = whole_tokens(max_tokens * UNITS_PER_TOKEN);
    let mut best: Option<Vec<u16>> = None;
    for _ in 0..MAX_TRIES {
        let kept = truncate_to_errors(units, limit_units, SCANNED_UNITS);
        let tokens = model.count_or_more(&to_utf8(&kept), 2.0 * max_tokens + 1.0);
        if tokens <= max_tokens && best.as_ref().is_none_or(|best| best.len() < kept.len()) {
            best = Some(kept.into_owned());
        }
        if (FILLED_SHARE * max_tokens..=max_tokens).contains(&tokens) {
            break;
        }
        limit_units = whole_tokens(to_f64(limit_units) * max_tokens / tokens.max(1.0) * RETRY_SHARE);
    }
    best
}

#[cfg(test)]
mod tests;
