//! Defines the removal policies that the simulation compares: what applications do today, and what a view does.

use crate::cache::cuts::Pending;
use crate::cache::fold::{ConversationHead, Fold, FoldOptions, Request};
use crate::cache::simulation::{ReplacementPolicy, SimulatedMessage, SimulatedSession};

pub struct Unmodified;

/// Replaces every outdated result, as the drop-in functions do.
pub struct EveryRequest;

/// Replaces all outdated results once they save `tokens`.
pub struct Batches {
    pub tokens: f64,
}

/// From `tokens` on, replaces all but the newest `keep` results at each request.
pub struct ClearAbove {
    pub tokens: f64,
    pub keep: usize,
}

/// Removes the results that `ContextView` would remove.
pub struct View {
    options: FoldOptions,
    fold: Option<Fold>,
    /// Indices of the current conversation's requests; a rewind drops the longer ones.
    path: Vec<usize>,
    /// For each message.
    removed: Vec<bool>,
    outdated: Vec<bool>,
    short: Vec<bool>,
}

impl ReplacementPolicy for Unmodified {
    fn decide(&mut self, _: &SimulatedSession, _: usize, _: &[bool]) -> Vec<usize> {
        Vec::new()
    }
}

impl ReplacementPolicy for EveryRequest {
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        session.pending(request, replaced).collect()
    }
}

impl ReplacementPolicy for Batches {
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        let pending: Vec<usize> = session.pending(request, replaced).collect();
        let saved: f64 = pending.iter().map(|&position| session.saving(position)).sum();
        if saved >= self.tokens { pending } else { Vec::new() }
    }
}

impl ReplacementPolicy for ClearAbove {
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        let sent = |(position, message): (usize, &SimulatedMessage)| {
            if replaced.get(position) == Some(&true) { message.tokens_after } else { message.tokens }
        };
        let total: f64 = session.messages.iter().enumerate().take(len).map(sent).sum();
        if session.fixed_tokens + total <= self.tokens {
            return Vec::new();
        }
        let mut pending: Vec<usize> = session.pending(request, replaced).collect();
        pending.truncate(pending.len().saturating_sub(self.keep));
        pending
    }
}

impl View {
    pub fn new(options: FoldOptions) -> Self {
        Self {
            options,
            fold: None,
            path: Vec::new(),
            removed: Vec::new(),
            outdated: Vec::new(),
            short: Vec::new(),
        }
    }

    pub fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }
}

impl ReplacementPolicy for View {
    fn decide(&mut self, session: &SimulatedSession, request: usize, _: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        let last = self.path.last().and_then(|&last| session.requests.get(last));
        let head = ConversationHead { fixed_tokens: session.fixed_tokens, ..ConversationHead::default() };
        let fold = self.fold.get_or_insert_with(|| Fold::new(self.options, head));
        self.removed.resize(session.messages.len(), false);
        self.outdated.resize(session.messages.len(), false);
        for message in session.messages.iter().take(sent.len).skip(fold.prompt().len()) {
            fold.push(message.tokens, 1.0);
            let saved = message.tokens - message.tokens_short;
            self.short.push(saved > 0.0 && fold.shorten_newest(saved));
        }
        for (position, message) in session.messages.iter().enumerate().take(sent.len) {
            let known = self.outdated.get_mut(position);
            if let Some(is_known) = known.filter(|is_known| message.is_outdated(request) && !**is_known) {
                *is_known = true;
                let row = u32::try_from(position).unwrap_or(u32::MAX);
                let is_short = self.short.get(position) == Some(&true);
                let in_full = if is_short { message.tokens_short } else { message.tokens };
                fold.outdate(Pending { row, position, saved: in_full - message.tokens_after });
            }
        }
        let elapsed_ms = last.map(|last| sent.now_ms - last.now_ms);
        let decision = fold.request(Request {
            elapsed_ms,
            least_elapsed_ms: elapsed_ms,
            time_ms: sent.now_ms,
            is_side: false,
        });
        self.path.push(request);
        let positions: Vec<usize> = decision.rows.iter().map(|&row| row as usize).collect();
        for &position in &positions {
            if let Some(removed) = self.removed.get_mut(position) {
                *removed = true;
            }
        }
        positions
    }

    fn restored(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        if self.fold.as_ref().is_none_or(|fold| fold.prompt().len() <= len) {
            return Vec::new();
        }
        let path = std::mem::take(&mut self.path);
        (self.fold, self.removed, self.outdated, self.short) = (None, Vec::new(), Vec::new(), Vec::new());
        for known in path {
            if session.requests.get(known).is_some_and(|sent| sent.len <= len) {
                self.decide(session, known, replaced);
            }
        }
        let is_back = |&(position, &was): &(usize, &bool)| was && self.removed.get(position) != Some(&true);
        replaced.iter().enumerate().filter(is_back).map(|(position, _)| position).collect()
    }

    fn short(&self) -> &[bool] {
        &self.short
    }
}
