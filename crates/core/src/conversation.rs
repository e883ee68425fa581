//! The conversation as the rules see it: one row per message, and the calls that assistant rows declare.
//!
//! Texts are not kept here. A rule that has to look into one asks [`Texts`], late and once.

/// What a message is to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// System, user, or something that cannot be read: no rule touches it.
    Other,
    /// May declare tool calls.
    Assistant,
    /// A tool result.
    Tool,
}

/// An id of a tool call, as the caller numbered it; equal strings have equal numbers.
pub type CallId = u32;

/// Stands for a missing or unusable id or name.
pub const NONE: u32 = u32::MAX;

/// One message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What it is.
    pub kind: Kind,
    /// `messageStatus` says error.
    pub status_error: bool,
    /// The content is a string; other contents are never looked into and never replaced.
    pub has_text: bool,
    /// Milliseconds; NaN when the message has no finite numeric timestamp.
    pub timestamp: f64,
    /// A tool row's `tool_call_id`, or [`NONE`].
    pub call_id: CallId,
}

/// One declared tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// Its id, or [`NONE`].
    pub id: CallId,
    /// Its tool's name as the caller numbered it, or [`NONE`].
    pub name: u32,
}

/// The rows and calls of one conversation, in message order.
#[derive(Debug, Default)]
pub struct Conversation {
    rows: Vec<Row>,
    /// Where each row's calls end in `calls`; they begin where those of the row before end.
    call_ends: Vec<usize>,
    calls: Vec<Call>,
}

impl Conversation {
    /// Messages so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True before the first message.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Calls declared so far.
    #[must_use]
    pub fn call_count(&self) -> usize {
        self.calls.len()
    }

    /// Appends a message and the calls it declares.
    pub fn push(&mut self, row: Row, calls: impl IntoIterator<Item = Call>) {
        self.rows.push(row);
        self.calls.extend(calls);
        self.call_ends.push(self.calls.len());
    }

    /// Replaces what may change about a message without changing who answers whom. False when there is no
    /// such row, or when its kind or call id differ.
    pub fn patch(&mut self, index: usize, row: Row) -> bool {
        match self.rows.get_mut(index) {
            Some(old) if old.kind == row.kind && old.call_id == row.call_id => {
                *old = row;
                true
            }
            _ => false,
        }
    }

    /// Forgets every message from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.rows.truncate(len);
        self.call_ends.truncate(len);
        self.calls.truncate(self.call_ends.last().copied().unwrap_or(0));
    }

    /// All rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// One row.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<&Row> {
        self.rows.get(index)
    }

    /// One call.
    #[must_use]
    pub fn call(&self, index: usize) -> Option<&Call> {
        self.calls.get(index)
    }

    /// The indices of the calls that row `index` declares.
    #[must_use]
    pub fn calls_of(&self, index: usize) -> std::ops::Range<usize> {
        let end = self.call_ends.get(index).copied().unwrap_or(0);
        let start = index.checked_sub(1).and_then(|before| self.call_ends.get(before)).copied().unwrap_or(0);
        start..end
    }
}

/// Where the texts of a conversation are read from. Reading costs: a rule asks only when it must know.
pub trait Texts {
    /// The first units of row `index`'s content, at most `limit`, and the content's whole length.
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize));
    /// The units of row `index`'s content up to and with the only `unit` in it, the last `limit` of them; no units
    /// where it has none, and nothing is read where it has several. Cheaper than reading it all.
    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16]));
    /// The content of row `index`; nothing is read when it is not a string.
    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
    /// The `arguments` of call `index`; nothing is read when they are not a string.
    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Kind, call_id: CallId) -> Row {
        Row { kind, status_error: false, has_text: true, timestamp: 0.0, call_id }
    }

    #[test]
    fn truncating_forgets_the_calls_of_forgotten_rows() {
        let mut conversation = Conversation::default();
        conversation.push(row(Kind::Assistant, NONE), [Call { id: 0, name: 0 }, Call { id: 1, name: 0 }]);
        conversation.push(row(Kind::Tool, 0), []);
        conversation.push(row(Kind::Assistant, NONE), [Call { id: 2, name: 0 }]);
        assert_eq!(conversation.calls_of(0), 0..2);
        assert_eq!(conversation.calls_of(1), 2..2);
        assert_eq!(conversation.calls_of(2), 2..3);
        conversation.truncate(2);
        assert_eq!((conversation.len(), conversation.call_count()), (2, 2));
        conversation.truncate(0);
        assert_eq!(conversation.call_count(), 0);
    }

    #[test]
    fn a_patch_may_not_change_who_answers_whom() {
        let mut conversation = Conversation::default();
        conversation.push(row(Kind::Tool, 3), []);
        assert!(conversation.patch(0, Row { status_error: true, ..row(Kind::Tool, 3) }));
        assert!(!conversation.patch(0, row(Kind::Tool, 4)));
        assert!(!conversation.patch(1, row(Kind::Tool, 3)));
        assert!(conversation.row(0).is_some_and(|kept| kept.status_error));
    }
}
