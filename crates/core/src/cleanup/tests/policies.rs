//! Tests of a policy's purpose, its treatment of orphans, and the order of its rules.

use std::sync::Arc;

use super::session::{MINUTE, RecordedTexts, SUCCESS, TestSession};
use crate::cleanup::rules::Rule;
use crate::cleanup::rules::presets;
use crate::cleanup::{Cleanup, Orphans, Policy, Purpose};
use crate::conversation::{Call, NONE, Row, RowKind};
use crate::results::Language;
use crate::text::utf16::units;

#[test]
fn r3b_2_only_a_drop_in_function_replaces_a_text_by_a_longer_one() {
    for (purpose, content, changed) in [
        (Purpose::DropIn, "ok", true),
        (Purpose::Prepare, "ok", false),
        (Purpose::Prepare, "ten units!", false),
        (Purpose::Prepare, "11 units!!!", true),
    ] {
        let rule = Rule { keep_recent: 0, ..presets::terminal(Language::Chinese) };
        let mut session = TestSession::new(Policy { purpose, rules: vec![rule], ..Policy::default() });
        session.call("bash", "{}", content, 0.0);
        session.answer();
        assert_eq!(!session.edited(100.0 * MINUTE).is_empty(), changed, "{purpose:?} {content}");
    }
}

#[test]
fn the_first_rule_that_covers_an_outdated_result_chooses_its_placeholder() {
    let rule = |name: &str| Rule { name: name.to_owned(), keep_recent: 0, ..presets::text_search(Language::Chinese) };
    let mut session = TestSession::new(Policy {
        purpose: Purpose::DropIn,
        rules: vec![rule("first"), rule("second")],
        ..Policy::default()
    });
    session.call("ace-text_search", "{}", "hits", 0.0);
    let edits = session.evaluate(100.0 * MINUTE).edits;
    assert_eq!(edits.iter().map(|edit| edit.rule).collect::<Vec<_>>(), [0]);
}

#[test]
fn r3b_2_orphans_are_removed_before_rules_count_results() {
    let mut session = TestSession::new(Policy {
        orphans: Orphans::Remove,
        rules: vec![presets::terminal(Language::Chinese)],
        ..Policy::default()
    });
    let kept = session.call("bash", "{}", SUCCESS, 0.0);
    for _ in 0..5 {
        session.result(90, "newer, but its call is not declared", 1.0);
    }
    let evaluation = session.evaluate(100.0 * MINUTE);
    assert_eq!(evaluation.dropped, [2, 3, 4, 5, 6]);
    assert!(evaluation.edits.is_empty(), "{kept} is the newest result that is left");
}

#[test]
fn r11_5_a_result_with_an_image_is_replaced_even_by_a_longer_text() {
    for (has_media, changed) in [(true, true), (false, false)] {
        let rule = Rule { keep_recent: 0, ..presets::terminal(Language::Chinese) };
        let mut session = TestSession::new(Policy { rules: vec![rule], ..Policy::default() });
        let row = session.call("bash", "{}", "ok", 0.0);
        let shown = *session.cleanup.conversation().row(row).unwrap();
        assert!(session.cleanup.patch(row, Row { has_media, ..shown }));
        session.answer();
        assert_eq!(!session.edited(100.0 * MINUTE).is_empty(), changed, "{has_media}");
    }
}

#[test]
fn r11_4_an_unanswered_call_is_answered_with_an_error_in_both_languages() {
    let policy = |language| Policy { orphans: Orphans::Answer, language, ..Policy::default() };
    for language in [Language::Chinese, Language::English] {
        let answer = units(policy(language).interrupted_answer());
        assert_eq!(crate::failure::starts_as_error(&answer, true), Some(true));
    }
    let mut cleanup = Cleanup::new(Arc::new(policy(Language::English)));
    let row = Row::new(RowKind::Assistant, NONE);
    cleanup.push(row, [Call { id: 0, name: NONE, settled: false }]);
    cleanup.push(Row { kind: RowKind::Tool, call_id: 7, ..row }, []);
    let decided = cleanup.evaluate(&mut RecordedTexts::default(), 0.0);
    assert_eq!((&decided.answered, &decided.dropped, decided.unmatched), (&vec![0], &vec![1], 0));
}

#[test]
fn r11_4_results_stay_and_are_counted_if_no_call_is_declared() {
    let mut cleanup = Cleanup::new(Arc::new(Policy { orphans: Orphans::Answer, ..Policy::default() }));
    let result = Row::new(RowKind::Tool, 7);
    cleanup.push(result, []);
    let decided = cleanup.evaluate(&mut RecordedTexts::default(), 0.0);
    assert_eq!((&decided.dropped, decided.unmatched), (&vec![], 1));
    cleanup
        .push(Row { kind: RowKind::Assistant, call_id: NONE, ..result }, [Call { id: 0, name: NONE, settled: true }]);
    let decided = cleanup.evaluate(&mut RecordedTexts::default(), 0.0);
    assert_eq!((&decided.dropped, decided.unmatched), (&vec![0], 0), "calls are declared here");
}

#[test]
fn r11_4_a_result_without_a_call_is_removed_after_a_summary() {
    let mut cleanup = Cleanup::new(Arc::new(Policy { orphans: Orphans::Answer, ..Policy::default() }));
    cleanup.push(Row::new(RowKind::Other, NONE), []);
    cleanup.push(Row::new(RowKind::Tool, 7), []);
    cleanup.set_compressed(true);
    let decided = cleanup.evaluate(&mut RecordedTexts::default(), 0.0);
    assert_eq!((&decided.dropped, decided.unmatched), (&vec![1], 0), "its call is in the summary");
    cleanup.set_compressed(false);
    let decided = cleanup.evaluate(&mut RecordedTexts::default(), 0.0);
    assert_eq!((&decided.dropped, decided.unmatched), (&vec![], 1), "its call may not be in the messages given");
}
