//! Decides where a conversation may be divided: calls stay with their results, and a turn with its thinking.
//!
//! A *place* is an index at which the conversation may be divided: before the message of that index, or at the end.

use std::collections::{HashMap, HashSet};

use super::pairs::{CallPlace, Pairs};
use crate::compression::message::{ChatMessage, ChatRole, Linkage, ToolCall, newest_user_request};

/// Messages that must stay together (R7.4).
///
/// [`crate::conversation::pairing`] pairs calls and results by id; ids may repeat in every turn.
#[derive(Debug)]
pub struct Turns {
    /// For each place, the lowest message that must stay together with one at or after the place; or the place itself.
    lowest_joined: Vec<usize>,
    /// For each message, the lowest message of its group: those that it can't be sent without.
    group_of_message: Vec<usize>,
    /// For each assistant message without thinking, the newest message of its turn that has some and is before it.
    thinking_before: Vec<Option<usize>>,
    /// See [`Turns::thinking_cut_off_at`]; for a place outside any turn it may be a message after the place.
    thinking_cut_off: Vec<Option<usize>>,
    /// The messages of the current turn whose calls still lack results, ascending. A provider rejects a result whose call
    /// was removed.
    pub pending: Vec<usize>,
}

impl Turns {
    /// O(messages + calls + results).
    pub fn new(messages: &[ChatMessage]) -> Self {
        let links = Links::new(messages);
        let mut lowest_joined: Vec<usize> = (0..=messages.len()).collect();
        let mut group_of_message: Vec<usize> = (0..messages.len()).collect();
        let joined_items = (1..messages.len())
            .filter(|&index| messages.get(index).is_some_and(|message| message.linkage == Linkage::Joined))
            .map(|index| (index - 1, index));
        for (one, other) in links.call_and_result.iter().copied().chain(joined_items) {
            lower_to(&mut lowest_joined, one.max(other), one.min(other));
            join(&mut group_of_message, one, other);
        }
        let pending = links.pending(messages);
        let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
        if let Some(&call) = pending.last().filter(|call| Some(**call) == newest_assistant) {
            // The call's results are still to come, after all existing messages.
            lower_to(&mut lowest_joined, messages.len(), call);
        }
        for place in (0..messages.len()).rev() {
            let lowest_after = lowest_joined.get(place + 1).copied().unwrap_or(place);
            lower_to(&mut lowest_joined, place, lowest_after);
        }
        for index in 0..messages.len() {
            let lowest = root(&group_of_message, index);
            lower_to(&mut group_of_message, index, lowest);
        }
        let thinking_before = thinking_before(messages);
        let thinking_cut_off = thinking_cut_off(messages, &thinking_before);
        Self { lowest_joined, group_of_message, thinking_before, thinking_cut_off, pending }
    }

    /// The latest place at or before `place` that separates no call from its results, including results still to come.
    pub fn boundary_before(&self, place: usize) -> usize {
        let mut place = place.min(self.group_of_message.len());
        while let Some(&lowest) = self.lowest_joined.get(place)
            && lowest < place
        {
            place = lowest;
        }
        place
    }

    /// True if [`Turns::boundary_before`] returns `place` itself. O(1).
    pub fn is_boundary(&self, place: usize) -> bool {
        self.lowest_joined.get(place) == Some(&place)
    }

    /// Like [`Turns::boundary_before`], and the turn that continues after the place keeps its thinking: a provider
    /// rejects a turn whose first assistant message has lost it (EDGE 24). O(places passed over).
    pub fn boundary_with_thinking_before(&self, place: usize) -> usize {
        let mut place = self.boundary_before(place);
        while let Some(thinking) = self.thinking_cut_off_at(place) {
            place = self.boundary_before(thinking);
        }
        place
    }

    /// The thinking that a cut at `place` would separate from the first assistant message after it.
    pub fn thinking_cut_off_at(&self, place: usize) -> Option<usize> {
        self.thinking_cut_off.get(place).copied().flatten().filter(|&thinking| thinking < place)
    }

    /// The group of the thinking that a cut at `place` would separate from its turn.
    pub fn thinking_group_at(&self, place: usize) -> Option<usize> {
        self.thinking_cut_off_at(place).map(|thinking| self.group_of(thinking))
    }

    /// A number that a message shares with those that it can't be sent without, such as a call and all its results.
    pub fn group_of(&self, index: usize) -> usize {
        self.group_of_message.get(index).copied().unwrap_or(index)
    }

    /// [`Turns::whole_groups`] of `chosen`, plus the thinking that a chosen assistant message would lack as the first
    /// of its turn.
    pub fn whole_groups_with_thinking(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut is_chosen = self.whole_groups(chosen);
        for index in (0..is_chosen.len()).rev() {
            let thinking = self.thinking_before.get(index).copied().flatten();
            if is_chosen.get(index) == Some(&true)
                && let Some(slot) = thinking.and_then(|thinking| is_chosen.get_mut(thinking))
            {
                *slot = true;
            }
        }
        self.whole_groups(|index| is_chosen.get(index) == Some(&true))
    }

    /// For each message, true if it or a message of its group is `chosen`.
    pub fn whole_groups(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut is_group_chosen = vec![false; self.group_of_message.len()];
        for (index, &group) in self.group_of_message.iter().enumerate() {
            if chosen(index)
                && let Some(slot) = is_group_chosen.get_mut(group)
            {
                *slot = true;
            }
        }
        self.group_of_message.iter().map(|&group| is_group_chosen.get(group) == Some(&true)).collect()
    }
}

fn thinking_before(messages: &[ChatMessage]) -> Vec<Option<usize>> {
    let mut thinking = None;
    let mut thinking_before: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        let is_assistant = message.role == ChatRole::Assistant;
        if message.begins_turn() {
            thinking = None;
        }
        thinking_before.push(thinking.filter(|_| is_assistant && !message.has_thinking));
        if is_assistant && message.has_thinking {
            thinking = Some(index);
        }
    }
    thinking_before
}

fn thinking_cut_off(messages: &[ChatMessage], thinking_before: &[Option<usize>]) -> Vec<Option<usize>> {
    // The thinking before the first assistant message at or after the place.
    let mut thinking_before_next = None;
    let mut cut_off: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    for (message, &thinking) in messages.iter().zip(thinking_before).rev() {
        if message.role == ChatRole::Assistant {
            thinking_before_next = thinking;
        }
        cut_off.push(thinking_before_next);
    }
    cut_off.reverse();
    cut_off
}

/// Lowers `values[index]` to `limit` if it is greater.
fn lower_to(values: &mut [usize], index: usize, limit: usize) {
    if let Some(value) = values.get_mut(index) {
        *value = (*value).min(limit);
    }
}

/// The lowest message of the group, in a union-find forest: each message points at a lower one, a root at itself.
fn root(parents: &[usize], mut index: usize) -> usize {
    while let Some(&parent) = parents.get(index)
        && parent != index
    {
        index = parent;
    }
    index
}

/// Points all four messages at the lower root, which keeps the paths short.
fn join(parents: &mut [usize], one: usize, other: usize) {
    let (one_root, other_root) = (root(parents, one), root(parents, other));
    let lowest = one_root.min(other_root);
    for index in [one, other, one_root, other_root] {
        lower_to(parents, index, lowest);
    }
}

/// If a dialect's results aren't recognised, every call seems to lack one; so only this many of the newest messages with
/// such calls count.
const MAX_PENDING: usize = 8;

/// Which messages answer which, even if calls have no ids.
struct Links {
    /// Pairs of messages: the one that declares a call, the one that answers it.
    call_and_result: Vec<(usize, usize)>,
    answered: HashSet<CallPlace>,
    /// For each message with calls without an id (Ollama): how many results without an id follow it.
    results_without_id: HashMap<usize, usize>,
}

impl Links {
    fn new(messages: &[ChatMessage]) -> Self {
        let pairs = Pairs::new(messages);
        let (mut call_and_result, mut answered) = (Vec::new(), HashSet::new());
        for index in 0..messages.len() {
            for place in pairs.places_answered_by(index) {
                call_and_result.push((place.message, index));
                answered.insert(place);
            }
        }
        let mut links = Self { call_and_result, answered, results_without_id: HashMap::new() };
        links.link_results_without_id(messages);
        links
    }

    /// A result without an id answers the calls that it directly follows.
    fn link_results_without_id(&mut self, messages: &[ChatMessage]) {
        let mut message_with_calls = None;
        for (index, message) in messages.iter().enumerate() {
            if message.role != ChatRole::Tool {
                message_with_calls = message.calls.iter().any(|call| call.id.is_empty()).then_some(index);
            } else if let Some(declared_by) = message_with_calls
                && message.answers.iter().all(String::is_empty)
            {
                self.call_and_result.push((declared_by, index));
                *self.results_without_id.entry(declared_by).or_default() += 1;
            }
        }
    }

    fn pending(&self, messages: &[ChatMessage]) -> Vec<usize> {
        let request = newest_user_request(messages).unwrap_or(0);
        // A user may write while tools run.
        let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
        let first = request.min(newest_assistant.unwrap_or(request));
        let pending = (first..messages.len()).rev().filter(|&index| self.lacks_results(messages, index));
        let mut newest: Vec<usize> = pending.take(MAX_PENDING).collect();
        newest.reverse();
        newest
    }

    fn lacks_results(&self, messages: &[ChatMessage], index: usize) -> bool {
        let calls = messages.get(index).map_or(&[][..], |message| &message.calls);
        let calls_without_id = calls.iter().filter(|call| call.id.is_empty()).count();
        let is_unanswered = |(call, declared): (usize, &ToolCall)| {
            !declared.id.is_empty() && !self.answered.contains(&CallPlace { message: index, call })
        };
        let results_without_id = self.results_without_id.get(&index).copied().unwrap_or(0);
        calls.iter().enumerate().any(is_unanswered) || results_without_id < calls_without_id
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
