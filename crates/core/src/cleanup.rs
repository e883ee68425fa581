//! The whole decision for one conversation: orphans first, then every rule in its order.

pub mod rules;

use std::sync::Arc;

use crate::cleanup::rules::memory::{Look, Memory};
use crate::cleanup::rules::presets::Language;
use crate::cleanup::rules::retention::{Candidates, Timeline, outdated};
use crate::cleanup::rules::{Grouping, Rule};
use crate::conversation::pairing::{INTERRUPTED, Orphans, Pairing};
use crate::conversation::times::UnknownAge;
use crate::conversation::{Call, Conversation, Row, Texts};

/// Which of the users' functions a policy is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// One of the functions that stand in for a host's own: they hold to its rules to the letter.
    DropIn,
    /// Whatever is ours: `prepareMessages`, rules of a host's own.
    #[default]
    Prepare,
    /// A view of one conversation, which is sent before each request: a turn in progress isn't interrupted.
    View,
}

impl Purpose {
    /// Whether a content may become a placeholder that is no shorter than it.
    #[must_use]
    pub fn may_lengthen(self) -> bool {
        self == Self::DropIn
    }
}

/// What is to be done to a conversation, whoever it is.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Which function asks.
    pub purpose: Purpose,
    /// What becomes of what a provider would reject (SPEC R3), before any rule looks.
    pub orphans: Orphans,
    /// Applied in order; the first that condemns a result names its placeholder.
    pub rules: Vec<Rule>,
    /// In which language an interrupted call is answered.
    pub language: Language,
    /// How results without a time are judged.
    pub unknown_age: UnknownAge,
}

impl Policy {
    /// What an interrupted call gets for a result.
    #[must_use]
    pub fn interrupted_answer(&self) -> &'static str {
        let [chinese, english] = INTERRUPTED;
        match self.language {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }
}

/// A content that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Which message.
    pub row: u32,
    /// Which of the policy's rules.
    pub rule: u32,
    /// The text, when it isn't the rule's fixed placeholder.
    pub text: Option<Vec<u16>>,
    /// What the result is grouped by under that rule: see [`Cleanup::group_key`].
    pub groups: Box<[u32]>,
}

/// The decision.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Messages to leave out, ascending.
    pub dropped: Vec<usize>,
    /// Calls that get an answer in place of the result that they never had, ascending.
    pub answered: Vec<u32>,
    /// Contents to replace, by ascending row.
    pub edits: Vec<Edit>,
    /// The decision stays the same up to this time (inclusive), all else being equal.
    pub valid_until_ms: f64,
    /// Tool results whose time came in seconds.
    pub in_seconds: usize,
}

/// One conversation under one policy, with everything that was learnt by looking into it.
#[derive(Debug)]
pub struct Cleanup {
    policy: Arc<Policy>,
    conversation: Conversation,
    names: Vec<Vec<u16>>,
    memories: Vec<Memory>,
    pairing: Pairing,
    timeline: Timeline,
    /// Changes whenever anything changes but by messages that follow.
    generation: u64,
}

impl Cleanup {
    /// An empty conversation.
    #[must_use]
    pub fn new(policy: Arc<Policy>) -> Self {
        let memories = policy.rules.iter().map(|_| Memory::default()).collect();
        Self {
            policy,
            conversation: Conversation::default(),
            names: Vec::new(),
            memories,
            pairing: Pairing::default(),
            timeline: Timeline::default(),
            generation: 0,
        }
    }

    /// The conversation as it was told.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Numbers a tool name; false when no rule covers it. The same name may be numbered once only.
    pub fn add_name(&mut self, name: &[u16]) -> bool {
        let Ok(number) = u32::try_from(self.names.len()) else { return false };
        let mut any = false;
        for (rule, memory) in self.policy.rules.iter().zip(&mut self.memories) {
            let covered = rule.covers_tool(name);
            memory.note_name(number, covered);
            any |= covered;
        }
        self.names.push(name.to_vec());
        any
    }

    /// Appends a message.
    pub fn push(&mut self, row: Row, calls: impl IntoIterator<Item = Call>) {
        self.conversation.push(row, calls);
    }

    /// A message's content, status or timestamp has changed; false when it is another message altogether.
    pub fn patch(&mut self, index: usize, row: Row) -> bool {
        self.generation += 1;
        for memory in &mut self.memories {
            memory.forget(index);
        }
        if self.conversation.row(index).is_some_and(|old| old.timestamp.to_bits() != row.timestamp.to_bits())
        {
            self.timeline.clear();
        }
        self.conversation.patch(index, row)
    }

    /// Forgets every message from `len` on: the conversation was rewound, or went another way.
    pub fn truncate(&mut self, len: usize) {
        self.generation += 1;
        self.conversation.truncate(len);
        self.pairing.clear();
        self.timeline.truncate(len);
        for memory in &mut self.memories {
            memory.truncate(len, self.conversation.call_count());
        }
    }

    /// What members of `group` have in common under `rule`: a normalised path, or an argument's value. Groups
    /// keep their numbers for good.
    #[must_use]
    pub fn group_key(&self, rule: usize, group: u32) -> &[u16] {
        self.memories.get(rule).map(|memory| memory.groups.key(group)).unwrap_or_default()
    }

    /// Decides at `now_ms`. O(n), and reads only the contents that nothing cheaper has settled and that were
    /// not read before.
    pub fn evaluate(&mut self, texts: &mut dyn Texts, now_ms: f64) -> Evaluation {
        let mut evaluation = Evaluation {
            valid_until_ms: f64::INFINITY,
            in_seconds: self.conversation.results_in_seconds(),
            ..Evaluation::default()
        };
        let pairs_stand = self.pairing.extend(&self.conversation);
        let takes_unknown = self.policy.unknown_age.lets_go(self.conversation.known_times());
        let order_stands = self.timeline.extend(&self.conversation, takes_unknown);
        if !(pairs_stand && order_stands) {
            self.generation += 1;
        }
        match self.policy.orphans {
            Orphans::Keep => {}
            Orphans::Remove => evaluation.dropped = self.pairing.orphans(),
            Orphans::Answer => {
                evaluation.dropped = self.pairing.strays();
                evaluation.answered = self.pairing.unanswered();
                if self.policy.purpose == Purpose::View {
                    let in_progress = self.conversation.calls_in_progress();
                    evaluation.answered.retain(|&call| !in_progress.contains(&(call as usize)));
                }
            }
        }
        if !self.policy.rules.is_empty() {
            self.apply_rules(texts, now_ms, &mut evaluation);
        }
        report(&self.policy, &evaluation);
        evaluation
    }

    fn apply_rules(&mut self, texts: &mut dyn Texts, now_ms: f64, evaluation: &mut Evaluation) {
        let dropped = &evaluation.dropped;
        let live = |index: usize| dropped.binary_search(&index).is_err();
        let left: Option<Vec<u32>> = (!dropped.is_empty()).then(|| {
            self.timeline.oldest_first().iter().copied().filter(|&row| live(row as usize)).collect()
        });
        let oldest_first = left.as_deref().unwrap_or_else(|| self.timeline.oldest_first());
        let may_lengthen = self.policy.purpose.may_lengthen();
        let generation = dropped.is_empty().then_some(self.generation);
        let mut taken = vec![false; self.conversation.len()];
        for (number, (rule, memory)) in self.policy.rules.iter().zip(&mut self.memories).enumerate() {
            let mut look = Look {
                rule,
                memory,
                conversation: &self.conversation,
                resolved: self.pairing.resolved(),
                names: &self.names,
                texts: &mut *texts,
                may_lengthen,
            };
            // A text that names the age grows, until it is no shorter than what it stands for.
            let generation = generation.filter(|_| may_lengthen || !rule.placeholder.shows_age());
            let candidates = Candidates { oldest_first, generation, taken: &taken };
            let found = outdated(&mut look, candidates, now_ms);
            evaluation.valid_until_ms = evaluation.valid_until_ms.min(last_same_ms(found.changes_at_ms));
            if rule.placeholder.shows_age() && !found.rows.is_empty() {
                evaluation.valid_until_ms = now_ms;
            }
            for &row in &found.rows {
                if let Some(slot) = taken.get_mut(row as usize) {
                    *slot = true;
                }
                evaluation.edits.push(edit(&mut look, row, number, now_ms));
            }
        }
        evaluation.edits.sort_unstable_by_key(|edit| edit.row);
    }
}

fn edit(look: &mut Look<'_>, row: u32, rule: usize, now_ms: f64) -> Edit {
    let text = look.rule.placeholder.fixed().is_none().then(|| look.rendered(row as usize, now_ms));
    let groups = match look.rule.grouping {
        Grouping::None { .. } => Box::default(),
        _ => look.groups_of(row as usize).into(),
    };
    Edit { row, rule: u32::try_from(rule).unwrap_or(u32::MAX), text, groups }
}

/// A margin of a millisecond keeps rounding in `timestamp + age` from ever answering for a moment too long.
fn last_same_ms(changes_at_ms: f64) -> f64 {
    if changes_at_ms.is_finite() { changes_at_ms.floor() - 1.0 } else { changes_at_ms }
}

fn report(policy: &Policy, evaluation: &Evaluation) {
    if !evaluation.dropped.is_empty() {
        tracing::info!(rule = "orphans", changed = evaluation.dropped.len(), "orphaned messages removed");
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

#[cfg(test)]
#[path = "cleanup_tests.rs"]
mod tests;
