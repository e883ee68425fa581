//! What of a schedule's state is new since another one, so that what is written at each request doesn't grow with the conversation.

use std::collections::VecDeque;
use std::mem::take;

use serde::{Deserialize, Serialize};

use crate::cache::bill::{Open, ViewBill};
use crate::cache::ledger::{Ledger, LedgerEntry};
use crate::cache::state::{PendingState, RequestState, State};

/// How one state becomes the next. What is absent is as it was. Its text grows with what is new; making it takes a comparison of all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Delta {
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<(usize, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Splice<(f64, f64)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<Splice<RequestState>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Splice<(usize, Vec<PendingState>)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Keyed<PendingState>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bill: Option<ViewBill>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Keyed<Open>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<Ledger>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Splice<LedgerEntry>>,
}

/// Fixed tokens, messages that are stored and sent as at the last request, when it was sent, marks, what was seen of a cache, and what it
/// listed.
type Figures = (f64, usize, usize, Option<f64>, bool, bool, u32, f64);

/// So many at the start go, so many behind them stay, and these follow.
type Splice<T> = (usize, usize, Vec<T>);

/// These keys go, and these entries come, or come in the place of those with their keys. In the order of keys.
type Keyed<T> = (Vec<f64>, Vec<T>);

impl State {
    /// What makes `next` of this state.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of changes, not negative
    pub fn delta_to(&self, next: &Self) -> Delta {
        let added = (next.ledger.changes - self.ledger.changes) as usize;
        let gone = (self.ledger.entries.len() + added).saturating_sub(next.ledger.entries.len());
        let (bill, ledger) = (next.bill.without_open(), next.ledger.without_entries());
        let (entries, next_entries) = (listed(&self.ledger.entries), listed(&next.ledger.entries));
        Delta {
            figures: (figures_of(self) != figures_of(next)).then(|| figures_of(next)),
            beside: (self.last_beside != next.last_beside).then_some(next.last_beside),
            messages: splice(&self.messages, &next.messages, 0),
            requests: splice(&self.requests, &next.requests, 0),
            changes: splice(&self.changes, &next.changes, 0),
            pending: keyed(&self.pending, &next.pending, place_of),
            open: keyed(&listed(&self.bill.open), &listed(&next.bill.open), number_of),
            bill: (self.bill.without_open() != bill).then_some(bill),
            entries: splice(&entries, &next_entries, gone),
            ledger: (self.ledger.without_entries() != ledger).then_some(ledger),
        }
    }

    /// The state that `delta` leads to; none where it can't be about this one.
    #[must_use]
    pub fn with(self, delta: Delta) -> Option<Self> {
        let mut next = self;
        if let Some((fixed, unchanged, as_sent, sent_ms, marks, seen, without, listed)) = delta.figures {
            (next.fixed_tokens, next.unchanged, next.unchanged_as_sent) = (fixed, unchanged, as_sent);
            (next.last_sent_ms, next.has_marks, next.has_seen_cache) = (sent_ms, marks, seen);
            (next.reports_without_cache, next.last_listed) = (without, listed);
        }
        next.last_beside = delta.beside.unwrap_or(next.last_beside);
        next.messages = spliced(next.messages, delta.messages)?;
        next.requests = spliced(next.requests, delta.requests)?;
        next.changes = spliced(next.changes, delta.changes)?;
        next.pending = merged(next.pending, delta.pending, place_of);
        let open = merged(take(&mut next.bill.open).into(), delta.open, number_of);
        let entries = spliced(take(&mut next.ledger.entries).into(), delta.entries)?;
        next.bill = delta.bill.unwrap_or(next.bill);
        next.ledger = delta.ledger.unwrap_or(next.ledger);
        (next.bill.open, next.ledger.entries) = (open.into(), entries.into());
        Some(next)
    }

    /// [`Self::with`] for states and deltas as texts: `text` with each of `deltas` in turn.
    #[must_use]
    pub fn merged_json<'d>(text: &str, deltas: impl IntoIterator<Item = &'d str>) -> Option<String> {
        let state: Self = serde_json::from_str(text).ok()?;
        let merge = |state: Self, delta: &str| state.with(serde_json::from_str(delta).ok()?);
        serde_json::to_string(&deltas.into_iter().try_fold(state, merge)?).ok()
    }
}

impl Delta {
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn figures_of(state: &State) -> Figures {
    let &State { fixed_tokens, unchanged, unchanged_as_sent, last_sent_ms, .. } = state;
    let &State { has_marks, has_seen_cache, reports_without_cache, last_listed, .. } = state;
    (
        fixed_tokens,
        unchanged,
        unchanged_as_sent,
        last_sent_ms,
        has_marks,
        has_seen_cache,
        reports_without_cache,
        last_listed,
    )
}

#[allow(clippy::cast_precision_loss)] // a place of a message
fn place_of(entry: &PendingState) -> f64 {
    entry.0 as f64
}

fn number_of(open: &Open) -> f64 {
    open.number
}

fn listed<T: Clone>(queue: &VecDeque<T>) -> Vec<T> {
    queue.iter().cloned().collect()
}

/// What makes `next` of `known`, of which `gone` at the start are not in it.
fn splice<T: Clone + PartialEq>(known: &[T], next: &[T], gone: usize) -> Option<Splice<T>> {
    let left = known.get(gone..).unwrap_or_default();
    let same = left.iter().zip(next).take_while(|(known, next)| known == next).count();
    let is_same = gone == 0 && same == known.len() && same == next.len();
    (!is_same).then(|| (gone, same, next.get(same..).unwrap_or_default().to_vec()))
}

fn spliced<T>(mut known: Vec<T>, splice: Option<Splice<T>>) -> Option<Vec<T>> {
    let Some((gone, kept, added)) = splice else { return Some(known) };
    if gone.checked_add(kept)? > known.len() {
        return None;
    }
    known.drain(..gone);
    known.truncate(kept);
    known.extend(added);
    Some(known)
}

/// Both in the order of their keys.
fn keyed<T: Clone + PartialEq>(known: &[T], next: &[T], key: impl Fn(&T) -> f64) -> Option<Keyed<T>> {
    let (mut known, mut next) = (known.iter().peekable(), next.iter().peekable());
    let (mut gone, mut set) = (Vec::new(), Vec::new());
    loop {
        match (known.peek(), next.peek()) {
            (Some(old), new) if new.is_none_or(|new| key(old) < key(new)) => {
                gone.extend(known.next().map(&key));
            }
            (old, Some(new)) => {
                let is_new = old.is_none_or(|old| key(new) < key(old));
                if is_new || old != Some(new) {
                    set.push((*new).clone());
                }
                if !is_new {
                    known.next();
                }
                next.next();
            }
            (_, None) => break,
        }
    }
    (!gone.is_empty() || !set.is_empty()).then_some((gone, set))
}

fn merged<T>(known: Vec<T>, delta: Option<Keyed<T>>, key: impl Fn(&T) -> f64) -> Vec<T> {
    let Some((gone, set)) = delta else { return known };
    let (mut gone, mut set) = (gone.into_iter().peekable(), set.into_iter().peekable());
    let mut next = Vec::with_capacity(known.len());
    for entry in known {
        while let Some(earlier) = set.next_if(|new| key(new) < key(&entry)) {
            next.push(earlier);
        }
        let is_gone = gone.next_if(|&gone| gone <= key(&entry)).is_some();
        match set.next_if(|new| key(new) <= key(&entry)) {
            Some(other) => next.push(other),
            None if is_gone => {}
            None => next.push(entry),
        }
    }
    next.extend(set);
    next
}
