use super::*;

fn figure(stats: &CompressionStats, name: &str) -> Option<f64> {
    stats.figures().into_iter().find(|(key, _)| key == name).map(|(_, figure)| figure)
}

#[test]
fn r7_12_a_new_manager_has_figures_of_zero() {
    let figures = CompressionStats::default().figures();
    assert_eq!(figures.len(), 19);
    assert!(figures.iter().all(|(_, figure)| *figure == 0.0));
    assert!(figures.iter().all(|(_, figure)| figure.is_sign_positive()));
}

#[test]
fn r7_12_each_occurrence_is_counted_under_its_name() {
    let mut stats = CompressionStats::default();
    stats.processed += 1.0;
    stats.triggered += 1.0;
    stats.repaired += 1.0;
    stats.aborted += 1.0;
    stats.discarded += 1.0;
    stats.breaker_opened += 1.0;
    stats.llm_called(250.0, 900.0, 80.0);
    stats.llm_called(50.0, 100.0, 20.0);
    let change = |is_cut, removed_count, shortened_count, tokens_saved| CountedChange {
        is_cut,
        removed_count,
        shortened_count,
        tokens_saved,
    };
    stats.count_change(change(false, 12, 0, 4_000.0));
    stats.count_change(change(true, 7, 2, 1_000.0));
    for name in
        ["processed", "triggered", "repaired", "aborted", "discarded", "breaker_opened", "compressed", "truncated"]
    {
        assert_eq!(figure(&stats, name), Some(1.0), "{name}");
    }
    for (name, expected) in [
        ("llm_calls", 2.0),
        ("llm_ms", 300.0),
        ("llm_prompt_tokens", 1_000.0),
        ("llm_completion_tokens", 100.0),
        ("tokens_saved", 5_000.0),
        ("messages_compressed", 12.0),
        ("messages_dropped", 7.0),
        ("shortened", 2.0),
    ] {
        assert_eq!(figure(&stats, name), Some(expected), "{name}");
    }
}

#[test]
fn edge_22_refusals_failures_and_skips_are_counted_by_reason_and_in_total() {
    let mut stats = CompressionStats::default();
    stats.refused("empty");
    stats.refused("empty");
    stats.refused("not_smaller");
    stats.failed("timeout");
    stats.skipped("disabled");
    for (name, expected) in [
        ("refused", 3.0),
        ("refused.empty", 2.0),
        ("refused.not_smaller", 1.0),
        ("failed", 1.0),
        ("failed.timeout", 1.0),
        ("skipped.disabled", 1.0),
    ] {
        assert_eq!(figure(&stats, name), Some(expected), "{name}");
    }
}

#[test]
fn r7_12_ten_thousand_different_error_codes_leave_fewer_than_sixty_figures() {
    let mut stats = CompressionStats::default();
    for number in 0..10_000 {
        stats.failed(&format!("request {number}"));
    }
    assert_eq!(figure(&stats, "failed"), Some(10_000.0));
    assert!(stats.figures().len() < 60);
}
