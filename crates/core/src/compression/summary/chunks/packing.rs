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
