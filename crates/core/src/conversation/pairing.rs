//! Decides which tool result answers which declared call, and which of either are orphans (R3.1).
//!
//! Providers that number calls per turn reuse ids (`call_0` in every turn), so an id alone does not identify a call. A
//! result answers the nearest declaration of its id at or before it; if there is none, the first one after it.
//! Declarations of one id in one message count as one: any result answers them all.
//!
//! A result without an id may belong to any call of its turn, so none of these calls is an orphan. The same holds for calls and
//! results whose counterpart may be in a row of unknown form: see [`Row::is_unknown`](crate::conversation::Row).
//!
//! Removing an assistant message also removes the results that answer it, so no result is left to answer a different
//! call. The remaining pairs stay the same in any order of removal: one pass is enough.

use std::collections::{BTreeMap, BTreeSet};

use crate::conversation::duplicates::{Answers, Duplicates};
use crate::conversation::turns::Turns;
use crate::conversation::{Call, Conversation, NONE, RowKind};

/// What to do with calls without a result and results without a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Orphans {
    #[default]
    Keep,
    /// Remove both; a call is removed with the message that declares it.
    Remove,
    /// Give a call the result [`INTERRUPTED`]. Results without a call are still removed, unless there are no calls and no summaries at all:
    /// then the messages are an excerpt whose calls are elsewhere.
    Answer,
}

/// The result of a call that never ended. It begins like an error, so that no rule counts it as a success.
pub const INTERRUPTED: [&str; 2] =
    ["Error: 此工具调用已中断,没有返回结果", "Error: this tool call was interrupted and returned no result"];

/// The call/result pairs of a growing conversation.
#[derive(Debug, Default)]
pub struct Pairing {
    /// For each row, the call that it answers, or [`NONE`].
    resolved: Vec<u32>,
    /// For each call, the row that declares it.
    row_of_call: Vec<u32>,
    /// For each call, the last row that answers it, or [`NONE`].
    last_answer_of_call: Vec<u32>,
    /// For each row, the previous one that answers the same call, or [`NONE`].
    previous_answer_of_row: Vec<u32>,
    /// How each call id is used so far.
    ids: Vec<IdUse>,
    /// Unanswered calls whose id a later row declares again: no result can answer them any more.
    redeclared: Vec<u32>,
    /// Ids whose newest declaration has no result, or whose results have no declaration.
    waiting: BTreeSet<u32>,
    turns: Turns,
    /// Results without a call, in a turn where a row of unknown form may declare it.
    possibly_answered: BTreeSet<u32>,
    /// Calls with several results.
    calls_with_several_results: BTreeSet<u32>,
    /// Calls of one row with the same id: the last such call, with the ones before it.
    calls_with_same_id: BTreeMap<u32, Vec<u32>>,
}

#[derive(Debug, Default)]
struct IdUse {
    newest: Option<Declaration>,
    /// Results before their declaration.
    results_before: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Declaration {
    row: u32,
    call: u32,
    answered: bool,
}

impl IdUse {
    fn is_waiting(&self) -> bool {
        self.newest.as_ref().map_or(!self.results_before.is_empty(), |newest| !newest.answered)
    }
}

impl Pairing {
    /// Adds new messages; false if an earlier result now has a call. O(new messages), and once for each such result.
    pub fn extend(&mut self, conversation: &Conversation) -> bool {
        let mut are_earlier_unchanged = true;
        for index in self.resolved.len()..conversation.len() {
            let (Some(facts), Ok(row)) = (conversation.row(index), u32::try_from(index)) else { break };
            self.resolved.push(NONE);
            self.previous_answer_of_row.push(NONE);
            self.turns.advance(conversation, index);
            for call in conversation.calls_of(index) {
                self.row_of_call.push(row);
                self.last_answer_of_call.push(NONE);
                let Some(&Call { id, settled, .. }) = conversation.call(call) else { continue };
                if let (RowKind::Assistant, Ok(call)) = (facts.kind, u32::try_from(call)) {
                    are_earlier_unchanged &= self.declare(id, Declaration { row, call, answered: settled });
                }
            }
            match facts.kind {
                RowKind::Tool if facts.call_id == NONE => self.assume_answered(conversation),
                RowKind::Tool => self.answer(facts.call_id, row),
                _ if facts.is_unknown => self.assume_answered(conversation),
                _ => {}
            }
        }
        are_earlier_unchanged
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// For each row, the index of the call that it answers, or [`NONE`].
    pub fn resolved(&self) -> &[u32] {
        &self.resolved
    }

    /// Rows that a provider would reject, ascending: assistant messages with an unanswered call, the results of their other calls, and
    /// results without a call. Pairs decide, not adjacency; calls and results without an id stay. O(orphans and their neighbours).
    pub fn orphans(&self) -> Vec<usize> {
        let mut dropped: Vec<u32> = Vec::new();
        // A message may have thousands of unanswered calls; it is visited once.
        let mut rows: BTreeMap<u32, u32> = BTreeMap::new();
        for call in self.unanswered() {
            if let Some(&row) = self.row_of_call.get(call as usize) {
                rows.insert(row, call);
            }
        }
        for (row, call) in rows {
            self.drop_call_row(row, call, &mut dropped);
        }
        dropped.extend(self.undeclared_results());
        ascending(dropped)
    }

    /// Drops the row that declares `call`, with all results of any of its calls.
    fn drop_call_row(&self, row: u32, call: u32, dropped: &mut Vec<u32>) {
        let row_of = |call: usize| self.row_of_call.get(call).copied();
        dropped.push(row);
        let mut first = call as usize;
        while first.checked_sub(1).and_then(row_of) == Some(row) {
            first -= 1;
        }
        for own in (first..self.row_of_call.len()).take_while(|&own| row_of(own) == Some(row)) {
            dropped.extend(u32::try_from(own).into_iter().flat_map(|own| self.answers_of(own)));
        }
    }

    fn waiting_ids(&self) -> impl Iterator<Item = &IdUse> {
        self.waiting.iter().filter_map(|&id| self.ids.get(id as usize))
    }

    pub fn unanswered(&self) -> Vec<u32> {
        let waiting = self.waiting_ids().filter_map(|id| id.newest.as_ref()).map(|newest| newest.call);
        let mut calls: Vec<u32> = waiting.chain(self.redeclared.iter().copied()).collect();
        calls.sort_unstable();
        calls
    }

    pub fn results_without_call(&self) -> Vec<usize> {
        ascending(self.undeclared_results().collect())
    }

    fn undeclared_results(&self) -> impl Iterator<Item = u32> {
        let results = self.waiting_ids().flat_map(|id| id.results_before.iter().copied());
        results.filter(|row| !self.possibly_answered.contains(row))
    }

    /// Removals in addition to the orphans: all but one result of a call, all but one call of an id in a row. O(duplicates).
    pub fn duplicates(&self, conversation: &Conversation, dropped: &[usize]) -> Duplicates {
        let mut found = Duplicates::default();
        let answers = |call: u32| Answers {
            declared_by: self.row_of_call.get(call as usize).copied().unwrap_or(NONE) as usize,
            rows: ascending(self.answers_of(call).collect()),
        };
        for &call in &self.calls_with_several_results {
            found.add_results(conversation, &self.turns, &answers(call), dropped);
        }
        for (&call, earlier) in &self.calls_with_same_id {
            found.add_calls(conversation, &self.turns, &answers(call), earlier, call, dropped);
        }
        found.sort();
        found
    }

    /// The rows that answer `call`, latest first.
    fn answers_of(&self, call: u32) -> impl Iterator<Item = u32> {
        let known = |row: u32| (row != NONE).then_some(row);
        let last = self.last_answer_of_call.get(call as usize).copied().and_then(known);
        std::iter::successors(last, move |&row| {
            self.previous_answer_of_row.get(row as usize).copied().and_then(known)
        })
    }

    /// Forgets the rows from `len` on. They must have a known form and neither declare nor answer calls.
    pub fn truncate_inert(&mut self, len: usize) {
        self.resolved.truncate(len);
        self.previous_answer_of_row.truncate(len);
        self.turns.truncate(len);
    }

    /// False if an earlier result now has a call.
    fn declare(&mut self, id: u32, declaration: Declaration) -> bool {
        let Declaration { row, call, answered } = declaration;
        let Some(slot) = id_use(&mut self.ids, id) else { return true };
        let results_before = std::mem::take(&mut slot.results_before);
        let mut earlier_with_same_id = None;
        match &mut slot.newest {
            Some(newest) if newest.row == row => {
                earlier_with_same_id = Some(std::mem::replace(&mut newest.call, call));
                newest.answered |= answered;
            }
            newest => {
                if let Some(redeclared) = newest.as_ref().filter(|declaration| !declaration.answered) {
                    self.redeclared.push(redeclared.call);
                }
                *newest = Some(Declaration { row, call, answered: answered || !results_before.is_empty() });
            }
        }
        let is_waiting = slot.is_waiting();
        self.set_waiting(id, is_waiting);
        if let Some(earlier) = earlier_with_same_id {
            self.replace_same_id(earlier, call);
        }
        for &result in &results_before {
            self.resolve_result(call, result);
        }
        results_before.is_empty()
    }

    /// Makes `call` the one of its row that results answer, replacing the `earlier` one with the same id.
    fn replace_same_id(&mut self, earlier: u32, call: u32) {
        let mut before = self.calls_with_same_id.remove(&earlier).unwrap_or_default();
        before.push(earlier);
        self.calls_with_same_id.insert(call, before);
        let mut moved_results: Vec<u32> = self.answers_of(earlier).collect();
        if let Some(last) = self.last_answer_of_call.get_mut(earlier as usize) {
            *last = NONE;
        }
        self.calls_with_several_results.remove(&earlier);
        moved_results.reverse();
        for row in moved_results {
            self.link_answer(call, row);
        }
    }

    fn set_waiting(&mut self, id: u32, is_waiting: bool) {
        if is_waiting {
            self.waiting.insert(id);
        } else {
            self.waiting.remove(&id);
        }
    }

    fn resolve_result(&mut self, call: u32, row: u32) {
        if let Some(resolved) = self.resolved.get_mut(row as usize) {
            *resolved = call;
            self.link_answer(call, row);
        }
    }

    fn link_answer(&mut self, call: u32, row: u32) {
        let last = self.last_answer_of_call.get_mut(call as usize);
        let (Some(last), Some(before)) = (last, self.previous_answer_of_row.get_mut(row as usize)) else {
            return;
        };
        *before = std::mem::replace(last, row);
        if *before != NONE {
            self.calls_with_several_results.insert(call);
        }
    }

    /// Marks the turn's calls as answered: a row of unknown form may answer them.
    fn assume_answered(&mut self, conversation: &Conversation) {
        for call in self.turns.calls() {
            let Some(&Call { id, .. }) = conversation.call(call) else { continue };
            let Some(newest) = id_use(&mut self.ids, id).and_then(|slot| slot.newest.as_mut()) else {
                continue;
            };
            if newest.call as usize == call {
                newest.answered = true;
                self.set_waiting(id, false);
            }
        }
    }

    fn answer(&mut self, id: u32, row: u32) {
        let Some(slot) = id_use(&mut self.ids, id) else { return };
        let Some(newest) = &mut slot.newest else {
            slot.results_before.push(row);
            self.set_waiting(id, true);
            if self.turns.has_unknown() {
                self.possibly_answered.insert(row);
            }
            return;
        };
        newest.answered = true;
        let call = newest.call;
        self.set_waiting(id, false);
        self.resolve_result(call, row);
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

/// For each row of a whole conversation, the index of the call that it answers, or [`NONE`]. O(rows + calls).
pub fn resolve(conversation: &Conversation) -> Vec<u32> {
    let mut pairing = Pairing::default();
    pairing.extend(conversation);
    pairing.resolved
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
