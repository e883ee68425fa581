use super::*;
use proptest::prelude::*;

/// A breaker that has been open since `now_ms`.
fn opened(now_ms: f64) -> Breaker {
    let mut breaker = Breaker::default();
    assert_eq!([(); 3].map(|()| breaker.failed(now_ms)), [None, None, Some(60_000.0)]);
    breaker
}

#[test]
fn r7_10_three_failures_in_a_row_open_the_breaker_for_a_minute() {
    let mut breaker = opened(1_000.0);
    assert!(!breaker.may_try(1_000.0) && !breaker.may_try(60_999.0));
    assert!(breaker.may_try(61_000.0));
    assert_eq!(breaker.failures, 3);
}

#[test]
fn r7_10_a_success_after_two_failures_keeps_the_breaker_closed() {
    let mut breaker = Breaker::default();
    for _ in 0..5 {
        assert_eq!((breaker.failed(0.0), breaker.failed(0.0)), (None, None));
        breaker.succeeded();
    }
    assert!(breaker.may_try(0.0));
}

#[test]
fn r7_10_a_half_open_breaker_lets_only_one_of_two_calls_through() {
    let mut breaker = opened(0.0);
    assert!(breaker.may_try(60_000.0));
    assert!(!breaker.may_try(60_000.0));
    breaker.succeeded();
    assert!(breaker.may_try(60_000.0) && breaker.may_try(60_000.0));
}

#[test]
fn r7_10_each_failed_try_doubles_the_pause_up_to_ten_minutes() {
    let mut breaker = opened(0.0);
    let mut now_ms = 60_000.0;
    for pause_ms in [120_000.0, 240_000.0, 480_000.0, 600_000.0, 600_000.0] {
        assert!(breaker.may_try(now_ms));
        assert_eq!(breaker.failed(now_ms), Some(pause_ms));
        assert!(!breaker.may_try(now_ms + pause_ms - 1.0));
        now_ms += pause_ms;
    }
}

#[test]
fn r7_10_failures_of_calls_begun_before_the_breaker_opened_do_not_lengthen_the_pause() {
    let mut breaker = opened(0.0);
    assert_eq!(breaker.failed(30_000.0), None);
    assert!(breaker.may_try(60_000.0));
}

#[test]
fn r7_10_an_abandoned_try_lets_the_next_call_through() {
    let mut breaker = opened(0.0);
    assert!(breaker.may_try(60_000.0));
    breaker.abandoned();
    assert!(breaker.may_try(60_001.0), "the next call is the try");
    assert!(!breaker.may_try(60_002.0));
    assert!(breaker.may_try(120_001.0), "a try without an outcome counts as failed after its pause");
    let mut closed = Breaker::default();
    closed.abandoned();
    assert_eq!(closed, Breaker::default());
}

#[test]
fn r7_10_a_clock_that_jumps_back_does_not_block_calls_for_hours() {
    let mut breaker = opened(1e12);
    assert!(!breaker.may_try(0.0));
    assert!(breaker.may_try(60_000.0));
}

#[test]
fn edge_1_a_compression_that_gained_little_waits_for_new_messages() {
    let worth = |gained, new_messages, new_tokens, keep| {
        let last = Try { gained: Some(gained), ..Try::default() };
        worth_trying(Some(last), (new_messages, new_tokens), keep, 1_000.0)
    };
    assert!(worth_trying(None, (0.0, 0.0), 10, 1_000.0) && worth(true, 0.0, 0.0, 10));
    assert!(!worth(false, 0.0, 0.0, 10) && !worth(false, 9.0, 99.0, 10));
    assert!(worth(false, 10.0, 0.0, 10));
    assert!(!worth(false, 3.0, 0.0, 0) && worth(false, 4.0, 0.0, 0));
    assert!(worth(false, -1.0, 0.0, 10), "a rewound history is a new one");
    assert!(worth(false, 1.0, 100.0, 10), "one large message suffices");
}

#[test]
fn r7_10_a_sufficient_gain_is_at_least_a_tenth() {
    assert!(gains_enough(100.0, 90.0) && !gains_enough(100.0, 90.1));
    assert!(!gains_enough(0.0, 0.0) && !gains_enough(100.0, 200.0) && !gains_enough(f64::NAN, 1.0));
    assert!(possible_gain(0.1) && !possible_gain(0.09) && !possible_gain(f64::NAN));
}

proptest! {
    #[test]
    fn r7_10_the_breaker_never_blocks_longer_than_its_longest_pause(
        steps in prop::collection::vec((0..4_u8, -1e6..1e6_f64), 0..60),
    ) {
        let mut breaker = Breaker::default();
        let mut now_ms = 1e9;
        for (step, elapsed_ms) in steps {
            now_ms += elapsed_ms;
            match step {
                0 => breaker.succeeded(),
                1 => breaker.abandoned(),
                2 => { breaker.may_try(now_ms); }
                _ => { breaker.failed(now_ms); }
            }
        }
        let first = breaker.may_try(now_ms);
        prop_assert!(first || breaker.may_try(now_ms + LONGEST_PAUSE_MS));
    }
}
