//! Decides whether and when to repeat a request.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The first wait if the provider names none. Doubles with each attempt.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// These statuses may be temporary: time-out, conflict, rate limit, server errors, Anthropic's "overloaded".
pub const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// How often and after which waits a client's requests are repeated.
#[derive(Debug, Clone)]
pub struct Retries {
    max_count: u32,
    max_wait: Duration,
    /// Differs between clients, so that many that failed together don't retry together.
    spread: RandomState,
}

/// Whether to repeat the request after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAdvice {
    /// The next attempt would fail the same way.
    Never,
    /// The next attempt may succeed; the provider names no wait.
    Soon,
    /// The provider names this wait.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r7_2_waits_double_and_stay_under_the_longest() {
        let retries = Retries::new(60, Duration::from_secs(3));
        let waits: Vec<_> = (1..=60).map(|done| retries.wait(done, RetryAdvice::Soon).unwrap()).collect();
        assert!((375..=500).contains(&waits[0].as_millis()), "{waits:?}");
        assert!((750..=1000).contains(&waits[1].as_millis()), "{waits:?}");
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(3)));
        assert_eq!(retries.wait(61, RetryAdvice::Soon), None);
    }

    #[test]
    fn r7_2_a_wait_longer_than_allowed_is_no_wait() {
        let retries = Retries::new(2, Duration::from_secs(1));
        assert_eq!(retries.wait(1, RetryAdvice::After(Duration::from_secs(1))), Some(Duration::from_secs(1)));
        assert_eq!(retries.wait(1, RetryAdvice::After(Duration::from_millis(1001))), None);
        assert_eq!(retries.wait(1, RetryAdvice::Never), None);
    }
}
