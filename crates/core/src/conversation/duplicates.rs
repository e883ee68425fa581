//! Decides which of several results for one call stays, and which of several calls of one id: providers take one of each.

use crate::conversation::turns::Turns;
use crate::conversation::{Conversation, NONE};

/// The results that answer one call.
#[derive(Debug)]
pub struct Answers {
    /// The row of the call.
    pub declared_by: usize,
    /// Ascending.
    pub rows: Vec<usize>,
}

/// What goes, each ascending.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Duplicates {
    pub rows: Vec<usize>,
    /// Calls that go without the message that declares them.
    pub calls: Vec<u32>,
    /// Calls of one id in one row, of which not the last one stays: the last one, and the one that stays.
    pub kept: Vec<(u32, u32)>,
}

impl Answers {
    /// Which of the rows stays: the last that isn't an interruption's, of these the last that stands in its call's own turn.
    fn kept(&self, conversation: &Conversation, turns: &Turns) -> Option<usize> {
        let rank = |&(_, &row): &(usize, &usize)| {
            let is_real = conversation.row(row).is_some_and(|row| !row.is_interruption);
            (is_real, row > self.declared_by && turns.is_same(row, self.declared_by))
        };
        self.rows.iter().enumerate().max_by_key(rank).map(|(nth, _)| nth)
    }
}

impl Duplicates {
    /// The results of one call, but for the one that stays.
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

    /// The calls of one id in one row, but for the one whose result stays: results come in the order of their calls.
    pub fn add_calls(
        &mut self,
        conversation: &Conversation,
        turns: &Turns,
        answers: &Answers,
        earlier: &[u32],
        last: u32,
        dropped: &[usize],
    ) {
        let is_gone =
            answers.declared_by == NONE as usize || dropped.binary_search(&answers.declared_by).is_ok();
        if is_gone {
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
