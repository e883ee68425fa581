use super::*;
use proptest::prelude::*;

/// All missing except `key`.
fn given_only(key: &str, value: &Given) -> Vec<Given> {
    setting_names().map(|(flat, _)| if flat == key { value.clone() } else { Given::Missing }).collect()
}

/// The effective settings if only `given` is known.
fn effective(given: &[Given]) -> (Settings, Vec<(&'static str, &'static str)>) {
    let (settings, refused) = read_settings(given);
    (settings.with_windows(None, &LearntWindows::default()), refused)
}

#[test]
fn req_3_5_without_a_configuration_the_defaults_hold() {
    let (settings, refused) = effective(&[]);
    assert_eq!(settings, Settings::default());
    assert!(refused.is_empty(), "a missing model is not refused");
    assert_eq!(settings.summary_model, None);
    assert_eq!((settings.threshold, settings.hard_limit_threshold), (0.8, 0.95));
    assert_eq!((settings.keep_recent, settings.summary_max_tokens), (10, 1_000.0));
}

#[test]
fn r7_1_every_setting_has_a_flat_and_a_nested_name() {
    let names: Vec<_> = setting_names().collect();
    for pair in [
        ("autoCompressionEnabled", "enabled"),
        ("autoCompressionThreshold", "threshold"),
        ("autoCompressionKeepRecentCount", "keepRecentCount"),
        ("autoCompressionSummaryMaxTokens", "summaryMaxTokens"),
        ("autoCompressionSummaryModel", "summaryModel"),
        ("autoCompressionSummaryTimeoutMs", "summaryTimeout"),
        ("autoCompressionTotalTimeoutMs", "totalTimeout"),
        ("maxContextTokens", "contextLimit.maxTokens"),
        ("hardLimitThreshold", "contextLimit.hardLimitThreshold"),
    ] {
        assert!(names.contains(&pair), "{pair:?}");
    }
}

#[test]
fn req_3_5_each_setting_sets_its_own_value() {
    let given = [
        Given::Flag(false),
        Given::Number(1.0),
        Given::Number(0.0),
        Given::Number(700.0),
        Given::Text(" gpt-4o-mini ".to_owned()),
        Given::Number(5_000.0),
        Given::Number(32_000.0),
        Given::Number(0.5),
        Given::Number(16_000.0),
        Given::Number(60_000.0),
    ];
    let expected = Settings {
        enabled: false,
        threshold: 1.0,
        keep_recent: 0,
        summary_max_tokens: 700.0,
        summary_model: Some("gpt-4o-mini".to_owned()),
        summary_timeout_ms: 5_000.0,
        max_context_tokens: 32_000.0,
        window_source: WindowSource::Configured,
        hard_limit_threshold: 0.5,
        summary_context_tokens: 16_000.0,
        total_timeout_ms: 60_000.0,
    };
    assert_eq!(effective(&given), (expected, Vec::new()));
}

#[test]
fn r7_1_the_summary_model_has_the_window_of_the_conversation_unless_given() {
    let (settings, _) = effective(&given_only("maxContextTokens", &Given::Number(8_000.0)));
    let expected = Settings {
        max_context_tokens: 8_000.0,
        window_source: WindowSource::Configured,
        summary_context_tokens: 8_000.0,
        ..Settings::default()
    };
    assert_eq!(settings, expected);
}

#[test]
fn r7_1_an_invalid_value_is_reported_by_its_key_and_the_default_holds() {
    let numbers = [f64::NAN, f64::INFINITY, -1.0, -0.5].map(Given::Number);
    let never_numbers = [Given::Flag(true), Given::Text("0.8".to_owned()), Given::Other];
    for (key, _) in setting_names() {
        let mut bad: Vec<Given> = match key {
            "autoCompressionEnabled" => {
                vec![Given::Number(1.0), Given::Text("true".to_owned()), Given::Other]
            }
            "autoCompressionSummaryModel" => {
                vec![Given::Text(" \t".to_owned()), Given::Number(4.0), Given::Flag(true), Given::Other]
            }
            _ => numbers.iter().chain(&never_numbers).cloned().collect(),
        };
        match key {
            "autoCompressionThreshold" | "hardLimitThreshold" => {
                bad.extend([0.0, 1.000_1, 80.0].map(Given::Number));
            }
            "autoCompressionKeepRecentCount" => bad.extend([2.5, 1e300].map(Given::Number)),
            "autoCompressionEnabled" | "autoCompressionSummaryModel" => {}
            _ => bad.extend([0.0, 2.5].map(Given::Number)),
        }
        for value in bad {
            let (settings, refused) = effective(&given_only(key, &value));
            assert_eq!(settings, Settings::default(), "{key}: {value:?}");
            assert_eq!(refused.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [key], "{value:?}");
        }
    }
}

fn any_given() -> impl Strategy<Value = Given> {
    prop_oneof![
        Just(Given::Missing),
        Just(Given::Other),
        any::<bool>().prop_map(Given::Flag),
        any::<f64>().prop_map(Given::Number),
        (-3.0..3.0_f64).prop_map(Given::Number),
        (0.0..3e5_f64).prop_map(|number| Given::Number(number.round())),
        "[ a-z]{0,3}".prop_map(Given::Text),
    ]
}

proptest! {
    #[test]
    fn r7_1_any_given_values_leave_usable_settings(given in prop::collection::vec(any_given(), 0..12)) {
        let (settings, refused) = effective(&given);
        prop_assert!(settings.threshold > 0.0 && settings.threshold <= 1.0);
        prop_assert!(settings.hard_limit_threshold > 0.0 && settings.hard_limit_threshold <= 1.0);
        prop_assert!(settings.summary_max_tokens > 0.0);
        for positive in [settings.summary_timeout_ms, settings.max_context_tokens, settings.summary_context_tokens] {
            prop_assert!(positive >= 1.0 && positive.is_finite());
        }
        prop_assert!(settings.summary_model.is_none_or(|model| !model.trim().is_empty()));
        let given_keys = given.iter().filter(|value| **value != Given::Missing).count();
        prop_assert!(refused.len() <= given_keys);
    }
}

#[test]
fn r7_1_a_misspelt_setting_is_reported_with_the_intended_name() {
    for (key, intended) in [
        ("treshold", "threshold"),
        ("keepRecent", "keepRecentCount"),
        ("keep_recent_count", "keepRecentCount"),
        ("summaryTimeoutMs", "summaryTimeout"),
        ("SummaryModel", "summaryModel"),
        ("summaryModelName", "summaryModel"),
        ("summaryMaxToken", "summaryMaxTokens"),
        ("enable", "enabled"),
        ("maxTokens", "contextLimit.maxTokens"),
        ("hardLimitThreshold", "contextLimit.hardLimitThreshold"),
        ("maxContextTokens", "contextLimit.maxTokens"),
        ("autoCompressionThreshold", "threshold"),
    ] {
        assert_eq!(intended_setting(key, true), Some(intended), "{key}");
    }
    assert_eq!(intended_setting("autoCompressionTreshold", false), Some("autoCompressionThreshold"));
    assert_eq!(intended_setting("max_context_tokens", false), Some("maxContextTokens"));
}

#[test]
fn r7_1_an_unrelated_key_of_the_application_is_not_taken_for_a_misspelt_setting() {
    for key in ["strategy", "notifyUser", "prompt", "model", "mode", "", "日志", "compression", "limit"] {
        assert_eq!(intended_setting(key, true), None, "{key}");
    }
    for key in ["enabled", "enable", "threshold", "model", "contextWindow", "autoSave"] {
        assert_eq!(intended_setting(key, false), None, "{key}");
    }
}

#[test]
fn r7_1_a_valid_setting_is_never_taken_for_another() {
    for (flat, nested) in setting_names() {
        assert_eq!(intended_setting(flat, false), None, "{flat}");
        assert_eq!(intended_setting(nested, true), None, "{nested}");
    }
    assert_eq!(intended_setting("contextLimit", true), None);
}

proptest! {
    #[test]
    fn r7_1_one_wrong_letter_in_a_setting_is_noticed(which in 0..setting_names().count(), at in any::<prop::sample::Index>(), letter in "[a-z]") {
        let name = setting_names().nth(which).unwrap().0;
        let at = at.index(name.len());
        let mut key = name.to_owned();
        key.replace_range(at..=at, &letter);
        prop_assert_eq!(intended_setting(&key, false), (key != name).then_some(name));
    }
}

fn windows(given: &[(&str, Given)], model: Option<&str>, learnt: &[(&str, f64)]) -> (f64, &'static str, f64) {
    let value = |(flat, _): (&str, &str)| {
        let found = given.iter().find(|(key, _)| *key == flat);
        found.map_or(Given::Missing, |(_, value)| value.clone())
    };
    let mut known = LearntWindows::default();
    for (model, tokens) in learnt {
        known.learn(model, *tokens);
    }
    let (settings, _) = read_settings(&setting_names().map(value).collect::<Vec<_>>());
    let settings = settings.with_windows(model, &known);
    (settings.max_context_tokens, settings.window_source.name(), settings.summary_context_tokens)
}

#[test]
fn r7_3_the_window_comes_from_the_provider_else_the_setting_else_the_table_else_a_guess() {
    let set = [("maxContextTokens", Given::Number(150_000.0))];
    assert_eq!(windows(&[], None, &[]), (128_000.0, "guess", 128_000.0));
    assert_eq!(windows(&[], Some("agent-large"), &[]), (128_000.0, "guess", 128_000.0));
    assert_eq!(windows(&[], Some("gpt-5"), &[]), (272_000.0, "model", 128_000.0));
    assert_eq!(windows(&set, Some("gpt-5"), &[]), (150_000.0, "configured", 150_000.0));
    let learnt = [("gpt-5", 100_000.0), ("other", 1_000.0), ("gpt-5", f64::NAN), ("gpt-5", 3.0)];
    assert_eq!(windows(&set, Some("gpt-5"), &learnt), (100_000.0, "provider", 100_000.0));
    assert_eq!(windows(&set, None, &[("", 90_000.0)]), (90_000.0, "provider", 90_000.0));
}

#[test]
fn r7_3_the_summary_model_has_a_window_of_its_own() {
    let model = |name: &str| ("autoCompressionSummaryModel", Given::Text(name.to_owned()));
    let set = ("autoCompressionSummaryContextTokens", Given::Number(64_000.0));
    assert_eq!(windows(&[model("gpt-4o-mini")], Some("gpt-4.1"), &[]), (1_047_576.0, "model", 128_000.0));
    assert_eq!(windows(&[model("small")], Some("gpt-4.1"), &[]), (1_047_576.0, "model", 128_000.0));
    let learnt = [("gpt-4o-mini", 16_000.0)];
    assert_eq!(windows(&[model("gpt-4o-mini")], None, &learnt), (128_000.0, "guess", 16_000.0));
    assert_eq!(windows(&[model("gpt-4.1"), set], None, &[]), (128_000.0, "guess", 64_000.0));
}
