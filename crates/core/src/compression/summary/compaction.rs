//! A state machine that requests a summary from the model and handles its replies, until there is a summary or an error
//! (R7.5–R7.7).
//!
//! It neither waits nor makes calls: [`Compaction::step`] returns what to do, and [`Compaction::answer`] takes the result.

#[cfg(test)]
mod answer_tests;
mod asking;
#[cfg(test)]
mod property_tests;
mod result;
mod task;

use crate::compression::record::digest::Digest;
use crate::compression::summary::acceptance::{
    Accepted, Refusal, content_of, judge, least_content_tokens, own_text, salvaged,
};
use crate::compression::summary::exchange::{CallFailure, CallPurpose, Reply, SummaryAnswer, SummaryRequest};
use crate::compression::summary::prompt::{SummaryPrompt, language_of};
use crate::results::Language;
use asking::RequestWriter;
use result::Ending;
pub use result::Summary;
pub use task::{EarlierSummary, Task};

const ECHO_CHARS: usize = 60;

const MAX_SHRINKS: u32 = 2;

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
    asking: Option<RequestWriter>,
    shrinks: u32,
    /// An accepted summary that lacks sections.
    incomplete: Option<Accepted>,
    asked_for_less: bool,
    /// The usable part of a summary that was cut off.
    salvage: Option<Accepted>,
    next: SummaryStep,
}

impl Compaction {
    /// O(text of the range).
    pub fn new(task: Task) -> Self {
        let language = task.language.unwrap_or_else(|| language_of(&task.messages));
        let digest = Digest::of(&task.messages, task.earlier.as_ref().map(|earlier| &earlier.digest));
        let next = SummaryStep::Refused(Refusal::Empty);
        let mut compaction = Self {
            task,
            language,
            digest,
            asking: None,
            shrinks: 0,
            incomplete: None,
            asked_for_less: false,
            salvage: None,
            next,
        };
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
            (CallPurpose::Summary { .. }, SummaryAnswer::Failure(CallFailure::TooLong { max_tokens })) => {
                self.shrink(max_tokens);
            }
            (CallPurpose::Repair, SummaryAnswer::Reply(reply)) => self.take_repair(&reply),
            // The application has aborted the whole compression, so the first summary isn't used either.
            (_, SummaryAnswer::Failure(failure @ CallFailure::Aborted)) => {
                self.next = SummaryStep::Failed(failure);
            }
            (CallPurpose::Summary { .. }, SummaryAnswer::Failure(failure)) => {
                self.salvage_or(SummaryStep::Failed(failure));
            }
            (CallPurpose::Repair, SummaryAnswer::Failure(_)) => self.finish_incomplete(),
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
        self.next = ask_or_fail(asking.summary(), self.task.summary_context_tokens);
    }

    /// Starts again with less text, since the prompt was too long although it fitted by our count.
    fn shrink(&mut self, reported_max_tokens: Option<f64>) {
        let failure = CallFailure::TooLong { max_tokens: reported_max_tokens };
        self.next = match &mut self.asking {
            Some(asking) if self.shrinks < MAX_SHRINKS => {
                self.shrinks += 1;
                asking.shrink(reported_max_tokens);
                ask_or_fail(asking.summary(), self.task.summary_context_tokens)
            }
            _ => SummaryStep::Failed(failure),
        };
    }

    fn take_summary(&mut self, reply: &Reply) {
        let Some(asking) = &self.asking else { return };
        let judged = judge(reply, asking.sections()).and_then(|accepted| {
            if self.is_echo(&accepted.text) { Err(Refusal::TooLittle) } else { self.of_use(accepted) }
        });
        match judged {
            Ok(accepted) => self.continue_with(accepted, true),
            Err(Refusal::CutOff) => self.take_cut_off(reply),
            Err(refusal) => self.salvage_or(SummaryStep::Refused(refusal)),
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
    fn of_use(&self, accepted: Accepted) -> Result<Accepted, Refusal> {
        let Some(asking) = &self.asking else { return Err(Refusal::Empty) };
        let model = self.task.main_model;
        let content = content_of(&accepted.text, asking.sections());
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
        let accepted = salvaged(reply, asking.sections());
        if self.asked_for_less {
            let accepted = accepted.and_then(|accepted| self.of_use(accepted).ok());
            let is_better = |accepted: &Accepted| {
                let sections = |of: &Accepted| of.missing_sections.len();
                self.salvage.as_ref().is_none_or(|salvage| sections(accepted) <= sections(salvage))
            };
            if let Some(accepted) = accepted.filter(is_better) {
                self.salvage = Some(accepted);
            }
            self.salvage_or(SummaryStep::Refused(Refusal::CutOff));
            return;
        }
        self.asked_for_less = true;
        asking.ask_for_less();
        let request = asking.summary();
        self.salvage = accepted.and_then(|accepted| self.of_use(accepted).ok());
        match request {
            None => self.salvage_or(SummaryStep::Refused(Refusal::CutOff)),
            request => {
                self.next = ask_or_fail(request, self.task.summary_context_tokens);
            }
        }
    }

    fn salvage_or(&mut self, end: SummaryStep) {
        match self.salvage.take() {
            // The text already has the full length, so missing sections are not requested.
            Some(accepted) => self.continue_with(accepted, false),
            None => self.next = end,
        }
    }

    fn continue_with(&mut self, accepted: Accepted, may_repair: bool) {
        let Some(asking) = &mut self.asking else { return };
        self.salvage = None;
        if asking.advance(&accepted.text) {
            self.next = ask_or_fail(asking.summary(), self.task.summary_context_tokens);
            return;
        }
        let is_complete = accepted.missing_sections.is_empty();
        match if is_complete || !may_repair { None } else { asking.repair(&accepted) } {
            None => self.finish(&accepted.text),
            Some(request) => {
                self.incomplete = Some(accepted);
                self.next = ask_or_fail(Some(request), self.task.summary_context_tokens);
            }
        }
    }

    /// A repair is accepted only if it is better than the first summary.
    fn take_repair(&mut self, reply: &Reply) {
        let (Some(asking), Some(first)) = (&self.asking, &self.incomplete) else { return };
        let repaired = judge(reply, asking.sections()).ok().map(|accepted| asking.bounded(accepted));
        let is_better = |repaired: &Accepted| {
            // Some models reply with only the missing sections.
            repaired.missing_sections.len() < first.missing_sections.len()
                && repaired.text.len() >= first.text.len() / 2
        };
        if let Some(repaired) = repaired.filter(is_better) {
            self.finish(&repaired.text);
        }
        if !matches!(self.next, SummaryStep::Done(_)) {
            self.finish_incomplete();
        }
    }

    fn finish_incomplete(&mut self) {
        if let Some(first) = self.incomplete.take() {
            self.finish(&first.text);
        }
    }

    fn finish(&mut self, text: &str) {
        let ending = Ending { digest: &self.digest, language: self.language };
        self.next = match ending.summary(text, &self.task) {
            Ok(summary) => SummaryStep::Done(Box::new(summary)),
            Err(refusal) => SummaryStep::Refused(refusal),
        };
    }
}

fn ask_or_fail(request: Option<SummaryRequest>, context_tokens: f64) -> SummaryStep {
    match request {
        Some(request) => SummaryStep::Ask(request),
        None => SummaryStep::Failed(CallFailure::TooLong { max_tokens: Some(context_tokens) }),
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
