//! Decides how much of each message is quoted, and in how many parts, so that every request fits the summary model
//! (R7.5, EDGE 14).
//!
//! Long tool results are shortened first, because the agent's next steps reflect what they said; then all other long
//! texts. If that is not enough, the range is divided, never between a call and its results.

mod packing;

use std::ops::Range;

use crate::compression::decimal;
use crate::compression::message::ChatMessage;
use crate::compression::plan::pairs::Pairs;
use crate::compression::summary::quote::{Block, BlockKind, Boundary, blocks_of, shortened};
use crate::tokens::models::Model;
use packing::pack;

/// Length limits in tokens: for tool results and arguments, and for what the user and the model wrote. The first pair
/// that fits is then widened until the room is used up.
const RUNGS: [Caps; 10] = [
    Caps::of(2_000.0, f64::INFINITY),
    Caps::of(800.0, f64::INFINITY),
    Caps::of(300.0, f64::INFINITY),
    Caps::of(SHORTEST_RESULT, f64::INFINITY),
    Caps::of(SHORTEST_RESULT, 8_000.0),
    Caps::of(SHORTEST_RESULT, 2_000.0),
    Caps::of(SHORTEST_RESULT, 800.0),
    Caps::of(SHORTEST_RESULT, 300.0),
    Caps::of(60.0, 150.0),
    Caps::of(30.0, 80.0),
];

/// Results and arguments keep this many tokens until the texts of the user and the model are short, too.
const SHORTEST_RESULT: f64 = 100.0;

/// How many times longer the newest long result may be than the oldest, and a failed one than another.
const NEWEST_WEIGHT: f64 = 3.0;
const FAILED_WEIGHT: f64 = 3.0;
/// Arguments tell what was done; a result often only confirms it.
const ARGUMENTS_WEIGHT: f64 = 2.0;

/// When two texts are joined, the tokenizer may count one token more than their sum.
const JOINT_TOKENS: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Caps {
    tools: f64,
    said: f64,
    /// Results and arguments may also have this many tokens for each unit of their weight; the higher limit applies.
    level: f64,
}

impl Caps {
    const fn of(tools: f64, said: f64) -> Self {
        Self { tools, said, level: 0.0 }
    }

    const fn at_most(self, tokens: f64) -> Self {
        Self::of(self.tools.min(tokens), self.said.min(tokens))
    }

    fn for_block(self, counted: &CountedBlock) -> f64 {
        match counted.block.kind {
            BlockKind::Text => self.said,
            _ => self.tools.max(self.level * counted.weight),
        }
    }
}

struct CountedBlock {
    block: Block,
    header: String,
    header_tokens: f64,
    text_tokens: f64,
    weight: f64,
}

impl CountedBlock {
    fn tokens(&self, caps: Caps) -> f64 {
        self.header_tokens + self.text_tokens.min(caps.for_block(self)) + JOINT_TOKENS
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

/// Messages to quote, each text counted once.
pub struct QuotedHistory {
    model: Model,
    boundary: Boundary,
    messages: Vec<Vec<CountedBlock>>,
    /// Messages that stay together (a call with all its results), in order and without gaps.
    groups: Vec<Range<usize>>,
}

impl QuotedHistory {
    /// Counts `messages` for `model`. The boundary word occurs neither in them nor in `others`, the other enclosed
    /// texts. O(text).
    pub fn of(messages: &[ChatMessage], others: &[&str], model: Model) -> Self {
        let blocks = blocks_of(messages);
        let texts = blocks.iter().flatten().flat_map(|block| [block.text.as_str(), block.label.as_str()]);
        let boundary = Boundary::outside_of(&texts.chain(others.iter().copied()).collect::<Vec<_>>());
        let counted = |block: Block| {
            let header = boundary.header(&block);
            let (header_tokens, text_tokens) = (model.count(&header), model.count(&block.text));
            let weight = weight_of(&block, messages.len());
            CountedBlock { block, header, header_tokens, text_tokens, weight }
        };
        let messages_counted = blocks.into_iter().map(|blocks| blocks.into_iter().map(counted).collect());
        Self { model, messages: messages_counted.collect(), groups: groups_of(messages), boundary }
    }

    pub const fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// All messages in at most `limit_tokens`, with texts as long as possible; `None` if shortening is not enough.
    pub fn whole(&self, limit_tokens: f64) -> Option<String> {
        let all = 0..self.messages.len();
        let caps = self.widest(all.clone(), limit_tokens - self.end_tokens())?;
        Some(self.quoted(all, caps, limit_tokens))
    }

    /// As few parts of at most `part_tokens` as possible, in order, with texts as long as that number allows. A text
    /// that can't be shortened enough loses its middle.
    pub fn parts(&self, part_tokens: f64) -> Vec<String> {
        let room_tokens = part_tokens - self.end_tokens();
        let widened = |(range, caps): (Range<usize>, Caps)| {
            let caps = self.widest(range.clone(), room_tokens).unwrap_or(caps);
            self.quoted(range, caps, part_tokens)
        };
        pack(self, room_tokens).into_iter().map(widened).collect()
    }

    /// `quoted` cut to `limit_tokens`, including the line that ends a quotation.
    pub fn cut(&self, quoted: &str, limit_tokens: f64) -> String {
        if self.model.fits(quoted, limit_tokens) {
            return quoted.to_owned();
        }
        let end = self.end();
        let body = quoted.strip_suffix(&end).unwrap_or(quoted);
        let mut room = limit_tokens - self.model.count(&end);
        loop {
            let body = shortened(body, room.max(0.0), &self.model).unwrap_or_else(|| body.to_owned());
            let quoted = [self.without_torn_headers(&body).as_str(), &end].concat();
            if room <= 0.0 || self.model.fits(&quoted, limit_tokens) {
                return quoted;
            }
            room -= JOINT_TOKENS;
        }
    }

    /// A cut may split a header: drops lines that contain the boundary word but don't begin with it.
    fn without_torn_headers(&self, body: &str) -> String {
        let word = self.boundary.word();
        let start = format!("[{word}");
        let lines =
            body.split_inclusive('\n').filter(|line| line.starts_with(&start) || !line.contains(word));
        lines.collect()
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

    /// Shortens results and arguments first, by their weights, then the texts of the user and the model. `None` if
    /// nothing is short enough. O(blocks × log tokens).
    fn widest(&self, messages: Range<usize>, room_tokens: f64) -> Option<Caps> {
        let fits = |caps: Caps| self.tokens(messages.clone(), caps) <= room_tokens;
        let narrow = RUNGS.iter().filter(|caps| caps.tools <= SHORTEST_RESULT);
        let rung = *narrow.clone().find(|&&caps| fits(caps))?;
        let caps = raised(rung.said, room_tokens, &fits, &|said| Caps { said, ..rung });
        Some(raised(0.0, room_tokens, &fits, &|level| Caps { level, ..caps }))
    }

    fn quoted(&self, messages: Range<usize>, caps: Caps, limit_tokens: f64) -> String {
        let mut quoted = String::new();
        for counted in self.messages.get(messages).into_iter().flatten().flatten() {
            quoted.push_str(&counted.header);
            let cap = caps.for_block(counted);
            let short = (counted.text_tokens > cap)
                .then(|| shortened(&counted.block.text, cap, &self.model))
                .flatten();
            quoted.push_str(short.as_deref().unwrap_or(&counted.block.text));
        }
        quoted.push_str(&self.end());
        self.cut(quoted.trim_start(), limit_tokens)
    }
}

/// The caps of the highest number from `low` on that fit; the caller knows that those of `low` fit.
fn raised(low: f64, room_tokens: f64, fits: &dyn Fn(Caps) -> bool, caps: &dyn Fn(f64) -> Caps) -> Caps {
    if fits(caps(f64::INFINITY)) {
        return caps(f64::INFINITY);
    }
    let (mut low, mut high) = (low, room_tokens.max(low));
    while high - low > 0.5 {
        let middle = f64::midpoint(low, high);
        if fits(caps(middle)) { low = middle } else { high = middle }
    }
    caps(low)
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

#[cfg(test)]
#[path = "chunks_tests.rs"]
mod tests;
