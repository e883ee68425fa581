//! Reads the times that agents write: ISO 8601 in UTC or with an offset, seconds, milliseconds.

use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

use crate::json::Json;

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

/// `2026-01-28T22:26:46.518Z`; without a zone it is UTC, which is what Python agents mean by it, and without a time midnight.
pub(crate) fn iso_ms(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    let at = pieces.date().to_datetime(pieces.time().unwrap_or_default());
    Some(offset.to_timestamp(at).ok()?.as_millisecond())
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
        assert_eq!(iso_ms("2025-07-09 15:38:00+0200"), Some(1_752_068_280_000));
        assert_eq!(iso_ms("2024-02-29"), Some(1_709_164_800_000));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "", "2026", "2026-13-01T00:00:00Z", "2026-02-30", "2026-01-01X00:00:00Z",
            "2026-01-01T00:00:00 noon", "é",
        ] {
            assert_eq!(iso_ms(text), None, "{text}");
        }
    }
}
