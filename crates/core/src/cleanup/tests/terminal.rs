//! Tests of the rule for terminal results (R1).

use super::session::{FAILURE, MINUTE, SUCCESS, TestSession};
use crate::cleanup::rules::Rule;
use crate::cleanup::rules::presets;
use crate::cleanup::{Policy, Purpose};
use crate::results::Language;
use crate::text::utf16::units;

#[test]
fn r1_3_a_result_of_exactly_fifteen_minutes_is_not_outdated() {
    for (age, outdated) in [(15.0 * MINUTE, false), (15.0 * MINUTE + 1.0, true)] {
        let mut session = TestSession::terminal();
        let row = session.call("bash", "{}", SUCCESS, 0.0);
        for _ in 0..5 {
            session.call("filesystem-read", "{}", "newer", 1.0);
        }
        assert_eq!(session.edited(age) == [row], outdated, "{age}");
    }
}

#[test]
fn r1_2_errors_stay_and_do_not_count_among_the_newest_five() {
    let mut session = TestSession::terminal();
    let rows: Vec<usize> = (0..7)
        .map(|minute| session.call("bash", "{}", if minute == 4 { FAILURE } else { SUCCESS }, f64::from(minute)))
        .collect();
    assert_eq!(session.edited(100.0 * MINUTE), [rows[0]], "five successes and the error stay");
}

#[test]
fn r1_4_content_makes_a_result_terminal_only_if_no_call_declares_its_name() {
    let mut session = TestSession::terminal();
    let quoting = session.call("filesystem-read", "{}", SUCCESS, 0.0);
    let unresolved = session.result(99, SUCCESS, 0.0);
    let plain = session.result(98, "just text", 0.0);
    for _ in 0..5 {
        session.call("todo", "{}", "newer", 1.0);
    }
    let edited = session.edited(100.0 * MINUTE);
    assert_eq!(edited, [unresolved]);
    assert!(!edited.contains(&quoting) && !edited.contains(&plain));
}

#[test]
fn no_success_is_read_whole_and_no_failure_is_read_whole_twice() {
    let mut session = TestSession::terminal();
    for minute in 0..40 {
        session.call("bash", "{}", if minute % 4 == 0 { FAILURE } else { SUCCESS }, f64::from(minute));
        session.evaluate(f64::from(minute) + 60.0 * MINUTE);
        session.evaluate(f64::from(minute) + 60.0 * MINUTE);
    }
    let failures = session.texts.contents.iter().flatten().filter(|text| **text == units(FAILURE)).count();
    let reads: usize = session.texts.whole_reads.iter().sum();
    assert!(session.texts.whole_reads.iter().all(|&count| count <= 1));
    assert!(reads <= failures, "{reads} whole reads for {failures} failures");
}

#[test]
fn r1_6_a_placeholder_of_either_language_is_not_replaced_in_either_language() {
    let languages = [Language::Chinese, Language::English];
    let texts = ["此命令返回内容已过时", "[Outdated command output removed]"];
    for (language, text) in languages.into_iter().flat_map(|language| texts.map(|text| (language, text))) {
        let rules = vec![Rule { keep_recent: 0, ..presets::terminal(language) }];
        let mut session = TestSession::new(Policy { purpose: Purpose::DropIn, rules, ..Policy::default() });
        session.call("bash", "{}", text, 0.0);
        assert!(session.edited(100.0 * MINUTE).is_empty(), "{text}");
    }
}
