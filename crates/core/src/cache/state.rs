//! A schedule as plain data, to go on with in another process.

use serde::{Deserialize, Serialize};

use crate::cache::guarantee::Accounts;
use crate::cache::ledger::Ledger;
use crate::cache::observation::Observations;
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prompt::Prompt;
use crate::cache::schedule::{Options, Schedule};

/// The only version there is.
const VERSION: u32 = 1;

/// Everything that a schedule knows but its options. As JSON:
/// `{version, fixedTokens, tokens: [of each stored message], replaced: [[position, tokens]], pending: [[position, tokens
/// afterwards, requests before it was outdated]], unchanged, unchangedAsSent, unfounded: [position], isLost, requests, lastRequestMs | null, lastCached: [sent,
/// left alone], lastListed, cost: [actual, left alone], hasSeenCache, reportsWithoutCache, ledger}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    pub version: u32,
    pub fixed_tokens: f64,
    pub tokens: Vec<f64>,
    pub replaced: Vec<(usize, f64)>,
    pub pending: Vec<(usize, f64, f64)>,
    pub unchanged: usize,
    pub unchanged_as_sent: usize,
    pub unfounded: Vec<usize>,
    pub is_lost: bool,
    pub requests: f64,
    pub last_request_ms: Option<f64>,
    pub last_cached: (f64, f64),
    /// Missing in what older versions exported.
    #[serde(default)]
    pub last_listed: f64,
    pub cost: (f64, f64),
    pub has_seen_cache: bool,
    pub reports_without_cache: u32,
    pub ledger: Ledger,
}

impl Schedule {
    /// A copy of everything but the options.
    #[must_use]
    pub fn export(&self) -> State {
        State {
            version: VERSION,
            fixed_tokens: self.prompt.fixed(),
            tokens: (0..self.len()).filter_map(|position| self.prompt.stored_at(position)).collect(),
            replaced: self.prompt.replaced().collect(),
            pending: self
                .pending()
                .iter()
                .map(|entry| (entry.position, entry.tokens_after, entry.since_request))
                .collect(),
            unchanged: self.unchanged,
            unchanged_as_sent: self.unchanged_as_sent,
            unfounded: self.unfounded.clone(),
            is_lost: self.is_lost,
            requests: self.requests,
            last_request_ms: self.last_request_ms,
            last_cached: (self.last_cached.actual, self.last_cached.left_alone),
            last_listed: self.last_listed,
            cost: (self.accounts.actual, self.accounts.left_alone),
            has_seen_cache: self.observations.has_seen_cache,
            reports_without_cache: self.observations.reports_without,
            ledger: self.ledger.clone(),
        }
    }

    /// [`Self::export`] as text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.export()).unwrap_or_default()
    }

    /// Goes on where [`Self::to_json`] was written; none when `text` can't be that.
    #[must_use]
    pub fn from_json(options: Options, text: &str) -> Option<Self> {
        Self::import(options, serde_json::from_str(text).ok()?)
    }

    /// Goes on where `state` was exported; none when that can't be an exported state.
    #[must_use]
    pub fn import(options: Options, state: State) -> Option<Self> {
        if !is_possible(&state) {
            return None;
        }
        let mut prompt = Prompt::default();
        prompt.set_fixed(state.fixed_tokens);
        state.tokens.iter().for_each(|&tokens| prompt.push(tokens));
        prompt.replace(&state.replaced);
        let mut pending = PendingResults::default();
        for (position, tokens_after, since_request) in state.pending {
            pending.insert(Pending { position, tokens_after, since_request });
        }
        let accounts = |(actual, left_alone)| Accounts { actual, left_alone };
        Some(Self {
            options,
            prompt,
            pending,
            unchanged: state.unchanged,
            unchanged_as_sent: state.unchanged_as_sent,
            unfounded: state.unfounded,
            is_lost: state.is_lost,
            requests: state.requests,
            last_request_ms: state.last_request_ms,
            last_cached: accounts(state.last_cached),
            last_listed: state.last_listed,
            accounts: accounts(state.cost),
            observations: Observations {
                has_seen_cache: state.has_seen_cache,
                reports_without: state.reports_without_cache,
            },
            ledger: state.ledger,
        })
    }
}

fn is_possible(state: &State) -> bool {
    let amount = |value: f64| value.is_finite() && value >= 0.0;
    let len = state.tokens.len();
    state.version == VERSION
        && amount(state.fixed_tokens)
        && state.tokens.iter().all(|&tokens| amount(tokens))
        && are_in_order(state.replaced.iter().map(|entry| entry.0), len)
        && state.replaced.iter().all(|entry| amount(entry.1))
        && are_in_order(state.pending.iter().map(|entry| entry.0), len)
        && state.pending.iter().all(|entry| amount(entry.1) && amount(entry.2))
        && state.unchanged <= len
        && state.unchanged_as_sent <= state.unchanged
        && are_in_order(state.unfounded.iter().copied(), len)
        && amount(state.requests)
        && state.last_request_ms.is_none_or(f64::is_finite)
        && [state.last_cached.0, state.last_cached.1, state.last_listed, state.cost.0, state.cost.1]
            .into_iter()
            .all(amount)
}

fn are_in_order(mut positions: impl Iterator<Item = usize>, len: usize) -> bool {
    let mut next = 0;
    positions.all(|position| {
        let fits = position >= next && position < len;
        next = position.saturating_add(1);
        fits
    })
}
