//! Decides which tool results are outdated by a rule with an age and a number of newest results that stay.

use std::collections::VecDeque;

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::rule::Rule;
use crate::cleanup::rules::timeline::Timeline;
use crate::conversation::Row;

/// One rule's state for a growing conversation. Time and newer results only make a result more outdated. So each result is judged once it is
/// no longer among the newest of its groups, and again only when it reaches the age.
#[derive(Debug, Default)]
pub struct Retention {
    /// For each group, its newest results.
    windows: Vec<Window>,
    /// For each row, in how many of its groups it is still among the newest.
    recent_in: Vec<usize>,
    /// The time and row of each result that stays only because it is too young, oldest first.
    too_young: VecDeque<(f64, u32)>,
    /// Groups with new members since the last evaluation.
    grown_groups: Vec<u32>,
}

impl Retention {
    /// New replacements by `context.rule`; the time must not be before the last call's. Reads only contents of results that age and
    /// recency do not keep. O(new candidates, and those that have reached the age).
    pub fn outdated(&mut self, context: &mut RuleContext<'_>) -> Vec<u32> {
        let aged_count = self.too_young.partition_point(|&(since_ms, _)| is_old_enough(context, since_ms));
        let mut rows: Vec<u32> = self.too_young.drain(..aged_count).map(|(_, row)| row).collect();
        self.add_candidates(context, &mut rows);
        rows.retain(|&row| self.judge(context, row));
        rows
    }

    /// The earliest time at which `rule` could replace another row, if nothing else changes.
    pub fn changes_at_ms(&self, rule: &Rule) -> f64 {
        let next = self.too_young.front().zip(rule.max_age_ms);
        next.map_or(f64::INFINITY, |(&(oldest_ms, _), max_age_ms)| oldest_ms + max_age_ms)
    }

    /// True if `row`, which is not among the newest, is outdated. If only its age is missing, it is kept in `too_young`. Cheap tests come first.
    fn judge(&mut self, context: &mut RuleContext<'_>, row: u32) -> bool {
        let index = row as usize;
        let is_success = |result: &Row| result.has_text && !result.status_error;
        if !context.conversation.row(index).is_some_and(is_success)
            || context.is_replaced_earlier(row)
            || context.covers_tool_of(index) == Some(false)
        {
            return false;
        }
        let since_ms = context.timeline.time_ms_of(context.conversation, index);
        if !is_old_enough(context, since_ms) {
            let is_before = |&(ms, other): &(f64, u32)| ms.total_cmp(&since_ms).then(other.cmp(&row)).is_lt();
            self.too_young.insert(self.too_young.partition_point(is_before), (since_ms, row));
            return false;
        }
        context.covers(index) && !context.is_spared(index) && !context.is_error(index)
    }

    /// Adds the new candidates, and appends to `rows_to_judge` those that are not, or no longer, among the newest of any of their groups (R2.4,
    /// R2.5).
    fn add_candidates(&mut self, context: &mut RuleContext<'_>, rows_to_judge: &mut Vec<u32>) {
        for row in context.new_rows() {
            if context.timeline.has(row) {
                self.join_groups(context, row, rows_to_judge);
            }
        }
        for group in std::mem::take(&mut self.grown_groups) {
            let Some(window) = self.windows.get_mut(group as usize) else { continue };
            let keep_recent = context.rule.keep_recent;
            // By default an error takes no place among the newest, so one more result stays.
            let counts = |row: u32| context.rule.count_errors || !context.is_error(row as usize);
            for &row in window.take_displaced(keep_recent, counts) {
                leave_window(&mut self.recent_in, row, rows_to_judge);
            }
        }
    }

    fn join_groups(&mut self, context: &mut RuleContext<'_>, row: u32, rows_to_judge: &mut Vec<u32>) {
        let (index, timeline) = (row as usize, context.timeline);
        let groups = groups_of(context, index);
        self.recent_in.resize(self.recent_in.len().max(index + 1), 0);
        if let Some(recent_in) = self.recent_in.get_mut(index) {
            *recent_in = groups.len();
        }
        for &group in groups {
            if self.windows.len() <= group as usize {
                self.windows.resize_with(group as usize + 1, Window::default);
            }
            let Some(window) = self.windows.get_mut(group as usize) else { continue };
            if window.insert(row, timeline) {
                leave_window(&mut self.recent_in, row, rows_to_judge);
            }
            if self.grown_groups.last() != Some(&group) {
                self.grown_groups.push(group);
            }
        }
    }
}

fn leave_window(recent_in: &mut [usize], row: u32, rows_to_judge: &mut Vec<u32>) {
    if let Some(groups) = recent_in.get_mut(row as usize) {
        *groups = groups.saturating_sub(1);
        if *groups == 0 {
            rows_to_judge.push(row);
        }
    }
}

fn groups_of<'l>(context: &'l mut RuleContext<'_>, index: usize) -> &'l [u32] {
    if let Grouping::None { among_all_tools } = context.rule.grouping {
        return if among_all_tools || context.covers(index) { &[0] } else { &[] };
    }
    if context.covers_tool_of(index) == Some(true) { context.groups_of(index) } else { &[] }
}

/// True for a result older than the rule's limit. A result without a time is a candidate only if it counts as old.
fn is_old_enough(context: &RuleContext<'_>, since_ms: f64) -> bool {
    let is_older = |max_age_ms: f64| since_ms.is_nan() || context.now_ms - since_ms > max_age_ms;
    context.rule.max_age_ms.is_none_or(is_older)
}

/// The members of one group in order of time. The newest of them are in the window. Members are only added, newer or older ones, so a
/// member that has left the window never returns and is not visited again.
#[derive(Debug, Default)]
struct Window {
    /// Rows, oldest first.
    members: Vec<u32>,
    start: usize,
}

impl Window {
    /// Adds `row`; true if it is older than the window. O(1) if it is the newest, else O(log n) plus moving the members after it.
    fn insert(&mut self, row: u32, timeline: &Timeline) -> bool {
        let is_newest = self.members.last().is_none_or(|&last| timeline.is_newer(row, last));
        let index = if is_newest {
            self.members.len()
        } else {
            self.members.partition_point(|&member| timeline.is_newer(row, member))
        };
        self.members.insert(index, row);
        let is_before_window = index < self.start;
        self.start += usize::from(is_before_window);
        is_before_window
    }

    /// Moves the window's start to the `keep`-th newest member that `counts` accepts, and returns the members that leave the
    /// window. Calls `counts` only for members in the window, and not while the group has at most `keep` members. `counts`
    /// must not reject a member that it has accepted.
    fn take_displaced(&mut self, keep: usize, mut counts: impl FnMut(u32) -> bool) -> &[u32] {
        let old_start = self.start;
        if self.members.len() > keep {
            let (mut kept, mut start) = (0, self.members.len());
            for &member in self.members.get(old_start..).unwrap_or_default().iter().rev() {
                if kept == keep {
                    break;
                }
                start -= 1;
                kept += usize::from(counts(member));
            }
            self.start = start;
        }
        self.members.get(old_start..self.start).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
