//! Counts the tokens of quoted messages within given limits, and decides which messages stay together.

use std::ops::Range;

use crate::compression::message::ChatMessage;
use crate::compression::plan::turns::Turns;
use crate::compression::summary::quote::{Block, BlockKind, Boundary};
use crate::compression::to_f64;
use crate::tokens::models::Model;

/// Limits from the largest to the smallest: the first that fit are then raised until the room is used up.
pub(super) const LIMIT_STEPS: [TextLimits; 10] = [
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
pub(super) const MIN_TOOL_TOKENS: f64 = 100.0;

/// How many tokens each quoted text may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextLimits {
    /// For a tool result, or the arguments of a call.
    pub tool_tokens: f64,
    /// For a text that the user or the model wrote.
    pub text_tokens: f64,
    /// A result's or call's weight times this is its limit, if that is higher.
    pub tool_tokens_per_weight: f64,
}

impl TextLimits {
    pub const fn new(tool_tokens: f64, text_tokens: f64) -> Self {
        Self { tool_tokens, text_tokens, tool_tokens_per_weight: 0.0 }
    }

    pub const fn at_most(self, tokens: f64) -> Self {
        Self::new(self.tool_tokens.min(tokens), self.text_tokens.min(tokens))
    }
}

/// How many times longer the newest long result may be than the oldest, and a failed one than another.
const NEWEST_WEIGHT: f64 = 3.0;
const FAILED_WEIGHT: f64 = 3.0;
/// Arguments tell what was done; a result often only confirms it.
const ARGUMENTS_WEIGHT: f64 = 2.0;

/// When two texts are joined, the tokenizer may count one token more than their sum.
pub(super) const JOINT_TOKENS: f64 = 2.0;

/// A quoted text with its counted tokens.
pub(super) struct CountedBlock {
    pub block: Block,
    pub header: String,
    header_tokens: f64,
    pub text_tokens: f64,
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

    pub fn max_text_tokens(&self, limits: TextLimits) -> f64 {
        match self.block.kind {
            BlockKind::Text => limits.text_tokens,
            _ => limits.tool_tokens.max(limits.tool_tokens_per_weight * self.weight),
        }
    }

    fn tokens(&self, limits: TextLimits) -> f64 {
        self.header_tokens + self.text_tokens.min(self.max_text_tokens(limits)) + JOINT_TOKENS
    }
}

/// The messages of a history as blocks with their token counts.
pub(super) struct CountedMessages {
    blocks_by_message: Vec<Vec<CountedBlock>>,
    /// Messages that stay together (a call with all its results), in order and without gaps.
    pub groups: Vec<Range<usize>>,
}

impl CountedMessages {
    /// Counts each text once. O(text).
    pub fn new(messages: &[ChatMessage], blocks: Vec<Vec<Block>>, boundary: &Boundary, model: Model) -> Self {
        let counted = |block: Block| CountedBlock::new(block, messages.len(), boundary, model);
        let blocks_by_message = blocks.into_iter().map(|blocks| blocks.into_iter().map(counted).collect());
        let turns = Turns::new(messages);
        let ends = (1..=messages.len()).filter(|&end| end == messages.len() || turns.is_boundary(end));
        let mut start = 0;
        let groups = ends.map(|end| std::mem::replace(&mut start, end)..end).collect();
        Self { blocks_by_message: blocks_by_message.collect(), groups }
    }

    pub fn len(&self) -> usize {
        self.blocks_by_message.len()
    }

    pub fn blocks(&self, messages: Range<usize>) -> impl Iterator<Item = &CountedBlock> {
        self.blocks_by_message.get(messages).unwrap_or_default().iter().flatten()
    }

    /// The tokens of these messages as quoted within `limits`.
    pub fn tokens(&self, messages: Range<usize>, limits: TextLimits) -> f64 {
        self.blocks(messages).map(|block| block.tokens(limits)).sum()
    }
}
