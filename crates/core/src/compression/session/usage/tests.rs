use super::*;
use proptest::prelude::*;

const WINDOW: f64 = 100_000.0;

fn row(tokens: f64) -> TokenRow {
    TokenRow { tokens, ..TokenRow::default() }
}

fn counted_row(tokens: f64, counted: f64) -> TokenRow {
    TokenRow { counted: Some(counted), ..row(tokens) }
}

fn reported(tokens: f64, prompt: f64, completion: Option<f64>) -> TokenRow {
    TokenRow { report: Some(ReportedTokens { prompt: Ok(prompt), completion }), ..row(tokens) }
}

fn unusable(tokens: f64, reason: Unusable) -> TokenRow {
    TokenRow { report: Some(ReportedTokens { prompt: Err(reason), completion: Some(5.0) }), ..row(tokens) }
}

fn usage_of(rows: &[TokenRow]) -> (f64, UsageSource) {
    let usage = window_usage(rows, 50.0, WINDOW);
    (usage.tokens, usage.source)
}

#[test]
fn r7_3_usage_is_the_newest_report_plus_a_count_of_later_messages() {
    let rows =
        [row(10.0), reported(20.0, 1_000.0, Some(30.0)), row(40.0), reported(9.0, 1_200.0, Some(60.0)), row(7.0)];
    assert_eq!(usage_of(&rows), (1_267.0, UsageSource::Reported));
}

#[test]
fn r7_3_without_a_completion_figure_the_assistant_message_is_counted() {
    for completion in [None, Some(0.0), Some(-5.0), Some(f64::NAN), Some(1e8)] {
        assert_eq!(
            usage_of(&[reported(20.0, 1_000.0, completion)]),
            (1_020.0, UsageSource::Reported),
            "{completion:?}"
        );
    }
}

#[test]
fn edge_7_a_report_of_zero_does_not_empty_the_window() {
    for reason in [Unusable::Zero, Unusable::Missing, Unusable::Impossible] {
        assert_eq!(usage_of(&[row(10.0), unusable(20.0, reason)]), (80.0, UsageSource::Estimated));
        let after_a_good_one = [reported(10.0, 500.0, Some(20.0)), row(5.0), unusable(20.0, reason)];
        assert_eq!(usage_of(&after_a_good_one), (545.0, UsageSource::Reported));
    }
}

#[test]
fn edge_6_a_report_above_the_window_is_ignored() {
    let rows = [reported(10.0, 500.0, Some(20.0)), reported(30.0, WINDOW + 1.0, Some(20.0))];
    assert_eq!(usage_of(&rows), (550.0, UsageSource::Reported));
}

#[test]
fn edge_6_a_doubled_report_and_the_next_one_are_ignored() {
    let rows = [
        reported(10.0, 1_000.0, Some(100.0)),
        row(100.0),
        reported(50.0, 2_400.0, Some(50.0)),
        row(50.0),
        reported(50.0, 2_600.0, Some(50.0)),
    ];
    assert_eq!(usage_of(&rows), (1_350.0, UsageSource::Reported));
}

#[test]
fn edge_6_any_other_jump_is_used() {
    for prompt in [2_000.0, 3_600.0, 9_000.0, 300.0] {
        let rows = [reported(10.0, 1_000.0, Some(100.0)), row(100.0), reported(50.0, prompt, Some(50.0))];
        assert_eq!(usage_of(&rows), (prompt + 50.0, UsageSource::Reported), "{prompt}");
    }
}

#[test]
fn r7_3_without_a_report_the_counts_of_the_application_are_summed_and_gaps_are_estimated() {
    let rows = [counted_row(10.0, 15.0), row(20.0), counted_row(30.0, 33.0)];
    assert_eq!(usage_of(&rows), (118.0, UsageSource::Counted));
    for invalid in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(usage_of(&[counted_row(10.0, invalid), row(20.0)]), (80.0, UsageSource::Estimated), "{invalid}");
    }
}

#[test]
fn edge_13_an_empty_conversation_has_the_fixed_tokens_of_tools_and_system_prompt() {
    assert_eq!(usage_of(&[]), (50.0, UsageSource::Estimated));
}

#[test]
fn r7_10_the_tokens_of_a_part_are_in_proportion_to_the_reported_total() {
    let reported = [row(100.0), row(250.0), reported(100.0, 900.0, Some(100.0))];
    let usage = window_usage(&reported, 50.0, WINDOW);
    let is_near = |part: f64, expected: f64| (part - expected).abs() < 1e-9;
    assert!(is_near(usage.tokens_of_part(&reported, [1]), 500.0), "half of the estimate");
    let counted = [counted_row(10.0, 15.0), row(20.0)];
    assert!(is_near(window_usage(&counted, 50.0, WINDOW).tokens_of_part(&counted, 0..2), 35.0));
    assert!(is_near(window_usage(&[row(4.0)], 50.0, WINDOW).tokens_of_part(&[row(4.0)], [0, 7]), 4.0));
}

fn any_row() -> impl Strategy<Value = TokenRow> {
    let figure = || prop_oneof![0.0..2e5_f64, any::<f64>()];
    let prompt = prop_oneof![
        (1.0..2e5_f64).prop_map(Ok),
        prop::sample::select(vec![Unusable::Zero, Unusable::Missing, Unusable::Impossible]).prop_map(Err)
    ];
    let report =
        (prompt, prop::option::of(figure())).prop_map(|(prompt, completion)| ReportedTokens { prompt, completion });
    (0.0..5e3_f64, prop::option::of(figure()), prop::option::of(report))
        .prop_map(|(tokens, counted, report)| TokenRow { tokens, counted, report })
}

proptest! {
    #[test]
    fn r7_3_usage_is_always_positive_and_finite(rows in prop::collection::vec(any_row(), 0..20)) {
        let rows: Vec<TokenRow> = rows.into_iter().map(|row| TokenRow { counted: row.counted.filter(|count| *count < 1e9), ..row }).collect();
        let usage = window_usage(&rows, 50.0, WINDOW);
        prop_assert!(usage.tokens.is_finite() && usage.tokens > 0.0);
        let part = usage.tokens_of_part(&rows, 0..rows.len());
        prop_assert!(part >= 0.0 && part <= usage.tokens * 1.000_001);
    }
}

#[test]
fn edge_6_a_report_of_a_small_fraction_of_the_estimate_is_ignored() {
    for prompt in [4.0, 90.0, 2_000.0] {
        let rows = [row(13_000.0), row(12_950.0), reported(20.0, prompt, Some(10.0)), row(30.0)];
        let usage = window_usage(&rows, 50.0, WINDOW);
        assert_eq!((usage.tokens, usage.source), (26_050.0, UsageSource::Estimated), "{prompt}: it is ignored");
        assert_eq!(usage.doubted_tokens, Some(prompt));
    }
    let after_a_good_one = [row(9_950.0), reported(10.0, 11_000.0, Some(10.0)), reported(10.0, 4.0, Some(10.0))];
    assert_eq!(usage_of(&after_a_good_one), (11_020.0, UsageSource::Reported));
}

#[test]
fn edge_6_a_low_report_is_raised_to_half_of_the_estimate_and_a_plausible_one_is_used() {
    let stale = [row(19_950.0), reported(0.0, 6_000.0, Some(50.0))];
    let usage = window_usage(&stale, 50.0, WINDOW);
    assert_eq!((usage.tokens, usage.source), (10_000.0, UsageSource::Reported));
    assert_eq!(usage.doubted_tokens, Some(6_050.0));
    let cleaned_before_it_was_sent = [row(19_950.0), reported(0.0, 12_000.0, Some(50.0))];
    let usage = window_usage(&cleaned_before_it_was_sent, 50.0, WINDOW);
    assert_eq!((usage.tokens, usage.doubted_tokens), (12_050.0, None));
    let counted = [counted_row(10_000.0, 3.0), counted_row(10_000.0, 3.0)];
    assert!(window_usage(&counted, 0.0, WINDOW).tokens >= 10_000.0);
}

proptest! {
    #[test]
    fn edge_6_usage_is_never_below_half_of_the_estimate(
        rows in prop::collection::vec(any_row(), 0..20),
    ) {
        let usage = window_usage(&rows, 50.0, WINDOW);
        prop_assert!(usage.tokens >= 0.5 * usage.estimate);
    }
}
