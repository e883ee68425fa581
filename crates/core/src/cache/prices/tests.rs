use super::super::prices::{PRESETS, Prices};
use super::super::simulation::tests::Sender;

const SECOND: f64 = 1000.0;

fn named(name: &str) -> Prices {
    Prices::named(name).unwrap()
}

const fn sent(identity: u64, tokens: f64) -> (u64, f64) {
    (identity, tokens)
}

fn assert_cost(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn r10_3_the_first_request_writes_the_whole_prompt() {
    let prices = named("anthropic");
    let cost = Sender::new(&prices, 0.0).send(vec![sent(1, 3000.0), sent(2, 1000.0)], 0.0);
    assert_cost(cost, 1.25 * 4000.0);
}

#[test]
fn r10_3_the_unchanged_prefix_is_read_and_the_rest_is_written() {
    let prices = named("anthropic");
    let mut sender = Sender::new(&prices, 0.0);
    sender.send(vec![sent(1, 3000.0), sent(2, 1000.0)], 0.0);
    let cost = sender.send(vec![sent(1, 3000.0), sent(2, 1000.0), sent(3, 500.0)], SECOND);
    assert_cost(cost, 0.1 * 4000.0 + 1.25 * 500.0);
}

#[test]
fn r10_3_a_changed_message_makes_everything_after_it_new() {
    let prices = named("anthropic");
    let mut sender = Sender::new(&prices, 0.0);
    sender.send(vec![sent(1, 2000.0), sent(2, 1000.0), sent(3, 4000.0)], 0.0);
    let cost = sender.send(vec![sent(1, 2000.0), sent(9, 10.0), sent(3, 4000.0)], SECOND);
    assert_cost(cost, 0.1 * 2000.0 + 1.25 * 4010.0);
    assert_cost(sender.biller.bill.prefix_changes, 1.0);
}

#[test]
fn r10_3_a_message_missing_from_the_previous_request_is_written_again() {
    let prices = named("anthropic");
    let mut sender = Sender::new(&prices, 0.0);
    sender.send(vec![sent(1, 2000.0), sent(2, 1000.0)], 0.0);
    let cost = sender.send(vec![sent(1, 2000.0)], SECOND);
    assert_cost(cost, 0.1 * 2000.0);
    let cost = sender.send(vec![sent(1, 2000.0), sent(2, 1000.0)], 2.0 * SECOND);
    assert_cost(cost, 0.1 * 2000.0 + 1.25 * 1000.0);
}

#[test]
fn r10_3_a_cached_prefix_is_rounded_down_to_whole_blocks() {
    let openai = named("openai");
    assert_cost(openai.cached_tokens(1500.0, Some(SECOND)), 1408.0);
    assert_cost(openai.cached_tokens(1408.0, Some(SECOND)), 1408.0);
    assert_cost(openai.cost(1408.0, 1500.0), 0.1 * 1408.0 + 1.25 * 92.0);
    let deepseek = named("deepseek");
    assert_cost(deepseek.cached_tokens(1500.0, Some(SECOND)), 1472.0);
    assert_cost(deepseek.cost(1472.0, 1500.0), 0.02 * 1472.0 + 28.0);
}

#[test]
fn r10_3_a_prefix_below_the_minimum_is_not_cached() {
    let anthropic = named("anthropic");
    assert_cost(anthropic.cached_tokens(1023.0, Some(0.0)), 0.0);
    assert_cost(anthropic.cached_tokens(1024.0, Some(0.0)), 1024.0);
    let uneven = Prices { min_tokens: 100.0, block_tokens: 64.0, ..anthropic };
    assert_cost(uneven.cached_tokens(127.0, Some(0.0)), 0.0);
    assert_cost(uneven.cached_tokens(128.0, Some(0.0)), 128.0);
}

#[test]
fn r10_3_the_cache_expires_after_more_than_its_lifetime() {
    let prices = named("anthropic");
    assert_cost(prices.cached_tokens(5000.0, Some(300.0 * SECOND)), 5000.0);
    assert_cost(prices.cached_tokens(5000.0, Some(300.0 * SECOND + 1.0)), 0.0);
    assert_cost(prices.cached_tokens(5000.0, None), 0.0);
    assert_cost(prices.cached_tokens(5000.0, Some(-SECOND)), 5000.0);
}

#[test]
fn r10_3_each_request_extends_the_lifetime_of_the_cache() {
    let prices = named("anthropic");
    let mut sender = Sender::new(&prices, 0.0);
    for request in 0..4 {
        sender.send(vec![sent(1, 2000.0)], f64::from(request) * 200.0 * SECOND);
    }
    assert_cost(sender.biller.bill.cost, 1.25 * 2000.0 + 3.0 * 0.1 * 2000.0);
    assert_cost(sender.biller.bill.cached, 6000.0);
}

#[test]
fn r10_3_fixed_tokens_come_before_all_messages_and_are_cached() {
    let prices = named("gemini");
    let mut sender = Sender::new(&prices, 3000.0);
    sender.send(vec![sent(1, 500.0)], 0.0);
    let cost = sender.send(vec![sent(2, 400.0)], SECOND);
    assert_cost(cost, 0.1 * 3000.0 + 400.0);
}

#[test]
fn r10_2_presets_have_the_documented_prices() {
    let listed: Vec<(&str, [f64; 5])> = PRESETS
        .iter()
        .map(|preset| {
            let Prices { read, write, ttl_ms, min_tokens, block_tokens } = preset.prices;
            (preset.name, [write, read, ttl_ms / SECOND, min_tokens, block_tokens])
        })
        .collect();
    let expected = [
        ("anthropic", [1.25, 0.1, 300.0, 1024.0, 1.0]),
        ("anthropic-1h", [2.0, 0.1, 3600.0, 1024.0, 1.0]),
        ("openai", [1.25, 0.1, 1800.0, 1024.0, 128.0]),
        ("openai-older", [1.0, 0.5, 600.0, 1024.0, 128.0]),
        ("deepseek", [1.0, 0.02, 21_600.0, 64.0, 64.0]),
        ("gemini", [1.0, 0.1, 600.0, 2048.0, 1.0]),
        ("none", [1.0, 1.0, 0.0, 0.0, 1.0]),
    ];
    assert_eq!(listed, expected);
}

#[test]
fn r10_2_an_invalid_price_is_refused_with_the_name_of_its_field() {
    let good = named("openai");
    assert_eq!(good.checked(), Ok(good));
    let refused = |prices: Prices| prices.checked().unwrap_err().field;
    assert_eq!(refused(Prices { write: 0.0, ..good }), "write");
    assert_eq!(refused(Prices { write: f64::NAN, ..good }), "write");
    assert_eq!(refused(Prices { read: -0.1, ..good }), "read");
    assert_eq!(refused(Prices { read: 1.5, ..good }), "read");
    assert_eq!(refused(Prices { ttl_ms: -1.0, ..good }), "ttlMs");
    assert_eq!(refused(Prices { min_tokens: f64::INFINITY, ..good }), "minTokens");
    assert_eq!(refused(Prices { block_tokens: 0.0, ..good }), "blockTokens");
    assert!(Prices { ttl_ms: f64::INFINITY, ..good }.checked().is_ok());
}
