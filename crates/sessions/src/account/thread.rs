//! One thread of a session with its tokens and its costs.

use super::charge::Charge;
use super::prompt::Prompts;
use super::rows::CountedRows;
use crate::model::Thread;

/// A thread with its tokens, its rows and its charges.
pub(super) struct CountedThread<'a> {
    pub thread: &'a Thread,
    /// Index among the session's threads.
    pub number: usize,
    pub rows: &'a CountedRows<'a>,
    pub prompts: &'a Prompts,
    /// By request of the thread; `None` if its usage isn't recorded.
    pub charges: &'a [Option<Charge>],
}

impl CountedThread<'_> {
    /// By request of one context, the number of rows sent, and the times (ms); `None` if a time is missing.
    pub fn requests_of(&self, context: u32) -> (Vec<usize>, Option<Vec<f64>>) {
        let requests = self.thread.requests.iter().filter(|request| request.context == context);
        let prompt = self.prompts.contexts.get(context as usize);
        let length = |sent: u32| prompt.map_or(0, |prompt| prompt.end(sent));
        #[allow(clippy::cast_precision_loss)] // a time
        let time = |at: Option<i64>| at.map(|at| at as f64);
        let lengths = requests.clone().map(|request| length(request.sent_count)).collect();
        (lengths, requests.map(|request| time(request.at_ms)).collect())
    }

    /// Line of each request of one context, and what was paid for it.
    pub fn paid_of(&self, context: u32) -> Vec<(u64, f64)> {
        let all = self.thread.requests.iter().zip(self.charges);
        let own = all.filter(|(request, _)| request.context == context);
        own.map(|(request, charge)| (request.line, charge.map_or(0.0, |charge| charge.prompt))).collect()
    }
}

/// The model with the most prompt tokens; a thread may start with another model that never answered.
pub(super) fn main_model(thread: &Thread) -> Option<&str> {
    let mut prompts: Vec<(&str, u64)> = Vec::new();
    for request in &thread.requests {
        let Some(model) = request.model.as_deref() else { continue };
        let tokens = request.usage.map_or(0, |usage| usage.total());
        match prompts.iter_mut().find(|(known, _)| *known == model) {
            Some((_, sum)) => *sum = sum.saturating_add(tokens),
            None => prompts.push((model, tokens)),
        }
    }
    prompts.into_iter().rev().max_by_key(|(_, tokens)| *tokens).map(|(model, _)| model)
}
