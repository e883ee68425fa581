//! Asks the model for a summary within the time limits, and turns the outcome into the next step.

use super::attempt::{Breaker, Try};
use super::events;
use super::state::{Asking, ChangeKind, CompressionSession, PendingChange, Phase};
use super::step::{Ask, ChangePlace, HistoryChange, NoSummaryReason, Step};
use super::usage::replaced_tokens;
use crate::compression::message::{ChatMessage, first_request_to_record};
use crate::compression::plan::Plan;
use crate::compression::record::{RecordFields, RecordedHistory, StoredRecord, compression_id};
use crate::compression::summary::acceptance::Rejection;
use crate::compression::summary::dialogue::{SummaryDialogue, SummaryStep};
use crate::compression::summary::exchange::{CallFailure, CallPurpose, Reply, Spent, SummaryAnswer};
use crate::compression::summary::{Summary, Task};
use crate::compression::to_f64;

impl CompressionSession {
    pub(super) fn prepare_task(&mut self, plan: Plan, messages: Vec<ChatMessage>, recorded: &[StoredRecord]) -> Phase {
        let range = plan.range.clone();
        let recorded = RecordedHistory::new(recorded.iter().filter(|record| range.contains(&record.index)));
        let messages: Vec<ChatMessage> = messages.into_iter().skip(range.start).take(range.len()).collect();
        let asking = Asking {
            compression_id: compression_id(&messages, false),
            first_request: recorded.first_request.or_else(|| first_request_to_record(&messages)),
            is_failure_logged: false,
            reply_model: None,
            prompt_tokens: 0.0,
            plan,
        };
        let task = Task {
            messages,
            must_quote_request: asking.plan.must_quote_request,
            earlier_digest: recorded.digest,
            replaced_tokens: replaced_tokens(&self.usage, &self.counted.rows, range),
            settings: self.settings.clone(),
            language: self.manager.language,
            prompt: self.manager.prompt.clone(),
            instructions: self.options.instructions.take(),
            given_summary: self.options.summary.take(),
            main_model: self.manager.model,
        };
        Phase::Preparing(Box::new(asking), Box::new(task))
    }

    /// Reads the whole range, so it should not run on the application's main thread.
    pub fn ask(&mut self) -> Step {
        match std::mem::take(&mut self.phase) {
            Phase::Preparing(asking, task) => self.next_step(asking, Box::new(SummaryDialogue::new(*task)), 0.0),
            _ => self.finish(),
        }
    }

    /// Takes the reply to [`Step::Ask`]; `elapsed_ms` have passed since [`CompressionSession::ask`].
    pub fn answer(&mut self, answer: SummaryAnswer, call_ms: f64, elapsed_ms: f64) -> Step {
        let Phase::Asking(mut asking, mut dialogue) = std::mem::take(&mut self.phase) else {
            return self.finish();
        };
        if let SummaryAnswer::Failure(CallFailure::Failed { refused: Some(parameter), .. }) = answer
            && self.manager.drop_parameter(self.summary_model(), parameter)
        {
            // The request is repeated without the parameter.
            self.manager.state().stats.llm_called(call_ms, 0.0, 0.0);
            events::parameter_refused(parameter.name(), self.summary_model());
        } else {
            self.note_answer(&mut asking, &answer, call_ms);
            dialogue.answer(answer);
        }
        self.next_step(asking, dialogue, elapsed_ms)
    }

    fn next_step(&mut self, mut asking: Box<Asking>, mut dialogue: Box<SummaryDialogue>, elapsed_ms: f64) -> Step {
        let left_ms = self.settings.total_timeout_ms - elapsed_ms;
        while left_ms <= 0.0 && matches!(dialogue.step(), SummaryStep::Ask(_)) {
            asking.is_failure_logged = false;
            dialogue.answer(SummaryAnswer::Failure(CallFailure::TimedOut));
        }
        match dialogue.step().clone() {
            SummaryStep::Done(summary) => self.apply_summary(*asking, *summary, elapsed_ms),
            SummaryStep::Rejected(rejection) => self.summary_rejected(rejection, elapsed_ms),
            SummaryStep::Failed(failure) => self.summary_failed(failure, asking.is_failure_logged, elapsed_ms),
            SummaryStep::Ask(request) => {
                if request.purpose == CallPurpose::Repair {
                    self.manager.state().stats.repaired += 1.0;
                }
                let model = self.summary_model().to_owned();
                events::summary_requested(&request, &model, asking.plan.range.len());
                asking.prompt_tokens = request.prompt_tokens;
                let timeout_ms = self.settings.summary_timeout_ms.min(left_ms);
                let form = self.manager.form_for(&model);
                self.phase = Phase::Asking(asking, dialogue);
                Step::Ask(Box::new(Ask { model, request, form, timeout_ms }))
            }
        }
    }

    fn note_answer(&mut self, asking: &mut Asking, answer: &SummaryAnswer, call_ms: f64) {
        asking.is_failure_logged = matches!(answer, SummaryAnswer::Failure(_));
        self.spent.extend(Spent::from_answer(answer, self.summary_model(), asking.prompt_tokens));
        let (mut prompt_tokens, mut completion_tokens) = (0.0, 0.0);
        match answer {
            SummaryAnswer::Reply(Reply { usage, model, .. }) => {
                prompt_tokens = usage.prompt_tokens().unwrap_or(asking.prompt_tokens);
                completion_tokens = usage.output_tokens().unwrap_or(0.0);
                asking.reply_model.clone_from(model);
                let model = model.as_deref().unwrap_or_default();
                events::summary_answered(model, call_ms, prompt_tokens, completion_tokens);
            }
            SummaryAnswer::Failure(CallFailure::Aborted) => events::aborted(),
            SummaryAnswer::Failure(failure) => {
                if let CallFailure::TooLong { max_tokens: Some(tokens) } = failure {
                    self.manager.learn(self.summary_model(), *tokens);
                }
                events::summary_failed(failure, call_ms);
            }
        }
        self.manager.state().stats.llm_called(call_ms, prompt_tokens, completion_tokens);
    }

    fn apply_summary(&mut self, asking: Asking, summary: Summary, elapsed_ms: f64) -> Step {
        if !self.options.forced {
            self.manager.breakers.with(self.summary_model(), Breaker::succeeded);
        }
        let duration_ms = elapsed_ms.round();
        let Plan { range, pinned, carried, level, .. } = asking.plan;
        let record = RecordFields {
            id: &asking.compression_id,
            level,
            dropped: None,
            tokens_before: self.tokens_before,
            window_tokens: self.settings.max_context_tokens,
            model: asking.reply_model.as_deref(),
            duration_ms,
            first_request: asking.first_request.as_deref(),
            digest: &summary.digest,
        };
        self.phase = Phase::Applying(PendingChange {
            removed_count: range.len(),
            inserted_count: pinned.len() + carried.len() + 1,
            tokens_before: self.tokens_before.round(),
            kind: ChangeKind::Summary { level, model: asking.reply_model.clone(), duration_ms },
        });
        Step::Apply(Box::new(HistoryChange {
            record: record.to_json(),
            id: asking.compression_id,
            range,
            place: ChangePlace::Summary { pinned, carried },
            content: summary.content,
            tokens: summary.tokens,
        }))
    }

    fn summary_rejected(&mut self, rejection: Rejection, elapsed_ms: f64) -> Step {
        self.manager.state().stats.refused(rejection.name());
        events::summary_refused(rejection.name());
        self.note_failure(elapsed_ms);
        if rejection == Rejection::NotSmaller {
            // Compressing these messages is not worth another try.
            let messages = to_f64(self.messages_before);
            let tried = Try { gained: Some(false), messages, tokens: self.tokens_before, change: None };
            self.manager.state().record_try(self.conversation, tried);
        }
        self.without_summary(NoSummaryReason::Rejected(rejection))
    }

    fn summary_failed(&mut self, failure: CallFailure, is_logged: bool, elapsed_ms: f64) -> Step {
        if !is_logged {
            events::summary_failed(&failure, elapsed_ms);
        }
        if failure == CallFailure::Aborted {
            self.manager.state().stats.aborted += 1.0;
            self.manager.breakers.with(self.summary_model(), Breaker::abandoned);
            return self.without_summary(NoSummaryReason::Aborted);
        }
        self.manager.state().stats.failed(failure.code());
        self.note_failure(elapsed_ms);
        self.without_summary(NoSummaryReason::Failed(failure))
    }

    fn note_failure(&self, elapsed_ms: f64) {
        let now_ms = self.options.now_ms + elapsed_ms;
        let failed = |breaker: &mut Breaker| Some((breaker.failed(now_ms)?, breaker.failures));
        if !self.options.forced
            && let Some((pause_ms, failures)) = self.manager.breakers.with(self.summary_model(), failed)
        {
            self.manager.state().stats.breaker_opened += 1.0;
            events::breaker_opened(failures, pause_ms);
        }
    }

    fn without_summary(&mut self, no_summary_reason: NoSummaryReason) -> Step {
        self.no_summary_reason = Some(no_summary_reason);
        if self.options.forced {
            return self.finish();
        }
        self.phase = Phase::Recounting;
        Step::Recount
    }
}
