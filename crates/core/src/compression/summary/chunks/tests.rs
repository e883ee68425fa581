use proptest::prelude::*;

use super::*;
use crate::compression::conversations_for_tests::{lines, message_of};
use crate::compression::message::{ChatRole, ToolCall};

fn model() -> Model {
    Model::named("gpt-4o-mini")
}

fn call(id: &str, arguments: &str) -> ChatMessage {
    let call = ToolCall { id: id.into(), name: "bash".into(), arguments: arguments.into() };
    ChatMessage { calls: vec![call], ..message_of(ChatRole::Assistant, "") }
}

fn result(id: &str, text: &str) -> ChatMessage {
    ChatMessage { answers: vec![id.into()], ..message_of(ChatRole::Tool, text) }
}

/// The quoted text below the header of message `number`.
fn quoted(history: &str, number: usize) -> &str {
    let after = history.split_once(&format!(" #{number} ")).unwrap().1.split_once("]\n").unwrap().1;
    let header: String = history.chars().take(6).collect();
    after.split_once(&format!("\n{header}")).unwrap().0
}

#[test]
fn r7_5_messages_that_fit_are_quoted_whole() {
    let messages = [message_of(ChatRole::User, "do it"), call("1", "{\"command\":\"ls\"}"), result("1", "a b c")];
    let history = QuotedHistory::new(&messages, &[], model());
    let word = history.boundary.word.clone();
    let expected = format!(
        "[{word} #1 user]\ndo it\n[{word} #2 assistant calls bash]\n{{\"command\":\"ls\"}}\n[{word} #3 result of bash `ls`]\na b c\n[{word} end]"
    );
    assert_eq!(history.in_one_part(1_000.0).as_deref(), Some(expected.as_str()));
    assert_eq!(history.in_one_part(10.0), None);
}

#[test]
fn edge_14_long_tool_results_are_shortened_before_user_messages() {
    let messages = [message_of(ChatRole::User, &lines(300)), call("1", "{}"), result("1", &lines(3_000))];
    let history = QuotedHistory::new(&messages, &[], model());
    let quoted = history.in_one_part(6_000.0).unwrap();
    assert!(quoted.contains(lines(300).trim_end()), "the request was shortened");
    assert!(quoted.contains("line 2999 ") && quoted.contains("shortened") && !quoted.contains("line 1500 "));
    assert!(model().count(&quoted) <= 6_000.0 && model().count(&quoted) > 5_900.0);
}

/// `number` calls, each with a result of `result_lines` lines; every third one failed.
fn calls_with_results(number: usize, result_lines: usize) -> Vec<ChatMessage> {
    let calls = (0..number).flat_map(|at| {
        let id = at.to_string();
        let failed = ChatMessage { failed: at % 3 == 0, ..result(&id, &lines(result_lines)) };
        [call(&id, &format!("{{\"command\":\"step {at}\"}}")), failed]
    });
    [message_of(ChatRole::User, "do it")].into_iter().chain(calls).collect()
}

#[test]
fn r7_5_long_results_fill_at_least_95_percent_of_the_request() {
    for (number, result_lines) in [(4, 2_000), (20, 300), (60, 120), (100, 400)] {
        let messages = calls_with_results(number, result_lines);
        let history = QuotedHistory::new(&messages, &[], model());
        for limit in [20_000.0, 30_000.0, 55_000.0] {
            let all = model().count(&history.in_one_part(1e9).unwrap());
            let used = model().count(&history.in_one_part(limit).unwrap());
            assert!(
                used <= limit && (used >= 0.95 * limit || used >= all),
                "{number} × {result_lines}: {used} of {limit}"
            );
        }
    }
}

#[test]
fn r7_5_the_newest_and_failed_results_keep_the_most() {
    let messages = calls_with_results(30, 300);
    let history = QuotedHistory::new(&messages, &[], model());
    let whole = history.in_one_part(20_000.0).unwrap();
    // Message 3 is the first result and failed, 5 succeeded; 57 and 59 are among the newest.
    let length = |number: usize| quoted(&whole, number).len();
    assert!(length(3) > 2 * length(5), "{} {}", length(3), length(5));
    assert!(length(59) > 2 * length(5) && length(57) > 2 * length(59), "{} {}", length(57), length(59));
    assert!(length(5) > 200, "the oldest keeps a part too");
}

#[test]
fn r7_5_every_part_of_a_split_history_is_filled() {
    let messages = calls_with_results(500, 60);
    let history = QuotedHistory::new(&messages, &[], model());
    let parts = history.in_parts(9_000.0);
    assert!((2..20).contains(&parts.len()), "{}", parts.len());
    for part in &parts[..parts.len() - 1] {
        assert!((8_000.0..=9_000.0).contains(&model().count(part)), "{}", model().count(part));
    }
}

#[test]
fn edge_14_a_split_never_separates_a_call_from_its_results() {
    let mut messages = Vec::new();
    for turn in 0..60 {
        messages.push(message_of(ChatRole::User, &lines(12)));
        // The same id in every turn, and two results.
        let mut assistant = call("call_0", "{}");
        assistant.calls.push(ToolCall { id: "call_1".into(), ..ToolCall::default() });
        messages.extend([assistant, result("call_1", &format!("second {turn}")), result("call_0", &lines(12))]);
    }
    let history = QuotedHistory::new(&messages, &[], model());
    assert_eq!(history.groups.len(), 120);
    let parts = history.in_parts(1_500.0);
    assert!((3..60).contains(&parts.len()), "{}", parts.len());
    for part in &parts {
        assert_eq!(part.matches("assistant calls bash").count(), part.matches("result of bash").count());
        assert_eq!(part.matches("assistant calls a tool").count(), part.matches("result of a tool").count());
        assert!(model().count(part) <= 1_500.0);
    }
    let numbers: Vec<usize> =
        (1..=messages.len()).filter(|number| parts.concat().contains(&format!(" #{number} "))).collect();
    assert_eq!(numbers.len(), messages.len());
}

#[test]
fn edge_14_a_message_too_large_for_a_part_and_a_thousand_parallel_calls_are_cut_to_fit() {
    let mut parallel = call("0", "{}");
    parallel.calls =
        (0..1_000).map(|id| ToolCall { id: id.to_string(), name: "read".into(), arguments: lines(3) }).collect();
    let results: Vec<ChatMessage> = (0..1_000).map(|id| result(&id.to_string(), "ok")).collect();
    let messages = [vec![message_of(ChatRole::User, &lines(20_000)), parallel], results].concat();
    let history = QuotedHistory::new(&messages, &[], model());
    for part in history.in_parts(800.0) {
        assert!(model().count(&part) <= 800.0);
        assert!(part.ends_with(&format!("\n[{} end]", history.boundary.word)));
    }
}

#[test]
fn r7_5_a_shortened_quotation_is_still_closed() {
    let history = QuotedHistory::new(&[message_of(ChatRole::User, &lines(500))], &[], model());
    let whole = history.in_one_part(1e9).unwrap();
    for limit in [10.0, 40.0, 400.0] {
        let cut = history.cut(&whole, limit);
        assert!(model().count(&cut) <= limit && cut.ends_with(" end]"), "{cut}");
    }
    assert_eq!(history.cut(&whole, 1e9), whole);
}

fn any_messages() -> impl Strategy<Value = Vec<ChatMessage>> {
    let text = prop_oneof![
        6 => "(\\PC|\n|你|😀|q[0-9a-f]{4} ){0,40}".boxed(),
        2 => (1_usize..300).prop_map(lines).boxed(),
        1 => (1_usize..3_000).prop_map(|length| "a9 /+".repeat(length)).boxed(),
        1 => (1_usize..3_000).prop_map(|length| "\u{1b}[1m我们😀".repeat(length)).boxed(),
    ];
    let roles = prop::sample::select(vec![
        ChatRole::User,
        ChatRole::Assistant,
        ChatRole::Tool,
        ChatRole::System,
        ChatRole::Other,
    ]);
    let id = prop::sample::select(vec!["", "a", "b", "c"]);
    let message =
        (roles, text.clone(), prop::collection::vec((id.clone(), text), 0..3), prop::collection::vec(id, 0..3));
    let message = message.prop_map(|(role, text, calls, answers)| ChatMessage {
        calls: calls
            .into_iter()
            .map(|(id, arguments)| ToolCall { id: id.into(), name: "x\n] [".into(), arguments })
            .collect(),
        answers: answers.into_iter().map(str::to_owned).collect(),
        ..message_of(role, &text)
    });
    prop::collection::vec(message, 0..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn r7_5_no_part_is_above_its_budget_and_no_quoted_text_contains_the_boundary(
        messages in any_messages(),
        budget in 60_u32..3_000,
        name in prop::sample::select(vec!["gpt-4o", "claude-opus-4-7", "qwen3", "?"]),
    ) {
        let model = Model::named(name);
        let budget = f64::from(budget);
        let history = QuotedHistory::new(&messages, &["q1234"], model);
        let parts = history.in_one_part(budget).map_or_else(|| history.in_parts(budget), |whole| vec![whole]);
        let word = &history.boundary.word;
        for part in &parts {
            prop_assert!(model.count(part) <= budget, "{} > {budget}", model.count(part));
            let at_line_start = part.lines().filter(|line| line.starts_with(&format!("[{word}"))).count();
            prop_assert_eq!(part.matches(word).count(), at_line_start);
        }
        let covered: usize = history.groups.iter().map(std::iter::ExactSizeIterator::len).sum();
        prop_assert_eq!(covered, messages.len());
    }
}
