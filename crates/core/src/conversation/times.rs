//! Decides the unit of a message's time, and how a result without a time is treated.

/// 1980 in seconds. No conversation with a model is older, so this separates seconds from milliseconds.
const YEAR_1980_S: f64 = 315_532_800.0;
const YEAR_1980_MS: f64 = YEAR_1980_S * 1000.0;

/// True for a time that is before 1980 in milliseconds, but not in seconds. Smaller numbers are an application's own clock and stay.
pub fn is_in_seconds(time: f64) -> bool {
    (YEAR_1980_S..YEAR_1980_MS).contains(&time)
}

pub fn in_ms(time: f64) -> f64 {
    if is_in_seconds(time) { time * 1000.0 } else { time }
}

/// A `now` in this range is in January 1970 as milliseconds, and from 2010 to 2065 as seconds.
pub const NOW_IN_SECONDS: [f64; 2] = [1_262_304_000.0, 3_000_000_000.0];

/// How a result without a time is treated (option `unknownAge`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownAge {
    /// The result stays and takes none of the newest places, as in the original functions.
    #[default]
    Keep,
    /// The result is older than every limit, and as new as its place says.
    Old,
    /// `Old` if no result of the conversation has a time, else `Keep`: an application that records times omits one for a reason. Times of
    /// other messages don't count: many applications record only when the user spoke.
    OldWhereNoneIsKnown,
}

impl UnknownAge {
    /// True if untimed results may be removed when `known` results have a time.
    pub const fn removes_untimed(self, known: usize) -> bool {
        match self {
            Self::Keep => false,
            Self::Old => true,
            Self::OldWhereNoneIsKnown => known == 0,
        }
    }
}

#[cfg(test)]
#[path = "times_tests.rs"]
mod tests;
