//! Decides whether a summary is worth another try, after failures of its model and after tries that gained little (R7.10).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::stats::CountedChange;
use crate::compression::to_f64;

/// After this many failures in a row, no summary is requested for a while.
pub const MAX_FAILURES: u32 = 3;
/// How long no summary is requested at first.
pub const FIRST_PAUSE_MS: f64 = 60_000.0;
/// Each failed try after a pause doubles the next pause, up to this.
pub const LONGEST_PAUSE_MS: f64 = 600_000.0;
/// A compression that saves a smaller share of all tokens than this was not worth its call.
pub const MIN_GAIN: f64 = 0.1;
/// After such a compression, at least this many new messages must be added before the next try, however few are kept.
const MIN_NEW_MESSAGES: usize = 4;
/// New tokens for this share of the window are enough as well.
const MIN_NEW_SHARE: f64 = 0.1;

/// A circuit breaker: stops calling a model that keeps failing, and tries it once after each pause.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Breaker {
    failures: u32,
    pause: Option<Pause>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Pause {
    since_ms: f64,
    length_ms: f64,
    /// True while the single try after a pause is under way.
    trying: bool,
}

impl Breaker {
    /// After a pause this returns true once, so check it last. A try whose result is never reported counts as lost
    /// after another pause, and a clock that was set back costs at most one more pause.
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

    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// The application aborted before a result was known, so the next call may try at once.
    pub fn abandoned(&mut self) {
        if let Some(pause) = &mut self.pause
            && pause.trying
        {
            pause.trying = false;
            pause.since_ms = f64::NEG_INFINITY;
        }
    }

    /// The length of the pause that this failure starts, if any.
    pub fn failed(&mut self, now_ms: f64) -> Option<f64> {
        self.failures = self.failures.saturating_add(1);
        let pause_ms = match self.pause {
            None if self.failures < MAX_FAILURES => return None,
            None => FIRST_PAUSE_MS,
            // Calls that were under way when the pause began give no new information.
            Some(Pause { trying: false, .. }) => return None,
            Some(Pause { length_ms, .. }) => (length_ms * 2.0).min(LONGEST_PAUSE_MS),
        };
        self.pause = Some(Pause { since_ms: now_ms, length_ms: pause_ms, trying: false });
        Some(pause_ms)
    }

    pub const fn failures(&self) -> u32 {
        self.failures
    }
}

/// The breakers of one client's models, by name. All managers of the client share them: an application with a manager
/// for each conversation or request must not call a failing model once per manager.
#[derive(Debug, Clone, Default)]
pub struct Breakers(Arc<Mutex<BTreeMap<String, Breaker>>>);

impl Breakers {
    pub fn with<T>(&self, model: &str, work: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(breakers.entry(model.to_owned()).or_default())
    }
}

/// The last try to summarise a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Try {
    /// Whether [`gains_enough`] held; false also if the summary was rejected as not smaller. `None` if there was only a
    /// cut.
    pub gained: Option<bool>,
    /// Count of messages after the try, minus those cut since.
    pub messages: f64,
    /// Tokens after the try, minus those cut since.
    pub tokens: f64,
    /// The last change, as the statistics counted it. Kept until the next change, because applying it to the
    /// application's array may still fail.
    pub change: Option<CountedChange>,
}

/// True if a conversation of this many messages and tokens has changed enough since `last` for another try to end
/// differently (EDGE 1).
pub fn worth_trying(
    last: Option<Try>,
    (messages, tokens): (f64, f64),
    keep_recent: usize,
    window: f64,
) -> bool {
    let Some(last) = last.filter(|last| last.gained == Some(false)) else { return true };
    let enough_messages = to_f64(keep_recent.max(MIN_NEW_MESSAGES));
    let new_messages = messages - last.messages;
    // Fewer messages mean that the application has rewound the history, so the last try doesn't apply.
    new_messages < 0.0 || new_messages >= enough_messages || tokens - last.tokens >= MIN_NEW_SHARE * window
}

/// True if a compression saved enough tokens to be worth its call.
pub fn gains_enough(tokens_before: f64, tokens_after: f64) -> bool {
    tokens_before > 0.0 && tokens_before - tokens_after >= MIN_GAIN * tokens_before
}

/// True if removing a range with this share of all tokens could save enough.
pub fn possible_gain(range_share: f64) -> bool {
    range_share >= MIN_GAIN
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;
