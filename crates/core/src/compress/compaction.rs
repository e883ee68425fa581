//! Decides, step by step, what to ask the model and what becomes of its answers, until there is a summary or there
//! is none (SPEC R7.5–R7.7).
//!
//! Nothing here waits or calls: [`Compaction::step`] says what to do, [`Compaction::answer`] is told how it ended.

mod asking;
#[cfg(test)]
mod property_tests;
mod result;
mod task;

use super::acceptance::{Accepted, Refusal, judge, own_text};
use super::digest::Digest;
use super::exchange::{Answer, CallFailure, Purpose, Reply, Request};
use super::prompt::{Prompt, language_of};
use crate::results::Language;
use asking::Asking;
use result::Ending;
pub use result::Summary;
pub use task::{Earlier, Task};

/// How often a prompt that the provider calls too long is made shorter.
const MOST_SHRINKS: u32 = 2;

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Call the model and tell [`Compaction::answer`].
    Ask(Request),
    /// The summary.
    Done(Summary),
    /// A reply came that is none; nothing is to be changed.
    Refused(Refusal),
    /// No reply came; nothing is to be changed.
    Failed(CallFailure),
}

/// One summary in the making.
pub struct Compaction {
    task: Task,
    language: Language,
    digest: Digest,
    asking: Option<Asking>,
    shrinks: u32,
    asked: u32,
    /// Taken, but with sections missing.
    incomplete: Option<Accepted>,
    next: Step,
}

impl Compaction {
    /// Works out the digest and the first request. O(text of the range).
    #[must_use]
    pub fn new(task: Task) -> Self {
        let language = task.language.unwrap_or_else(|| language_of(&task.messages));
        let digest = Digest::of(&task.messages, task.earlier.as_ref().map(|earlier| &earlier.digest));
        let next = Step::Refused(Refusal::Empty);
        let mut compaction =
            Self { task, language, digest, asking: None, shrinks: 0, asked: 0, incomplete: None, next };
        compaction.begin();
        compaction
    }

    /// What is to be done next; the same until an answer is told.
    #[must_use]
    pub const fn step(&self) -> &Step {
        &self.next
    }

    /// How often the model was asked so far.
    #[must_use]
    pub const fn asked(&self) -> u32 {
        self.asked
    }

    /// Takes in how the call ended that [`Step::Ask`] wanted. Without such a call nothing happens.
    pub fn answer(&mut self, answer: Answer) {
        let Step::Ask(request) = &self.next else { return };
        match (request.purpose, answer) {
            (Purpose::Summary { .. }, Answer::Reply(reply)) => self.take_summary(&reply),
            (Purpose::Summary { .. }, Answer::Failure(CallFailure::TooLong { max_tokens })) => {
                self.shrink(max_tokens);
            }
            (Purpose::Repair, Answer::Reply(reply)) => self.take_repair(&reply),
            // The host gave up on the whole, not on a repair.
            (Purpose::Summary { .. }, Answer::Failure(failure))
            | (_, Answer::Failure(failure @ CallFailure::Aborted)) => {
                self.next = Step::Failed(failure);
            }
            (Purpose::Repair, Answer::Failure(_)) => self.finish_incomplete(),
        }
    }

    fn begin(&mut self) {
        if let Some(given) = &self.task.given_summary {
            let text = own_text(given);
            if text.is_empty() {
                self.next = Step::Refused(if given.is_empty() { Refusal::Empty } else { Refusal::Blank });
            } else {
                self.finish(Accepted { text, missing_sections: Vec::new() }, false);
            }
            return;
        }
        let prompt = Prompt::default_for(self.language).changed(&self.task.prompt);
        let asking = self.asking.insert(Asking::new(&self.task, prompt, self.language));
        self.next = ask_or_fail(asking.summary(), &mut self.asked, self.task.summary_context_tokens);
    }

    /// The prompt was too long although it fitted by our count: from the start, with less.
    fn shrink(&mut self, reported_max_tokens: Option<f64>) {
        let failure = CallFailure::TooLong { max_tokens: reported_max_tokens };
        self.next = match &mut self.asking {
            Some(asking) if self.shrinks < MOST_SHRINKS => {
                self.shrinks += 1;
                asking.shrink(reported_max_tokens);
                ask_or_fail(asking.summary(), &mut self.asked, self.task.summary_context_tokens)
            }
            _ => Step::Failed(failure),
        };
    }

    fn take_summary(&mut self, reply: &Reply) {
        let Some(asking) = &mut self.asking else { return };
        let accepted = match judge(reply, asking.sections()) {
            // A model that writes more than it read has not summarised, however much of it would be cut off.
            Ok(accepted) if !self.task.main_model.fits(&accepted.text, self.task.replaced_tokens) => {
                self.next = Step::Refused(Refusal::NotSmaller);
                return;
            }
            Ok(accepted) => asking.bounded(accepted),
            Err(refusal) => {
                self.next = Step::Refused(refusal);
                return;
            }
        };
        if asking.advance(&accepted.text) {
            self.next = ask_or_fail(asking.summary(), &mut self.asked, self.task.summary_context_tokens);
            return;
        }
        let repair = if accepted.missing_sections.is_empty() { None } else { asking.repair(&accepted) };
        match repair {
            None => self.finish(accepted, false),
            Some(request) => {
                self.incomplete = Some(accepted);
                self.next = ask_or_fail(Some(request), &mut self.asked, self.task.summary_context_tokens);
            }
        }
    }

    /// A repair is taken when it is better; whatever else it is, the first summary stands.
    fn take_repair(&mut self, reply: &Reply) {
        let (Some(asking), Some(first)) = (&self.asking, &self.incomplete) else { return };
        let repaired = judge(reply, asking.sections()).ok().map(|accepted| asking.bounded(accepted));
        let is_better = |repaired: &Accepted| {
            // Some models answer with the missing sections alone.
            repaired.missing_sections.len() < first.missing_sections.len()
                && repaired.text.len() >= first.text.len() / 2
        };
        if let Some(repaired) = repaired.filter(is_better) {
            self.finish(repaired, true);
        }
        if !matches!(self.next, Step::Done(_)) {
            self.finish_incomplete();
        }
    }

    fn finish_incomplete(&mut self) {
        if let Some(first) = self.incomplete.take() {
            self.finish(first, false);
        }
    }

    fn finish(&mut self, accepted: Accepted, repaired: bool) {
        let ending = Ending { digest: &self.digest, language: self.language, repaired, asked: self.asked };
        self.next = match ending.summary(accepted, &self.task) {
            Ok(summary) => Step::Done(summary),
            Err(refusal) => Step::Refused(refusal),
        };
    }
}

fn ask_or_fail(request: Option<Request>, asked: &mut u32, context_tokens: f64) -> Step {
    match request {
        Some(request) => {
            *asked += 1;
            Step::Ask(request)
        }
        None => Step::Failed(CallFailure::TooLong { max_tokens: Some(context_tokens) }),
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
