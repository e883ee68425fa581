//! Builds one thread's picture: its cells, and each policy's costs on one context after another.

use palimpsest_core::cache::policies::{ViewSession, compare_played};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::tokens::windows::window_of;

use super::super::{
    Bill, CacheMissCause, Charge, ContextRows, CountedContext, CountedThread, OutdatedResult, PriceList, Rules,
    main_model, to_f64,
};
use super::cells::{CacheMissPicture, Cell, PolicyCosts, PricedCosts, RequestPicture, ThreadPicture, UsagePicture};
use super::context_cells::ContextCells;
use super::history::summary_of;
use super::pieces::{CellPiece, SUMMARY};
use crate::model::{ContextStart, Request, RequestKind, Session, ThreadKind};

/// Converts costs in units of one model's base input to units of the session's main model.
#[derive(Debug, Clone, Copy)]
pub(super) struct MainModelUnits<'a> {
    list: &'a PriceList,
    /// US dollars per input token of the main model; `None` if a model's price isn't known.
    main_usd: Option<f64>,
}

impl<'a> MainModelUnits<'a> {
    pub(super) fn of(session: &Session, list: &'a PriceList) -> Self {
        let usd_of = |model: Option<&str>| list.rates(model).input_usd;
        let mains = session.threads.iter().map(|thread| usd_of(main_model(thread)));
        let requests = session.requests().map(|request| usd_of(request.model.as_deref()));
        let is_known = mains.chain(requests).all(|usd| usd.is_some());
        let main = session.threads.first().and_then(|thread| usd_of(main_model(thread)));
        Self { list, main_usd: main.filter(|_| is_known) }
    }

    /// Units of the main model per unit of a model whose input token costs `usd` dollars.
    pub(super) fn per_unit(&self, usd: Option<f64>) -> f64 {
        usd.zip(self.main_usd).map_or(1.0, |(own, main)| own / main)
    }
}

pub(super) struct ThreadPictureBuilder<'a> {
    pub thread: &'a CountedThread<'a>,
    pub charges: &'a [Option<Charge>],
    pub pieces: &'a [Vec<CellPiece>],
    pub rules: &'a Rules,
    /// Names and prices of the price lists; the first one is the thread's own.
    pub lists: Vec<(String, Prices)>,
    pub units: MainModelUnits<'a>,
}

impl ThreadPictureBuilder<'_> {
    pub fn build(&self, bill: &Bill) -> ThreadPicture {
        let thread = self.thread.thread;
        let records_writes = thread.usage().1.cache_write > 0;
        let zero_costs = |prices: &String| PricedCosts {
            prices: prices.clone(),
            usd_per_million: self.units.main_usd.map(|usd| usd * 1e6),
            policies: PolicyCosts { by_policy: std::array::from_fn(|_| vec![0.0; thread.requests.len()]), paid: None },
        };
        let mut picture = ThreadPicture {
            kind: thread.kind,
            name: thread.id.clone().filter(|_| thread.kind != ThreadKind::Main),
            context_window: main_model(thread).and_then(window_of).map(|window| window.tokens),
            fixed_tokens: self.thread.fixed_tokens,
            cells: Vec::new(),
            requests: thread.requests.iter().map(|request| recorded(request, records_writes)).collect(),
            costs: self.lists.iter().map(|(prices, _)| zero_costs(prices)).collect(),
        };
        if let Some(own) = picture.costs.first_mut().filter(|_| bill.requests > 0) {
            let paid = |charge: &Charge| charge.prompt * self.units.per_unit(charge.usd_per_unit);
            own.policies.paid = Some(self.charges.iter().map(|charge| charge.as_ref().map(paid)).collect());
        }
        for miss in bill.cache_misses.iter().filter(|miss| miss.thread == self.thread.index) {
            let charge = self.charges.get(miss.request).copied().flatten();
            let request = picture.requests.get_mut(miss.request);
            let Some((request, charge)) = request.zip(charge) else { continue };
            request.cache_miss = Some(CacheMissPicture {
                cause: miss.cause,
                surprise: miss.surprise.filter(|_| miss.cause == CacheMissCause::Unknown),
                pause_ms: miss.pause_ms,
                tokens: miss.expected_tokens - to_f64(miss.read_tokens),
                cost: miss.cost * self.units.per_unit(charge.usd_per_unit),
            });
        }
        for (index, rows) in (0..).zip(&self.thread.contexts) {
            self.add_context(&mut picture, index, rows);
        }
        picture
    }

    fn add_context(&self, picture: &mut ThreadPicture, index: u32, rows: &ContextRows) {
        let counted = CountedContext::of(self.thread, index, rows, self.rules);
        let longest = counted.lengths.iter().copied().max().unwrap_or(0);
        let mut cell_starts = vec![picture.cells.len()];
        let summary = summary_of(self.thread, index);
        for (&row, &tokens) in rows.rows.iter().zip(&rows.tokens).take(longest) {
            let message = self.thread.rows.all.get(row).map_or(0, |row| row.message);
            let is_summary = summary == Some(message);
            picture.cells.extend(self.pieces.get(row).into_iter().flatten().map(|piece| Cell {
                message,
                part: piece.part,
                kind: if is_summary { SUMMARY } else { piece.kind },
                tool: piece.tool,
                tokens: tokens * piece.share,
                label: piece.label.clone(),
                ..Cell::default()
            }));
            cell_starts.push(picture.cells.len());
        }
        let context_cells = ContextCells { counted, cell_starts };
        self.mark_start(picture, index, &context_cells);
        for found in &context_cells.counted.outdated_for_view {
            self.mark_outdated(&mut picture.cells, &context_cells, found);
        }
        context_cells.mark_cleared(&mut picture.cells, picture.fixed_tokens);
        context_cells.fill_requests(picture);
        for list in 0..self.lists.len() {
            self.add_costs(picture, &context_cells, list);
        }
    }

    fn mark_start(&self, picture: &mut ThreadPicture, index: u32, context_cells: &ContextCells<'_>) {
        let start = self.thread.thread.contexts.get(index as usize).map(|context| &context.start);
        let begins = match start {
            Some(ContextStart::Compaction { .. }) => "compaction",
            Some(ContextStart::ResultsCleared { .. }) => "results-cleared",
            Some(ContextStart::Rewind) => "rewind",
            Some(ContextStart::Changed) => "changed",
            Some(ContextStart::Beginning) | None => return,
        };
        let first = context_cells.counted.request_indices.first();
        if let Some(request) = first.and_then(|&first| picture.requests.get_mut(first)) {
            request.begins = Some(begins);
        }
    }

    /// Simulates the policies under one price list. Cells and requests show the view under the thread's own list.
    fn add_costs(&self, picture: &mut ThreadPicture, context_cells: &ContextCells<'_>, list: usize) {
        let Some((_, prices)) = self.lists.get(list) else { return };
        let ThreadPicture { cells, requests, costs, .. } = picture;
        let Some(policies) = costs.get_mut(list).map(|costs| &mut costs.policies) else { return };
        let per_unit = self.units.per_unit(self.units.list.rates(main_model(self.thread.thread)).input_usd);
        let counted = &context_cells.counted;
        let mut each = |policy: &'static str, step: &PlayedRequest<'_>| {
            let index = counted.request_indices.get(step.request);
            let Some((&index, &length)) = index.zip(counted.lengths.get(step.request)) else { return };
            if let Some(cost) = policies.policy_mut(policy).and_then(|costs| costs.get_mut(index)) {
                *cost = step.billed.cost * per_unit;
            }
            if list > 0 || policy != "view" {
                return;
            }
            for &position in step.newly_replaced {
                if let Some(cell) = context_cells.cell_of(position, cells) {
                    cell.replaced_from = Some(index);
                }
            }
            context_cells.mark_referring(cells, step);
            if let Some(request) = requests.get_mut(index) {
                request.tokens_view = step.billed.tokens;
                request.cached_tokens = step.billed.cached;
                request.cached_cells = context_cells.cached_cells(length, step);
            }
        };
        let view = ViewSession { session: &counted.view_columns, with_ages: false, max_extra_cost: None };
        let _ = compare_played(&counted.columns, Some(view), prices, &mut each);
    }

    /// Marks a result's cell as outdated, unless its placeholder would save no tokens.
    fn mark_outdated(&self, cells: &mut [Cell], context_cells: &ContextCells<'_>, found: &OutdatedResult) {
        let counted = &context_cells.counted;
        let Some(message) = counted.view_columns.messages.get(found.position) else { return };
        let cell = context_cells.cell_of(found.position, cells).filter(|_| message.tokens_replaced < message.tokens);
        if let Some((cell, &request)) = cell.zip(counted.request_indices.get(found.request)) {
            cell.stale_from = Some(cell.stale_from.map_or(request, |from| from.min(request)));
            cell.tokens_replaced = Some(message.tokens_replaced);
            cell.rule = self.rules.by_kind.rules.get(found.rule).map(|rule| rule.name.clone());
            cell.placeholder.clone_from(&found.placeholder);
        }
    }
}

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
