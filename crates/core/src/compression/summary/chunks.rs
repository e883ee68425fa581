//! Decides how much of each message is quoted, and in how many parts, so that every request to the summary model fits
//! its window (R7.5, EDGE 14).
//!
//! Long tool results are shortened first, because the agent's next steps reflect what they said; then all other long
//! texts. If that is not enough, the range is divided, never between a call and its results.

mod counted;

use std::ops::Range;

use crate::compression::message::ChatMessage;
use crate::compression::summary::quote::{Boundary, blocks_of, shortened};
use crate::tokens::models::Model;
use counted::{CountedMessages, JOINT_TOKENS, LIMIT_STEPS, MIN_TOOL_TOKENS, TextLimits};

/// Messages to quote, each text counted once.
pub struct QuotedHistory {
    model: Model,
    pub boundary: Boundary,
    counted: CountedMessages,
}

impl QuotedHistory {
    /// Counts `messages` for `model`. The boundary word occurs neither in them nor in `enclosed`, the prompt's other
    /// quoted texts. O(text).
    pub fn new(messages: &[ChatMessage], enclosed: &[&str], model: Model) -> Self {
        let blocks = blocks_of(messages);
        let texts = blocks.iter().flatten().flat_map(|block| [block.text.as_str(), block.label.as_str()]);
        let boundary = Boundary::outside_of(&texts.chain(enclosed.iter().copied()).collect::<Vec<_>>());
        let counted = CountedMessages::new(messages, blocks, &boundary, model);
        Self { model, boundary, counted }
    }

    /// All messages in at most `limit_tokens`, with texts as long as possible; `None` if shortening is not enough.
    pub fn in_one_part(&self, limit_tokens: f64) -> Option<String> {
        let all = 0..self.counted.len();
        let limits = self.largest_limits(all.clone(), limit_tokens - self.end_tokens())?;
        Some(self.quote(all, limits, limit_tokens))
    }

    /// As few parts of at most `part_tokens` as possible, in order, with texts as long as that number allows. A text
    /// that can't be shortened enough loses its middle.
    pub fn in_parts(&self, part_tokens: f64) -> Vec<String> {
        let room_tokens = part_tokens - self.end_tokens();
        let quote_part = |(messages, limits): ChunkPart| {
            let limits = self.largest_limits(messages.clone(), room_tokens).unwrap_or(limits);
            self.quote(messages, limits, part_tokens)
        };
        let unlimited = TextLimits::new(f64::INFINITY, f64::INFINITY);
        let packings = [unlimited].into_iter().chain(LIMIT_STEPS);
        let packings = packings.map(|limits| pack_with(&self.counted, limits, room_tokens));
        // The first of several with equally few parts has the longest texts.
        packings.min_by_key(Vec::len).unwrap_or_default().into_iter().map(quote_part).collect()
    }

    /// `quoted` cut to `limit_tokens`, including the line that ends a quotation.
    pub fn cut(&self, quoted: &str, limit_tokens: f64) -> String {
        if self.model.fits(quoted, limit_tokens) {
            return quoted.to_owned();
        }
        let end = self.end_line();
        let body = quoted.strip_suffix(&end).unwrap_or(quoted);
        let mut room_tokens = limit_tokens - self.model.count(&end);
        loop {
            let body = shortened(body, room_tokens.max(0.0), &self.model).unwrap_or_else(|| body.to_owned());
            let quoted = [self.without_torn_headers(&body).as_str(), &end].concat();
            if room_tokens <= 0.0 || self.model.fits(&quoted, limit_tokens) {
                return quoted;
            }
            room_tokens -= JOINT_TOKENS;
        }
    }

    /// A cut may split a header: drops lines that contain the boundary word but don't begin with it.
    fn without_torn_headers(&self, body: &str) -> String {
        let word = self.boundary.word.as_str();
        let begins_with_word = |line: &str| line.strip_prefix('[').is_some_and(|rest| rest.starts_with(word));
        body.split_inclusive('\n').filter(|line| begins_with_word(line) || !line.contains(word)).collect()
    }

    fn end_line(&self) -> String {
        format!("\n[{} end]", self.boundary.word)
    }

    fn end_tokens(&self) -> f64 {
        self.model.count(&self.end_line()) + 2.0 * JOINT_TOKENS
    }

    /// Shortens results and arguments first, by their weights, then the texts of the user and the model. `None` if
    /// nothing is short enough. O(blocks × log tokens).
    fn largest_limits(&self, messages: Range<usize>, room_tokens: f64) -> Option<TextLimits> {
        let fits = |limits: TextLimits| self.counted.tokens(messages.clone(), limits) <= room_tokens;
        // The limits that `limits_with` makes of the largest number that fits.
        let largest_with = |low: f64, limits_with: &dyn Fn(f64) -> TextLimits| {
            let unlimited = limits_with(f64::INFINITY);
            if fits(unlimited) {
                return unlimited;
            }
            limits_with(greatest(low, room_tokens, 0.5, |tokens| fits(limits_with(tokens))))
        };
        let mut short_results = LIMIT_STEPS.into_iter().filter(|step| step.tool_tokens <= MIN_TOOL_TOKENS);
        let step = short_results.find(|&step| fits(step))?;
        let limits = largest_with(step.text_tokens, &|text_tokens| TextLimits { text_tokens, ..step });
        Some(largest_with(0.0, &|per_weight| TextLimits { tool_tokens_per_weight: per_weight, ..limits }))
    }

    fn quote(&self, messages: Range<usize>, limits: TextLimits, limit_tokens: f64) -> String {
        let mut quoted = String::new();
        for counted in self.counted.blocks(messages) {
            let (text, max_tokens) = (&counted.block.text, counted.max_text_tokens(limits));
            let is_long = counted.text_tokens > max_tokens;
            let short = if is_long { shortened(text, max_tokens, &self.model) } else { None };
            quoted.extend([counted.header.as_str(), short.as_ref().unwrap_or(text)]);
        }
        quoted.push_str(&self.end_line());
        self.cut(quoted.trim_start(), limit_tokens)
    }
}

/// The greatest number from `low` on that fits, to `precision`; the caller knows that `low` fits.
fn greatest(mut low: f64, high: f64, precision: f64, fits: impl Fn(f64) -> bool) -> f64 {
    let mut high = high.max(low);
    while high - low > precision {
        let middle = f64::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// A group is divided before each of its texts is cut to less than this.
const MIN_TEXT_TOKENS: f64 = 20.0;

/// Messages that are quoted in one request, and the limits of their texts.
type ChunkPart = (Range<usize>, TextLimits);

fn pack_with(history: &CountedMessages, limits: TextLimits, room_tokens: f64) -> Vec<ChunkPart> {
    let (mut parts, mut used_tokens) = (Vec::<ChunkPart>::new(), 0.0);
    let fitted = history.groups.iter().flat_map(|group| fitted_group(history, group, limits, room_tokens));
    for (messages, limits) in fitted {
        let tokens = history.tokens(messages.clone(), limits);
        match parts.last_mut() {
            Some((range, part_limits)) if *part_limits == limits && used_tokens + tokens <= room_tokens => {
                range.end = messages.end;
                used_tokens += tokens;
            }
            _ => {
                parts.push((messages, limits));
                used_tokens = tokens;
            }
        }
    }
    parts
}

/// A group with the longest texts that fit; its messages one by one if their headers alone fill a part, as those of
/// hundreds of parallel calls do.
fn fitted_group(
    history: &CountedMessages,
    group: &Range<usize>,
    limits: TextLimits,
    room_tokens: f64,
) -> Vec<ChunkPart> {
    let fits = |limits: TextLimits| history.tokens(group.clone(), limits) <= room_tokens;
    if fits(limits) {
        vec![(group.clone(), limits)]
    } else if fits(limits.at_most(MIN_TEXT_TOKENS)) {
        let most = greatest(MIN_TEXT_TOKENS, room_tokens, 1.0, |tokens| fits(limits.at_most(tokens)));
        vec![(group.clone(), limits.at_most(most.floor()))]
    } else {
        group.clone().map(|message| (message..message + 1, limits.at_most(MIN_TEXT_TOKENS))).collect()
    }
}

#[cfg(test)]
#[path = "chunks_tests.rs"]
mod tests;
