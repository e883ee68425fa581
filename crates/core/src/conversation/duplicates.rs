//! Decides which of several results for one call stays, and which of several calls with one id: providers accept one of each.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::conversation::Conversation;
use crate::conversation::turns::Turns;

/// Duplicates to remove, each list ascending.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Duplicates {
    pub rows: Vec<usize>,
    /// Calls to remove from a message that stays.
    pub calls: Vec<u32>,
    /// Where not the last of several calls with one id in one row stays: the last one, which results answer, and the one that stays.
    pub kept_calls: Vec<(u32, u32)>,
}

/// Of the `rows` that answer a call of row `declared_by`, the position of the one that stays: the last that is no interruption, preferably in
/// the call's own turn.
pub fn kept_answer(rows: &[usize], declared_by: usize, conversation: &Conversation, turns: &Turns) -> Option<usize> {
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
