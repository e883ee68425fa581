use super::*;

#[test]
fn r7_11_count_or_more_is_at_least_the_requested_minimum_or_the_exact_count() {
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
                assert!(enough < 100.0 || (estimate - tokens).abs() <= 0.2 * tokens, "{name}: {estimate} of {tokens}");
            }
        }
    }
}

#[test]
fn a_text_fits_exactly_its_own_token_count() {
    for name in ["gpt-4o", "claude-opus-4-7", "qwen3"] {
        let model = Model::named(name);
        let text = "今天天气很好 12345 The quick brown fox. ".repeat(20);
        let tokens = model.count(&text);
        assert!(model.fits(&text, tokens) && !model.fits(&text, tokens - 0.5), "{name}");
    }
    assert!(Model::named("gpt-4o").is_exact());
    assert!(!Model::named("claude-3-opus").is_exact());
}

#[test]
fn r6_3_o200k_counts_start_from_the_factor_of_the_family_and_counts_of_the_model_from_one() {
    for (model, expected) in [("gpt-5", 1.0), ("gemini-3-pro", 1.147), ("claude-opus-4-6", 1.2265), ("?", 1.1625)] {
        let slope = prior_line(model, EstimatedIn::O200k).slope;
        assert!((slope - expected).abs() < 1e-3, "{model}: {slope}");
        assert!((prior_line(model, EstimatedIn::Model).slope - 1.0).abs() < 1e-9);
    }
}

#[test]
fn r6_3_the_margin_is_wider_for_a_less_known_tokenizer() {
    let sd = |model| prior_line(model, EstimatedIn::Model).slope_sd();
    assert!(sd("gpt-5") < sd("deepseek-chat") && sd("deepseek-chat") < sd("claude-opus-4-7"));
}
