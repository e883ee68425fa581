//! Computes the size of a prompt when everything before a place is cut except messages that must stay, and the cut
//! itself. A *place* is defined in `hard_limit.rs`.

use std::ops::Range;

use super::cut_input::{CutInput, is_notice, is_set};
use super::shorten::{CuttableText, ShortenedMessage};
use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::plan::system_len;

/// Which messages stay in addition to the leading system messages and the protected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptMessages {
    PinnedAndSummary,
    Summary,
    System,
}

/// What a cut removes and shortens. Indices refer to the caller's message array.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryCut {
    /// Messages to remove, ascending, earlier notices included; empty if shortening is enough.
    pub dropped: Vec<Range<usize>>,
    /// The notice is inserted before this message, or at the end; `None` if nothing is removed.
    pub notice_at: Option<usize>,
    /// True if only the short form of the notice fits.
    pub is_notice_short: bool,
    /// Messages that stay with shortened texts, ascending.
    pub shortened: Vec<ShortenedMessage>,
    /// The planned tokens of the prompt. The caller counts the actual tokens and plans again if they are above the limit.
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

/// Sums that make the size of a cut at any place O(1).
pub(super) struct CutLayout<'r> {
    pub input: &'r CutInput<'r>,
    notice_tokens: f64,
    /// For each message, whether it stays wherever the cut is.
    is_kept: Vec<bool>,
    /// For each place, tokens of the messages before it that stay.
    kept_tokens_before: Vec<f64>,
    /// For each place, how many messages before it don't stay. Earlier notices count only if nothing else is left to
    /// remove.
    removable_before: Vec<usize>,
    /// For each place, tokens of all messages from it on.
    tokens_from: Vec<f64>,
    /// For each group, what a cut would remove of it.
    removable_of_group: Vec<GroupSize>,
}

#[derive(Debug, Clone, Copy, Default)]
struct GroupSize {
    tokens: f64,
    message_count: usize,
}

impl<'r> CutLayout<'r> {
    /// `request_tokens` is what the notice needs to quote the current request if no remaining summary contains it.
    pub fn new(input: &'r CutInput<'r>, kept: KeptMessages, notice_tokens: f64, request_tokens: f64) -> Self {
        let is_kept = kept_flags(input, kept);
        let is_request_in_summary =
            newest_summary(input.messages).is_some_and(|summary| is_set(&is_kept, summary));
        let mut layout = Self {
            input,
            notice_tokens: notice_tokens + if is_request_in_summary { 0.0 } else { request_tokens },
            kept_tokens_before: vec![0.0],
            removable_before: vec![0],
            tokens_from: sums_from(input.messages.iter().map(|message| message.tokens)),
            removable_of_group: vec![GroupSize::default(); input.len()],
            is_kept,
        };
        let (mut kept_tokens, mut removable) = (0.0, 0);
        for (index, message) in input.messages.iter().enumerate() {
            if is_set(&layout.is_kept, index) {
                kept_tokens += message.tokens;
            } else if !is_notice(message) || kept == KeptMessages::System {
                removable += 1;
                if let Some(group) = layout.removable_of_group.get_mut(input.turns.group_of(index)) {
                    group.tokens += message.tokens;
                    group.message_count += 1;
                }
            }
            layout.kept_tokens_before.push(kept_tokens);
            layout.removable_before.push(removable);
        }
        layout
    }

    /// Tokens of the prompt after a cut at `place`.
    pub fn tokens_at(&self, place: usize) -> f64 {
        if !self.removes_at(place) {
            return self.input.total_tokens;
        }
        self.input.fixed_tokens
            + self.notice_tokens
            + value_at(&self.kept_tokens_before, place)
            + self.kept_for_thinking(place).tokens
            + self.tokens_from(place)
    }

    pub fn tokens_from(&self, place: usize) -> f64 {
        value_at(&self.tokens_from, place)
    }

    /// Texts that may be shortened after a cut at `place`: those from `place` on, those of protected messages, and that of
    /// the call kept for its thinking; not the current request's.
    pub fn texts_to_shorten(&self, place: usize) -> Vec<CuttableText> {
        let thinking = self.input.turns.thinking_group_at(place);
        let input = self.input;
        let is_shortened = |&index: &usize| {
            let stays = index >= place
                || is_set(&input.protected, index)
                || thinking == Some(input.turns.group_of(index));
            // A request in the same message as tool results isn't shortened, but its results are.
            stays && (Some(index) != input.request || input.has_request_with_results())
        };
        (0..input.len()).filter(is_shortened).filter_map(|index| input.cuttable_text(index)).collect()
    }

    pub fn cut_at(&self, place: usize, shortened: Vec<ShortenedMessage>) -> HistoryCut {
        let saved: f64 = shortened
            .iter()
            .filter_map(|short| Some(self.input.messages.get(short.index)?.tokens - short.max_tokens))
            .sum();
        let tokens_after = self.tokens_at(place) - saved;
        let without_removals = HistoryCut { shortened, tokens_after, ..HistoryCut::default() };
        if !self.removes_at(place) {
            return without_removals;
        }
        let thinking = self.input.turns.thinking_group_at(place);
        let is_dropped = |&index: &usize| match self.input.messages.get(index) {
            Some(message) if index >= place => is_notice(message),
            _ => !is_set(&self.is_kept, index) && thinking != Some(self.input.turns.group_of(index)),
        };
        let dropped = ranges_of((0..self.input.len()).filter(is_dropped));
        HistoryCut { dropped, notice_at: Some(self.notice_at(place)), ..without_removals }
    }

    /// The notice precedes the newest messages and the protected ones before them, and also the current request if
    /// messages before that were removed. It must not follow a turn's thinking, because the notice begins a new turn. If
    /// the message that began a turn is removed, the notice takes its place.
    fn notice_at(&self, place: usize) -> usize {
        let request = self.input.request.unwrap_or(place);
        let thinking = self.input.turns.thinking_cut_off_at(place).unwrap_or(place);
        let is_protected = |index: &usize| is_set(&self.input.protected, *index);
        let first_kept = (0..place).find(|index| is_protected(index) && *index != request).unwrap_or(place);
        let mut notice_at = first_kept.min(thinking).min(place);
        if value_at(&self.removable_before, request.min(place)) > 0 {
            notice_at = notice_at.min(request);
        }
        let is_removed_turn_start = |index: &usize| {
            !is_set(&self.is_kept, *index)
                && self.input.messages.get(*index).is_some_and(ChatMessage::begins_turn)
        };
        if let Some(turn_start) = (notice_at..place).rev().find(is_removed_turn_start) {
            let next_protected = (turn_start..place).find(is_protected).unwrap_or(place);
            notice_at = next_protected.min(if thinking > turn_start { thinking } else { place });
        }
        self.input.turns.boundary_before(notice_at)
    }

    /// True if a cut at `place` removes messages. Earlier notices alone are no reason for a new one, unless nothing else is
    /// left to remove.
    fn removes_at(&self, place: usize) -> bool {
        value_at(&self.removable_before, place) > self.kept_for_thinking(place).message_count
    }

    /// What stays so that the turn that `place` divides keeps its thinking: the call that has the thinking, with its
    /// results. Keeping everything in between would cut nothing from a turn of hundreds of calls.
    fn kept_for_thinking(&self, place: usize) -> GroupSize {
        let group = self.input.turns.thinking_group_at(place);
        group.and_then(|group| self.removable_of_group.get(group)).copied().unwrap_or_default()
    }
}

fn kept_flags(input: &CutInput<'_>, kept: KeptMessages) -> Vec<bool> {
    let system = system_len(input.messages);
    let summary = newest_summary(input.messages);
    let is_always_kept = |index: usize| {
        index < system
            || (kept != KeptMessages::System && summary == Some(index))
            || input.messages.get(index).is_some_and(ChatMessage::is_sealed)
            || is_set(&input.protected, index)
            || (kept == KeptMessages::PinnedAndSummary && is_set(&input.pinned, index))
    };
    (0..input.len()).map(is_always_kept).collect()
}

/// A cut keeps at most one summary.
pub(super) fn newest_summary(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().rposition(|message| message.created_as == Some(CreatedKind::Summary))
}

/// 0 if there is no such place.
pub(super) fn value_at<T: Copy + Default>(values: &[T], place: usize) -> T {
    values.get(place).copied().unwrap_or_default()
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

fn ranges_of(indices: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}
