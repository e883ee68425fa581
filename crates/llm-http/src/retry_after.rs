//! Reads how long a provider asks to wait.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Reads `retry-after-ms`, or `Retry-After` in seconds or as a date. A past date means no wait; an unreadable value is ignored.
pub fn requested_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(wait) = text("retry-after-ms").and_then(|ms| number(ms, 1e-3)) {
        return Some(wait);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    number(asked, 1.0).or_else(|| {
        // Uses the server's own clock if it sends one: the user's may be wrong by more than the wait.
        let now = text("date").and_then(|date| parse_http_date(date).ok()).unwrap_or(now);
        Some(parse_http_date(asked).ok()?.duration_since(now).unwrap_or_default())
    })
}

fn number(text: &str, seconds: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    // Infinity and years beyond any clock are clamped: too long in any case.
    Some(Duration::try_from_secs_f64((number * seconds).clamp(0.0, 1e9)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn wait(headers: &[(&'static str, &str)]) -> Option<Duration> {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let entry = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
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
    fn r7_2_a_wrong_clock_here_does_not_change_the_wait() {
        let headers =
            [("retry-after", "Thu, 29 Feb 2024 00:00:05 GMT"), ("date", "Wed, 28 Feb 2024 23:59:55 GMT")];
        assert_eq!(wait(&headers), Some(Duration::from_secs(10)));
    }

    #[test]
    fn r0_3_odd_values_are_no_wish_or_a_bounded_one() {
        for odd in [
            "",
            "soon",
            "Sun, 30 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 99 Xxx 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8 GMT",
        ] {
            assert_eq!(wait(&[("retry-after", odd)]), None, "{odd}");
        }
        assert_eq!(wait(&[("retry-after", "-5")]), Some(Duration::ZERO));
        assert_eq!(wait(&[("retry-after", "NaN")]), Some(Duration::ZERO));
        assert!(wait(&[("retry-after", "1e300")]).unwrap() > Duration::from_secs(86_400));
    }
}
