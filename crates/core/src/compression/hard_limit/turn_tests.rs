//! Turns that exceed the limit by themselves.

use super::*;

#[test]
fn r7_11_the_current_request_stays_if_ten_parallel_results_exceed_the_window() {
    let ids = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let mut messages = vec![system(100), user(300), assistant(&[], 20), user(400), assistant(&ids, 50)];
    messages.extend(ids.iter().map(|id| tool(id, 900)));
    let cut = cut_of(&messages, 3_800.0);
    assert_eq!(dropped(&cut), (vec![1, 2], Some(3)), "only the turn before it is dropped");
    assert_eq!(cut.shortened.len(), 10);
    assert!(cut.shortened.iter().all(|short| short.index > 4 && short.max_tokens > 200.0), "{:?}", cut.shortened);
}

#[test]
fn r7_11_twenty_results_of_a_turn_are_shortened_rather_than_dropped() {
    let parallel: Vec<String> = (0..20).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = parallel.iter().map(String::as_str).collect();
    let mut at_once = vec![system(100), user(50), assistant(&ids, 100)];
    at_once.extend(ids.iter().map(|id| tool(id, 300)));
    let mut in_turn = vec![system(100), user(50)];
    for id in &ids {
        in_turn.extend([assistant(&[id], 20), tool(id, 300)]);
    }
    for messages in [at_once, in_turn] {
        let cut = cut_of(&messages, 3_800.0);
        assert_eq!(dropped(&cut), (vec![], None));
        assert!(cut.shortened.len() >= 19 && cut.shortened.iter().all(|short| short.max_tokens >= 76.0), "{cut:?}");
        assert!(cut.tokens_after <= 3_800.0 * 0.9);
    }
}

#[test]
fn r7_11_a_turn_that_is_too_long_loses_its_oldest_rounds_and_keeps_its_request() {
    let mut messages = vec![system(100), user(2_000), assistant(&[], 20), user(60)];
    for _ in 0..100 {
        messages.extend([assistant(&["a"], 30), tool("a", 60)]);
    }
    let cut = cut_of(&messages, 3_800.0);
    let (dropped, notice_at) = dropped(&cut);
    assert_eq!(notice_at, Some(3), "before the request, since messages before it are dropped");
    assert!(dropped.starts_with(&[1, 2, 4, 5]) && dropped.iter().all(|&index| index < 160), "{dropped:?}");
    assert!(cut.tokens_after > 3_800.0 * 0.7 && cut.tokens_after <= 3_800.0 * 0.75);
}

#[test]
fn r7_11_a_request_larger_than_the_limit_is_shortened_and_stays_with_the_newest_round() {
    let messages = [system(100), user(9_000), assistant(&["a"], 20), tool("a", 2_000)];
    let cut = cut_of(&messages, 3_800.0);
    let kept: Vec<usize> = cut.shortened.iter().map(|short| short.index).collect();
    assert_eq!((dropped(&cut), kept), ((vec![], None), vec![1, 3]));
    assert!(cut.shortened[0].max_tokens >= 1_900.0);
}

#[test]
fn r7_11_an_open_call_is_not_dropped_if_later_calls_of_its_turn_have_results() {
    let mut messages = vec![system(10), user(10), assistant(&["open", "done"], 10), tool("done", 100)];
    for _ in 0..50 {
        messages.extend([assistant(&["a"], 10), tool("a", 50)]);
    }
    let (dropped, notice_at) = dropped(&cut_of(&messages, 1_000.0));
    assert!(!dropped.contains(&2) && !dropped.contains(&3) && dropped.len() > 60, "{dropped:?}");
    assert_eq!(notice_at, Some(2));
    let too_large = [system(10), user(10), assistant(&["open"], 10), tool("x", 5), assistant(&["open too"], 0)];
    let huge = ToolCall { arguments: "x".repeat(9_000), ..too_large[4].calls[0].clone() };
    let mut too_large = too_large.to_vec();
    too_large[4] = ChatMessage { calls: vec![huge], tokens: 3_000.0, ..too_large[4].clone() };
    let refused = cut(&too_large, 0.0, 1_000.0, 10, NOTICE_TOKENS).unwrap_err();
    assert!(is_near(refused.pending_tokens, 3_010.0) && is_near(refused.system_tokens, 10.0));
}

#[test]
fn r7_11_text_sent_with_results_is_a_request_and_only_the_results_are_shortened() {
    let mixed = ChatMessage { units_beside_results: 900, answers: vec!["a".to_owned()], ..user(5_300) };
    let messages = [system(10), user(400), assistant(&["a"], 10), mixed, assistant(&["b"], 10), tool("b", 10)];
    let cut = cut_of(&messages, 1_000.0);
    assert_eq!(dropped(&cut).0, [1]);
    assert_eq!(cut.shortened.iter().map(|short| short.index).collect::<Vec<_>>(), [3]);
    assert!(cut.shortened[0].max_tokens >= 300.0);
}

#[test]
fn r7_11_the_notice_reserves_room_for_a_request_only_if_the_summary_with_it_is_dropped() {
    let notice = NoticeTokens { request: 50.0, ..NOTICE_TOKENS };
    let tokens_of = |summary| {
        let messages = [
            system(100),
            ChatMessage { tokens: summary, ..created_as(CreatedKind::Summary, 1) },
            assistant(&["a"], 300),
            tool("a", 300),
            thinking(assistant(&["b"], 500)),
            tool("b", 20),
        ];
        let cut = cut(&messages, 0.0, 1_000.0, 2, notice).unwrap();
        (dropped(&cut).0, cut.tokens_after)
    };
    assert_eq!(tokens_of(200.0), (vec![2, 3], 100.0 + 200.0 + NOTICE + 520.0));
    assert_eq!(tokens_of(700.0), (vec![1, 2, 3], 100.0 + NOTICE + 50.0 + 520.0));
}

#[test]
fn r7_11_the_notice_is_short_if_there_is_little_room() {
    let messages = [system(100), assistant(&[], 900), user(700)];
    let notice = NoticeTokens { full: 400.0, short: 60.0, request: 0.0 };
    let cut = cut(&messages, 0.0, 1_000.0, 10, notice).unwrap();
    assert_eq!((dropped(&cut), cut.is_notice_short), ((vec![1], Some(2)), true));
    assert!(is_near(cut.tokens_after, 860.0));
}
