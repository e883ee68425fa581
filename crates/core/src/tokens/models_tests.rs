use super::*;

#[test]
fn r7_11_a_text_is_counted_as_far_as_anyone_wants_to_know_and_the_estimate_is_never_below_that() {
    for name in ["gpt-4o", "claude-opus-4-7", "qwen3"] {
        let model = Model::named(name);
        let mixed = "今天天气很好 12345 The quick brown fox. ".repeat(200);
        let run = "a".repeat(100_000);
        for text in [mixed.as_str(), &run, &"{}--".repeat(20_000), ""] {
            let tokens = model.count(text);
            assert!((model.count_or_more(text, tokens) - tokens).abs() < 1e-6, "{name}");
            for enough in [0.0, 10.0, tokens * 0.3, tokens * 0.9] {
                let estimate = model.count_or_more(text, enough);
                assert!(estimate >= enough.min(tokens), "{name}: {estimate} of {tokens}, {enough}");
                assert!(
                    enough < 100.0 || (estimate - tokens).abs() <= 0.2 * tokens,
                    "{name}: {estimate} of {tokens}"
                );
            }
        }
    }
}

#[test]
fn a_limit_fits_exactly_what_is_counted() {
    for name in ["gpt-4o", "claude-opus-4-7", "qwen3"] {
        let model = Model::named(name);
        let text = "今天天气很好 12345 The quick brown fox. ".repeat(20);
        let tokens = model.count(&text);
        assert!(model.fits(&text, tokens) && !model.fits(&text, tokens - 0.5), "{name}");
    }
    assert!(Model::named("gpt-4o").is_exact());
    assert!(!Model::named("claude-3-opus").is_exact());
}
