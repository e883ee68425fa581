//! Decides what to cut out when a conversation is above the hard limit (SPEC R7.11, REQ-3.4). It only counts; that
//! is what makes it the fallback that can't fail.

use std::ops::Range;

use self::layout::{Layout, Room, Stays};
pub use self::notice::{Dropped, notice};
pub use self::shorten::Shorten;
use super::message::Message;

mod layout;
pub mod notice;
mod shorten;

/// Where something must be cut, it is cut to this share of the limit, so that the next turn need not cut again.
const AIM: f64 = 0.9;
/// Earlier groups stay beside a newest one that must be shortened while they take no more of the room than this.
const SHARE_OF_EARLIER: f64 = 0.5;

/// What to cut. Apply it all at once: every index counts messages of the array that was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Messages to take out, ascending; earlier notices are among them. Empty when shortening is enough.
    pub dropped: Vec<Range<usize>>,
    /// The notice goes before this message, or to the end. `None` when nothing is dropped.
    pub notice_at: Option<usize>,
    /// Messages that stay and whose texts are cut short, ascending.
    pub shorten: Vec<Shorten>,
    /// What is left if all comes out as planned, notice and fixed tokens included. Count again, and ask again
    /// where it is more than the limit: each answer asks for less.
    pub tokens_after: f64,
}

/// What can't be cut is too large by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CannotFit {
    /// The leading system messages and the fixed tokens.
    pub system_tokens: f64,
    /// What they would have to be under, together with the notice.
    pub limit_tokens: f64,
}

/// What to cut so that the conversation is at most `limit_tokens`.
///
/// The leading system messages stay; then, while they fit, what is pinned and the newest summary, whose memory is
/// what keeps the task; then the newest groups (a call with all its results) up to `keep_recent` messages. Where
/// not even the newest group fits, its largest tool results are shortened, then its other texts. Where that is not
/// enough the group goes, then what is pinned, then the summary. Pairs and turns are never parted, as in
/// [`super::plan`]. `fixed_tokens` is what a request takes besides its messages, `notice_tokens` what the notice
/// will take as a message. O(n log n).
///
/// # Errors
/// When the system messages and a notice alone are too large.
pub fn cut(
    messages: &[Message],
    fixed_tokens: f64,
    limit_tokens: f64,
    keep_recent: usize,
    notice_tokens: f64,
) -> Result<Cut, CannotFit> {
    let room = Room::new(messages, fixed_tokens, notice_tokens);
    if room.total_tokens <= limit_tokens {
        let tokens_after = room.total_tokens;
        return Ok(Cut { dropped: Vec::new(), notice_at: None, shorten: Vec::new(), tokens_after });
    }
    let limits = Limits { limit_tokens, aim_tokens: AIM * limit_tokens };
    let places = room.places(keep_recent);
    for stays in [Stays::PinnedAndSummary, Stays::Summary, Stays::System] {
        let layout = Layout::new(&room, stays);
        let found = with_whole_groups(&layout, &places, limits)
            .or_else(|| with_shortened_group(&layout, &places, limits))
            .or_else(|| without_groups(&layout, messages.len(), limits));
        if let Some(cut) = found {
            return Ok(cut);
        }
    }
    Err(CannotFit { system_tokens: room.system_tokens(), limit_tokens })
}

#[derive(Debug, Clone, Copy)]
struct Limits {
    limit_tokens: f64,
    aim_tokens: f64,
}

/// As many of the newest groups as fit; more than is aimed at only when there is no other way to keep any.
fn with_whole_groups(layout: &Layout<'_>, places: &[usize], limits: Limits) -> Option<Cut> {
    let fits = |tokens: f64| places.iter().copied().find(|&place| layout.tokens_at(place) <= tokens);
    let place = fits(limits.aim_tokens).or_else(|| {
        places.iter().rev().copied().find(|&place| layout.tokens_at(place) <= limits.limit_tokens)
    })?;
    Some(layout.cut_at(place, Vec::new()))
}

/// The newest group cut short, and before it those that leave it half of the room.
fn with_shortened_group(layout: &Layout<'_>, places: &[usize], limits: Limits) -> Option<Cut> {
    let &newest = places.last()?;
    let leaves_room = |&place: &usize| {
        layout.tokens_at(place) - layout.tokens_from(newest) <= SHARE_OF_EARLIER * limits.aim_tokens
    };
    let wished = places.iter().copied().find(leaves_room).filter(|&place| place != newest);
    wished.into_iter().chain([newest]).find_map(|place| {
        let tokens = layout.tokens_at(place);
        let texts = layout.texts_to_shorten(place, newest);
        let shorten = shorten::shorten(&texts, tokens - limits.aim_tokens, tokens - limits.limit_tokens)?;
        Some(layout.cut_at(place, shorten))
    })
}

/// Nothing but what stays anyway, and the notice.
fn without_groups(layout: &Layout<'_>, end: usize, limits: Limits) -> Option<Cut> {
    (layout.tokens_at(end) <= limits.limit_tokens).then(|| layout.cut_at(end, Vec::new()))
}

#[cfg(test)]
#[path = "hard_limit_tests.rs"]
mod tests;

#[cfg(test)]
mod property_tests;
