//! A session's account: what filled its context windows, what that cost, and what other policies would have cost.
//! A *policy* decides which outdated results are removed from a prompt, and when.

// Counts, times and numbers of bytes and tokens are far below 2^53.
#![allow(clippy::cast_precision_loss)]

mod bill;
mod cache_miss;
mod cache_prediction;
mod content_sums;
mod counted_context;
mod counted_thread;
mod files;
mod need;
mod outdated;
mod outline;
pub mod picture;
mod policies;
mod prices;
mod references;
mod rows;
mod waterfall;

pub use bill::{Bill, ChargedRequest, UsageFigures};
pub use cache_miss::{CacheMiss, CacheMissCause, Surprise, SurpriseFigures};
pub use content_sums::{KindFigures, RuleFigures, Tokens, ToolFigures};
pub use files::{Accounts, FileAccounts, FileError, Progress, account_files, session_at};
pub use need::{MissedNeed, NeedDetail, NeedFigures};
pub use outline::UnpricedModel;
pub use policies::{Curve, Curves, PolicyFigures, Simulation};
pub use prices::{ModelPrice, PriceList, Rates};
pub use waterfall::{Charge, Currency, Loss, Waterfall};

use palimpsest_core::cache::policies::{ViewSession, compare, compare_played};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::need::{Index, Vocabulary};
use palimpsest_core::tools::result_kind::ResultKind;
use serde::Serialize;

use crate::{NoteCount, NoteKind, Session, Thread, ThreadKind};
use bill::{SessionTotals, own_prices};
use cache_prediction::{CachePredictor, has_cache, in_blocks, is_one_hour};
use content_sums::ContentSums;
use counted_context::CountedContext;
use counted_thread::{ContextRows, CountedThread, to_f64};
use need::{ContextColumns, NeedEvidence};
use outdated::{OutdatedResult, RuleInput, Rules, outdated_results, units_of};
use outline::main_model;
use policies::OWN;
use references::{ReferringResult, find_references};
use rows::{ContentKind, CountedRow, CountedRows, count_tokens};

#[derive(Debug, Clone)]
pub struct AccountSettings {
    pub prices: PriceList,
    /// Names and prices of the lists for the simulations; if empty, the session's own models' prices.
    pub lists: Vec<(String, Prices)>,
    /// If false, texts aren't counted and no policies are simulated; the account only has what the file records.
    pub simulate: bool,
    /// Adds policies that know the whole session in advance.
    pub hindsight: bool,
    pub curves: bool,
    pub need: Option<NeedDetail>,
    pub view_overrides: ViewOverrides,
}

#[derive(Debug, Clone, Default)]
pub struct ViewOverrides {
    pub ages: Vec<(ResultKind, u32)>,
    pub max_extra_cost: Option<f64>,
}

/// One session's account. Costs are in units of base input, not in dollars, unless a field says so. Tokens are the
/// provider's if reported.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub agent: &'static str,
    pub agent_name: &'static str,
    pub id: Option<String>,
    pub project: Option<String>,
    pub version: Option<String>,
    pub models: Vec<String>,
    pub first_ms: Option<i64>,
    pub last_ms: Option<i64>,
    pub messages: usize,
    pub requests: usize,
    pub sub_agents: usize,
    pub compactions: usize,
    pub peak_tokens: f64,
    /// `None` if the file records no usage.
    pub usage: Option<UsageFigures>,
    pub bill: Option<Bill>,
    /// Models without a price in dollars; no dollar sum includes them.
    pub unpriced: Vec<UnpricedModel>,
    /// Tokens of the main thread's system prompt and tools, if they aren't in the file.
    pub fixed_tokens: f64,
    pub kinds: Vec<KindFigures>,
    pub tools: Vec<ToolFigures>,
    pub outdated: Vec<RuleFigures>,
    pub simulations: Vec<Simulation>,
    pub notes: Vec<NoteFigures>,
    pub title: Option<String>,
    /// Main thread in at most 60 sections: the largest prompt's tokens, and whether the cache was lost.
    pub outline: Vec<(f64, bool)>,
    /// Payments with time and model; they sum to `bill.waterfall.paid`. Resumed and copied sessions repeat requests of
    /// the original session: the same id identifies the same request.
    pub charged: Vec<ChargedRequest>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<ContextColumns>,
    /// Evidence of needs, until all sessions are read and common names are known.
    #[serde(skip)]
    evidence: Option<NeedEvidence>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteFigures {
    pub kind: NoteKind,
    pub what: &'static str,
    pub count: u64,
    pub at: Option<String>,
}

impl Account {
    /// Time: O(texts + requests × messages for each policy).
    pub fn of(session: &Session, options: &AccountSettings) -> Self {
        let span = session.span_ms();
        let lists: Vec<&str> = options.lists.iter().map(|(name, _)| name.as_str()).collect();
        let lists = if lists.is_empty() { vec![OWN] } else { lists };
        let simulated = lists.into_iter().filter(|_| options.simulate);
        let prompts = session.requests().filter_map(|request| request.usage.map(|usage| usage.total()));
        let mut account = Self {
            agent: session.agent.key(),
            agent_name: session.agent.name(),
            id: session.id.clone(),
            project: session.project.clone(),
            version: session.version.clone(),
            models: outline::models_of(session),
            first_ms: span.map(|span| span.0),
            last_ms: span.map(|span| span.1),
            messages: session.messages.len(),
            requests: session.requests().count(),
            sub_agents: session.threads.iter().filter(|thread| thread.kind == ThreadKind::SubAgent).count(),
            compactions: session.threads.iter().map(Thread::compaction_count).sum(),
            peak_tokens: to_f64(prompts.max().unwrap_or(0)),
            usage: outline::usage_of(session),
            simulations: simulated.map(|name| Simulation::new(name.to_owned(), options.curves)).collect(),
            notes: notes_of(session),
            title: outline::title_of(session),
            ..Self::default()
        };
        account.add_costs(session, options);
        account
    }

    pub fn count_missed_needs(&mut self, vocabulary: &Vocabulary) {
        if let Some(evidence) = &self.evidence {
            evidence.count_misses(vocabulary, &mut self.simulations);
            self.contexts = evidence.columns(vocabulary);
        }
    }

    pub(super) fn add_names_to(&mut self, path: &str, vocabulary: &mut Vocabulary) {
        if let Some(evidence) = &mut self.evidence {
            vocabulary.add(self.project.as_deref().unwrap_or(path), &std::mem::take(&mut evidence.names));
        }
    }

    fn add_costs(&mut self, session: &Session, options: &AccountSettings) {
        let rows = if options.simulate { CountedRows::of(session) } else { CountedRows::estimated(session) };
        let overrides = options.view_overrides.ages.iter();
        let ages = overrides.fold(Ages::default(), |ages, &(kind, age)| ages.with(kind, age));
        let rules = Rules::of(&rows, ages);
        let mut content_sums = ContentSums::new(&rows, &rules.by_age.rules);
        let mut bill = Bill::default();
        let detail = options.need.filter(|_| options.simulate);
        let grams = detail.map(|_| need::gram_index(&rows));
        self.evidence = detail.zip(grams.as_ref()).map(|(detail, grams)| NeedEvidence::of(grams, detail));
        for (index, thread) in session.threads.iter().enumerate() {
            let counted = CountedThread::of(index, thread, &rows);
            if index == 0 {
                self.fixed_tokens = counted.fixed_tokens;
            }
            bill.add_thread(&counted, &options.prices);
            if options.simulate {
                self.peak_tokens = counted.prompt_tokens.iter().copied().fold(self.peak_tokens, f64::max);
                let charges = bill.charges.last().map(Vec::as_slice).unwrap_or_default();
                self.add_contexts((&counted, charges), options, &rules, grams.as_ref(), &mut content_sums);
            }
        }
        bill.finish();
        self.unpriced = outline::unpriced_of(session, &bill, &options.prices);
        self.outline = outline::outline_of(session, &bill);
        if bill.requests > 0 {
            self.charged = outline::charged_requests(session, &self.models, &bill);
            self.bill = Some(bill);
        } else if let Some(totals) = SessionTotals::of(&session.totals, &self.models, &options.prices) {
            (self.bill, self.usage, self.charged) = (Some(totals.bill), Some(totals.usage), totals.charged);
        }
        if options.simulate {
            (self.kinds, self.tools, self.outdated) = content_sums.figures();
        }
        let has_usage_by_request = self.bill.as_ref().is_some_and(|bill| !bill.is_of_session);
        for simulation in &mut self.simulations {
            simulation.finish(has_usage_by_request);
        }
        self.evidence.iter_mut().for_each(NeedEvidence::finish);
    }

    fn add_contexts(
        &mut self,
        (thread, charges): (&CountedThread<'_>, &[Option<Charge>]),
        options: &AccountSettings,
        rules: &Rules,
        grams: Option<&Index>,
        content_sums: &mut ContentSums,
    ) {
        let rates = options.prices.rates(main_model(thread.thread));
        let own_prices = own_prices(&rates, thread.thread);
        content_sums.add_fixed(thread.fixed_tokens, thread.thread.requests.len() as f64);
        for (index, rows) in (0..).zip(&thread.contexts) {
            let context = CountedContext::of(thread, index, rows, rules);
            if context.lengths.is_empty() {
                continue;
            }
            content_sums.add_context(&context);
            if let Some((evidence, grams)) = self.evidence.as_mut().zip(grams) {
                evidence.begin_context(grams, &context);
            }
            self.simulate((&context, charges), options, own_prices, rates.input_usd);
        }
    }

    /// Simulates the policies on one context, under each price list. `input_usd`: US dollars per input token.
    fn simulate(
        &mut self,
        (context, charges): (&CountedContext<'_>, &[Option<Charge>]),
        options: &AccountSettings,
        own_prices: Prices,
        input_usd: Option<f64>,
    ) {
        let mut evidence = self.evidence.as_mut();
        // Policy `by-age` is played only where its misses are compared with the view's.
        let plays_by_age = evidence.is_some();
        let max_extra_cost = options.view_overrides.max_extra_cost;
        let view = ViewSession { session: &context.view_columns, with_ages: plays_by_age, max_extra_cost };
        let compare = if options.hindsight { compare } else { compare_played };
        for (list, simulation) in self.simulations.iter_mut().enumerate() {
            let prices = options.lists.get(list).map_or(own_prices, |(_, prices)| *prices);
            let name = simulation.prices.clone();
            if let Some(costs) = &mut simulation.request_costs {
                costs.paid.extend(context.paid(charges));
            }
            let mut each = |policy, step: &PlayedRequest<'_>| {
                if let Some(costs) = &mut simulation.request_costs {
                    costs.by_policy.entry(policy).or_default().push(step.billed.cost);
                }
                if let Some(evidence) = &mut evidence {
                    evidence.add_step((list, &name), &prices, policy, step);
                }
            };
            let outcomes = compare(&context.columns, Some(view), &prices, &mut each);
            simulation.add(&outcomes, input_usd);
        }
    }
}

pub fn to_json(value: &impl Serialize) -> String {
    // Can't fail: all map keys are strings or numbers.
    serde_json::to_string(value).unwrap_or_default()
}

fn notes_of(session: &Session) -> Vec<NoteFigures> {
    let note = |(kind, counted): (NoteKind, &NoteCount)| NoteFigures {
        kind,
        what: kind.meaning(),
        count: counted.count,
        at: counted.first.first().map(ToString::to_string),
    };
    session.notes.iter().map(note).collect()
}
