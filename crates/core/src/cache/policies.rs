//! Defines the removal policies that the simulation compares: what applications do today, and what a view does.

use crate::cache::cuts::Pending;
use crate::cache::fold::{ConversationHead, Fold, FoldOptions, Request};
use crate::cache::simulation::{ReplacementPolicy, SimulatedMessage, SimulatedSession, set};

/// Sends all messages as stored.
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
    folded_requests: Vec<usize>,
    /// For each message.
    is_removed: Vec<bool>,
    is_outdated: Vec<bool>,
    has_references: Vec<bool>,
}

impl ReplacementPolicy for Unmodified {
    fn decide(&mut self, _: &SimulatedSession, _: usize, _: &[bool]) -> Vec<usize> {
        Vec::new()
    }
}

impl ReplacementPolicy for EveryRequest {
    fn decide(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        session.pending(request, is_replaced).collect()
    }
}

impl ReplacementPolicy for Batches {
    fn decide(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        let pending: Vec<usize> = session.pending(request, is_replaced).collect();
        let saved: f64 = pending.iter().map(|&position| session.saving(position)).sum();
        if saved >= self.tokens { pending } else { Vec::new() }
    }
}

impl ReplacementPolicy for ClearAbove {
    fn decide(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        let messages = session.messages.iter().zip(is_replaced).take(len);
        let sent_tokens = |(message, &is_replaced): (&SimulatedMessage, &bool)| {
            if is_replaced { message.tokens_replaced } else { message.tokens }
        };
        let total: f64 = messages.map(sent_tokens).sum();
        if session.fixed_tokens + total <= self.tokens {
            return Vec::new();
        }
        let mut pending: Vec<usize> = session.pending(request, is_replaced).collect();
        pending.truncate(pending.len().saturating_sub(self.keep));
        pending
    }
}

impl View {
    pub fn new(options: FoldOptions) -> Self {
        Self {
            options,
            fold: None,
            folded_requests: Vec::new(),
            is_removed: Vec::new(),
            is_outdated: Vec::new(),
            has_references: Vec::new(),
        }
    }

    pub fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }
}

impl ReplacementPolicy for View {
    fn decide(&mut self, session: &SimulatedSession, request: usize, _: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        let last = self.folded_requests.last().and_then(|&last| session.requests.get(last));
        let head = ConversationHead { fixed_tokens: session.fixed_tokens, ..ConversationHead::default() };
        let fold = self.fold.get_or_insert_with(|| Fold::new(self.options, head));
        self.is_removed.resize(session.messages.len(), false);
        self.is_outdated.resize(session.messages.len(), false);
        for message in session.messages.iter().take(sent.len).skip(fold.prompt().len()) {
            fold.push(message.tokens, 1.0);
            let saved = message.tokens - message.tokens_with_references;
            self.has_references.push(saved > 0.0 && fold.shorten_newest(saved));
        }
        for (position, message) in session.messages.iter().enumerate().take(sent.len) {
            let Some(was_outdated) = self.is_outdated.get_mut(position) else { continue };
            if *was_outdated || !message.is_outdated(request) {
                continue;
            }
            *was_outdated = true;
            let row = u32::try_from(position).unwrap_or(u32::MAX);
            let has_references = self.has_references.get(position) == Some(&true);
            let sent = message.sent_tokens(false, has_references);
            fold.outdate(Pending { row, position, saved: sent - message.tokens_replaced });
        }
        let elapsed_ms = last.map(|last| sent.now_ms - last.now_ms);
        let decision = fold.request(Request {
            elapsed_ms,
            least_elapsed_ms: elapsed_ms,
            time_ms: sent.now_ms,
            is_side: false,
        });
        self.folded_requests.push(request);
        let positions: Vec<usize> = decision.rows.iter().map(|&row| row as usize).collect();
        set(&mut self.is_removed, &positions, true);
        positions
    }

    fn rewind(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        if self.fold.as_ref().is_none_or(|fold| fold.prompt().len() <= len) {
            return Vec::new();
        }
        let folded_before = std::mem::replace(self, Self::new(self.options)).folded_requests;
        for earlier in folded_before {
            if session.requests.get(earlier).is_some_and(|sent| sent.len <= len) {
                self.decide(session, earlier, is_replaced);
            }
        }
        let is_still_removed = |position: usize| self.is_removed.get(position) == Some(&true);
        let was_replaced = |position: usize| is_replaced.get(position) == Some(&true);
        (0..is_replaced.len())
            .filter(|&position| was_replaced(position) && !is_still_removed(position))
            .collect()
    }

    fn has_references(&self) -> &[bool] {
        &self.has_references
    }
}
