//! Accounts of sessions small enough to compute by hand.

use std::fmt::Write;

use palimpsest_core::cache::prices::Prices;
use palimpsest_sessions::account::{Account, AccountSettings, CacheMissCause, PriceList, Surprise};

/// A request of a Claude Code session: minute, tokens uncached, read, written for five minutes.
type Line = (u32, u64, u64, u64);

fn account(lines: &[Line]) -> Account {
    let mut text = String::new();
    for (number, (minute, input, read, written)) in lines.iter().enumerate() {
        let before = number.checked_sub(1).map_or("null".to_owned(), |before| format!("\"a{before}\""));
        let at = |second: u32| format!("2026-01-01T{:02}:{:02}:{second:02}Z", minute / 60, minute % 60);
        write!(
            text,
            r#"{{"type":"user","uuid":"u{number}","parentUuid":{before},"isSidechain":false,"sessionId":"s","cwd":"/p","timestamp":"{}","message":{{"role":"user","content":"go on with it"}}}}
{{"type":"assistant","uuid":"a{number}","parentUuid":"u{number}","isSidechain":false,"sessionId":"s","timestamp":"{}","message":{{"role":"assistant","id":"m{number}","model":"claude-opus-4-5","content":[{{"type":"text","text":"done"}}],"usage":{{"input_tokens":{input},"cache_read_input_tokens":{read},"cache_creation_input_tokens":{written},"cache_creation":{{"ephemeral_5m_input_tokens":{written}}},"output_tokens":100}}}}}}
"#,
            at(0),
            at(1),
        )
        .unwrap();
    }
    let sessions = palimpsest_sessions::read_sessions(text.as_bytes()).unwrap();
    Account::of(&sessions[0], &AccountSettings { curves: true, ..crate::support::settings() })
}

#[test]
fn r12_3_a_session_that_reads_its_whole_prefix_costs_what_was_predicted() {
    let account = account(&[(0, 0, 0, 20_000), (1, 0, 20_000, 1_000), (2, 0, 21_000, 1_000)]);
    let bill = account.bill.unwrap();
    let by_hand = 1.25 * 22_000.0 + 0.1 * 41_000.0;
    assert!((bill.paid - by_hand).abs() < 1e-6 && (bill.predicted - by_hand).abs() < 1e-6, "{bill:?}");
    assert!((bill.paid_usd.unwrap() - by_hand * 5e-6).abs() < 1e-9, "five dollars for a million tokens");
    assert!((bill.output_usd.unwrap() - 300.0 * 25e-6).abs() < 1e-9);
    assert!(bill.cache_misses.is_empty());
}

#[test]
fn r12_3_a_cache_miss_after_a_pause_is_predicted() {
    let account = account(&[(0, 0, 0, 20_000), (10, 0, 0, 21_000)]);
    let bill = account.bill.unwrap();
    assert!((bill.predicted - bill.paid).abs() < 1e-6 && bill.unannounced_requests == 0, "{bill:?}");
    let [miss] = bill.cache_misses.as_slice() else { panic!("{bill:?}") };
    assert_eq!((miss.cause, miss.is_predicted), (CacheMissCause::Idle, true));
    assert!((miss.cost - 1.15 * 20_000.0).abs() < 1e-6, "20,000 tokens written again instead of read");
}

#[test]
fn r12_3_an_unexpected_cache_miss_is_listed_and_explains_the_error() {
    let account = account(&[(0, 0, 0, 20_000), (1, 0, 0, 21_000), (2, 0, 21_000, 500)]);
    let bill = account.bill.unwrap();
    let [miss] = bill.cache_misses.as_slice() else { panic!("{bill:?}") };
    assert_eq!((miss.cause, miss.is_predicted, miss.line), (CacheMissCause::Unknown, false, 4));
    assert!((bill.paid - bill.predicted - 1.15 * 20_000.0).abs() < 1e-6);
    assert!((bill.predicted + bill.unannounced - bill.paid).abs() < 1e-6);
}

#[test]
fn r12_3_an_unexpected_request_is_classified_by_its_usage() {
    let start: Line = (0, 0, 0, 20_000);
    for (next, what) in [
        ((1, 0, 0, 21_000), Surprise::NewStart),
        ((1, 0, 9_000, 12_000), Surprise::LostAtTurn),
        ((10, 0, 20_000, 1_000), Surprise::KeptLonger),
    ] {
        let bill = account(&[start, next]).bill.unwrap();
        let [figures] = bill.surprises.as_slice() else { panic!("{bill:?}") };
        assert_eq!((figures.what, figures.requests, figures.lines.as_slice()), (what, 1, [4].as_slice()));
        assert!((figures.difference - bill.unannounced).abs() < 1e-6);
    }
}

#[test]
fn r12_3_if_writes_are_recorded_only_written_tokens_are_expected_to_be_read() {
    let account = account(&[(0, 3_000, 0, 20_000), (1, 500, 20_000, 3_000)]);
    let bill = account.bill.unwrap();
    let expected = 1.25 * 23_000.0 + 0.1 * 20_000.0 + 1.25 * 3_500.0;
    assert!((bill.predicted - expected).abs() < 1e-6 && bill.surprises.is_empty(), "{bill:?}");
}

#[test]
fn r12_3_a_prompt_too_short_for_the_cache_is_not_predicted_to_be_written() {
    let bill = account(&[(0, 100, 0, 0), (1, 0, 0, 20_000)]).bill.unwrap();
    assert!((bill.predicted - (100.0 + 1.25 * 20_000.0)).abs() < 1e-6, "{bill:?}");
}

#[test]
fn r12_3_curves_end_at_the_cost_of_each_policy_and_the_paid_cost() {
    let lines: Vec<Line> =
        (0..1_000).map(|at| (at, 0, if at == 0 { 0 } else { 19_000 + u64::from(at) * 1_000 }, 1_000)).collect();
    let account = account(&lines);
    let [simulation] = account.simulations.as_slice() else { panic!() };
    let curves = simulation.curves.as_ref().unwrap();
    assert!(curves.requests.len() <= 400 && curves.requests.last() == Some(&1_000), "{:?}", curves.requests);
    let paid = curves.paid.as_ref().unwrap();
    assert!((paid.last().unwrap() - account.bill.as_ref().unwrap().paid).abs() < 1e-3);
    assert_eq!(curves.policies.len(), 6);
    for (curve, figures) in curves.policies.iter().zip(&simulation.policies) {
        assert_eq!((curve.policy, curve.costs.len()), (figures.policy, curves.requests.len()));
        assert!(curve.costs.is_sorted());
        assert!((curve.costs.last().unwrap() - figures.cost).abs() < 1e-3, "{}", figures.policy);
    }
}

#[test]
fn r12_3_tokens_of_new_messages_are_the_growth_of_the_reported_prompt() {
    let account = account(&[(0, 0, 0, 20_000), (1, 0, 20_000, 1_000), (2, 0, 21_000, 1_000)]);
    let sent: f64 = account.kinds.iter().map(|kind| kind.tokens.sent).sum();
    assert!((sent - 63_000.0).abs() < 1.0, "20,000 + 21,000 + 22,000, all reported by usage: {sent}");
    let unmodified = &account.simulations[0].policies[0];
    assert_eq!(unmodified.policy, "leave-alone");
    assert!((unmodified.tokens.unwrap() - 63_000.0).abs() < 1.0);
    assert!((unmodified.cost - account.bill.unwrap().paid).abs() < 1.0);
}

#[test]
fn r12_3_own_prices_come_before_the_listed_ones() {
    let own_prices = r#"{"date":"2026-02-03","models":[{"model":"claude-opus-4","input":8,"cacheRead":2,"output":9}]}"#;
    let list = PriceList::new(Some(own_prices)).unwrap();
    let rates = list.rates(Some("anthropic/claude-opus-4.5"));
    assert_eq!((rates.read, rates.write_5m, rates.input_usd), (0.25, 1.0, Some(8e-6)));
    assert_eq!(list.date, "2026-02-03");
    let unknown = list.rates(Some("nobody-knows"));
    assert_eq!((unknown.input_usd, unknown.read), (None, Prices::USUAL.read));
    assert!(!list.is_unchecked("claude-opus-4-5"), "a price given by the user is not checked");
}

#[test]
fn r12_3_a_smaller_model_does_not_get_the_price_of_the_larger_one_whose_name_it_begins_with() {
    let list = PriceList::new(None).unwrap();
    let usd_per_million = |model: &str| list.rates(Some(model)).input_usd.unwrap() * 1e6;
    for (model, input) in [
        ("gpt-4o-mini-2024-07-18", 0.15),
        ("gpt-4o-2024-08-06", 2.5),
        ("gpt-4.1-nano", 0.1),
        ("openai/gpt-5.6-luna", 0.2),
        ("gpt-5.6-sol", 5.0),
        ("gpt-5.4-nano", 0.2),
        ("gpt-5.5-pro", 30.0),
        ("claude-opus-5-5", 4.0),
        ("claude-opus-5", 5.0),
        ("anthropic.claude-sonnet-4-5-20250929-v1:0", 3.0),
    ] {
        assert!((usd_per_million(model) - input).abs() < 1e-9, "{model}: {}", usd_per_million(model));
    }
    assert!((list.rates(Some("claude-opus-5-5")).read - 0.05).abs() < 1e-9);
    assert!((usd_per_million("gpt-5") - 1.25).abs() < 1e-9);
    assert_eq!(list.rates(Some("gpt-5.9")).input_usd, None, "another version is another model");
}

#[test]
fn r12_3_above_the_limit_every_token_of_a_prompt_has_the_higher_price() {
    let list = PriceList::new(None).unwrap();
    let usd_per_million = |tokens| {
        let rates = list.rates_for(Some("gemini-2.5-pro"), tokens);
        let usd = rates.input_usd.unwrap() * 1e6;
        (usd, usd * rates.read, usd * rates.output)
    };
    let is_near = |a: (f64, f64, f64), b: (f64, f64, f64)| {
        [(a.0, b.0), (a.1, b.1), (a.2, b.2)].iter().all(|(a, b)| (a - b).abs() < 1e-9)
    };
    assert!(is_near(usd_per_million(200_000), (1.25, 0.125, 10.0)), "{:?}", usd_per_million(200_000));
    assert!(is_near(usd_per_million(200_001), (2.5, 0.25, 15.0)), "{:?}", usd_per_million(200_001));
}

#[test]
fn r12_3_no_entry_of_the_price_list_hides_a_later_one_and_unchecked_entries_are_known() {
    let text = include_str!("../../prices.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let models = all["models"].as_array().unwrap();
    let names: Vec<&str> = models.iter().map(|model| model["model"].as_str().unwrap()).collect();
    let list = PriceList::new(None).unwrap();
    for (at, (model, name)) in models.iter().zip(&names).enumerate() {
        assert!(model.get("checked").is_some(), "{name} has a `checked` field");
        assert_eq!(list.is_unchecked(name), model["checked"].is_null(), "{name}");
        assert!(!names[..at].iter().any(|earlier| name.starts_with(earlier)), "{name} is hidden");
    }
}

#[test]
fn r12_3_listed_models_have_their_published_price_and_its_source() {
    let list = PriceList::new(None).unwrap();
    let all: serde_json::Value = serde_json::from_str(include_str!("../../prices.json")).unwrap();
    let entries = all["models"].as_array().unwrap();
    let dashed = |name: &str| name.to_lowercase().replace('.', "-");
    for (model, input, output) in [
        ("glm-5.3", 1.4, 4.4),
        ("z-ai/glm-4.6", 0.6, 2.2),
        ("glm-4.5-air", 0.2, 1.1),
        ("kimi-k3", 3.0, 15.0),
        ("moonshotai/kimi-k2.6", 0.95, 4.0),
        ("qwen3.7-max", 2.5, 7.5),
        ("MiniMax-M3", 0.3, 1.2),
        ("grok-4.3", 1.25, 2.5),
        ("grok-code-fast-1", 0.2, 1.5),
        ("devstral-2", 0.4, 2.0),
        ("gemini-3.7-flash", 0.75, 3.75),
        ("o4-mini", 1.1, 4.4),
    ] {
        let rates = list.rates(Some(model));
        let usd = rates.input_usd.unwrap_or_else(|| panic!("{model}")) * 1e6;
        assert!((usd - input).abs() < 1e-9 && (usd * rates.output - output).abs() < 1e-9, "{model}: {usd}");
        let name = dashed(model.rsplit('/').next().unwrap());
        let starts = |entry: &&serde_json::Value| name.starts_with(&dashed(entry["model"].as_str().unwrap()));
        let source = entries.iter().find(starts).and_then(|entry| entry["source"].as_str());
        assert!(source.is_some_and(|source| source.contains("20") || source.contains("docs")), "{model}");
    }
    for model in ["glm-4.7-flash", "glm-9", "kimi-for-coding", "claude-haiku-5"] {
        assert_eq!(list.rates(Some(model)).input_usd, None, "{model}: no price of it was found");
    }
}

#[test]
fn r12_3_an_invalid_price_list_is_refused_with_the_expected_form() {
    let model = |rest: &str| format!(r#"{{"date": "2026-01-01", "models": [{{"model": "m", {rest}}}]}}"#);
    let right = model(r#""input": 1, "cacheRead": 0.1, "output": 5"#);
    assert!(PriceList::new(Some(&right)).is_ok());
    assert!(PriceList::new(Some(&format!("\u{feff}{right}"))).is_ok(), "with a byte order mark");
    let twice = right.replace("]}", r#", {"model": "M", "input": 2, "cacheRead": 0.2, "output": 9}]}"#);
    for (list, expected) in [
        ("", "; expected {\"date\""),
        ("[1]", "; expected {\"date\""),
        ("{", "line 1"),
        ("{\"models\": []}", "missing field `date`"),
        ("{\"date\": \"x\", \"models\": []}", "it has no models"),
        (&*model(r#""input": 1, "cacheRead": 0.1"#), "missing field `output`"),
        (&*model(r#""input": 1, "output": 0"#), "cacheRead"),
        (&*model(r#""input": "1", "cacheRead": 0.1, "output": 5"#), "invalid type: string"),
        (&*model(r#""input": 0, "cacheRead": 0.1, "output": 5"#), "m: expected prices of 0 and more"),
        (&*model(r#""input": 0, "cacheRead": 0, "output": 0"#), "input above 0"),
        (&*model(r#""input": 1, "cacheRead": -1, "output": 5"#), "m: expected prices of 0 and more"),
        (&*model(r#""input": 1, "cacheRead": 0.1, "output": 5, "colour": 1"#), "unknown field `colour`"),
        (&*right.replace("\"m\"", "\" \""), "models[0]: expected the beginning of a model’s name"),
        (&*twice, "expected one entry for each model"),
    ] {
        let error = PriceList::new(Some(list)).expect_err(list);
        assert!(error.contains(expected), "{list}: {error}");
    }
}

fn copilot_of(model: &str) -> palimpsest_sessions::Session {
    let usage = serde_json::json!({"inputTokens": 1_000_000, "outputTokens": 100_000, "cacheReadTokens": 600_000, "cacheWriteTokens": 0});
    let metrics = serde_json::json!({model: {"requests": {"count": 4}, "usage": usage}});
    let line = |kind: &str, data: serde_json::Value| serde_json::json!({"type": kind, "data": data, "timestamp": "2026-01-01T00:00:00Z"});
    crate::lines(&[
        line("session.start", serde_json::json!({"sessionId": "s"})),
        line("user.message", serde_json::json!({"content": "go"})),
        line("assistant.message", serde_json::json!({"content": "one", "toolRequests": []})),
        line("session.shutdown", serde_json::json!({"modelMetrics": metrics})),
    ])
}

#[test]
fn r12_3_usage_known_only_per_session_is_billed_without_prediction() {
    let account = crate::support::account(&copilot_of("gpt-4.1"));
    let bill = account.bill.unwrap();
    let paid = 0.4 * 2.0 + 0.6 * 0.5 + 0.1 * 8.0;
    let waterfall = bill.waterfall.unwrap();
    assert!((waterfall.paid - paid).abs() < 1e-9, "{}", waterfall.paid);
    assert!((waterfall.reread - 0.3).abs() < 1e-9 && (waterfall.new_input - 0.8).abs() < 1e-9);
    assert!(bill.is_of_session && bill.cache_misses.is_empty());
    assert_eq!((bill.requests, account.usage.unwrap().prompt), (4, 1_000_000));
    assert_eq!(account.charged.len(), 1);
    assert_eq!((account.unpriced.len(), account.models), (0, vec!["gpt-4.1".to_owned()]));
}

#[test]
fn r12_3_tokens_without_a_price_are_counted_by_model() {
    let account = crate::support::account(&copilot_of("tomorrow-1"));
    assert_eq!(account.bill.unwrap().paid_usd, None);
    assert_eq!(account.unpriced[0].model.as_deref(), Some("tomorrow-1"));
    assert_eq!(account.unpriced[0].tokens, 1_100_000);
}
