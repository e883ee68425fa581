//! Decides which of several results for one call stays, and which of several calls with one id: providers accept one of each.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::conversation::Conversation;
use crate::conversation::turns::Turns;

#[derive(Debug)]
pub struct Answers {
    declared_by: usize,
    /// Rows of the results, ascending.
    rows: Vec<usize>,
    /// The position in `rows` of the one that stays: the last that is no interruption, preferably in the call's own turn.
    kept_position: Option<usize>,
}

/// Duplicates to remove, each list ascending.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Duplicates {
    pub rows: Vec<usize>,
    /// Calls to remove from a message that stays.
    pub calls: Vec<u32>,
    /// One for each set of calls of which not the last one stays.
    pub kept_calls: Vec<KeptCall>,
}

/// Of calls with one id in one row, the last one, which results answer, and the one that stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptCall {
    last: u32,
    kept: u32,
}

impl Answers {
    pub fn new(declared_by: usize, rows: Vec<usize>, conversation: &Conversation, turns: &Turns) -> Self {
        let rank = |&(_, &row): &(usize, &usize)| {
            let is_real = conversation.row(row).is_some_and(|row| !row.is_interruption);
            (is_real, row > declared_by && turns.is_same_turn(row, declared_by))
        };
        let kept_position = rows.iter().enumerate().max_by_key(rank).map(|(position, _)| position);
        Self { declared_by, rows, kept_position }
    }
}

impl Duplicates {
    pub fn add_results(&mut self, answers: &Answers, dropped: &[usize]) {
        let others = (0..).zip(&answers.rows).filter(|&(position, _)| Some(position) != answers.kept_position);
        self.rows.extend(others.map(|(_, &row)| row).filter(|row| dropped.binary_search(row).is_err()));
    }

    /// Adds the `calls` with one id in one row that is not `dropped`, except the one that stays. Results come in the order of their calls, so
    /// that is the call whose result stays; the last one if not each has a result.
    pub fn add_calls(&mut self, calls: &[u32], answers: &Answers, dropped: &[usize]) {
        let Some(&last) = calls.last() else { return };
        if dropped.binary_search(&answers.declared_by).is_ok() {
            return;
        }
        let kept_position = answers.kept_position.filter(|_| answers.rows.len() == calls.len());
        let kept = kept_position.and_then(|position| calls.get(position)).copied().unwrap_or(last);
        self.calls.extend(calls.iter().copied().filter(|&call| call != kept));
        self.kept_calls.extend((kept != last).then_some(KeptCall { last, kept }));
    }
}

/// For each row, the call that it answers, replaced by the one that is sent if that is a duplicate.
pub fn sent_calls<'a>(call_by_row: &'a [u32], kept_calls: &[KeptCall]) -> Cow<'a, [u32]> {
    if kept_calls.is_empty() {
        return Cow::Borrowed(call_by_row);
    }
    let kept_by_last: HashMap<u32, u32> = kept_calls.iter().map(|call| (call.last, call.kept)).collect();
    call_by_row.iter().map(|call| *kept_by_last.get(call).unwrap_or(call)).collect()
}
