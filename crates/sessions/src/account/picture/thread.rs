//! Builds one thread's picture: divides its contexts into cells (messages, or kinds of content in them), and simulates
//! each policy on one context after another.

use palimpsest_core::cache::policies::{ViewSession, compare_played};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::tokens::windows::window_of;

use super::super::bust::Cause;
use super::super::charge::Charge;
use super::super::counted_context::CountedContext;
use super::super::outdated::{OutdatedForView, Rules};
use super::super::prompt::{Prompt, amount};
use super::super::{Bill, CountedThread, PriceList, main_model};
use super::cells::{
    BustPicture, Cell, PolicyCosts, PricedCosts, RequestPicture, ThreadPicture, UsagePicture,
};
use super::cleared::mark_cleared;
use super::context_cells::ContextCells;
use super::history::summary_of;
use super::pieces::{Pieces, SUMMARY};
use crate::model::{ContextStart, Request, RequestKind, Session, ThreadKind};

/// Converts units of one model's costs to units of the session's main model.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModelUnits<'a> {
    list: &'a PriceList,
    /// US dollars per input token of the main model; `None` if a model's price isn't known.
    usd: Option<f64>,
}

impl<'a> ModelUnits<'a> {
    pub(super) fn of(session: &Session, list: &'a PriceList) -> Self {
        let usd_of = |model: Option<&str>| list.rates(model).input_usd;
        let mains = session.threads.iter().map(|thread| usd_of(main_model(thread)));
        let requests = session.requests().map(|request| usd_of(request.model.as_deref()));
        let is_known = mains.chain(requests).all(|usd| usd.is_some());
        let main = session.threads.first().and_then(|thread| usd_of(main_model(thread)));
        Self { list, usd: main.filter(|_| is_known) }
    }

    /// Main-model units per unit of a model whose input token costs `usd` dollars.
    pub(super) fn units(&self, usd: Option<f64>) -> f64 {
        usd.zip(self.usd).map_or(1.0, |(own, main)| own / main)
    }
}

/// What a thread's picture is built from.
pub(super) struct ThreadPictureBuilder<'a> {
    pub thread: CountedThread<'a>,
    pub pieces: &'a Pieces,
    pub rules: &'a Rules,
    /// Names and prices of the price lists; the first one is the thread's own.
    pub lists: Vec<(String, Prices)>,
    pub units: ModelUnits<'a>,
}

impl ThreadPictureBuilder<'_> {
    pub fn build(&self, bill: &Bill) -> ThreadPicture {
        let thread = self.thread.thread;
        let records_writes = thread.usage().1.cache_write > 0;
        let zero_costs = |prices: &String| PricedCosts {
            prices: prices.clone(),
            usd_per_million: self.units.usd.map(|usd| usd * 1e6),
            policies: PolicyCosts::zero(thread.requests.len()),
        };
        let mut picture = ThreadPicture {
            kind: thread.kind,
            name: thread.id.clone().filter(|_| thread.kind != ThreadKind::Main),
            context_window: main_model(thread).and_then(window_of).map(|window| window.tokens),
            fixed_tokens: self.thread.prompts.fixed_tokens,
            cells: Vec::new(),
            requests: thread.requests.iter().map(|request| recorded(request, records_writes)).collect(),
            costs: self.lists.iter().map(|(prices, _)| zero_costs(prices)).collect(),
        };
        if let Some(own) = picture.costs.first_mut().filter(|_| bill.requests > 0) {
            let paid = |charge: &Charge| charge.prompt * self.units.units(charge.usd);
            own.policies.paid =
                Some(self.thread.charges.iter().map(|charge| charge.as_ref().map(paid)).collect());
        }
        for bust in bill.busts.iter().filter(|bust| bust.thread == self.thread.number) {
            let charge = self.thread.charges.get(bust.request).copied().flatten();
            let cost = charge.map(|charge| bust.cost * self.units.units(charge.usd));
            if let Some((request, cost)) = picture.requests.get_mut(bust.request).zip(cost) {
                let tokens = bust.expected_tokens - amount(bust.read_tokens);
                let surprise = bust.surprise.filter(|_| bust.cause == Cause::Unknown);
                let pause_ms = bust.pause_ms;
                request.bust = Some(BustPicture { cause: bust.cause, surprise, pause_ms, tokens, cost });
            }
        }
        for (number, prompt) in (0..).zip(&self.thread.prompts.contexts) {
            self.add_context(&mut picture, number, prompt);
        }
        picture
    }

    /// Adds one context: its cells, what became outdated, and the costs of its requests.
    fn add_context(&self, picture: &mut ThreadPicture, number: u32, prompt: &Prompt) {
        let CountedThread { thread, rows, .. } = self.thread;
        let counted = CountedContext::of(&self.thread, (number, prompt), self.rules);
        let longest = counted.lengths.iter().copied().max().unwrap_or(0);
        let first_sent = counted.lengths.first().copied().unwrap_or(0);
        let mut starts = vec![picture.cells.len()];
        let summary = summary_of(rows, thread, (number, prompt, first_sent));
        for position in 0..longest {
            self.add_cells(picture, prompt, position, summary);
            starts.push(picture.cells.len());
        }
        let requests = thread.requests.iter().enumerate().filter(|(_, request)| request.context == number);
        let request_indices = requests.map(|(index, _)| index).collect();
        let context_cells = ContextCells { request_indices, counted, starts };
        self.mark_start(picture, number, &context_cells);
        for found in &context_cells.counted.outdated_for_view {
            Self::mark_outdated(&mut picture.cells, &context_cells, found);
        }
        mark_cleared(&mut picture.cells, &context_cells, rows.session, thread, picture.fixed_tokens);
        context_cells.fill(picture);
        for list in 0..self.lists.len() {
            self.add_costs(picture, &context_cells, list);
        }
    }

    /// Adds the cells of the row (a tool result, or the rest of a message) at `position` in the context.
    fn add_cells(&self, picture: &mut ThreadPicture, prompt: &Prompt, position: usize, summary: Option<u32>) {
        let Some((&row, &tokens)) = prompt.rows.get(position).zip(prompt.tokens.get(position)) else {
            return;
        };
        let Some(message) = self.thread.rows.all.get(row).map(|row| row.message) else { return };
        let is_summary = summary == Some(message);
        picture.cells.extend(self.pieces.of_row(row).iter().map(|piece| Cell {
            message,
            part: piece.part,
            kind: if is_summary { SUMMARY } else { piece.kind },
            tool: piece.tool,
            tokens: tokens * piece.share,
            label: piece.label.clone(),
            ..Cell::default()
        }));
    }

    /// Notes at a context's first request why the context began.
    fn mark_start(&self, picture: &mut ThreadPicture, number: u32, context_cells: &ContextCells) {
        let start = self.thread.thread.contexts.get(number as usize).map(|context| &context.start);
        let begins = match start {
            Some(ContextStart::Compaction { .. }) => "compaction",
            Some(ContextStart::ResultsCleared { .. }) => "results-cleared",
            Some(ContextStart::Rewind) => "rewind",
            Some(ContextStart::Changed) => "changed",
            Some(ContextStart::Beginning) | None => return,
        };
        if let Some(request) =
            context_cells.request_indices.first().and_then(|&first| picture.requests.get_mut(first))
        {
            request.begins = Some(begins);
        }
    }

    /// Marks a result's cell as outdated, unless its placeholder would save no tokens.
    fn mark_outdated(cells: &mut [Cell], context_cells: &ContextCells, found: &OutdatedForView) {
        let message = context_cells.counted.view.messages.get(found.position);
        let Some(message) = message.filter(|message| message.tokens_replaced < message.tokens) else {
            return;
        };
        let cell = context_cells.starts.get(found.position).and_then(|&start| cells.get_mut(start));
        if let Some((cell, &number)) = cell.zip(context_cells.request_indices.get(found.request)) {
            cell.stale_from = Some(cell.stale_from.map_or(number, |from| from.min(number)));
            cell.tokens_replaced = Some(message.tokens_replaced);
            cell.rule = Some(found.rule.clone());
            cell.placeholder.clone_from(&found.placeholder);
        }
    }

    /// Simulates the policies under one price list. Cells and requests show the view under the thread's own list.
    fn add_costs(&self, picture: &mut ThreadPicture, context_cells: &ContextCells, list: usize) {
        let Some((_, prices)) = self.lists.get(list) else { return };
        let ThreadPicture { cells, requests, costs, .. } = picture;
        let Some(policies) = costs.get_mut(list).map(|costs| &mut costs.policies) else { return };
        let units = self.units.units(self.units.list.rates(main_model(self.thread.thread)).input_usd);
        let mut each = |policy: &'static str, step: &PlayedRequest<'_>| {
            let sent = context_cells
                .request_indices
                .get(step.request)
                .zip(context_cells.counted.lengths.get(step.request));
            let Some((&number, &length)) = sent else { return };
            if let Some(cost) = policies.policy_mut(policy).and_then(|costs| costs.get_mut(number)) {
                *cost = step.billed.cost * units;
            }
            if list > 0 || policy != "view" {
                return;
            }
            for &position in step.newly_replaced {
                let start = context_cells.starts.get(position);
                if let Some(cell) = start.and_then(|&start| cells.get_mut(start)) {
                    cell.replaced_from = Some(number);
                }
            }
            context_cells.mark_referring(cells, step);
            if let Some(request) = requests.get_mut(number) {
                request.tokens_view = step.billed.tokens;
                request.cached_tokens = step.billed.cached;
                request.cached_cells = context_cells.cached_cells(length, step);
            }
        };
        let view =
            ViewSession { session: &context_cells.counted.view, with_ages: false, max_extra_cost: None };
        let _ = compare_played(&context_cells.counted.columns, Some(view), prices, &mut each);
    }
}

/// A request with what the file records.
fn recorded(request: &Request, records_writes: bool) -> RequestPicture {
    let usage = request.usage.map(|usage| UsagePicture {
        prompt: usage.total(),
        cache_read: usage.cache_read,
        cache_write: Some(usage.cache_write).filter(|_| records_writes),
        output: usage.output,
    });
    RequestPicture {
        time_ms: request.at_ms,
        model: request.model.as_deref().map(str::to_owned),
        usage,
        is_compaction: request.kind == RequestKind::Compaction,
        ..RequestPicture::default()
    }
}
