//! Finds one session's needs, which of their grams each policy still sends, and so what each policy misses.

use std::collections::{BTreeMap, HashSet};

use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::need::{
    ConfirmedNeed, Index, NameSet, NeedEvent, RequestSpan, SentRows, Vocabulary, confirm, find_events,
};

use super::super::{CountedContext, CountedRows, Simulation};
use super::columns::{ContextColumns, NeedColumns, refers};
use super::figures::{MissedNeed, NeedFigures};
use super::place::{NeedPlace, kind_name};
use crate::model::Request;

/// The policy whose misses are listed one by one.
const EXPLAINED: &str = "view";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NeedDetail {
    /// Number of needs, and how many each policy misses.
    #[default]
    Figures,
    /// Also each need that the view misses.
    Misses,
    /// Also the columns for playing and judging other policies.
    Columns,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct NeedEvidence {
    detail: NeedDetail,
    pub names: NameSet,
    needs: Vec<Need>,
    first_need_of_context: usize,
    context_count: usize,
    refers: BTreeMap<usize, Vec<usize>>,
    /// Only with [`NeedDetail::Columns`].
    contexts: Vec<ContextColumns>,
}

#[derive(Debug, Clone, PartialEq)]
struct Need {
    context: usize,
    event: NeedEvent,
    /// Tokens of the newest source: the newest result with one of the grams.
    tokens: f64,
    /// Only with more detail than [`NeedDetail::Figures`].
    place: Option<NeedPlace>,
    /// By index of the price list, and policy.
    remaining: BTreeMap<(usize, &'static str), RemainingNeed>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct RemainingNeed {
    /// By gram, true if one of its sources is sent.
    grams: Vec<bool>,
    removed_at: Option<usize>,
    /// Cost of an additional request that fetches the newest source again.
    lookup_cost: f64,
}

pub(in super::super) fn gram_index(rows: &CountedRows<'_>) -> Index {
    let answers = rows.session.requests().filter_map(|request| request.answer);
    let answers = answers.flat_map(|answer| rows.of_message(answer)).filter(|&row| !rows.is_result(row));
    Index::new(rows, answers)
}

impl NeedEvidence {
    pub fn of(index: &Index, detail: NeedDetail) -> Self {
        Self { detail, names: index.names.clone(), ..Self::default() }
    }

    pub fn begin_context(&mut self, index: &Index, context: &CountedContext<'_>) {
        self.first_need_of_context = self.needs.len();
        self.refers = refers(context);
        let rows = context.thread.rows;
        let order = &context.rows.rows;
        let is_result: Vec<bool> = order.iter().map(|&row| rows.is_result(row)).collect();
        let span = |(request, &len): (&Request, &usize)| RequestSpan {
            len,
            assistant_rows: request.answer.map_or(0..0, |answer| rows.of_message(answer)),
        };
        let requests: Vec<RequestSpan> = context.requests().zip(&context.lengths).map(span).collect();
        let context_index = self.context_count;
        self.context_count += 1;
        let has_places = self.detail != NeedDetail::Figures;
        for event in find_events(index, &SentRows { rows: order, is_result: &is_result, requests: &requests }) {
            let place = has_places.then(|| NeedPlace::of(context, &event, &requests));
            let tokens = context.view_columns.messages.get(event.source).map_or(0.0, |message| message.tokens);
            self.needs.push(Need { context: context_index, event, tokens, place, remaining: BTreeMap::new() });
        }
        if self.detail == NeedDetail::Columns {
            self.contexts.push(ContextColumns::of(context));
        }
    }

    /// Records what one request sends under one policy. `list`: index and name of the price list.
    pub fn add_step(
        &mut self,
        (list, list_name): (usize, &str),
        prices: &Prices,
        policy: &'static str,
        step: &PlayedRequest<'_>,
    ) {
        if let Some(columns) = self.contexts.last_mut() {
            columns.add_step(&format!("{list_name}:{policy}"), step);
        }
        let needs = self.needs.get_mut(self.first_need_of_context..).unwrap_or_default();
        if self.detail != NeedDetail::Figures && !step.newly_replaced.is_empty() {
            for need in needs.iter_mut().filter(|need| need.event.request >= step.request) {
                if step.newly_replaced.contains(&need.event.source) {
                    need.remaining.entry((list, policy)).or_default().removed_at = Some(step.request);
                }
            }
        }
        let first = needs.partition_point(|need| need.event.request < step.request);
        let needs_of_request = needs.iter_mut().skip(first).take_while(|need| need.event.request == step.request);
        let is_kept = |position: usize| step.is_replaced.get(position) != Some(&true);
        // A result with references is complete as long as the results it refers to are sent.
        let is_complete = |position: usize| {
            let is_short = step.has_references.get(position) == Some(&true);
            let referred = self.refers.get(&position).filter(|_| is_short);
            referred.is_none_or(|results| results.iter().all(|&result| is_kept(result)))
        };
        let is_sent = |&source: &u32| is_kept(source as usize) && is_complete(source as usize);
        for need in needs_of_request {
            let cached = prices.cached_tokens(step.billed.tokens, Some(0.0));
            let remaining = need.remaining.entry((list, policy)).or_default();
            let grams = need.event.grams.iter();
            remaining.grams = grams.map(|gram| gram.sources.iter().any(is_sent)).collect();
            remaining.lookup_cost = prices.cost(cached, step.billed.tokens + need.tokens);
        }
    }

    /// Call this after the last context: only the columns need the positions of grams any longer.
    pub fn finish(&mut self) {
        let needs = self.needs.iter_mut().filter(|_| self.detail != NeedDetail::Columns);
        for gram in needs.flat_map(|need| &mut need.event.grams) {
            gram.sources = Vec::new();
        }
    }

    /// Sets each policy's needs and misses, and with more detail the misses of [`EXPLAINED`].
    pub fn count_misses(&self, vocabulary: &Vocabulary, simulations: &mut [Simulation]) {
        let confirmed: Vec<(&Need, ConfirmedNeed)> = self.confirmed(vocabulary).collect();
        for (list, simulation) in simulations.iter_mut().enumerate() {
            for figures in simulation.policies.iter_mut().filter(|figures| figures.tokens.is_some()) {
                figures.need = Some(need_figures(&confirmed, list, figures.policy));
            }
            if self.detail == NeedDetail::Misses {
                let miss = |(need, confirmed): &(&Need, ConfirmedNeed)| need.miss(confirmed, list);
                simulation.misses = Some(confirmed.iter().filter_map(miss).collect());
            }
        }
    }

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

impl Need {
    fn missed(&self, confirmed: &ConfirmedNeed, list: usize, policy: &'static str) -> Option<&RemainingNeed> {
        let remaining = self.remaining.get(&(list, policy))?;
        confirmed.is_missed(|gram| remaining.grams.get(gram).copied().unwrap_or(true)).then_some(remaining)
    }

    fn miss(&self, confirmed: &ConfirmedNeed, list: usize) -> Option<MissedNeed> {
        let remaining = self.missed(confirmed, list, EXPLAINED)?;
        let place = self.place.clone()?;
        let is_removed = |gram: &usize| remaining.grams.get(*gram) == Some(&false);
        let removed: Vec<usize> = confirmed.grams.iter().copied().filter(is_removed).collect();
        let example = removed.first().and_then(|&gram| place.texts.get(gram)).map(|texts| texts.gram.clone());
        Some(MissedNeed {
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

fn need_figures(confirmed: &[(&Need, ConfirmedNeed)], list: usize, policy: &'static str) -> NeedFigures {
    let mut figures = NeedFigures::default();
    let mut fetched_again = HashSet::new();
    for (need, confirmed) in confirmed {
        let missed = need.missed(confirmed, list, policy);
        figures.needs += 1;
        figures.missed += usize::from(missed.is_some());
        figures.strong_needs += usize::from(confirmed.is_strong);
        figures.strong_missed += usize::from(confirmed.is_strong && missed.is_some());
        if let Some(remaining) = missed.filter(|_| fetched_again.insert((need.context, need.event.source))) {
            figures.look_ups += remaining.lookup_cost;
        }
    }
    figures
}
