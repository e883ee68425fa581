//! Counts needs, and how many each policy misses.

use std::collections::HashSet;

use palimpsest_core::need::{Judged, Vocabulary, judge};
use serde::Serialize;

use super::super::Account;
use super::super::policies::Simulation;
use super::telling::Miss;
use super::{Left, Need, NeedDetail, NeedEvidence};

/// One policy's misses in one session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedFigures {
    /// Assistant messages that took something from a result sent with an earlier request.
    pub needs: usize,
    /// Needs that lack at least half of what they took.
    pub missed: usize,
    /// Needs proved by an edit, a quote, two names or a hash.
    pub strong_needs: usize,
    pub strong_missed: usize,
    /// Cost of fetching each missed result once, with its own request; in units of base input.
    pub look_ups: f64,
}

/// The policy whose misses are listed one by one.
const EXPLAINED: &str = "view";

impl Account {
    /// Computes each policy's misses, once names common to several projects are known.
    pub fn judge_needs(&mut self, vocabulary: &Vocabulary) {
        if let Some(evidence) = &self.evidence {
            evidence.judge(vocabulary, &mut self.simulations);
            self.contexts = evidence.columns(vocabulary, &self.simulations);
        }
    }

    /// Moves the session's names to the vocabulary of its project.
    pub(in super::super) fn tell_names(&mut self, path: &str, vocabulary: &mut Vocabulary) {
        if let Some(evidence) = &mut self.evidence {
            vocabulary.add(self.project.as_deref().unwrap_or(path), &evidence.take_names());
        }
    }
}

impl NeedEvidence {
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

impl NeedFigures {
    fn add(&mut self, judged: &Judged, is_missed: bool) {
        self.needs += 1;
        self.missed += usize::from(is_missed);
        self.strong_needs += usize::from(judged.is_strong);
        self.strong_missed += usize::from(judged.is_strong && is_missed);
    }
}

impl Need {
    pub(super) fn left(&self, list: usize, policy: &'static str) -> Option<&Left> {
        self.left.get(&(list, policy))
    }

    pub(super) fn is_missed(&self, judged: &Judged, list: usize, policy: &'static str) -> bool {
        let Some(left) = self.left(list, policy) else { return false };
        judged.is_missed(|gram| left.grams.get(gram).copied().unwrap_or(true))
    }
}
