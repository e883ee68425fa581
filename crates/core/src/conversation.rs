//! The conversation as the rules see it: one row per message, or per tool result where a message holds several, and
//! the calls that assistant rows declare.
//!
//! Times are kept in milliseconds. Texts are not kept here: a rule that must look into one asks [`Texts`], late and once.

pub mod handle;
pub mod pairing;
pub mod requests;
pub mod times;
pub mod unrecognised;

use times::{in_ms, is_in_seconds};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// System, user, or something that cannot be read: no rule touches it.
    Other,
    Assistant,
    Tool,
}

/// An id of a tool call, as the caller numbered it; equal strings have equal numbers.
pub type CallId = u32;

/// Stands for a missing or unusable id or name.
pub const NONE: u32 = u32::MAX;

/// One message, or one tool result of several in a message.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // facts that don't depend on each other
pub struct Row {
    pub kind: RowKind,
    pub status_error: bool,
    /// The content can be looked into as a text and replaced by one.
    pub has_text: bool,
    /// The content holds images or files as well, so any placeholder is shorter.
    pub has_media: bool,
    /// `timestamp` is when the caller first saw the row as it is: an edited result is new, and what stands behind it isn't.
    pub is_first_sight: bool,
    /// As the message gives it, and in milliseconds once the row is part of a [`Conversation`]. NaN when there is none, or nobody asked.
    pub timestamp: f64,
    /// Only tool rows have one, others [`NONE`].
    pub call_id: CallId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub id: CallId,
    /// The tool's name as the caller numbered it, or [`NONE`].
    pub name: u32,
    /// The call needs no result: its provider runs it, or it waits for the user's approval.
    pub settled: bool,
}

/// In message order.
#[derive(Debug, Default)]
pub struct Conversation {
    rows: Vec<Row>,
    /// Where each row's calls end in `calls`; they begin where those of the row before end.
    call_ends: Vec<usize>,
    calls: Vec<Call>,
    known_times: usize,
    in_seconds: Vec<usize>,
}

impl Conversation {
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    #[must_use]
    pub fn call_count(&self) -> usize {
        self.calls.len()
    }

    #[must_use]
    pub const fn known_times(&self) -> usize {
        self.known_times
    }

    #[must_use]
    pub fn results_in_seconds(&self) -> usize {
        let is_result = |&&index: &&usize| self.row(index).is_some_and(|row| row.kind == RowKind::Tool);
        self.in_seconds.iter().filter(is_result).count()
    }

    pub fn push(&mut self, row: Row, calls: impl IntoIterator<Item = Call>) {
        let row = self.note_time(self.rows.len(), row);
        self.rows.push(row);
        self.calls.extend(calls);
        self.call_ends.push(self.calls.len());
    }

    /// Replaces what may change about a message without changing who answers whom. False when there is no such row, or when its kind
    /// or call id differ.
    pub fn patch(&mut self, index: usize, row: Row) -> bool {
        match self.rows.get(index) {
            Some(old) if old.kind == row.kind && old.call_id == row.call_id => {
                self.forget_times(index, index + 1);
                let row = self.note_time(index, row);
                if let Some(slot) = self.rows.get_mut(index) {
                    *slot = row;
                }
                true
            }
            _ => false,
        }
    }

    /// Returns `row` with its time in milliseconds.
    fn note_time(&mut self, index: usize, row: Row) -> Row {
        self.known_times += usize::from(is_timed_result(&row));
        if is_in_seconds(row.timestamp) {
            self.in_seconds.push(index);
        }
        Row { timestamp: in_ms(row.timestamp), ..row }
    }

    fn forget_times(&mut self, from: usize, to: usize) {
        let rows = self.rows.get(from..to.min(self.rows.len())).unwrap_or_default();
        self.known_times -= rows.iter().filter(|row| is_timed_result(row)).count();
        if !self.in_seconds.is_empty() {
            self.in_seconds.retain(|index| !(from..to).contains(index));
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.forget_times(len, self.rows.len());
        self.rows.truncate(len);
        self.call_ends.truncate(len);
        self.calls.truncate(self.call_ends.last().copied().unwrap_or(0));
    }

    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[must_use]
    pub fn row(&self, index: usize) -> Option<&Row> {
        self.rows.get(index)
    }

    #[must_use]
    pub fn call(&self, index: usize) -> Option<&Call> {
        self.calls.get(index)
    }

    #[must_use]
    pub fn calls_of(&self, index: usize) -> std::ops::Range<usize> {
        let end = self.call_ends.get(index).copied().unwrap_or(0);
        let start = index.checked_sub(1).and_then(|before| self.call_ends.get(before)).copied().unwrap_or(0);
        start..end
    }

    /// The calls of a turn that nobody has ended yet: only results stand behind it, and more may come. O(the turn).
    #[must_use]
    pub fn calls_in_progress(&self) -> std::ops::Range<usize> {
        let results = self.rows.iter().rev().take_while(|row| row.kind == RowKind::Tool).count();
        let end = self.rows.len() - results;
        let mut start = end;
        while let Some(before) = start.checked_sub(1)
            && self.row(before).is_some_and(|row| row.kind == RowKind::Assistant)
            && !self.calls_of(before).is_empty()
        {
            start = before;
        }
        if start == end {
            return 0..0;
        }
        self.calls_of(start).start..self.calls_of(end - 1).end
    }
}

fn is_timed_result(row: &Row) -> bool {
    row.kind == RowKind::Tool && row.timestamp.is_finite()
}

/// Gives the texts of a conversation. Reading costs: a rule asks only when it must know.
pub trait Texts {
    /// The first units of row `index`'s content, at most `limit`, and the content's whole length.
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize));
    /// The last `limit` units up to the only `unit` in row `index`'s content; no units where it has none, and nothing is read where it
    /// has several. Cheaper than reading it all.
    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16]));
    /// Nothing is read when the content is not a string.
    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
    /// Nothing is read when the arguments are not a string.
    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: RowKind, call_id: CallId) -> Row {
        Row {
            kind,
            status_error: false,
            has_text: true,
            has_media: false,
            is_first_sight: false,
            timestamp: 0.0,
            call_id,
        }
    }

    fn call(id: CallId) -> Call {
        Call { id, name: 0, settled: false }
    }

    #[test]
    fn truncating_forgets_the_calls_of_forgotten_rows() {
        let mut conversation = Conversation::default();
        conversation.push(row(RowKind::Assistant, NONE), [call(0), call(1)]);
        conversation.push(row(RowKind::Tool, 0), []);
        conversation.push(row(RowKind::Assistant, NONE), [call(2)]);
        assert_eq!(conversation.calls_of(0), 0..2);
        assert_eq!(conversation.calls_of(1), 2..2);
        assert_eq!(conversation.calls_of(2), 2..3);
        conversation.truncate(2);
        assert_eq!((conversation.len(), conversation.call_count()), (2, 2));
        conversation.truncate(0);
        assert_eq!(conversation.call_count(), 0);
    }

    #[test]
    fn r11_4_a_turn_is_in_progress_until_someone_else_speaks() {
        let mut conversation = Conversation::default();
        assert!(conversation.calls_in_progress().is_empty());
        conversation.push(row(RowKind::Assistant, NONE), [call(0), call(1)]);
        assert_eq!(conversation.calls_in_progress(), 0..2);
        conversation.push(row(RowKind::Tool, 0), []);
        assert_eq!(conversation.calls_in_progress(), 0..2, "one result is there, the other may come");
        conversation.push(row(RowKind::Other, NONE), []);
        assert!(conversation.calls_in_progress().is_empty(), "the user speaks");
        conversation.push(row(RowKind::Assistant, NONE), []);
        assert!(conversation.calls_in_progress().is_empty(), "an answer without calls");
        conversation.push(row(RowKind::Assistant, NONE), [call(2)]);
        conversation.push(row(RowKind::Assistant, NONE), [call(3)]);
        conversation.push(row(RowKind::Tool, 3), []);
        assert_eq!(conversation.calls_in_progress(), 2..4, "each call is an item of its own");
    }

    fn timed(timestamp: f64) -> Row {
        Row { timestamp, ..row(RowKind::Tool, 3) }
    }

    #[test]
    fn dialects_12_seconds_become_milliseconds_and_are_counted_as_long_as_they_stand() {
        let mut conversation = Conversation::default();
        conversation.push(timed(f64::NAN), []);
        conversation.push(timed(1_700_000_000.5), []);
        conversation.push(timed(1_700_000_000_000.0), []);
        assert_eq!(conversation.row(1).map(|row| row.timestamp), Some(1_700_000_000_500.0));
        assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (2, 1));
        assert!(conversation.patch(0, timed(1_700_000_000.0)));
        assert!(conversation.patch(1, timed(f64::NAN)));
        assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (2, 1));
        conversation.truncate(1);
        assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (1, 1));
        conversation.truncate(0);
        assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (0, 0));
    }

    #[test]
    fn a_patch_may_not_change_who_answers_whom() {
        let mut conversation = Conversation::default();
        conversation.push(row(RowKind::Tool, 3), []);
        assert!(conversation.patch(0, Row { status_error: true, ..row(RowKind::Tool, 3) }));
        assert!(!conversation.patch(0, row(RowKind::Tool, 4)));
        assert!(!conversation.patch(1, row(RowKind::Tool, 3)));
        assert!(conversation.row(0).is_some_and(|kept| kept.status_error));
    }
}
