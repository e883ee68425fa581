use std::time::UNIX_EPOCH;

use super::*;
use reqwest::header::{HeaderName, HeaderValue};

#[test]
fn r7_2_waits_double_up_to_the_longest_wait() {
    let retries = Retries::new(60, Duration::from_secs(3));
    let waits: Vec<_> = (1..=60).map(|attempt| retries.wait(attempt, RetryAdvice::Soon).unwrap()).collect();
    assert!((375..=500).contains(&waits[0].as_millis()), "{waits:?}");
    assert!((750..=1000).contains(&waits[1].as_millis()), "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(3)));
    assert_eq!(retries.wait(61, RetryAdvice::Soon), None);
}

#[test]
fn r7_2_a_server_that_asks_for_a_longer_wait_than_allowed_is_not_retried() {
    let retries = Retries::new(2, Duration::from_secs(1));
    assert_eq!(retries.wait(1, RetryAdvice::After(Duration::from_secs(1))), Some(Duration::from_secs(1)));
    assert_eq!(retries.wait(1, RetryAdvice::After(Duration::from_millis(1001))), None);
    assert_eq!(retries.wait(1, RetryAdvice::Never), None);
}

fn wait(headers: &[(&'static str, &str)]) -> Option<Duration> {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
    let entry =
        |(name, value): &(&'static str, &str)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    requested_wait(&headers.iter().map(entry).collect(), now)
}

#[test]
fn r7_2_retry_after_is_read_in_each_of_its_forms() {
    assert_eq!(wait(&[]), None);
    assert_eq!(wait(&[("retry-after", "3")]), Some(Duration::from_secs(3)));
    assert_eq!(wait(&[("retry-after", " 0.5 ")]), Some(Duration::from_millis(500)));
    assert_eq!(wait(&[("retry-after", "1"), ("retry-after-ms", "20")]), Some(Duration::from_millis(20)));
    assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:40 GMT")]), Some(Duration::from_secs(3)));
    assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]), Some(Duration::ZERO));
    // The two old forms, which RFC 9110 requires every recipient to understand.
    assert_eq!(wait(&[("retry-after", "Sunday, 06-Nov-94 08:49:40 GMT")]), Some(Duration::from_secs(3)));
    assert_eq!(wait(&[("retry-after", "Sun Nov  6 08:49:40 1994")]), Some(Duration::from_secs(3)));
}

#[test]
fn r7_2_a_wrong_local_clock_does_not_change_the_wait() {
    let headers = [("retry-after", "Thu, 29 Feb 2024 00:00:05 GMT"), ("date", "Wed, 28 Feb 2024 23:59:55 GMT")];
    assert_eq!(wait(&headers), Some(Duration::from_secs(10)));
}

#[test]
fn r0_3_an_invalid_retry_after_is_ignored_or_bounded() {
    for invalid in [
        "",
        "soon",
        "Sun, 30 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 99 Xxx 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8 GMT",
    ] {
        assert_eq!(wait(&[("retry-after", invalid)]), None, "{invalid}");
    }
    assert_eq!(wait(&[("retry-after", "-5")]), Some(Duration::ZERO));
    assert_eq!(wait(&[("retry-after", "NaN")]), Some(Duration::ZERO));
    assert!(wait(&[("retry-after", "1e300")]).unwrap() > Duration::from_secs(86_400));
}
