//! Computes the size of a conversation when everything before a given place is cut, except messages that must stay.

use std::ops::Range;

use super::cut_input::{CutInput, is, is_notice};
use super::shorten::{Shorten, Text};
use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::plan::system_len;
use crate::compression::plan::user_requests::begins_turn;

/// Which messages stay in addition to the leading system messages and the protected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptMessages {
    PinnedAndSummary,
    Summary,
    System,
}

/// Indices refer to the caller's message array.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryCut {
    /// Messages to remove, ascending, earlier notices included; empty if shortening is enough.
    pub dropped: Vec<Range<usize>>,
    /// The notice is inserted before this message, or at the end; `None` if nothing is removed.
    pub notice_at: Option<usize>,
    /// True if only the short form of the notice fits.
    pub is_notice_short: bool,
    /// Messages that stay with shortened texts, ascending.
    pub shorten: Vec<Shorten>,
    /// The planned size with the notice and the fixed tokens. The caller counts the actual size and calls again if it
    /// is above the limit; each plan is smaller than the last.
    pub tokens_after: f64,
}

impl HistoryCut {
    pub fn dropped_indices(&self) -> impl Iterator<Item = usize> {
        self.dropped.iter().cloned().flatten()
    }

    pub fn drops(&self, index: usize) -> bool {
        self.dropped.iter().any(|range| range.contains(&index))
    }
}

/// Prefix sums, so that trying a place costs O(1).
pub(super) struct CutLayout<'r> {
    pub input: &'r CutInput<'r>,
    notice_tokens: f64,
    kept: Vec<bool>,
    /// Tokens of the messages before each place that stay.
    kept_tokens_before: Vec<f64>,
    /// How many messages before each place don't stay; earlier notices count only if the new notice covers other messages too.
    removable_before: Vec<usize>,
    /// Tokens of all messages from each place on.
    tokens_from: Vec<f64>,
    /// For each group: tokens and number of its messages that don't stay.
    groups: Vec<(f64, usize)>,
}

impl<'r> CutLayout<'r> {
    /// `request_tokens` is what the notice needs to quote the current request if no remaining summary contains it.
    pub fn new(
        input: &'r CutInput<'r>,
        kept_messages: KeptMessages,
        notice_tokens: f64,
        request_tokens: f64,
    ) -> Self {
        let kept = kept_flags(input, kept_messages);
        let is_request_in_summary = newest_summary(input.messages).is_some_and(|summary| is(&kept, summary));
        let mut layout = Self {
            input,
            notice_tokens: notice_tokens + if is_request_in_summary { 0.0 } else { request_tokens },
            kept_tokens_before: vec![0.0],
            removable_before: vec![0],
            tokens_from: sums_from(input.messages.iter().map(|message| message.tokens)),
            groups: vec![(0.0, 0); input.len()],
            kept,
        };
        let (mut tokens_before, mut others) = (0.0, 0);
        for (index, message) in input.messages.iter().enumerate() {
            if is(&layout.kept, index) {
                tokens_before += message.tokens;
            } else if !is_notice(message) || kept_messages == KeptMessages::System {
                others += 1;
                if let Some(group) = layout.groups.get_mut(input.turns.group_of(index)) {
                    *group = (group.0 + message.tokens, group.1 + 1);
                }
            }
            layout.kept_tokens_before.push(tokens_before);
            layout.removable_before.push(others);
        }
        layout
    }

    /// The size of the request if the newest messages begin at `place`.
    pub fn tokens_at(&self, place: usize) -> f64 {
        if !self.drops_at(place) {
            return self.input.total_tokens;
        }
        let (thinking_tokens, _) = self.kept_for_thinking(place);
        self.input.fixed_tokens
            + self.notice_tokens
            + number(&self.kept_tokens_before, place)
            + thinking_tokens
            + self.tokens_from(place)
    }

    pub fn tokens_from(&self, place: usize) -> f64 {
        number(&self.tokens_from, place)
    }

    /// Texts that may be shortened if the newest messages begin at `place`: those from `place` on, those of protected
    /// messages, and that of the call kept for its thinking; not the current request's.
    pub fn texts_to_shorten(&self, place: usize) -> Vec<Text> {
        let thinking = self.thinking_group(place);
        let input = self.input;
        let is_shortened = |&index: &usize| {
            let is_left = index >= place
                || is(&input.protected, index)
                || thinking == Some(input.turns.group_of(index));
            // A request in the same message as tool results isn't shortened, but its results are.
            is_left && (Some(index) != input.request || input.is_request_with_results())
        };
        (0..input.len()).filter(is_shortened).filter_map(|index| input.text(index)).collect()
    }

    pub fn cut_at(&self, place: usize, shorten: Vec<Shorten>) -> HistoryCut {
        let saved: f64 = shorten
            .iter()
            .filter_map(|short| Some(self.input.messages.get(short.index)?.tokens - short.max_tokens))
            .sum();
        let tokens_after = self.tokens_at(place) - saved;
        let shortened = HistoryCut { shorten, tokens_after, ..HistoryCut::default() };
        if !self.drops_at(place) {
            return shortened;
        }
        let thinking = self.thinking_group(place);
        let is_dropped = |&index: &usize| match self.input.messages.get(index) {
            Some(message) if index >= place => is_notice(message),
            _ => !is(&self.kept, index) && thinking != Some(self.input.turns.group_of(index)),
        };
        let dropped = ranges((0..self.input.len()).filter(is_dropped));
        HistoryCut { dropped, notice_at: Some(self.notice_at(place)), ..shortened }
    }

    /// The notice precedes the newest messages and the protected ones before them, and also the current request if
    /// messages before that were removed. It must not follow a turn's thinking, because the notice begins a new turn. If
    /// the message that began a turn is removed, the notice takes its place.
    fn notice_at(&self, place: usize) -> usize {
        let request = self.input.request.unwrap_or(place);
        let thinking = self.input.turns.thinking_cut_off_at(place).unwrap_or(place);
        let kept = |index: &usize| is(&self.input.protected, *index) && *index != request;
        let first = (0..place).find(kept).unwrap_or(place).min(thinking).min(place);
        let is_before_request = self.removable_before.get(request.min(place)).copied().unwrap_or(0) > 0;
        let first = if is_before_request { first.min(request) } else { first };
        let begins_turn = |index: &usize| {
            !is(&self.kept, *index) && self.input.messages.get(*index).is_some_and(begins_turn)
        };
        let parted = (first..place).rev().find(begins_turn);
        let after = parted.map_or(first, |parted| {
            let next = (parted..place).find(|index| is(&self.input.protected, *index));
            let thinking = Some(thinking).filter(|thinking| *thinking > parted);
            next.unwrap_or(place).min(thinking.unwrap_or(place))
        });
        self.input.turns.boundary_before(after)
    }

    /// Earlier notices alone are no reason for a new one, unless nothing else is left to remove.
    fn drops_at(&self, place: usize) -> bool {
        let (_, thinking) = self.kept_for_thinking(place);
        self.removable_before.get(place).copied().unwrap_or(0) > thinking
    }

    /// Tokens and number of messages that stay so that the turn that `place` divides keeps its thinking: the call that has the
    /// thinking, with its results. Keeping everything in between would cut nothing from a turn of hundreds of calls.
    fn kept_for_thinking(&self, place: usize) -> (f64, usize) {
        self.thinking_group(place).and_then(|group| self.groups.get(group)).copied().unwrap_or((0.0, 0))
    }

    /// The group of the thinking that a cut at `place` would separate from its turn.
    fn thinking_group(&self, place: usize) -> Option<usize> {
        let turns = &self.input.turns;
        turns.thinking_cut_off_at(place).map(|thinking| turns.group_of(thinking))
    }
}

fn kept_flags(input: &CutInput<'_>, kept: KeptMessages) -> Vec<bool> {
    let system = system_len(input.messages);
    let summary = newest_summary(input.messages);
    let is_always_kept = |index: usize| {
        index < system
            || (kept != KeptMessages::System && summary == Some(index))
            || input.messages.get(index).is_some_and(ChatMessage::is_sealed)
            || is(&input.protected, index)
            || (kept == KeptMessages::PinnedAndSummary && is(&input.pinned, index))
    };
    (0..input.len()).map(is_always_kept).collect()
}

/// A cut keeps at most one summary.
pub(super) fn newest_summary(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().rposition(|message| message.created_as == Some(CreatedKind::Summary))
}

pub(super) fn number(numbers: &[f64], place: usize) -> f64 {
    numbers.get(place).copied().unwrap_or(0.0)
}

/// For each place, the sum of the numbers from it to the end; 0 for the end itself.
pub(super) fn sums_from(numbers: impl DoubleEndedIterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    sums.extend(numbers.rev().map(|number| {
        sum += number;
        sum
    }));
    sums.reverse();
    sums
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
