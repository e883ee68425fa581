//! Decides which tool results are outdated by a rule with an age and a number of newest results that stay.

use std::collections::VecDeque;

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::rule::{Candidates, Outdated};
use crate::cleanup::rules::timeline::Timeline;
use crate::cleanup::rules::window::Window;
use crate::conversation::Row;

/// One rule's state for a growing conversation.
///
/// Time and newer results only make a result more outdated. So each result is judged once it is no longer among the
/// newest of its groups, and again only when it reaches the age.
#[derive(Debug, Default)]
pub struct Retention {
    /// For each group, its newest results.
    windows: Vec<Window>,
    /// For each row, in how many of its groups it is still among the newest.
    recent_in: Vec<usize>,
    /// Results that stay only because they are too young, oldest first.
    too_young: VecDeque<TooYoung>,
    /// Groups with new members since the last evaluation.
    grown_groups: Vec<u32>,
}

/// A result that is still too young.
#[derive(Debug, Clone, Copy)]
struct TooYoung {
    /// When the result came.
    since_ms: f64,
    row: u32,
}

impl Retention {
    /// New replacements by `context.rule` at `now_ms`, which must not be before the last call's. Reads only contents of results that age and
    /// recency do not keep. O(new candidates, and those that have reached the age).
    pub fn outdated(
        &mut self,
        context: &mut RuleContext<'_>,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        let mut rows = self.take_aged(context.rule.max_age_ms, now_ms);
        self.add_candidates(context, candidates, &mut rows);
        rows.retain(|&row| self.judge(context, row, candidates, now_ms));
        let next = self.too_young.front().zip(context.rule.max_age_ms);
        let changes_at_ms = next.map_or(f64::INFINITY, |(oldest, max_age_ms)| oldest.since_ms + max_age_ms);
        Outdated { rows, changes_at_ms }
    }

    /// Keeps the order. O(1) unless newer results are already there.
    fn add_too_young(&mut self, result: TooYoung) {
        let is_before = |other: &TooYoung| {
            other.since_ms.total_cmp(&result.since_ms).then(other.row.cmp(&result.row)).is_lt()
        };
        self.too_young.insert(self.too_young.partition_point(is_before), result);
    }

    /// Removes the results that have reached the age.
    fn take_aged(&mut self, max_age_ms: Option<f64>, now_ms: f64) -> Vec<u32> {
        let is_aged = |result: &TooYoung| {
            max_age_ms.is_none_or(|max_age_ms| is_older(result.since_ms, max_age_ms, now_ms))
        };
        let aged_count = self.too_young.partition_point(is_aged);
        self.too_young.drain(..aged_count).map(|result| result.row).collect()
    }

    /// True if `row`, which is not among the newest, is outdated. If only its age is missing, it is kept in `too_young`. Cheap tests come first.
    fn judge(
        &mut self,
        context: &mut RuleContext<'_>,
        row: u32,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> bool {
        let index = row as usize;
        let is_success = |result: &Row| result.has_text && !result.status_error;
        if !context.conversation.row(index).is_some_and(is_success)
            || candidates.is_replaced_earlier(row)
            || context.tool_of(index).is_some_and(|name| !context.state.covers_name(name))
        {
            return false;
        }
        let since_ms = context.timeline.time_ms_of(context.conversation, index);
        if context.rule.max_age_ms.is_some_and(|max_age_ms| !is_older(since_ms, max_age_ms, now_ms)) {
            self.add_too_young(TooYoung { since_ms, row });
            return false;
        }
        context.covers(index) && !context.is_spared(index, now_ms) && !context.is_error(index)
    }

    /// Adds the new candidates, and appends to `rows_to_judge` those that are not, or no longer, among the newest of any of their groups (R2.4,
    /// R2.5).
    fn add_candidates(
        &mut self,
        context: &mut RuleContext<'_>,
        candidates: Candidates<'_>,
        rows_to_judge: &mut Vec<u32>,
    ) {
        for row in candidates.new_rows(context.conversation) {
            if context.timeline.has(row) {
                self.join_groups(context, row, context.timeline, rows_to_judge);
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

    /// Adds `row` to the windows of its groups.
    fn join_groups(
        &mut self,
        context: &mut RuleContext<'_>,
        row: u32,
        timeline: &Timeline,
        rows_to_judge: &mut Vec<u32>,
    ) {
        let groups = groups_of(context, row as usize);
        let index = row as usize;
        if self.recent_in.len() <= index {
            self.recent_in.resize(index + 1, 0);
        }
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

/// Records that `row` is no longer among the newest of one of its groups.
fn leave_window(recent_in: &mut [usize], row: u32, rows_to_judge: &mut Vec<u32>) {
    if let Some(groups) = recent_in.get_mut(row as usize) {
        *groups = groups.saturating_sub(1);
        if *groups == 0 {
            rows_to_judge.push(row);
        }
    }
}

/// The groups in which row `index` competes; none if the rule does not cover it.
fn groups_of<'l>(context: &'l mut RuleContext<'_>, index: usize) -> &'l [u32] {
    if let Grouping::None { among_all_tools } = context.rule.grouping {
        return if among_all_tools || context.covers(index) { &[0] } else { &[] };
    }
    if context.covers_tool_of(index) { context.groups_of(index) } else { &[] }
}

/// True for a result older than `max_age_ms`. A result without a time is a candidate only if it counts as old.
fn is_older(since_ms: f64, max_age_ms: f64, now_ms: f64) -> bool {
    since_ms.is_nan() || now_ms - since_ms > max_age_ms
}
