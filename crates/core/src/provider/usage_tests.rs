use serde_json::Value;

use super::*;

/// Reports in every form and their meaning; the tests of sessions and of the JavaScript side read the same file.
const FIXTURE: &str = include_str!("../../../../__test__/fixtures/usage.json");

#[test]
fn r7_3_the_report_of_every_provider_gives_the_same_classes() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for entry in fixture.as_array().unwrap() {
        let usage = Usage::of_json(&entry["report"]);
        let read = serde_json::json!({
            "total": usage.total(),
            "uncached": usage.uncached,
            "cacheRead": usage.cache_read,
            "cacheWrite": usage.cache_write,
            "output": usage.output,
            "reasoning": usage.reasoning,
        });
        assert_eq!(read, entry["usage"], "{}", entry["form"]);
    }
}

#[test]
fn r7_3_a_missing_zero_or_impossible_report_is_refused() {
    let read = |report: &[(&str, f64)]| {
        prompt_tokens(|name| report.iter().find(|(given, _)| *given == name).map(|&(_, figure)| figure))
    };
    assert_eq!(read(&[]), Err(Unusable::Missing));
    assert_eq!(read(&[("cache_read_input_tokens", 5.0)]), Err(Unusable::Missing));
    assert_eq!(read(&[("prompt_tokens", 0.0)]), Err(Unusable::Zero));
    for impossible in [-1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert_eq!(read(&[("prompt_tokens", impossible)]), Err(Unusable::Impossible), "{impossible}");
    }
    let together = [("input_tokens", 9e8), ("cache_read_input_tokens", 9e8)];
    assert_eq!(read(&together), Err(Unusable::Impossible));
}

#[test]
fn r10_6_a_report_without_cached_tokens_differs_from_one_with_zero() {
    let cached = |report: Value| Usage::of_json(&report).cached_tokens();
    assert_eq!(cached(serde_json::json!({"prompt_tokens": 9})), None);
    assert_eq!(cached(serde_json::json!({"prompt_tokens": 9, "cached_tokens": 0})), Some(0.0));
    assert_eq!(cached(serde_json::json!({"input_tokens": 9, "cache_read_input_tokens": 0})), Some(0.0));
}

#[test]
fn r12_3_tokens_by_cache_lifetime_are_a_part_of_the_written_tokens() {
    let lifetimes = serde_json::json!({"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 20});
    let report = serde_json::json!({"input_tokens": 1, "cache_creation_input_tokens": 90, "cache_creation": lifetimes});
    let usage = Usage::of_json(&report);
    assert_eq!((usage.cache_write_5m, usage.cache_write_1h, usage.cache_write_unspecified()), (30, 20, 40));
}
