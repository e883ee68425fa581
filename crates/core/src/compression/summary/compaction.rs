//! A state machine that requests a summary from the model and handles its replies, until there is a summary or an error
//! (R7.5–R7.7).
//!
//! It neither waits nor makes calls: [`Compaction::step`] returns what to do, and [`Compaction::answer`] takes the result.

#[cfg(test)]
mod answer_tests;
mod asking;
#[cfg(test)]
mod property_tests;
mod task;

use crate::compression::record::digest::Digest;
use crate::compression::summary::acceptance::{
    Accepted, Refusal, content_of, judge, least_content_tokens, own_text, salvaged,
};
use crate::compression::summary::exchange::{CallFailure, CallPurpose, Reply, SummaryAnswer, SummaryRequest};
use crate::compression::summary::prompt::{SummaryPrompt, language_of};
use crate::results::Language;
use asking::RequestWriter;
pub use task::{Summary, Task};

const ECHO_CHARS: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub enum SummaryStep {
    Ask(SummaryRequest),
    Done(Box<Summary>),
    /// The reply is no summary; the history must not change.
    Refused(Refusal),
    Failed(CallFailure),
}

pub struct Compaction {
    task: Task,
    language: Language,
    digest: Digest,
    /// `None` if the agent wrote the summary itself.
    asking: Option<RequestWriter>,
    /// An accepted summary that lacks sections, or the usable part of one that was cut off: used if the next call fails.
    fallback: Option<Accepted>,
    next: SummaryStep,
}

impl Compaction {
    /// O(text of the range).
    pub fn new(task: Task) -> Self {
        let language = task.language.unwrap_or_else(|| language_of(&task.messages));
        let digest = Digest::extract(&task.messages, task.earlier.as_ref());
        let next = SummaryStep::Refused(Refusal::Empty);
        let mut compaction = Self { task, language, digest, asking: None, fallback: None, next };
        compaction.begin();
        compaction
    }

    /// Unchanged until [`Self::answer`] is called.
    pub const fn step(&self) -> &SummaryStep {
        &self.next
    }

    /// Takes the reply to [`SummaryStep::Ask`]; does nothing if there is no such request.
    pub fn answer(&mut self, answer: SummaryAnswer) {
        let SummaryStep::Ask(request) = &self.next else { return };
        match (request.purpose, answer) {
            (CallPurpose::Summary { .. }, SummaryAnswer::Reply(reply)) => self.take_summary(&reply),
            (CallPurpose::Repair, SummaryAnswer::Reply(reply)) => self.take_repair(&reply),
            (CallPurpose::Summary { .. }, SummaryAnswer::Failure(CallFailure::TooLong { max_tokens })) => {
                self.shrink(max_tokens);
            }
            // The application has aborted the whole compression, so the first summary isn't used either.
            (_, SummaryAnswer::Failure(failure @ CallFailure::Aborted)) => {
                self.next = SummaryStep::Failed(failure);
            }
            (_, SummaryAnswer::Failure(failure)) => self.fall_back_or(SummaryStep::Failed(failure)),
        }
    }

    fn begin(&mut self) {
        if let Some(given) = &self.task.given_summary {
            let text = own_text(given);
            if text.is_empty() {
                self.next =
                    SummaryStep::Refused(if given.is_empty() { Refusal::Empty } else { Refusal::Blank });
            } else {
                self.finish(&text);
            }
            return;
        }
        let prompt = SummaryPrompt::default_for(self.language).changed(&self.task.prompt);
        let asking = self.asking.insert(RequestWriter::new(&self.task, prompt, self.language));
        let request = asking.summary();
        self.ask(request);
    }

    fn ask(&mut self, request: Option<SummaryRequest>) {
        let too_long = CallFailure::TooLong { max_tokens: Some(self.task.summary_context_tokens) };
        self.next = request.map_or(SummaryStep::Failed(too_long), SummaryStep::Ask);
    }

    /// Starts again with less text, since the prompt was too long although it fitted by our count.
    fn shrink(&mut self, max_tokens: Option<f64>) {
        let request = self.asking.as_mut().and_then(|asking| asking.shrink(max_tokens));
        let too_long = CallFailure::TooLong { max_tokens };
        self.next = request.map_or(SummaryStep::Failed(too_long), SummaryStep::Ask);
    }

    fn take_summary(&mut self, reply: &Reply) {
        let Some(asking) = &self.asking else { return };
        let judged = judge(reply, &asking.prompt.sections).and_then(|accepted| {
            if self.is_echo(&accepted.text) { Err(Refusal::TooLittle) } else { self.require_useful(accepted) }
        });
        match judged {
            Ok(accepted) => self.continue_with(accepted, true),
            Err(Refusal::CutOff) => self.take_cut_off(reply),
            Err(refusal) => self.fall_back_or(SummaryStep::Refused(refusal)),
        }
    }

    /// True if the reply repeats the beginning of the prompt. Repeating the earlier summary inside the prompt is allowed.
    fn is_echo(&self, text: &str) -> bool {
        let SummaryStep::Ask(request) = &self.next else { return false };
        let start: String = text.trim().chars().take(ECHO_CHARS).collect();
        start.chars().count() == ECHO_CHARS
            && (request.system.contains(&start) || request.user.trim_start().starts_with(&start))
    }

    /// Rejects a summary that has too little content, and one that is longer than what it replaces: the model has not
    /// summarised, however much could be cut off.
    fn require_useful(&self, accepted: Accepted) -> Result<Accepted, Refusal> {
        let Some(asking) = &self.asking else { return Err(Refusal::Empty) };
        let model = self.task.main_model;
        let content = content_of(&accepted.text, &asking.prompt.sections);
        let replaced_tokens = self.task.replaced_tokens;
        if model.count(&content).ceil() < least_content_tokens(replaced_tokens / asking.part_count()) {
            return Err(Refusal::TooLittle);
        }
        if model.fits(&accepted.text, replaced_tokens) {
            Ok(asking.bounded(accepted))
        } else {
            Err(Refusal::NotSmaller)
        }
    }

    /// The model reached its output limit, or reasoned too long: repeats the request once, asking for a shorter text
    /// and giving more room. If that reply is cut off as well, its beginning is used.
    fn take_cut_off(&mut self, reply: &Reply) {
        let Some(asking) = &mut self.asking else { return };
        let accepted = salvaged(reply, &asking.prompt.sections);
        let request = asking.ask_for_less();
        let missing = |accepted: &Accepted| accepted.missing_sections.len();
        let accepted = accepted.and_then(|accepted| self.require_useful(accepted).ok()).filter(|accepted| {
            self.fallback.as_ref().is_none_or(|fallback| missing(accepted) <= missing(fallback))
        });
        self.fallback = accepted.or_else(|| self.fallback.take());
        match request {
            Some(request) => self.next = SummaryStep::Ask(request),
            None => self.fall_back_or(SummaryStep::Refused(Refusal::CutOff)),
        }
    }

    fn fall_back_or(&mut self, end: SummaryStep) {
        match self.fallback.take() {
            // Missing sections are not requested: the text was cut off at its full length, or has been asked about.
            Some(accepted) => self.continue_with(accepted, false),
            None => self.next = end,
        }
    }

    fn continue_with(&mut self, accepted: Accepted, may_repair: bool) {
        let Some(asking) = &mut self.asking else { return };
        self.fallback = None;
        if asking.advance(&accepted.text) {
            let request = asking.summary();
            return self.ask(request);
        }
        let is_complete = accepted.missing_sections.is_empty();
        match if is_complete || !may_repair { None } else { asking.repair(&accepted) } {
            None => self.finish(&accepted.text),
            Some(request) => {
                self.fallback = Some(accepted);
                self.next = SummaryStep::Ask(request);
            }
        }
    }

    /// A repair is accepted only if it is better than the first summary.
    fn take_repair(&mut self, reply: &Reply) {
        let (Some(asking), Some(first)) = (&self.asking, self.fallback.take()) else { return };
        let repaired = judge(reply, &asking.prompt.sections).ok().map(|accepted| asking.bounded(accepted));
        let is_better = |repaired: &Accepted| {
            // Some models reply with only the missing sections.
            repaired.missing_sections.len() < first.missing_sections.len()
                && repaired.text.len() >= first.text.len() / 2
        };
        if let Some(repaired) = repaired.filter(is_better) {
            self.finish(&repaired.text);
        }
        if !matches!(self.next, SummaryStep::Done(_)) {
            self.finish(&first.text);
        }
    }

    fn finish(&mut self, text: &str) {
        self.next = match Summary::compose(text, &self.task, &self.digest, self.language) {
            Ok(summary) => SummaryStep::Done(Box::new(summary)),
            Err(refusal) => SummaryStep::Refused(refusal),
        };
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
