//! Decides which tool results a model no longer needs, by rules: presets, and an application's own. A result that a rule finds outdated is
//! not replaced before an assistant message follows it (R1.0).

pub mod ages;
pub mod by_kind;
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

use by_kind::Aging;
use context::RuleContext;
pub use grouping::Grouping;
use repeated_commands::RepeatedCommands;
use retention::Retention;
pub use rule::{CallInterest, ErrorDetection, Rule};

/// One rule's state for a growing conversation. It uses one of the first three fields.
#[derive(Debug, Default)]
pub struct RuleEvaluator {
    pub(super) retention: Retention,
    aging: Aging,
    repeated_commands: RepeatedCommands,
    /// Outdated results that stay until an assistant message follows them.
    unanswered: Vec<u32>,
}

impl RuleEvaluator {
    /// New replacements by `context.rule`. O(new candidates, those that have reached the age, and the turn in progress).
    pub fn outdated(&mut self, context: &mut RuleContext<'_>) -> Vec<u32> {
        let found = match context.rule.by_kind {
            _ if context.rule.is_for_repeated_commands => self.repeated_commands.outdated(context),
            Some(subject) => self.aging.outdated(context, subject),
            None => self.retention.outdated(context),
        };
        self.unanswered.extend(found);
        let is_answered = |row: &mut u32| (*row as usize) < context.answered_rows;
        let answered = self.unanswered.extract_if(.., is_answered);
        // An earlier rule may have replaced a result in the meantime.
        answered.filter(|&row| !context.is_replaced_earlier(row)).collect()
    }
}
