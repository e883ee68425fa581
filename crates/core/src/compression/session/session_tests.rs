#[path = "host_for_tests.rs"]
mod application;

use proptest::prelude::*;

use super::*;
use crate::compression::conversations_for_tests::{any_conversation, assistant, system, tool, user};
use crate::compression::session::settings::Given;
use crate::compression::summary::exchange::{CallFailure, Reply, SummaryAnswer};

use application::{SUMMARY, TestApplication, conversation, model_settings, no_model, reply};

#[test]
fn r7_3_below_the_threshold_no_texts_are_read() {
    let mut app = TestApplication::with_turns(10, 10_000.0);
    let outcome = app.process(no_model);
    assert_eq!((app.steps.len(), outcome.no_summary_reason), (0, Some(NoSummaryReason::BelowThreshold)));
    assert_eq!((app.figure("processed"), app.figure("triggered")), (1.0, 0.0));
}

#[test]
fn req_3_2_a_full_conversation_is_read_once_summarised_by_one_call_and_changed_once() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    let outcome = app.process(|ask| {
        assert_eq!((ask.model.as_str(), ask.timeout_ms), ("gpt-4o-mini", 30_000.0));
        (reply(SUMMARY), 2_140.4)
    });
    assert_eq!(app.steps, ["read", "summarise", "ask", "apply"]);
    assert_eq!((outcome.no_summary_reason, outcome.tokens_before), (None, 4_023.0));
    assert!((outcome.tokens_after - app.tokens()).abs() < 1.0);
    assert_eq!((app.figure("compressed"), app.figure("llm_ms")), (1.0, 2_140.4));
    let record: serde_json::Value = serde_json::from_str(&app.record).unwrap();
    let text = |field: &str| record[field].to_string();
    assert_eq!((text("kind"), text("level"), text("durationMs")), ("\"summary\"".into(), "1".into(), "2140.0".into()));
    assert!(record["digest"].is_object() && record["firstRequest"].is_string());
}

#[test]
fn r7_2_all_calls_of_a_summary_share_the_total_timeout() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    let cut_off = Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() };
    app.process(|_| (SummaryAnswer::Reply(cut_off.clone()), 110_000.0));
    let timeouts: Vec<f64> = app.requests.iter().map(|ask| ask.timeout_ms).collect();
    assert_eq!(timeouts, [30_000.0, 10_000.0], "110 of 120 s have passed");
}

#[test]
fn r7_10_a_compression_without_gain_is_not_tried_again_before_new_messages() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    let sentences: Vec<String> = (0..900).map(|part| format!("Part {part} of it was done there.")).collect();
    let echo = [SUMMARY, &sentences.join("\n")].concat();
    let outcome = app.process(|_| (reply(&echo), 1.0));
    assert_eq!(outcome.no_summary_reason.unwrap().reason(), "not_smaller");
    assert_eq!(app.process(no_model).no_summary_reason, Some(NoSummaryReason::Skipped(Skip::NoGainLastTime)));
    app.messages.extend(conversation(5, 10).split_off(1));
    let outcome = app.process(|_| (reply(SUMMARY), 1.0));
    assert_eq!((outcome.no_summary_reason, app.figure("compressed")), (None, 1.0));
}

#[test]
fn r7_10_after_three_failures_the_model_is_not_called_for_a_minute() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    for _ in 0..3 {
        let outcome = app.process(|_| (SummaryAnswer::Failure(CallFailure::TimedOut), 30_000.0));
        assert_eq!(outcome.no_summary_reason.unwrap().failure().unwrap().code(), "timeout");
    }
    app.now_ms += 60_000.0;
    assert_eq!(app.process(no_model).no_summary_reason, Some(NoSummaryReason::Skipped(Skip::BreakerOpen)));
    app.now_ms += 31_000.0;
    assert_eq!(
        app.process(|_| (reply(SUMMARY), 1.0)).no_summary_reason,
        None,
        "the third call failed 30 s after it began"
    );
}

#[test]
fn r7_9_a_summary_of_messages_that_have_changed_is_discarded() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    app.changes_range = true;
    let outcome = app.process(|_| (reply(SUMMARY), 1.0));
    assert_eq!((outcome.no_summary_reason, app.messages.len()), (Some(NoSummaryReason::Discarded), 41));
    assert_eq!((app.figure("discarded"), app.figure("compressed")), (1.0, 0.0));
}

#[test]
fn r7_11_without_a_model_results_are_shortened_until_the_conversation_is_below_the_limit() {
    let calls =
        [system(20), user(30), assistant(&["a"], 20), tool("a", 6_000), assistant(&["b"], 20), tool("b", 3_000)];
    for excess in [0.0, 0.3] {
        let mut app = TestApplication::new(calls.to_vec(), &[("maxContextTokens", Given::Number(4_000.0))]);
        app.excess = excess;
        app.process(no_model);
        assert!(app.tokens() <= 3_800.0, "{} at {excess}", app.tokens());
        assert_eq!((app.steps.last(), app.figure("truncated")), (Some(&"apply"), 1.0));
        assert!(app.record.contains("\"truncation\""));
    }
}

#[test]
fn req_3_4_if_the_model_fails_history_is_cut_below_the_limit() {
    let mut app = TestApplication::with_turns(50, 4_500.0);
    let outcome = app.process(|_| {
        (
            SummaryAnswer::Failure(CallFailure::Failed {
                code: "ECONNRESET".into(),
                class: String::new(),
                status: None,
                refused: None,
            }),
            1.0,
        )
    });
    assert_eq!(app.steps, ["read", "summarise", "ask", "weigh", "read", "apply"]);
    assert_eq!(outcome.no_summary_reason.unwrap().failure().unwrap().code(), "ECONNRESET");
    assert!(app.tokens() <= 4_275.0);
}

#[test]
fn r7_12_a_forced_compression_cuts_nothing_and_a_given_summary_needs_no_model() {
    let mut app = TestApplication::new(conversation(50, 100), &[("maxContextTokens", Given::Number(4_500.0))]);
    let by_hand = SessionOptions { forced: true, now_ms: 1.0, ..SessionOptions::default() };
    assert_eq!(
        app.run(by_hand.clone(), no_model).no_summary_reason,
        Some(NoSummaryReason::Skipped(Skip::NoSummaryModel))
    );
    let aborted = SessionOptions { aborted: true, ..by_hand.clone() };
    assert_eq!(app.run(aborted, no_model).no_summary_reason, Some(NoSummaryReason::Aborted));
    let given_summary = SessionOptions { summary: Some("The parser was mended.".into()), ..by_hand };
    assert_eq!(app.run(given_summary, no_model).no_summary_reason, None);
    assert_eq!(app.steps, ["read", "summarise", "apply"]);
}

#[test]
fn r0_1_a_change_that_the_array_refuses_is_not_counted() {
    let mut app = TestApplication::with_turns(20, 4_500.0);
    app.process(|_| (reply(SUMMARY), 1.0));
    assert_eq!((app.figure("compressed"), app.figure("messages_compressed")), (1.0, 30.0));
    app.manager.abandon(app.name.unwrap());
    assert_eq!((app.figure("compressed"), app.figure("messages_compressed")), (0.0, 0.0));
    app.process(no_model);
    app.manager.abandon(app.name.unwrap());
    assert_eq!((app.figure("tokens_saved"), app.figure("compressed")), (0.0, 0.0), "no figure is subtracted twice");
}

proptest! {
    #[test]
    fn r7_11_a_cut_ends_below_the_limit_whatever_the_model_answers(
        messages in any_conversation(),
        answers in proptest::collection::vec(0..5_u8, 1..12),
        window in (300..6_000_u32).prop_map(f64::from),
    ) {
        let mut app = TestApplication::new(messages, &model_settings(window));
        for _ in 0..3 {
            let mut answers = answers.iter().cycle();
            let before = app.messages.clone();
            app.process(|_| {
                let answer = match answers.next() {
                    Some(0) => reply(SUMMARY),
                    Some(1) => reply(""),
                    Some(2) => SummaryAnswer::Failure(CallFailure::TooLong { max_tokens: None }),
                    Some(3) => SummaryAnswer::Failure(CallFailure::Aborted),
                    _ => SummaryAnswer::Reply(Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() }),
                };
                (answer, 7_000.0)
            });
            let is_under = app.tokens() <= window * 0.95 + 1e-6;
            prop_assert!(is_under || app.messages == before || app.steps.contains(&"apply"));
            let was_cut = ["read", "shorten"].iter().any(|from| app.steps.ends_with(&[*from, "apply"]));
            if was_cut {
                prop_assert!(is_under, "{} of {window}", app.tokens());
            }
            app.now_ms += 1e6;
        }
    }
}
