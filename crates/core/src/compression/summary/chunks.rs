//! Decides how much of each message is quoted, and in how many parts, so that every request fits the summary model
//! (R7.5, EDGE 14).
//!
//! Long tool results are shortened first, because the agent's next steps reflect what they said; then all other long
//! texts. If that is not enough, the range is divided, never between a call and its results.

mod counted;

use std::ops::Range;

use crate::compression::message::ChatMessage;
use crate::compression::summary::quote::{Boundary, blocks_of, shortened};
use crate::tokens::models::Model;
use counted::{Caps, CountedMessages, JOINT_TOKENS, RUNGS, SHORTEST_RESULT};

/// Messages to quote, each text counted once.
pub struct QuotedHistory {
    model: Model,
    boundary: Boundary,
    counted: CountedMessages,
}

impl QuotedHistory {
    /// Counts `messages` for `model`. The boundary word occurs neither in them nor in `others`, the other enclosed
    /// texts. O(text).
    pub fn new(messages: &[ChatMessage], others: &[&str], model: Model) -> Self {
        let blocks = blocks_of(messages);
        let texts = blocks.iter().flatten().flat_map(|block| [block.text.as_str(), block.label.as_str()]);
        let boundary = Boundary::outside_of(&texts.chain(others.iter().copied()).collect::<Vec<_>>());
        let counted = CountedMessages::new(messages, blocks, &boundary, model);
        Self { model, boundary, counted }
    }

    pub const fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// All messages in at most `limit_tokens`, with texts as long as possible; `None` if shortening is not enough.
    pub fn whole(&self, limit_tokens: f64) -> Option<String> {
        let all = 0..self.counted.len();
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
        pack(&self.counted, room_tokens).into_iter().map(widened).collect()
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

    /// Shortens results and arguments first, by their weights, then the texts of the user and the model. `None` if
    /// nothing is short enough. O(blocks × log tokens).
    fn widest(&self, messages: Range<usize>, room_tokens: f64) -> Option<Caps> {
        let fits = |caps: Caps| self.counted.tokens(messages.clone(), caps) <= room_tokens;
        let raised = |low: f64, caps: &dyn Fn(f64) -> Caps| {
            let whole = caps(f64::INFINITY);
            if fits(whole) { whole } else { caps(greatest(low, room_tokens, 0.5, |high| fits(caps(high)))) }
        };
        let mut narrow = RUNGS.into_iter().filter(|caps| caps.tools <= SHORTEST_RESULT);
        let rung = narrow.find(|&caps| fits(caps))?;
        let caps = raised(rung.texts, &|texts| Caps { texts, ..rung });
        Some(raised(0.0, &|level| Caps { level, ..caps }))
    }

    fn quoted(&self, messages: Range<usize>, caps: Caps, limit_tokens: f64) -> String {
        let mut quoted = String::new();
        for counted in self.counted.blocks(messages) {
            quoted.push_str(&counted.header);
            let cap = counted.cap(caps);
            let short = (counted.text_tokens > cap)
                .then(|| shortened(&counted.block.text, cap, &self.model))
                .flatten();
            quoted.push_str(short.as_deref().unwrap_or(&counted.block.text));
        }
        quoted.push_str(&self.end());
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

/// A group is divided before its texts are cut to less than this.
const MIN_TOKENS: f64 = 20.0;

type ChunkPart = (Range<usize>, Caps);

/// As few parts of at most `room_tokens` as the shortest texts need, with texts as long as that number allows.
/// O(messages × caps).
fn pack(history: &CountedMessages, room_tokens: f64) -> Vec<ChunkPart> {
    let whole = Caps::new(f64::INFINITY, f64::INFINITY);
    let packed = [whole].into_iter().chain(RUNGS).map(|caps| pack_with(history, caps, room_tokens));
    // The first of several that are equally few has the longest texts.
    packed.min_by_key(Vec::len).unwrap_or_default()
}

fn pack_with(history: &CountedMessages, caps: Caps, room_tokens: f64) -> Vec<ChunkPart> {
    let (mut parts, mut used_tokens) = (Vec::<ChunkPart>::new(), 0.0);
    for (messages, caps) in history.groups.iter().flat_map(|group| fitted(history, group, caps, room_tokens))
    {
        let tokens = history.tokens(messages.clone(), caps);
        match parts.last_mut() {
            Some((range, its_caps)) if *its_caps == caps && used_tokens + tokens <= room_tokens => {
                range.end = messages.end;
                used_tokens += tokens;
            }
            _ => {
                parts.push((messages, caps));
                used_tokens = tokens;
            }
        }
    }
    parts
}

/// A group with the longest texts that fit; its messages one by one if their headers alone fill a part, as those of
/// hundreds of parallel calls do.
fn fitted(history: &CountedMessages, group: &Range<usize>, caps: Caps, room_tokens: f64) -> Vec<ChunkPart> {
    let fits = |caps: Caps| history.tokens(group.clone(), caps) <= room_tokens;
    if fits(caps) {
        vec![(group.clone(), caps)]
    } else if fits(caps.at_most(MIN_TOKENS)) {
        let level = greatest(MIN_TOKENS, room_tokens, 1.0, |level| fits(caps.at_most(level)));
        vec![(group.clone(), caps.at_most(level.floor()))]
    } else {
        group.clone().map(|message| (message..message + 1, caps.at_most(MIN_TOKENS))).collect()
    }
}

#[cfg(test)]
#[path = "chunks_tests.rs"]
mod tests;
