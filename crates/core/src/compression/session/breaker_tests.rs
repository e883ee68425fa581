use super::*;
use proptest::prelude::*;

/// A breaker that has been open since `now_ms`.
fn opened(now_ms: f64) -> Breaker {
    let mut breaker = Breaker::default();
    assert_eq!([(); 3].map(|()| breaker.failed(now_ms)), [None, None, Some(60_000.0)]);
    breaker
}

#[test]
fn r7_10_three_failures_in_a_row_open_it_for_a_minute() {
    let mut breaker = opened(1_000.0);
    assert!(!breaker.may_try(1_000.0) && !breaker.may_try(60_999.0));
    assert!(breaker.may_try(61_000.0));
    assert_eq!(breaker.failures, 3);
}

#[test]
fn r7_10_a_success_between_two_failures_keeps_it_closed() {
    let mut breaker = Breaker::default();
    for _ in 0..5 {
        assert_eq!((breaker.failed(0.0), breaker.failed(0.0)), (None, None));
        breaker.succeeded();
    }
    assert!(breaker.may_try(0.0));
}

#[test]
fn edge_4_half_open_lets_only_one_of_two_calls_through() {
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
fn r7_10_calls_that_fail_after_it_has_opened_do_not_lengthen_the_pause() {
    let mut breaker = opened(0.0);
    assert_eq!(breaker.failed(30_000.0), None);
    assert!(breaker.may_try(60_000.0));
}

#[test]
fn r7_10_a_try_that_the_host_gave_up_is_given_back() {
    let mut breaker = opened(0.0);
    assert!(breaker.may_try(60_000.0));
    breaker.abandoned();
    assert!(breaker.may_try(60_001.0), "the next one is the try");
    assert!(!breaker.may_try(60_002.0));
    assert!(breaker.may_try(120_001.0), "and one that was never heard of again is lost");
    let mut closed = Breaker::default();
    closed.abandoned();
    assert_eq!(closed, Breaker::default());
}

#[test]
fn r7_10_a_clock_that_jumps_back_does_not_close_it_for_hours() {
    let mut breaker = opened(1e12);
    assert!(!breaker.may_try(0.0));
    assert!(breaker.may_try(60_000.0));
}

#[test]
fn edge_1_a_compression_that_gained_little_is_not_repeated_before_new_messages_came() {
    let worth = |gained, new_messages, new_tokens, keep| {
        let last = Try { gained: Some(gained), ..Try::default() };
        worth_trying(Some(last), (new_messages, new_tokens), keep, 1_000.0)
    };
    assert!(worth_trying(None, (0.0, 0.0), 10, 1_000.0) && worth(true, 0.0, 0.0, 10));
    assert!(!worth(false, 0.0, 0.0, 10) && !worth(false, 9.0, 99.0, 10));
    assert!(worth(false, 10.0, 0.0, 10));
    assert!(!worth(false, 3.0, 0.0, 0) && worth(false, 4.0, 0.0, 0));
    assert!(worth(false, -1.0, 0.0, 10), "a rewound history is another one");
    assert!(worth(false, 1.0, 100.0, 10), "one large message is as good as ten small ones");
}

#[test]
fn r7_10_a_gain_is_a_tenth_at_least() {
    assert!(gains_enough(100.0, 90.0) && !gains_enough(100.0, 90.1));
    assert!(!gains_enough(0.0, 0.0) && !gains_enough(100.0, 200.0) && !gains_enough(f64::NAN, 1.0));
    assert!(possible_gain(0.1) && !possible_gain(0.09) && !possible_gain(f64::NAN));
}

proptest! {
    #[test]
    fn r7_10_it_never_stays_shut_for_longer_than_its_longest_pause(
        steps in prop::collection::vec((0..4_u8, -1e6..1e6_f64), 0..60),
    ) {
        let mut breaker = Breaker::default();
        let mut now_ms = 1e9;
        for (what, elapsed_ms) in steps {
            now_ms += elapsed_ms;
            match what {
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
