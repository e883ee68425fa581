//! Decides what a message's time means: its unit, and what holds where there is none.

/// The beginning of 1980. No conversation with a model is older, so this tells seconds from milliseconds.
const YEAR_1980_S: f64 = 315_532_800.0;
const YEAR_1980_MS: f64 = YEAR_1980_S * 1000.0;

/// Taken for milliseconds, such a time would be before 1980, and taken for seconds it is not. A smaller number is neither, but a
/// clock of the host's own, and stays as it is.
pub fn is_in_seconds(time: f64) -> bool {
    (YEAR_1980_S..YEAR_1980_MS).contains(&time)
}

pub fn in_ms(time: f64) -> f64 {
    if is_in_seconds(time) { time * 1000.0 } else { time }
}

/// As a time of now in milliseconds, these are of January 1970; in seconds, of 2010 to 2065.
pub const NOW_IN_SECONDS: [f64; 2] = [1_262_304_000.0, 3_000_000_000.0];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownAge {
    /// The result is never simplified and takes none of the newest places, as in the seeds' functions.
    #[default]
    Keep,
    /// The result is older than every age limit, and as new as its place in the array says.
    Old,
    /// `Old` where no result of the conversation has a time, else `Keep`: a host that notes times has its reason where one is missing,
    /// and one that never does has nothing else to go by. Times of other messages don't count: many hosts note only when the user spoke.
    OldWhereNoneIsKnown,
}

impl UnknownAge {
    /// Whether results without a time may be simplified in a conversation in which `known` results have one.
    pub const fn lets_go(self, known: usize) -> bool {
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
    fn dialects_12_a_time_before_1980_is_in_seconds_where_seconds_make_sense() {
        for seconds in [1_700_000_000.0, 1_700_000_000.25, YEAR_1980_S, YEAR_1980_MS - 1.0] {
            assert!(is_in_seconds(seconds) && !is_in_seconds(in_ms(seconds)), "{seconds}");
        }
        for other in [0.0, -1.0, 900_000.0, YEAR_1980_S - 1.0, YEAR_1980_MS, 1_700_000_000_000.0, f64::NAN] {
            assert!(!is_in_seconds(other), "{other}");
        }
    }

    #[test]
    fn dialects_12_one_known_time_keeps_what_has_none() {
        assert!(UnknownAge::OldWhereNoneIsKnown.lets_go(0));
        assert!(!UnknownAge::OldWhereNoneIsKnown.lets_go(1));
        assert!(UnknownAge::Old.lets_go(1) && !UnknownAge::Keep.lets_go(0));
    }
}
