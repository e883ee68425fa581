//! How many needs there are, and how many each policy misses.

use std::collections::HashSet;

use palimpsest_core::need::{Judged, Vocabulary, judge};
use serde::Serialize;

use super::super::Account;
use super::super::policies::Simulation;
use super::telling::Miss;
use super::{Left, Need, NeedDetail, NeedEvidence};

/// One policy's misses of one session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedFigures {
    /// Answers that took something from a result that an earlier request had sent.
    pub needs: usize,
    /// How many of them lack at least half of what they took.
    pub missed: usize,
    /// Needs that an edit, a quote, two names or a hash prove.
    pub strong_needs: usize,
    pub strong_missed: usize,
    /// What it would cost to look up each missed result once, with a request of its own; in units of base input.
    pub look_ups: f64,
}

/// The policy whose misses are listed one by one.
const EXPLAINED: &str = "view";

impl Account {
    /// Says what each policy misses, now that it is known which names several projects use.
    pub fn judge_needs(&mut self, vocabulary: &Vocabulary) {
        if let Some(evidence) = &self.evidence {
            evidence.judge(vocabulary, &mut self.simulations);
            self.contexts = evidence.columns(vocabulary, &self.simulations);
        }
    }

    /// Adds the names of the session to what is known of its project's, and forgets them.
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

    /// The needs that count once common names are left out, each with what proves it.
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
