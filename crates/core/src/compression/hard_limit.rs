//! Decides what to cut when a conversation is above the hard limit (R7.11, REQ-3.4): earlier turns, oldest first; then the
//! current turn's results, shortened, and its oldest call-and-result rounds; then pinned messages, the summary, the longer
//! form of the notice; then the newest round. Never a call in flight, and the current request only if it can't fit. A
//! *place* is the index of the first message that a cut keeps together with all later ones.

pub use self::layout::CannotFit;
pub use self::layout::HistoryCut;
use self::layout::{CutInput, CutLayout, KeptMessages, sums_from, value_at};
pub use self::shorten::ShortenedMessage;
use self::shorten::{CutClass, CuttableText, shorten_texts};
use crate::compression::message::{ChatMessage, newest_user_request};
use crate::compression::to_f64;

mod layout;
pub mod shorten;
pub mod truncation;

/// A cut aims at this share of the limit (the *aim*), so that the next turn needs no further cut.
const AIM_SHARE: f64 = 0.9;
/// More than `keep_recent` messages of the current turn stay while the total is below this share of the limit.
const LONG_TURN_SHARE: f64 = 0.75;
/// When the current turn is shortened, earlier turns stay while they take at most this share of the aim.
const SHARE_OF_EARLIER_TURNS: f64 = 0.1;
/// To keep earlier rounds, the newest round's results are shortened to this share of the aim, but no further.
const SHARE_OF_NEWEST: f64 = 0.5;
/// A result is not cut below its *floor*, this share of the limit within these bounds: a shorter one tells the model
/// nothing.
const FLOOR_SHARE: f64 = 0.02;
const LOWEST_FLOOR_TOKENS: f64 = 40.0;
const HIGHEST_FLOOR_TOKENS: f64 = 200.0;
/// The floor for results that would otherwise be removed.
const LAST_RESORT_FLOOR_TOKENS: f64 = 16.0;

/// The most tokens that each form of the notice takes as a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoticeTokens {
    pub full: f64,
    /// The form that says only how much was removed.
    pub short: f64,
    /// Additional tokens to quote the current request if only a removed summary contains it; 0 if a message holds it.
    pub request: f64,
}

/// Up to `keep_recent` of the newest messages stay, and more of the current turn if there is room. Pairs and turns are
/// never split. `fixed_tokens` is what a prompt takes in addition to its messages. Fails if the system messages, calls
/// in flight and a short notice alone are above the limit. O(n log n).
fn cut(
    messages: &[ChatMessage],
    fixed_tokens: f64,
    limit_tokens: f64,
    keep_recent: usize,
    notice: NoticeTokens,
) -> Result<HistoryCut, CannotFit> {
    let input = CutInput::new(messages, fixed_tokens, newest_user_request(messages));
    if input.total_tokens <= limit_tokens {
        return Ok(HistoryCut { tokens_after: input.total_tokens, ..HistoryCut::default() });
    }
    let without_request = CutInput::new(messages, fixed_tokens, None);
    // Tried in this order: what may be cut, the tokens of the notice, and how to search for the cut.
    let mut methods: Vec<(&CutInput<'_>, f64, CutMethod<'_>)> = vec![
        (&input, notice.full, CutSearch::with_newest_round),
        (&input, notice.short, CutSearch::with_newest_round),
        (&input, notice.short, CutSearch::without_newest_round),
        (&input, notice.short, CutSearch::with_shortened_request),
    ];
    // A request in the same message as tool results needs their calls too, which may be too large.
    if input.has_request_with_results() {
        methods.push((&without_request, notice.short, CutSearch::with_newest_round));
        methods.push((&without_request, notice.short, CutSearch::without_newest_round));
    }
    for (position, (input, notice_tokens, method)) in methods.into_iter().enumerate() {
        for kept in [KeptMessages::PinnedAndSummary, KeptMessages::Summary, KeptMessages::System] {
            let layout = CutLayout::new(input, kept, notice_tokens, notice.request);
            if let Some(cut) = method(&CutSearch::new(layout, limit_tokens, keep_recent)) {
                return Ok(HistoryCut { is_notice_short: position > 0, ..cut });
            }
        }
    }
    Err(input.cannot_fit())
}

type CutMethod<'r> = fn(&CutSearch<'r>) -> Option<HistoryCut>;

struct CutSearch<'r> {
    layout: CutLayout<'r>,
    limit_tokens: f64,
    aim_tokens: f64,
    floor_tokens: f64,
    keep_recent: usize,
}

impl<'r> CutSearch<'r> {
    fn new(layout: CutLayout<'r>, limit_tokens: f64, keep_recent: usize) -> Self {
        let floor_tokens = (FLOOR_SHARE * limit_tokens).clamp(LOWEST_FLOOR_TOKENS, HIGHEST_FLOOR_TOKENS);
        Self { layout, limit_tokens, aim_tokens: AIM_SHARE * limit_tokens, floor_tokens, keep_recent }
    }

    fn with_newest_round(&self) -> Option<HistoryCut> {
        let places = self.layout.input.cut_places(self.keep_recent);
        let &newest_round = places.last()?;
        self.without_older_turns(&places)
            .or_else(|| self.with_shortened_turn(&places, newest_round))
            .or_else(|| self.with_messages_from(newest_round, &[self.floor_tokens, LAST_RESORT_FLOOR_TOKENS]))
    }

    /// Keeps only the protected messages and the notice.
    fn without_newest_round(&self) -> Option<HistoryCut> {
        self.with_messages_from(self.layout.input.messages.len(), &[LAST_RESORT_FLOOR_TOKENS])
    }

    /// Keeps the current turn, and before it as many of the newest `keep_recent` messages as fit.
    fn without_older_turns(&self, places: &[usize]) -> Option<HistoryCut> {
        let wished_places = self.layout.input.recent_start(self.keep_recent)..=self.layout.input.turn_start();
        let fits = |place: &usize| self.layout.tokens_at(*place) <= self.aim_tokens;
        let place = places.iter().copied().filter(|place| wished_places.contains(place)).find(fits)?;
        Some(self.layout.cut_at(place, Vec::new()))
    }

    /// Keeps as many rounds of the current turn as fit after their results are shortened.
    fn with_shortened_turn(&self, places: &[usize], newest_round: usize) -> Option<HistoryCut> {
        let layout = &self.layout;
        let (recent_start, turn_start) = (layout.input.recent_start(self.keep_recent), layout.input.turn_start());
        let newest_floor = self.floor_of_newest(newest_round);
        let saved_from = self.saved_from(newest_round, newest_floor);
        let keeps_more = |&place: &usize| layout.tokens_at(place) > layout.tokens_at(newest_round);
        places.iter().copied().filter(keeps_more).find_map(|place| {
            // 0 if the place is within the current turn.
            let earlier_turns = (layout.tokens_from(place) - layout.tokens_from(turn_start)).max(0.0);
            let aim_tokens = if place < recent_start { LONG_TURN_SHARE * self.limit_tokens } else { self.aim_tokens };
            let over_aim = layout.tokens_at(place) - aim_tokens;
            if earlier_turns > SHARE_OF_EARLIER_TURNS * self.aim_tokens || value_at(&saved_from, place) < over_aim {
                return None;
            }
            let results = layout.texts_to_shorten(place).into_iter().filter(|text| text.is_result);
            let (older, newer) = results.partition(|text| text.index < newest_round);
            let class = |texts, floor_tokens| CutClass { texts, floor_tokens, is_last_resort: false };
            let classes = [class(newer, newest_floor), class(older, self.floor_tokens)];
            Some(layout.cut_at(place, shorten_texts(&classes, over_aim, over_aim)?))
        })
    }

    fn cuttable_result(&self, index: usize) -> Option<CuttableText> {
        self.layout.input.cuttable_text(index).filter(|text| text.is_result)
    }

    /// The floor of results from `newest_round` on: together they keep [`SHARE_OF_NEWEST`] of the aim.
    fn floor_of_newest(&self, newest_round: usize) -> f64 {
        let newest = newest_round..self.layout.input.messages.len();
        let results = newest.filter_map(|index| self.cuttable_result(index)).count().max(1);
        (SHARE_OF_NEWEST * self.aim_tokens / to_f64(results)).max(self.floor_tokens)
    }

    /// For each message, how many tokens shortening the results from it to the end can save: trying a place costs O(1).
    fn saved_from(&self, newest_round: usize, newest_floor: f64) -> Vec<f64> {
        let floor_at = |index| if index < newest_round { self.floor_tokens } else { newest_floor };
        let saved = |index| self.cuttable_result(index).map_or(0.0, |text| text.saved_at(floor_at(index)));
        sums_from((0..self.layout.input.messages.len()).map(saved))
    }

    /// Keeps the protected messages and those from `place` on, shortened to the first of `floors` with which they fit.
    fn with_messages_from(&self, place: usize, floors: &[f64]) -> Option<HistoryCut> {
        let tokens = self.layout.tokens_at(place);
        let over_limit = tokens - self.limit_tokens;
        // Exceeding the aim is better than shortening the newest result.
        let over_aim = if over_limit <= 0.0 { over_limit } else { tokens - self.aim_tokens };
        floors.iter().find_map(|&floor| {
            let classes = classes_of(&self.layout.texts_to_shorten(place), place, floor);
            Some(self.layout.cut_at(place, shorten_texts(&classes, over_aim, over_limit)?))
        })
    }

    /// Shortens a request that is too large by itself. The newest round stays if the request can keep half of the limit.
    fn with_shortened_request(&self) -> Option<HistoryCut> {
        let (input, end) = (self.layout.input, self.layout.input.messages.len());
        let request = input.whole_request()?;
        let newest_round = input.cut_places(self.keep_recent).last().copied().unwrap_or(end);
        let half = self.limit_tokens / 2.0;
        [(newest_round, half), (end, self.floor_tokens)].into_iter().find_map(|(place, request_floor)| {
            let mut others = self.layout.texts_to_shorten(place);
            others.retain(|text| text.index != request.index);
            let mut classes = classes_of(&others, place, LAST_RESORT_FLOOR_TOKENS);
            classes.push(CutClass { texts: vec![request], floor_tokens: request_floor, is_last_resort: true });
            let tokens = self.layout.tokens_at(place);
            let (over_aim, over_limit) = (tokens - self.aim_tokens, tokens - self.limit_tokens);
            Some(self.layout.cut_at(place, shorten_texts(&classes, over_aim, over_limit)?))
        })
    }
}

/// The order in which texts are shortened after a cut at `place`: results of earlier rounds, results of the newest
/// round, other texts of both, texts in messages with thinking.
fn classes_of(texts: &[CuttableText], place: usize, floor_tokens: f64) -> Vec<CutClass> {
    let class_of = |text: &CuttableText| match (text.is_result, text.has_thinking) {
        (true, _) => usize::from(text.index >= place),
        (false, false) => 2 + usize::from(text.index >= place),
        (false, true) => 4,
    };
    let texts_of = |class| texts.iter().copied().filter(|text| class_of(text) == class).collect();
    let class = |class| CutClass { texts: texts_of(class), floor_tokens, is_last_resort: class >= 2 };
    (0..5).map(class).collect()
}

#[cfg(test)]
#[path = "hard_limit_tests.rs"]
mod tests;

#[cfg(test)]
mod property_tests;
