//! Decides how long a result stays by its kind: command output is needed for less time than a file that was read. Ages are
//! counted in requests, which are the same for every process.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cleanup::rules::memory::Look;
use crate::cleanup::rules::retention::{Candidates, Outdated};
use crate::cleanup::rules::subject::Subject;
use crate::conversation::RowKind;
use crate::text::utf16::to_utf8;
use crate::tools::result_kind::ResultKind;

/// One rule's state for a growing conversation.
#[derive(Debug, Default)]
pub struct Aging {
    /// Earliest first.
    waiting: BinaryHeap<Reverse<Coming>>,
}

/// A step of a result at a future request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Coming {
    request: u32,
    row: u32,
    step: AgingStep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AgingStep {
    /// The first request at which it could be outdated; only then are its call's arguments read for its kind.
    NeedsKind,
    IsOutdated,
}

impl Aging {
    /// New replacements by `look.rule` with the next request. O(new results, and those whose step is due).
    pub fn advance(
        &mut self,
        look: &mut Look<'_>,
        subject: Subject,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        self.admit(look, subject, candidates);
        let now = look.requests.answers();
        let mut rows = Vec::new();
        while let Some(&Reverse(Coming { request, row, step })) = self.waiting.peek()
            && request <= now
        {
            self.waiting.pop();
            if candidates.is_taken_at_all(row) {
                continue;
            }
            match step {
                AgingStep::NeedsKind => self.await_age(look, subject, row),
                AgingStep::IsOutdated if look.is_spared(row as usize, now_ms) => {}
                AgingStep::IsOutdated => rows.push(row),
            }
        }
        Outdated { rows, changes_at_ms: f64::INFINITY }
    }

    fn admit(&mut self, look: &mut Look<'_>, subject: Subject, candidates: Candidates<'_>) {
        for index in candidates.first_new..look.conversation.len() {
            let is_result =
                look.conversation.row(index).is_some_and(|row| row.kind == RowKind::Tool && row.has_text);
            if !(is_result && look.tool_of(index).is_some_and(|tool| look.memory.covers_name(tool))) {
                continue;
            }
            let Ok(row) = u32::try_from(index) else { break };
            if candidates.dropped.binary_search(&index).is_ok() {
                continue;
            }
            if look.named_tool(index).is_some_and(|tool| subject.tells_by_arguments(tool.kind)) {
                let request = look.ages.soonest(look.requests.first_with(index));
                self.waiting.push(Reverse(Coming { request, row, step: AgingStep::NeedsKind }));
            } else {
                self.await_age(look, subject, row);
            }
        }
    }

    fn await_age(&mut self, look: &mut Look<'_>, subject: Subject, row: u32) {
        let index = row as usize;
        let Some(kind) = kind_of_row(look, subject, index) else { return };
        let age = if subject == Subject::Dropped { 0 } else { look.ages.of(kind) };
        let request = look.requests.first_with(index).saturating_add(age);
        self.waiting.push(Reverse(Coming { request, row, step: AgingStep::IsOutdated }));
    }
}

fn kind_of_row(look: &mut Look<'_>, subject: Subject, index: usize) -> Option<ResultKind> {
    let tool = look.named_tool(index)?;
    let mut said = String::new();
    if subject.tells_by_arguments(tool.kind)
        && let Some(call) = look.call_of(index)
    {
        look.texts.arguments(call, &mut |text| said = to_utf8(text));
    }
    subject.kind_of_call(tool.kind, &to_utf8(&tool.name), &said)
}
