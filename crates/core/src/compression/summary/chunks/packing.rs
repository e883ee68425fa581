//! Divides a history that is too large for one request into parts, by token counts alone.

use std::ops::Range;

use super::counted::{Caps, CountedMessages, RUNGS};
use super::greatest;

/// A group is divided before its texts are cut to less than this.
const MIN_TOKENS: f64 = 20.0;

pub(super) type ChunkPart = (Range<usize>, Caps);

/// As few parts of at most `room_tokens` as the shortest texts need, with texts as long as that number allows.
/// O(messages × caps).
pub(super) fn pack(history: &CountedMessages, room_tokens: f64) -> Vec<ChunkPart> {
    let whole = Caps::of(f64::INFINITY, f64::INFINITY);
    let packed = [whole].into_iter().chain(RUNGS).map(|caps| pack_with(history, caps, room_tokens));
    // The first of several that are equally few has the longest texts.
    packed.min_by_key(Vec::len).unwrap_or_default()
}

fn pack_with(history: &CountedMessages, caps: Caps, room_tokens: f64) -> Vec<ChunkPart> {
    let mut packing = Packing { parts: Vec::new(), used_tokens: f64::INFINITY, caps, room_tokens };
    for group in &history.groups {
        let tokens = history.tokens(group.clone(), caps);
        if tokens <= room_tokens {
            packing.add(group.clone(), tokens);
        } else if let Some(caps) = level_for(history, group.clone(), caps, room_tokens) {
            packing.add_alone(group.clone(), caps);
        } else {
            // Hundreds of parallel calls: their headers alone fill a part.
            for message in group.clone() {
                let caps = caps.at_most(MIN_TOKENS);
                let tokens = history.tokens(message..message + 1, caps);
                packing.caps = caps;
                packing.add(message..message + 1, tokens);
            }
            packing.caps = caps;
            packing.used_tokens = f64::INFINITY;
        }
    }
    packing.parts
}

struct Packing {
    parts: Vec<ChunkPart>,
    used_tokens: f64,
    caps: Caps,
    room_tokens: f64,
}

impl Packing {
    fn add(&mut self, messages: Range<usize>, tokens: f64) {
        match self.parts.last_mut() {
            Some((range, caps)) if *caps == self.caps && self.used_tokens + tokens <= self.room_tokens => {
                range.end = messages.end;
                self.used_tokens += tokens;
            }
            _ => {
                self.parts.push((messages, self.caps));
                self.used_tokens = tokens;
            }
        }
    }

    fn add_alone(&mut self, messages: Range<usize>, caps: Caps) {
        self.parts.push((messages, caps));
        self.used_tokens = f64::INFINITY;
    }
}

/// The longest texts with which `group` fits.
fn level_for(history: &CountedMessages, group: Range<usize>, caps: Caps, room_tokens: f64) -> Option<Caps> {
    let fits = |level: f64| history.tokens(group.clone(), caps.at_most(level)) <= room_tokens;
    if !fits(MIN_TOKENS) {
        return None;
    }
    let level = greatest(MIN_TOKENS, room_tokens, 1.0, fits);
    Some(caps.at_most(level.floor()))
}
