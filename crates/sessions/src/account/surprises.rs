//! Requests at which the predicted bill is off though nothing in the file foretells it, and what the usage tells of why.

use serde::Serialize;

use super::cause::Cause;

/// A loss after a pause of this length is put down to the pause, even where the cache should live longer.
const LONG_PAUSE_MS: f64 = 300_000.0;
/// What is read of a prompt that begins otherwise than the one before.
const SAME_START_TOKENS: f64 = 1024.0;

/// What happened at a request that nothing foretells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Surprise {
    /// More was in the cache than the model says.
    KeptLonger,
    /// Less than the model says was left after a pause, a compaction or a changed prefix.
    LessLeft,
    /// It was gone after a pause that is shorter than the cache lives.
    GoneEarly,
    /// Nothing was read at the start of a user's turn.
    NewStart,
    /// A part was read at the start of a user's turn.
    LostAtTurn,
    /// Less was read than the request before had held, in the middle of a turn.
    LostWithinTurn,
}

/// What is known of a request whose read is off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Odd {
    pub expected: f64,
    pub read: f64,
    pub cause: Option<Cause>,
    pub pause_ms: f64,
    pub begins_turn: bool,
}

/// All requests of a session at which the same thing happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SurpriseFigures {
    pub what: Surprise,
    pub meaning: &'static str,
    pub requests: usize,
    /// What was paid at them, less what was predicted; in units of base input.
    pub difference: f64,
    pub lines: Vec<u64>,
}

impl Surprise {
    pub(super) fn of(odd: &Odd) -> Self {
        if odd.read > odd.expected {
            Self::KeptLonger
        } else if odd.cause.is_some() {
            Self::LessLeft
        } else if odd.pause_ms >= LONG_PAUSE_MS {
            Self::GoneEarly
        } else if !odd.begins_turn {
            Self::LostWithinTurn
        } else if odd.read < SAME_START_TOKENS {
            Self::NewStart
        } else {
            Self::LostAtTurn
        }
    }

    /// The words for it in tables.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::KeptLonger => "more was in the cache than pauses and changes of the prefix let expect",
            Self::LessLeft => "less was left than usual after a pause, a compaction or a changed prefix",
            Self::GoneEarly => "gone after a pause of 5 minutes or more, though the cache lives longer",
            Self::NewStart => {
                "nothing was read at a user’s turn: the prompt began otherwise, as after a restart of the agent"
            }
            Self::LostAtTurn => "a part was lost at a user’s turn",
            Self::LostWithinTurn => "the provider lost a part, or all, in the middle of a turn",
        }
    }

    /// Adds one request to those at which the same happened.
    pub(super) fn list(self, all: &mut Vec<SurpriseFigures>, line: u64, difference: f64) {
        let known = all.iter_mut().find(|figures| figures.what == self);
        if let Some(figures) = known {
            figures.requests += 1;
            figures.difference += difference;
            figures.lines.push(line);
        } else {
            let meaning = self.meaning();
            all.push(SurpriseFigures { what: self, meaning, requests: 1, difference, lines: vec![line] });
        }
    }
}
