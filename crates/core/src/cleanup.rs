//! Decides all removals and replacements in one conversation: orphans first, then every rule in its order.

mod decision;
pub mod policy;
pub mod reacquired;
pub mod rules;

use std::sync::Arc;

pub use crate::cleanup::decision::{Edit, Evaluation, SentRequest, Update};
pub use crate::cleanup::policy::{Orphans, Policy, Purpose};
use crate::cleanup::rules::context::{ContentChecks, NamedTool, RuleContext, RuleState};
use crate::cleanup::rules::timeline::Timeline;
use crate::cleanup::rules::{CallInterest, RuleEvaluator};
use crate::conversation::pairing::{Pairing, sent_calls};
use crate::conversation::requests::{Handle, Requests};
use crate::conversation::{Call, Conversation, Row, RowKind, RowTexts};
use crate::text::utf16::to_utf8;
use crate::tools::kind_of;

/// One conversation under one policy, with all facts read from it so far.
#[derive(Debug, Default)]
pub struct Cleanup {
    policy: Arc<Policy>,
    conversation: Conversation,
    /// True if a summary is in the conversation; the messages that it replaced may have declared calls.
    is_compressed: bool,
    tools: Vec<NamedTool>,
    pairing: Pairing,
    timeline: Timeline,
    requests: Requests,
    /// What contents were found to be, by checks that depend on no rule.
    checks: ContentChecks,
    rule_states: Vec<RuleState>,
    evaluators: Vec<RuleEvaluator>,
    /// For each row, the index of the rule that has replaced it.
    replaced_by: Vec<Option<u32>>,
    /// For each row, the number of the request at which it was first outdated.
    outdated_since: Vec<Option<u32>>,
    request_number: u32,
    decided: Evaluation,
    /// Of the last evaluation: the number of judged rows, its time and the request count.
    evaluated_rows: usize,
    evaluated_ms: f64,
    evaluated_requests: u32,
    /// False before the first evaluation, and after a change other than new messages: the next evaluation then judges all rows again.
    may_continue: bool,
}

impl Cleanup {
    pub fn new(policy: Arc<Policy>) -> Self {
        let rule_states = policy.rules.iter().map(|_| RuleState::default()).collect();
        let timeline = Timeline::new(policy.purpose.trusts_clock());
        Self { policy, timeline, rule_states, ..Self::default() }
    }

    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Adds a tool name, numbered in order, and returns what the rules read of its calls. A name may be added only once.
    pub fn add_name(&mut self, name: &[u16]) -> CallInterest {
        let mut interest = CallInterest::None;
        let coverage = self.policy.coverage(name);
        for ((rule, state), is_covered) in self.policy.rules.iter().zip(&mut self.rule_states).zip(coverage) {
            state.covered_names.push(is_covered);
            let read = if rule.reads_arguments() { CallInterest::Arguments } else { CallInterest::Results };
            if is_covered {
                interest = interest.max(read);
            }
        }
        self.tools.push(NamedTool { name: name.to_vec(), kind: kind_of(&to_utf8(name)) });
        interest
    }

    pub fn push(&mut self, row: Row, calls: impl IntoIterator<Item = Call>) {
        self.conversation.push(row, calls);
    }

    /// Sets whether the conversation has a summary. If it has, a result without a call is removed even if no call is declared.
    pub fn set_compressed(&mut self, is_compressed: bool) {
        self.is_compressed = is_compressed;
    }

    /// Replaces the message at `index`, whose content, status or timestamp has changed; false if it is a different message.
    pub fn patch(&mut self, index: usize, row: Row) -> bool {
        self.may_continue = false;
        self.checks.forget(index);
        for state in &mut self.rule_states {
            state.checks.forget(index);
        }
        let old = self.conversation.row(index);
        if old.is_some_and(|old| old.timestamp.to_bits() != row.timestamp.to_bits()) {
            self.timeline.clear();
        }
        self.conversation.patch(index, row)
    }

    /// Forgets every message from `len` on, after a rewind. The next decision covers all remaining messages, unless none of the
    /// forgotten ones was a call or result.
    pub fn truncate(&mut self, len: usize) {
        let is_inert = (len..self.conversation.len()).all(|index| {
            let is_plain = |row: &Row| !row.is_unknown && row.kind != RowKind::Tool;
            self.conversation.row(index).is_some_and(is_plain) && self.conversation.calls_of(index).is_empty()
        });
        self.conversation.truncate(len);
        self.outdated_since.truncate(len);
        self.timeline.truncate(&self.conversation);
        self.requests.truncate(len);
        if is_inert {
            self.pairing.truncate_inert(len);
            self.replaced_by.truncate(len);
            self.evaluated_rows = self.evaluated_rows.min(len);
            return;
        }
        self.may_continue = false;
        self.pairing = Pairing::default();
        self.checks.truncate(len);
        for state in &mut self.rule_states {
            state.checks.truncate(len);
            state.groups.truncate(self.conversation.call_count());
        }
    }

    /// The common key of `group` under `rule`: a normalized path, or an argument's value. Group numbers never change.
    pub fn group_key(&self, rule: usize, group: u32) -> &[u16] {
        self.rule_states.get(rule).map(|state| state.groups.key(group)).unwrap_or_default()
    }

    /// The row of the result with this placeholder handle; `None` for any other text. O(rows).
    pub fn row_of(&self, handle: &str) -> Option<usize> {
        self.requests.row_of(&self.conversation, Handle::parse(handle)?)
    }

    pub fn handle_of(&self, row: usize) -> Handle {
        self.requests.handle_of(&self.conversation, row)
    }

    pub fn last_evaluation(&self) -> &Evaluation {
        &self.decided
    }

    /// Decides each request in turn, with the messages that it had.
    pub fn evaluate_requests(&mut self, texts: &mut dyn RowTexts, update: Update) -> &Evaluation {
        let mut rows = update.rows.into_iter();
        let mut kept_edits = usize::MAX;
        for (request, number) in update.requests.into_iter().zip(update.first_request..) {
            let new_rows = request.row_count.saturating_sub(self.conversation.len());
            for (row, calls) in rows.by_ref().take(new_rows) {
                self.push(row, calls);
            }
            self.request_number = number;
            kept_edits = kept_edits.min(self.evaluate(texts, request.time_ms).kept_edits);
        }
        self.decided.kept_edits = kept_edits.min(self.decided.edits.len());
        &self.decided
    }

    /// Decides at `now_ms`. O(new messages) if only messages were added since the last time, else O(n log n). Reads only contents that no
    /// cheaper test has settled and that were not read before.
    pub fn evaluate(&mut self, texts: &mut dyn RowTexts, now_ms: f64) -> &Evaluation {
        let are_pairs_kept = self.pairing.extend(&self.conversation);
        self.requests.extend(&self.conversation);
        let includes_untimed = self.policy.unknown_age.removes_untimed(self.conversation.known_times());
        let is_order_kept = self.timeline.extend(&self.conversation, includes_untimed);
        let now_ms = self.timeline.evaluation_time(now_ms);
        let repairs = Evaluation::of_repairs(&self.policy, &self.conversation, &self.pairing, self.is_compressed);
        let answered_rows = repairs.answered_rows(&self.policy, &self.conversation);
        if !(are_pairs_kept && is_order_kept && self.continues(&repairs, now_ms, answered_rows)) {
            self.start_over();
        }
        self.decided = Evaluation {
            kept_edits: self.decided.edits.len(),
            edits: std::mem::take(&mut self.decided.edits),
            valid_until_ms: f64::INFINITY,
            in_seconds: self.conversation.results_in_seconds(),
            ..repairs
        };
        if !self.policy.rules.is_empty() {
            self.apply_rules(texts, now_ms, answered_rows);
        }
        if self.policy.shows_age() && !self.decided.edits.is_empty() {
            self.decided.valid_until_ms = now_ms;
        }
        self.set_first_requests();
        self.evaluated_rows = self.conversation.len();
        self.evaluated_ms = now_ms;
        self.evaluated_requests = self.requests.next_number();
        self.may_continue = true;
        self.decided.log(&self.policy);
        &self.decided
    }

    /// True if all earlier decisions still hold, so that only new rows need to be judged.
    fn continues(&self, repairs: &Evaluation, now_ms: f64, answered_rows: usize) -> bool {
        let is_later = now_ms >= self.evaluated_ms && self.requests.next_number() >= self.evaluated_requests;
        // If the assistant message after replaced results was removed, the model needs these results again.
        let is_needed_again = self.replaced_by.iter().skip(answered_rows).any(Option::is_some);
        let is_judged_result = |row: &&usize| **row < self.evaluated_rows && self.conversation.is_result(**row);
        let dropped_before = self.decided.dropped.iter().filter(is_judged_result);
        self.may_continue
            && is_later
            && !is_needed_again
            && dropped_before.eq(repairs.dropped.iter().filter(is_judged_result))
            && repairs.kept_calls == self.decided.kept_calls
            && !self.policy.shows_age()
    }

    /// Sets each new edit's request: the first one at which its result was outdated, also before a full evaluation.
    fn set_first_requests(&mut self) {
        self.outdated_since.resize(self.conversation.len(), None);
        for edit in self.decided.edits.iter_mut().skip(self.decided.kept_edits) {
            let since = self.outdated_since.get_mut(edit.row as usize);
            edit.request = since.map_or(self.request_number, |since| *since.get_or_insert(self.request_number));
        }
    }

    /// Forgets the decisions, but not the facts read from contents.
    fn start_over(&mut self) {
        // Calls and results may be paired differently now, and placeholders name the call.
        for state in &mut self.rule_states {
            state.renderings.clear();
        }
        self.evaluators = self.policy.rules.iter().map(|_| RuleEvaluator::default()).collect();
        self.replaced_by.clear();
        self.evaluated_rows = 0;
        self.decided.edits.clear();
    }

    fn apply_rules(&mut self, texts: &mut dyn RowTexts, now_ms: f64, answered_rows: usize) {
        let decided = &mut self.decided;
        let call_by_row = sent_calls(self.pairing.call_by_row(), &decided.kept_calls);
        self.replaced_by.resize(self.conversation.len(), None);
        let rules = self.policy.rules.iter().zip(&mut self.rule_states).zip(&mut self.evaluators);
        for (rule_number, ((rule, state), evaluator)) in (0..).zip(rules) {
            let mut context = RuleContext {
                rule,
                rule_number,
                policy: &self.policy,
                state,
                checks: &mut self.checks,
                conversation: &self.conversation,
                timeline: &self.timeline,
                requests: &self.requests,
                call_by_row: &call_by_row,
                tools: &self.tools,
                texts: &mut *texts,
                now_ms,
                first_new: self.evaluated_rows,
                answered_rows,
                dropped: &decided.dropped,
                replaced_by: &self.replaced_by,
            };
            let rows = evaluator.outdated(&mut context);
            let edits: Vec<Edit> = rows.into_iter().map(|row| context.edit(row)).collect();
            // A millisecond earlier, in case that `timestamp + age` was rounded up.
            decided.valid_until_ms = decided.valid_until_ms.min(evaluator.retention.changes_at_ms(rule).floor() - 1.0);
            for edit in edits {
                let replaced_by = self.replaced_by.get_mut(edit.row as usize);
                if replaced_by.and_then(|rule| rule.replace(rule_number)).is_none() {
                    decided.edits.push(edit);
                } else if let Some(other) = decided.edits.iter_mut().find(|other| other.row == edit.row) {
                    // An earlier rule takes precedence over the one that had replaced the result.
                    *other = edit;
                    decided.kept_edits = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
