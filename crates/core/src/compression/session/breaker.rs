//! Decides whether compressing is worth another try (R7.10). Knows time only as it is told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// So many failures in a row, and it stops asking.
pub const FAILURES: u32 = 3;
/// For how long at first ...
pub const FIRST_PAUSE_MS: f64 = 60_000.0;
/// ... and at most, each failed try after a pause having doubled it.
pub const LONGEST_PAUSE_MS: f64 = 600_000.0;
/// A compression that gains a smaller share than this was not worth its call.
pub const LEAST_GAIN: f64 = 0.1;
/// After one that was not, so many new messages must come, however few are kept ...
const LEAST_NEW_MESSAGES: usize = 4;
/// ... or new tokens for this share of the window.
const LEAST_NEW_SHARE: f64 = 0.1;

/// Stops asking a model that keeps failing, and asks once in a while whether it works again.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Breaker {
    failures: u32,
    pause: Option<Pause>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Pause {
    since_ms: f64,
    length_ms: f64,
    /// Whether the single try that follows a pause is under way.
    trying: bool,
}

impl Breaker {
    /// Whether to ask at `now_ms`. After a pause it says so once: the answer takes that try, so ask last.
    ///
    /// A try that is never reported back counts as lost after another pause. A clock that was set back costs at
    /// most one pause more.
    pub fn may_try(&mut self, now_ms: f64) -> bool {
        let Some(pause) = &mut self.pause else { return true };
        if now_ms < pause.since_ms {
            pause.since_ms = now_ms;
        }
        let is_over = now_ms - pause.since_ms >= pause.length_ms;
        if is_over {
            pause.since_ms = now_ms;
            pause.trying = true;
        }
        is_over
    }

    /// The model answered: all is forgotten.
    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// The host gave up before anything was known: the next call may try at once.
    pub fn abandoned(&mut self) {
        if let Some(pause) = &mut self.pause
            && pause.trying
        {
            pause.trying = false;
            pause.since_ms = f64::NEG_INFINITY;
        }
    }

    /// The model failed. How long nothing is tried, when this failure begins a pause.
    pub fn failed(&mut self, now_ms: f64) -> Option<f64> {
        self.failures = self.failures.saturating_add(1);
        let pause_ms = match self.pause {
            None if self.failures < FAILURES => return None,
            None => FIRST_PAUSE_MS,
            // Calls that were under way when it opened say nothing new.
            Some(Pause { trying: false, .. }) => return None,
            Some(Pause { length_ms, .. }) => (length_ms * 2.0).min(LONGEST_PAUSE_MS),
        };
        self.pause = Some(Pause { since_ms: now_ms, length_ms: pause_ms, trying: false });
        Some(pause_ms)
    }

    /// Failures since it last worked.
    #[must_use]
    pub const fn failures(&self) -> u32 {
        self.failures
    }
}

/// The breakers of one client's models, by the models' names. All managers that ask through this client share them: a host
/// with a manager for each conversation, or each request, must not ask a model that is down as often as it has managers.
#[derive(Debug, Clone, Default)]
pub struct Breakers(Arc<Mutex<BTreeMap<String, Breaker>>>);

impl Breakers {
    /// What `work` makes of the breaker of `model`.
    pub fn with<T>(&self, model: &str, work: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(breakers.entry(model.to_owned()).or_default())
    }
}

/// How the last compression of a conversation ended, and what has come since.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LastTry {
    /// Whether [`gains_enough`] held; false too when its summary was refused as not smaller.
    pub gained: bool,
    /// Messages that came since: those there are, less those that were there, and those that a truncation cut out since.
    /// Negative for a history that the host has rewound.
    pub new_messages: f64,
    /// Their tokens, likewise.
    pub new_tokens: f64,
}

/// Whether enough has changed since `last` for another try to end otherwise (EDGE 1).
#[must_use]
pub fn worth_trying(last: Option<LastTry>, keep_recent: usize, window: f64) -> bool {
    let Some(last) = last.filter(|last| !last.gained) else { return true };
    #[allow(clippy::cast_precision_loss)] // a number of messages
    let enough = keep_recent.max(LEAST_NEW_MESSAGES) as f64;
    // A negative number means that the host has rewound the history, so the last try says nothing about this one.
    last.new_messages < 0.0 || last.new_messages >= enough || last.new_tokens >= LEAST_NEW_SHARE * window
}

/// Whether a compression from `before` to `after` tokens was worth it.
#[must_use]
pub fn gains_enough(before: f64, after: f64) -> bool {
    before > 0.0 && before - after >= LEAST_GAIN * before
}

/// Whether a range that weighs `range_share` of all tokens could gain enough if nothing were left of it.
#[must_use]
pub fn possible_gain(range_share: f64) -> bool {
    range_share >= LEAST_GAIN
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;
