//! What is new in a schedule's state since another, so that a request's writing doesn't grow with the conversation.

use std::collections::VecDeque;
use std::mem::take;

use serde::{Deserialize, Serialize};

use crate::cache::bill::{Open, ViewBill};
use crate::cache::ledger::{Ledger, LedgerEntry};
use crate::cache::schedule::Schedule;
use crate::cache::state::{
    ChangeState, PendingState, RequestState, ScheduleState, change_state, request_state, written,
};

/// How one state becomes the next. Absent fields are unchanged.
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
    changes: Option<Splice<ChangeState>>,
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

/// In order: fixed tokens, messages unchanged as stored and as sent, the last request's time, whether the host marks, what was observed
/// of a cache (two), and the listed tokens.
type Figures = (f64, usize, usize, Option<f64>, bool, bool, u32, f64);

/// How many entries at the start go, how many behind them stay, and the new ones behind these.
type Splice<T> = (usize, usize, Vec<T>);

/// Keys of entries that go, and entries that are added or replace others. Both are in the order of keys.
type Keyed<T> = (Vec<f64>, Vec<T>);

/// How many entries at the start of a growing list are unchanged since they were last written. It plays no part in comparisons.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsTold(usize);

impl AsTold {
    /// Entries from `index` on differ from what was written.
    pub fn changed_from(&mut self, index: usize) {
        self.0 = self.0.min(index);
    }

    /// Counts all `len` entries as written; returns how many were.
    pub fn tell(&mut self, len: usize) -> usize {
        std::mem::replace(&mut self.0, len).min(len)
    }
}

impl PartialEq for AsTold {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What was last written of a schedule, where its lists don't count that themselves.
#[derive(Debug, Clone)]
pub struct Told {
    figures: Figures,
    beside: (usize, f64),
    messages: usize,
    requests: usize,
    changes: usize,
    pending: Vec<PendingState>,
    bill: ViewBill,
    ledger: Ledger,
    entries: usize,
}

impl Schedule {
    /// Counts everything as written: [`Self::delta_since`] goes on from here.
    pub fn tell(&mut self) -> Told {
        self.prompt.tell();
        self.path.tell();
        Told {
            figures: self.figures(),
            beside: self.last_beside,
            messages: self.len(),
            requests: self.path.requests().len(),
            changes: self.path.changes().len(),
            pending: self.pending().iter().map(written).collect(),
            bill: self.bill.clone(),
            ledger: self.ledger.without_entries(),
            entries: self.ledger.entries.len(),
        }
    }

    /// The difference to `told`, which becomes the present state. O(what is new, and what is pending).
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of changes, not negative
    pub fn delta_since(&mut self, told: &mut Told) -> Delta {
        let (messages, (requests, changes)) = (self.prompt.tell(), self.path.tell());
        let now = self.tell();
        let noted = (now.ledger.changes - told.ledger.changes) as usize;
        let entries = now.entries.saturating_sub(noted);
        let (bill, path) = (now.bill.without_open(), &self.path);
        let delta = Delta {
            figures: (told.figures != now.figures).then_some(now.figures),
            beside: (told.beside != now.beside).then_some(now.beside),
            messages: splice((0, messages), told.messages, self.prompt.stored_from(messages)),
            requests: splice(
                (0, requests),
                told.requests,
                path.requests().iter().skip(requests).map(request_state),
            ),
            changes: splice(
                (0, changes),
                told.changes,
                path.changes().iter().skip(changes).map(change_state),
            ),
            pending: keyed(&told.pending, &now.pending, place_of),
            open: keyed(&listed(&told.bill.open), &listed(&now.bill.open), number_of),
            bill: (told.bill.without_open() != bill).then_some(bill),
            entries: splice(
                (told.entries.saturating_sub(entries), entries),
                told.entries,
                self.ledger.entries.iter().skip(entries).copied(),
            ),
            ledger: (told.ledger != now.ledger).then(|| now.ledger.clone()),
        };
        *told = now;
        delta
    }

    fn figures(&self) -> Figures {
        (
            self.prompt.fixed(),
            self.unchanged,
            self.unchanged_as_sent,
            self.last_sent_ms,
            self.options.has_marks,
            self.observations.has_seen_cache,
            self.observations.reports_without,
            self.last_listed,
        )
    }
}

impl ScheduleState {
    /// `None` where `delta` can't belong to this state.
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

    /// Applies `deltas` in turn to the state in `text`: [`Self::with`] for texts.
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

/// The splice that turns a list of `len` entries into one that dropped `gone`, kept `kept` and got `added`.
fn splice<T>((gone, kept): (usize, usize), len: usize, added: impl Iterator<Item = T>) -> Option<Splice<T>> {
    let added: Vec<T> = added.collect();
    (kept < len || !added.is_empty()).then_some((gone, kept, added))
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

/// Both lists are in the order of their keys.
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
