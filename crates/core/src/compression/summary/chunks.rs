//! Decides how much of each message is quoted, and in how many parts, so that every request fits the summary model
//! (R7.5, EDGE 14). Long tool results are shortened first, because the agent's next steps reflect what they said; then
//! other long texts. If that is not enough, the range is divided, never between a call and its results.

use std::ops::Range;

use crate::compression::message::ChatMessage;
use crate::compression::plan::turns::Turns;
use crate::compression::summary::quote::{Block, BlockKind, Boundary, blocks_of, shortened};
use crate::compression::to_f64;
use crate::tokens::models::Model;

/// Messages to quote, each text counted once.
pub struct QuotedHistory {
    model: Model,
    pub boundary: Boundary,
    blocks_by_message: Vec<Vec<CountedBlock>>,
    /// Messages that stay together (a call with all its results), in order and without gaps.
    groups: Vec<Range<usize>>,
}

impl QuotedHistory {
    /// The boundary word occurs neither in `messages` nor in `enclosed`, the prompt's other quoted texts. O(text).
    pub fn new(messages: &[ChatMessage], enclosed: &[&str], model: Model) -> Self {
        let blocks = blocks_of(messages);
        let texts = blocks.iter().flatten().flat_map(|block| [block.text.as_str(), block.label.as_str()]);
        let boundary = Boundary::outside_of(&texts.chain(enclosed.iter().copied()).collect::<Vec<_>>());
        let counted = |block: Block| CountedBlock::new(block, messages.len(), &boundary, model);
        let blocks_by_message = blocks.into_iter().map(|blocks| blocks.into_iter().map(counted).collect()).collect();
        let turns = Turns::new(messages);
        let ends = (1..=messages.len()).filter(|&end| end == messages.len() || turns.is_boundary(end));
        let mut start = 0;
        let groups = ends.map(|end| std::mem::replace(&mut start, end)..end).collect();
        Self { model, boundary, blocks_by_message, groups }
    }

    /// All messages in at most `limit_tokens`, with texts as long as possible; `None` if shortening is not enough.
    pub fn in_one_part(&self, limit_tokens: f64) -> Option<String> {
        let all = 0..self.blocks_by_message.len();
        let limits = self.largest_limits(all.clone(), limit_tokens - self.end_tokens())?;
        Some(self.quote(all, limits, limit_tokens))
    }

    /// As few parts of at most `part_tokens` as possible, with texts as long as that number allows. A text that can't
    /// be shortened enough loses its middle.
    pub fn in_parts(&self, part_tokens: f64) -> Vec<String> {
        let room_tokens = part_tokens - self.end_tokens();
        let quote_part = |(messages, limits): ChunkPart| {
            let limits = self.largest_limits(messages.clone(), room_tokens).unwrap_or(limits);
            self.quote(messages, limits, part_tokens)
        };
        let all_limits = [TextLimits::new(f64::INFINITY, f64::INFINITY)].into_iter().chain(LIMIT_STEPS);
        // The first of several with equally few parts has the longest texts.
        let parts = all_limits.map(|limits| self.pack(limits, room_tokens)).min_by_key(Vec::len);
        parts.unwrap_or_default().into_iter().map(quote_part).collect()
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

    /// Shortens results and arguments first, by their weights, then texts. `None` if nothing is short enough.
    /// O(blocks × log tokens).
    fn largest_limits(&self, messages: Range<usize>, room_tokens: f64) -> Option<TextLimits> {
        let fits = |limits: TextLimits| self.tokens(messages.clone(), limits) <= room_tokens;
        let largest_with = |low: f64, limits_with: &dyn Fn(f64) -> TextLimits| {
            let unlimited = limits_with(f64::INFINITY);
            if fits(unlimited) {
                return unlimited;
            }
            limits_with(greatest(low, room_tokens, 0.5, |tokens| fits(limits_with(tokens))))
        };
        let step = LIMIT_STEPS.into_iter().find(|&step| step.tool_tokens <= MIN_TOOL_TOKENS && fits(step))?;
        let limits = largest_with(step.text_tokens, &|text_tokens| TextLimits { text_tokens, ..step });
        Some(largest_with(0.0, &|per_weight| TextLimits { tool_tokens_per_weight: per_weight, ..limits }))
    }

    fn quote(&self, messages: Range<usize>, limits: TextLimits, limit_tokens: f64) -> String {
        let mut quoted = String::new();
        for counted in self.blocks(messages) {
            let (text, max_tokens) = (&counted.block.text, counted.max_text_tokens(limits));
            let is_long = counted.text_tokens > max_tokens;
            let short = if is_long { shortened(text, max_tokens, &self.model) } else { None };
            quoted.extend([counted.header.as_str(), short.as_ref().unwrap_or(text)]);
        }
        quoted.push_str(&self.end_line());
        self.cut(quoted.trim_start(), limit_tokens)
    }

    fn blocks(&self, messages: Range<usize>) -> impl Iterator<Item = &CountedBlock> {
        self.blocks_by_message.get(messages).unwrap_or_default().iter().flatten()
    }

    fn tokens(&self, messages: Range<usize>, limits: TextLimits) -> f64 {
        self.blocks(messages).map(|block| block.tokens(limits)).sum()
    }

    fn pack(&self, limits: TextLimits, room_tokens: f64) -> Vec<ChunkPart> {
        let (mut parts, mut used_tokens) = (Vec::<ChunkPart>::new(), 0.0);
        let fitted = self.groups.iter().flat_map(|group| self.fitted_group(group, limits, room_tokens));
        for (messages, limits) in fitted {
            let tokens = self.tokens(messages.clone(), limits);
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
    fn fitted_group(&self, group: &Range<usize>, limits: TextLimits, room_tokens: f64) -> Vec<ChunkPart> {
        let fits = |limits: TextLimits| self.tokens(group.clone(), limits) <= room_tokens;
        if fits(limits) {
            return vec![(group.clone(), limits)];
        }
        let shortest = limits.at_most(MIN_TEXT_TOKENS);
        if !fits(shortest) {
            return group.clone().map(|message| (message..message + 1, shortest)).collect();
        }
        let most = greatest(MIN_TEXT_TOKENS, room_tokens, 1.0, |tokens| fits(limits.at_most(tokens)));
        vec![(group.clone(), limits.at_most(most.floor()))]
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

/// Limits from the largest to the smallest: the first that fit are then raised until the room is used up.
const LIMIT_STEPS: [TextLimits; 10] = [
    TextLimits::new(2_000.0, f64::INFINITY),
    TextLimits::new(800.0, f64::INFINITY),
    TextLimits::new(300.0, f64::INFINITY),
    TextLimits::new(MIN_TOOL_TOKENS, f64::INFINITY),
    TextLimits::new(MIN_TOOL_TOKENS, 8_000.0),
    TextLimits::new(MIN_TOOL_TOKENS, 2_000.0),
    TextLimits::new(MIN_TOOL_TOKENS, 800.0),
    TextLimits::new(MIN_TOOL_TOKENS, 300.0),
    TextLimits::new(60.0, 150.0),
    TextLimits::new(30.0, 80.0),
];

/// Results and arguments keep this many tokens until the texts of the user and the model are short, too.
const MIN_TOOL_TOKENS: f64 = 100.0;

#[derive(Debug, Clone, Copy, PartialEq)]
struct TextLimits {
    /// For a tool result, or the arguments of a call.
    tool_tokens: f64,
    /// For a text that the user or the model wrote.
    text_tokens: f64,
    /// A result's or call's weight times this is its limit, if that is higher.
    tool_tokens_per_weight: f64,
}

impl TextLimits {
    const fn new(tool_tokens: f64, text_tokens: f64) -> Self {
        Self { tool_tokens, text_tokens, tool_tokens_per_weight: 0.0 }
    }

    const fn at_most(self, tokens: f64) -> Self {
        Self::new(self.tool_tokens.min(tokens), self.text_tokens.min(tokens))
    }
}

/// How many times longer the newest long result may be than the oldest, and a failed one than another.
const NEWEST_WEIGHT: f64 = 3.0;
const FAILED_WEIGHT: f64 = 3.0;
/// Arguments tell what was done; a result often only confirms it.
const ARGUMENTS_WEIGHT: f64 = 2.0;
/// When two texts are joined, the tokenizer may count one token more than their sum.
const JOINT_TOKENS: f64 = 2.0;

struct CountedBlock {
    block: Block,
    header: String,
    header_tokens: f64,
    text_tokens: f64,
    /// Its share of the room relative to other texts: the newest and the failed ones get most.
    weight: f64,
}

impl CountedBlock {
    fn new(block: Block, message_count: usize, boundary: &Boundary, model: Model) -> Self {
        let newer_count = message_count.saturating_sub(block.message_number);
        let age = to_f64(newer_count) / to_f64(message_count.max(1));
        let recency = NEWEST_WEIGHT - (NEWEST_WEIGHT - 1.0) * age;
        let failure = if block.has_failed { FAILED_WEIGHT } else { 1.0 };
        let kind = if block.kind == BlockKind::Arguments { ARGUMENTS_WEIGHT } else { 1.0 };
        let header = boundary.header(&block);
        let (header_tokens, text_tokens) = (model.count(&header), model.count(&block.text));
        Self { block, header, header_tokens, text_tokens, weight: recency * failure * kind }
    }

    fn max_text_tokens(&self, limits: TextLimits) -> f64 {
        match self.block.kind {
            BlockKind::Text => limits.text_tokens,
            _ => limits.tool_tokens.max(limits.tool_tokens_per_weight * self.weight),
        }
    }

    fn tokens(&self, limits: TextLimits) -> f64 {
        self.header_tokens + self.text_tokens.min(self.max_text_tokens(limits)) + JOINT_TOKENS
    }
}

#[cfg(test)]
mod tests;
