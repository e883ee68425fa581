//! The token counts of quoted messages, how long their texts may be, and which messages stay together.

use std::ops::Range;

use crate::compression::decimal;
use crate::compression::message::ChatMessage;
use crate::compression::plan::turns::Turns;
use crate::compression::summary::quote::{Block, BlockKind, Boundary};
use crate::tokens::models::Model;

/// Length limits in tokens: for tool results and arguments, and for what the user and the model wrote. The first pair
/// that fits is then widened until the room is used up.
pub(super) const RUNGS: [Caps; 10] = [
    Caps::new(2_000.0, f64::INFINITY),
    Caps::new(800.0, f64::INFINITY),
    Caps::new(300.0, f64::INFINITY),
    Caps::new(SHORTEST_RESULT, f64::INFINITY),
    Caps::new(SHORTEST_RESULT, 8_000.0),
    Caps::new(SHORTEST_RESULT, 2_000.0),
    Caps::new(SHORTEST_RESULT, 800.0),
    Caps::new(SHORTEST_RESULT, 300.0),
    Caps::new(60.0, 150.0),
    Caps::new(30.0, 80.0),
];

/// Results and arguments keep this many tokens until the texts of the user and the model are short, too.
pub(super) const SHORTEST_RESULT: f64 = 100.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Caps {
    pub(super) tools: f64,
    pub(super) texts: f64,
    /// Results and arguments may also have this many tokens for each unit of their weight; the higher limit applies.
    pub(super) level: f64,
}

impl Caps {
    pub(super) const fn new(tools: f64, texts: f64) -> Self {
        Self { tools, texts, level: 0.0 }
    }

    pub(super) const fn at_most(self, tokens: f64) -> Self {
        Self::new(self.tools.min(tokens), self.texts.min(tokens))
    }
}

/// How many times longer the newest long result may be than the oldest, and a failed one than another.
const NEWEST_WEIGHT: f64 = 3.0;
const FAILED_WEIGHT: f64 = 3.0;
/// Arguments tell what was done; a result often only confirms it.
const ARGUMENTS_WEIGHT: f64 = 2.0;

/// When two texts are joined, the tokenizer may count one token more than their sum.
pub(super) const JOINT_TOKENS: f64 = 2.0;

pub(super) struct CountedBlock {
    pub(super) block: Block,
    pub(super) header: String,
    header_tokens: f64,
    pub(super) text_tokens: f64,
    weight: f64,
}

impl CountedBlock {
    fn new(block: Block, message_count: usize, boundary: &Boundary, model: Model) -> Self {
        let header = boundary.header(&block);
        let (header_tokens, text_tokens) = (model.count(&header), model.count(&block.text));
        let weight = weight_of(&block, message_count);
        Self { block, header, header_tokens, text_tokens, weight }
    }

    /// The token limit of its text.
    pub(super) fn cap(&self, caps: Caps) -> f64 {
        match self.block.kind {
            BlockKind::Text => caps.texts,
            _ => caps.tools.max(caps.level * self.weight),
        }
    }

    fn tokens(&self, caps: Caps) -> f64 {
        self.header_tokens + self.text_tokens.min(self.cap(caps)) + JOINT_TOKENS
    }
}

/// The newest and the failed texts get the largest shares of the room.
fn weight_of(block: &Block, messages: usize) -> f64 {
    let age = decimal(messages.saturating_sub(block.number)) / decimal(messages.max(1));
    let recency = NEWEST_WEIGHT - (NEWEST_WEIGHT - 1.0) * age;
    let failure = if block.has_failed { FAILED_WEIGHT } else { 1.0 };
    let kind = if block.kind == BlockKind::Arguments { ARGUMENTS_WEIGHT } else { 1.0 };
    recency * failure * kind
}

/// The messages of a history as blocks with their token counts.
pub(super) struct CountedMessages {
    by_message: Vec<Vec<CountedBlock>>,
    /// Messages that stay together (a call with all its results), in order and without gaps.
    pub(super) groups: Vec<Range<usize>>,
}

impl CountedMessages {
    /// Counts each text once. O(text).
    pub(super) fn new(
        messages: &[ChatMessage],
        blocks: Vec<Vec<Block>>,
        boundary: &Boundary,
        model: Model,
    ) -> Self {
        let counted = |block: Block| CountedBlock::new(block, messages.len(), boundary, model);
        let by_message = blocks.into_iter().map(|blocks| blocks.into_iter().map(counted).collect());
        Self { by_message: by_message.collect(), groups: groups_of(messages) }
    }

    pub(super) fn len(&self) -> usize {
        self.by_message.len()
    }

    pub(super) fn blocks(&self, messages: Range<usize>) -> impl Iterator<Item = &CountedBlock> {
        self.by_message.get(messages).unwrap_or_default().iter().flatten()
    }

    pub(super) fn tokens(&self, messages: Range<usize>, caps: Caps) -> f64 {
        self.blocks(messages).map(|block| block.tokens(caps)).sum()
    }
}

/// Ranges that end where the messages may be divided.
fn groups_of(messages: &[ChatMessage]) -> Vec<Range<usize>> {
    let turns = Turns::new(messages);
    let mut start = 0;
    let ends = (1..=messages.len()).filter(|&end| end == messages.len() || turns.is_boundary(end));
    ends.map(|end| std::mem::replace(&mut start, end)..end).collect()
}
