use proptest::prelude::*;

use super::*;
use crate::compression::conversations_for_tests::{any_conversation, is_validly_paired, last_turn_keeps_its_thinking};
use crate::compression::message::ToolCall;

/// Builds a conversation from a line of words: `S`ystem, `U`ser, `A`ssistant, `T`ool result, followed by ids; `+` pins,
/// `~` has thinking, `Q`uestion is a user message with text, `s`ummary, `n`otice and `p`inned copy are made by this library.
fn conversation(line: &str) -> Vec<ChatMessage> {
    line.split_whitespace().map(message).collect()
}

fn message(word: &str) -> ChatMessage {
    let ids: Vec<String> = word.chars().filter(char::is_ascii_digit).map(|digit| format!("call_{digit}")).collect();
    let created_as = |created_as| ChatMessage {
        role: ChatRole::User,
        created_as: Some(created_as),
        level: 1,
        ..ChatMessage::default()
    };
    let message = match word.chars().next() {
        Some('S') => ChatMessage { role: ChatRole::System, ..ChatMessage::default() },
        Some('A') => {
            let calls = ids.iter().map(|id| ToolCall { id: id.clone(), ..ToolCall::default() }).collect();
            ChatMessage { role: ChatRole::Assistant, calls, ..ChatMessage::default() }
        }
        Some('T') => ChatMessage { role: ChatRole::Tool, answers: ids, ..ChatMessage::default() },
        Some('s') => created_as(CreatedKind::Summary),
        Some('n') => created_as(CreatedKind::Notice),
        Some('p') => created_as(CreatedKind::Pinned),
        Some('Q') => ChatMessage { role: ChatRole::User, text: "Why?".to_owned(), ..ChatMessage::default() },
        _ => ChatMessage { role: ChatRole::User, answers: ids, ..ChatMessage::default() },
    };
    ChatMessage { pinned: word.contains('+'), has_thinking: word.contains('~'), ..message }
}

fn planned(line: &str, keep_recent: usize) -> Result<(Range<usize>, Vec<usize>, u32), Skip> {
    plan(&conversation(line), keep_recent).map(|plan| (plan.range, plan.pinned, plan.level))
}

#[test]
fn r7_4_leading_system_messages_and_the_newest_messages_stay() {
    assert_eq!(planned("S S U A U A U A", 2), Ok((2..6, vec![], 1)));
    assert_eq!(planned("U A U A", 1), Ok((0..3, vec![], 1)));
    assert_eq!(planned("S U A S U A", 2), Ok((1..4, vec![], 1)), "only leading ones are the head");
}

#[test]
fn r7_4_no_result_stays_without_its_call() {
    assert_eq!(planned("U U A12 T1 T2 A3 T3", 3), Ok((0..2, vec![], 1)));
    assert_eq!(planned("U U A12 U12 A3 U3", 3), Ok((0..2, vec![], 1)), "Anthropic's form");
}

#[test]
fn r7_4_open_calls_stay_even_if_no_recent_message_is_kept() {
    assert_eq!(planned("U A1 T1 A23 T2", 0), Ok((0..3, vec![], 1)));
    assert_eq!(planned("U A1 T1 A", 0), Ok((0..4, vec![], 1)));
}

#[test]
fn edge_24_a_turn_keeps_its_thinking() {
    assert_eq!(planned("U A U A1~ T1 A2 T2 A3 T3", 2), Ok((0..3, vec![], 1)));
    assert_eq!(planned("U A1~ T1 A2~ T2 A3~ T3", 2), Ok((0..5, vec![], 1)));
}

#[test]
fn edge_24_a_long_turn_is_summarised_and_its_thinking_is_carried_over_the_summary() {
    let line = "S U A1~ T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7";
    let plan = plan(&conversation(line), 2).unwrap();
    assert_eq!((plan.range, plan.pinned, plan.carried), (1..14, vec![], vec![2, 3]));
}

#[test]
fn r7_11_the_summary_must_quote_the_current_request_unless_its_message_stays() {
    let must_quote = |line| plan(&conversation(line), 2).unwrap().must_quote_request;
    assert!(
        must_quote("S Q A1 T1 A2 T2 A3 T3") && must_quote("S s A1 T1 A2 T2 A3 T3"),
        "also after an earlier summary"
    );
    assert!(!must_quote("S Q A Q A Q A") && !must_quote("S Q A1 T1 A Q A") && !must_quote("S Q+ A1 T1 A2 T2 A3 T3"));
    let plan_after = |change: fn(&mut ChatMessage)| {
        let mut messages = conversation("S Q A1 T1 A2 T2 A3 T3");
        change(&mut messages[1]);
        let plan = plan(&messages, 2).unwrap();
        (plan.carried, plan.must_quote_request)
    };
    assert_eq!(plan_after(|_| ()), (vec![], true));
    for change in [
        |request: &mut ChatMessage| request.text = "two\nlines".to_owned(),
        |request: &mut ChatMessage| request.text = "long ".repeat(100),
        |request: &mut ChatMessage| request.text = "/review".to_owned(),
        |request: &mut ChatMessage| request.tokens = 900.0,
    ] {
        assert_eq!(plan_after(change), (vec![1], false), "carried: one line can't quote it");
    }
}

#[test]
fn edge_20_a_pinned_message_is_pinned_with_its_call_and_all_results() {
    assert_eq!(planned("S U+ A12 T1+ T2 U A U A", 1), Ok((1..8, vec![1, 2, 3, 4], 1)));
}

#[test]
fn edge_20_pinning_all_user_messages_does_not_pin_summaries_and_notices() {
    assert_eq!(planned("S s+ n+ A U+ A U A", 2), Ok((1..6, vec![4], 2)));
}

#[test]
fn edge_20_pinned_copies_of_an_earlier_compression_stay_with_the_leading_messages() {
    assert_eq!(planned("S p p s U A U A", 2), Ok((3..6, vec![], 2)));
}

#[test]
fn r7_10_there_is_no_plan_without_new_messages_to_summarise() {
    assert_eq!(planned("", 10), Err(Skip::NothingBetween));
    assert_eq!(planned("S U A", 10), Err(Skip::NothingBetween));
    assert_eq!(planned("S A1 T1 T1 T1", 1), Err(Skip::NothingBetween));
    assert_eq!(planned("S s n U A", 2), Err(Skip::OnlyEarlierSummary));
    assert_eq!(planned("S s U+ U A", 2), Err(Skip::OnlyEarlierSummary));
    assert_eq!(planned("S U+ U A", 2), Err(Skip::AllPinned));
}

#[test]
fn r7_8_the_level_is_one_above_the_highest_level_in_the_range() {
    let mut messages = conversation("S s U A U A");
    messages[1].level = 4;
    assert_eq!(plan(&messages, 2).map(|plan| plan.level), Ok(5));
    assert_eq!(Skip::NothingBetween.name(), "nothing_between");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn r7_4_a_planned_compression_leaves_a_conversation_as_valid_as_before(
        messages in any_conversation(),
        keep_recent in 0..20_usize,
    ) {
        let Ok(plan) = plan(&messages, keep_recent) else { return Ok(()) };
        let newest: usize = messages[plan.range.end..].iter().map(ChatMessage::chat_message_count).sum();
        prop_assert!(newest >= keep_recent, "the newest stay");
        prop_assert!(plan.range.start >= system_len(&messages) && plan.range.end <= messages.len());
        prop_assert!(plan.pinned.iter().all(|index| plan.range.contains(index)));
        prop_assert!(plan.pinned.len() < plan.range.len());
        let summary = ChatMessage { role: ChatRole::User, created_as: Some(CreatedKind::Summary), ..ChatMessage::default() };
        let mut kept = messages[..plan.range.start].to_vec();
        kept.extend(plan.pinned.iter().map(|&index| messages[index].clone()));
        kept.push(summary);
        kept.extend(plan.carried.iter().map(|&index| messages[index].clone()));
        kept.extend_from_slice(&messages[plan.range.end..]);
        prop_assert!(!is_validly_paired(&messages) || is_validly_paired(&kept), "{:?}", plan);
        prop_assert!(!last_turn_keeps_its_thinking(&messages) || last_turn_keeps_its_thinking(&kept), "{:?}", plan);
    }
}

#[test]
fn r7_4_joined_items_of_an_assistant_message_count_once_and_are_never_separated() {
    let item = |role, calls: &[&str], answers: &[&str], is_joined| ChatMessage {
        role,
        text: "words".into(),
        calls: calls.iter().map(|id| ToolCall { id: (*id).into(), ..ToolCall::default() }).collect(),
        answers: answers.iter().map(|id| (*id).into()).collect(),
        is_joined,
        ..ChatMessage::default()
    };
    let mut messages = vec![item(ChatRole::User, &[], &[], false)];
    for (first, second) in [("a", "b"), ("c", "d"), ("e", "f")] {
        messages.push(item(ChatRole::Assistant, &[], &[], false));
        messages.push(item(ChatRole::Assistant, &[first], &[], true));
        messages.push(item(ChatRole::Assistant, &[second], &[], true));
        messages.push(item(ChatRole::Tool, &[], &[first], false));
        messages.push(item(ChatRole::Tool, &[], &[second], false));
    }
    // The chat format has one message with both calls, and one for each result: three a round.
    for (keep_recent, end) in [(1, 11), (3, 11), (4, 6), (6, 6)] {
        assert_eq!(plan(&messages, keep_recent).expect("a plan").range, 0..end, "{keep_recent}");
    }
}
