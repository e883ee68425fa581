#[path = "hard_limit/turn_tests.rs"]
mod turn_tests;

use super::*;
use crate::compression::conversations_for_tests::{assistant, created_as, pinned, system, thinking, tool, user};
use crate::compression::message::{CreatedKind, ToolCall};

pub(super) const NOTICE: f64 = 60.0;
pub(super) const NOTICE_TOKENS: NoticeTokens = NoticeTokens { full: NOTICE, short: NOTICE, request: 0.0 };

/// Cuts with no fixed tokens and `keep_recent` 10.
fn cut_of(messages: &[ChatMessage], limit_tokens: f64) -> HistoryCut {
    cut(messages, 0.0, limit_tokens, 10, NOTICE_TOKENS).unwrap()
}

/// The removed messages and the place of the notice.
fn dropped(cut: &HistoryCut) -> (Vec<usize>, Option<usize>) {
    (cut.dropped.iter().cloned().flatten().collect(), cut.notice_at)
}

pub(super) fn is_near(tokens: f64, expected: f64) -> bool {
    (tokens - expected).abs() < 1e-6
}

#[test]
fn r7_11_a_conversation_below_the_limit_is_not_cut() {
    let messages = [system(100), user(100), created_as(CreatedKind::Notice, 60), user(40)];
    let cut = cut_of(&messages, 300.0);
    assert_eq!(dropped(&cut), (vec![], None));
    assert!(cut.shortened.is_empty() && is_near(cut.tokens_after, 300.0));
}

#[test]
fn req_3_4_system_and_newest_messages_stay() {
    let messages: Vec<ChatMessage> = [system(100)].into_iter().chain((0..30).map(|_| user(50))).collect();
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut), ((1..21).collect(), Some(21)));
    assert!(is_near(cut.tokens_after, 100.0 + NOTICE + 500.0));
}

#[test]
fn r7_11_fewer_than_ten_messages_stay_to_leave_room_for_the_next_turn() {
    let messages: Vec<ChatMessage> = [system(100)].into_iter().chain((0..30).map(|_| user(100))).collect();
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(cut.notice_at, Some(24), "seven messages are below 900");
    assert!(is_near(cut.tokens_after, 860.0));
}

#[test]
fn r7_11_the_newest_round_stays_even_above_the_target() {
    let messages =
        [system(100), assistant(&["a"], 500), tool("a", 10), user(30), assistant(&["b"], 20), tool("b", 750)];
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut), (vec![1, 2], Some(3)));
    assert!(cut.shortened.is_empty() && is_near(cut.tokens_after, 960.0));
}

#[test]
fn edge_23_no_result_stays_without_its_call() {
    let mut messages = vec![system(10), user(10)];
    for _ in 0..10 {
        messages.extend([assistant(&["call_0", "call_1"], 10), tool("call_0", 100), tool("call_1", 100)]);
    }
    let cut = cut_of(&messages, 600.0);
    assert_eq!(dropped(&cut), ((2..23).collect(), Some(23)));
}

#[test]
fn edge_20_pinned_messages_and_the_newest_summary_stay() {
    let messages = [
        system(10),
        created_as(CreatedKind::Pinned, 20),
        created_as(CreatedKind::Summary, 100),
        user(300),
        pinned(assistant(&["a"], 10)),
        tool("a", 10),
        created_as(CreatedKind::Summary, 100),
        user(300),
        user(300),
    ];
    assert_eq!(dropped(&cut_of(&messages, 700.0)), (vec![2, 3, 7], Some(8)));
}

#[test]
fn r7_11_an_earlier_notice_is_dropped_only_if_a_new_one_is_added() {
    let messages = [system(10), created_as(CreatedKind::Notice, 60), user(300), user(300)];
    assert_eq!(dropped(&cut_of(&messages, 500.0)), (vec![1, 2], Some(3)));
    let only_shortened = [system(10), created_as(CreatedKind::Notice, 60), tool("x", 900)];
    let cut = cut_of(&only_shortened, 500.0);
    assert_eq!((dropped(&cut), cut.shortened.len()), ((vec![], None), 1));
}

#[test]
fn edge_24_dropping_the_notice_between_two_turns_does_not_merge_them() {
    let mut messages =
        vec![system(10), user(500), assistant(&["a"], 10), tool("a", 10), created_as(CreatedKind::Notice, 60)];
    messages.extend([thinking(assistant(&["b"], 10)), tool("b", 10), assistant(&["c"], 10), tool("c", 10)]);
    messages.insert(1, assistant(&[], 400));
    assert_eq!(
        dropped(&cut_of(&messages, 1_000.0)),
        (vec![1, 3, 4, 5], Some(6)),
        "and the turn is not merged with the request before it"
    );
}

#[test]
fn edge_1_messages_are_dropped_if_shortening_would_barely_reach_the_limit() {
    let messages = [system(700), thinking(assistant(&["a"], 200)), tool("a", 20)];
    assert_eq!(dropped(&cut_of(&messages, 910.0)), (vec![1, 2], Some(3)));
}

#[test]
fn edge_15_a_single_huge_result_is_shortened_and_its_request_stays() {
    let messages = [system(100), user(50), assistant(&["a", "b"], 20), tool("a", 50_000), tool("b", 100)];
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut), (vec![], None), "no notice without a gap");
    assert_eq!(cut.shortened, [ShortenedMessage { index: 3, max_tokens: 630.0 }]);
    assert!(is_near(cut.tokens_after, 900.0));
}

#[test]
fn r7_11_the_largest_results_are_shortened_to_one_length_and_small_ones_are_unchanged() {
    let messages = [system(100), assistant(&["a", "b", "c"], 0), tool("a", 5_000), tool("b", 3_000), tool("c", 300)];
    let cut = cut_of(&messages, 2_000.0);
    assert_eq!(cut.shortened.iter().map(|short| short.index).collect::<Vec<_>>(), [2, 3]);
    assert!(cut.shortened.iter().all(|short| is_near(short.max_tokens, 700.0)), "{:?}", cut.shortened);
}

#[test]
fn r7_11_other_texts_are_shortened_only_if_results_do_not_suffice() {
    let results = [system(100), user(2_000)];
    let cut = cut_of(&results, 1_000.0);
    assert_eq!(cut.shortened, [ShortenedMessage { index: 1, max_tokens: 800.0 }], "the task is cut short, not dropped");
    let messages = [system(100), assistant(&["a"], 2_000), tool("a", 2_000)];
    let cut = cut_of(&messages, 1_000.0);
    let expected = [ShortenedMessage { index: 1, max_tokens: 760.0 }, ShortenedMessage { index: 2, max_tokens: 40.0 }];
    assert_eq!(cut.shortened, expected);
}

#[test]
fn edge_24_a_message_with_thinking_is_dropped_rather_than_shortened() {
    let messages = [system(100), thinking(assistant(&["a"], 700)), tool("a", 900)];
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(cut.shortened, [ShortenedMessage { index: 2, max_tokens: 100.0 }]);
    let too_large = [system(100), thinking(assistant(&["a"], 1_200)), tool("a", 900)];
    assert_eq!(dropped(&cut_of(&too_large, 1_000.0)), (vec![1, 2], Some(3)));
}

#[test]
fn edge_24_a_long_message_with_thinking_is_shortened_if_its_turn_has_an_open_call() {
    let pending = [assistant(&["b"], 20)];
    let messages: Vec<ChatMessage> = [system(100), user(50), thinking(assistant(&["a"], 5_000)), tool("a", 900)]
        .into_iter()
        .chain(pending)
        .collect();
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut), (vec![], None), "a provider requires the thinking, and the result of its call");
    assert!(cut.shortened.iter().any(|short| short.index == 2) && cut.tokens_after <= 1_000.0, "{:?}", cut.shortened);
}

#[test]
fn edge_8_and_24_a_turn_of_hundreds_of_calls_keeps_its_request_and_thinking() {
    let mut messages = vec![system(10), user(10), thinking(assistant(&["t"], 10)), tool("t", 10)];
    for _ in 0..200 {
        messages.extend([assistant(&["a"], 10), tool("a", 100)]);
    }
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(
        dropped(&cut),
        ((4..382).collect(), Some(2)),
        "the request stays, and the notice is before the thinking"
    );
    assert!(cut.tokens_after <= 750.0, "room for the next messages");
}

#[test]
fn edge_29_an_image_is_dropped_rather_than_shortened_as_text() {
    let image = ChatMessage { text: "screenshot".to_owned(), tokens: 3_000.0, ..tool("a", 0) };
    let messages = [system(100), user(10), assistant(&["a"], 20), image];
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut), (vec![2, 3], Some(4)));
}

#[test]
fn r7_11_the_newest_of_ninety_eight_images_stay() {
    let mut messages = vec![system(100)];
    messages.extend((0..98).map(|_| ChatMessage { text: String::new(), tokens: 1_500.0, ..user(0) }));
    let cut = cut_of(&messages, 10_000.0);
    assert_eq!(cut.notice_at, Some(94));
}

#[test]
fn r7_11_pinned_messages_are_dropped_before_the_summary_and_the_newest_stay() {
    let messages = [system(100), pinned(user(2_000)), created_as(CreatedKind::Summary, 200), user(300), user(100)];
    assert_eq!(dropped(&cut_of(&messages, 1_000.0)), (vec![1], Some(2)));
    let cut = cut(&messages, 0.0, 1_000.0, 1, NOTICE_TOKENS).unwrap();
    assert_eq!(dropped(&cut), (vec![1, 3], Some(4)), "the summary stays without being one of the newest");
    let large_summary = [system(100), created_as(CreatedKind::Summary, 2_000), user(300), user(100)];
    assert_eq!(dropped(&cut_of(&large_summary, 1_000.0)), (vec![1], Some(2)));
}

#[test]
fn r7_11_a_system_prompt_above_the_limit_is_reported() {
    let messages = [system(900), user(100)];
    let refused = cut(&messages, 50.0, 980.0, 10, NOTICE_TOKENS);
    assert_eq!(refused, Err(CannotFit { system_tokens: 950.0, pending_tokens: 0.0 }));
    assert!(cut(&[system(900)], 50.0, 940.0, 10, NOTICE_TOKENS).is_err());
    assert!(cut(&[], 50.0, 10.0, 10, NOTICE_TOKENS).is_err());
}

#[test]
fn r7_4_open_calls_are_not_separated_from_later_messages() {
    let messages = [system(10), user(500), assistant(&["a", "b"], 10), tool("a", 100), user(10)];
    assert_eq!(dropped(&cut(&messages, 0.0, 400.0, 1, NOTICE_TOKENS).unwrap()), (vec![1], Some(2)));
}
