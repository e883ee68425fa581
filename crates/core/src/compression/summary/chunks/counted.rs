//! The token counts of quoted messages, and which messages stay together.

use std::ops::Range;

use super::caps::Caps;
use crate::compression::decimal;
use crate::compression::message::ChatMessage;
use crate::compression::plan::pairs::Pairs;
use crate::compression::summary::quote::{Block, BlockKind, Boundary};
use crate::tokens::models::Model;

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
    fn of(block: Block, message_count: usize, boundary: &Boundary, model: Model) -> Self {
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
    pub(super) fn of(
        messages: &[ChatMessage],
        blocks: Vec<Vec<Block>>,
        boundary: &Boundary,
        model: Model,
    ) -> Self {
        let counted = |block: Block| CountedBlock::of(block, messages.len(), boundary, model);
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

fn groups_of(messages: &[ChatMessage]) -> Vec<Range<usize>> {
    let pairs = Pairs::of(messages);
    let mut tied_to: Vec<usize> = (0..messages.len()).collect();
    for index in 0..messages.len() {
        for place in pairs.calls_answered_by(index) {
            let (first, last) = (place.message.min(index), place.message.max(index));
            if let Some(tied) = tied_to.get_mut(first) {
                *tied = last.max(*tied);
            }
        }
    }
    let (mut groups, mut start, mut end) = (Vec::new(), 0, 0);
    for (index, tied) in tied_to.into_iter().enumerate() {
        end = end.max(tied);
        if end == index {
            groups.push(start..index + 1);
            start = index + 1;
        }
    }
    groups
}
