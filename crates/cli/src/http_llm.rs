//! The binding of the HTTP client for a model: converts options, outcomes and cancellation.

use std::sync::Arc;
use std::time::Duration;

use napi::Env;
use napi::bindgen_prelude::{Object, Result};
use napi_derive::napi;
use palimpsest_llm_http::{
    Attempt, ChatOutcome, Client, ClientOptions, FailureKind, HttpFailure, Invalid, ModelAnswer, Style,
};

use crate::error::{out_of_range, quoted};
use crate::runtime::promise;
use tokio_util::sync::CancellationToken;

/// Options of a client. The JavaScript side has checked types and ranges; absent ones have their default.
#[napi(object, object_to_js = false)]
pub struct HttpLlmOptions {
    pub base_url: String,
    pub style: Option<String>,
    pub api_key: Option<String>,
    /// Alternating names and values.
    pub headers: Vec<String>,
    pub http_proxy: Option<String>,
    pub https_proxy: Option<String>,
    pub no_proxy: Option<String>,
    pub connect_timeout_ms: Option<f64>,
    pub read_timeout_ms: Option<f64>,
    pub total_timeout_ms: Option<f64>,
    pub max_retries: Option<u32>,
    pub max_retry_delay_ms: Option<f64>,
    pub max_response_bytes: Option<f64>,
    pub ca_certificates: Vec<String>,
    pub anthropic_version: Option<String>,
}

/// A rejection could carry no code, so failures are a result.
#[napi(object, object_from_js = false)]
pub struct HttpLlmOutcome {
    pub answer: Option<HttpLlmAnswer>,
    pub failure: Option<HttpLlmFailure>,
    pub attempts: Vec<HttpLlmAttempt>,
    /// Of the whole request, with all waits.
    pub duration_ms: f64,
}

/// One attempt, for the log.
#[napi(object, object_from_js = false)]
pub struct HttpLlmAttempt {
    pub status: Option<u32>,
    /// `ok`, or the failure's code.
    pub outcome: String,
    pub duration_ms: f64,
    /// The wait before the next attempt; absent after the last one.
    pub wait_ms: Option<f64>,
}

#[napi(object, object_from_js = false)]
pub struct HttpLlmAnswer {
    pub content: String,
    pub finish_reason: Option<String>,
    pub refusal: Option<String>,
    pub model: Option<String>,
    pub prompt_tokens: Option<f64>,
    pub cached_tokens: Option<f64>,
    pub completion_tokens: Option<f64>,
    pub request_id: Option<String>,
}

#[napi(object, object_from_js = false)]
pub struct HttpLlmFailure {
    pub code: String,
    pub cancelled: bool,
    pub message: String,
    pub status: Option<u32>,
    pub retry_after_ms: Option<f64>,
    pub request_id: Option<String>,
    pub provider_message: Option<String>,
    pub body: Option<String>,
    pub cause: Option<String>,
}

#[napi(js_name = "HttpLlm")]
pub struct JsHttpLlm {
    client: Arc<Client>,
}

#[napi]
impl JsHttpLlm {
    /// Opens no connection and starts no thread.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: HttpLlmOptions) -> Result<Self> {
        let options = read_options(&env, options)?;
        let client = Client::new(options).map_err(|invalid| refuse(&env, "options.", &invalid))?;
        Ok(Self { client: Arc::new(client) })
    }

    /// `request`: `{model, messages, max_tokens?, temperature?, body?}` as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<HttpLlmOutcome>")]
    pub fn chat<'e>(&self, env: &'e Env, request: String, cancellation: &Cancellation) -> Result<Object<'e>> {
        let body = self.client.request(&request).map_err(|invalid| refuse(env, "", &invalid))?;
        let (client, cancelled) = (Arc::clone(&self.client), cancellation.token.clone());
        promise(env, async move { client.chat(body, cancelled).await }, |_, outcome| Ok(outcome_of(outcome)))
    }
}

fn outcome_of(ChatOutcome { result, attempts, duration }: ChatOutcome) -> HttpLlmOutcome {
    let (answer, failure) = match result {
        Ok(answer) => (Some(answer_of(answer)), None),
        Err(failure) => (None, Some(failure_of(failure))),
    };
    let attempt = |Attempt { status, outcome, duration, wait }| HttpLlmAttempt {
        status: status.map(u32::from),
        outcome: str::to_owned(outcome),
        duration_ms: whole_ms(duration),
        wait_ms: wait.map(whole_ms),
    };
    let attempts = attempts.into_iter().map(attempt).collect();
    HttpLlmOutcome { answer, failure, attempts, duration_ms: whole_ms(duration) }
}

fn answer_of(answer: ModelAnswer) -> HttpLlmAnswer {
    let ModelAnswer { content, finish_reason, refusal, model, usage, request_id } = answer;
    HttpLlmAnswer {
        prompt_tokens: usage.prompt_tokens(),
        cached_tokens: usage.cached_tokens(),
        completion_tokens: usage.output_tokens(),
        content,
        finish_reason,
        refusal,
        model,
        request_id,
    }
}

fn failure_of(failure: HttpFailure) -> HttpLlmFailure {
    let HttpFailure { kind, message, status, retry_after, request_id, provider_message, body, cause } = failure;
    let (code, cancelled) = (kind.code().to_owned(), kind == FailureKind::Cancelled);
    let (status, retry_after_ms) = (status.map(u32::from), retry_after.map(whole_ms));
    HttpLlmFailure { code, cancelled, message, status, retry_after_ms, request_id, provider_message, body, cause }
}

fn whole_ms(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round()
}

fn refuse(env: &Env, owner: &str, invalid: &Invalid) -> napi::Error {
    out_of_range(env, &format!("{owner}{}", invalid.option), invalid.expected, invalid.actual)
}

fn read_options(env: &Env, given: HttpLlmOptions) -> Result<ClientOptions> {
    let style_of = |tag: String| {
        let unknown = || out_of_range(env, "options.style", "'openai' or 'anthropic'", &quoted(&tag));
        Style::from_tag(&tag).ok_or_else(unknown)
    };
    let default = ClientOptions::new(given.base_url);
    let timeout = |ms: Option<f64>, default| ms.map_or(default, duration);
    let header_pairs = given.headers.chunks_exact(2);
    Ok(ClientOptions {
        base_url: default.base_url,
        style: given.style.map(style_of).transpose()?,
        api_key: given.api_key,
        headers: header_pairs.filter_map(|pair| pair.first().cloned().zip(pair.last().cloned())).collect(),
        http_proxy: given.http_proxy,
        https_proxy: given.https_proxy,
        no_proxy: given.no_proxy,
        connect_timeout: timeout(given.connect_timeout_ms, default.connect_timeout),
        read_timeout: timeout(given.read_timeout_ms, default.read_timeout),
        total_timeout: given.total_timeout_ms.map(duration),
        max_retries: given.max_retries.unwrap_or(default.max_retries),
        max_retry_delay: timeout(given.max_retry_delay_ms, default.max_retry_delay),
        max_response_bytes: given.max_response_bytes.map_or(default.max_response_bytes, bytes),
        ca_certificates: given.ca_certificates,
        anthropic_version: given.anthropic_version.unwrap_or(default.anthropic_version),
    })
}

/// The JavaScript side has checked that timers support this duration.
fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(Duration::MAX)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a safe integer
fn bytes(count: f64) -> u64 {
    count as u64
}

/// Cancels work that is under way: the JavaScript side calls it when the application's `AbortSignal` fires.
#[napi]
#[derive(Default)]
pub struct Cancellation {
    token: CancellationToken,
}

#[napi]
impl Cancellation {
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the work, now or when it begins.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.token.cancel();
    }
}
