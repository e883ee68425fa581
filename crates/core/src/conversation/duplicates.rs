//! Decides which of several results for one call stays, and which of several calls with one id: providers accept one of
//! each.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::conversation::turns::Turns;
use crate::conversation::{Conversation, NONE};

/// The results that answer one call.
#[derive(Debug)]
pub struct Answers {
    /// The row that declares the call.
    pub declared_by: usize,
    /// Rows of the results, ascending.
    pub rows: Vec<usize>,
}

/// Duplicates to remove, each list ascending.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Duplicates {
    pub rows: Vec<usize>,
    /// Calls to remove from a message that stays.
    pub calls: Vec<u32>,
    /// For calls with one id in one row, of which not the last one stays: the last one, and the one that stays.
    pub kept: Vec<(u32, u32)>,
}

impl Answers {
    /// The position in `rows` of the one that stays: the last that is no interruption, preferably in the call's own turn.
    fn kept(&self, conversation: &Conversation, turns: &Turns) -> Option<usize> {
        let rank = |&(_, &row): &(usize, &usize)| {
            let is_real = conversation.row(row).is_some_and(|row| !row.is_interruption);
            (is_real, row > self.declared_by && turns.is_same(row, self.declared_by))
        };
        self.rows.iter().enumerate().max_by_key(rank).map(|(nth, _)| nth)
    }
}

impl Duplicates {
    /// Adds the results of one call, except the one that stays.
    pub fn add_results(
        &mut self,
        conversation: &Conversation,
        turns: &Turns,
        answers: &Answers,
        dropped: &[usize],
    ) {
        let Some(kept) = answers.kept(conversation, turns) else { return };
        let others = answers.rows.iter().enumerate().filter(|&(nth, _)| nth != kept).map(|(_, &row)| row);
        self.rows.extend(others.filter(|row| dropped.binary_search(row).is_err()));
    }

    /// Adds the calls of one row with the same id, except the one whose result stays: results come in the order of their
    /// calls. `earlier` are these calls before the `last` one.
    pub fn add_calls(
        &mut self,
        conversation: &Conversation,
        turns: &Turns,
        answers: &Answers,
        earlier: &[u32],
        last: u32,
        dropped: &[usize],
    ) {
        let is_dropped =
            answers.declared_by == NONE as usize || dropped.binary_search(&answers.declared_by).is_ok();
        if is_dropped {
            return;
        }
        let is_each_answered = answers.rows.len() == earlier.len() + 1;
        let kept = is_each_answered.then(|| answers.kept(conversation, turns)).flatten();
        let calls = earlier.iter().copied().chain([last]).enumerate();
        let (kept, others): (Vec<_>, Vec<_>) =
            calls.partition(|&(nth, _)| nth == kept.unwrap_or(earlier.len()));
        self.calls.extend(others.into_iter().map(|(_, call)| call));
        self.kept.extend(kept.into_iter().map(|(_, call)| (last, call)).filter(|&(last, call)| last != call));
    }

    pub fn sort(&mut self) {
        self.rows.sort_unstable();
        self.calls.sort_unstable();
    }
}

/// For each row, the call that it answers, replaced by the one that is sent if that is a duplicate.
pub fn sent_calls<'a>(resolved: &'a [u32], kept_calls: &[(u32, u32)]) -> Cow<'a, [u32]> {
    if kept_calls.is_empty() {
        return Cow::Borrowed(resolved);
    }
    let kept: HashMap<u32, u32> = kept_calls.iter().copied().collect();
    resolved.iter().map(|call| kept.get(call).copied().unwrap_or(*call)).collect()
}
