use super::*;
use crate::conversation::{Conversation, NONE, RowKind};
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

fn displaced(window: &mut Window, row: u32, timeline: &Timeline, keep: usize, errors: &[u32]) -> Vec<u32> {
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
