//! What a policy misses: sums, and single misses.

use std::collections::HashSet;

use palimpsest_core::need::{ConfirmedNeed, Vocabulary, confirm};
use serde::Serialize;

use super::super::policies::Simulation;
use super::place::{NeedPlace, kind_name};
use super::{Need, NeedDetail, NeedEvidence, RemainingNeed};

/// The policy whose misses are listed one by one.
const EXPLAINED: &str = "view";

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

impl NeedFigures {
    fn add(&mut self, confirmed: &ConfirmedNeed, is_missed: bool) {
        self.needs += 1;
        self.missed += usize::from(is_missed);
        self.strong_needs += usize::from(confirmed.is_strong);
        self.strong_missed += usize::from(confirmed.is_strong && is_missed);
    }
}

/// A need whose source had been removed.
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
    fn of(need: &Need, confirmed: &ConfirmedNeed, remaining: &RemainingNeed) -> Option<Self> {
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

impl NeedEvidence {
    /// Sets each policy's needs and misses, and with more detail the misses of [`EXPLAINED`].
    pub fn count_misses(&self, vocabulary: &Vocabulary, simulations: &mut [Simulation]) {
        let confirmed: Vec<(&Need, ConfirmedNeed)> = self.confirmed(vocabulary).collect();
        for (list, simulation) in simulations.iter_mut().enumerate() {
            for figures in simulation.policies.iter_mut().filter(|figures| figures.tokens.is_some()) {
                figures.need = Some(need_figures(&confirmed, list, figures.policy));
            }
            if self.detail == NeedDetail::Misses {
                let missed =
                    confirmed.iter().filter(|(need, confirmed)| need.is_missed(confirmed, list, EXPLAINED));
                let miss = |(need, confirmed): &(&Need, ConfirmedNeed)| {
                    MissedNeed::of(need, confirmed, need.remaining(list, EXPLAINED)?)
                };
                simulation.misses = Some(missed.filter_map(miss).collect());
            }
        }
    }

    /// The needs that are proved without names common to several projects, each with its proof.
    pub(super) fn confirmed<'a>(
        &'a self,
        vocabulary: &'a Vocabulary,
    ) -> impl Iterator<Item = (&'a Need, ConfirmedNeed)> + 'a {
        let is_common = |key| vocabulary.is_common(key);
        self.needs.iter().filter_map(move |need| Some((need, confirm(&need.event, &is_common)?)))
    }
}

/// One policy's needs and misses under one price list.
fn need_figures(confirmed: &[(&Need, ConfirmedNeed)], list: usize, policy: &'static str) -> NeedFigures {
    let mut figures = NeedFigures::default();
    let mut fetched_again = HashSet::new();
    for (need, confirmed) in confirmed {
        let is_missed = need.is_missed(confirmed, list, policy);
        figures.add(confirmed, is_missed);
        if is_missed && fetched_again.insert((need.context, need.event.source)) {
            figures.look_ups += need.remaining(list, policy).map_or(0.0, |remaining| remaining.lookup_cost);
        }
    }
    figures
}
