//! Sends a request until it has an answer or a permanent failure: repeats it, and omits or renames parameters that the
//! model rejects.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::answer::{Complaint, ModelAnswer};
use crate::attempt::FailedAttempt;
use crate::connection;
use crate::failure::{FailureKind, HttpFailure, Invalid};
use crate::options::{CheckedOptions, ClientOptions};
use crate::request::{self, Adjustments, Body};
use crate::retry::Retries;

/// Asks one endpoint. Connects at the first request; its pooled connections close when it is dropped.
pub struct Client {
    checked: CheckedOptions,
    retries: Retries,
    connection: OnceLock<reqwest::Client>,
    /// By the model's name.
    adjustments: Mutex<HashMap<String, Adjustments>>,
}

#[derive(Debug)]
pub struct ChatOutcome {
    pub result: Result<ModelAnswer, HttpFailure>,
    /// Without an attempt that was cancelled, or that exceeded the total time limit.
    pub attempts: Vec<Attempt>,
    /// With all waits.
    pub duration: Duration,
}

/// One attempt, for the caller's log (R9.1): numbers and codes, no content.
#[derive(Debug)]
pub struct Attempt {
    pub status: Option<u16>,
    /// `ok`, or the failure's code.
    pub outcome: &'static str,
    pub duration: Duration,
    /// The wait before the next attempt; none after the last one.
    pub wait: Option<Duration>,
}

impl Client {
    /// Opens no connection.
    pub fn new(options: ClientOptions) -> Result<Self, Invalid> {
        Ok(Self {
            retries: Retries::new(options.max_retries, options.max_retry_delay),
            checked: options.check()?,
            connection: OnceLock::new(),
            adjustments: Mutex::default(),
        })
    }

    /// `given`: `{model, messages, max_tokens?, temperature?, body?}` as JSON.
    pub fn request(&self, given: &str) -> Result<Body, Invalid> {
        request::body(given, self.checked.style)
    }

    /// Sends the request, with retries, until there is an answer or a permanent failure. Needs a tokio runtime with time
    /// and network. Cancelling ends it immediately at any point, and closes its connection.
    pub async fn chat(&self, body: Body, cancelled: CancellationToken) -> ChatOutcome {
        let started = Instant::now();
        let mut attempts = Vec::new();
        let limit = self.checked.options.total_timeout.unwrap_or(Duration::MAX);
        let result = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                Err(self.checked.failure(FailureKind::Cancelled, "the request was cancelled"))
            }
            result = timeout(limit, self.with_retries(body, &mut attempts)) => result.unwrap_or_else(|_| {
                let message = format!("expected the whole answer within {} ms", limit.as_millis());
                Err(self.checked.failure(FailureKind::Timeout, &message))
            }),
        };
        ChatOutcome { result, attempts, duration: started.elapsed() }
    }

    async fn with_retries(&self, mut body: Body, attempts: &mut Vec<Attempt>) -> Result<ModelAnswer, HttpFailure> {
        let connection = self.connection()?;
        let model = body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut failed_count = 0;
        loop {
            self.known_adjustments(&model).apply(&mut body);
            let started = Instant::now();
            let result = self.checked.ask(connection, &body).await;
            let duration = started.elapsed();
            let Err(FailedAttempt { mut failure, advice, complaint }) = result else {
                attempts.push(Attempt { status: Some(200), outcome: "ok", duration, wait: None });
                return result.map_err(|failed| failed.failure);
            };
            let wait = if self.learn(&model, &body, failure.status, complaint.as_ref()) {
                Some(Duration::ZERO)
            } else {
                failed_count += 1;
                self.retries.wait(failed_count, advice)
            };
            attempts.push(Attempt { status: failure.status, outcome: failure.kind.code(), duration, wait });
            let Some(wait) = wait else {
                if attempts.len() > 1 {
                    failure.message = format!("{} after {} attempts", failure.message, attempts.len());
                }
                return Err(failure);
            };
            sleep(wait).await;
        }
    }

    fn connection(&self) -> Result<&reqwest::Client, HttpFailure> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection);
        }
        let opened = connection::open(&self.checked)?;
        Ok(self.connection.get_or_init(|| opened))
    }

    fn known_adjustments(&self, model: &str) -> Adjustments {
        let known = self.adjustments.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or_default()
    }

    /// Remembers a parameter that the model rejected. True if the next request will differ.
    fn learn(&self, model: &str, body: &Body, status: Option<u16>, complaint: Option<&Complaint>) -> bool {
        let (Some(400 | 422), Some(complaint)) = (status, complaint) else { return false };
        let Some(learned) = self.known_adjustments(model).learned(body, complaint) else { return false };
        self.adjustments.lock().unwrap_or_else(PoisonError::into_inner).insert(model.to_owned(), learned);
        true
    }
}

#[cfg(test)]
mod tests;
