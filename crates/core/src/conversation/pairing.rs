//! Decides which tool result answers which declared call, and which of either are orphans (R3.1). Providers may reuse ids in every turn, so a
//! result answers the nearest declaration of its id at or before it, or else the first one after it. Declarations of one id in one message
//! count as one. Calls whose result may be one without an id, or in a row of unknown form, are no orphans. The results of a removed message
//! are removed with it, so the remaining pairs stay the same in any order of removal: one pass is enough.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::conversation::turns::Turns;
use crate::conversation::{Call, Conversation, NONE, RowKind};

#[derive(Debug, Default)]
pub struct Pairing {
    /// For each row, the call that it answers, or [`NONE`].
    call_by_row: Vec<u32>,
    row_of_call: Vec<u32>,
    /// For each call, the row of its first result, or [`NONE`].
    first_answer_of_call: Vec<u32>,
    /// Calls with several results: the rows of the others.
    other_answers: BTreeMap<u32, Vec<u32>>,
    ids: Vec<IdUse>,
    /// Unanswered calls whose id a later row declares again: no result can answer them any more.
    redeclared: Vec<u32>,
    /// Ids whose newest declaration has no result, or whose results have no declaration.
    unpaired_ids: BTreeSet<u32>,
    turns: Turns,
    /// Results without a call, in a turn where a row of unknown form may declare it.
    possibly_declared: BTreeSet<u32>,
    /// Calls of one row with the same id: the last such call, with the ones before it.
    calls_with_same_id: BTreeMap<u32, Vec<u32>>,
}

/// The newest use of a call id; an earlier one can no longer change.
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
    is_answered: bool,
}

/// Duplicates to remove, each list ascending.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Duplicates {
    pub rows: Vec<usize>,
    /// Calls to remove from a message that stays.
    pub calls: Vec<u32>,
    /// Where not the last of several calls with one id in one row stays: the last one, which results answer, and the one that stays.
    pub kept_calls: Vec<(u32, u32)>,
}

impl Pairing {
    /// Adds new messages; false if an earlier result now has a call. O(new messages), and once for each such result.
    pub fn extend(&mut self, conversation: &Conversation) -> bool {
        let mut are_earlier_unchanged = true;
        for index in self.call_by_row.len()..conversation.len() {
            let (Some(row), Ok(row_index)) = (conversation.row(index), u32::try_from(index)) else { break };
            self.call_by_row.push(NONE);
            self.turns.push(conversation, index);
            for call in conversation.calls_of(index) {
                self.row_of_call.push(row_index);
                self.first_answer_of_call.push(NONE);
                let Some(&Call { id, settled, .. }) = conversation.call(call) else { continue };
                if let (RowKind::Assistant, Ok(call)) = (row.kind, u32::try_from(call)) {
                    let declaration = Declaration { row: row_index, call, is_answered: settled };
                    are_earlier_unchanged &= self.declare(id, declaration);
                }
            }
            match row.kind {
                RowKind::Tool if row.call_id == NONE => self.assume_answered(conversation),
                RowKind::Tool => self.answer(row.call_id, row_index),
                _ if row.is_unknown => self.assume_answered(conversation),
                _ => {}
            }
        }
        are_earlier_unchanged
    }

    pub fn call_by_row(&self) -> &[u32] {
        &self.call_by_row
    }

    /// Rows that a provider would reject, ascending: assistant messages with an unanswered call, the results of their other calls, and
    /// results without a call. Pairs decide, not adjacency; calls and results without an id stay. O(orphans and their neighbours).
    pub fn orphans(&self) -> Vec<usize> {
        // A message may have thousands of unanswered calls; it is visited once.
        let row_of = |call: u32| self.row_of_call.get(call as usize).copied();
        let rows: BTreeSet<u32> = self.unanswered().into_iter().filter_map(row_of).collect();
        let mut dropped: Vec<u32> = self.undeclared_results().chain(rows.iter().copied()).collect();
        for row in rows {
            let first = self.row_of_call.partition_point(|&earlier| earlier < row);
            let calls = (0..).zip(&self.row_of_call).skip(first).take_while(|call| *call.1 == row);
            dropped.extend(calls.flat_map(|(call, _)| self.answers_of(call)));
        }
        ascending(dropped)
    }

    fn unpaired_uses(&self) -> impl Iterator<Item = &IdUse> {
        self.unpaired_ids.iter().filter_map(|&id| self.ids.get(id as usize))
    }

    pub fn unanswered(&self) -> Vec<u32> {
        let newest = self.unpaired_uses().filter_map(|id_use| Some(id_use.newest?.call));
        let mut calls: Vec<u32> = newest.chain(self.redeclared.iter().copied()).collect();
        calls.sort_unstable();
        calls
    }

    pub fn results_without_call(&self) -> Vec<usize> {
        ascending(self.undeclared_results().collect())
    }

    fn undeclared_results(&self) -> impl Iterator<Item = u32> {
        let results = self.unpaired_uses().flat_map(|id_use| id_use.results_before.iter().copied());
        results.filter(|row| !self.possibly_declared.contains(row))
    }

    /// Removals in addition to the orphans: all but one result of a call, all but one call of an id in a row. O(duplicates).
    pub fn duplicates(&self, conversation: &Conversation, dropped: &[usize]) -> Duplicates {
        let mut found = Duplicates::default();
        let answers = |call: u32| {
            let declared_by = self.row_of_call.get(call as usize).copied().unwrap_or(NONE) as usize;
            let rows = ascending(self.answers_of(call).collect());
            let kept = kept_answer(&rows, declared_by, conversation, &self.turns);
            (declared_by, rows, kept)
        };
        let is_sent = |row: &usize| dropped.binary_search(row).is_err();
        for &call in self.other_answers.keys() {
            let (_, rows, kept) = answers(call);
            let others = rows.into_iter().enumerate().filter(|&(position, _)| Some(position) != kept);
            found.rows.extend(others.map(|(_, row)| row).filter(is_sent));
        }
        for (&last, earlier) in &self.calls_with_same_id {
            let (declared_by, rows, kept) = answers(last);
            if is_sent(&declared_by) {
                let calls = [earlier.as_slice(), &[last]].concat();
                // Results come in the order of their calls, so the call of the kept result stays; the last one if not each has a result.
                let kept = kept.filter(|_| rows.len() == calls.len()).and_then(|position| calls.get(position));
                let kept = kept.copied().unwrap_or(last);
                found.calls.extend(calls.into_iter().filter(|&call| call != kept));
                found.kept_calls.extend((kept != last).then_some((last, kept)));
            }
        }
        found.rows.sort_unstable();
        found.calls.sort_unstable();
        found
    }

    fn answers_of(&self, call: u32) -> impl Iterator<Item = u32> {
        let first = self.first_answer_of_call.get(call as usize).copied().filter(|&row| row != NONE);
        first.into_iter().chain(self.other_answers.get(&call).into_iter().flatten().copied())
    }

    /// Forgets the rows from `len` on. They must have a known form and neither declare nor answer calls.
    pub fn truncate_inert(&mut self, len: usize) {
        self.call_by_row.truncate(len);
        self.turns.truncate(len);
    }

    /// Adds a declaration of call id `id`; false if an earlier result now has a call.
    fn declare(&mut self, id: u32, declaration: Declaration) -> bool {
        let Declaration { row, call, is_answered } = declaration;
        let Some(id_use) = use_of(&mut self.ids, id) else { return true };
        let results_before = std::mem::take(&mut id_use.results_before);
        let mut earlier_with_same_id = None;
        match &mut id_use.newest {
            Some(newest) if newest.row == row => {
                earlier_with_same_id = Some(std::mem::replace(&mut newest.call, call));
                newest.is_answered |= is_answered;
            }
            newest => {
                if let Some(redeclared) = newest.as_ref().filter(|declaration| !declaration.is_answered) {
                    self.redeclared.push(redeclared.call);
                }
                let is_answered = is_answered || !results_before.is_empty();
                *newest = Some(Declaration { row, call, is_answered });
            }
        }
        if id_use.newest.is_some_and(|newest| newest.is_answered) {
            self.unpaired_ids.remove(&id);
        } else {
            self.unpaired_ids.insert(id);
        }
        if let Some(earlier) = earlier_with_same_id {
            self.replace_same_id(earlier, call);
        }
        for &result in &results_before {
            self.set_call(call, result);
        }
        results_before.is_empty()
    }

    /// Makes `call` the one of its row that results answer, in place of the `earlier` one with the same id.
    fn replace_same_id(&mut self, earlier: u32, call: u32) {
        let mut before = self.calls_with_same_id.remove(&earlier).unwrap_or_default();
        before.push(earlier);
        self.calls_with_same_id.insert(call, before);
        let moved_results: Vec<u32> = self.answers_of(earlier).collect();
        if let Some(first) = self.first_answer_of_call.get_mut(earlier as usize) {
            *first = NONE;
        }
        self.other_answers.remove(&earlier);
        for row in moved_results {
            self.set_call(call, row);
        }
    }

    fn set_call(&mut self, call: u32, row: u32) {
        if let Some(call_by_row) = self.call_by_row.get_mut(row as usize) {
            *call_by_row = call;
            self.add_answer(call, row);
        }
    }

    fn add_answer(&mut self, call: u32, row: u32) {
        match self.first_answer_of_call.get_mut(call as usize) {
            Some(first) if *first == NONE => *first = row,
            Some(_) => self.other_answers.entry(call).or_default().push(row),
            None => {}
        }
    }

    /// Marks the turn's calls as answered: a row of unknown form may answer them.
    fn assume_answered(&mut self, conversation: &Conversation) {
        let turn = self.turns.last();
        for call in turn.first_call..turn.end_call {
            let Some(&Call { id, .. }) = conversation.call(call) else { continue };
            let newest = use_of(&mut self.ids, id).and_then(|id_use| id_use.newest.as_mut());
            if let Some(newest) = newest.filter(|newest| newest.call as usize == call) {
                newest.is_answered = true;
                self.unpaired_ids.remove(&id);
            }
        }
    }

    fn answer(&mut self, id: u32, row: u32) {
        let Some(id_use) = use_of(&mut self.ids, id) else { return };
        if let Some(newest) = &mut id_use.newest {
            newest.is_answered = true;
            let call = newest.call;
            self.unpaired_ids.remove(&id);
            self.set_call(call, row);
        } else {
            id_use.results_before.push(row);
            self.unpaired_ids.insert(id);
            if self.turns.last().has_unknown {
                self.possibly_declared.insert(row);
            }
        }
    }
}

fn ascending(mut rows: Vec<u32>) -> Vec<usize> {
    rows.sort_unstable();
    rows.dedup();
    rows.into_iter().map(|row| row as usize).collect()
}

fn use_of(ids: &mut Vec<IdUse>, id: u32) -> Option<&mut IdUse> {
    let index = Some(id).filter(|&id| id != NONE)? as usize;
    if ids.len() <= index {
        ids.resize_with(index + 1, IdUse::default);
    }
    ids.get_mut(index)
}

/// The position of the answer that stays: the last of `rows` that is no interruption, preferably in the turn of row `declared_by`.
fn kept_answer(rows: &[usize], declared_by: usize, conversation: &Conversation, turns: &Turns) -> Option<usize> {
    let rank = |&(_, &row): &(usize, &usize)| {
        let is_real = conversation.row(row).is_some_and(|row| !row.is_interruption);
        (is_real, row > declared_by && turns.is_same_turn(row, declared_by))
    };
    rows.iter().enumerate().max_by_key(rank).map(|(position, _)| position)
}

/// For each row, the call that it answers, replaced by the one that is sent if that is a duplicate.
pub fn sent_calls<'a>(call_by_row: &'a [u32], kept_calls: &[(u32, u32)]) -> Cow<'a, [u32]> {
    if kept_calls.is_empty() {
        return Cow::Borrowed(call_by_row);
    }
    let kept_by_last: HashMap<u32, u32> = kept_calls.iter().copied().collect();
    call_by_row.iter().map(|call| *kept_by_last.get(call).unwrap_or(call)).collect()
}

/// [`Pairing::call_by_row`] of a whole conversation. O(rows + calls).
pub fn calls_by_row(conversation: &Conversation) -> Vec<u32> {
    let mut pairing = Pairing::default();
    pairing.extend(conversation);
    pairing.call_by_row
}

#[cfg(test)]
mod tests;
