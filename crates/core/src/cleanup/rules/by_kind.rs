//! Decides when a result is outdated by its kind: command output is needed for less time than a file that was read. Ages are counted in
//! requests, so that every process decides the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::rule::{Candidates, Outdated};
use crate::cleanup::rules::subject::Subject;
use crate::text::utf16::to_utf8;
use crate::tools::result_kind::ResultKind;

/// One rule's state for a growing conversation.
#[derive(Debug, Default)]
pub struct Aging {
    /// The next steps of results, earliest first.
    scheduled: BinaryHeap<Reverse<ScheduledStep>>,
}

/// At `request`, the result in `row` is outdated; without a known kind, its call's arguments are read for the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ScheduledStep {
    request: u32,
    row: u32,
    is_kind_known: bool,
}

impl Aging {
    /// New replacements by `context.rule` with the next request. O(new results, and those whose step is due).
    pub fn outdated(
        &mut self,
        context: &mut RuleContext<'_>,
        subject: Subject,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        self.add_candidates(context, subject, candidates);
        let current_request = context.requests.next_number();
        let mut rows = Vec::new();
        while let Some(&Reverse(ScheduledStep { request, row, is_kind_known })) = self.scheduled.peek()
            && request <= current_request
        {
            self.scheduled.pop();
            if candidates.replacing_rule(row).is_some() {
                continue;
            }
            if !is_kind_known {
                self.schedule_outdated(context, subject, row);
            } else if !context.is_spared(row as usize, now_ms) {
                rows.push(row);
            }
        }
        Outdated { rows, changes_at_ms: f64::INFINITY }
    }

    fn add_candidates(
        &mut self,
        context: &mut RuleContext<'_>,
        subject: Subject,
        candidates: Candidates<'_>,
    ) {
        for row in candidates.new_rows(context.conversation) {
            let index = row as usize;
            if !context.is_covered_text(index) {
                continue;
            }
            if context.named_tool(index).is_some_and(|tool| subject.kind_depends_on_arguments(tool.kind)) {
                let request = context.ages.soonest(context.requests.first_request_of(index));
                self.scheduled.push(Reverse(ScheduledStep { request, row, is_kind_known: false }));
            } else {
                self.schedule_outdated(context, subject, row);
            }
        }
    }

    /// Schedules the request at which `row` is outdated.
    fn schedule_outdated(&mut self, context: &mut RuleContext<'_>, subject: Subject, row: u32) {
        let index = row as usize;
        let Some(kind) = kind_of_row(context, subject, index) else { return };
        let age = if subject == Subject::Dropped { 0 } else { context.ages.of(kind) };
        let request = context.requests.first_request_of(index).saturating_add(age);
        self.scheduled.push(Reverse(ScheduledStep { request, row, is_kind_known: true }));
    }
}

/// The kind of the result in row `index`; `None` if the rule does not cover it.
fn kind_of_row(context: &mut RuleContext<'_>, subject: Subject, index: usize) -> Option<ResultKind> {
    let tool = context.named_tool(index)?;
    let mut arguments_text = String::new();
    if subject.kind_depends_on_arguments(tool.kind)
        && let Some(call) = context.call_of(index)
    {
        context.texts.arguments(call, &mut |text| arguments_text = to_utf8(text));
    }
    subject.kind_of_call(tool.kind, &to_utf8(&tool.name), &arguments_text)
}
