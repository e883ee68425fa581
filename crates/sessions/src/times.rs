//! Parses the timestamps that agents write: ISO 8601 in UTC or with an offset, seconds, milliseconds.

use jiff::fmt::strtime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// Numbers from this on are milliseconds: as seconds it would be the year 5138.
const FIRST_MILLISECONDS: f64 = 1e11;
/// The year 9999; larger numbers are not timestamps.
const LAST_MS: f64 = 253_402_300_800_000.0;

#[allow(clippy::cast_possible_truncation)] // bounded by LAST_MS
pub(crate) fn number_ms(number: f64) -> Option<i64> {
    let ms = if number < FIRST_MILLISECONDS { number * 1000.0 } else { number };
    (ms > 0.0 && ms < LAST_MS).then_some(ms as i64)
}

/// `2026-01-28T22:26:46.518Z`. Without a zone it is UTC, as Python agents write it; without a time, midnight.
pub(crate) fn iso_ms(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    let local = pieces.date().to_datetime(pieces.time().unwrap_or_default());
    Some(offset.to_timestamp(local).ok()?.as_millisecond())
}

/// Cursor's form: `Wednesday, Sep 16, 2026, 3:37 PM (UTC-4)`; the weekday may be missing.
pub(crate) fn cursor_ms(text: &str) -> Option<i64> {
    let (date, zone) = text.trim().strip_suffix(')')?.split_once("(UTC")?;
    let weekday_end = date.rmatch_indices(',').nth(2).map_or(0, |(index, _)| index + 1);
    let date = date.get(weekday_end..)?.trim();
    let parse = |form| strtime::parse(form, date).and_then(|parts| parts.to_datetime());
    let local = parse("%b %d, %Y, %I:%M %p").or_else(|_| parse("%B %d, %Y, %I:%M %p")).ok()?;
    let offset = Offset::from_seconds(zone_seconds(zone)?).ok()?;
    Some(offset.to_timestamp(local).ok()?.as_millisecond())
}

/// Offset from UTC, in seconds, of `-4`, `+5:30`, or nothing for UTC itself.
fn zone_seconds(zone: &str) -> Option<i32> {
    let (hours, minutes) = zone.split_once(':').unwrap_or((zone, "0"));
    if hours.is_empty() {
        return Some(0);
    }
    let minutes: i32 = minutes.parse().ok()?;
    let seconds = hours.parse::<i32>().ok()?.checked_mul(3600)?;
    let minutes = minutes.checked_mul(60)?;
    if hours.starts_with('-') { seconds.checked_sub(minutes) } else { seconds.checked_add(minutes) }
}

#[cfg(test)]
mod tests;
