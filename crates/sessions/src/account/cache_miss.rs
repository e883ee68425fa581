//! Requests that lost the prompt cache, and why; and *surprises*: differences from the predicted cache hit.

use serde::Serialize;

use crate::notes::kinds_with_meanings;

/// A loss after a pause of this length is attributed to the pause, even if the cache should live longer.
const LONG_PAUSE_MS: f64 = 300_000.0;
/// If fewer tokens are read, the prompt starts differently from the previous one.
const SAME_START_TOKENS: f64 = 1024.0;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CacheMiss {
    pub thread: usize,
    pub request: usize,
    pub line: u64,
    pub at_ms: Option<i64>,
    /// Time since the previous request; 0 if a timestamp is missing.
    pub pause_ms: f64,
    pub cause: CacheMissCause,
    /// What happened, if nothing in the file predicts the loss.
    pub surprise: Option<Surprise>,
    /// True if the file predicts the loss, so that the predicted bill includes it.
    #[serde(rename = "announced")]
    pub is_predicted: bool,
    pub expected_tokens: f64,
    pub read_tokens: u64,
    /// Extra cost compared with a cache hit on the previous request, in units of base input, and in dollars if known.
    pub cost: f64,
    pub usd: Option<f64>,
}

kinds_with_meanings! {
    CacheMissCause {
        Idle: "a pause, and the cache had expired",
        Compaction: "the agent replaced its history, or cleared results",
        EditedPrefix: "the prompt began otherwise",
        Unknown: "nothing in the file says why",
    }
}

kinds_with_meanings! {
    Surprise {
        KeptLonger: "more was in the cache than pauses and changes of the prefix let expect",
        LessLeft: "less was left than usual after a pause, a compaction or a changed prefix",
        GoneEarly: "gone after a pause of 5 minutes or more, though the cache lives longer",
        NewStart: "nothing was read at a user’s turn: the prompt began otherwise, as after a restart of the agent",
        LostAtTurn: "a part was lost at a user’s turn",
        LostWithinTurn: "the provider lost a part, or all, in the middle of a turn",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurpriseFigures {
    pub what: Surprise,
    pub meaning: &'static str,
    pub requests: usize,
    pub difference: f64,
    pub lines: Vec<u64>,
}

impl Surprise {
    /// What explains that a request read `read` cached tokens instead of the `predicted` ones.
    pub(super) fn of((predicted, read): (f64, f64), has_cause: bool, pause_ms: f64, at_turn: bool) -> Self {
        if read > predicted {
            Self::KeptLonger
        } else if has_cause {
            Self::LessLeft
        } else if pause_ms >= LONG_PAUSE_MS {
            Self::GoneEarly
        } else if !at_turn {
            Self::LostWithinTurn
        } else if read < SAME_START_TOKENS {
            Self::NewStart
        } else {
            Self::LostAtTurn
        }
    }

    pub(super) fn add_to(self, all: &mut Vec<SurpriseFigures>, line: u64, difference: f64) {
        if let Some(known) = all.iter_mut().find(|figures| figures.what == self) {
            known.requests += 1;
            known.difference += difference;
            known.lines.push(line);
        } else {
            let meaning = self.meaning();
            all.push(SurpriseFigures { what: self, meaning, requests: 1, difference, lines: vec![line] });
        }
    }
}
