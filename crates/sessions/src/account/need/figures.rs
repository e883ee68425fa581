//! The figures of a policy's misses, and a single miss as it is shown.

use palimpsest_core::need::ConfirmedNeed;
use serde::Serialize;

use super::evidence::{Need, RemainingNeed};
use super::place::{NeedPlace, kind_name};

/// One policy's misses in one session.
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
    /// True if it is proved by an edit, a quote, two names or a hash.
    pub strong: bool,
    /// Number of lines, quotes or names that the assistant message took from results.
    pub grams: usize,
    /// Number of these that no result sent holds any more.
    #[serde(rename = "gone")]
    pub removed_grams: usize,
    /// One removed line, quote or name.
    pub example: String,
    /// The request that removed the result, counted like `request`.
    pub replaced_at: Option<usize>,
    #[serde(flatten)]
    pub place: NeedPlace,
}

impl MissedNeed {
    pub(super) fn of(need: &Need, confirmed: &ConfirmedNeed, remaining: &RemainingNeed) -> Option<Self> {
        let place = need.place.clone()?;
        let is_removed = |gram: &usize| remaining.grams.get(*gram) == Some(&false);
        let removed: Vec<usize> = confirmed.grams.iter().copied().filter(is_removed).collect();
        let example = removed.first().and_then(|&gram| place.texts.get(gram)).map(|texts| texts.gram.clone());
        Some(Self {
            kind: kind_name(confirmed.kind),
            strong: confirmed.is_strong,
            grams: confirmed.grams.len(),
            removed_grams: removed.len(),
            example: example.unwrap_or_default(),
            replaced_at: remaining.removed_at.and_then(|index| place.request_numbers.get(index).copied()),
            place,
        })
    }
}
