//! Decides which tool result answers which declared call, and which of either are orphans (R3.1).
//!
//! Providers that number calls per turn reuse ids (`call_0` in every turn), so an id alone does not name a call. A
//! result answers the nearest declaration of its id at or before it, and only where there is none the first one
//! after it. Declarations of one id in one message are one: any result answers them all.
//!
//! A removed assistant message takes along the results that answer it, so no result is left to answer another
//! call than its own. What remains is paired as it was, whatever the order of removal: one look is enough.

use std::collections::BTreeSet;

use crate::conversation::{Call, Conversation, NONE, RowKind};

/// What becomes of calls without a result, and of results without a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Orphans {
    #[default]
    Keep,
    /// Both go; a call goes with the message that declares it.
    Remove,
    /// A call gets [`INTERRUPTED`] for a result. Results still go, unless no call is declared at all and no message stands for others: then
    /// the messages are an excerpt, whose calls are known elsewhere.
    Answer,
}

/// The result of a call that never ended. It begins as errors do, so that no rule takes it for a success.
pub const INTERRUPTED: [&str; 2] =
    ["Error: 此工具调用已中断,没有返回结果", "Error: this tool call was interrupted and returned no result"];

/// The pairs of a growing conversation.
#[derive(Debug, Default)]
pub struct Pairing {
    resolved: Vec<u32>,
    declared_by: Vec<u32>,
    /// By call, the last row that answers it; by row, the one before that answers the same call.
    answered_by: Vec<u32>,
    answered_before: Vec<u32>,
    ids: Vec<IdUse>,
    /// Calls whose ids a later row declares anew: no result can answer them any more.
    passed_over: Vec<u32>,
    /// Ids that lack an answer or a declaration.
    waiting: BTreeSet<u32>,
}

#[derive(Debug, Default)]
struct IdUse {
    newest: Option<Declaration>,
    /// Results ahead of their declaration.
    early: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Declaration {
    row: u32,
    call: u32,
    answered: bool,
}

impl IdUse {
    fn is_waiting(&self) -> bool {
        self.newest.as_ref().map_or(!self.early.is_empty(), |newest| !newest.answered)
    }
}

impl Pairing {
    /// Takes in new messages; false when results that came before got a call. O(new messages), and once for each such result.
    pub fn extend(&mut self, conversation: &Conversation) -> bool {
        let mut earlier_stand = true;
        for index in self.resolved.len()..conversation.len() {
            let (Some(facts), Ok(row)) = (conversation.row(index), u32::try_from(index)) else { break };
            self.resolved.push(NONE);
            self.answered_before.push(NONE);
            for call in conversation.calls_of(index) {
                self.declared_by.push(row);
                self.answered_by.push(NONE);
                let Some(&Call { id, settled, .. }) = conversation.call(call) else { continue };
                if let (RowKind::Assistant, Ok(call)) = (facts.kind, u32::try_from(call)) {
                    earlier_stand &= self.declare(id, Declaration { row, call, answered: settled });
                }
            }
            if facts.kind == RowKind::Tool {
                self.answer(facts.call_id, row);
            }
        }
        earlier_stand
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// By row, the index of the call that it answers, or [`NONE`].
    pub fn resolved(&self) -> &[u32] {
        &self.resolved
    }

    /// Rows that a provider would reject, ascending: assistant messages with an unanswered call, the results that answer their other
    /// calls, and results without a call. Pairs decide, not adjacency; calls and results without an id are left alone. O(orphans and
    /// their neighbours).
    pub fn orphans(&self) -> Vec<usize> {
        let mut dropped: Vec<u32> = Vec::new();
        for &call in &self.passed_over {
            self.drop_with(call, &mut dropped);
        }
        for id in self.waiting_ids() {
            dropped.extend(&id.early);
            if let Some(Declaration { call, .. }) = id.newest {
                self.drop_with(call, &mut dropped);
            }
        }
        ascending(dropped)
    }

    /// Drops the row with all results that answer any of its calls.
    fn drop_with(&self, call: u32, dropped: &mut Vec<u32>) {
        let row_of = |call: usize| self.declared_by.get(call).copied();
        let Some(row) = row_of(call as usize) else { return };
        dropped.push(row);
        let mut first = call as usize;
        while first.checked_sub(1).and_then(row_of) == Some(row) {
            first -= 1;
        }
        for own in (first..self.declared_by.len()).take_while(|&own| row_of(own) == Some(row)) {
            let mut answer = self.answered_by.get(own).copied().unwrap_or(NONE);
            while answer != NONE {
                dropped.push(answer);
                answer = self.answered_before.get(answer as usize).copied().unwrap_or(NONE);
            }
        }
    }

    fn waiting_ids(&self) -> impl Iterator<Item = &IdUse> {
        self.waiting.iter().filter_map(|&id| self.ids.get(id as usize))
    }

    pub fn unanswered(&self) -> Vec<u32> {
        let waiting = self.waiting_ids().filter_map(|id| id.newest.as_ref()).map(|newest| newest.call);
        let mut calls: Vec<u32> = waiting.chain(self.passed_over.iter().copied()).collect();
        calls.sort_unstable();
        calls
    }

    pub fn strays(&self) -> Vec<usize> {
        let undeclared = self.waiting_ids().filter(|id| id.newest.is_none());
        ascending(undeclared.flat_map(|id| id.early.iter().copied()).collect())
    }

    /// Rows from `len` on must not declare or answer calls.
    pub fn truncate_inert(&mut self, len: usize) {
        self.resolved.truncate(len);
        self.answered_before.truncate(len);
    }

    /// False when earlier results now have a call.
    fn declare(&mut self, id: u32, declaration: Declaration) -> bool {
        let Declaration { row, call, answered } = declaration;
        let Some(slot) = id_use(&mut self.ids, id) else { return true };
        let early = std::mem::take(&mut slot.early);
        match &mut slot.newest {
            Some(newest) if newest.row == row => {
                newest.call = call;
                newest.answered |= answered;
            }
            newest => {
                if let Some(passed_over) = newest.as_ref().filter(|declaration| !declaration.answered) {
                    self.passed_over.push(passed_over.call);
                }
                *newest = Some(Declaration { row, call, answered: answered || !early.is_empty() });
            }
        }
        let is_waiting = slot.is_waiting();
        self.note_waiting(id, is_waiting);
        for &result in &early {
            self.note_answer(call, result);
        }
        early.is_empty()
    }

    fn note_waiting(&mut self, id: u32, is_waiting: bool) {
        if is_waiting {
            self.waiting.insert(id);
        } else {
            self.waiting.remove(&id);
        }
    }

    fn note_answer(&mut self, call: u32, row: u32) {
        let (Some(resolved), Some(last), Some(before)) = (
            self.resolved.get_mut(row as usize),
            self.answered_by.get_mut(call as usize),
            self.answered_before.get_mut(row as usize),
        ) else {
            return;
        };
        *resolved = call;
        *before = std::mem::replace(last, row);
    }

    fn answer(&mut self, id: u32, row: u32) {
        let Some(slot) = id_use(&mut self.ids, id) else { return };
        let Some(newest) = &mut slot.newest else {
            slot.early.push(row);
            self.note_waiting(id, true);
            return;
        };
        newest.answered = true;
        let call = newest.call;
        self.note_waiting(id, false);
        self.note_answer(call, row);
    }
}

fn ascending(mut rows: Vec<u32>) -> Vec<usize> {
    rows.sort_unstable();
    rows.dedup();
    rows.into_iter().map(|row| row as usize).collect()
}

fn id_use(ids: &mut Vec<IdUse>, id: u32) -> Option<&mut IdUse> {
    if id == NONE {
        return None;
    }
    let slot = id as usize;
    if ids.len() <= slot {
        ids.resize_with(slot + 1, IdUse::default);
    }
    ids.get_mut(slot)
}

/// By row of a whole conversation, the index of the call that it answers, or [`NONE`]. O(rows + calls).
pub fn resolve(conversation: &Conversation) -> Vec<u32> {
    let mut pairing = Pairing::default();
    pairing.extend(conversation);
    pairing.resolved
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
