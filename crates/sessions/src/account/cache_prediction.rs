//! Predicts cache hits. Within the cache's lifetime, all of the previous request is read. After a longer pause or
//! a change of the prefix, as much as after the last one; before any, what the thread's first request read, because
//! other sessions keep it cached, or, after a change, system prompt and tools.

use palimpsest_core::provider::usage::Usage;

use super::{CacheMissCause, CountedThread, Rates, to_f64};
use crate::{Agent, ContextStart, Request, RequestKind};

/// A prompt that shrinks by less still has the same prefix: counts of one prompt differ by some tokens.
const SHRINK_TOKENS: f64 = 1024.0;

pub(super) struct CachePredictor<'a> {
    pub counted: &'a CountedThread<'a>,
    pub is_one_hour: bool,
    /// True if usage separates cache writes from uncached input.
    pub records_writes: bool,
    pub has_cache: bool,
    pub state: Option<CacheState>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CacheState {
    pub context: u32,
    pub prompt_tokens: f64,
    /// Tokens of its prompt in the cache: all of them if writes aren't recorded.
    pub cached_tokens: f64,
    pub at_ms: Option<i64>,
    pub first_read: f64,
    pub read_after_pause: Option<f64>,
    pub read_after_change: Option<f64>,
    pub turn_start_tokens: Option<f64>,
}

impl<'a> CachePredictor<'a> {
    pub fn of(counted: &'a CountedThread<'a>) -> Self {
        let (_, usage) = counted.thread.usage();
        let (is_one_hour, has_cache) = (is_one_hour(&usage), has_cache(&usage));
        Self { counted, is_one_hour, records_writes: usage.cache_write > 0, has_cache, state: None }
    }

    /// Expected cache hit in tokens, and the cause if it is less than the previous request held.
    pub fn predict(&self, request: &Request, tokens: f64, rates: &Rates) -> (f64, Option<CacheMissCause>) {
        let Some(state) = self.state else {
            // The first request's read can't be predicted: other sessions filled the cache. Take it as given.
            return (request.usage.map_or(0.0, |usage| to_f64(usage.cache_read)), None);
        };
        let prices = rates.prices(self.is_one_hour);
        let elapsed = self.pause_ms(request);
        let cached_after_change = || {
            let first_read = Some(state.first_read).filter(|&read| read > 0.0);
            let system = || self.counted.system_tokens(request.context);
            state.read_after_change.or(first_read).unwrap_or_else(system)
        };
        let (cached, cause) = if elapsed > prices.ttl_ms {
            (state.read_after_pause.unwrap_or(state.first_read), Some(CacheMissCause::Idle))
        } else if request.context != state.context {
            (cached_after_change(), Some(self.cause_of(request)))
        } else if request.kind == RequestKind::Compaction && self.counted.rows.session.agent == Agent::OpenCode {
            // The summary request sends the conversation as one text, a prefix that no request had.
            (cached_after_change(), Some(CacheMissCause::Compaction))
        } else if tokens < state.prompt_tokens - SHRINK_TOKENS {
            // At a new turn Codex drops the reasoning of the previous turn; the prompt up to that turn stays cached.
            let turn_start = state.turn_start_tokens.filter(|_| self.counted.rows.session.agent == Agent::Codex);
            (turn_start.unwrap_or_else(cached_after_change), Some(CacheMissCause::EditedPrefix))
        } else {
            (state.cached_tokens, None)
        };
        (cached.min(tokens), cause)
    }

    pub fn update(&mut self, request: &Request, usage: &Usage, rates: &Rates) {
        let (total, read) = (to_f64(usage.total()), to_f64(usage.cache_read));
        let mut next = self.state.unwrap_or(CacheState { first_read: read, ..CacheState::default() });
        if self.state.is_some_and(|before| read < before.prompt_tokens / 2.0) {
            match self.predict(request, total, rates).1 {
                Some(CacheMissCause::Idle) => next.read_after_pause = Some(read),
                // Also without a known cause: it counts as a change that the file doesn't record.
                _ if read > 0.0 => next.read_after_change = Some(read),
                _ => {}
            }
        }
        if self.counted.begins_turn(request) {
            next.turn_start_tokens = Some(total);
        }
        next.cached_tokens = if self.records_writes { read + to_f64(usage.cache_write) } else { total };
        (next.context, next.prompt_tokens, next.at_ms) = (request.context, total, request.at_ms);
        self.state = Some(next);
    }

    pub fn pause_ms(&self, request: &Request) -> f64 {
        let previous_ms = self.state.and_then(|state| state.at_ms);
        self.sent_ms(request).zip(previous_ms).map_or(0.0, |(now, last)| now.saturating_sub(last) as f64)
    }

    /// Send time of the request: the newest timestamp of its last messages, if known.
    fn sent_ms(&self, request: &Request) -> Option<i64> {
        let newest_messages = self.counted.rows.session.sent_messages(self.counted.thread, request).rev().take(8);
        newest_messages.filter_map(|message| message.at_ms).max().or(request.at_ms)
    }

    fn cause_of(&self, request: &Request) -> CacheMissCause {
        match self.counted.thread.contexts.get(request.context as usize).map(|context| &context.start) {
            Some(ContextStart::Compaction { .. } | ContextStart::ResultsCleared { .. }) => CacheMissCause::Compaction,
            Some(ContextStart::Rewind | ContextStart::Changed) => CacheMissCause::EditedPrefix,
            Some(ContextStart::Beginning) | None => CacheMissCause::Unknown,
        }
    }
}

/// Blocks are counted from the end of the first request's read: the provider's own instructions, of any length.
pub(super) fn in_blocks(cached: f64, first_read: f64, rates: &Rates) -> f64 {
    let offset = first_read % rates.block_tokens;
    let rounded = ((cached - offset) / rates.block_tokens).floor() * rates.block_tokens + offset;
    if rounded < rates.min_tokens { 0.0 } else { rounded.min(cached) }
}

pub(super) fn is_one_hour(usage: &Usage) -> bool {
    usage.cache_write_1h > usage.cache_write_5m
}

pub(super) fn has_cache(usage: &Usage) -> bool {
    usage.cache_write > 0 || usage.cache_read > 0
}
