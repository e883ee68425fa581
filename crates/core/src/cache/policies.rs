//! What hosts do with outdated results today, and what the schedule does.

use crate::cache::moment::Moment;
use crate::cache::schedule::{Schedule, ScheduleOptions};
use crate::cache::simulation::{ReplacementPolicy, SimulatedSession};

pub struct LeaveAlone;

/// Replaces whatever is outdated, as the drop-in functions do.
pub struct EveryRequest;

/// Replaces everything once `tokens` are to be saved.
pub struct Batches {
    pub tokens: f64,
}

/// From `tokens` on, replaces everything but the newest `keep`, at each request.
pub struct ClearAbove {
    pub tokens: f64,
    pub keep: usize,
}

/// Replaces what `ContextView` would.
pub struct View {
    schedule: Schedule,
    seen: usize,
}

impl ReplacementPolicy for LeaveAlone {
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
        let sent = |(position, message): (usize, &crate::cache::simulation::SimulatedMessage)| {
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
    pub fn new(options: ScheduleOptions) -> Self {
        Self { schedule: Schedule::new(options), seen: 0 }
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

impl ReplacementPolicy for View {
    fn taken_back(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        if len >= self.seen {
            return Vec::new();
        }
        self.schedule.truncate(len);
        let is_back =
            |&(position, &is_replaced): &(usize, &bool)| is_replaced && !self.schedule.is_replaced(position);
        replaced.iter().enumerate().filter(is_back).map(|(position, _)| position).collect()
    }

    fn decide(&mut self, session: &SimulatedSession, request: usize, _: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        self.schedule.set_fixed_tokens(session.fixed_tokens);
        for message in session.messages.iter().take(sent.len).skip(self.schedule.len()) {
            self.schedule.push(message.tokens, 1.0);
        }
        self.seen = sent.len;
        for (position, message) in session.messages.iter().enumerate().take(sent.len) {
            let is_outdated = message.stale_at.is_some_and(|stale_at| stale_at <= request);
            if is_outdated && !self.schedule.is_replaced(position) {
                self.schedule.mark_pending(position, message.tokens_after);
            }
        }
        self.schedule
            .decide(Moment::live(sent.now_ms))
            .positions
            .iter()
            .map(|&(position, _)| position)
            .collect()
    }
}
