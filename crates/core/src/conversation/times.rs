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
mod tests {
    use super::*;

    #[test]
    fn r1_1_a_number_that_would_be_before_1980_in_milliseconds_is_in_seconds() {
        for seconds in [1_700_000_000.0, 1_700_000_000.25, YEAR_1980_S, YEAR_1980_MS - 1.0] {
            assert!(is_in_seconds(seconds) && !is_in_seconds(in_ms(seconds)), "{seconds}");
        }
        for other in [0.0, -1.0, 900_000.0, YEAR_1980_S - 1.0, YEAR_1980_MS, 1_700_000_000_000.0, f64::NAN] {
            assert!(!is_in_seconds(other), "{other}");
        }
    }

    #[test]
    fn r1_1_results_without_a_time_stay_if_any_result_has_one() {
        assert!(UnknownAge::OldWhereNoneIsKnown.removes_untimed(0));
        assert!(!UnknownAge::OldWhereNoneIsKnown.removes_untimed(1));
        assert!(UnknownAge::Old.removes_untimed(1) && !UnknownAge::Keep.removes_untimed(0));
    }
}
