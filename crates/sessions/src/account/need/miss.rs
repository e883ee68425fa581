//! A need whose source had been removed.

use palimpsest_core::need::ConfirmedNeed;
use serde::Serialize;

use super::evidence::{Need, RemainingNeed};
use super::place::{NeedPlace, kind_name};

/// A need whose source had been removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Miss {
    pub kind: &'static str,
    pub strong: bool,
    /// Number of lines, quotes or names that the assistant message took from results.
    pub grams: usize,
    /// Number of these whose sources were all removed.
    pub gone: usize,
    /// One removed line, quote or name.
    pub example: String,
    /// The request that removed the result, counted like `request`.
    pub replaced_at: Option<usize>,
    #[serde(flatten)]
    pub place: NeedPlace,
}

impl Miss {
    pub(super) fn of(need: &Need, confirmed: &ConfirmedNeed, remaining: &RemainingNeed) -> Option<Self> {
        let place = need.place.clone()?;
        let is_gone = |gram: &&usize| remaining.grams.get(**gram) == Some(&false);
        let gone: Vec<&usize> = confirmed.grams.iter().filter(is_gone).collect();
        let example = gone.first().and_then(|&&gram| place.texts.get(gram)).map(|texts| texts.gram.clone());
        Some(Self {
            kind: kind_name(confirmed.kind),
            strong: confirmed.is_strong,
            grams: confirmed.grams.len(),
            gone: gone.len(),
            example: example.unwrap_or_default(),
            replaced_at: remaining.removed_at.and_then(|at| place.numbers.get(at).copied()),
            place,
        })
    }
}
