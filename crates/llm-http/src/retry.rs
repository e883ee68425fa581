//! Decides whether to ask again, and when.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The first wait where the provider names none. Doubles with each attempt.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// These statuses may go away by themselves: time-out, conflict, rate, server errors, Anthropic's "overloaded".
pub const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500 | 502 | 503 | 504 | 529)
}

#[derive(Debug, Clone)]
pub struct Retries {
    pub most: u32,
    pub longest_wait: Duration,
    /// Differs from client to client, so that many that failed together don't come back together.
    spread: RandomState,
}

/// What a failed attempt says of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// The next attempt would fail the same way.
    No,
    /// The next attempt may succeed; the provider doesn't say when.
    Soon,
    After(Duration),
}

impl Retries {
    pub fn new(most: u32, longest_wait: Duration) -> Self {
        Self { most, longest_wait, spread: RandomState::new() }
    }

    /// `None` where there is to be no attempt after `done` (from 1) have failed.
    pub fn wait(&self, done: u32, again: Again) -> Option<Duration> {
        if done > self.most {
            return None;
        }
        match again {
            Again::No => None,
            Again::After(wait) => (wait <= self.longest_wait).then_some(wait),
            Again::Soon => Some(self.backoff(done)),
        }
    }

    /// Three quarters of the doubled wait, and up to the whole by chance.
    fn backoff(&self, done: u32) -> Duration {
        let doubled = FIRST_WAIT.saturating_mul(1 << (done - 1).min(16));
        let nominal = doubled.min(self.longest_wait);
        let chance = u32::try_from(self.spread.hash_one(done) % 256).unwrap_or_default();
        nominal * 3 / 4 + nominal / 4 * chance / 256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r7_2_waits_double_and_stay_under_the_longest() {
        let retries = Retries::new(60, Duration::from_secs(3));
        let waits: Vec<_> = (1..=60).map(|done| retries.wait(done, Again::Soon).unwrap()).collect();
        assert!((375..=500).contains(&waits[0].as_millis()), "{waits:?}");
        assert!((750..=1000).contains(&waits[1].as_millis()), "{waits:?}");
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(3)));
        assert_eq!(retries.wait(61, Again::Soon), None);
    }

    #[test]
    fn r7_2_a_wait_longer_than_allowed_is_no_wait() {
        let retries = Retries::new(2, Duration::from_secs(1));
        assert_eq!(retries.wait(1, Again::After(Duration::from_secs(1))), Some(Duration::from_secs(1)));
        assert_eq!(retries.wait(1, Again::After(Duration::from_millis(1001))), None);
        assert_eq!(retries.wait(1, Again::No), None);
    }
}
