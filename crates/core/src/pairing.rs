//! Decides which tool result answers which declared call, and which of either are orphans.

use crate::conversation::{Conversation, Kind, NONE};

/// What is known of a growing conversation's pairs, brought up to date message by message.
#[derive(Debug, Default)]
pub struct Pairing {
    /// Messages told so far.
    rows: usize,
    /// For each id, how often it is declared and answered.
    declared: Vec<u32>,
    answered: Vec<u32>,
    /// Ids that have one and not the other.
    unpaired: usize,
    latest: Vec<u32>,
    resolved: Vec<u32>,
    /// A result stands before its call: `resolved` must be worked out from both ends.
    reversed: bool,
}

impl Pairing {
    /// Takes in the messages that `conversation` has gained. O(new messages).
    pub fn extend(&mut self, conversation: &Conversation) {
        for index in self.rows..conversation.len() {
            let Some(row) = conversation.row(index) else { continue };
            self.resolved.push(NONE);
            match row.kind {
                Kind::Assistant => {
                    for call in conversation.calls_of(index) {
                        self.declare(conversation, call);
                    }
                }
                Kind::Tool if row.call_id != NONE => self.answer(index, row.call_id),
                _ => {}
            }
        }
        self.rows = conversation.len();
        if self.reversed {
            self.resolved = resolve(conversation, |_| true);
        }
    }

    /// Forgets everything, to be told again: the conversation was rewound.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// True when what a row answers may change as messages come.
    #[must_use]
    pub fn is_reversed(&self) -> bool {
        self.reversed
    }

    /// For every row, the index of the call that it answers, or [`NONE`]; see [`resolve`].
    #[must_use]
    pub fn resolved(&self) -> &[u32] {
        &self.resolved
    }

    /// The rows that a provider would reject; see [`orphans`]. O(1) where every call has its result.
    #[must_use]
    pub fn orphans(&self, conversation: &Conversation) -> Vec<usize> {
        if self.unpaired == 0 { Vec::new() } else { orphans(conversation) }
    }

    fn declare(&mut self, conversation: &Conversation, call: usize) {
        let Some(id) = conversation.call(call).map(|call| call.id).filter(|&id| id != NONE) else { return };
        let answered = self.slot(id, true);
        self.reversed |= answered;
        declare(conversation, call, &mut self.latest);
    }

    fn answer(&mut self, index: usize, id: u32) {
        self.slot(id, false);
        if let (Some(slot), Some(&call)) = (self.resolved.get_mut(index), self.latest.get(id as usize)) {
            *slot = call;
        }
    }

    /// Counts a use of `id`; true when a first declaration finds results already there.
    fn slot(&mut self, id: u32, declares: bool) -> bool {
        let slot = id as usize;
        if self.declared.len() <= slot {
            self.declared.resize(slot + 1, 0);
            self.answered.resize(slot + 1, 0);
        }
        let (Some(calls), Some(results)) = (self.declared.get_mut(slot), self.answered.get_mut(slot)) else {
            return false;
        };
        let before = (*calls == 0) != (*results == 0);
        let first_declaration = declares && *calls == 0;
        *(if declares { &mut *calls } else { &mut *results }) += 1;
        let after = (*calls == 0) != (*results == 0);
        self.unpaired = self.unpaired + usize::from(after) - usize::from(before);
        first_declaration && *results > 0
    }
}

/// For every row, the index of the call that it answers, or [`NONE`].
///
/// Providers that number calls per turn reuse ids (`call_0` in every turn), so an id alone does not name a
/// call: the nearest declaration at or before the result is meant, and only where there is none the first one
/// after it. Rows for which `live` is false neither declare nor answer. O(rows + calls).
#[must_use]
pub fn resolve(conversation: &Conversation, live: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut resolved = vec![NONE; conversation.len()];
    let mut latest: Vec<u32> = Vec::new();
    let mut waiting: Vec<(usize, u32)> = Vec::new();
    for (index, row) in conversation.rows().iter().enumerate() {
        if !live(index) {
            continue;
        }
        match row.kind {
            Kind::Assistant => {
                for call in conversation.calls_of(index) {
                    declare(conversation, call, &mut latest);
                }
            }
            Kind::Tool if row.call_id != NONE => match latest.get(row.call_id as usize) {
                Some(&call) if call != NONE => {
                    if let Some(slot) = resolved.get_mut(index) {
                        *slot = call;
                    }
                }
                _ => waiting.push((index, row.call_id)),
            },
            _ => {}
        }
    }
    if !waiting.is_empty() {
        resolve_backwards(conversation, &live, &waiting, &mut resolved);
    }
    resolved
}

fn declare(conversation: &Conversation, call: usize, latest: &mut Vec<u32>) {
    let (Some(declared), Ok(number)) = (conversation.call(call), u32::try_from(call)) else { return };
    if declared.id == NONE {
        return;
    }
    let slot = declared.id as usize;
    if latest.len() <= slot {
        latest.resize(slot + 1, NONE);
    }
    if let Some(entry) = latest.get_mut(slot) {
        *entry = number;
    }
}

/// Results that stand before their call: the first declaration of the id is the one after them.
fn resolve_backwards(
    conversation: &Conversation,
    live: &impl Fn(usize) -> bool,
    waiting: &[(usize, u32)],
    resolved: &mut [u32],
) {
    let mut first: Vec<u32> = Vec::new();
    for index in (0..conversation.len()).rev().filter(|&index| live(index)) {
        for call in conversation.calls_of(index).rev() {
            declare(conversation, call, &mut first);
        }
    }
    for &(index, id) in waiting {
        if let (Some(slot), Some(&call)) = (resolved.get_mut(index), first.get(id as usize)) {
            *slot = call;
        }
    }
}

/// The rows that a provider would reject, ascending: assistant messages with a call that has no result, and
/// results whose call is not declared, until nothing changes (SPEC R3.1).
///
/// Only ids decide, not order or adjacency; calls and results without an id are left alone. O(rows + calls).
#[must_use]
pub fn orphans(conversation: &Conversation) -> Vec<usize> {
    let ids = IdUse::collect(conversation);
    let mut sweep =
        Sweep { conversation, dropped: vec![false; conversation.len()], ids, pending: Vec::new() };
    for id in 0..sweep.ids.len() {
        sweep.check(id);
    }
    while let Some(index) = sweep.pending.pop() {
        sweep.drop_row(index);
    }
    sweep.dropped.iter().enumerate().filter_map(|(index, &dropped)| dropped.then_some(index)).collect()
}

/// Who declares and who answers each id.
#[derive(Default)]
struct IdUse {
    declared_by: Vec<Vec<usize>>,
    answered_by: Vec<Vec<usize>>,
    declared: Vec<usize>,
    answered: Vec<usize>,
}

impl IdUse {
    fn collect(conversation: &Conversation) -> Self {
        let mut ids = Self::default();
        for (index, row) in conversation.rows().iter().enumerate() {
            match row.kind {
                Kind::Tool if row.call_id != NONE => ids.note(row.call_id, index, false),
                Kind::Assistant => {
                    for call in conversation.calls_of(index) {
                        match conversation.call(call) {
                            Some(declared) if declared.id != NONE => ids.note(declared.id, index, true),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        ids.declared = ids.declared_by.iter().map(Vec::len).collect();
        ids.answered = ids.answered_by.iter().map(Vec::len).collect();
        ids
    }

    fn note(&mut self, id: u32, index: usize, declares: bool) {
        let slot = id as usize;
        if self.declared_by.len() <= slot {
            self.declared_by.resize_with(slot + 1, Vec::new);
            self.answered_by.resize_with(slot + 1, Vec::new);
        }
        let users = if declares { self.declared_by.get_mut(slot) } else { self.answered_by.get_mut(slot) };
        if let Some(users) = users {
            users.push(index);
        }
    }

    fn len(&self) -> usize {
        self.declared_by.len()
    }
}

struct Sweep<'c> {
    conversation: &'c Conversation,
    dropped: Vec<bool>,
    ids: IdUse,
    pending: Vec<usize>,
}

impl Sweep<'_> {
    /// Condemns whoever uses `id` without a counterpart.
    fn check(&mut self, id: usize) {
        let declared = self.ids.declared.get(id).copied().unwrap_or(0);
        let answered = self.ids.answered.get(id).copied().unwrap_or(0);
        if answered == 0 && declared > 0 {
            self.pending.extend(self.ids.declared_by.get(id).into_iter().flatten());
        }
        if declared == 0 && answered > 0 {
            self.pending.extend(self.ids.answered_by.get(id).into_iter().flatten());
        }
    }

    fn drop_row(&mut self, index: usize) {
        match self.dropped.get_mut(index) {
            Some(dropped) if !*dropped => *dropped = true,
            _ => return,
        }
        let Some(row) = self.conversation.row(index) else { return };
        if row.kind == Kind::Tool {
            self.release(row.call_id, false);
        }
        for call in self.conversation.calls_of(index) {
            if let Some(declared) = self.conversation.call(call) {
                self.release(declared.id, true);
            }
        }
    }

    fn release(&mut self, id: u32, declares: bool) {
        let slot = id as usize;
        let counts = if declares { &mut self.ids.declared } else { &mut self.ids.answered };
        if let Some(count) = counts.get_mut(slot) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.check(slot);
            }
        }
    }
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
