//! Counts needs, and how many each policy misses.

use std::collections::HashSet;

use palimpsest_core::need::{Judged, Vocabulary, judge};

use super::super::policies::Simulation;
use super::columns::{ContextColumns, NeedColumns};
use super::evidence::{Need, NeedDetail, NeedEvidence};
use super::figures::NeedFigures;
use super::miss::Miss;
use super::place::kind_name;

/// The policy whose misses are listed one by one.
const EXPLAINED: &str = "view";

impl NeedEvidence {
    /// The contexts with their judged needs.
    pub fn columns(&self, vocabulary: &Vocabulary, simulations: &[Simulation]) -> Vec<ContextColumns> {
        let mut contexts = self.contexts.clone();
        if contexts.is_empty() {
            return contexts;
        }
        for columns in &mut contexts {
            let name = |list: usize, policy| {
                let prices = simulations.get(list).map_or("", |simulation| simulation.prices.as_str());
                format!("{prices}:{policy}")
            };
            for (list, policy, gone) in std::mem::take(&mut columns.played) {
                columns.gone.entry(name(list, policy)).or_default().push(gone);
            }
            for ((list, policy, position), tokens) in std::mem::take(&mut columns.played_short) {
                columns.short.entry(name(list, policy)).or_default().push((position, tokens));
            }
        }
        for (need, judged) in self.judged(vocabulary) {
            let Some(columns) = contexts.get_mut(need.context) else { continue };
            let event = &need.event;
            let grams = judged.grams.iter().filter_map(|&gram| event.grams.get(gram));
            let texts = need.told.as_ref().map_or(&[][..], |told| &told.texts);
            columns.needs.push(NeedColumns {
                request: event.request,
                source: event.source,
                first_sent: event.first_sent,
                kind: kind_name(judged.kind),
                strong: judged.is_strong,
                grams: grams.map(|gram| gram.sources.clone()).collect(),
                texts: judged.grams.iter().filter_map(|&gram| texts.get(gram).cloned()).take(3).collect(),
                told: need.told.clone(),
            });
        }
        contexts
    }

    pub fn judge(&self, vocabulary: &Vocabulary, simulations: &mut [Simulation]) {
        let judged: Vec<(&Need, Judged)> = self.judged(vocabulary).collect();
        for (list, simulation) in simulations.iter_mut().enumerate() {
            for figures in simulation.policies.iter_mut().filter(|figures| figures.tokens.is_some()) {
                let mut need = NeedFigures::default();
                let mut found = HashSet::new();
                for (event, judged) in &judged {
                    let is_missed = event.is_missed(judged, list, figures.policy);
                    need.add(judged, is_missed);
                    if is_missed && found.insert((event.context, event.event.source)) {
                        need.look_ups += event.left(list, figures.policy).map_or(0.0, |left| left.look_up);
                    }
                }
                figures.need = Some(need);
            }
            if self.detail == NeedDetail::Misses {
                let missed = judged.iter().filter(|(need, judged)| need.is_missed(judged, list, EXPLAINED));
                let miss =
                    |(need, judged): &(&Need, Judged)| Miss::of(need, judged, need.left(list, EXPLAINED)?);
                simulation.misses = Some(missed.filter_map(miss).collect());
            }
        }
    }

    /// The needs that remain without common names, each with its proof.
    pub(super) fn judged<'a>(
        &'a self,
        vocabulary: &'a Vocabulary,
    ) -> impl Iterator<Item = (&'a Need, Judged)> + 'a {
        let is_common = |key| vocabulary.is_common(key);
        self.needs.iter().filter_map(move |need| Some((need, judge(&need.event, &is_common)?)))
    }
}
