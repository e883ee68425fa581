//! A schedule as plain data for another process.

use serde::{Deserialize, Serialize};

use crate::cache::bill::ViewBill;
use crate::cache::guarantee::ComparedCosts;
use crate::cache::ledger::Ledger;
use crate::cache::observation::Observations;
use crate::cache::path::{Checkpoint, Path, PromptChange};
use crate::cache::pending::Pending;
use crate::cache::prompt::PromptTokens;
use crate::cache::schedule::{Schedule, ScheduleOptions};

/// Version 1 had no log of decisions, so it can't be gone back in.
const VERSION: u32 = 2;

/// Everything but the options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScheduleState {
    pub version: u32,
    pub fixed_tokens: f64,
    /// Tokens and blocks as stored.
    pub messages: Vec<(f64, f64)>,
    pub pending: Vec<PendingState>,
    pub unchanged: usize,
    pub unchanged_as_sent: usize,
    pub requests: Vec<RequestState>,
    pub changes: Vec<ChangeState>,
    pub last_sent_ms: Option<f64>,
    pub has_marks: bool,
    pub has_seen_cache: bool,
    pub reports_without_cache: u32,
    pub last_listed: f64,
    /// The last side request: shared messages, and tokens of the others.
    #[serde(default)]
    pub last_beside: (usize, f64),
    pub bill: ViewBill,
    pub ledger: Ledger,
}

/// Position, tokens afterwards, the request at which it became outdated, whether it only rides.
pub type PendingState = (usize, f64, f64, bool);

/// The request of a change, and what was pending until then.
pub type ChangeState = (usize, Vec<PendingState>);

/// Messages, the two accounts, changes so far, its clock, marked prefixes.
pub type RequestState = (usize, f64, f64, usize, f64, Vec<usize>);

impl Schedule {
    pub fn export(&self) -> ScheduleState {
        ScheduleState {
            version: VERSION,
            fixed_tokens: self.prompt.fixed(),
            messages: self.prompt.stored_from(0).collect(),
            pending: self.pending().iter().map(written).collect(),
            unchanged: self.unchanged,
            unchanged_as_sent: self.unchanged_as_sent,
            requests: self.path.requests().iter().map(request_state).collect(),
            changes: self.path.changes().iter().map(change_state).collect(),
            last_sent_ms: self.last_sent_ms,
            has_marks: self.options.has_marks,
            has_seen_cache: self.observations.has_seen_cache,
            reports_without_cache: self.observations.reports_without,
            last_listed: self.last_listed,
            last_beside: self.last_beside,
            bill: self.bill.clone(),
            ledger: self.ledger.clone(),
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.export()).unwrap_or_default()
    }

    /// `None` for a text that [`Self::to_json`] can't have written.
    pub fn from_json(options: ScheduleOptions, text: &str) -> Option<Self> {
        Self::import(options, serde_json::from_str(text).ok()?)
    }

    /// `None` for a state that can't have been exported.
    pub fn import(options: ScheduleOptions, state: ScheduleState) -> Option<Self> {
        if !is_possible(&state) {
            return None;
        }
        let mut schedule =
            Self::new(ScheduleOptions { has_marks: options.has_marks || state.has_marks, ..options });
        schedule.prompt.set_fixed(state.fixed_tokens);
        state.messages.iter().for_each(|&(tokens, blocks)| schedule.prompt.push(tokens, blocks));
        schedule.path = path_of(&mut schedule.prompt, state.requests, state.changes);
        state.pending.into_iter().for_each(|entry| schedule.pending.insert(read(entry)));
        (schedule.unchanged, schedule.unchanged_as_sent) = (state.unchanged, state.unchanged_as_sent);
        schedule.last_sent_ms = state.last_sent_ms;
        schedule.observations = Observations {
            has_seen_cache: state.has_seen_cache,
            reports_without: state.reports_without_cache,
        };
        (schedule.last_listed, schedule.last_beside) = (state.last_listed, state.last_beside);
        (schedule.bill, schedule.ledger) = (state.bill, state.ledger);
        Some(schedule)
    }
}

pub(in crate::cache) fn written(entry: &Pending) -> PendingState {
    (entry.position, entry.tokens_after, entry.since_request, entry.rides)
}

pub(in crate::cache) fn request_state(one: &Checkpoint) -> RequestState {
    let ComparedCosts { actual, left_alone } = one.accounts;
    (one.len, actual, left_alone, one.changes, one.now_ms, one.entries.clone())
}

pub(in crate::cache) fn change_state(one: &PromptChange) -> ChangeState {
    (one.request, one.replaced.iter().map(written).collect())
}

fn read((position, tokens_after, since_request, rides): PendingState) -> Pending {
    Pending { position, tokens_after, since_request, rides }
}

/// Makes the changes once more, so that they can be taken back.
fn path_of(prompt: &mut PromptTokens, requests: Vec<RequestState>, changes: Vec<ChangeState>) -> Path {
    let mut path = Path::default();
    for (request, replaced) in changes {
        let replaced: Vec<Pending> = replaced.into_iter().map(read).collect();
        let before = prompt
            .replace(&replaced.iter().map(|entry| (entry.position, entry.tokens_after)).collect::<Vec<_>>());
        path.note_change(PromptChange { request, replaced, before });
    }
    for (len, actual, left_alone, changes, now_ms, entries) in requests {
        let accounts = ComparedCosts { actual, left_alone };
        path.note_request(Checkpoint { len, accounts, changes, now_ms, entries });
    }
    path
}

/// No conversation has so many tokens; sums of larger figures lose what is added.
const LARGEST_AMOUNT: f64 = 1e15;

fn is_amount(value: f64) -> bool {
    (0.0..=LARGEST_AMOUNT).contains(&value)
}

fn is_possible(state: &ScheduleState) -> bool {
    let len = state.messages.len();
    state.version == VERSION
        && is_amount(state.fixed_tokens)
        && state.messages.iter().all(|&(tokens, blocks)| is_amount(tokens) && is_amount(blocks))
        && are_possible(&state.pending, len)
        && state.unchanged <= len
        && state.unchanged_as_sent <= state.unchanged
        && is_possible_path(state)
        && state.last_sent_ms.is_none_or(f64::is_finite)
        && is_amount(state.last_listed)
        && is_amount(state.last_beside.1)
        && state.bill.is_possible(is_amount)
        && state.ledger.is_possible(is_amount)
}

/// Requests only grow, and name existing changes.
fn is_possible_path(state: &ScheduleState) -> bool {
    let len = state.messages.len();
    let (mut messages, mut changes) = (0, 0);
    let requests_fit =
        state.requests.iter().all(|&(request_len, actual, left_alone, made, now_ms, ref entries)| {
            let fits = request_len >= messages
                && request_len <= len
                && made >= changes
                && made <= state.changes.len();
            (messages, changes) = (request_len, made);
            let is_entry = |&entry: &usize| entry <= request_len;
            let are_costs = [actual, left_alone].into_iter().all(is_amount);
            fits && are_costs && now_ms.is_finite() && entries.iter().all(is_entry)
        });
    let changes_fit = state
        .changes
        .iter()
        .all(|(request, replaced)| *request <= state.requests.len() && are_possible(replaced, len));
    requests_fit && changes_fit
}

fn are_possible(pending: &[PendingState], len: usize) -> bool {
    are_in_order(pending.iter().map(|entry| entry.0), len)
        && pending.iter().all(|entry| is_amount(entry.1) && is_amount(entry.2))
}

fn are_in_order(mut positions: impl Iterator<Item = usize>, len: usize) -> bool {
    let mut next = 0;
    positions.all(|position| {
        let fits = position >= next && position < len;
        next = position.saturating_add(1);
        fits
    })
}
