//! Passes a session's requests to the model through a JavaScript callback, and the replies back, within the time limit.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use napi::bindgen_prelude::{Promise, Result};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;
use palimpsest_core::compression::session::CompressionSession;
use palimpsest_core::compression::session::step::{Ask, Step};
use palimpsest_core::compression::summary::exchange::{CallFailure, SummaryAnswer};
use tokio_util::sync::CancellationToken;

use crate::locked;
use crate::logging::{EventBuffer, LogEvent};

/// Some models reject any temperature but their default; applications' clients omit it for those.
const TEMPERATURE: f64 = 0.0;

pub type AskFunction = ThreadsafeFunction<SummaryCall, Promise<SummaryReply>, SummaryCall, napi::Status, false, true>;

/// A request to the summary model.
#[napi(object, object_from_js = false)]
pub struct SummaryCall {
    pub model: String,
    pub system: String,
    pub user: String,
    pub max_tokens: u32,
    /// The name of the parameter that limits the output for this model; empty if it accepts none.
    pub limit_name: &'static str,
    pub temperature: f64,
    pub takes_temperature: bool,
    pub events: Vec<LogEvent>,
}

/// The summary model's reply, or why there is none.
#[napi(object, object_to_js = false)]
pub struct SummaryReply {
    /// JSON of the fields that `answerPaths` names.
    pub answer: Option<String>,
    /// The model named in the request, if the client read it.
    pub model: Option<String>,
    /// `aborted`, `too_long`, or an error's class or code: then there is no reply.
    pub failure: Option<String>,
    pub error_class: Option<String>,
    /// HTTP status.
    pub status: Option<f64>,
    /// The error's texts, searched for the parameter that they reject.
    pub complaint: Option<String>,
    /// With `too_long`, the model's window.
    pub max_tokens: Option<f64>,
}

/// Requests one summary from the model, and asks for repairs until the session accepts it or gives up.
pub struct SummaryExchange {
    pub session: Arc<Mutex<CompressionSession>>,
    pub cancelled: CancellationToken,
    pub ask: AskFunction,
    pub events: EventBuffer,
}

impl SummaryExchange {
    pub async fn run(self) -> Step {
        let started = Instant::now();
        let mut step = self.events.keep(|| locked(&self.session).ask());
        while let Step::Ask(request) = step {
            let call_started = Instant::now();
            let answer = self.answer(*request).await;
            let (call_ms, elapsed_ms) = (ms_since(call_started), ms_since(started));
            step = self.events.keep(|| locked(&self.session).answer(answer, call_ms, elapsed_ms));
        }
        step
    }

    async fn answer(&self, Ask { model, request, form, timeout_ms }: Ask) -> SummaryAnswer {
        let call = SummaryCall {
            model,
            system: request.system,
            user: request.user,
            max_tokens: request.max_tokens,
            limit_name: form.limit_name,
            temperature: TEMPERATURE,
            takes_temperature: form.takes_temperature,
            events: self.events.take(),
        };
        let reply = async { self.ask.call_async_catch(call).await?.await };
        let limit = Duration::try_from_secs_f64(timeout_ms / 1_000.0).unwrap_or(Duration::MAX);
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => SummaryAnswer::Failure(CallFailure::Aborted),
            in_time = tokio::time::timeout(limit, reply) => match in_time {
                Err(_) => SummaryAnswer::Failure(CallFailure::TimedOut),
                Ok(reply) => read_reply(reply),
            },
        }
    }
}

/// The JavaScript callback neither throws nor rejects; an error means that its thread has ended.
fn read_reply(reply: Result<SummaryReply>) -> SummaryAnswer {
    let Ok(reply) = reply else { return SummaryAnswer::failed("callback", "", None, None, None) };
    let SummaryReply { status, max_tokens, complaint, .. } = reply;
    let Some(code) = reply.failure else {
        return SummaryAnswer::read(&reply.answer.unwrap_or_default(), reply.model);
    };
    let class = reply.error_class.as_deref().unwrap_or_default();
    SummaryAnswer::failed(&code, class, status, max_tokens, complaint.as_deref())
}

fn ms_since(instant: Instant) -> f64 {
    instant.elapsed().as_secs_f64() * 1_000.0
}
