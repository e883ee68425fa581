//! Plays the messages of one opencode session in order, to find its requests, compactions and cleared results.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::formats::prelude::*;

/// The user message that opencode sends before a summary.
const BEFORE_SUMMARY: &str = "What did we do so far?";

/// Values by id, in the order of first appearance.
pub(super) type ById<T> = IndexMap<String, T>;

#[derive(Default)]
pub(super) struct Draft {
    pub(super) is_user: bool,
    /// The request that an assistant message answers, with the message's usage; of a prompt, only the time is used.
    pub(super) answered: Request,
    /// True after an error; a failed summary replaces nothing.
    pub(super) has_failed: bool,
    pub(super) parts: ById<StoredPart>,
}

/// A step's end has its usage, and its cost in US dollars. A call's result is sent whole until opencode clears it at
/// `cleared_ms`. A compaction is the user message that asks for a summary; messages from `tail` on are kept after it.
pub(super) enum StoredPart {
    Nothing,
    StepFinish(Option<Usage>, Option<f64>),
    Part(Part),
    Call { call: Part, result: Option<Part>, at_ms: Option<i64>, cleared_ms: Option<i64> },
    Compaction { tail: Option<String> },
}

pub(super) fn play(assembly: &mut Assembly, thread: usize, messages: ById<Draft>) {
    let (cleared, step) = (Vec::new(), StepMessages::default());
    let mut player = Player { assembly, thread, played: Vec::new(), summary_request: None, cleared, step };
    for (id, draft) in messages {
        let before = player.length();
        let is_summary = !draft.is_user && draft.answered.kind == RequestKind::Compaction && !draft.has_failed;
        if draft.is_user {
            player.prompt(draft);
        } else {
            player.answers(draft);
        }
        player.played.push((id, player.length() - before));
        if is_summary {
            player.compact();
        }
    }
}

struct Player<'a> {
    assembly: &'a mut Assembly,
    thread: usize,
    /// Id of each message so far, and the number of messages that it appended to the context.
    played: Vec<(String, usize)>,
    /// Index in `played` of the message that asked for the next summary, and id of the first message kept after it.
    summary_request: Option<(usize, Option<String>)>,
    /// Calls whose results opencode clears later, with the time.
    cleared: Vec<(i64, String)>,
    step: StepMessages,
}

#[derive(Default)]
struct StepMessages {
    parts: Vec<Part>,
    results: Vec<Part>,
    results_ms: Option<i64>,
}

impl Player<'_> {
    fn length(&self) -> usize {
        self.assembly.current_context(self.thread).len()
    }

    fn prompt(&mut self, draft: Draft) {
        let mut parts = Vec::new();
        for part in draft.parts.into_values() {
            match part {
                StoredPart::Part(part) => parts.push(part),
                StoredPart::Compaction { tail } => {
                    parts.push(Part::Text(BEFORE_SUMMARY.to_owned()));
                    self.summary_request = Some((self.played.len(), tail));
                }
                _ => {}
            }
        }
        self.assembly.push(self.thread, Message::new(Role::User, draft.answered.at_ms, parts));
    }

    /// An assistant message holds a step for each request, and each result with its call.
    fn answers(&mut self, draft: Draft) {
        let Draft { answered, parts, .. } = draft;
        self.clear_until(answered.at_ms);
        let first = self.assembly.request_count(self.thread);
        for part in parts.into_values() {
            match part {
                StoredPart::Nothing | StoredPart::Compaction { .. } => {}
                StoredPart::Part(part) => self.step.parts.push(part),
                StoredPart::Call { call, result, at_ms, cleared_ms } => {
                    if let (Part::Call { id, .. }, Some(cleared_ms)) = (&call, cleared_ms) {
                        self.cleared.push((cleared_ms, id.clone()));
                    }
                    self.step.parts.push(call);
                    self.step.results.extend(result);
                    self.step.results_ms = at_ms.max(self.step.results_ms);
                }
                StoredPart::StepFinish(usage, cost_usd) => self.answer(Request { usage, cost_usd, ..answered.clone() }),
            }
        }
        if !self.step.parts.is_empty() {
            // The step was interrupted; the message's usage is this step's only if there is no other step.
            let usage = answered.usage.filter(|_| self.assembly.request_count(self.thread) == first);
            self.answer(Request { usage, ..answered });
        }
    }

    fn answer(&mut self, answered: Request) {
        let StepMessages { parts, results, results_ms } = std::mem::take(&mut self.step);
        let at_ms = answered.at_ms;
        self.assembly.add_answer(self.thread, Message::new(Role::Assistant, at_ms, parts), answered);
        self.assembly.push_nonempty(self.thread, Message::new(Role::Tool, results_ms.or(at_ms), results));
    }

    fn clear_until(&mut self, now_ms: Option<i64>) {
        let Some(now_ms) = now_ms else { return };
        let due: Vec<_> = self.cleared.extract_if(.., |(cleared_ms, _)| *cleared_ms <= now_ms).collect();
        let ids: HashSet<&str> = due.iter().map(|(_, id)| id.as_str()).collect();
        if !ids.is_empty() {
            let start = ContextStart::ResultsCleared { tokens_saved: None };
            self.assembly.clear_results(self.thread, &ids, start);
        }
    }

    /// Starts a new context with the question for the summary, the summary, and the kept messages.
    fn compact(&mut self) {
        let newest = self.played.len().saturating_sub(1);
        let (question, tail) = self.summary_request.take().unwrap_or((newest, None));
        let appended = |from: usize, to: usize| -> usize {
            self.played.get(from..to).unwrap_or_default().iter().map(|(_, count)| count).sum()
        };
        let first_kept = tail.and_then(|tail| self.played.iter().position(|(id, _)| *id == tail));
        let kept_count = first_kept.map_or(0, |first_kept| appended(first_kept, question));
        let context = self.assembly.current_context(self.thread);
        let summary_start = context.len().saturating_sub(appended(question, self.played.len()));
        let (before, summary) = context.split_at(summary_start);
        let mut messages = summary.to_vec();
        messages.extend(before.get(before.len().saturating_sub(kept_count)..).unwrap_or_default());
        self.assembly.start_context(self.thread, ContextStart::Compaction { tokens_before: None }, messages);
    }
}
