//! What a conversation looks like, and weighs, when all before some place is cut out but for what stays.

use std::ops::Range;

use super::super::message::{Made, Message, Role};
use super::super::plan::{head_len, pinned, system_len};
use super::super::turns::Turns;
use super::Cut;
use super::shorten::{Shorten, Text};

/// The conversation that is cut.
pub(super) struct Room<'m> {
    messages: &'m [Message],
    turns: Turns,
    pinned: Vec<bool>,
    fixed_tokens: f64,
    notice_tokens: f64,
    /// Everything as it is.
    pub total_tokens: f64,
}

impl<'m> Room<'m> {
    pub fn new(messages: &'m [Message], fixed_tokens: f64, notice_tokens: f64) -> Self {
        let turns = Turns::of(messages);
        let pinned = pinned(messages, &turns);
        let total_tokens = fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>();
        Self { messages, turns, pinned, fixed_tokens, notice_tokens, total_tokens }
    }

    /// Where the newest messages may begin, ascending: at most `keep_recent` of them, or the whole group that the
    /// first of those belongs to; at least the newest group.
    pub fn places(&self, keep_recent: usize) -> Vec<usize> {
        let len = self.messages.len();
        let first = self.turns.part_at(len.saturating_sub(keep_recent.max(1)));
        // An earlier notice gives way to the new one. The newest messages don't reach across
        // it: without it two turns would become one.
        let behind_notice = self.messages.iter().rposition(is_notice).map_or(0, |notice| notice + 1);
        let first = first.max(head_len(self.messages)).max(behind_notice);
        (first..len).filter(|&place| self.turns.parts_nothing_at(place)).collect()
    }

    /// See [`super::CannotFit::system_tokens`].
    pub fn system_tokens(&self) -> f64 {
        let system = self.messages.iter().take(system_len(self.messages));
        self.fixed_tokens + system.map(|message| message.tokens).sum::<f64>()
    }

    fn is_pinned(&self, index: usize) -> bool {
        self.pinned.get(index).copied().unwrap_or(false)
    }
}

/// What stays of the messages that are cut out. The leading system messages always do.
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

    /// Texts that may be cut short: those of the newest group, and of the one that was kept for its thinking.
    /// Never what is pinned, nor a message whose thinking must come back byte for byte (EDGE-CASES 24).
    pub fn texts_to_shorten(&self, place: usize, newest: usize) -> Vec<Text> {
        let thinking =
            self.room.turns.thinking_cut_off_at(place).map(|index| self.room.turns.group_of(index));
        let is_open = |index: usize, message: &Message| {
            let is_near =
                index >= newest || (index < place && thinking == Some(self.room.turns.group_of(index)));
            let is_plain = message.made.is_none() && message.role != Role::System && !message.has_thinking;
            is_near && is_plain && !self.room.is_pinned(index)
        };
        let texts = self.room.messages.iter().enumerate();
        texts
            .filter(|(index, message)| is_open(*index, message))
            .map(|(index, message)| Text::of(index, message))
            .collect()
    }

    /// The cut at `place`.
    pub fn cut_at(&self, place: usize, shorten: Vec<Shorten>) -> Cut {
        let saved: f64 = shorten
            .iter()
            .filter_map(|short| Some(self.room.messages.get(short.index)?.tokens - short.max_tokens))
            .sum();
        let tokens_after = self.tokens_at(place) - saved;
        if !self.drops_at(place) {
            return Cut { dropped: Vec::new(), notice_at: None, shorten, tokens_after };
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
        // A notice behind the thinking would begin a new turn, and that one would be without.
        let notice_at = self.room.turns.part_at(thinking.unwrap_or(place).min(place));
        Cut { dropped, notice_at: Some(notice_at), shorten, tokens_after }
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
        self.stays.get(index).copied().unwrap_or(false)
    }
}

fn who_stays(room: &Room<'_>, stays: Stays) -> Vec<bool> {
    let system = system_len(room.messages);
    let summary = room.messages.iter().rposition(|message| message.made == Some(Made::Summary));
    let is_staying = |index: usize| {
        index < system
            || (stays != Stays::System && summary == Some(index))
            || (stays == Stays::PinnedAndSummary && room.is_pinned(index))
    };
    (0..room.messages.len()).map(is_staying).collect()
}

fn is_notice(message: &Message) -> bool {
    message.made == Some(Made::Notice)
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
