//! Decides whether a summary is tried now, after failures of its model and after tries that gained little (R7.10).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::logged_once::UnrecognisedInput;
use super::settings::Settings;
use super::stats::CountedChange;
use crate::compression::message::ChatMessage;
use crate::compression::plan::{Plan, Skip, plan};
use crate::compression::session::usage::{TokenRow, WindowUsage};
use crate::compression::to_f64;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionOptions {
    /// The current time, ms since the epoch.
    pub now_ms: f64,
    /// Requested explicitly: only pair and turn boundaries can prevent a summary, and nothing is cut.
    pub forced: bool,
    /// The application has aborted before the beginning.
    pub aborted: bool,
    pub summary: Option<String>,
    pub instructions: Option<String>,
    pub unrecognised: UnrecognisedInput,
}

/// How many of the newest messages stay, unless they take too many tokens.
const ORDINARY_RECENT: usize = 10;
/// Fewer of the newest messages stay if the range would otherwise have less than this share of all tokens.
const POOR_RANGE_SHARE: f64 = 0.25;
/// In that case the newest messages take at most this share.
const SHARE_OF_RECENT: f64 = 0.5;

/// What decides whether a conversation is summarised, in addition to its messages.
pub struct Attempt<'s> {
    pub rows: &'s [TokenRow],
    pub usage: &'s WindowUsage,
    pub settings: &'s Settings,
    pub options: &'s SessionOptions,
    pub last_try: Option<Try>,
}

impl Attempt<'_> {
    pub(super) fn plan(&self, messages: &[ChatMessage], breaker: &mut Breaker) -> Result<Plan, Skip> {
        let Settings { keep_recent, max_context_tokens, .. } = *self.settings;
        if self.options.forced {
            return plan(messages, keep_recent);
        }
        let size = (to_f64(self.rows.len()), self.usage.tokens);
        if !worth_trying(self.last_try, size, keep_recent, max_context_tokens) {
            return Err(Skip::NoGainLastTime);
        }
        let planned = self.plan_with_enough(messages)?;
        if !possible_gain(self.replaced_share(&planned)) {
            return Err(Skip::TooLittleToGain);
        }
        // The breaker is checked last: after a pause it allows one try, and the check uses it up.
        if breaker.may_try(self.options.now_ms) { Ok(planned) } else { Err(Skip::BreakerOpen) }
    }

    /// If each of the newest ten messages takes 8 % of the window, nothing is left to summarise; then fewer stay.
    fn plan_with_enough(&self, messages: &[ChatMessage]) -> Result<Plan, Skip> {
        let keep_recent = self.settings.keep_recent;
        let planned = plan(messages, keep_recent);
        let is_large = |plan: &Plan| self.replaced_share(plan) >= POOR_RANGE_SHARE;
        let reduced = || self.recent_within(SHARE_OF_RECENT * self.usage.tokens);
        if planned.as_ref().is_ok_and(is_large) || reduced() >= keep_recent.min(ORDINARY_RECENT) {
            return planned;
        }
        plan(messages, reduced()).ok().filter(is_large).map_or(planned, Ok)
    }

    fn replaced_share(&self, plan: &Plan) -> f64 {
        let replaced = plan.range.clone().filter(|index| !plan.carried.contains(index));
        self.usage.tokens_of_part(self.rows, replaced) / self.usage.tokens
    }

    /// How many of the newest messages take at most `most_tokens`, but at least one.
    fn recent_within(&self, most_tokens: f64) -> usize {
        let mut total = 0.0;
        let within = (0..self.rows.len()).rev().take_while(|&index| {
            total += self.usage.tokens_of_part(self.rows, [index]);
            total <= most_tokens
        });
        within.count().max(1)
    }
}

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
    pub failures: u32,
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
    /// after another pause; a clock that was set back costs at most one more pause.
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
}

/// The breakers of one client's models, by name: an application with a manager for each conversation must not call a
/// failing model once per manager.
#[derive(Debug, Clone, Default)]
pub struct Breakers(Arc<Mutex<BTreeMap<String, Breaker>>>);

impl Breakers {
    pub fn with<T>(&self, model: &str, work: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(breakers.entry(model.to_owned()).or_default())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Try {
    /// Whether [`gains_enough`] held; false also if the summary was not smaller. `None` if there was only a cut.
    pub gained: Option<bool>,
    /// Messages and tokens after the try (before it, if the summary was not smaller), minus those cut since.
    pub messages: f64,
    pub tokens: f64,
    /// The last change, until the next: applying it to the application's array may still fail.
    pub change: Option<CountedChange>,
}

/// True if a conversation of this size has changed enough since `last` for another try to end differently (EDGE 1).
pub fn worth_trying(last: Option<Try>, (messages, tokens): (f64, f64), keep_recent: usize, window: f64) -> bool {
    let Some(last) = last.filter(|last| last.gained == Some(false)) else { return true };
    let enough_messages = to_f64(keep_recent.max(MIN_NEW_MESSAGES));
    let new_messages = messages - last.messages;
    // Fewer messages mean that the application has rewound the history, so the last try doesn't apply.
    new_messages < 0.0 || new_messages >= enough_messages || tokens - last.tokens >= MIN_NEW_SHARE * window
}

pub fn gains_enough(tokens_before: f64, tokens_after: f64) -> bool {
    tokens_before > 0.0 && tokens_before - tokens_after >= MIN_GAIN * tokens_before
}

/// True if removing a range with this share of all tokens could be enough.
pub fn possible_gain(range_share: f64) -> bool {
    range_share >= MIN_GAIN
}

#[cfg(test)]
mod breaker_tests;

#[cfg(test)]
mod tests;
