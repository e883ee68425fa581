//! Decides what to ask the model for one summary, by its replies so far, until there is a summary or an error
//! (R7.5–R7.7).

#[cfg(test)]
mod answer_tests;
#[cfg(test)]
mod property_tests;
mod request_writer;

use crate::compression::record::digest::Digest;
use crate::compression::summary::acceptance::{Accepted, Rejection, content_of, judge, least_content_tokens, salvaged};
use crate::compression::summary::exchange::{CallFailure, CallPurpose, Reply, SummaryAnswer, SummaryRequest};
use crate::compression::summary::prompt::{SummaryPrompt, language_of};
use crate::compression::summary::wrapping::unwrapped;
use crate::compression::summary::{Summary, Task};
use crate::results::Language;
use request_writer::RequestWriter;

/// A reply that begins with this many characters of the prompt repeats it.
const ECHO_CHARS: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub enum SummaryStep {
    Ask(SummaryRequest),
    Done(Box<Summary>),
    /// The reply is no summary; the history must not change.
    Rejected(Rejection),
    Failed(CallFailure),
}

pub struct SummaryDialogue {
    task: Task,
    language: Language,
    digest: Digest,
    /// `None` if the agent wrote the summary itself.
    writer: Option<RequestWriter>,
    /// An accepted summary that lacks sections, or the usable part of one that was cut off: used if the next call fails.
    fallback: Option<Accepted>,
    step: SummaryStep,
}

impl SummaryDialogue {
    pub fn new(task: Task) -> Self {
        let language = task.language.unwrap_or_else(|| language_of(&task.messages));
        let digest = Digest::extract(&task.messages, task.earlier_digest.as_ref());
        let step = SummaryStep::Rejected(Rejection::Empty);
        let mut dialogue = Self { task, language, digest, writer: None, fallback: None, step };
        dialogue.begin();
        dialogue
    }

    /// Unchanged until [`Self::answer`] is called.
    pub const fn step(&self) -> &SummaryStep {
        &self.step
    }

    /// Takes the reply to [`SummaryStep::Ask`]; does nothing if there is no such request.
    pub fn answer(&mut self, answer: SummaryAnswer) {
        let SummaryStep::Ask(request) = &self.step else { return };
        match (request.purpose, answer) {
            (CallPurpose::Summary { .. }, SummaryAnswer::Reply(reply)) => self.take_summary(&reply),
            (CallPurpose::Repair, SummaryAnswer::Reply(reply)) => self.take_repair(&reply),
            (CallPurpose::Summary { .. }, SummaryAnswer::Failure(CallFailure::TooLong { max_tokens })) => {
                // The prompt was too long although it fitted by our count: starts again with less text.
                let request = self.writer.as_mut().and_then(|writer| writer.shrink(max_tokens));
                self.ask(request, max_tokens);
            }
            // The application has aborted the whole compression, so the first summary isn't used either.
            (_, SummaryAnswer::Failure(failure @ CallFailure::Aborted)) => {
                self.step = SummaryStep::Failed(failure);
            }
            (_, SummaryAnswer::Failure(failure)) => self.fall_back_or(SummaryStep::Failed(failure)),
        }
    }

    fn begin(&mut self) {
        if let Some(given) = &self.task.given_summary {
            match unwrapped(given) {
                text if !text.is_empty() => self.finish(&text),
                _ if given.is_empty() => self.step = SummaryStep::Rejected(Rejection::Empty),
                _ => self.step = SummaryStep::Rejected(Rejection::Blank),
            }
            return;
        }
        let prompt = SummaryPrompt::default_for(self.language).with_changes(&self.task.prompt);
        let writer = self.writer.insert(RequestWriter::new(&self.task, prompt, self.language));
        let request = writer.summary_request();
        self.ask(request, Some(self.task.settings.summary_context_tokens));
    }

    /// Sends the request; without one, the prompt is too long for a window of `max_tokens`.
    fn ask(&mut self, request: Option<SummaryRequest>, max_tokens: Option<f64>) {
        let too_long = CallFailure::TooLong { max_tokens };
        self.step = request.map_or(SummaryStep::Failed(too_long), SummaryStep::Ask);
    }

    fn take_summary(&mut self, reply: &Reply) {
        let Some(writer) = &self.writer else { return };
        let judged = judge(reply, &writer.prompt.sections).and_then(|accepted| {
            if self.repeats_prompt(&accepted.text) { Err(Rejection::TooLittle) } else { self.require_useful(accepted) }
        });
        match judged {
            Ok(accepted) => self.continue_with(accepted, true),
            Err(Rejection::CutOff) => self.take_cut_off(reply),
            Err(rejection) => self.fall_back_or(SummaryStep::Rejected(rejection)),
        }
    }

    /// True if the reply repeats the beginning of the prompt; it may repeat the earlier summary inside the prompt.
    fn repeats_prompt(&self, text: &str) -> bool {
        let SummaryStep::Ask(request) = &self.step else { return false };
        let start: String = text.trim().chars().take(ECHO_CHARS).collect();
        start.chars().count() == ECHO_CHARS
            && (request.system.contains(&start) || request.user.trim_start().starts_with(&start))
    }

    /// Rejects a summary that has too little content, and one that is longer than what it replaces.
    fn require_useful(&self, accepted: Accepted) -> Result<Accepted, Rejection> {
        let Some(writer) = &self.writer else { return Err(Rejection::Empty) };
        let Task { main_model: model, replaced_tokens, .. } = &self.task;
        let content_tokens = model.count(&content_of(&accepted.text, &writer.prompt.sections)).ceil();
        if content_tokens < least_content_tokens(replaced_tokens / writer.part_count()) {
            return Err(Rejection::TooLittle);
        }
        if model.fits(&accepted.text, *replaced_tokens) {
            Ok(writer.shortened(accepted))
        } else {
            Err(Rejection::NotSmaller)
        }
    }

    /// The model reached its output limit, or reasoned too long: repeats the request once, for a shorter text and with
    /// more room. If that reply is cut off as well, its beginning is used.
    fn take_cut_off(&mut self, reply: &Reply) {
        let Some(writer) = &mut self.writer else { return };
        let accepted = salvaged(reply, &writer.prompt.sections);
        let request = writer.ask_for_shorter();
        let useful = accepted.and_then(|accepted| self.require_useful(accepted).ok());
        // The last of those that lack fewest sections.
        let candidates = self.fallback.take().into_iter().chain(useful).rev();
        self.fallback = candidates.min_by_key(|accepted| accepted.missing_sections.len());
        match request {
            Some(request) => self.step = SummaryStep::Ask(request),
            None => self.fall_back_or(SummaryStep::Rejected(Rejection::CutOff)),
        }
    }

    fn fall_back_or(&mut self, step: SummaryStep) {
        match self.fallback.take() {
            // No repair: the text was cut off at its full length, or its missing sections have been requested already.
            Some(accepted) => self.continue_with(accepted, false),
            None => self.step = step,
        }
    }

    /// Requests a summary of the next part, else the missing sections, else finishes.
    fn continue_with(&mut self, accepted: Accepted, may_repair: bool) {
        let Some(writer) = &mut self.writer else { return };
        self.fallback = None;
        if writer.continue_after(&accepted.text) {
            let request = writer.summary_request();
            return self.ask(request, Some(self.task.settings.summary_context_tokens));
        }
        if may_repair
            && !accepted.missing_sections.is_empty()
            && let Some(request) = writer.repair_request(&accepted)
        {
            self.fallback = Some(accepted);
            self.step = SummaryStep::Ask(request);
        } else {
            self.finish(&accepted.text);
        }
    }

    /// A repair is accepted only if it is better than the first summary.
    fn take_repair(&mut self, reply: &Reply) {
        let (Some(writer), Some(first)) = (&self.writer, self.fallback.take()) else { return };
        let repaired = judge(reply, &writer.prompt.sections).map(|repaired| writer.shortened(repaired));
        // Some models reply with only the missing sections.
        let is_better = |repaired: &Accepted| {
            repaired.missing_sections.len() < first.missing_sections.len()
                && repaired.text.len() >= first.text.len() / 2
        };
        if let Some(repaired) = repaired.ok().filter(is_better) {
            self.finish(&repaired.text);
        }
        if !matches!(self.step, SummaryStep::Done(_)) {
            self.finish(&first.text);
        }
    }

    fn finish(&mut self, text: &str) {
        let summary = Summary::compose(text, &self.task, &self.digest, self.language);
        self.step = summary.map_or_else(SummaryStep::Rejected, |summary| SummaryStep::Done(Box::new(summary)));
    }
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod tests;
