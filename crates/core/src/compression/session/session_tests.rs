#[path = "host_for_tests.rs"]
mod host;

use proptest::prelude::*;

use super::*;
use crate::compression::conversations_for_tests::{any_conversation, assistant, system, tool, user};
use crate::compression::session::settings::Given;
use crate::compression::summary::exchange::{CallFailure, Reply, SummaryAnswer};

use host::{SUMMARY, TestHost, nobody, said, session, with_model};

#[test]
fn r7_3_below_the_threshold_no_texts_are_read() {
    let mut host = TestHost::new(session(10, 100), &with_model(10_000.0));
    let outcome = host.process(nobody);
    assert_eq!((host.wanted.len(), outcome.no_summary_reason), (0, Some(NoSummaryReason::BelowThreshold)));
    assert_eq!((host.figure("processed"), host.figure("triggered")), (1.0, 0.0));
}

#[test]
fn req_3_2_a_full_conversation_is_read_once_summarised_by_one_call_and_changed_once() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    let outcome = host.process(|ask| {
        assert_eq!((ask.model.as_str(), ask.timeout_ms), ("gpt-4o-mini", 30_000.0));
        (said(SUMMARY), 2_140.4)
    });
    assert_eq!(host.wanted, ["read", "summarise", "ask", "apply"]);
    assert_eq!((outcome.no_summary_reason, outcome.tokens_before), (None, 4_023.0));
    assert!((outcome.tokens_after - host.tokens()).abs() < 1.0);
    assert_eq!((host.figure("compressed"), host.figure("llm_ms")), (1.0, 2_140.4));
    let record: serde_json::Value = serde_json::from_str(&host.record).unwrap();
    let text = |field: &str| record[field].to_string();
    assert_eq!(
        (text("kind"), text("level"), text("durationMs")),
        ("\"summary\"".into(), "1".into(), "2140.0".into())
    );
    assert!(record["digest"].is_object() && record["firstRequest"].is_string());
}

#[test]
fn r7_2_all_calls_of_a_summary_share_the_total_timeout() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    let cut_off =
        Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() };
    host.process(|_| (SummaryAnswer::Reply(cut_off.clone()), 110_000.0));
    let waits: Vec<f64> = host.asked.iter().map(|ask| ask.timeout_ms).collect();
    assert_eq!(waits, [30_000.0, 10_000.0], "of 120 s in all 110 are over");
}

#[test]
fn r7_10_a_compression_without_gain_is_not_tried_again_before_new_messages() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    let more: Vec<String> = (0..900).map(|part| format!("Part {part} of it was done there.")).collect();
    let echo = [
        SUMMARY,
        &more.join(
            "
",
        ),
    ]
    .concat();
    let outcome = host.process(|_| (said(&echo), 1.0));
    assert_eq!(outcome.no_summary_reason.unwrap().code(), "not_smaller");
    assert_eq!(host.process(nobody).no_summary_reason, Some(NoSummaryReason::Skipped(Skip::NoGainLastTime)));
    host.messages.extend(session(5, 10).split_off(1));
    let outcome = host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((outcome.no_summary_reason, host.figure("compressed")), (None, 1.0));
}

#[test]
fn r7_10_after_three_failures_the_model_is_not_called_for_a_minute() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    for _ in 0..3 {
        let outcome = host.process(|_| (SummaryAnswer::Failure(CallFailure::TimedOut), 30_000.0));
        assert_eq!(outcome.no_summary_reason.unwrap().code(), "timeout");
    }
    host.now_ms += 60_000.0;
    assert_eq!(host.process(nobody).no_summary_reason, Some(NoSummaryReason::Skipped(Skip::BreakerOpen)));
    host.now_ms += 31_000.0;
    assert_eq!(
        host.process(|_| (said(SUMMARY), 1.0)).no_summary_reason,
        None,
        "the third failure came 30 s after its beginning"
    );
}

#[test]
fn r7_9_a_summary_of_messages_that_have_changed_is_discarded() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    host.changes_its_mind = true;
    let outcome = host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((outcome.no_summary_reason, host.messages.len()), (Some(NoSummaryReason::Discarded), 41));
    assert_eq!((host.figure("discarded"), host.figure("compressed")), (1.0, 0.0));
}

#[test]
fn r7_11_without_a_model_results_are_shortened_until_the_conversation_is_below_the_limit() {
    let calls = [
        system(20),
        user(30),
        assistant(&["a"], 20),
        tool("a", 6_000),
        assistant(&["b"], 20),
        tool("b", 3_000),
    ];
    for clumsiness in [0.0, 0.3] {
        let mut host = TestHost::new(calls.to_vec(), &[("maxContextTokens", Given::Number(4_000.0))]);
        host.clumsiness = clumsiness;
        host.process(nobody);
        assert!(host.tokens() <= 3_800.0, "{} at {clumsiness}", host.tokens());
        assert_eq!((host.wanted.last(), host.figure("truncated")), (Some(&"apply"), 1.0));
        assert!(host.record.contains("\"truncation\""));
    }
}

#[test]
fn req_3_4_if_the_model_fails_history_is_cut_below_the_limit() {
    let mut host = TestHost::new(session(50, 100), &with_model(4_500.0));
    let outcome = host.process(|_| {
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
    assert_eq!(host.wanted, ["read", "summarise", "ask", "weigh", "read", "apply"]);
    assert_eq!(outcome.no_summary_reason.unwrap().code(), "ECONNRESET");
    assert!(host.tokens() <= 4_275.0);
}

#[test]
fn r7_12_a_forced_compression_cuts_nothing_and_a_given_summary_needs_no_model() {
    let mut host = TestHost::new(session(50, 100), &[("maxContextTokens", Given::Number(4_500.0))]);
    let by_hand = SessionOptions { forced: true, now_ms: 1.0, ..SessionOptions::default() };
    assert_eq!(
        host.run(by_hand.clone(), nobody).no_summary_reason,
        Some(NoSummaryReason::Skipped(Skip::NoSummaryModel))
    );
    let given_up = SessionOptions { aborted: true, ..by_hand.clone() };
    assert_eq!(host.run(given_up, nobody).no_summary_reason, Some(NoSummaryReason::Aborted));
    let own = SessionOptions { summary: Some("The parser was mended.".into()), ..by_hand };
    assert_eq!(host.run(own, nobody).no_summary_reason, None);
    assert_eq!(host.wanted, ["read", "summarise", "apply"]);
}

#[test]
fn r0_1_a_change_that_the_array_refuses_is_not_counted() {
    let mut host = TestHost::new(session(20, 100), &with_model(4_500.0));
    host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((host.figure("compressed"), host.figure("messages_compressed")), (1.0, 30.0));
    host.manager.abandon(host.name.unwrap());
    assert_eq!((host.figure("compressed"), host.figure("messages_compressed")), (0.0, 0.0));
    host.process(nobody);
    host.manager.abandon(host.name.unwrap());
    assert_eq!(
        (host.figure("tokens_saved"), host.figure("compressed")),
        (0.0, 0.0),
        "nothing is undone twice"
    );
}

proptest! {
    #[test]
    fn r7_11_a_cut_ends_below_the_limit_whatever_the_model_answers(
        messages in any_conversation(),
        answers in proptest::collection::vec(0..5_u8, 1..12),
        window in (300..6_000_u32).prop_map(f64::from),
    ) {
        let mut host = TestHost::new(messages, &with_model(window));
        for _ in 0..3 {
            let mut answers = answers.iter().cycle();
            let before = host.messages.clone();
            host.process(|_| {
                let answer = match answers.next() {
                    Some(0) => said(SUMMARY),
                    Some(1) => said(""),
                    Some(2) => SummaryAnswer::Failure(CallFailure::TooLong { max_tokens: None }),
                    Some(3) => SummaryAnswer::Failure(CallFailure::Aborted),
                    _ => SummaryAnswer::Reply(Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() }),
                };
                (answer, 7_000.0)
            });
            let is_under = host.tokens() <= window * 0.95 + 1e-6;
            prop_assert!(is_under || host.messages == before || host.wanted.contains(&"apply"));
            let was_cut = ["read", "shorten"].iter().any(|from| host.wanted.ends_with(&[*from, "apply"]));
            if was_cut {
                prop_assert!(is_under, "{} of {window}", host.tokens());
            }
            host.now_ms += 1e6;
        }
    }
}
