//! Decides which message answers which call, and where a conversation may be divided: calls stay with their results,
//! and a turn with its thinking. A *place* is where it may be divided: before the message of that index, or at the end.

use std::collections::{HashMap, HashSet};

use crate::compression::message::{ChatMessage, ChatRole, ToolCall, newest_user_request};
use crate::conversation::pairing::calls_by_row;
use crate::conversation::{Call, Conversation, NONE, Row, RowKind};

/// Messages that must stay together (R7.4).
#[derive(Debug)]
pub struct Turns {
    /// For each place, the lowest message that can't be separated from one at or after it; or the place itself.
    lowest_joined: Vec<usize>,
    /// For each message, the lowest one of its group: those that it can't be sent without.
    group_of_message: Vec<usize>,
    /// For each assistant message without thinking, the newest message of its turn that has some and is before it.
    thinking_before: Vec<Option<usize>>,
    /// See [`Turns::thinking_cut_off_at`]; for a place outside any turn it may be a message after the place.
    thinking_cut_off: Vec<Option<usize>>,
    /// The messages of the current turn whose calls still lack results, ascending. A provider rejects a result whose
    /// call was removed.
    pub pending: Vec<usize>,
}

impl Turns {
    pub fn new(messages: &[ChatMessage]) -> Self {
        let (links, lacks_results) = links_of(messages);
        let mut lowest_joined: Vec<usize> = (0..=messages.len()).collect();
        let mut group_of_message: Vec<usize> = (0..messages.len()).collect();
        let is_joined = |&(_, index): &(usize, usize)| messages.get(index).is_some_and(|message| message.is_joined);
        let joined_items = (0..).zip(1..messages.len()).filter(is_joined);
        for (one, other) in links.into_iter().chain(joined_items) {
            lower_to(&mut lowest_joined, one.max(other), one.min(other));
            join(&mut group_of_message, one, other);
        }
        let pending = pending(messages, &lacks_results);
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
    /// rejects a turn whose first assistant message has lost it (EDGE 24).
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

    pub fn thinking_group_at(&self, place: usize) -> Option<usize> {
        self.thinking_cut_off_at(place).map(|thinking| self.group_of(thinking))
    }

    /// A number that a message shares with those that it can't be sent without, such as a call and all its results.
    pub fn group_of(&self, index: usize) -> usize {
        self.group_of_message.get(index).copied().unwrap_or(index)
    }

    /// [`Turns::whole_groups`], with the thinking that a chosen message would lack as the first of its turn.
    pub fn whole_groups_with_thinking(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let is_chosen = self.whole_groups(chosen);
        let chosen_thinking = self.thinking_before.iter().zip(&is_chosen).filter(|(_, is_chosen)| **is_chosen);
        let thinking: HashSet<usize> = chosen_thinking.filter_map(|(thinking, _)| *thinking).collect();
        self.whole_groups(|index| is_chosen.get(index) == Some(&true) || thinking.contains(&index))
    }

    /// For each message, true if it or a message of its group is `chosen`.
    pub fn whole_groups(&self, chosen: impl Fn(usize) -> bool) -> Vec<bool> {
        let groups = self.group_of_message.iter().enumerate().filter(|(index, _)| chosen(*index));
        let chosen_groups: HashSet<usize> = groups.map(|(_, &group)| group).collect();
        self.group_of_message.iter().map(|group| chosen_groups.contains(group)).collect()
    }
}

fn thinking_before(messages: &[ChatMessage]) -> Vec<Option<usize>> {
    let mut thinking = None;
    let before = messages.iter().enumerate().map(|(index, message)| match message.role {
        ChatRole::Assistant if message.has_thinking => {
            thinking = Some(index);
            None
        }
        ChatRole::Assistant => thinking,
        _ => {
            thinking = thinking.filter(|_| !message.begins_turn());
            None
        }
    });
    before.collect()
}

fn thinking_cut_off(messages: &[ChatMessage], thinking_before: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut cut_off = thinking_before.to_vec();
    let mut thinking_before_next = None;
    for (message, cut_off) in messages.iter().zip(&mut cut_off).rev() {
        thinking_before_next = if message.role == ChatRole::Assistant { *cut_off } else { thinking_before_next };
        *cut_off = thinking_before_next;
    }
    cut_off
}

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

/// Pairs of messages, one that declares a call and one that answers it; and for each message, whether a call lacks its
/// result.
fn links_of(messages: &[ChatMessage]) -> (Vec<(usize, usize)>, Vec<bool>) {
    let pairs = Pairs::new(messages);
    let (mut links, mut answered) = (Vec::new(), HashSet::new());
    for index in 0..messages.len() {
        links.extend(pairs.places_answered_by(index).map(|place| (place.message, index)));
        answered.extend(pairs.places_answered_by(index));
    }
    // A result without an id (Ollama) answers the calls that it directly follows.
    let mut results_without_id: HashMap<usize, usize> = HashMap::new();
    let mut message_with_calls = None;
    for (index, message) in messages.iter().enumerate() {
        if message.role != ChatRole::Tool {
            message_with_calls = message.calls.iter().any(|call| call.id.is_empty()).then_some(index);
        } else if let Some(declared_by) = message_with_calls
            && message.answers.iter().all(String::is_empty)
        {
            links.push((declared_by, index));
            *results_without_id.entry(declared_by).or_default() += 1;
        }
    }
    let lacks_results = |(message, ChatMessage { calls, .. }): (usize, &ChatMessage)| {
        let without_id = calls.iter().filter(|call| call.id.is_empty()).count();
        let is_answered = |(call, ToolCall { id, .. }): (usize, &ToolCall)| {
            id.is_empty() || answered.contains(&CallPlace { message, call })
        };
        let results = results_without_id.get(&message).copied().unwrap_or(0);
        !calls.iter().enumerate().all(is_answered) || results < without_id
    };
    let lacks_results = messages.iter().enumerate().map(lacks_results).collect();
    (links, lacks_results)
}

/// If a dialect's results aren't recognised, every call seems to lack one; so only this many of the newest messages
/// with such calls count.
const MAX_PENDING: usize = 8;

fn pending(messages: &[ChatMessage], lacks_results: &[bool]) -> Vec<usize> {
    let request = newest_user_request(messages).unwrap_or(0);
    // A user may write while tools run.
    let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
    let first = request.min(newest_assistant.unwrap_or(request));
    let mut pending: Vec<usize> =
        (first..messages.len()).filter(|&index| lacks_results.get(index) == Some(&true)).collect();
    pending.drain(..pending.len().saturating_sub(MAX_PENDING));
    pending
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CallPlace {
    message: usize,
    call: usize,
}

/// Which calls each message answers.
pub struct Pairs<'m> {
    messages: &'m [ChatMessage],
    answered_by_message: Vec<Vec<CallPlace>>,
}

impl<'m> Pairs<'m> {
    /// By [`calls_by_row`], for which each result of a message is a row. O(messages + calls + results).
    pub fn new(messages: &'m [ChatMessage]) -> Self {
        let mut id_numbers: HashMap<&str, u32> = HashMap::new();
        let mut conversation = Conversation::default();
        let (mut message_of_row, mut place_of_call) = (Vec::new(), Vec::new());
        for (index, message) in messages.iter().enumerate() {
            place_of_call.extend((0..message.calls.len()).map(|call| CallPlace { message: index, call }));
            let calls = message.calls.iter();
            let calls = calls.map(|call| Call { id: id_number(&mut id_numbers, &call.id), name: NONE, settled: false });
            let calls: Vec<Call> = calls.collect();
            let kind = if calls.is_empty() { RowKind::Other } else { RowKind::Assistant };
            conversation.push(Row::new(kind, NONE), calls);
            for id in &message.answers {
                conversation.push(Row::new(RowKind::Tool, id_number(&mut id_numbers, id)), []);
            }
            message_of_row.extend(std::iter::repeat_n(index, 1 + message.answers.len()));
        }
        let mut answered_by_message = vec![Vec::new(); messages.len()];
        for (message, call) in message_of_row.into_iter().zip(calls_by_row(&conversation)) {
            let place = usize::try_from(call).ok().and_then(|call| place_of_call.get(call));
            if let (Some(answered), Some(&place)) = (answered_by_message.get_mut(message), place) {
                answered.push(place);
            }
        }
        Self { messages, answered_by_message }
    }

    fn places_answered_by(&self, index: usize) -> impl Iterator<Item = CallPlace> + '_ {
        self.answered_by_message.get(index).into_iter().flatten().copied()
    }

    pub fn calls_answered_by(&self, index: usize) -> impl Iterator<Item = &'m ToolCall> {
        self.places_answered_by(index).filter_map(|place| self.messages.get(place.message)?.calls.get(place.call))
    }
}

/// The number of `id`, the same for equal ids; [`NONE`] for an empty id.
fn id_number<'m>(id_numbers: &mut HashMap<&'m str, u32>, id: &'m str) -> u32 {
    if id.is_empty() {
        return NONE;
    }
    let next = u32::try_from(id_numbers.len()).unwrap_or(NONE);
    *id_numbers.entry(id).or_insert(next)
}

#[cfg(test)]
mod tests;
