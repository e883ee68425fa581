//! Decides when a result is outdated by its kind: command output is needed for less time than a file that was read. Ages are counted in
//! requests, so that every process decides the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::subject::Subject;
use crate::text::utf16::to_utf8;

/// One rule's state for a growing conversation: the next steps of results, earliest first.
#[derive(Debug, Default)]
pub struct Aging(BinaryHeap<Reverse<ScheduledStep>>);

/// At `request`, the result in `row` is outdated; without a known kind, its call's arguments are read for the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ScheduledStep {
    request: u32,
    row: u32,
    is_kind_known: bool,
}

impl Aging {
    /// New replacements by `context.rule` with the next request. O(new results, and those whose step is due).
    pub fn outdated(&mut self, context: &mut RuleContext<'_>, subject: Subject) -> Vec<u32> {
        for row in context.new_rows() {
            let index = row as usize;
            if !context.is_covered_text(index) {
                continue;
            }
            if context.named_tool(index).is_some_and(|tool| subject.kind_depends_on_arguments(tool.kind)) {
                let request = context.policy.ages.soonest(context.requests.first_request_of(index));
                self.0.push(Reverse(ScheduledStep { request, row, is_kind_known: false }));
            } else {
                self.schedule_outdated(context, subject, row);
            }
        }
        let mut rows = Vec::new();
        while let Some(&Reverse(ScheduledStep { request, row, is_kind_known })) = self.0.peek()
            && request <= context.requests.next_number()
        {
            self.0.pop();
            if context.replacing_rule(row).is_some() {
                continue;
            }
            if !is_kind_known {
                self.schedule_outdated(context, subject, row);
            } else if !context.is_spared(row as usize) {
                rows.push(row);
            }
        }
        rows
    }

    fn schedule_outdated(&mut self, context: &mut RuleContext<'_>, subject: Subject, row: u32) {
        let index = row as usize;
        let Some(tool) = context.named_tool(index) else { return };
        let mut arguments = String::new();
        if subject.kind_depends_on_arguments(tool.kind)
            && let Some(call) = context.call_of(index)
        {
            context.texts.arguments(call, &mut |text| arguments = to_utf8(text));
        }
        let Some(kind) = subject.kind_of_call(tool.kind, &to_utf8(&tool.name), &arguments) else { return };
        let age = if subject == Subject::Dropped { 0 } else { context.policy.ages.of(kind) };
        let request = context.requests.first_request_of(index).saturating_add(age);
        self.0.push(Reverse(ScheduledStep { request, row, is_kind_known: true }));
    }
}
