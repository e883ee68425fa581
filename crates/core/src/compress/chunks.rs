//! Decides how much of each message is quoted, and in how many parts, so that every request fits the model that
//! summarises (SPEC R7.5, EDGE 14).
//!
//! Long tool results are shortened first: what they said is in what the agent did next. Then everything else that
//! is long. What is still too much is divided where no call is parted from its results.

mod packing;

use std::ops::Range;

use super::message::Message;
use super::pairs::Pairs;
use super::quote::{Block, BlockKind, Boundary, blocks_of, shortened};
use crate::tokens::models::Model;
use packing::pack;

/// How long a tool result and any other text may be, in tokens; tried in turn.
const CAPS: [Caps; 11] = [
    Caps::of(f64::INFINITY, f64::INFINITY),
    Caps::of(2_000.0, f64::INFINITY),
    Caps::of(800.0, f64::INFINITY),
    Caps::of(300.0, f64::INFINITY),
    Caps::of(100.0, f64::INFINITY),
    Caps::of(100.0, 8_000.0),
    Caps::of(100.0, 2_000.0),
    Caps::of(100.0, 800.0),
    Caps::of(100.0, 300.0),
    Caps::of(60.0, 150.0),
    Caps::of(30.0, 80.0),
];

/// Where two texts meet, a token more than their sum may appear.
const JOINT_TOKENS: f64 = 2.0;

/// The most tokens of each kind of text.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Caps {
    result_tokens: f64,
    other_tokens: f64,
}

impl Caps {
    const fn of(result_tokens: f64, other_tokens: f64) -> Self {
        Self { result_tokens, other_tokens }
    }

    const fn at_most(self, tokens: f64) -> Self {
        Self::of(self.result_tokens.min(tokens), self.other_tokens.min(tokens))
    }

    fn of_kind(self, kind: BlockKind) -> f64 {
        if kind == BlockKind::ToolResult { self.result_tokens } else { self.other_tokens }
    }
}

/// A block with what it costs.
struct Counted {
    block: Block,
    header: String,
    header_tokens: f64,
    text_tokens: f64,
}

impl Counted {
    fn tokens(&self, caps: Caps) -> f64 {
        self.header_tokens + self.text_tokens.min(caps.of_kind(self.block.kind)) + JOINT_TOKENS
    }
}

/// Messages that are to be quoted, counted once.
pub struct History {
    model: Model,
    boundary: Boundary,
    /// The blocks of each message.
    messages: Vec<Vec<Counted>>,
    /// Messages that stay together: a call with all its results. In order, without gaps.
    groups: Vec<Range<usize>>,
}

impl History {
    /// Counts `messages` for `model`. `others` are texts that are enclosed beside them: the boundary keeps out of
    /// those too. O(text).
    #[must_use]
    pub fn of(messages: &[Message], others: &[&str], model: Model) -> Self {
        let blocks = blocks_of(messages);
        let texts = blocks.iter().flatten().flat_map(|block| [block.text.as_str(), block.label.as_str()]);
        let boundary = Boundary::outside_of(&texts.chain(others.iter().copied()).collect::<Vec<_>>());
        let counted = |block: Block| {
            let header = boundary.header(&block);
            let (header_tokens, text_tokens) = (model.count(&header), model.count(&block.text));
            Counted { block, header, header_tokens, text_tokens }
        };
        let messages_counted = blocks.into_iter().map(|blocks| blocks.into_iter().map(counted).collect());
        Self { model, messages: messages_counted.collect(), groups: groups_of(messages), boundary }
    }

    /// What encloses the quotation.
    #[must_use]
    pub const fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// All of it in at most `limit_tokens`, by count, with texts as long as possible; `None` when shortening them is
    /// not enough.
    #[must_use]
    pub fn whole(&self, limit_tokens: f64) -> Option<String> {
        let all = 0..self.messages.len();
        let room_tokens = limit_tokens - self.end_tokens();
        let caps = CAPS.iter().find(|&&caps| self.tokens(all.clone(), caps) <= room_tokens)?;
        Some(self.quoted(all, *caps, limit_tokens))
    }

    /// In parts of at most `part_tokens` each, by count, in order; as few as possible, and with texts as long as
    /// that number allows. What can't be shortened enough loses its middle.
    #[must_use]
    pub fn parts(&self, part_tokens: f64) -> Vec<String> {
        let parts = pack(self, part_tokens - self.end_tokens());
        parts.into_iter().map(|(range, caps)| self.quoted(range, caps, part_tokens)).collect()
    }

    /// `quoted` cut down to `limit_tokens`; what is left is still closed.
    #[must_use]
    pub fn cut(&self, quoted: &str, limit_tokens: f64) -> String {
        if self.model.fits(quoted, limit_tokens) {
            return quoted.to_owned();
        }
        let end = self.end();
        let body = quoted.strip_suffix(&end).unwrap_or(quoted);
        let mut room = limit_tokens - self.model.count(&end);
        loop {
            let body = shortened(body, room.max(0.0), &self.model).unwrap_or_else(|| body.to_owned());
            let quoted = [body.as_str(), &end].concat();
            if room <= 0.0 || self.model.fits(&quoted, limit_tokens) {
                return quoted;
            }
            room -= JOINT_TOKENS;
        }
    }

    fn end(&self) -> String {
        format!("\n[{} end]", self.boundary.word())
    }

    fn end_tokens(&self) -> f64 {
        self.model.count(&self.end()) + 2.0 * JOINT_TOKENS
    }

    fn tokens(&self, messages: Range<usize>, caps: Caps) -> f64 {
        let messages = self.messages.get(messages).unwrap_or_default();
        messages.iter().flatten().map(|block| block.tokens(caps)).sum()
    }

    fn quoted(&self, messages: Range<usize>, caps: Caps, limit_tokens: f64) -> String {
        let mut quoted = String::new();
        for counted in self.messages.get(messages).into_iter().flatten().flatten() {
            quoted.push_str(&counted.header);
            let cap = caps.of_kind(counted.block.kind);
            let short = (counted.text_tokens > cap)
                .then(|| shortened(&counted.block.text, cap, &self.model))
                .flatten();
            quoted.push_str(short.as_deref().unwrap_or(&counted.block.text));
        }
        quoted.push_str(&self.end());
        self.cut(quoted.trim_start(), limit_tokens)
    }
}

/// Cuts between messages where every call before has its results before.
fn groups_of(messages: &[Message]) -> Vec<Range<usize>> {
    let pairs = Pairs::of(messages);
    // For each message, the last one that a pair ties it to.
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

#[cfg(test)]
#[path = "chunks_tests.rs"]
mod tests;
