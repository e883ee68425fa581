//! Records the attempts of a request for the log (R9.1): numbers and codes, no content.

use std::time::{Duration, Instant};

use crate::failure::HttpFailure;

#[derive(Debug)]
struct Attempted {
    status: Option<u16>,
    code: &'static str,
    duration: Duration,
    /// The wait before the next attempt.
    wait: Option<Duration>,
}

/// Logged afterwards on the caller's thread, because the subscriber is there.
#[derive(Debug)]
pub struct Journal {
    began: Instant,
    attempts: Vec<Attempted>,
    done: Option<(&'static str, Duration)>,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), attempts: Vec::new(), done: None }
    }

    pub(crate) fn succeeded(&mut self, duration: Duration) {
        self.attempts.push(Attempted { status: Some(200), code: "ok", duration, wait: None });
    }

    pub(crate) fn failed(&mut self, failure: &HttpFailure, duration: Duration, wait: Option<Duration>) {
        let code = failure.kind.code();
        self.attempts.push(Attempted { status: failure.status, code, duration, wait });
    }

    pub(crate) fn end<T>(&mut self, result: &Result<T, HttpFailure>) {
        let code = result.as_ref().err().map_or("ok", |failure| failure.kind.code());
        self.done = Some((code, self.began.elapsed()));
    }

    /// The number of attempts, without one that was cancelled or timed out.
    pub fn attempts(&self) -> usize {
        self.attempts.len()
    }

    /// Emits `tracing` events at debug level.
    pub fn tell(&self) {
        for (index, Attempted { status, code, duration, wait }) in self.attempts.iter().enumerate() {
            let attempt = index as u64 + 1;
            tracing::debug!(
                attempt,
                outcome = code,
                status,
                duration_ms = ms(*duration),
                "model request answered"
            );
            if let Some(wait) = wait {
                tracing::debug!(attempt = attempt + 1, wait_ms = ms(*wait), "model request repeated");
            }
        }
        if let Some((outcome, duration)) = self.done {
            let attempts = self.attempts.len() as u64;
            tracing::debug!(outcome, attempts, duration_ms = ms(duration), "model request done");
        }
    }
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
