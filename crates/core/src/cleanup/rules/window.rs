//! Decides which members of a growing group are among its newest.

use crate::cleanup::rules::timeline::Timeline;

/// The members of one group in order of time. The newest of them are in the window.
///
/// Members are only added, newer or older ones, so a member that has left the window never returns and is not visited
/// again.
#[derive(Debug, Default)]
pub struct Window {
    /// Rows, oldest first.
    members: Vec<u32>,
    /// Index of the oldest member in the window.
    start: usize,
}

impl Window {
    /// Adds `row`; true if it is older than the window. O(1) if it is the newest, else O(log n) plus moving the members
    /// after it.
    pub fn insert(&mut self, row: u32, timeline: &Timeline) -> bool {
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
    pub fn take_displaced(&mut self, keep: usize, mut counts: impl FnMut(u32) -> bool) -> &[u32] {
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
mod tests {
    use super::*;
    use crate::conversation::{Conversation, NONE, Row, RowKind};
    use proptest::prelude::*;

    fn timeline(times: &[f64]) -> Timeline {
        let mut conversation = Conversation::default();
        for &timestamp in times {
            let row = Row { timestamp, ..Row::new(RowKind::Tool, NONE) };
            conversation.push(row, []);
        }
        let mut timeline = Timeline::new(true);
        timeline.extend(&conversation, false);
        timeline
    }

    fn displaced(
        window: &mut Window,
        row: u32,
        timeline: &Timeline,
        keep: usize,
        errors: &[u32],
    ) -> Vec<u32> {
        let mut displaced: Vec<u32> = window.insert(row, timeline).then_some(row).into_iter().collect();
        displaced.extend(window.take_displaced(keep, |row| !errors.contains(&row)));
        displaced
    }

    #[test]
    fn one_result_more_than_may_stay_displaces_the_oldest() {
        let times = timeline(&[1.0, 2.0, 3.0]);
        let mut window = Window::default();
        assert!(displaced(&mut window, 0, &times, 2, &[]).is_empty());
        assert!(displaced(&mut window, 1, &times, 2, &[]).is_empty());
        assert_eq!(displaced(&mut window, 2, &times, 2, &[]), [0]);
    }

    #[test]
    fn a_result_older_than_those_kept_is_displaced_at_once() {
        let times = timeline(&[10.0, 20.0, 30.0, 5.0, 25.0]);
        let mut window = Window::default();
        for row in 0..3 {
            displaced(&mut window, row, &times, 2, &[]);
        }
        assert_eq!(displaced(&mut window, 3, &times, 2, &[]), [3]);
        assert_eq!(displaced(&mut window, 4, &times, 2, &[]), [1]);
    }

    #[test]
    fn take_displaced_checks_no_result_while_all_may_stay() {
        let times = timeline(&[1.0]);
        let mut window = Window::default();
        window.insert(0, &times);
        assert!(window.take_displaced(1, |_| panic!("checked")).is_empty());
    }

    proptest! {
        #[test]
        fn displacing_results_one_by_one_agrees_with_displacing_all_at_once(
            steps in prop::collection::vec((0u8..12, any::<bool>()), 1..30),
            keep in 0usize..4,
        ) {
            let times: Vec<f64> = steps.iter().map(|&(time, _)| f64::from(time)).collect();
            let timeline = timeline(&times);
            let rows: Vec<u32> = (0..steps.len()).map(|row| u32::try_from(row).unwrap()).collect();
            let errors: Vec<u32> =
                rows.iter().copied().filter(|&row| steps[row as usize].1).collect();
            let mut growing = Window::default();
            let mut found: Vec<u32> =
                rows.iter().flat_map(|&row| displaced(&mut growing, row, &timeline, keep, &errors)).collect();
            found.sort_unstable();
            let newer_successes = |row: u32| {
                let is_newer = |&&other: &&u32| timeline.is_newer(other, row) && !errors.contains(&other);
                rows.iter().filter(is_newer).count()
            };
            let expected: Vec<u32> =
                rows.iter().copied().filter(|&row| newer_successes(row) >= keep).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
