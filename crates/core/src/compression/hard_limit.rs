//! Decides what to cut when a conversation is above the hard limit (R7.11, REQ-3.4). It only counts tokens and asks no
//! model, so it can't fail as a model call can.
//!
//! Messages are cut in this order:
//! 1. whole turns before the current one, oldest first;
//! 2. results of the current turn are shortened, largest first;
//! 3. the oldest call-and-result rounds of the current turn;
//! 4. pinned messages, then the summary, then the longer form of the notice;
//! 5. the newest round.
//!
//! The current request stays whole as long as it fits; if only a removed summary contained it, the notice quotes it. A
//! call in flight is never cut.

use self::cut_input::CutInput;
pub use self::layout::HistoryCut;
use self::layout::{CutLayout, KeptMessages};
pub use self::notice::{Dropped, notice};
pub use self::shorten::Shorten;
use self::shorten::{Class, Text};
use crate::compression::message::ChatMessage;

mod cut_input;
mod layout;
pub mod notice;
pub mod parts;
mod shorten;
pub mod truncation;

/// A cut aims at this share of the limit, so that the next turn needs no further cut.
const AIM: f64 = 0.9;
/// More than `keep_recent` messages of the current turn stay while the total is below this share of the limit.
const LONG_TURN_AIM: f64 = 0.75;
/// When the current turn is shortened, earlier turns stay while they take at most this share of the aim.
const SHARE_OF_EARLIER_TURNS: f64 = 0.1;
/// To keep earlier rounds, the newest round's results are shortened to this share of the aim, but no further.
const SHARE_OF_NEWEST: f64 = 0.5;
/// A result is not cut below this share of the limit, within these bounds: a shorter one tells the model nothing.
const FLOOR_SHARE: f64 = 0.02;
const FLOOR_TOKENS: (f64, f64) = (40.0, 200.0);
/// The floor for results that would otherwise be removed.
const MIN_FLOOR_TOKENS: f64 = 16.0;

/// Error: the messages that must stay are larger than the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CannotFit {
    /// Leading system messages plus the fixed tokens.
    pub system_tokens: f64,
    pub pending_tokens: f64,
    /// The limit for both and the notice.
    pub limit_tokens: f64,
}

/// The most tokens that each form of the notice takes as a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoticeTokens {
    pub full: f64,
    /// The form that says only how much was removed.
    pub short: f64,
    /// Additional tokens to quote the current request if only a removed summary contains it; 0 if a message holds it.
    pub request: f64,
}

/// Up to `keep_recent` of the newest messages stay, and more of the current turn if there is room. Pairs and turns are never
/// split, as in [`crate::compression::plan`]. `fixed_tokens` is what a request takes in addition to its messages. O(n log n).
///
/// # Errors
/// When the system messages, calls in flight and a short notice alone are above the limit.
pub fn cut(
    messages: &[ChatMessage],
    fixed_tokens: f64,
    limit_tokens: f64,
    keep_recent: usize,
    notice: NoticeTokens,
) -> Result<HistoryCut, CannotFit> {
    let full = CutInput::new(messages, fixed_tokens, notice.full);
    if full.total_tokens <= limit_tokens {
        return Ok(HistoryCut {
            dropped: Vec::new(),
            notice_at: None,
            is_notice_short: false,
            shorten: Vec::new(),
            tokens_after: full.total_tokens,
        });
    }
    let short = CutInput::new(messages, fixed_tokens, notice.short);
    // A request in the same message as tool results needs their calls too, which may be too large.
    let without_request = CutInput::without_request(messages, fixed_tokens, notice.short);
    let last_resort = if short.is_request_with_results() { 6 } else { 4 };
    let methods: [(&CutInput<'_>, CutMethod); 6] = [
        (&full, with_newest_round),
        (&short, with_newest_round),
        (&short, without_newest_round),
        (&short, with_shortened_request),
        (&without_request, with_newest_round),
        (&without_request, without_newest_round),
    ];
    let limits = Limits::new(limit_tokens, keep_recent);
    for (input, method) in methods.into_iter().take(last_resort) {
        for kept in [KeptMessages::PinnedAndSummary, KeptMessages::Summary, KeptMessages::System] {
            if let Some(cut) = method(input, &CutLayout::new(input, kept, notice.request), limits) {
                return Ok(HistoryCut { is_notice_short: !std::ptr::eq(input, &raw const full), ..cut });
            }
        }
    }
    let (system_tokens, pending_tokens) = (short.system_tokens(), short.pending_tokens());
    Err(CannotFit { system_tokens, pending_tokens, limit_tokens })
}

type CutMethod = fn(&CutInput<'_>, &CutLayout<'_>, Limits) -> Option<HistoryCut>;

#[derive(Debug, Clone, Copy)]
struct Limits {
    limit_tokens: f64,
    aim_tokens: f64,
    floor_tokens: f64,
    keep_recent: usize,
}

impl Limits {
    fn new(limit_tokens: f64, keep_recent: usize) -> Self {
        let (least, most) = FLOOR_TOKENS;
        let floor_tokens = (FLOOR_SHARE * limit_tokens).clamp(least, most);
        Self { limit_tokens, aim_tokens: AIM * limit_tokens, floor_tokens, keep_recent }
    }
}

fn with_newest_round(input: &CutInput<'_>, layout: &CutLayout<'_>, limits: Limits) -> Option<HistoryCut> {
    let places = input.places(limits.keep_recent);
    let &newest = places.last()?;
    without_older_turns(input, layout, &places, limits)
        .or_else(|| with_shortened_turn(input, layout, &places, limits))
        .or_else(|| with_round_of(layout, newest, limits))
}

/// Keeps as many messages before the current turn as fit.
fn without_older_turns(
    input: &CutInput<'_>,
    layout: &CutLayout<'_>,
    places: &[usize],
    limits: Limits,
) -> Option<HistoryCut> {
    let (first, last) = (input.newest(limits.keep_recent), input.turn_start());
    let mut wished = places.iter().copied().filter(|&place| place >= first && place <= last);
    let place = wished.find(|&place| layout.tokens_at(place) <= limits.aim_tokens)?;
    Some(layout.cut_at(place, Vec::new()))
}

/// Keeps as many rounds of the current turn as fit after their results are shortened.
fn with_shortened_turn(
    input: &CutInput<'_>,
    layout: &CutLayout<'_>,
    places: &[usize],
    limits: Limits,
) -> Option<HistoryCut> {
    let &newest = places.last()?;
    let (recent, turn) = (input.newest(limits.keep_recent), input.turn_start());
    let saved = Saved::of(input, newest, limits);
    let keeps_more = |&place: &usize| layout.tokens_at(place) > layout.tokens_at(newest);
    places.iter().copied().filter(keeps_more).find_map(|place| {
        let earlier = if place < turn { layout.tokens_from(place) - layout.tokens_from(turn) } else { 0.0 };
        let aim = if place < recent { LONG_TURN_AIM * limits.limit_tokens } else { limits.aim_tokens };
        let least = layout.tokens_at(place) - saved.from(place);
        if earlier > SHARE_OF_EARLIER_TURNS * limits.aim_tokens || least > aim {
            return None;
        }
        let (older, results) = results_of(layout, place, newest);
        let classes = [
            Class { floor: saved.newest_floor, ..class(results) },
            Class { floor: limits.floor_tokens, ..class(older) },
        ];
        let tokens = layout.tokens_at(place);
        let shorten = shorten::shorten(&classes, tokens - aim, tokens - aim)?;
        Some(layout.cut_at(place, shorten))
    })
}

/// Keeps only the newest round of the turn, shortened as far as necessary.
fn with_round_of(layout: &CutLayout<'_>, newest: usize, limits: Limits) -> Option<HistoryCut> {
    let tokens = layout.tokens_at(newest);
    let (over_aim, over_limit) = (tokens - limits.aim_tokens, tokens - limits.limit_tokens);
    [limits.floor_tokens, MIN_FLOOR_TOKENS].into_iter().find_map(|floor| {
        let classes = classes_of(layout, newest, newest, floor);
        // Exceeding the aim is better than shortening the newest result.
        let aim = if over_limit <= 0.0 { over_limit } else { over_aim };
        let shorten = shorten::shorten(&classes, aim, over_limit)?;
        Some(layout.cut_at(newest, shorten))
    })
}

/// Keeps only the protected messages and the notice.
fn without_newest_round(input: &CutInput<'_>, layout: &CutLayout<'_>, limits: Limits) -> Option<HistoryCut> {
    let (end, tokens) = (input.len(), layout.tokens_at(input.len()));
    let (over_aim, over_limit) = (tokens - limits.aim_tokens, tokens - limits.limit_tokens);
    let classes = classes_of(layout, end, end, MIN_FLOOR_TOKENS);
    let aim = if over_limit <= 0.0 { over_limit } else { over_aim };
    Some(layout.cut_at(end, shorten::shorten(&classes, aim, over_limit)?))
}

/// Shortens a request that is too large by itself. The newest round stays if the request can keep half of the limit.
fn with_shortened_request(
    input: &CutInput<'_>,
    layout: &CutLayout<'_>,
    limits: Limits,
) -> Option<HistoryCut> {
    let request = input.whole_request()?;
    let newest = input.places(limits.keep_recent).last().copied().unwrap_or(input.len());
    let half = SHARE_OF_NEWEST * limits.limit_tokens;
    [(newest, half), (input.len(), limits.floor_tokens)].into_iter().find_map(|(place, floor)| {
        let mut classes = classes_of(layout, place, place, MIN_FLOOR_TOKENS);
        for class in &mut classes {
            class.texts.retain(|text| text.index != request.index);
        }
        classes.push(Class { texts: vec![request], floor, is_last_resort: true });
        let tokens = layout.tokens_at(place);
        let shorten = shorten::shorten(&classes, tokens - limits.aim_tokens, tokens - limits.limit_tokens)?;
        Some(layout.cut_at(place, shorten))
    })
}

/// The order in which texts are shortened: results of earlier rounds, results of the newest round, other texts of both,
/// texts in messages with thinking.
fn classes_of(layout: &CutLayout<'_>, place: usize, newest: usize, floor: f64) -> Vec<Class> {
    let texts = layout.texts_to_shorten(place);
    let (results, others): (Vec<Text>, Vec<Text>) = texts.into_iter().partition(|text| text.is_result);
    let (with_thinking, others): (Vec<Text>, Vec<Text>) =
        others.into_iter().partition(|text| text.has_thinking);
    let class_of = |texts: &[Text], is_newest: bool, is_last_resort: bool| Class {
        texts: texts.iter().copied().filter(|text| (text.index >= newest) == is_newest).collect(),
        floor,
        is_last_resort,
    };
    vec![
        class_of(&results, false, false),
        class_of(&results, true, false),
        class_of(&others, false, true),
        class_of(&others, true, true),
        Class { texts: with_thinking, floor, is_last_resort: true },
    ]
}

fn results_of(layout: &CutLayout<'_>, place: usize, newest: usize) -> (Vec<Text>, Vec<Text>) {
    let results = layout.texts_to_shorten(place).into_iter().filter(|text| text.is_result);
    results.partition(|text| text.index < newest)
}

const fn class(texts: Vec<Text>) -> Class {
    Class { texts, floor: 0.0, is_last_resort: false }
}

/// How many tokens shortening results can save, precomputed so that trying a place costs O(1).
struct Saved {
    /// Summed over the results from each message to the end.
    from: Vec<f64>,
    newest_floor: f64,
}

impl Saved {
    fn of(input: &CutInput<'_>, newest: usize, limits: Limits) -> Self {
        let is_result = |index: &usize| input.text(*index).is_some_and(|text| text.is_result);
        #[allow(clippy::cast_precision_loss)] // a number of results
        let results = (newest..input.len()).filter(is_result).count().max(1) as f64;
        let newest_floor = (SHARE_OF_NEWEST * limits.aim_tokens / results).max(limits.floor_tokens);
        let mut from = vec![0.0; input.len() + 1];
        let mut total = 0.0;
        for index in (0..input.len()).rev() {
            let floor = if index < newest { limits.floor_tokens } else { newest_floor };
            let text = input.text(index).filter(|text| text.is_result);
            total += text.map_or(0.0, |text| text.saved_at(floor));
            if let Some(slot) = from.get_mut(index) {
                *slot = total;
            }
        }
        Self { from, newest_floor }
    }

    fn from(&self, place: usize) -> f64 {
        self.from.get(place).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
#[path = "hard_limit_tests.rs"]
mod tests;

#[cfg(test)]
mod property_tests;
