//! Decides which messages may be removed, which may be shortened, and at which places (see `hard_limit.rs`) the
//! history may be cut.

use super::shorten::CuttableText;
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, MAX_FORMAT_TOKENS, start_of_newest};
use crate::compression::plan::turns::Turns;
use crate::compression::plan::{head_len, pinned_flags, system_len};

/// The messages, and what a cut must know about each of them.
pub(super) struct CutInput<'m> {
    pub messages: &'m [ChatMessage],
    pub turns: Turns,
    pub pinned: Vec<bool>,
    /// For each message, whether it is never removed to make room for others.
    pub protected: Vec<bool>,
    /// The current user request; `None` if it may be removed like any other message.
    pub request: Option<usize>,
    /// Tokens that a prompt takes in addition to its messages.
    pub fixed_tokens: f64,
    pub total_tokens: f64,
}

impl<'m> CutInput<'m> {
    pub fn new(messages: &'m [ChatMessage], fixed_tokens: f64, request: Option<usize>) -> Self {
        let turns = Turns::new(messages);
        let pinned = pinned_flags(messages, &turns);
        let protected = protected_flags(messages, &turns, request);
        let total_tokens = fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>();
        Self { messages, turns, pinned, protected, request, fixed_tokens, total_tokens }
    }

    /// The places at which the history may be cut, ascending: those that keep at most the current turn, or the newest
    /// `keep_recent` messages if that is more, and at least the newest group.
    pub fn cut_places(&self, keep_recent: usize) -> Vec<usize> {
        let len = self.messages.len();
        let first = self.recent_start(keep_recent).min(self.turn_start());
        // The new notice replaces an earlier one, and the newest messages don't extend across it: without a notice two
        // turns would become one.
        let after_notice = self.messages.iter().rposition(is_notice).map_or(0, |notice| notice + 1);
        let first = first.max(head_len(self.messages)).max(after_notice);
        (first..len).filter(|&place| self.turns.is_boundary(place)).collect()
    }

    /// The start of the newest `keep_recent` messages, or of the group that the first of them belongs to.
    pub fn recent_start(&self, keep_recent: usize) -> usize {
        self.turns.boundary_before(start_of_newest(self.messages, keep_recent.max(1)))
    }

    /// The start of the current turn; 0 if its request has become part of a summary.
    pub fn turn_start(&self) -> usize {
        self.request.map_or(0, |request| self.turns.boundary_before(request))
    }

    pub fn system_tokens(&self) -> f64 {
        let system = self.messages.iter().take(system_len(self.messages));
        self.fixed_tokens + system.map(|message| message.tokens).sum::<f64>()
    }

    pub fn pending_tokens(&self) -> f64 {
        let pending = self.turns.pending.iter().filter_map(|&index| self.messages.get(index));
        pending.map(|message| message.tokens).sum()
    }

    /// `None` for messages that must not be shortened: pinned ones, and those with thinking, which must be sent back
    /// byte for byte (EDGE 24). A protected message may lose the text next to its thinking, since a prompt above the
    /// limit can't be sent at all.
    pub fn cuttable_text(&self, index: usize) -> Option<CuttableText> {
        let message = self.messages.get(index)?;
        let is_original = message.created_as.is_none() && message.role != ChatRole::System;
        let may_lose_text = !message.has_thinking || is_set(&self.protected, index);
        let may_change = Some(index) == self.request || !is_set(&self.pinned, index);
        (is_original && may_lose_text && may_change).then(|| CuttableText::new(index, message))
    }

    pub fn has_request_with_results(&self) -> bool {
        let request = self.request.and_then(|request| self.messages.get(request));
        request.is_some_and(|message| !message.answers.is_empty())
    }

    /// The current request as a text of which everything may be cut, also the user's words next to results.
    pub fn whole_request(&self) -> Option<CuttableText> {
        let request = self.request?;
        let all_cuttable = ChatMessage { units_beside_results: 0, ..self.messages.get(request)?.clone() };
        Some(CuttableText::new(request, &all_cuttable))
    }

    pub const fn len(&self) -> usize {
        self.messages.len()
    }
}

/// For each message, whether it is never removed: the groups of the request and of calls in flight, and the thinking that
/// must come first in their turn. Also empty messages after the request that begin a turn: without them, turns would
/// merge.
fn protected_flags(messages: &[ChatMessage], turns: &Turns, request: Option<usize>) -> Vec<bool> {
    let is_empty_turn_start = |index: usize| {
        request.is_some_and(|request| index > request)
            && messages.get(index).is_some_and(|message| {
                message.created_as.is_none() && message.tokens <= MAX_FORMAT_TOKENS && message.begins_turn()
            })
    };
    turns.whole_groups_with_thinking(|index| {
        request == Some(index) || turns.pending.contains(&index) || is_empty_turn_start(index)
    })
}

pub(super) fn is_notice(message: &ChatMessage) -> bool {
    message.created_as == Some(CreatedKind::Notice)
}

pub(super) fn is_set(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}
