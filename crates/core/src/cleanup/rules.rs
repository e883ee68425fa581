//! Decides which tool results a model no longer needs, by rules: presets, and an application's own. A result that a rule finds outdated is
//! not replaced before an assistant message follows it (R1.0).

pub mod ages;
mod by_kind;
pub mod content_checks;
pub mod context;
pub mod grouping;
pub mod placeholder;
pub mod presets;
mod rendering;
pub mod repeated_commands;
mod retention;
pub mod rule;
pub mod subject;
pub mod timeline;
mod window;

use by_kind::Aging;
use context::RuleContext;
pub use grouping::Grouping;
use repeated_commands::RepeatedCommands;
use retention::Retention;
pub use rule::{CallInterest, Candidates, ErrorDetection, Outdated, Rule};

/// One rule's state for a growing conversation. It uses one of the first three fields.
#[derive(Debug, Default)]
pub struct RuleEvaluator {
    retention: Retention,
    aging: Aging,
    repeated_commands: RepeatedCommands,
    /// Outdated results that stay until an assistant message follows them.
    unanswered: Vec<u32>,
}

impl RuleEvaluator {
    /// New replacements by `context.rule` at `now_ms`. O(new candidates, those that have reached the age, and the turn in progress).
    pub fn outdated(
        &mut self,
        context: &mut RuleContext<'_>,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        let rule = context.rule;
        let mut found = match rule.by_kind {
            _ if rule.is_for_repeated_commands => {
                self.repeated_commands.outdated(context, candidates, now_ms)
            }
            Some(subject) => self.aging.outdated(context, subject, candidates, now_ms),
            None => self.retention.outdated(context, candidates, now_ms),
        };
        self.unanswered.append(&mut found.rows);
        let is_answered = |row: &mut u32| (*row as usize) < candidates.answered_rows;
        found.rows = self.unanswered.extract_if(.., is_answered).collect();
        // An earlier rule may have replaced a result in the meantime.
        found.rows.retain(|&row| !candidates.is_replaced_earlier(row));
        found
    }
}
