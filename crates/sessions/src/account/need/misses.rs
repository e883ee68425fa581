//! What each policy misses: sums, single misses, and all needs as columns.

use std::collections::HashSet;

use palimpsest_core::need::{ConfirmedNeed, Vocabulary, confirm};

use super::super::Simulation;
use super::columns::{ContextColumns, NeedColumns};
use super::evidence::{Need, NeedDetail, NeedEvidence};
use super::figures::{MissedNeed, NeedFigures};
use super::place::kind_name;

const EXPLAINED: &str = "view";

impl NeedEvidence {
    /// Sets each policy's needs and misses, and with more detail the misses of [`EXPLAINED`].
    pub fn count_misses(&self, vocabulary: &Vocabulary, simulations: &mut [Simulation]) {
        let confirmed: Vec<(&Need, ConfirmedNeed)> = self.confirmed(vocabulary).collect();
        for (list, simulation) in simulations.iter_mut().enumerate() {
            for figures in simulation.policies.iter_mut().filter(|figures| figures.tokens.is_some()) {
                figures.need = Some(need_figures(&confirmed, list, figures.policy));
            }
            if self.detail == NeedDetail::Misses {
                let missed = confirmed.iter().filter(|(need, confirmed)| need.is_missed(confirmed, list, EXPLAINED));
                let miss = |(need, confirmed): &(&Need, ConfirmedNeed)| {
                    MissedNeed::of(need, confirmed, need.remaining(list, EXPLAINED)?)
                };
                simulation.misses = Some(missed.filter_map(miss).collect());
            }
        }
    }

    /// The contexts with their needs, if their columns are requested.
    pub fn columns(&self, vocabulary: &Vocabulary) -> Vec<ContextColumns> {
        let mut contexts = self.contexts.clone();
        if contexts.is_empty() {
            return contexts;
        }
        for (need, confirmed) in self.confirmed(vocabulary) {
            let Some(columns) = contexts.get_mut(need.context) else { continue };
            let event = &need.event;
            let grams = confirmed.grams.iter().filter_map(|&gram| event.grams.get(gram));
            let texts = need.place.as_ref().map_or(&[][..], |place| &place.texts);
            columns.needs.push(NeedColumns {
                request: event.request,
                source: event.source,
                first_sent: event.first_sent,
                kind: kind_name(confirmed.kind),
                strong: confirmed.is_strong,
                grams: grams.map(|gram| gram.sources.clone()).collect(),
                texts: confirmed.grams.iter().filter_map(|&gram| texts.get(gram).cloned()).take(3).collect(),
                place: need.place.clone(),
            });
        }
        contexts
    }

    /// The needs that are proved without names common to several projects, each with its proof.
    fn confirmed<'a>(&'a self, vocabulary: &'a Vocabulary) -> impl Iterator<Item = (&'a Need, ConfirmedNeed)> {
        let is_common = |key| vocabulary.is_common(key);
        self.needs.iter().filter_map(move |need| Some((need, confirm(&need.event, &is_common)?)))
    }
}

fn need_figures(confirmed: &[(&Need, ConfirmedNeed)], list: usize, policy: &'static str) -> NeedFigures {
    let mut figures = NeedFigures::default();
    let mut fetched_again = HashSet::new();
    for (need, confirmed) in confirmed {
        let is_missed = need.is_missed(confirmed, list, policy);
        figures.needs += 1;
        figures.missed += usize::from(is_missed);
        figures.strong_needs += usize::from(confirmed.is_strong);
        figures.strong_missed += usize::from(confirmed.is_strong && is_missed);
        if is_missed && fetched_again.insert((need.context, need.event.source)) {
            figures.look_ups += need.remaining(list, policy).map_or(0.0, |remaining| remaining.lookup_cost);
        }
    }
    figures
}
