//! A conversation's requests and the decision at each. A rewind or an edit goes back to the last request on the path: a view sends
//! what the messages say, whatever was sent on other paths.

use crate::cache::delta::AsTold;
use crate::cache::guarantee::ComparedCosts;
use crate::cache::pending::Pending;
use crate::cache::prompt::Before;

#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub len: usize,
    /// The promise's accounts with this request.
    pub accounts: ComparedCosts,
    pub changes: usize,
    pub now_ms: f64,
    /// Marked prefixes in messages, ascending; empty where the provider reads any.
    pub entries: Vec<usize>,
}

/// A change of the prompt that can be taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptChange {
    pub request: usize,
    /// In the order of positions.
    pub replaced: Vec<Pending>,
    pub before: Vec<Before>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    requests: Vec<Checkpoint>,
    changes: Vec<PromptChange>,
    /// Replaced messages that were edited since the last request, with the index of their change.
    edited: Vec<(usize, Pending)>,
    requests_as_told: AsTold,
    changes_as_told: AsTold,
}

impl Path {
    #[must_use]
    pub fn requests(&self) -> &[Checkpoint] {
        &self.requests
    }

    #[must_use]
    pub fn changes(&self) -> &[PromptChange] {
        &self.changes
    }

    #[must_use]
    pub fn last(&self) -> Option<&Checkpoint> {
        self.requests.last()
    }

    /// Counts everything as written; returns how many requests and changes were.
    pub fn tell(&mut self) -> (usize, usize) {
        let (requests, changes) = (self.requests.len(), self.changes.len());
        (self.requests_as_told.tell(requests), self.changes_as_told.tell(changes))
    }

    pub fn note_change(&mut self, change: PromptChange) {
        self.changes.push(change);
    }

    /// Takes an edited message out of all changes: it is sent as it is.
    pub fn forget(&mut self, position: usize) {
        let mut first = None;
        for (index, change) in self.changes.iter_mut().enumerate() {
            change.before.retain(|before| before.position != position);
            if let Ok(at) = change.replaced.binary_search_by_key(&position, |entry| entry.position) {
                self.changes_as_told.changed_from(index);
                first = first.or(Some((index, change.replaced.remove(at))));
            }
        }
        self.edited.extend(first);
    }

    /// Puts the edited message back into its change, with its new tokens.
    pub fn keep(&mut self, position: usize, tokens: f64, tokens_after: f64) {
        let Some(&(index, entry)) = self.edited.iter().find(|(_, entry)| entry.position == position) else {
            return;
        };
        let Some(change) = self.changes.get_mut(index) else { return };
        self.changes_as_told.changed_from(index);
        let at = change.replaced.partition_point(|other| other.position < position);
        change.replaced.insert(at, Pending { tokens_after, ..entry });
        let at = change.before.partition_point(|other| other.position < position);
        change.before.insert(at, Before { position, sent: tokens, is_replaced: false });
    }

    pub fn note_request(&mut self, checkpoint: Checkpoint) {
        self.edited.clear();
        self.requests.push(checkpoint);
    }

    pub fn set_entries(&mut self, entries: Vec<usize>) {
        if let Some(last) = self.requests.last_mut() {
            last.entries = entries;
            self.requests_as_told.changed_from(self.requests.len().saturating_sub(1));
        }
    }

    /// The length of the last request within the first `shared` messages.
    #[must_use]
    pub fn reached_with(&self, shared: usize) -> usize {
        self.kept_with(shared)
            .checked_sub(1)
            .and_then(|last| self.requests.get(last))
            .map_or(0, |last| last.len)
    }

    /// Forgets requests beyond the first `shared` messages; returns their changes, newest first. With `counts_last` a request stays of
    /// which only the last message is gone: hosts append one that they don't store.
    pub fn go_back(&mut self, shared: usize, counts_last: bool) -> Vec<PromptChange> {
        self.edited.clear();
        let kept = self.kept_with(shared);
        self.requests_as_told.changed_from(kept);
        let mut undone = self.requests.split_off(kept).into_iter();
        // A request of exactly these messages exists, so what came behind them stood beside the conversation.
        let was_asked = shared == 0 || self.requests.last().is_some_and(|last| last.len == shared);
        if let Some(first) =
            undone.next().filter(|first| counts_last && first.len == shared + 1 && !was_asked)
        {
            let entries = first.entries.iter().copied().filter(|&entry| entry <= shared).collect();
            self.requests.push(Checkpoint { len: shared, entries, ..first });
        }
        let kept = self.requests.last().map_or(0, |last| last.changes).min(self.changes.len());
        self.changes_as_told.changed_from(kept);
        let mut undone = self.changes.split_off(kept);
        undone.reverse();
        undone
    }

    /// Requests within the first `shared` messages. Their lengths never fall.
    fn kept_with(&self, shared: usize) -> usize {
        self.requests.partition_point(|request| request.len <= shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        let mut path = Path::default();
        for (number, len) in [3, 5, 5, 9].into_iter().enumerate() {
            if number > 0 {
                path.note_change(PromptChange { request: number, replaced: Vec::new(), before: Vec::new() });
            }
            let accounts = ComparedCosts::default();
            path.note_request(Checkpoint {
                len,
                accounts,
                changes: number,
                now_ms: 0.0,
                entries: Vec::new(),
            });
        }
        path
    }

    #[test]
    fn r10_12_a_request_of_the_same_length_is_kept_with_the_one_before() {
        let mut path = path();
        path.set_entries(vec![1, 9]);
        assert_eq!(path.last().map(|last| last.entries.clone()), Some(vec![1, 9]));
        path.go_back(5, false);
        assert_eq!(path.last().map(|last| (last.len, last.changes)), Some((5, 2)));
        path.go_back(0, false);
        path.set_entries(vec![0]);
        assert_eq!((path.last(), path.changes().len(), path.reached_with(9)), (None, 0, 0));
    }

    #[test]
    fn r10_12_an_edited_message_is_no_change_any_more_unless_it_stays_replaced() {
        let waits = |position| Pending { position, tokens_after: 20.0, since_request: 0.0, rides: false };
        let was = |position, is_replaced| Before { position, sent: 900.0, is_replaced };
        let mut path = Path::default();
        for (request, replaced) in [(1, vec![2, 4, 6]), (2, vec![4])] {
            let before = replaced.iter().map(|&position| was(position, request == 2)).collect();
            path.note_change(PromptChange {
                request,
                replaced: replaced.into_iter().map(waits).collect(),
                before,
            });
        }
        path.forget(4);
        path.forget(6);
        path.keep(4, 500.0, 30.0);
        path.keep(2, 500.0, 30.0);
        let [first, second] = path.changes() else { panic!("two changes") };
        assert_eq!(first.replaced, [waits(2), Pending { tokens_after: 30.0, ..waits(4) }]);
        assert_eq!(first.before, [was(2, false), Before { position: 4, sent: 500.0, is_replaced: false }]);
        assert!(second.replaced.is_empty() && second.before.is_empty());
    }

    #[test]
    fn r10_12_a_rewind_goes_back_to_the_last_request_that_is_still_on_the_path() {
        for (shared, requests, reached) in [(2, 0, 0), (3, 1, 3), (4, 1, 3), (5, 3, 5), (8, 3, 5), (9, 4, 9)]
        {
            let mut path = path();
            assert_eq!(path.reached_with(shared), reached);
            let undone: Vec<usize> =
                path.go_back(shared, false).iter().map(|change| change.request).collect();
            assert_eq!(path.requests().len(), requests, "{shared}");
            let expected: Vec<usize> = (requests.max(1)..4).rev().collect();
            assert_eq!(undone, expected, "{shared}");
        }
    }

    #[test]
    fn r10_15_a_request_whose_last_message_was_not_stored_stays_on_the_path_for_whoever_has_seen_it() {
        let mut path = path();
        let undone = path.go_back(8, true);
        assert!(undone.is_empty());
        let lengths: Vec<usize> = path.requests().iter().map(|request| request.len).collect();
        assert_eq!(lengths, [3, 5, 5, 8]);
    }
}
