//! Pictures of synthetic sessions: a few computed by hand, and random ones.

use proptest::prelude::*;
use serde_json::{Value, json};

use palimpsest_sessions::account::picture::{AdviceKind, MessagePage, SessionPicture, ThreadPicture};
use palimpsest_sessions::account::to_json;
use palimpsest_sessions::{Session, read_sessions};

/// One request of a Claude Code session: the user message, the calls in the response, and their results.
#[derive(Debug, Clone)]
struct Turn {
    minute: u32,
    text: String,
    /// Tool, path or command, and number of words of the result.
    calls: Vec<(bool, u8, usize)>,
    usage: Option<(u64, u64, u64)>,
    is_compacted: bool,
}

fn session_of(turns: &[Turn]) -> Session {
    session_by(turns, |_| "claude-opus-4-5")
}

/// `model` returns the model of a turn.
fn session_by(turns: &[Turn], model: impl Fn(usize) -> &'static str) -> Session {
    let mut lines: Vec<Value> = Vec::new();
    let mut before = Value::Null;
    for (number, turn) in turns.iter().enumerate() {
        let at = |second: u32| {
            let (hour, minute) = (turn.minute / 60 % 24, turn.minute % 60);
            format!("2026-01-{:02}T{hour:02}:{minute:02}:{second:02}Z", 1 + turn.minute / 1440)
        };
        let mut push = |kind: &str, uuid: String, second: u32, message: Value| {
            lines.push(json!({"type": kind, "uuid": uuid, "parentUuid": before, "isSidechain": false, "sessionId": "s", "cwd": "/p", "timestamp": at(second), "message": message}));
            before = Value::from(uuid);
        };
        if turn.is_compacted {
            push("user", format!("c{number}"), 0, json!({"role": "user", "content": "summary"}));
        }
        push("user", format!("u{number}"), 1, json!({"role": "user", "content": turn.text}));
        let mut content = vec![json!({"type": "text", "text": "I look"})];
        for (at, (is_read, name, _)) in turn.calls.iter().enumerate() {
            let id = format!("t{number}-{at}");
            content.push(if *is_read {
                json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": format!("/p/{name}.rs")}})
            } else {
                json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("run {name}")}})
            });
        }
        let mut answer =
            json!({"role": "assistant", "id": format!("m{number}"), "model": model(number), "content": content});
        if let Some((input, read, written)) = turn.usage {
            answer["usage"] = json!({"input_tokens": input, "cache_read_input_tokens": read, "cache_creation_input_tokens": written, "output_tokens": 10});
        }
        push("assistant", format!("a{number}"), 2, answer);
        if !turn.calls.is_empty() {
            let results = turn.calls.iter().enumerate().map(|(at, (_, _, words))| {
                json!({"type": "tool_result", "tool_use_id": format!("t{number}-{at}"), "content": "word ".repeat(*words)})
            });
            let results: Vec<Value> = results.collect();
            push("user", format!("r{number}"), 3, json!({"role": "user", "content": results}));
        }
    }
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    read_sessions(text.join("\n").as_bytes()).unwrap().remove(0)
}

fn picture_of(session: &Session) -> SessionPicture {
    SessionPicture::of(session, &crate::support::settings())
}

fn turn(minute: u32, calls: &[(bool, u8, usize)]) -> Turn {
    Turn { minute, text: "go on".to_owned(), calls: calls.to_vec(), usage: None, is_compacted: false }
}

#[test]
fn r10_9_a_repeated_command_makes_its_earlier_results_outdated() {
    let run = |minute| turn(minute, &[(false, 1, 3000)]);
    // A system prompt long enough to be cached.
    let first = Turn { usage: Some((0, 0, 20_000)), ..run(0) };
    let runs = std::iter::once(first).chain((1..6).map(run));
    let session = session_of(&runs.chain([turn(6, &[]), turn(60, &[]), turn(61, &[])]).collect::<Vec<_>>());
    let picture = picture_of(&session);
    let [thread] = picture.threads.as_slice() else { panic!("{picture:?}") };
    let stale: Vec<_> = thread.cells.iter().filter(|cell| cell.stale_from.is_some()).collect();
    let since: Vec<_> = stale.iter().map(|cell| (cell.stale_from, cell.replaced_from)).collect();
    let expected: Vec<_> = (2..7).map(|request| (Some(request), Some(request))).collect();
    assert_eq!(since, expected, "from the request after the next run on");
    for cell in &stale {
        let run = (cell.label.as_str(), picture.tools[cell.tool.unwrap()].as_str(), cell.rule.as_deref());
        assert_eq!(run, ("Bash: run 1", "Bash", Some("repeatedCommands")));
        assert!(cell.placeholder.as_deref().is_none_or(|text| !text.is_empty()));
    }
    let saved: f64 = stale.iter().map(|cell| cell.tokens - cell.tokens_replaced.unwrap()).sum();
    assert!(saved > 0.9 * 5.0 * 3_000.0);
    assert!((thread.requests[7].tokens - thread.requests[7].tokens_view - saved).abs() < 1e-6);
    assert_eq!(thread.requests[7].cached_cells, 0, "after a pause of an hour");
    assert!(thread.requests[8].cached_cells > 0, "after a pause of a minute");
}

#[test]
fn r12_3_requests_to_several_models_have_the_price_of_each_model_and_add_up_to_the_bill() {
    let usage = Some((1_000, 20_000, 3_000));
    let turns: Vec<Turn> = (0..6).map(|minute| Turn { usage, ..turn(minute, &[]) }).collect();
    let session = session_by(&turns, |number| if number % 3 == 2 { "claude-haiku-4-5" } else { "claude-opus-4-5" });
    let picture = picture_of(&session);
    let session_costs = &picture.threads[0].costs[0];
    let usd = session_costs.usd_per_million.unwrap() / 1e6;
    let paid: Vec<f64> = session_costs.policies.paid.iter().flatten().map(|paid| paid.unwrap() * usd).collect();
    // `input`: dollars per million input tokens; reads cost 0.1 of it, writes 1.25.
    let by_hand = |input: f64| (1_000.0 + 0.1 * 20_000.0 + 1.25 * 3_000.0) * input / 1e6;
    for (number, paid) in paid.iter().enumerate() {
        let expected = by_hand(if number % 3 == 2 { 1.0 } else { 5.0 });
        assert!((paid - expected).abs() < 1e-9, "request {number}: {paid} instead of {expected}");
    }
    let unknown = picture_of(&session_by(&turns, |number| if number == 5 { "of-nobody" } else { "claude-opus-4-5" }));
    assert_eq!(unknown.threads[0].costs[0].usd_per_million, None, "no total without the price of each model");
}

#[test]
fn r12_2_text_and_each_call_of_an_assistant_message_are_separate_cells() {
    let session = session_of(&[turn(0, &[(true, 1, 5), (false, 2, 5)]), turn(1, &[])]);
    let picture = picture_of(&session);
    let cells = &picture.threads[0].cells;
    let found: Vec<_> = cells.iter().map(|cell| (picture.kinds[cell.kind], cell.part, cell.label.as_str())).collect();
    let expected = [
        ("user", None, "go on"),
        ("assistant", Some(0), "I look"),
        ("call", Some(1), "Read: /p/1.rs"),
        ("call", Some(2), "Bash: run 2"),
        ("result", Some(0), "Read: /p/1.rs"),
        ("result", Some(1), "Bash: run 2"),
        ("user", None, "go on"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn r8_7_the_advice_names_an_unused_tool_server_and_its_share_of_the_cost() {
    let tool = |server: &str| json!({"name": format!("mcp__{server}__find"), "description": "word ".repeat(4_000), "input_schema": {"type": "object"}});
    let call = json!({"type": "tool_use", "id": "c", "name": "mcp__used__find", "input": {}});
    let result = json!({"type": "tool_result", "tool_use_id": "c", "content": "found"});
    let messages = [
        json!({"role": "user", "content": "a"}),
        json!({"role": "assistant", "content": [call]}),
        json!({"role": "user", "content": [result]}),
    ];
    let exchange = |second: u32, messages: &[Value], read: u64, written: u64| {
        json!({"request": {"timestamp": format!("2026-01-01T00:00:{second:02}Z"),
                "body": {"model": "claude-opus-4-5", "tools": [tool("used"), tool("idle")], "messages": messages}},
            "response": {"body": {"role": "assistant", "content": [call],
                "usage": {"input_tokens": 0, "cache_read_input_tokens": read, "cache_creation_input_tokens": written, "output_tokens": 1}}}})
    };
    let log = [exchange(1, &messages[..1], 0, 8_100), exchange(2, &messages, 8_100, 30)].map(|line| line.to_string());
    let session = read_sessions(log.join("\n").as_bytes()).unwrap().remove(0);
    let picture = picture_of(&session);
    let [advice] = picture.advice.as_slice() else { panic!("{:?}", picture.advice) };
    assert_eq!(
        (advice.what, advice.times, advice.names.as_slice()),
        (AdviceKind::UnusedServers, 1, &["idle".to_owned()][..])
    );
    assert!((4_000.0..4_100.0).contains(&advice.tokens), "{}", advice.tokens);
    // Written at 1.25 × 5 dollars per million tokens, then read at 0.1; half of it belongs to the unused server.
    let half = (1.25 + 0.1) * 8_100.0 * 5e-6 / 2.0;
    assert!((advice.cost / half - 1.0).abs() < 0.03, "{} instead of {half}", advice.cost);
    assert_eq!(advice.saves, Some(advice.cost));
}

#[test]
fn r8_7_a_system_prompt_in_the_message_of_the_tools_does_not_count_as_an_unused_server() {
    let tool =
        json!({"type": "function", "function": {"name": "mcp__idle__find", "description": "word ".repeat(4_000)}});
    let system = json!({"content": "rule ".repeat(12_000), "tools": [tool]});
    let action = |id: u32, read: u64, written: u64| {
        json!({"id": id, "source": "agent", "action": "run", "tool_call_metadata": {"tool_call_id": format!("c{id}"), "model_response": {
            "id": format!("r{id}"), "model": "claude-opus-4-5",
            "usage": {"prompt_tokens": 0, "cache_read_input_tokens": read, "cache_creation_input_tokens": written, "completion_tokens": 1},
            "choices": [{"message": {"role": "assistant", "content": "next"}}]}}})
    };
    let events = json!([
        {"id": 0, "source": "agent", "action": "system", "args": system},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "go"}},
        action(2, 0, 16_100),
        action(3, 16_100, 30)]);
    let session = read_sessions(events.to_string().as_bytes()).unwrap().remove(0);
    let picture = picture_of(&session);
    let advice = picture.advice.iter().find(|advice| advice.what == AdviceKind::UnusedServers).unwrap();
    // Written at 1.25 × 5 dollars per million tokens, then read at 0.1; a quarter of the message is the tool.
    let quarter = (1.25 + 0.1) * 16_100.0 * 5e-6 / 4.0;
    assert!((advice.cost / quarter - 1.0).abs() < 0.05, "{} instead of {quarter}", advice.cost);
}

#[test]
fn r8_1_a_page_of_messages_has_the_requested_range_within_the_session() {
    let session = session_of(&[turn(0, &[(true, 1, 5)]), turn(1, &[])]);
    let total = session.messages.len();
    for (from, to, expected) in [(0, 2, 2), (1, 1, 0), (3, 99, total - 3), (99, 3, 0), (usize::MAX, usize::MAX, 0)] {
        let page: Value = serde_json::from_str(&to_json(&MessagePage::of(&session, from..to))).unwrap();
        assert_eq!(page["messages"].as_array().unwrap().len(), expected, "{from}..{to}");
        assert_eq!(page["total"], total);
    }
    let page: Value = serde_json::from_str(&to_json(&MessagePage::of(&session, 2..3))).unwrap();
    assert_eq!(page["messages"][0]["parts"][0]["type"], "result");
    assert_eq!(page["messages"][0]["parts"][0]["tool"], "Read");
}

fn any_turns() -> impl Strategy<Value = Vec<Turn>> {
    let call = (any::<bool>(), 0_u8..3, 0_usize..400);
    let usage = prop::option::weighted(0.7, (0_u64..3000, 0_u64..40_000, 0_u64..40_000));
    let one =
        (0_u32..40, "[a-z<\u{202e}\n ]{0,30}", prop::collection::vec(call, 0..4), usage, prop::bool::weighted(0.1));
    prop::collection::vec(one, 0..12).prop_map(|turns| {
        let mut now = 0;
        let each = turns.into_iter().map(|(gap, text, calls, usage, is_compacted)| {
            now += gap;
            Turn { minute: now, text, calls, usage, is_compacted }
        });
        each.collect()
    })
}

fn check(thread: &ThreadPicture, messages: usize) -> Result<(), TestCaseError> {
    for (number, request) in thread.requests.iter().enumerate() {
        let mut end = 0;
        let mut tokens = thread.fixed_tokens;
        let mut sent = thread.fixed_tokens;
        for &(from, to) in &request.prompt {
            prop_assert!(end <= from && from < to && to <= thread.cells.len());
            end = to;
            for cell in &thread.cells[from..to] {
                let is_replaced = cell.replaced_from.is_some_and(|from| from <= number);
                let is_cleared = cell.cleared_from.is_some_and(|from| from <= number);
                tokens += cell.tokens - if is_cleared { cell.tokens_cleared } else { 0.0 };
                sent += if is_replaced { cell.tokens_replaced.unwrap() } else { cell.tokens };
            }
            let places = thread.cells[from..to].windows(2);
            prop_assert!(places.into_iter().all(|pair| pair[0].message <= pair[1].message));
        }
        let is_near = |a: f64, b: f64| (a - b).abs() < 1e-6 * a.max(1.0);
        prop_assert!(is_near(request.tokens, tokens) && is_near(request.tokens_view, sent));
        prop_assert!(is_near(request.tokens_by_kind.iter().sum(), tokens));
        prop_assert!(request.cached_tokens <= sent + 1e-6);
    }
    for cell in &thread.cells {
        prop_assert!((cell.message as usize) < messages && cell.tokens >= 0.0);
        prop_assert!(cell.replaced_from.is_none_or(|at| cell.stale_from.is_some_and(|from| from <= at)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn r12_2_every_picture_has_ordered_ranges_and_consistent_sums(turns in any_turns().prop_filter("a session", |turns| !turns.is_empty())) {
        let session = session_of(&turns);
        let picture = picture_of(&session);
        prop_assert_eq!(picture.threads.len(), session.threads.len());
        for thread in &picture.threads {
            check(thread, picture.messages)?;
        }
        prop_assert!(serde_json::from_str::<Value>(&to_json(&picture)).is_ok());
    }
}
