//! What a conversation looks like, and weighs, when all before some place is cut out but for what stays.

use std::ops::Range;

use super::super::message::{Made, Message, Role};
use super::super::plan::{head_len, pinned, system_len};
use super::super::turns::{Turns, begins_turn, newest_request};
use super::Cut;
use super::shorten::{Shorten, Text};

/// A message without words is no larger, chat format and all.
const MOST_TOKENS_OF_EMPTY: f64 = 32.0;

/// The conversation that is cut.
pub(super) struct Room<'m> {
    messages: &'m [Message],
    turns: Turns,
    pinned: Vec<bool>,
    /// What goes for nothing else: the current request and calls in flight, with what they can't be without.
    protected: Vec<bool>,
    /// The message with what the user wants now.
    pub request: Option<usize>,
    fixed_tokens: f64,
    notice_tokens: f64,
    /// Everything as it is.
    pub total_tokens: f64,
}

impl<'m> Room<'m> {
    pub fn new(messages: &'m [Message], fixed_tokens: f64, notice_tokens: f64) -> Self {
        Self::with_request(messages, fixed_tokens, notice_tokens, newest_request(messages))
    }

    /// The same, and the current request may go like any other message.
    pub fn without_request(messages: &'m [Message], fixed_tokens: f64, notice_tokens: f64) -> Self {
        Self::with_request(messages, fixed_tokens, notice_tokens, None)
    }

    fn with_request(
        messages: &'m [Message],
        fixed_tokens: f64,
        notice_tokens: f64,
        request: Option<usize>,
    ) -> Self {
        let turns = Turns::of(messages);
        let pinned = pinned(messages, &turns);
        let protected = protected(messages, &turns, request);
        let total_tokens = fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>();
        Self { messages, turns, pinned, protected, request, fixed_tokens, notice_tokens, total_tokens }
    }

    /// Where the newest messages may begin, ascending: from the current request on, or with `keep_recent` of them
    /// where that is more; at least the newest group.
    pub fn places(&self, keep_recent: usize) -> Vec<usize> {
        let len = self.messages.len();
        let first = self.newest(keep_recent).min(self.turn_start());
        // An earlier notice gives way to the new one. The newest messages don't reach across
        // it: without it two turns would become one.
        let behind_notice = self.messages.iter().rposition(is_notice).map_or(0, |notice| notice + 1);
        let first = first.max(head_len(self.messages)).max(behind_notice);
        (first..len).filter(|&place| self.turns.parts_nothing_at(place)).collect()
    }

    /// Where the newest `keep_recent` messages begin, or the group that the first of them belongs to.
    pub fn newest(&self, keep_recent: usize) -> usize {
        self.turns.part_at(self.messages.len().saturating_sub(keep_recent.max(1)))
    }

    /// Where the turn in progress begins; with the conversation where its request has become part of a summary.
    pub fn turn_start(&self) -> usize {
        self.request.map_or(0, |request| self.turns.part_at(request))
    }

    /// See [`super::CannotFit::system_tokens`].
    pub fn system_tokens(&self) -> f64 {
        let system = self.messages.iter().take(system_len(self.messages));
        self.fixed_tokens + system.map(|message| message.tokens).sum::<f64>()
    }

    /// See [`super::CannotFit::pending_tokens`].
    pub fn pending_tokens(&self) -> f64 {
        let pending = self.turns.pending().iter().filter_map(|&index| self.messages.get(index));
        pending.map(|message| message.tokens).sum()
    }

    /// The message's text, when cutting it short does no harm: not what is pinned, nor a message whose thinking must
    /// come back byte for byte (EDGE-CASES 24).
    pub fn text(&self, index: usize) -> Option<Text> {
        let message = self.messages.get(index)?;
        let is_plain = message.made.is_none() && message.role != Role::System && !message.has_thinking;
        let is_open = is_plain && (Some(index) == self.request || !is(&self.pinned, index));
        is_open.then(|| Text::of(index, message))
    }

    /// Whether the current request answers calls as well.
    pub fn is_request_beside_results(&self) -> bool {
        let request = self.request.and_then(|request| self.messages.get(request));
        request.is_some_and(|message| !message.answers.is_empty())
    }

    /// The current request, the words beside its results too.
    pub fn whole_request(&self) -> Option<Text> {
        let request = self.request?;
        let words = Message { units_beside_results: 0, ..self.messages.get(request)?.clone() };
        Some(Text::of(request, &words))
    }

    pub const fn len(&self) -> usize {
        self.messages.len()
    }
}

/// The groups of the request and of calls in flight, and of the thinking without which these can't begin a turn; and
/// whatever else begins turns behind the request, such as empty messages: without them, turns would become one.
fn protected(messages: &[Message], turns: &Turns, request: Option<usize>) -> Vec<bool> {
    let len = messages.len();
    let mut chosen = vec![false; len];
    let mut choose = |index: usize| {
        if let Some(slot) = chosen.get_mut(index) {
            *slot = true;
        }
    };
    turns.pending().iter().copied().chain(request).for_each(&mut choose);
    let behind = messages.iter().enumerate().skip(request.unwrap_or(len));
    let is_small = |message: &Message| message.made.is_none() && message.tokens <= MOST_TOKENS_OF_EMPTY;
    let begins = behind.filter(|(_, message)| is_small(message) && begins_turn(message));
    begins.for_each(|(index, _)| choose(index));
    turns.whole_groups_with_thinking(|index| is(&chosen, index))
}

/// What stays of the messages that are cut out. The leading system messages and what is protected always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stays {
    PinnedAndSummary,
    Summary,
    System,
}

/// Weights for every place, so that trying one costs O(1).
pub(super) struct Layout<'r> {
    room: &'r Room<'r>,
    stays: Vec<bool>,
    /// For each place, tokens of what stays before it, ...
    stays_before: Vec<f64>,
    /// ... how many others are before it, earlier notices counted only when it is about them as well, ...
    others_before: Vec<usize>,
    /// ... and tokens of what is not before it.
    tokens_from: Vec<f64>,
    /// For each group, those of its messages that don't stay: tokens, and how many.
    groups: Vec<(f64, usize)>,
}

impl<'r> Layout<'r> {
    pub fn new(room: &'r Room<'r>, what_stays: Stays) -> Self {
        let stays = who_stays(room, what_stays);
        let len = room.messages.len();
        let mut layout = Self {
            room,
            stays_before: vec![0.0],
            others_before: vec![0],
            tokens_from: vec![0.0],
            groups: vec![(0.0, 0); len],
            stays,
        };
        let (mut tokens_before, mut others) = (0.0, 0);
        for (index, message) in room.messages.iter().enumerate() {
            if layout.is_staying(index) {
                tokens_before += message.tokens;
            } else if !is_notice(message) || what_stays == Stays::System {
                others += 1;
                if let Some(group) = layout.groups.get_mut(room.turns.group_of(index)) {
                    *group = (group.0 + message.tokens, group.1 + 1);
                }
            }
            layout.stays_before.push(tokens_before);
            layout.others_before.push(others);
        }
        let mut tokens_from = 0.0;
        for message in room.messages.iter().rev() {
            tokens_from += message.tokens;
            layout.tokens_from.push(tokens_from);
        }
        layout.tokens_from.reverse();
        layout
    }

    /// What the request takes when the newest messages begin at `place`.
    pub fn tokens_at(&self, place: usize) -> f64 {
        if !self.drops_at(place) {
            return self.room.total_tokens;
        }
        let (thinking_tokens, _) = self.thinking_group(place);
        self.room.fixed_tokens
            + self.room.notice_tokens
            + number(&self.stays_before, place)
            + thinking_tokens
            + self.tokens_from(place)
    }

    /// What the messages from `place` on take.
    pub fn tokens_from(&self, place: usize) -> f64 {
        number(&self.tokens_from, place)
    }

    /// Texts that may be cut short when the newest messages begin at `place`: of those from there on, of what is
    /// protected and of the call that stays for its thinking; not the current request's.
    pub fn texts_to_shorten(&self, place: usize) -> Vec<Text> {
        let thinking =
            self.room.turns.thinking_cut_off_at(place).map(|index| self.room.turns.group_of(index));
        let stays = |index: usize| {
            index >= place
                || is(&self.room.protected, index)
                || thinking == Some(self.room.turns.group_of(index))
        };
        let indices = (0..self.room.len()).filter(|&index| stays(index));
        let indices = indices.filter(|&index| {
            // A request beside results is not cut: its results are.
            Some(index) != self.room.request
                || self.room.messages.get(index).is_some_and(|message| !message.answers.is_empty())
        });
        indices.filter_map(|index| self.room.text(index)).collect()
    }

    /// The cut at `place`.
    pub fn cut_at(&self, place: usize, shorten: Vec<Shorten>) -> Cut {
        let saved: f64 = shorten
            .iter()
            .filter_map(|short| Some(self.room.messages.get(short.index)?.tokens - short.max_tokens))
            .sum();
        let tokens_after = self.tokens_at(place) - saved;
        if !self.drops_at(place) {
            return Cut {
                dropped: Vec::new(),
                notice_at: None,
                is_notice_short: false,
                shorten,
                tokens_after,
            };
        }
        let thinking = self.room.turns.thinking_cut_off_at(place);
        let is_kept = |index: usize| {
            if index >= place {
                return !self.room.messages.get(index).is_some_and(is_notice);
            }
            let group = self.room.turns.group_of(index);
            self.is_staying(index)
                || thinking.is_some_and(|thinking| self.room.turns.group_of(thinking) == group)
        };
        let dropped = ranges((0..self.room.messages.len()).filter(|&index| !is_kept(index)));
        Cut { dropped, notice_at: Some(self.notice_at(place)), is_notice_short: false, shorten, tokens_after }
    }

    /// Before what stays of the newest messages, and before the current request where something went that stood before
    /// that. A notice behind a turn's thinking would begin a new turn, and that one would be without; and where the
    /// message that began a turn goes, the notice begins it.
    fn notice_at(&self, place: usize) -> usize {
        let request = self.room.request.unwrap_or(place);
        let thinking = self.room.turns.thinking_cut_off_at(place).unwrap_or(place);
        let stays = |index: &usize| is(&self.room.protected, *index) && *index != request;
        let first = (0..place).find(stays).unwrap_or(place).min(thinking).min(place);
        let is_before_request = self.others_before.get(request.min(place)).copied().unwrap_or(0) > 0;
        let first = if is_before_request { first.min(request) } else { first };
        let begins_turn = |index: &usize| {
            !self.is_staying(*index) && self.room.messages.get(*index).is_some_and(begins_turn)
        };
        let parted = (first..place).rev().find(begins_turn);
        let after = parted.map_or(first, |parted| {
            let next = (parted..place).find(|index| is(&self.room.protected, *index));
            let thinking = Some(thinking).filter(|thinking| *thinking > parted);
            next.unwrap_or(place).min(thinking.unwrap_or(place))
        });
        self.room.turns.part_at(after)
    }

    /// Earlier notices alone are no reason for a new one, but where nothing else is left to drop.
    fn drops_at(&self, place: usize) -> bool {
        let (_, thinking) = self.thinking_group(place);
        self.others_before.get(place).copied().unwrap_or(0) > thinking
    }

    /// What stays besides, so that the turn that `place` parts keeps its thinking: the call that has it, with its
    /// results. To keep all that lies between as well would cut nothing from a turn of hundreds of calls.
    fn thinking_group(&self, place: usize) -> (f64, usize) {
        let group = self.room.turns.thinking_cut_off_at(place).map(|index| self.room.turns.group_of(index));
        group.and_then(|group| self.groups.get(group)).copied().unwrap_or((0.0, 0))
    }

    fn is_staying(&self, index: usize) -> bool {
        is(&self.stays, index)
    }
}

fn who_stays(room: &Room<'_>, stays: Stays) -> Vec<bool> {
    let system = system_len(room.messages);
    let summary = room.messages.iter().rposition(|message| message.made == Some(Made::Summary));
    let is_staying = |index: usize| {
        index < system
            || (stays != Stays::System && summary == Some(index))
            || is(&room.protected, index)
            || (stays == Stays::PinnedAndSummary && is(&room.pinned, index))
    };
    (0..room.messages.len()).map(is_staying).collect()
}

fn is_notice(message: &Message) -> bool {
    message.made == Some(Made::Notice)
}

fn is(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}

fn number(numbers: &[f64], place: usize) -> f64 {
    numbers.get(place).copied().unwrap_or(0.0)
}

fn ranges(indices: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}
