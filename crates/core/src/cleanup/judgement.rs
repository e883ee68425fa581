//! Decides when what one rule has found outdated is replaced: not before the model has answered it (R1.0).

use crate::cleanup::rules::by_kind::Aging;
use crate::cleanup::rules::memory::Look;
use crate::cleanup::rules::retention::{Candidates, Outdated, Retention};
use crate::cleanup::rules::supersession::Superseding;

/// Remembers what one rule has found in a conversation that grows.
#[derive(Debug, Default)]
pub struct Judgement {
    retention: Retention,
    aging: Aging,
    superseding: Superseding,
    /// Outdated results that stay until the model has answered them.
    unanswered: Vec<u32>,
}

impl Judgement {
    /// What `look.rule` replaces at `now_ms` and has not replaced before. O(new candidates, those whose age has come, and
    /// the turn in progress).
    pub fn outdated(&mut self, look: &mut Look<'_>, candidates: Candidates<'_>, now_ms: f64) -> Outdated {
        let rule = look.rule;
        let mut found = match (&rule.supersession, rule.by_kind) {
            (Some(kind), _) => self.superseding.outdated(look, kind, candidates, now_ms),
            (None, Some(subject)) => self.aging.advance(look, subject, candidates, now_ms),
            (None, None) => self.retention.advance(look, candidates, now_ms),
        };
        self.unanswered.append(&mut found.rows);
        let is_answered = |row: &mut u32| (*row as usize) < candidates.answered_rows;
        found.rows = self.unanswered.extract_if(.., is_answered).collect();
        // While it waited, a rule before this one may have replaced it.
        found.rows.retain(|&row| !candidates.is_taken(row));
        found
    }
}
