use super::*;

#[test]
fn r1_1_a_number_that_would_be_before_1980_in_milliseconds_is_in_seconds() {
    for seconds in [1_700_000_000.0, 1_700_000_000.25, YEAR_1980_S, YEAR_1980_MS - 1.0] {
        assert!(is_in_seconds(seconds) && !is_in_seconds(in_ms(seconds)), "{seconds}");
    }
    for other in [0.0, -1.0, 900_000.0, YEAR_1980_S - 1.0, YEAR_1980_MS, 1_700_000_000_000.0, f64::NAN] {
        assert!(!is_in_seconds(other), "{other}");
    }
}

#[test]
fn r1_1_results_without_a_time_stay_if_any_result_has_one() {
    assert!(UnknownAge::OldWhereNoneIsKnown.removes_untimed(0));
    assert!(!UnknownAge::OldWhereNoneIsKnown.removes_untimed(1));
    assert!(UnknownAge::Old.removes_untimed(1) && !UnknownAge::Keep.removes_untimed(0));
}
