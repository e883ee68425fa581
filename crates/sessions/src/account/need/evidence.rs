//! One session's needs (see [`super`]), and which of their grams each policy still sends.

use std::collections::BTreeMap;

use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::need::{ConfirmedNeed, Index, NameSet, NeedEvent, RequestSpan, SentRows, find_events};

use super::super::rows::CountedRows;
use super::columns::ContextColumns;
use super::context::NeedContext;
use super::place::NeedPlace;
use crate::model::Request;

/// Detail of the reported needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedDetail {
    /// Number of needs, and how many each policy misses.
    Figures,
    /// Also each need that the view misses.
    Misses,
    /// Also the columns for playing and judging other policies.
    Columns,
}

/// One session's needs, and what remains of each under every policy.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct NeedEvidence {
    pub(super) detail: NeedDetail,
    /// `None` once policies were simulated on all contexts.
    index: Option<SharedIndex>,
    /// The session's names, for the vocabulary of its project.
    names: NameSet,
    /// By context, and in it by request.
    pub(super) needs: Vec<Need>,
    /// Index of the first need of the current context.
    first_need_of_context: usize,
    /// By position of a result in the current context, the results that it refers to.
    refers: BTreeMap<usize, Vec<usize>>,
    /// Only with [`NeedDetail::Columns`].
    pub(super) contexts: Vec<ContextColumns>,
}

/// An index of all grams, compared by identity, so that comparing evidence doesn't compare every word.
#[derive(Debug, Clone)]
struct SharedIndex(std::sync::Arc<Index>);

impl PartialEq for SharedIndex {
    fn eq(&self, other: &Self) -> bool {
        std::sync::Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What one assistant message took from results.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Need {
    /// Number of its context, in the order in which contexts are simulated.
    pub(super) context: usize,
    pub(super) event: NeedEvent,
    /// Tokens of the newest source: the newest result with one of the grams.
    pub(super) tokens: f64,
    /// Only with more detail than [`NeedDetail::Figures`].
    pub(super) place: Option<NeedPlace>,
    /// By index of the price list, and policy.
    pub(super) remaining: BTreeMap<(usize, &'static str), RemainingNeed>,
}

/// What remains of a need under one policy.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RemainingNeed {
    /// By gram, true if one of its sources is sent.
    pub(super) grams: Vec<bool>,
    /// Request of the context that removed the newest source.
    pub(super) removed_at: Option<usize>,
    /// Cost of an additional request that fetches the newest source again.
    pub(super) lookup_cost: f64,
}

impl NeedEvidence {
    pub fn of(rows: &CountedRows<'_>, detail: NeedDetail) -> Self {
        let answers = rows.session.requests().filter_map(|request| request.answer);
        let answers = answers.flat_map(|answer| rows.of_message(answer)).filter(|&row| !rows.is_result(row));
        let index = Index::new(rows, answers);
        let names = index.names.clone();
        let index = Some(SharedIndex(std::sync::Arc::new(index)));
        Self {
            detail,
            index,
            names,
            needs: Vec::new(),
            first_need_of_context: 0,
            refers: BTreeMap::new(),
            contexts: Vec::new(),
        }
    }

    pub fn take_names(&mut self) -> NameSet {
        std::mem::take(&mut self.names)
    }

    /// Finds the needs of a context, before policies are simulated on it.
    pub fn begin(&mut self, context: &NeedContext<'_>) {
        self.first_need_of_context = self.needs.len();
        self.refers = context.refers();
        let Some(SharedIndex(index)) = self.index.clone() else { return };
        let rows = context.thread.rows;
        let results: Vec<bool> = context.order.iter().map(|&row| rows.is_result(row)).collect();
        let span = |((_, request), &len): ((usize, &Request), &usize)| RequestSpan {
            len,
            assistant_rows: request.answer.map_or(0..0, |answer| rows.of_message(answer)),
        };
        let requests: Vec<RequestSpan> =
            context.requests().zip(&context.counted_context.lengths).map(span).collect();
        let found =
            find_events(&index, &SentRows { rows: context.order, is_result: &results, requests: &requests });
        let number = self.contexts.len();
        for event in found {
            let has_place = self.detail != NeedDetail::Figures;
            let place = has_place.then(|| NeedPlace::of(context, &event, &requests));
            let source = context.counted_context.view.messages.get(event.source);
            let tokens = source.map_or(0.0, |message| message.tokens);
            self.needs.push(Need { context: number, event, tokens, place, remaining: BTreeMap::new() });
        }
        if self.detail == NeedDetail::Columns {
            self.contexts.push(ContextColumns::of(context));
        }
    }

    /// Records what one request sends under one policy. `list`: index of the price list.
    pub fn watch(
        &mut self,
        (list, prices): (usize, &Prices),
        policy: &'static str,
        step: &PlayedRequest<'_>,
    ) {
        if let Some(columns) = self.contexts.last_mut() {
            columns.add_step(list, policy, step);
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
        let needs_of_request =
            needs.iter_mut().skip(first).take_while(|need| need.event.request == step.request);
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

    /// Call this after the last context.
    pub fn end(&mut self) {
        self.index = None;
        if self.detail == NeedDetail::Columns {
            return;
        }
        // The positions of grams are no longer needed.
        for gram in self.needs.iter_mut().flat_map(|need| &mut need.event.grams) {
            gram.sources = Vec::new();
        }
    }
}

impl Need {
    pub(super) fn remaining(&self, list: usize, policy: &'static str) -> Option<&RemainingNeed> {
        self.remaining.get(&(list, policy))
    }

    pub(super) fn is_missed(&self, confirmed: &ConfirmedNeed, list: usize, policy: &'static str) -> bool {
        let Some(remaining) = self.remaining(list, policy) else { return false };
        confirmed.is_missed(|gram| remaining.grams.get(gram).copied().unwrap_or(true))
    }
}
