//! Numbers a conversation's requests by its assistant messages, the one clock that is the same for all processes.

use crate::conversation::handle::Handle;
use crate::conversation::{Conversation, RowKind};

/// Assistant messages before each row. Consecutive assistant rows count as one message.
#[derive(Debug, Default)]
pub struct Requests {
    before: Vec<u32>,
    answers: u32,
}

impl Requests {
    /// O(new rows).
    pub fn extend(&mut self, conversation: &Conversation) {
        let is_answer =
            |index: usize| conversation.row(index).is_some_and(|row| row.kind == RowKind::Assistant);
        for index in self.before.len()..conversation.len() {
            self.before.push(self.answers);
            let goes_on = index.checked_sub(1).is_some_and(is_answer);
            self.answers += u32::from(is_answer(index) && !goes_on);
        }
    }

    /// Forgets the rows from `len` on.
    pub fn truncate(&mut self, len: usize) {
        if let Some(&answers) = self.before.get(len) {
            self.answers = answers;
            self.before.truncate(len);
        }
    }

    /// The number of the next request, from 0.
    pub const fn answers(&self) -> u32 {
        self.answers
    }

    /// The first request that sent `row`.
    pub fn first_with(&self, row: usize) -> u32 {
        self.before.get(row).copied().unwrap_or(self.answers)
    }

    /// The handle of the result in `row`. O(rows of its request).
    pub fn handle_of(&self, conversation: &Conversation, row: usize) -> Handle {
        let request = self.first_with(row);
        let with = (0..=row).rev().take_while(|&other| self.first_with(other) == request);
        let results = with.filter(|&other| is_result(conversation, other)).count();
        Handle { request, nth: u32::try_from(results).unwrap_or(u32::MAX) }
    }

    /// The row of the result with this handle. O(rows).
    pub fn row_of(&self, conversation: &Conversation, handle: Handle) -> Option<usize> {
        let with = (0..self.before.len()).filter(|&row| self.first_with(row) == handle.request);
        with.filter(|&row| is_result(conversation, row)).nth(handle.nth.checked_sub(1)? as usize)
    }
}

fn is_result(conversation: &Conversation, row: usize) -> bool {
    conversation.row(row).is_some_and(|row| row.kind == RowKind::Tool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{NONE, Row};

    fn conversation_of(kinds: &[RowKind]) -> Conversation {
        let mut conversation = Conversation::default();
        for &kind in kinds {
            let row = Row::new(kind, NONE);
            conversation.push(row, []);
        }
        conversation
    }

    #[test]
    fn r14_3_a_request_is_counted_once_however_many_rows_its_answer_has() {
        use RowKind::{Assistant, Other, Tool};
        let conversation =
            conversation_of(&[Other, Assistant, Assistant, Tool, Tool, Assistant, Other, Assistant]);
        let mut requests = Requests::default();
        requests.extend(&conversation);
        assert_eq!(requests.answers(), 3);
        assert_eq!([0, 3, 4, 6].map(|row| requests.first_with(row)), [0, 1, 1, 2]);
        // After a rewind into an assistant message, that message is still open.
        requests.truncate(2);
        assert_eq!(requests.answers(), 1);
        requests.extend(&conversation);
        assert_eq!(requests.answers(), 3);
        let handles = [3, 4].map(|row| requests.handle_of(&conversation, row));
        assert_eq!(handles.map(|handle| handle.to_string()), ["#1", "#1.2"]);
        assert_eq!(handles.map(|handle| requests.row_of(&conversation, handle)), [Some(3), Some(4)]);
        assert_eq!(requests.row_of(&conversation, Handle { request: 2, nth: 1 }), None);
    }
}
