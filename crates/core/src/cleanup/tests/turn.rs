//! Tests of results without a later assistant message, and of a clock that is set back.

use super::session::{MINUTE, SUCCESS, TestSession};
use crate::cleanup::rules::{Rule, presets};
use crate::cleanup::{Orphans, Policy, Purpose};
use crate::results::Language;

const LATER: f64 = 100.0 * MINUTE;

fn session(purpose: Purpose, keep_recent: usize) -> TestSession {
    let rule = Rule { keep_recent, ..presets::terminal(Language::Chinese) };
    TestSession::new(Policy { purpose, orphans: Orphans::Remove, rules: vec![rule], ..Policy::default() })
}

#[test]
fn r1_0_prepare_and_view_replace_a_result_only_after_a_later_assistant_message() {
    for (purpose, is_kept_at_first) in
        [(Purpose::DropIn, false), (Purpose::OwnRules, false), (Purpose::Prepare, true), (Purpose::View, true)]
    {
        let mut session = session(purpose, 0);
        let row = session.call("bash", "{}", SUCCESS, 0.0);
        assert_eq!(session.edited(LATER).is_empty(), is_kept_at_first, "{purpose:?}");
        session.answer();
        assert_eq!(session.edited(LATER), [row], "{purpose:?}");
    }
}

#[test]
fn r1_0_a_result_is_sent_again_once_its_assistant_message_is_removed() {
    let mut session = session(Purpose::Prepare, 0);
    let first = session.call("bash", "{}", SUCCESS, 0.0);
    let second = session.call("bash", "{}", SUCCESS, 0.0);
    session.answer();
    assert_eq!(session.edited(LATER), [first, second]);
    session.cleanup.truncate(second + 1);
    assert_eq!(session.edited(LATER), [first]);
}

#[test]
fn r1_0_a_removed_message_with_unanswered_calls_does_not_count_as_a_later_one() {
    let mut session = session(Purpose::Prepare, 0);
    let first = session.call("bash", "{}", SUCCESS, 0.0);
    session.unanswered("bash");
    assert!(session.edited(LATER).is_empty());
    session.result(session.next_id - 1, SUCCESS, 0.0);
    assert_eq!(session.edited(LATER), [first]);
}

#[test]
fn r1_0_a_clock_set_back_makes_no_result_older_than_those_before_it() {
    for (purpose, newest) in [(Purpose::DropIn, 0), (Purpose::Prepare, 1)] {
        let mut session = session(purpose, 2);
        let before_setback: Vec<usize> = (0..2).map(|_| session.call("bash", "{}", SUCCESS, 60.0 * MINUTE)).collect();
        let after_setback: Vec<usize> = (0..2).map(|_| session.call("bash", "{}", SUCCESS, 0.0)).collect();
        session.answer();
        assert_eq!(session.edited(76.0 * MINUTE), [after_setback, before_setback][newest], "{purpose:?}");
    }
}

#[test]
fn r1_0_age_counts_from_the_newest_time_seen() {
    let mut session = session(Purpose::Prepare, 1);
    let first = session.call("bash", "{}", SUCCESS, 0.0);
    let second = session.call("bash", "{}", SUCCESS, 20.0 * MINUTE);
    let third = session.call("bash", "{}", SUCCESS, 5.0 * MINUTE);
    session.answer();
    assert_eq!(session.edited(10.0 * MINUTE), [first], "the clock was at 20 minutes");
    let decided = session.evaluate(35.0 * MINUTE);
    assert_eq!(decided.edits.len(), 1, "{second} is 15 minutes old");
    assert!(decided.valid_until_ms < 36.0 * MINUTE);
    assert_eq!(session.edited(36.0 * MINUTE), [first, second], "{third} is the newest");
}
