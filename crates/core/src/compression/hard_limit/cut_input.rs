//! Decides which messages may be removed, which may be shortened, and where the newest messages may begin.

use super::shorten::Text;
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, start_of_newest};
use crate::compression::plan::turns::Turns;
use crate::compression::plan::user_requests::begins_turn;
use crate::compression::plan::{head_len, pinned_flags, system_len};

/// A message with more tokens than this has words: the chat format alone takes less.
const MAX_TOKENS_OF_EMPTY: f64 = 32.0;

pub(super) struct CutInput<'m> {
    pub messages: &'m [ChatMessage],
    pub turns: Turns,
    pub pinned: Vec<bool>,
    /// The current request and calls in flight, with the messages that they can't be sent without. They are never
    /// removed to make room for others.
    pub protected: Vec<bool>,
    pub request: Option<usize>,
    pub fixed_tokens: f64,
    pub total_tokens: f64,
}

impl<'m> CutInput<'m> {
    /// Without a `request` the current request may be removed like any other message.
    pub fn new(messages: &'m [ChatMessage], fixed_tokens: f64, request: Option<usize>) -> Self {
        let turns = Turns::new(messages);
        let pinned = pinned_flags(messages, &turns);
        let protected = protected(messages, &turns, request);
        let total_tokens = fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>();
        Self { messages, turns, pinned, protected, request, fixed_tokens, total_tokens }
    }

    /// Where the newest messages may begin, ascending: from the current request on, or with `keep_recent` messages if
    /// that is more; at least the newest group.
    pub fn places(&self, keep_recent: usize) -> Vec<usize> {
        let len = self.messages.len();
        let first = self.newest(keep_recent).min(self.turn_start());
        // The new notice replaces an earlier one, and the newest messages don't extend across it: without a notice two
        // turns would become one.
        let after_notice = self.messages.iter().rposition(is_notice).map_or(0, |notice| notice + 1);
        let first = first.max(head_len(self.messages)).max(after_notice);
        (first..len).filter(|&place| self.turns.is_boundary(place)).collect()
    }

    /// The start of the newest `keep_recent` messages, or of the group that the first of them belongs to.
    pub fn newest(&self, keep_recent: usize) -> usize {
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
        let pending = self.turns.pending().iter().filter_map(|&index| self.messages.get(index));
        pending.map(|message| message.tokens).sum()
    }

    /// `None` for messages that must not be shortened: pinned ones, and those with thinking, which must be sent back
    /// byte for byte (EDGE 24). A protected message may lose the text next to its thinking, since a request above the
    /// limit can't be sent at all.
    pub fn text(&self, index: usize) -> Option<Text> {
        let message = self.messages.get(index)?;
        let is_plain = message.created_as.is_none() && message.role != ChatRole::System;
        let is_plain = is_plain && (!message.has_thinking || is(&self.protected, index));
        let is_open = is_plain && (Some(index) == self.request || !is(&self.pinned, index));
        is_open.then(|| Text::new(index, message))
    }

    pub fn is_request_with_results(&self) -> bool {
        let request = self.request.and_then(|request| self.messages.get(request));
        request.is_some_and(|message| !message.answers.is_empty())
    }

    /// The current request, including the words next to its results.
    pub fn whole_request(&self) -> Option<Text> {
        let request = self.request?;
        let words = ChatMessage { units_outside_results: 0, ..self.messages.get(request)?.clone() };
        Some(Text::new(request, &words))
    }

    pub const fn len(&self) -> usize {
        self.messages.len()
    }
}

/// The messages that are never removed: the groups of the request and of calls in flight, and the thinking that must come first
/// in their turn. Also all messages after the request that begin a turn, such as empty ones: without them, turns would merge.
fn protected(messages: &[ChatMessage], turns: &Turns, request: Option<usize>) -> Vec<bool> {
    let begins_small_turn = |index: usize| {
        request.is_some_and(|request| index > request)
            && messages.get(index).is_some_and(|message| {
                message.created_as.is_none() && message.tokens <= MAX_TOKENS_OF_EMPTY && begins_turn(message)
            })
    };
    turns.whole_groups_with_thinking(|index| {
        request == Some(index) || turns.pending().contains(&index) || begins_small_turn(index)
    })
}

pub(super) fn is_notice(message: &ChatMessage) -> bool {
    message.created_as == Some(CreatedKind::Notice)
}

pub(super) fn is(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}
