//! Decides how long a provider wants to be left alone.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::{HeaderMap, RETRY_AFTER};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What `headers` ask for: `retry-after-ms`, or `Retry-After` in seconds or as a date. A date that has passed means
/// at once; what can't be read means nothing was asked.
pub fn requested_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(wait) = text("retry-after-ms").and_then(|ms| number(ms, 1e-3)) {
        return Some(wait);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    number(asked, 1.0).or_else(|| {
        // By the server's own clock where it tells: the user's may be wrong by more than the wait.
        let now = text("date").and_then(date).unwrap_or(now);
        Some(date(asked)?.duration_since(now).unwrap_or_default())
    })
}

fn number(text: &str, seconds: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    // Infinity and years that no clock has are "too long" as well as any.
    Some(Duration::try_from_secs_f64((number * seconds).clamp(0.0, 1e9)).unwrap_or_default())
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that RFC 9110 lets servers send.
fn date(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.split_once(", ")?;
    let mut parts = rest.split(' ');
    let day: u64 = parts.next()?.parse().ok()?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let year: u64 = parts.next()?.parse().ok()?;
    let mut clock = parts.next()?.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if parts.next() != Some("GMT") || !(1970..=9999).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400
        + hour.min(23) * 3600
        + minute.min(59) * 60
        + second.min(60);
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// Counts years from March, so that a leap day is the last of its year.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    // 719,468 days lie between 1 March of the year 0 and 1 January 1970.
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
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
            "Sunday, 06-Nov-94 08:49:37 GMT",
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
