//! Records the attempts of a request for the caller's log (R9.1): numbers and codes, no content.

use std::time::{Duration, Instant};

use crate::failure::HttpFailure;

/// One attempt that was answered or failed.
#[derive(Debug)]
pub struct Attempt {
    pub status: Option<u16>,
    /// `ok`, or the failure's code.
    pub outcome: &'static str,
    pub duration: Duration,
    /// The wait before the next attempt; none after the last one.
    pub wait: Option<Duration>,
}

#[derive(Debug)]
pub struct Journal {
    began: Instant,
    /// Without one that was cancelled or timed out.
    pub attempts: Vec<Attempt>,
    /// Of the whole request, with all waits.
    pub duration: Duration,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), attempts: Vec::new(), duration: Duration::ZERO }
    }

    pub(crate) fn succeeded(&mut self, duration: Duration) {
        self.attempts.push(Attempt { status: Some(200), outcome: "ok", duration, wait: None });
    }

    pub(crate) fn failed(&mut self, failure: &HttpFailure, duration: Duration, wait: Option<Duration>) {
        let outcome = failure.kind.code();
        self.attempts.push(Attempt { status: failure.status, outcome, duration, wait });
    }

    pub(crate) fn end(&mut self) {
        self.duration = self.began.elapsed();
    }
}
