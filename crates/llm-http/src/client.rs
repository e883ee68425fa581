//! A client: connection pool, known restrictions of its models, and retries.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::adjust::Adjustments;
use crate::answer::ModelAnswer;
use crate::attempt::{Failed, Target};
use crate::connection;
use crate::failure::{FailureKind, HttpFailure};
use crate::invalid::Invalid;
use crate::journal::Journal;
use crate::options::{Checked, ClientOptions};
use crate::request::{self, Body};
use crate::retry::Retries;

/// Connects at the first request; its pooled connections close when it is dropped.
pub struct Client {
    options: ClientOptions,
    checked: Checked,
    retries: Retries,
    connection: OnceLock<reqwest::Client>,
    adjustments: Mutex<HashMap<String, Adjustments>>,
}

#[derive(Debug)]
pub struct ChatOutcome {
    pub result: Result<ModelAnswer, HttpFailure>,
    pub journal: Journal,
}

impl Client {
    /// Opens no connection.
    ///
    /// # Errors
    ///
    /// If an option is invalid.
    pub fn new(options: ClientOptions) -> Result<Self, Invalid> {
        Ok(Self {
            checked: options.check()?,
            retries: Retries::new(options.max_retries, options.max_retry_delay),
            options,
            connection: OnceLock::new(),
            adjustments: Mutex::default(),
        })
    }

    /// `given`: `{model, messages, max_tokens?, temperature?, body?}` as JSON.
    ///
    /// # Errors
    ///
    /// If it makes no valid request.
    pub fn request(&self, given: &str) -> Result<Body, Invalid> {
        request::body(given, self.checked.style)
    }

    /// Sends the request, with retries, until there is a reply or a permanent failure. Needs a tokio runtime with time
    /// and network.
    ///
    /// Cancelling ends it immediately at any point, and closes its connection.
    pub async fn chat(&self, body: Body, cancelled: CancellationToken) -> ChatOutcome {
        let mut journal = Journal::new();
        let result = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                Err(self.checked.failure(FailureKind::Cancelled, "the request was cancelled"))
            }
            result = self.in_time(body, &mut journal) => result,
        };
        journal.end();
        ChatOutcome { result, journal }
    }

    async fn in_time(&self, body: Body, journal: &mut Journal) -> Result<ModelAnswer, HttpFailure> {
        let answered = self.until_answered(body, journal);
        let Some(limit) = self.options.total_timeout else { return answered.await };
        timeout(limit, answered).await.unwrap_or_else(|_| {
            let message = format!("expected the whole answer within {} ms", limit.as_millis());
            Err(self.checked.failure(FailureKind::Timeout, &message))
        })
    }

    async fn until_answered(
        &self,
        mut body: Body,
        journal: &mut Journal,
    ) -> Result<ModelAnswer, HttpFailure> {
        let target =
            Target { connection: self.connection()?, options: &self.options, checked: &self.checked };
        let model = body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut done = 0;
        loop {
            self.known(&model).apply(&mut body);
            let began = Instant::now();
            let failed = match target.ask(&body).await {
                Ok(answer) => {
                    journal.succeeded(began.elapsed());
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            if self.learn(&model, &body, &failed) {
                journal.failed(&failed.failure, began.elapsed(), Some(Duration::ZERO));
                continue;
            }
            done += 1;
            let wait = self.retries.wait(done, failed.again);
            journal.failed(&failed.failure, began.elapsed(), wait);
            match wait {
                Some(wait) => sleep(wait).await,
                None => return Err(counted(failed.failure, journal.attempts.len())),
            }
        }
    }

    fn connection(&self) -> Result<&reqwest::Client, HttpFailure> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection);
        }
        let opened = connection::open(&self.options, &self.checked)?;
        Ok(self.connection.get_or_init(|| opened))
    }

    fn known(&self, model: &str) -> Adjustments {
        let known = self.adjustments.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or_default()
    }

    /// True if the model rejected a parameter that was sent.
    fn learn(&self, model: &str, body: &Body, failed: &Failed) -> bool {
        let (Some(400 | 422), Some(complaint)) = (failed.failure.status, &failed.complaint) else {
            return false;
        };
        let Some(learned) = self.known(model).learned(body, complaint) else { return false };
        self.adjustments.lock().unwrap_or_else(PoisonError::into_inner).insert(model.to_owned(), learned);
        true
    }
}

fn counted(failure: HttpFailure, attempts: usize) -> HttpFailure {
    if attempts < 2 {
        return failure;
    }
    HttpFailure { message: format!("{} after {attempts} attempts", failure.message), ..failure }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
