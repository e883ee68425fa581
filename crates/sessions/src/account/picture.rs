//! A session's data request by request, for maps and charts. Prompts are divided into *cells*: one message of a context,
//! or one kind of content in it.

mod advice;
mod cell_costs;
mod cells;
mod context_cells;
mod history;
mod items;
mod pages;
mod pieces;
mod thread;

pub use advice::{Advice, AdviceKind, SUMMARY_TOKENS};
pub use cells::{
    CacheMissPicture, Cell, POLICIES, PolicyCosts, PricedCosts, RequestPicture, ThreadPicture, UsagePicture,
};
pub use history::{CompressionPoint, SessionHistory};
pub use items::Item;
pub use pages::MessagePage;

use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::tools::label::KINDS;
use serde::Serialize;

use super::{
    AccountSettings, Bill, CountedRows, CountedThread, Currency, NoteFigures, OWN, Rules, SessionTotals, Waterfall,
    main_model, notes_of, outline, own_prices,
};
use crate::model::Session;
use advice::Adviser;
use cell_costs::ThreadCosts;
use items::items_of;
use pieces::pieces_by_row;
use thread::{MainModelUnits, ThreadPictureBuilder};

const JSON_VERSION: u32 = 1;

/// Tokens are as in the account. Costs are in units of base input of the session's main model, so that they add up; if
/// a model's price isn't known, each is in units of its own model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPicture {
    pub version: u32,
    pub agent: &'static str,
    pub agent_name: &'static str,
    pub id: Option<String>,
    pub project: Option<String>,
    pub models: Vec<String>,
    pub first_ms: Option<i64>,
    pub last_ms: Option<i64>,
    pub messages: usize,
    pub kinds: [&'static str; KINDS.len()],
    pub tools: Vec<String>,
    pub threads: Vec<ThreadPicture>,
    /// The whole bill, output included; `None` if no usage is recorded.
    pub bill: Option<Waterfall>,
    pub is_recorded: bool,
    pub predicted: Option<f64>,
    pub prices_date: String,
    pub items: Vec<Item>,
    pub advice: Vec<Advice>,
    pub notes: Vec<NoteFigures>,
}

impl SessionPicture {
    /// The session's own prices come first, then `options.lists`. O(texts), and for each list O(messages) per request.
    pub fn of(session: &Session, options: &AccountSettings) -> Self {
        let rows = CountedRows::of(session);
        let span = session.span_ms();
        let (threads, bill) = thread_pictures(options, &rows);
        let currency = bill.currency();
        let costs = threads.iter().zip(&bill.charges);
        let costs = costs.map(|(thread, charges)| ThreadCosts::of(thread, charges, currency, 0));
        let cell_costs: Vec<ThreadCosts> = costs.collect();
        let prices = &options.prices;
        let adviser = Adviser { session, threads: &threads, cell_costs: &cell_costs, bill: &bill, currency, prices };
        let is_billed = bill.requests > 0;
        let totals = SessionTotals::of(&session.totals, &[], prices).filter(|_| !is_billed);
        let totals = totals.map(|totals| totals.bill);
        let predicted = if currency == Currency::Usd { bill.predicted_usd } else { Some(bill.predicted) };
        Self {
            version: JSON_VERSION,
            agent: session.agent.key(),
            agent_name: session.agent.name(),
            id: session.id.clone(),
            project: session.project.clone(),
            models: outline::models_of(session),
            first_ms: span.map(|span| span.0),
            last_ms: span.map(|span| span.1),
            messages: session.messages.len(),
            kinds: KINDS,
            items: items_of(&threads, &cell_costs),
            advice: if is_billed { adviser.advice() } else { Vec::new() },
            threads,
            tools: rows.tools,
            is_recorded: totals.as_ref().unwrap_or(&bill).is_recorded,
            predicted: predicted.filter(|_| is_billed),
            bill: if is_billed { bill.waterfall } else { totals.and_then(|totals| totals.waterfall) },
            prices_date: options.prices.date.clone(),
            notes: notes_of(session),
        }
    }
}

fn thread_pictures(options: &AccountSettings, rows: &CountedRows<'_>) -> (Vec<ThreadPicture>, Bill) {
    let session = rows.session;
    let pieces = pieces_by_row(rows);
    let rules = Rules::of(rows, Ages::default());
    let units = MainModelUnits::of(session, &options.prices);
    let mut bill = Bill::default();
    let pictures = session.threads.iter().enumerate().map(|(index, thread)| {
        let counted = CountedThread::of(index, thread, rows);
        bill.add_thread(&counted, &options.prices);
        let rates = options.prices.rates(main_model(thread));
        let own = (OWN.to_owned(), own_prices(&rates, thread));
        let lists = std::iter::once(own).chain(options.lists.iter().cloned()).collect();
        let charges = bill.charges.last().map(Vec::as_slice).unwrap_or_default();
        ThreadPictureBuilder { thread: &counted, charges, pieces: &pieces, rules: &rules, lists, units }.build(&bill)
    });
    let pictures = pictures.collect();
    bill.finish();
    (pictures, bill)
}
