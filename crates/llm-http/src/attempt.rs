//! Sends one request, with a limit on the size and on the time without a byte.

use std::time::SystemTime;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use tokio::time::timeout;

use crate::answer::{self, Complaint, ModelAnswer};
use crate::connection;
use crate::failure::{FailureKind, HttpFailure};
use crate::options::CheckedOptions;
use crate::request::Body;
use crate::retry::{RetryAdvice, is_transient, requested_wait};
use palimpsest_core::text::json_text;

/// The most bytes that are read of an error's body: a larger one is a page, not an error.
const MAX_COMPLAINT_BYTES: u64 = 65_536;
/// The most characters of a provider's message that are passed on.
const MAX_MESSAGE_CHARS: usize = 500;
/// A longer request id is not passed on.
const MAX_ID_BYTES: usize = 128;
const REQUEST_IDS: [&str; 4] = ["x-request-id", "request-id", "x-amzn-requestid", "cf-ray"];
/// A 429 that waiting does not resolve.
const EMPTY_ACCOUNT: &str = "insufficient_quota";

pub struct FailedAttempt {
    pub failure: HttpFailure,
    pub advice: RetryAdvice,
    /// The provider's error, if it has read the request.
    pub complaint: Option<Complaint>,
}

impl CheckedOptions {
    pub async fn ask(&self, connection: &Client, body: &Body) -> Result<ModelAnswer, FailedAttempt> {
        let bytes = serde_json::to_vec(body).map_err(|_| self.no_answer("a request that can't be written"))?;
        let request = connection.post(self.url.clone()).headers(self.headers.clone());
        let response = self.in_time(request.body(bytes).send()).await?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let limit = self.options.max_response_bytes;
        let result = match status {
            200..=299 => {
                let (bytes, is_whole) = self.read(response, limit).await?;
                if is_whole {
                    self.answer(&headers, status, &String::from_utf8_lossy(&bytes))
                } else {
                    let expected = format!("an answer of at most {limit} bytes, got more");
                    Err(self.failed(FailureKind::ResponseTooLarge, &expected))
                }
            }
            300..=399 => {
                let expected = format!("an answer or a redirect (307, 308) within it, got status {status}");
                Err(self.failed(FailureKind::Redirect, &expected))
            }
            _ => {
                // If the body doesn't arrive, the status is enough.
                let (bytes, _) = self.read(response, MAX_COMPLAINT_BYTES.min(limit)).await.unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes);
                let body = json_text::parse(&text).unwrap_or_default();
                let complaint = answer::complaint(&body).unwrap_or_else(|| answer::read_complaint(&body));
                Err(self.failed_by_provider(&headers, status, &text, complaint))
            }
        };
        result.map_err(|mut failed| {
            failed.failure.status.get_or_insert(status);
            failed.failure.request_id = self.request_id(&headers);
            failed
        })
    }

    /// Waits for the next part of the response, at most as long as there may be no byte.
    async fn in_time<T>(&self, part: impl Future<Output = reqwest::Result<T>>) -> Result<T, FailedAttempt> {
        let limit = self.options.read_timeout;
        match timeout(limit, part).await {
            Ok(Ok(part)) => Ok(part),
            Ok(Err(error)) => {
                let (failure, advice) = connection::failure(error, self);
                Err(FailedAttempt { failure, advice, complaint: None })
            }
            // The provider may still be generating an answer that is billed, so the request is not repeated.
            Err(_) => {
                let expected = format!("a byte of the answer within {} ms, got none", limit.as_millis());
                Err(self.failed(FailureKind::Timeout, &expected))
            }
        }
    }

    /// Reads at most `limit` bytes, after decompression. False if the body has more.
    async fn read(&self, mut response: Response, limit: u64) -> Result<(Vec<u8>, bool), FailedAttempt> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        while let Some(chunk) = self.in_time(response.chunk()).await? {
            let room = limit - bytes.len();
            bytes.extend(chunk.iter().take(room));
            if chunk.len() > room {
                return Ok((bytes, false));
            }
        }
        Ok((bytes, true))
    }

    fn answer(&self, headers: &HeaderMap, status: u16, text: &str) -> Result<ModelAnswer, FailedAttempt> {
        let Ok(body) = json_text::parse(text) else {
            let is_empty = text.trim().is_empty();
            return Err(self.no_answer(&if is_empty { "an empty one".to_owned() } else { content_type(headers) }));
        };
        if let Some(complaint) = answer::complaint(&body) {
            let status = complaint.status.unwrap_or(status);
            return Err(self.failed_by_provider(headers, status, text, complaint));
        }
        let answer = answer::read(&body, self.style);
        let answer = answer.ok_or_else(|| self.no_answer("JSON of another form"))?;
        Ok(ModelAnswer { request_id: self.request_id(headers), ..answer })
    }

    fn failed_by_provider(&self, headers: &HeaderMap, status: u16, body: &str, complaint: Complaint) -> FailedAttempt {
        let retry_after = requested_wait(headers, SystemTime::now());
        let is_hopeless = complaint.code.as_deref() == Some(EMPTY_ACCOUNT)
            || headers.get("x-should-retry").is_some_and(|should| should == "false");
        let advice = match retry_after {
            _ if is_hopeless || !is_transient(status) => RetryAdvice::Never,
            Some(wait) => RetryAdvice::After(wait),
            None => RetryAdvice::Soon,
        };
        let kind = match advice {
            RetryAdvice::After(wait) if wait > self.options.max_retry_delay => FailureKind::RateLimited,
            _ => FailureKind::of_status(status),
        };
        let code = complaint.code.as_deref().map(|code| format!(" ({})", self.secrets.masked(code)));
        let expected = format!("an answer, got status {status}{}", code.unwrap_or_default());
        let masked = self.secrets.masked(&complaint.message);
        let failure = HttpFailure {
            status: Some(status),
            retry_after,
            provider_message: (!masked.is_empty()).then(|| masked.chars().take(MAX_MESSAGE_CHARS).collect()),
            body: Some(self.secrets.masked(body)),
            ..self.failed(kind, &expected).failure
        };
        FailedAttempt { failure, advice, complaint: Some(complaint) }
    }

    fn no_answer(&self, actual: &str) -> FailedAttempt {
        let actual = self.secrets.masked(actual);
        self.failed(FailureKind::BadResponse, &format!("a JSON answer, got {actual}"))
    }

    /// `expected`: the expected and the actual value.
    fn failed(&self, kind: FailureKind, expected: &str) -> FailedAttempt {
        let failure = self.failure(kind, &format!("expected {expected}"));
        FailedAttempt { failure, advice: RetryAdvice::Never, complaint: None }
    }

    fn request_id(&self, headers: &HeaderMap) -> Option<String> {
        let id = REQUEST_IDS.iter().find_map(|name| headers.get(*name)?.to_str().ok())?;
        // Applications log the id, and a response's headers may contain parts of the request.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let id = self.secrets.masked(id);
        (id.len() <= MAX_ID_BYTES && id.bytes().all(is_plain)).then_some(id)
    }
}

/// The content type of a body that is no JSON, without its parameters, which the server can choose freely.
fn content_type(headers: &HeaderMap) -> String {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = given.split(';').next().unwrap_or_default().trim();
    let is_plain =
        media.len() <= 64 && media.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/+.-".contains(&byte));
    match media {
        "application/json" => "text that is no JSON".to_owned(),
        media if is_plain && !media.is_empty() => format!("{media} that is no JSON"),
        _ => "something else".to_owned(),
    }
}
