//! Finds one session's needs, and which of their grams each policy still sends.

use std::collections::BTreeMap;

use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::need::{ConfirmedNeed, Index, NameSet, NeedEvent, RequestSpan, SentRows, find_events};

use super::super::{CountedContext, CountedRows, Rules};
use super::columns::{ContextColumns, refers};
use super::place::NeedPlace;
use crate::model::Request;

/// Detail of the reported needs.
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

/// One session's needs, and what remains of each under every policy.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct NeedEvidence {
    pub(super) detail: NeedDetail,
    names: NameSet,
    pub(super) needs: Vec<Need>,
    first_need_of_context: usize,
    context_count: usize,
    /// By position of a result in the current context, the results that it refers to.
    refers: BTreeMap<usize, Vec<usize>>,
    /// Only with [`NeedDetail::Columns`].
    pub(super) contexts: Vec<ContextColumns>,
}

/// What one assistant message took from results.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Need {
    pub(super) context: usize,
    pub(super) event: NeedEvent,
    /// Tokens of the newest source: the newest result with one of the grams.
    tokens: f64,
    /// Only with more detail than [`NeedDetail::Figures`].
    pub(super) place: Option<NeedPlace>,
    /// By index of the price list, and policy.
    remaining: BTreeMap<(usize, &'static str), RemainingNeed>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RemainingNeed {
    /// By gram, true if one of its sources is sent.
    pub(super) grams: Vec<bool>,
    /// Request of the context that removed the newest source.
    pub(super) removed_at: Option<usize>,
    /// Cost of an additional request that fetches the newest source again.
    pub(super) lookup_cost: f64,
}

/// The grams of a session's assistant messages, and the rows that hold them.
pub(in super::super) fn gram_index(rows: &CountedRows<'_>) -> Index {
    let answers = rows.session.requests().filter_map(|request| request.answer);
    let answers = answers.flat_map(|answer| rows.of_message(answer)).filter(|&row| !rows.is_result(row));
    Index::new(rows, answers)
}

impl NeedEvidence {
    pub fn of(index: &Index, detail: NeedDetail) -> Self {
        Self { detail, names: index.names.clone(), ..Self::default() }
    }

    pub fn take_names(&mut self) -> NameSet {
        std::mem::take(&mut self.names)
    }

    /// Finds the needs of a context, before policies are simulated on it.
    pub fn begin_context(&mut self, index: &Index, context: &CountedContext<'_>, rules: &Rules) {
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
        for event in find_events(index, &SentRows { rows: order, is_result: &is_result, requests: &requests }) {
            let has_place = self.detail != NeedDetail::Figures;
            let place = has_place.then(|| NeedPlace::of(context, &event, &requests));
            let source = context.view_columns.messages.get(event.source);
            let tokens = source.map_or(0.0, |message| message.tokens);
            let remaining = BTreeMap::new();
            self.needs.push(Need { context: context_index, event, tokens, place, remaining });
        }
        if self.detail == NeedDetail::Columns {
            self.contexts.push(ContextColumns::of(context, rules));
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
        if self.detail != NeedDetail::Columns {
            for gram in self.needs.iter_mut().flat_map(|need| &mut need.event.grams) {
                gram.sources = Vec::new();
            }
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
