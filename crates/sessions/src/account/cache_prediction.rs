//! Predicts how much of a request is a cache hit, from what the file records.
//!
//! Within the cache's lifetime, everything that the previous request held is read. After a longer pause, only what
//! other sessions keep cached is read, as at the thread's first request. After a change of the prefix, only system
//! prompt and tools are.

use super::bust::Cause;
use super::prices::Rates;
use super::prompt::{Prompts, amount};
use super::rows::CountedRows;
use crate::agent::Agent;
use crate::model::{ContextStart, Request, RequestKind, Thread};
use palimpsest_core::provider::usage::Usage;

/// A prompt that shrinks by less still has the same prefix: counts of one prompt differ by some tokens.
const SHRINK_TOKENS: f64 = 1024.0;

/// Inputs for predicting the cache hits of one thread.
pub(super) struct CachePredictor<'a> {
    pub thread: &'a Thread,
    pub prompts: &'a Prompts,
    pub rows: &'a CountedRows<'a>,
    /// True if the thread's cache lives for an hour.
    pub is_one_hour: bool,
    /// True if usage separates cache writes from uncached input.
    pub records_writes: bool,
    pub has_cache: bool,
}

/// State of the cache after a request.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CacheState {
    /// The request's context, prompt and time.
    pub context: u32,
    pub prompt_tokens: f64,
    /// Tokens of its prompt in the cache: all of them if writes aren't recorded.
    pub cached_tokens: f64,
    pub at_ms: Option<i64>,
    /// Tokens that the first request read; other sessions keep those cached.
    pub first_read: f64,
    /// Tokens that the last request after a pause read.
    pub read_after_pause: Option<f64>,
    /// Tokens that the last request after a change of the prefix read.
    pub read_after_change: Option<f64>,
    /// Prompt tokens of the last request that began a turn.
    pub turn_start_tokens: Option<f64>,
}

impl CachePredictor<'_> {
    /// Expected cache hit in tokens, and the cause if it is less than the previous request held.
    pub fn predict(
        &self,
        request: &Request,
        total: f64,
        rates: &Rates,
        state: Option<CacheState>,
    ) -> (f64, Option<Cause>) {
        let Some(state) = state else {
            // The first request's read can't be predicted: other sessions filled the cache. Take it as given.
            return (request.usage.map_or(0.0, |usage| amount(usage.cache_read)), None);
        };
        let prices = rates.prices(self.is_one_hour);
        let elapsed = self.pause_ms(request, Some(state));
        // Tokens that stay cached after a change of the prefix.
        let unchanged = || {
            let first = Some(state.first_read).filter(|&read| read > 0.0);
            let system = || self.prompts.shared_tokens(request.context, self.rows);
            state.read_after_change.or(first).unwrap_or_else(system)
        };
        let (cached, cause) = if elapsed > prices.ttl_ms {
            (state.read_after_pause.unwrap_or(state.first_read), Some(Cause::Idle))
        } else if request.context != state.context {
            (unchanged(), Some(self.cause_of(request)))
        } else if request.kind == RequestKind::Compaction && self.rows.session.agent == Agent::OpenCode {
            // The summary request sends the conversation as one text, a prefix that no request had.
            (unchanged(), Some(Cause::Compaction))
        } else if total < state.prompt_tokens - SHRINK_TOKENS {
            // At a new turn Codex drops the reasoning of the previous turn; the prompt up to that turn stays cached.
            let turn_start = state.turn_start_tokens.filter(|_| self.rows.session.agent == Agent::Codex);
            (turn_start.unwrap_or_else(unchanged), Some(Cause::EditedPrefix))
        } else {
            (state.cached_tokens, None)
        };
        (cached.min(total), cause)
    }

    /// The state after `request`.
    pub fn update(
        &self,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        state: Option<CacheState>,
    ) -> CacheState {
        let (total, read) = (amount(usage.total()), amount(usage.cache_read));
        let mut next = state.unwrap_or(CacheState { first_read: read, ..CacheState::default() });
        // Most of the previous prompt was not in the cache.
        if let Some(before) = state.filter(|before| read < before.prompt_tokens / 2.0) {
            match self.predict(request, total, rates, Some(before)).1 {
                Some(Cause::Idle) => next.read_after_pause = Some(read),
                _ if read > 0.0 => next.read_after_change = Some(read),
                _ => {}
            }
        }
        if self.rows.session.begins_turn(self.thread, request) {
            next.turn_start_tokens = Some(total);
        }
        next.cached_tokens = if self.records_writes { read + amount(usage.cache_write) } else { total };
        (next.context, next.prompt_tokens, next.at_ms) = (request.context, total, request.at_ms);
        next
    }

    /// Time since the previous request; 0 if a time is missing.
    #[allow(clippy::cast_precision_loss)] // a time
    pub fn pause_ms(&self, request: &Request, state: Option<CacheState>) -> f64 {
        let previous_ms = state.and_then(|state| state.at_ms);
        self.sent_ms(request).zip(previous_ms).map_or(0.0, |(now, last)| now.saturating_sub(last) as f64)
    }

    /// Send time of the request: the newest timestamp of its last messages, if known.
    fn sent_ms(&self, request: &Request) -> Option<i64> {
        let newest_messages = self.rows.session.sent_messages(self.thread, request).rev().take(8);
        newest_messages.filter_map(|message| message.at_ms).max().or(request.at_ms)
    }

    fn cause_of(&self, request: &Request) -> Cause {
        match self.thread.contexts.get(request.context as usize).map(|context| &context.start) {
            Some(ContextStart::Compaction { .. } | ContextStart::ResultsCleared { .. }) => Cause::Compaction,
            Some(ContextStart::Rewind | ContextStart::Changed) => Cause::EditedPrefix,
            Some(ContextStart::Beginning) | None => Cause::Unknown,
        }
    }
}

/// Rounds down to whole blocks, counted from the end of the first request's read (the provider's instructions).
pub(super) fn in_blocks(cached: f64, first_read: f64, rates: &Rates) -> f64 {
    let offset = first_read % rates.block_tokens;
    let blocks = ((cached - offset) / rates.block_tokens).floor() * rates.block_tokens + offset;
    if blocks < rates.min_tokens { 0.0 } else { blocks.min(cached) }
}
