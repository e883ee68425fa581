//! Parses the timestamps that agents write: ISO 8601 in UTC or with an offset, seconds, milliseconds.

use jiff::civil::{Date, Time};
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

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Cursor's form: `Wednesday, Sep 16, 2026, 3:37 PM (UTC-4)`; the weekday may be missing.
pub(crate) fn cursor_ms(text: &str) -> Option<i64> {
    let (date, zone) = text.trim().strip_suffix(')')?.split_once("(UTC")?;
    let mut parts = date.rsplitn(4, ',').map(str::trim);
    let (clock, year, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (month, day) = day.split_once(' ')?;
    let month = month.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let date = Date::new(year.parse().ok()?, i8::try_from(month).ok()?, day.trim().parse().ok()?).ok()?;
    let (clock, am_or_pm) = clock.split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let hour: i8 = hour.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    let half_day = if am_or_pm.trim().eq_ignore_ascii_case("pm") { 12 } else { 0 };
    let time = Time::new(hour % 12 + half_day, minute.parse().ok()?, 0, 0).ok()?;
    let offset = Offset::from_seconds(zone_seconds(zone)?).ok()?;
    Some(offset.to_timestamp(date.to_datetime(time)).ok()?.as_millisecond())
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
#[path = "times_tests.rs"]
mod tests;
