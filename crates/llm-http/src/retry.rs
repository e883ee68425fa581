//! Decides whether and when to repeat a request, also by what the provider asks for.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The first wait if the provider names none. Doubles with each attempt.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// These statuses may be temporary: time-out, conflict, rate limit, server errors, Anthropic's "overloaded".
pub const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500 | 502 | 503 | 504 | 529)
}

#[derive(Debug, Clone)]
pub struct Retries {
    max_count: u32,
    max_wait: Duration,
    /// Differs between clients, so that many that failed together don't retry together.
    spread: RandomState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAdvice {
    Never,
    /// The next attempt may succeed; the provider names no wait.
    Soon,
    After(Duration),
}

impl Retries {
    pub fn new(max_count: u32, max_wait: Duration) -> Self {
        Self { max_count, max_wait, spread: RandomState::new() }
    }

    /// The wait before the next attempt after `failed_count` (from 1) have failed; `None` if there should be none.
    pub fn wait(&self, failed_count: u32, advice: RetryAdvice) -> Option<Duration> {
        if failed_count > self.max_count {
            return None;
        }
        match advice {
            RetryAdvice::Never => None,
            RetryAdvice::After(wait) => (wait <= self.max_wait).then_some(wait),
            RetryAdvice::Soon => Some(self.backoff(failed_count)),
        }
    }

    /// At random, between three quarters of the doubled wait and all of it.
    fn backoff(&self, failed_count: u32) -> Duration {
        let doubled = FIRST_WAIT.saturating_mul(1 << (failed_count - 1).min(16));
        let nominal = doubled.min(self.max_wait);
        let chance = u32::try_from(self.spread.hash_one(failed_count) % 256).unwrap_or_default();
        nominal * 3 / 4 + nominal / 4 * chance / 256
    }
}

/// The wait that a provider asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date. A past date means no
/// wait; an unreadable value is ignored.
pub fn requested_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(wait) = text("retry-after-ms").and_then(|ms| duration(ms, 1e-3)) {
        return Some(wait);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    duration(asked, 1.0).or_else(|| {
        // Uses the server's own clock if it sends one: the user's may be wrong by more than the wait.
        let now = text("date").and_then(|date| parse_http_date(date).ok()).unwrap_or(now);
        Some(parse_http_date(asked).ok()?.duration_since(now).unwrap_or_default())
    })
}

/// Reads a number of units that are `unit_seconds` long.
fn duration(text: &str, unit_seconds: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    // Infinity and years beyond any clock are clamped: too long in any case.
    Some(Duration::try_from_secs_f64((number * unit_seconds).clamp(0.0, 1e9)).unwrap_or_default())
}

#[cfg(test)]
mod tests;
