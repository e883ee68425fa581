//! Decides which tool results are too old to send again. Never looks at a clock or at Node.

use crate::conversation::{Conversation, Kind};
use crate::rules::Grouping;
use crate::rules::memory::Look;

/// What a rule decided.
#[derive(Debug, Default)]
pub struct Outdated {
    /// Rows to replace, newest first.
    pub rows: Vec<u32>,
    /// The earliest time at which the rule could decide otherwise, all else being equal.
    pub changes_at_ms: f64,
}

/// Candidates of every rule (SPEC R1.1), newest first: tool results with a finite timestamp; on equal
/// timestamps the later index is the newer (R1.2). Close to O(n) for a history in its natural order.
#[must_use]
pub fn newest_first(conversation: &Conversation, live: impl Fn(usize) -> bool) -> Vec<u32> {
    let timestamp = |index: &u32| conversation.row(*index as usize).map_or(f64::NAN, |row| row.timestamp);
    let mut order: Vec<u32> = (0..conversation.len())
        .rev()
        .filter(|&index| live(index))
        .filter(|&index| {
            conversation.row(index).is_some_and(|row| row.kind == Kind::Tool && row.timestamp.is_finite())
        })
        .filter_map(|index| u32::try_from(index).ok())
        .collect();
    order.sort_by(|a, b| timestamp(b).total_cmp(&timestamp(a)));
    order
}

/// The rows that `look.rule` replaces at `now_ms`. `taken` says which rows an earlier rule has replaced: they
/// count as the successes that they were, and stay with their placeholder.
///
/// O(candidates); looks only into contents that age and recency have not spared already.
pub fn outdated(look: &mut Look<'_>, order: &[u32], taken: &[bool], now_ms: f64) -> Outdated {
    let mut found = Outdated { rows: Vec::new(), changes_at_ms: f64::INFINITY };
    match look.rule.grouping {
        Grouping::None { among_all_tools } => {
            ungrouped(look, order, taken, now_ms, among_all_tools, &mut found)
        }
        Grouping::Path { .. } | Grouping::Argument(_) => grouped(look, order, taken, now_ms, &mut found),
    }
    found
}

fn ungrouped(
    look: &mut Look<'_>,
    order: &[u32],
    taken: &[bool],
    now_ms: f64,
    among_all: bool,
    found: &mut Outdated,
) {
    let mut kept = 0;
    for &row in order {
        let index = row as usize;
        if !among_all && !look.covers(index) {
            continue;
        }
        if kept < look.rule.keep_recent {
            // Errors don't use up the five: the seed's example 5 keeps the sixth newest result.
            if look.rule.count_errors || !look.is_error(index) {
                kept += 1;
            }
            continue;
        }
        consider(look, row, taken, now_ms, found);
    }
}

/// SPEC R2.4, R2.5: a result that belongs to several groups is outdated only when it is in all of them.
fn grouped(look: &mut Look<'_>, order: &[u32], taken: &[bool], now_ms: f64, found: &mut Outdated) {
    let covered: Vec<u32> =
        order.iter().copied().filter(|&row| is_named_and_covered(look, row as usize)).collect();
    let mut members: Vec<usize> = Vec::new();
    for &row in &covered {
        for &group in look.groups_of(row as usize) {
            let slot = group as usize;
            if members.len() <= slot {
                members.resize(slot + 1, 0);
            }
            if let Some(count) = members.get_mut(slot) {
                *count += 1;
            }
        }
    }
    let keep = look.rule.keep_recent;
    let mut newer: Vec<usize> = vec![0; members.len()];
    for &row in &covered {
        let index = row as usize;
        let groups = look.groups_of(index).to_vec();
        // Where every group is small enough to stay whole, nothing depends on what the content says.
        let small = |group: &u32| members.get(*group as usize).is_none_or(|&count| count <= keep);
        if groups.iter().all(small) {
            continue;
        }
        if groups.iter().all(|&group| newer.get(group as usize).is_some_and(|&count| count >= keep)) {
            consider(look, row, taken, now_ms, found);
        }
        if look.rule.count_errors || !look.is_error(index) {
            for &group in &groups {
                if let Some(count) = newer.get_mut(group as usize) {
                    *count += 1;
                }
            }
        }
    }
}

fn is_named_and_covered(look: &Look<'_>, index: usize) -> bool {
    look.tool_of(index).is_some_and(|name| look.memory.covers_name(name))
}

/// Replaces `row`, which recency does not spare, unless something else does; the cheap questions first.
fn consider(look: &mut Look<'_>, row: u32, taken: &[bool], now_ms: f64, found: &mut Outdated) {
    let index = row as usize;
    let Some(&facts) = look.conversation.row(index) else { return };
    if !facts.has_text || facts.status_error || taken.get(index).copied().unwrap_or(false) {
        return;
    }
    if look.tool_of(index).is_some_and(|name| !look.memory.covers_name(name)) {
        return;
    }
    if let Some(max_age_ms) = look.rule.max_age_ms {
        let is_older = now_ms - facts.timestamp > max_age_ms;
        if !is_older {
            found.changes_at_ms = found.changes_at_ms.min(facts.timestamp + max_age_ms);
            return;
        }
    }
    if look.covers(index) && !look.is_placeholder(index) && !look.is_error(index) {
        found.rows.push(row);
    }
}
