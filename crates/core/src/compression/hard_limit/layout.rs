//! Decides which messages a cut may remove or shorten, and computes the size of the prompt after a cut. A *place* is
//! defined in `hard_limit.rs`.

use std::ops::Range;

use super::shorten::{CuttableText, ShortenedMessage};
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, MAX_FORMAT_TOKENS, start_of_newest};
use crate::compression::plan::turns::Turns;
use crate::compression::plan::{head_len, pinned_flags, system_len};

/// The error that the messages which must stay are larger than the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CannotFit {
    /// Leading system messages plus the fixed tokens.
    pub system_tokens: f64,
    /// Calls in flight.
    pub pending_tokens: f64,
}

pub(super) struct CutInput<'m> {
    pub messages: &'m [ChatMessage],
    pub turns: Turns,
    pinned: Vec<bool>,
    /// Messages that are never removed: the groups of the request and of calls in flight, with the thinking that must
    /// come first in their turn; and empty messages that begin a turn after the request, or turns would merge.
    protected: Vec<bool>,
    /// The current user request; `None` if it may be removed like any other message.
    request: Option<usize>,
    fixed_tokens: f64,
    pub total_tokens: f64,
}

impl<'m> CutInput<'m> {
    pub fn new(messages: &'m [ChatMessage], fixed_tokens: f64, request: Option<usize>) -> Self {
        let turns = Turns::new(messages);
        let begins_empty_turn = |message: &ChatMessage| {
            message.created_as.is_none() && message.tokens <= MAX_FORMAT_TOKENS && message.begins_turn()
        };
        let follows_request = |index: usize| request.is_some_and(|request| index > request);
        let protected = turns.whole_groups_with_thinking(|index| {
            request == Some(index)
                || turns.pending.contains(&index)
                || (follows_request(index) && messages.get(index).is_some_and(begins_empty_turn))
        });
        let pinned = pinned_flags(messages, &turns);
        let total_tokens = fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>();
        Self { messages, turns, pinned, protected, request, fixed_tokens, total_tokens }
    }

    /// The places at which the history may be cut, ascending: those that keep at most the current turn, or the newest
    /// `keep_recent` messages if that is more, and at least the newest group.
    pub fn cut_places(&self, keep_recent: usize) -> Vec<usize> {
        let first = self.recent_start(keep_recent).min(self.turn_start());
        // The new notice replaces an earlier one, and the newest messages don't extend across it: without a notice two
        // turns would become one.
        let after_notice = self.messages.iter().rposition(is_notice).map_or(0, |notice| notice + 1);
        let first = first.max(head_len(self.messages)).max(after_notice);
        (first..self.messages.len()).filter(|&place| self.turns.is_boundary(place)).collect()
    }

    /// The start of the newest `keep_recent` messages, or of the group that the first of them belongs to.
    pub fn recent_start(&self, keep_recent: usize) -> usize {
        self.turns.boundary_before(start_of_newest(self.messages, keep_recent.max(1)))
    }

    /// The start of the current turn; 0 if its request has become part of a summary.
    pub fn turn_start(&self) -> usize {
        self.request.map_or(0, |request| self.turns.boundary_before(request))
    }

    pub fn cannot_fit(&self) -> CannotFit {
        let system = self.messages.iter().take(system_len(self.messages)).map(|message| message.tokens);
        let pending = self.turns.pending.iter().filter_map(|&index| self.messages.get(index));
        CannotFit {
            system_tokens: self.fixed_tokens + system.sum::<f64>(),
            pending_tokens: pending.map(|message| message.tokens).sum(),
        }
    }

    /// `None` for messages that must not be shortened: pinned ones, and those with thinking, which must be sent back
    /// byte for byte (EDGE 24), unless they are protected: a prompt above the limit can't be sent at all.
    pub fn cuttable_text(&self, index: usize) -> Option<CuttableText> {
        let message = self.messages.get(index)?;
        let is_original = message.created_as.is_none() && message.role != ChatRole::System;
        let may_lose_text = !message.has_thinking || value_at(&self.protected, index);
        let may_change = Some(index) == self.request || !value_at(&self.pinned, index);
        (is_original && may_lose_text && may_change).then(|| CuttableText::new(index, message))
    }

    pub fn has_request_with_results(&self) -> bool {
        self.request.and_then(|request| self.messages.get(request)).is_some_and(|message| !message.answers.is_empty())
    }

    /// The current request as a text of which everything may be cut, also the user's words next to results.
    pub fn whole_request(&self) -> Option<CuttableText> {
        let request = self.request?;
        let all_cuttable = ChatMessage { units_beside_results: 0, ..self.messages.get(request)?.clone() };
        Some(CuttableText::new(request, &all_cuttable))
    }
}

/// Which messages stay in addition to the leading system messages and the protected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptMessages {
    PinnedAndSummary,
    Summary,
    System,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryCut {
    /// Messages to remove, ascending, earlier notices included; empty if shortening is enough.
    pub dropped: Vec<Range<usize>>,
    /// The notice is inserted before this message, or at the end; `None` if nothing is removed.
    pub notice_at: Option<usize>,
    /// True if only the short form of the notice fits.
    pub is_notice_short: bool,
    pub shortened: Vec<ShortenedMessage>,
    /// As planned. The caller counts the prompt, and plans again if it is above the limit.
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

/// The size of the prompt after a cut at any place, each in O(1).
pub(super) struct CutLayout<'r> {
    pub input: &'r CutInput<'r>,
    is_kept: Vec<bool>,
    first_removable: Option<usize>,
    /// For each place, tokens of all messages from it on.
    tokens_from: Vec<f64>,
    /// For each place, tokens of the prompt after a cut there, and whether the cut removes messages.
    size_at: Vec<(f64, bool)>,
}

impl<'r> CutLayout<'r> {
    /// `request_tokens` is what the notice needs to quote the current request if no remaining summary contains it.
    pub fn new(input: &'r CutInput<'r>, kept: KeptMessages, notice_tokens: f64, request_tokens: f64) -> Self {
        let messages = input.messages;
        let is_kept = kept_flags(input, kept);
        let shows_request = newest_summary(messages).is_some_and(|summary| value_at(&is_kept, summary));
        let notice_tokens = notice_tokens + if shows_request { 0.0 } else { request_tokens };
        // Earlier notices alone are no reason for a new one, unless nothing else is left to remove.
        let counts = |message: &ChatMessage| !is_notice(message) || kept == KeptMessages::System;
        let is_removable = |&(index, message): &(usize, &ChatMessage)| !value_at(&is_kept, index) && counts(message);
        let mut removable_of_group = vec![(0.0, 0); messages.len()];
        for (index, message) in messages.iter().enumerate().filter(is_removable) {
            if let Some((tokens, count)) = removable_of_group.get_mut(input.turns.group_of(index)) {
                *tokens += message.tokens;
                *count += 1;
            }
        }
        let tokens_from = sums_from(messages.iter().map(|message| message.tokens));
        let (mut kept_tokens, mut removable_count) = (0.0, 0);
        let mut size_at = Vec::with_capacity(tokens_from.len());
        for (place, tokens_from) in tokens_from.iter().enumerate() {
            // The turn that `place` divides keeps the call that has its thinking, with its results. Keeping everything
            // in between would cut nothing from a turn of hundreds of calls.
            let group = input.turns.thinking_group_at(place);
            let (thinking_tokens, thinking_count) =
                group.map_or((0.0, 0), |group| value_at(&removable_of_group, group));
            let removes = removable_count > thinking_count;
            let tokens = input.fixed_tokens + notice_tokens + kept_tokens + thinking_tokens + tokens_from;
            size_at.push((if removes { tokens } else { input.total_tokens }, removes));
            if let Some(message) = messages.get(place) {
                kept_tokens += if value_at(&is_kept, place) { message.tokens } else { 0.0 };
                removable_count += usize::from(is_removable(&(place, message)));
            }
        }
        let first_removable = messages.iter().enumerate().find(is_removable).map(|(index, _)| index);
        Self { input, is_kept, first_removable, tokens_from, size_at }
    }

    pub fn tokens_at(&self, place: usize) -> f64 {
        value_at(&self.size_at, place).0
    }

    pub fn tokens_from(&self, place: usize) -> f64 {
        value_at(&self.tokens_from, place)
    }

    /// Texts that may be shortened after a cut at `place`: those from `place` on, those of protected messages, and that
    /// of the call kept for its thinking; not the current request's.
    pub fn texts_to_shorten(&self, place: usize) -> Vec<CuttableText> {
        let input = self.input;
        let thinking = input.turns.thinking_group_at(place);
        let is_shortened = |&index: &usize| {
            let stays =
                index >= place || value_at(&input.protected, index) || thinking == Some(input.turns.group_of(index));
            // A request in the same message as tool results isn't shortened, but its results are.
            stays && (Some(index) != input.request || input.has_request_with_results())
        };
        let indices = (0..input.messages.len()).filter(is_shortened);
        indices.filter_map(|index| input.cuttable_text(index)).collect()
    }

    pub fn cut_at(&self, place: usize, shortened: Vec<ShortenedMessage>) -> HistoryCut {
        let CutInput { messages, turns, .. } = self.input;
        let saved = |short: &ShortenedMessage| Some(messages.get(short.index)?.tokens - short.max_tokens);
        let (tokens, removes) = value_at(&self.size_at, place);
        let tokens_after = tokens - shortened.iter().filter_map(saved).sum::<f64>();
        let thinking = turns.thinking_group_at(place);
        let is_dropped = |index: usize, message: &ChatMessage| {
            let is_removed = || !value_at(&self.is_kept, index) && thinking != Some(turns.group_of(index));
            if index < place { is_removed() } else { is_notice(message) }
        };
        let mut dropped: Vec<Range<usize>> = Vec::new();
        for (index, message) in messages.iter().enumerate().filter(|_| removes) {
            match dropped.last_mut() {
                _ if !is_dropped(index, message) => {}
                Some(last) if last.end == index => last.end += 1,
                _ => dropped.push(index..index + 1),
            }
        }
        let notice_at = removes.then(|| self.notice_at(place));
        HistoryCut { dropped, notice_at, is_notice_short: false, shortened, tokens_after }
    }

    /// The notice precedes the newest messages and the protected ones before them, and also the current request if
    /// messages before that were removed. It must not follow a turn's thinking, because the notice begins a new turn.
    /// If the message that began a turn is removed, the notice takes its place.
    fn notice_at(&self, place: usize) -> usize {
        let request = self.input.request.unwrap_or(place);
        let thinking = self.input.turns.thinking_cut_off_at(place).unwrap_or(place);
        let is_protected = |index: &usize| value_at(&self.input.protected, *index);
        let first_kept = (0..place).find(|index| is_protected(index) && *index != request).unwrap_or(place);
        let mut notice_at = first_kept.min(thinking);
        if self.first_removable.is_some_and(|first| first < request.min(place)) {
            notice_at = notice_at.min(request);
        }
        let is_removed_turn_start = |index: &usize| {
            !value_at(&self.is_kept, *index) && self.input.messages.get(*index).is_some_and(ChatMessage::begins_turn)
        };
        if let Some(turn_start) = (notice_at..place).rev().find(is_removed_turn_start) {
            let next_protected = (turn_start..place).find(is_protected).unwrap_or(place);
            notice_at = next_protected.min(if thinking > turn_start { thinking } else { place });
        }
        self.input.turns.boundary_before(notice_at)
    }
}

fn kept_flags(input: &CutInput<'_>, kept: KeptMessages) -> Vec<bool> {
    let (system, summary) = (system_len(input.messages), newest_summary(input.messages));
    let is_kept = |(index, message): (usize, &ChatMessage)| {
        index < system
            || (kept != KeptMessages::System && summary == Some(index))
            || message.is_sealed()
            || value_at(&input.protected, index)
            || (kept == KeptMessages::PinnedAndSummary && value_at(&input.pinned, index))
    };
    input.messages.iter().enumerate().map(is_kept).collect()
}

pub(super) fn is_notice(message: &ChatMessage) -> bool {
    message.created_as == Some(CreatedKind::Notice)
}

/// A cut keeps at most one summary.
pub(super) fn newest_summary(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().rposition(|message| message.created_as == Some(CreatedKind::Summary))
}

pub(super) fn value_at<T: Copy + Default>(values: &[T], place: usize) -> T {
    values.get(place).copied().unwrap_or_default()
}

/// For each place, the sum of the numbers from it to the end; 0 for the end itself.
pub(super) fn sums_from(numbers: impl DoubleEndedIterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    for number in numbers.rev() {
        sums.push(number + sums.last().copied().unwrap_or_default());
    }
    sums.reverse();
    sums
}
