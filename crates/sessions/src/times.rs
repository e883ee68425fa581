//! Reads the times that agents write: ISO 8601 in UTC or with an offset, seconds, milliseconds.

use crate::json::Json;

const MS_PER_DAY: i64 = 86_400_000;
/// Numbers from here on are milliseconds: as seconds this would be the year 5138.
const FIRST_MILLISECONDS: f64 = 1e11;
/// The year 9999; what lies beyond is no time.
const LAST_MS: f64 = 253_402_300_800_000.0;

/// A time from an ISO string, or from a number of seconds or milliseconds since 1970.
pub(crate) fn time_ms(value: &Json<'_>) -> Option<i64> {
    match value {
        Json::Text(text) => iso_ms(text),
        Json::Number(_) => number_ms(value.as_f64()?),
        _ => None,
    }
}

#[allow(clippy::cast_possible_truncation)] // bounded by LAST_MS
fn number_ms(number: f64) -> Option<i64> {
    let ms = if number < FIRST_MILLISECONDS { number * 1000.0 } else { number };
    (ms > 0.0 && ms < LAST_MS).then_some(ms as i64)
}

/// `2026-01-28T22:26:46.518Z`; without a zone it is UTC, which is what Python agents mean by it.
pub(crate) fn iso_ms(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let [year, month, day] = [digits(bytes, 0, 4)?, digits(bytes, 5, 2)?, digits(bytes, 8, 2)?];
    let separated = bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-');
    if !separated || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let start = days_since_1970(year, month, day) * MS_PER_DAY;
    if bytes.len() == 10 {
        return Some(start);
    }
    if !matches!(bytes.get(10), Some(b'T' | b't' | b' ')) {
        return None;
    }
    let [hour, minute, second] = [digits(bytes, 11, 2)?, digits(bytes, 14, 2)?, digits(bytes, 17, 2)?];
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction_ms, zone_at) = fraction(bytes);
    let offset = offset_minutes(bytes.get(zone_at..)?)?;
    Some(start + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction_ms)
}

fn digits(bytes: &[u8], from: usize, count: usize) -> Option<i64> {
    let field = bytes.get(from..from + count)?;
    field.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Milliseconds behind the point, and where the zone begins.
fn fraction(bytes: &[u8]) -> (i64, usize) {
    let mut at = 19;
    if !matches!(bytes.get(at), Some(b'.' | b',')) {
        return (0, at);
    }
    at += 1;
    let (mut ms, mut scale) = (0, 100);
    while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
        ms += i64::from(digit - b'0') * scale;
        scale /= 10;
        at += 1;
    }
    (ms, at)
}

fn offset_minutes(zone: &[u8]) -> Option<i64> {
    match zone {
        [] | [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let minutes_at = if rest.get(2) == Some(&b':') { 3 } else { 2 };
            let minutes = digits(rest, 0, 2)? * 60 + digits(rest, minutes_at, 2).unwrap_or(0);
            Some(if *sign == b'-' { -minutes } else { minutes })
        }
        _ => None,
    }
}

/// Howard Hinnant's count of days, for the proleptic Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::iso_ms;

    #[test]
    fn times_are_read_with_and_without_zone_and_fraction() {
        assert_eq!(iso_ms("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(iso_ms("2026-01-28T22:26:46.518Z"), Some(1_769_639_206_518));
        assert_eq!(iso_ms("2025-07-09T13:38:00.940512"), Some(1_752_068_280_940));
        assert_eq!(iso_ms("2025-07-09T15:38:00+02:00"), Some(1_752_068_280_000));
        assert_eq!(iso_ms("2024-02-29"), Some(1_709_164_800_000));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in
            ["", "2026", "2026-13-01T00:00:00Z", "2026-01-01X00:00:00Z", "2026-01-01T00:00:00 noon", "é"]
        {
            assert_eq!(iso_ms(text), None, "{text}");
        }
    }
}
