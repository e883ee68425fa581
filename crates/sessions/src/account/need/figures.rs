//! The figures of a policy's misses, and a single miss as it is shown.

use serde::Serialize;

use super::place::NeedPlace;

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedFigures {
    /// Number of assistant messages that took something from a result sent with an earlier request.
    pub needs: usize,
    /// Number of needs for which at least half of what was taken had been removed.
    pub missed: usize,
    /// Needs proved by an edit, a quote, two names or a hash.
    pub strong_needs: usize,
    pub strong_missed: usize,
    /// Cost of fetching each missed result once, with its own request; in units of base input.
    pub look_ups: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedNeed {
    /// `edit`, `quote` or `name`.
    pub kind: &'static str,
    pub strong: bool,
    pub grams: usize,
    #[serde(rename = "gone")]
    pub removed_grams: usize,
    pub example: String,
    /// The request that removed the result, counted like `request`.
    pub replaced_at: Option<usize>,
    #[serde(flatten)]
    pub place: NeedPlace,
}
