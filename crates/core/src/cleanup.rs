//! The whole decision for one conversation: orphans first, then every rule in its order.

use crate::conversation::{Call, Conversation, NONE, Row, Texts};
use crate::pairing::{Pairing, resolve};
use crate::rules::Rule;
use crate::rules::memory::{Look, Memory};
use crate::rules::retention::{Timeline, outdated};
use crate::tokens::estimate::Size;

/// What is to be done to a conversation, whoever it is.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Remove what a provider would reject (SPEC R3) before any rule looks.
    pub drop_orphans: bool,
    /// Applied in order; the first that condemns a result names its placeholder.
    pub rules: Vec<Rule>,
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
    /// UTF-16 units of the content that goes.
    pub units_before: usize,
    /// UTF-16 units of what comes instead.
    pub units_after: usize,
}

/// What one rule, or the removal of orphans, comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Savings {
    /// Messages replaced or removed.
    pub changed: usize,
    /// UTF-16 units no longer sent; negative where placeholders are longer than what they replace.
    pub units: i64,
    /// Estimated tokens no longer sent.
    pub tokens: i64,
}

impl Savings {
    fn add(&mut self, before: Size, after: Size) {
        self.changed += 1;
        self.units += signed(before.units) - signed(after.units);
        self.tokens += signed(before.tokens) - signed(after.tokens);
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The decision.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Messages to leave out, ascending.
    pub dropped: Vec<usize>,
    /// Contents to replace, by ascending row.
    pub edits: Vec<Edit>,
    /// What removing the orphans saves.
    pub orphan_savings: Savings,
    /// What each rule saves, in the policy's order.
    pub rule_savings: Vec<Savings>,
    /// The decision stays the same up to this time (inclusive), all else being equal.
    pub valid_until_ms: f64,
}

/// One conversation under one policy, with everything that was learnt by looking into it.
#[derive(Debug, Default)]
pub struct Cleanup {
    policy: Policy,
    conversation: Conversation,
    names: Vec<Vec<u16>>,
    memories: Vec<Memory>,
    sizes: Vec<Option<Size>>,
    orphan_sizes: Vec<Option<Size>>,
    pairing: Pairing,
    timeline: Timeline,
    /// The calls that rows answer, where removed orphans make them other than `pairing` has them.
    resolved_without_orphans: Option<Vec<u32>>,
}

impl Cleanup {
    /// An empty conversation.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let memories = policy.rules.iter().map(|_| Memory::default()).collect();
        Self { policy, memories, ..Self::default() }
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
        for memory in &mut self.memories {
            memory.forget(index);
        }
        for sizes in [&mut self.sizes, &mut self.orphan_sizes] {
            if let Some(size) = sizes.get_mut(index) {
                *size = None;
            }
        }
        if self.conversation.row(index).is_some_and(|old| old.timestamp.to_bits() != row.timestamp.to_bits())
        {
            self.timeline.clear();
        }
        self.conversation.patch(index, row)
    }

    /// Forgets every message from `len` on: the conversation was rewound, or went another way.
    pub fn truncate(&mut self, len: usize) {
        self.conversation.truncate(len);
        self.pairing.clear();
        self.timeline.truncate(len);
        self.sizes.truncate(len);
        self.orphan_sizes.truncate(len);
        for memory in &mut self.memories {
            memory.truncate(len, self.conversation.call_count());
        }
    }

    /// What the result in `row` is grouped by under `rule`, as of the last evaluation: its normalised paths, or
    /// its argument's value.
    #[must_use]
    pub fn group_keys(&self, row: usize, rule: usize) -> Vec<&[u16]> {
        let Some(memory) = self.memories.get(rule) else { return Vec::new() };
        let resolved = self.resolved_without_orphans.as_deref().unwrap_or_else(|| self.pairing.resolved());
        let call = resolved.get(row).copied().filter(|&call| call != NONE);
        let groups = call.and_then(|call| memory.groups.of_call(call as usize)).unwrap_or_default();
        groups.iter().map(|&group| memory.groups.key(group)).collect()
    }

    /// Decides at `now_ms`. O(n), and reads only the contents that nothing cheaper has settled and that were
    /// not read before.
    pub fn evaluate(&mut self, texts: &mut dyn Texts, now_ms: f64) -> Evaluation {
        let mut evaluation = Evaluation { valid_until_ms: f64::INFINITY, ..Evaluation::default() };
        self.pairing.extend(&self.conversation);
        self.timeline.extend(&self.conversation);
        if self.policy.drop_orphans {
            evaluation.dropped = self.pairing.orphans(&self.conversation);
            evaluation.orphan_savings = self.orphan_savings(&evaluation.dropped, texts);
        }
        if !self.policy.rules.is_empty() {
            self.apply_rules(texts, now_ms, &mut evaluation);
        }
        report(&self.policy, &evaluation);
        evaluation
    }

    fn apply_rules(&mut self, texts: &mut dyn Texts, now_ms: f64, evaluation: &mut Evaluation) {
        let mut gone = vec![false; self.conversation.len()];
        for &index in &evaluation.dropped {
            if let Some(slot) = gone.get_mut(index) {
                *slot = true;
            }
        }
        let live = |index: usize| !gone.get(index).copied().unwrap_or(true);
        self.resolved_without_orphans =
            (!evaluation.dropped.is_empty()).then(|| resolve(&self.conversation, live));
        let resolved = self.resolved_without_orphans.as_deref().unwrap_or_else(|| self.pairing.resolved());
        let order = self.timeline.newest_first(live);
        let mut taken = vec![false; self.conversation.len()];
        for (number, (rule, memory)) in self.policy.rules.iter().zip(&mut self.memories).enumerate() {
            let mut look = Look {
                rule,
                memory,
                conversation: &self.conversation,
                resolved,
                names: &self.names,
                sizes: &mut self.sizes,
                texts: &mut *texts,
            };
            let found = outdated(&mut look, &order, &taken, now_ms);
            evaluation.valid_until_ms = evaluation.valid_until_ms.min(last_same_ms(found.changes_at_ms));
            if rule.placeholder.shows_age() && !found.rows.is_empty() {
                evaluation.valid_until_ms = now_ms;
            }
            let mut savings = Savings::default();
            let fixed = rule.placeholder.fixed().map(Size::of);
            for &row in &found.rows {
                if let Some(slot) = taken.get_mut(row as usize) {
                    *slot = true;
                }
                evaluation.edits.push(edit(&mut look, row, number, fixed, now_ms, &mut savings));
            }
            evaluation.rule_savings.push(savings);
        }
        evaluation.edits.sort_unstable_by_key(|edit| edit.row);
    }

    fn orphan_savings(&mut self, dropped: &[usize], texts: &mut dyn Texts) -> Savings {
        let mut savings = Savings::default();
        self.orphan_sizes.resize(self.conversation.len(), None);
        for &index in dropped {
            let Some(known) = self.orphan_sizes.get_mut(index) else { continue };
            let size = *known.get_or_insert_with(|| {
                let mut size = Size::default();
                texts.content(index, &mut |content| size = size.plus(Size::of(content)));
                for call in self.conversation.calls_of(index) {
                    texts.arguments(call, &mut |arguments| size = size.plus(Size::of(arguments)));
                }
                size
            });
            savings.add(size, Size::default());
        }
        savings
    }
}

fn edit(
    look: &mut Look<'_>,
    row: u32,
    rule: usize,
    fixed: Option<Size>,
    now_ms: f64,
    savings: &mut Savings,
) -> Edit {
    let before = look.size(row as usize);
    let (text, after) = match fixed {
        Some(size) => (None, size),
        None => {
            let rendered = look.rendered(row as usize, now_ms);
            let size = Size::of(&rendered);
            (Some(rendered), size)
        }
    };
    savings.add(before, after);
    let rule = u32::try_from(rule).unwrap_or(u32::MAX);
    Edit { row, rule, text, units_before: before.units, units_after: after.units }
}

/// A margin of a millisecond keeps rounding in `timestamp + age` from ever answering for a moment too long.
fn last_same_ms(changes_at_ms: f64) -> f64 {
    if changes_at_ms.is_finite() { changes_at_ms.floor() - 1.0 } else { changes_at_ms }
}

fn report(policy: &Policy, evaluation: &Evaluation) {
    let orphans = evaluation.orphan_savings;
    if orphans.changed > 0 {
        tracing::info!(
            rule = "orphans",
            changed = orphans.changed,
            units_removed = orphans.units,
            tokens_saved = orphans.tokens,
            "orphaned messages removed"
        );
    }
    for (rule, savings) in policy.rules.iter().zip(&evaluation.rule_savings) {
        if savings.changed > 0 {
            tracing::info!(
                rule = rule.name.as_str(),
                changed = savings.changed,
                units_removed = savings.units,
                tokens_saved = savings.tokens,
                "tool results simplified"
            );
        }
    }
}

#[cfg(test)]
#[path = "cleanup_tests.rs"]
mod tests;
