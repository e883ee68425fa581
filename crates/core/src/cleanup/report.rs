//! Logs counts of what one evaluation removed and replaced.

use super::decision::Evaluation;
use super::policy::Policy;

/// Logs at level INFO; nothing if nothing changed.
pub(super) fn report(policy: &Policy, evaluation: &Evaluation) {
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    if !evaluation.dropped.is_empty() {
        tracing::info!(rule = "orphans", changed = evaluation.dropped.len(), "orphaned messages removed");
    }
    if evaluation.duplicates > 0 {
        tracing::info!(
            rule = "orphans",
            duplicates = evaluation.duplicates,
            "of them a second result or call of one id"
        );
    }
    if !evaluation.answered.is_empty() {
        tracing::info!(rule = "orphans", answered = evaluation.answered.len(), "interrupted calls answered");
    }
    for (number, rule) in policy.rules.iter().enumerate() {
        let changed = evaluation.edits.iter().filter(|edit| edit.rule as usize == number).count();
        if changed > 0 {
            tracing::info!(rule = rule.name.as_str(), changed, "tool results simplified");
        }
    }
}
