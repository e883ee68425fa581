//! The one part of a compression that waits: the model is asked through the face's callback, in time or not at all.

use std::time::{Duration, Instant};

use napi::bindgen_prelude::{Float64ArraySlice, Function, Object, Promise, Result};
use napi::threadsafe_function::ThreadsafeFunction;
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::compression::compaction::{Compaction, Earlier, Step, Summary, Task};
use palimpsest_core::compression::digest::Digest;
use palimpsest_core::compression::exchange::{Answer, CallFailure, Purpose, Request};
use palimpsest_core::compression::summary_text::summary_text_of;
use palimpsest_core::compression::{events, settings::Settings};
use tokio_util::sync::CancellationToken;

use super::exchange::{SummaryCall, SummaryOutcome, SummaryReply, SummaryTask, read_reply};
use super::transcript::read_messages;
use super::{Compressor, Shared};
use crate::runtime::{Cancellation, promise};

type Asked = ThreadsafeFunction<SummaryCall, Promise<SummaryReply>, SummaryCall, napi::Status, false, true>;

#[napi]
impl Compressor {
    /// Summarises the range that `plan_summary` chose. Never rejects but for a panic.
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[], numbers: Float64Array, task: SummaryTask, ask: (call: SummaryCall) => Promise<SummaryReply>, cancellation: Cancellation",
        ts_return_type = "Promise<SummaryOutcome>"
    )]
    pub fn summarise<'e>(
        &self,
        env: &'e Env,
        texts: Unknown<'_>,
        numbers: Float64ArraySlice<'_>,
        task: SummaryTask,
        ask: Function<'_, SummaryCall, Promise<SummaryReply>>,
        cancellation: &Cancellation,
    ) -> Result<Object<'e>> {
        let ask = ask.build_threadsafe_function().weak::<true>().callee_handled::<false>().build()?;
        let settings = self.shared.state().settings.clone();
        let (now, forced) = (task.now, task.forced);
        let task = self.task(read_messages(&texts, &numbers), task, &settings);
        let driver = Driver {
            shared: self.shared.clone(),
            ask,
            cancelled: cancellation.token(),
            call_timeout: Duration::from_millis(to_millis(settings.summary_timeout_ms)),
            total_timeout: Duration::from_millis(to_millis(settings.total_timeout_ms)),
            model: task.model_name.clone(),
            message_count: task.messages.len(),
            started: Instant::now(),
            now,
            forced,
        };
        promise(env, driver.run(task), |_, outcome| Ok(outcome))
    }

    fn task(
        &self,
        messages: Vec<palimpsest_core::compression::message::Message>,
        task: SummaryTask,
        settings: &Settings,
    ) -> Task {
        let digest = task.earlier_digest.as_deref().map(Digest::from_json);
        Task {
            messages,
            holds_request: task.holds_request,
            earlier: (task.earlier_content.is_some() || digest.is_some()).then(|| Earlier {
                summary_text: task
                    .earlier_content
                    .as_deref()
                    .map(summary_text_of)
                    .unwrap_or_default()
                    .to_owned(),
                digest: digest.unwrap_or_default(),
            }),
            replaced_tokens: task.replaced_tokens,
            model_name: settings.summary_model.clone().unwrap_or_default(),
            summary_max_tokens: f64::from(settings.summary_max_tokens),
            summary_context_tokens: settings.summary_context_tokens,
            language: self.shared.language,
            prompt: self.shared.prompt.clone(),
            instructions: task.instructions,
            given_summary: task.summary,
            digest_max_tokens: settings.digest_max_tokens(),
            main_model: self.shared.model,
        }
    }
}

/// Carries questions and answers between a compaction and the model.
struct Driver {
    shared: std::sync::Arc<Shared>,
    ask: Asked,
    cancelled: CancellationToken,
    call_timeout: Duration,
    /// From `started` on, for all calls together.
    total_timeout: Duration,
    model: String,
    message_count: usize,
    started: Instant,
    now: f64,
    forced: bool,
}

impl Driver {
    async fn run(self, task: Task) -> SummaryOutcome {
        let mut compaction = Compaction::new(task);
        let mut is_told = false;
        loop {
            let request = match compaction.step() {
                Step::Ask(request) => request.clone(),
                Step::Done(summary) => return self.done(summary),
                Step::Refused(refusal) => return self.refused(refusal.as_str()),
                Step::Failed(failure) => return self.failed(failure, is_told),
            };
            let left = self.total_timeout.saturating_sub(self.started.elapsed());
            let answer = if left.is_zero() {
                Answer::Failure(CallFailure::TimedOut)
            } else {
                self.answer(request, left).await
            };
            is_told = matches!(answer, Answer::Failure(_)) && !left.is_zero();
            compaction.answer(answer);
        }
    }

    async fn answer(&self, request: Request, left: Duration) -> Answer {
        let prompt_tokens = request.prompt_tokens;
        self.note_request(&request);
        let started = Instant::now();
        let call = SummaryCall {
            model: self.model.clone(),
            system: request.system,
            user: request.user,
            max_tokens: request.max_tokens,
        };
        let asked = async { self.ask.call_async_catch(call).await?.await };
        let mut answered_by = None;
        let answer = tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Answer::Failure(CallFailure::Aborted),
            answered = tokio::time::timeout(self.call_timeout.min(left), asked) => match answered {
                Err(_) => Answer::Failure(CallFailure::TimedOut),
                Ok(Ok(mut reply)) => {
                    answered_by = reply.model.take();
                    read_reply(reply)
                }
                // The face's function neither throws nor rejects; a thread that ends takes it along.
                Ok(Err(_)) => Answer::Failure(CallFailure::Failed { code: "callback".to_owned() }),
            },
        };
        #[allow(clippy::cast_precision_loss)] // tokens of one prompt
        self.note_answer(&answer, &answered_by.unwrap_or_default(), millis(started), prompt_tokens as f64);
        answer
    }

    fn note_request(&self, request: &Request) {
        let (purpose, part, parts) = match request.purpose {
            Purpose::Summary { part, parts } => ("summary", part, parts),
            Purpose::Repair => ("repair", 1, 1),
        };
        if request.purpose == Purpose::Repair {
            self.shared.state().stats.repaired();
        }
        self.shared.journal.keep(|| {
            events::summary_requested(&events::SummaryRequested {
                purpose,
                part,
                parts,
                model: &self.model,
                #[allow(clippy::cast_precision_loss)] // tokens of one prompt
                prompt_tokens: request.prompt_tokens as f64,
                message_count: self.message_count,
            });
        });
    }

    fn note_answer(&self, answer: &Answer, model: &str, duration_ms: f64, estimated_tokens: f64) {
        let (prompt_tokens, completion_tokens) = match answer {
            Answer::Reply(reply) => {
                (reply.prompt_tokens.unwrap_or(estimated_tokens), reply.completion_tokens.unwrap_or(0.0))
            }
            Answer::Failure(_) => (0.0, 0.0),
        };
        self.shared.state().stats.llm_called(duration_ms, prompt_tokens, completion_tokens);
        self.shared.journal.keep(|| match answer {
            Answer::Reply(_) => {
                events::summary_answered(model, duration_ms, prompt_tokens, completion_tokens);
            }
            Answer::Failure(CallFailure::Aborted) => events::aborted(),
            Answer::Failure(failure) => events::summary_failed(code_of(failure), duration_ms),
        });
    }

    fn done(&self, summary: &Summary) -> SummaryOutcome {
        if !self.forced {
            self.shared.state().breaker.succeeded();
        }
        SummaryOutcome {
            content: Some(summary.content.clone()),
            digest: Some(summary.digest.to_json()),
            repaired: summary.repaired,
            missing_sections: summary.missing_sections.clone(),
            ended: None,
            reason: None,
            duration_ms: millis(self.started),
        }
    }

    fn refused(&self, reason: &'static str) -> SummaryOutcome {
        self.shared.state().stats.refused(reason);
        self.shared.journal.keep(|| events::summary_refused(reason));
        self.note_failure();
        self.without_summary("refused", reason)
    }

    /// `is_told`: the model was asked, and the event of its answer says it already.
    fn failed(&self, failure: &CallFailure, is_told: bool) -> SummaryOutcome {
        let code = code_of(failure);
        if !is_told {
            self.shared.journal.keep(|| events::summary_failed(code, millis(self.started)));
        }
        if *failure == CallFailure::Aborted {
            let mut state = self.shared.state();
            state.stats.aborted();
            state.breaker.abandoned();
            return self.without_summary("aborted", code);
        }
        self.shared.state().stats.failed(code);
        self.note_failure();
        self.without_summary("failed", code)
    }

    fn note_failure(&self) {
        if self.forced {
            return;
        }
        let mut state = self.shared.state();
        if let Some(pause_ms) = state.breaker.failed(self.now + millis(self.started)) {
            state.stats.breaker_opened();
            let failures = state.breaker.failures();
            self.shared.journal.keep(|| events::breaker_opened(failures, pause_ms));
        }
    }

    fn without_summary(&self, how: &'static str, reason: &str) -> SummaryOutcome {
        SummaryOutcome {
            content: None,
            digest: None,
            repaired: false,
            missing_sections: Vec::new(),
            ended: Some(how),
            reason: Some(reason.to_owned()),
            duration_ms: millis(self.started),
        }
    }
}

fn code_of(failure: &CallFailure) -> &str {
    match failure {
        CallFailure::TimedOut => "timeout",
        CallFailure::Aborted => "aborted",
        CallFailure::TooLong { .. } => "too_long",
        CallFailure::Failed { code } => code,
    }
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates: a wait for ever
fn to_millis(duration_ms: f64) -> u64 {
    duration_ms as u64
}
