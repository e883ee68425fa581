//! Decides which tool results are too old to send again. Never looks at a clock or at Node.

use crate::cleanup::rules::Grouping;
use crate::cleanup::rules::memory::Look;
use crate::cleanup::rules::settled::Settled;
use crate::conversation::{Conversation, Kind};

/// What a rule decided.
#[derive(Debug, Default)]
pub struct Outdated {
    /// Rows to replace, newest first.
    pub rows: Vec<u32>,
    /// The earliest time at which the rule could decide otherwise, all else being equal.
    pub changes_at_ms: f64,
}

/// The candidates of every rule (SPEC R1.1) in the order of time: tool results with a finite timestamp, and those
/// without where they may go; on equal timestamps the later index is the newer (R1.2). A result without a time is as
/// new as the candidate before it in the array. Brought up to date message by message.
#[derive(Debug, Default)]
pub struct Timeline {
    takes_unknown: bool,
    oldest_first: Vec<u32>,
    /// By row: the time that places it; NaN for what is no candidate.
    order_ms: Vec<f64>,
}

impl Timeline {
    /// Takes in the messages that `conversation` has gained, those without a time where `takes_unknown` is set; false
    /// when they did not simply follow those before. O(new messages) for a history in its natural order.
    pub fn extend(&mut self, conversation: &Conversation, takes_unknown: bool) -> bool {
        let is_same = self.takes_unknown == takes_unknown;
        if !is_same {
            *self = Self { takes_unknown, ..Self::default() };
        }
        let mut in_order = true;
        let mut before =
            self.order_ms.iter().copied().rev().find(|ms| !ms.is_nan()).unwrap_or(f64::NEG_INFINITY);
        let mut newest = self.oldest_first.last().map_or(f64::NEG_INFINITY, |&row| self.order_of(row));
        for (index, row) in conversation.rows().iter().enumerate().skip(self.order_ms.len()) {
            let is_known = row.timestamp.is_finite();
            let (Kind::Tool, true, Ok(number)) = (row.kind, is_known || takes_unknown, u32::try_from(index))
            else {
                self.order_ms.push(f64::NAN);
                continue;
            };
            before = if is_known { row.timestamp } else { before };
            in_order &= newest <= before;
            newest = before;
            self.order_ms.push(before);
            self.oldest_first.push(number);
        }
        if !in_order {
            // Timestamps ran backwards. Close to O(n) where they mostly don't.
            let order = &self.order_ms;
            let order_of = |row: u32| order.get(row as usize).copied().unwrap_or(f64::NAN);
            self.oldest_first.sort_by(|&a, &b| order_of(a).total_cmp(&order_of(b)).then(a.cmp(&b)));
        }
        is_same && in_order
    }

    fn order_of(&self, row: u32) -> f64 {
        self.order_ms.get(row as usize).copied().unwrap_or(f64::NAN)
    }

    /// Forgets rows from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.order_ms.truncate(len);
        self.oldest_first.retain(|&row| (row as usize) < len);
    }

    /// Forgets everything, to be told again: a timestamp has changed.
    pub fn clear(&mut self) {
        *self = Self { takes_unknown: self.takes_unknown, ..Self::default() };
    }

    /// All candidates.
    #[must_use]
    pub fn oldest_first(&self) -> &[u32] {
        &self.oldest_first
    }
}

/// What a rule chooses from.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// Rows in the order of time.
    pub oldest_first: &'a [u32],
    /// The same number promises that, but for new candidates behind the others, nothing has changed. `None`
    /// promises nothing.
    pub generation: Option<u64>,
    /// Rows that an earlier rule has replaced: they count as the successes that they were, and stay with their
    /// placeholder.
    pub taken: &'a [bool],
}

impl Candidates<'_> {
    fn is_taken(&self, row: u32) -> bool {
        self.taken.get(row as usize).copied().unwrap_or(false)
    }
}

/// The rows that `look.rule` replaces at `now_ms`.
///
/// O(candidates), or of those that are not settled; looks only into contents that age and recency have not
/// spared already.
pub fn outdated(look: &mut Look<'_>, candidates: Candidates<'_>, now_ms: f64) -> Outdated {
    let mut found = Outdated { rows: Vec::new(), changes_at_ms: f64::INFINITY };
    match look.rule.grouping {
        Grouping::None { among_all_tools } => {
            ungrouped(look, candidates, now_ms, among_all_tools, &mut found);
        }
        Grouping::Path { .. } | Grouping::Argument(_) => grouped(look, candidates, now_ms, &mut found),
    }
    found
}

fn ungrouped(
    look: &mut Look<'_>,
    candidates: Candidates<'_>,
    now_ms: f64,
    among_all: bool,
    found: &mut Outdated,
) {
    let mut settled = std::mem::take(&mut look.memory.settled);
    if candidates.generation.is_none()
        || settled.generation != candidates.generation
        || now_ms < settled.now_ms
    {
        settled = Settled::default();
    }
    let open = candidates.oldest_first.get(settled.candidates..).unwrap_or_default();
    let (mut kept, mut undecided) = (0, open.len());
    let mut outdated: Vec<(usize, u32)> = Vec::new();
    for (position, &row) in open.iter().enumerate().rev() {
        let index = row as usize;
        if !among_all && !look.covers(index) {
            continue;
        }
        if kept < look.rule.keep_recent {
            // Errors don't use up the five: the seed's example 5 keeps the sixth newest result.
            if look.rule.count_errors || !look.is_error(index) {
                kept += 1;
            }
            undecided = position;
            continue;
        }
        match consider(look, row, candidates, now_ms) {
            Verdict::Stays => {}
            Verdict::StaysUntil(time_ms) => {
                undecided = position;
                found.changes_at_ms = found.changes_at_ms.min(time_ms);
            }
            Verdict::Outdated => outdated.push((position, row)),
        }
    }
    let still_open = outdated.iter().filter(|(position, _)| *position >= undecided).map(|&(_, row)| row);
    found.rows.extend(still_open);
    settled.rows.extend(outdated.iter().filter(|(position, _)| *position < undecided).map(|&(_, row)| row));
    found.rows.extend(settled.rows.iter().filter(|&&row| !candidates.is_taken(row)));
    settled.candidates += undecided;
    look.memory.settled = Settled { generation: candidates.generation, now_ms, ..settled };
}

/// SPEC R2.4, R2.5: a result that belongs to several groups is outdated only when it is in all of them.
fn grouped(look: &mut Look<'_>, candidates: Candidates<'_>, now_ms: f64, found: &mut Outdated) {
    let mut covered: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
    let mut groups: Vec<u32> = Vec::new();
    for &row in candidates.oldest_first.iter().rev() {
        if is_named_and_covered(look, row as usize) {
            let start = groups.len();
            groups.extend_from_slice(look.groups_of(row as usize));
            covered.push((row, start..groups.len()));
        }
    }
    let mut members: Vec<usize> = vec![0; look.memory.groups.len()];
    count(&groups, &mut members);
    let keep = look.rule.keep_recent;
    let mut newer: Vec<usize> = vec![0; members.len()];
    let at_least = |counts: &[usize], group: u32, least: usize| {
        counts.get(group as usize).is_some_and(|&count| count >= least)
    };
    for (row, range) in covered {
        let of_row = groups.get(range).unwrap_or_default();
        // Where every group is small enough to stay whole, nothing depends on what the content says.
        if !of_row.iter().any(|&group| at_least(&members, group, keep.saturating_add(1))) {
            continue;
        }
        if of_row.iter().all(|&group| at_least(&newer, group, keep)) {
            match consider(look, row, candidates, now_ms) {
                Verdict::Stays => {}
                Verdict::StaysUntil(time_ms) => found.changes_at_ms = found.changes_at_ms.min(time_ms),
                Verdict::Outdated => found.rows.push(row),
            }
            // Every newest place of its groups is taken: whether this one is an error changes nothing.
            continue;
        }
        if look.rule.count_errors || !look.is_error(row as usize) {
            count(of_row, &mut newer);
        }
    }
}

fn count(groups: &[u32], counts: &mut [usize]) {
    for &group in groups {
        if let Some(count) = counts.get_mut(group as usize) {
            *count += 1;
        }
    }
}

fn is_named_and_covered(look: &Look<'_>, index: usize) -> bool {
    look.tool_of(index).is_some_and(|name| look.memory.covers_name(name))
}

enum Verdict {
    Stays,
    /// Too young, so far.
    StaysUntil(f64),
    Outdated,
}

/// Decides on `row`, which recency does not spare; the cheap questions first.
fn consider(look: &mut Look<'_>, row: u32, candidates: Candidates<'_>, now_ms: f64) -> Verdict {
    let index = row as usize;
    let Some(&facts) = look.conversation.row(index) else { return Verdict::Stays };
    if !facts.has_text || facts.status_error || candidates.is_taken(row) {
        return Verdict::Stays;
    }
    if look.tool_of(index).is_some_and(|name| !look.memory.covers_name(name)) {
        return Verdict::Stays;
    }
    if let Some(max_age_ms) = look.rule.max_age_ms {
        // Without a time it would not be a candidate, unless it is to count as old.
        let is_older = facts.timestamp.is_nan() || now_ms - facts.timestamp > max_age_ms;
        if !is_older {
            return Verdict::StaysUntil(facts.timestamp + max_age_ms);
        }
    }
    if look.covers(index) && !look.is_spared(index, now_ms) && !look.is_error(index) {
        Verdict::Outdated
    } else {
        Verdict::Stays
    }
}
