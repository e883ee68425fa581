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

/// State of the cache according to the requests so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CacheState {
    pub context: u32,
    pub prompt: f64,
    /// Cached tokens of the previous request: all of them if writes aren't recorded.
    pub cached: f64,
    pub at_ms: Option<i64>,
    /// Tokens that the first request read; other sessions keep those cached.
    pub first_read: f64,
    /// Tokens that the last request after a pause read.
    pub after_pause: Option<f64>,
    /// Tokens that the last request after a change of the prefix read.
    pub after_change: Option<f64>,
    /// Prompt tokens of the last request that began a turn.
    pub turn: Option<f64>,
}

impl CachePredictor<'_> {
    /// Expected cache hit in tokens, and the cause if it is less than the previous request held.
    pub fn predict(
        &self,
        request: &Request,
        total: f64,
        rates: &Rates,
        known: Option<CacheState>,
    ) -> (f64, Option<Cause>) {
        let Some(known) = known else {
            // The first request's read can't be predicted: other sessions filled the cache. Take it as given.
            return (request.usage.map_or(0.0, |usage| amount(usage.cache_read)), None);
        };
        let prices = rates.prices(self.is_one_hour);
        let elapsed = self.elapsed_ms(request, &known);
        let shared = || {
            let first = Some(known.first_read).filter(|&read| read > 0.0);
            let own = || self.prompts.shared_tokens(request.context, self.rows);
            known.after_change.or(first).unwrap_or_else(own)
        };
        let (cached, cause) = if elapsed > prices.ttl_ms {
            (known.after_pause.unwrap_or(known.first_read), Some(Cause::Idle))
        } else if request.context != known.context {
            (shared(), Some(self.cause_of(request)))
        } else if request.kind == RequestKind::Compaction && self.rows.session.agent == Agent::OpenCode {
            // The summary request sends the conversation as one text, a prefix that no request had.
            (shared(), Some(Cause::Compaction))
        } else if total < known.prompt - SHRINK_TOKENS {
            // At a new turn Codex drops the reasoning of the previous turn; the prompt up to that turn stays cached.
            let turn = known.turn.filter(|_| self.rows.session.agent == Agent::Codex);
            (turn.unwrap_or_else(shared), Some(Cause::EditedPrefix))
        } else {
            (known.cached, None)
        };
        (cached.min(total), cause)
    }

    pub fn update(
        &self,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        known: Option<CacheState>,
    ) -> CacheState {
        let (total, read) = (amount(usage.total()), amount(usage.cache_read));
        let mut next = known.unwrap_or(CacheState { first_read: read, ..CacheState::default() });
        if let Some(before) = known.filter(|before| read < before.prompt / 2.0) {
            match self.predict(request, total, rates, Some(before)).1 {
                Some(Cause::Idle) => next.after_pause = Some(read),
                _ if read > 0.0 => next.after_change = Some(read),
                _ => {}
            }
        }
        if self.rows.session.begins_turn(self.thread, request) {
            next.turn = Some(total);
        }
        next.cached = if self.records_writes { read + amount(usage.cache_write) } else { total };
        (next.context, next.prompt, next.at_ms) = (request.context, total, request.at_ms);
        next
    }

    /// Time since the previous request; 0 if a time is missing.
    pub fn pause_ms(&self, request: &Request, known: Option<CacheState>) -> f64 {
        known.map_or(0.0, |known| self.elapsed_ms(request, &known))
    }

    #[allow(clippy::cast_precision_loss)] // a time
    fn elapsed_ms(&self, request: &Request, known: &CacheState) -> f64 {
        self.sent_ms(request).zip(known.at_ms).map_or(0.0, |(now, last)| now.saturating_sub(last) as f64)
    }

    /// Send time of the request: the newest timestamp of its last messages, if known.
    fn sent_ms(&self, request: &Request) -> Option<i64> {
        let times =
            self.rows.session.sent(self.thread, request).rev().take(8).filter_map(|message| message.at_ms);
        times.max().or(request.at_ms)
    }

    fn cause_of(&self, request: &Request) -> Cause {
        match self.thread.contexts.get(request.context as usize).map(|context| &context.start) {
            Some(ContextStart::Compaction { .. } | ContextStart::ResultsCleared { .. }) => Cause::Compaction,
            Some(ContextStart::Rewind | ContextStart::Changed) => Cause::EditedPrefix,
            Some(ContextStart::Beginning) | None => Cause::Unknown,
        }
    }
}

/// Rounds down to whole blocks, counted from the end of the first request's read, since the provider's own instructions come first.
pub(super) fn in_blocks(cached: f64, first_read: f64, rates: &Rates) -> f64 {
    let offset = first_read % rates.block_tokens;
    let blocks = ((cached - offset) / rates.block_tokens).floor() * rates.block_tokens + offset;
    if blocks < rates.min_tokens { 0.0 } else { blocks.min(cached) }
}
