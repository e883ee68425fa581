//! Decides where a conversation may be divided: calls stay with their results, and a turn with its thinking.

use std::collections::{HashMap, HashSet};

use super::pairs::{CallPlace, Pairs};
use super::requests::{begins_turn, newest_request};
use crate::compression::message::{ChatMessage, ChatRole, Linkage, ToolCall};

/// Messages that must stay together (R7.4).
///
/// [`crate::conversation::pairing`] pairs calls and results by id; ids may repeat in every turn.
#[derive(Debug)]
pub struct Turns {
    /// For each place, the lowest message that is paired with one at or after it, or the place itself.
    lowest_pair: Vec<usize>,
    groups: Vec<usize>,
    /// For each assistant message without thinking, the newest message of its turn that has some and is before it.
    thinking_before: Vec<Option<usize>>,
    /// See [`Turns::thinking_cut_off_at`]; for a place outside any turn it may be a message after the place.
    thinking_cut_off: Vec<Option<usize>>,
    pending: Vec<usize>,
}

impl Turns {
    /// O(messages + calls + results).
    pub fn new(messages: &[ChatMessage]) -> Self {
        let pairs = Links::new(messages);
        let mut lowest_pair: Vec<usize> = (0..=messages.len()).collect();
        let mut groups: Vec<usize> = (0..messages.len()).collect();
        for &(call, result) in &pairs.linked {
            lower(&mut lowest_pair, call.max(result), call.min(result));
            join(&mut groups, call, result);
        }
        let is_joined =
            |index: &usize| messages.get(*index).is_some_and(|message| message.linkage == Linkage::Joined);
        for index in (1..messages.len()).filter(is_joined) {
            lower(&mut lowest_pair, index, index - 1);
            join(&mut groups, index, index - 1);
        }
        let pending = pairs.pending(messages);
        let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
        if let Some(&call) = pending.last().filter(|call| Some(**call) == newest_assistant) {
            // The call's results are still to come, after all existing messages.
            lower(&mut lowest_pair, messages.len(), call);
        }
        for place in (0..messages.len()).rev() {
            let above = lowest_pair.get(place + 1).copied().unwrap_or(place);
            lower(&mut lowest_pair, place, above);
        }
        for index in 0..messages.len() {
            // A group's lowest message comes before all its others, so its own entry is already final.
            let settled = groups.get(index).and_then(|&lower| groups.get(lower)).copied().unwrap_or(index);
            lower(&mut groups, index, settled);
        }
        let thinking_before = thinking_before(messages);
        let thinking_cut_off = thinking_cut_off(messages, &thinking_before);
        Self { lowest_pair, groups, thinking_before, thinking_cut_off, pending }
    }

    /// The calls of the current turn that await results, ascending. A provider rejects a result whose call was removed.
    pub fn pending(&self) -> &[usize] {
        &self.pending
    }

    /// The newest message with thinking before `index` in its turn, if `index` is an assistant message without
    /// thinking. The two must stay together if `index` becomes the turn's first message.
    pub fn thinking_before(&self, index: usize) -> Option<usize> {
        self.thinking_before.get(index).copied().flatten()
    }

    /// The latest place at or before `place` that separates no call from its results, including results still to come.
    pub fn boundary_before(&self, place: usize) -> usize {
        let mut place = place.min(self.groups.len());
        while let Some(&lowest) = self.lowest_pair.get(place)
            && lowest < place
        {
            place = lowest;
        }
        place
    }

    /// True if [`Turns::boundary_before`] returns `place` itself. O(1).
    pub fn is_boundary(&self, place: usize) -> bool {
        self.lowest_pair.get(place) == Some(&place)
    }

    /// Like [`Turns::boundary_before`], and the turn that continues after the place keeps its thinking: a provider rejects a
    /// turn whose first assistant message has lost it (EDGE 24). O(places passed over).
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

    /// A number that a message shares with those that it can't be sent without: a call with all its results.
    pub fn group_of(&self, index: usize) -> usize {
        self.groups.get(index).copied().unwrap_or(index)
    }

    /// [`Turns::whole_groups`] of `chosen`, plus the thinking that a chosen assistant message would lack as the first
    /// of its turn.
    pub fn whole_groups_with_thinking(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut whole = self.whole_groups(chosen);
        for index in (0..whole.len()).rev() {
            if whole.get(index) == Some(&true)
                && let Some(slot) = self.thinking_before(index).and_then(|thinking| whole.get_mut(thinking))
            {
                *slot = true;
            }
        }
        self.whole_groups(|index| whole.get(index) == Some(&true))
    }

    /// For each message, true if it or a message of its group is `chosen`.
    pub fn whole_groups(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut is_chosen = vec![false; self.groups.len()];
        for (index, &group) in self.groups.iter().enumerate() {
            if chosen(index)
                && let Some(slot) = is_chosen.get_mut(group)
            {
                *slot = true;
            }
        }
        self.groups.iter().map(|&group| is_chosen.get(group).copied().unwrap_or(false)).collect()
    }
}

fn thinking_before(messages: &[ChatMessage]) -> Vec<Option<usize>> {
    let mut thinking = None;
    let mut before: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        let is_assistant = message.role == ChatRole::Assistant;
        if begins_turn(message) {
            thinking = None;
        }
        before.push(thinking.filter(|_| is_assistant && !message.has_thinking));
        if is_assistant && message.has_thinking {
            thinking = Some(index);
        }
    }
    before
}

fn thinking_cut_off(messages: &[ChatMessage], thinking_before: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut of_first_assistant = None;
    let mut cut_off: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    for (message, &thinking) in messages.iter().zip(thinking_before).rev() {
        if message.role == ChatRole::Assistant {
            of_first_assistant = thinking;
        }
        cut_off.push(of_first_assistant);
    }
    cut_off.reverse();
    cut_off
}

fn lower(places: &mut [usize], place: usize, to: usize) {
    if let Some(slot) = places.get_mut(place) {
        *slot = (*slot).min(to);
    }
}

fn root(groups: &[usize], mut index: usize) -> usize {
    while let Some(&lower) = groups.get(index)
        && lower != index
    {
        index = lower;
    }
    index
}

/// Points all four entries at the lower root, which keeps the paths short.
fn join(groups: &mut [usize], a: usize, b: usize) {
    let (root_a, root_b) = (root(groups, a), root(groups, b));
    let lowest = root_a.min(root_b);
    for index in [a, b, root_a, root_b] {
        lower(groups, index, lowest);
    }
}

/// If a dialect's results aren't recognised, every call looks open; so only this many of the newest count.
const MAX_PENDING: usize = 8;

/// Which messages answer which, even if calls have no ids.
struct Links {
    /// Pairs of messages: the one that declares a call, the one that answers it.
    linked: Vec<(usize, usize)>,
    answered: HashSet<CallPlace>,
    /// For each message whose calls have no id (Ollama): how many results without an id follow it.
    nameless: HashMap<usize, usize>,
}

impl Links {
    fn new(messages: &[ChatMessage]) -> Self {
        let pairs = Pairs::new(messages);
        let answers = |index| pairs.places_answered_by(index).map(move |place| (place, index));
        let (mut linked, mut answered) = (Vec::new(), HashSet::new());
        for (place, index) in (0..messages.len()).flat_map(answers) {
            linked.push((place.message, index));
            answered.insert(place);
        }
        let mut links = Self { linked, answered, nameless: HashMap::new() };
        links.link_nameless(messages);
        links
    }

    /// A result without an id answers the calls that it directly follows.
    fn link_nameless(&mut self, messages: &[ChatMessage]) {
        let mut without_ids = None;
        for (index, message) in messages.iter().enumerate() {
            if message.role != ChatRole::Tool {
                without_ids = message.calls.iter().any(|call| call.id.is_empty()).then_some(index);
            } else if let Some(call) = without_ids
                && message.answers.iter().all(String::is_empty)
            {
                self.linked.push((call, index));
                *self.nameless.entry(call).or_default() += 1;
            }
        }
    }

    fn pending(&self, messages: &[ChatMessage]) -> Vec<usize> {
        let begins = newest_request(messages).unwrap_or(0);
        // A user may write while tools run.
        let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
        let begins = begins.min(newest_assistant.unwrap_or(begins));
        let open = (begins..messages.len()).rev().filter(|&index| self.is_open(messages, index));
        let mut newest: Vec<usize> = open.take(MAX_PENDING).collect();
        newest.reverse();
        newest
    }

    fn is_open(&self, messages: &[ChatMessage], index: usize) -> bool {
        let calls = messages.get(index).map_or(&[][..], |message| &message.calls);
        let nameless = calls.iter().filter(|call| call.id.is_empty()).count();
        let is_open = |(call, declared): (usize, &ToolCall)| {
            !declared.id.is_empty() && !self.answered.contains(&CallPlace { message: index, call })
        };
        calls.iter().enumerate().any(is_open) || self.nameless.get(&index).copied().unwrap_or(0) < nameless
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
