//! What lists of sessions show: models and usage, first prompt, sizes of the main thread, and payments over time.

use std::cmp::Reverse;

use indexmap::{IndexMap, IndexSet};
use palimpsest_core::provider::usage::Usage;
use palimpsest_core::tools::label;
use serde::Serialize;

use super::{Bill, Charge, ChargedRequest, PriceList, UsageFigures, to_f64};
use crate::model::{Part, Request, Role, Session, Thread};

const MAX_SECTIONS: usize = 60;
/// All time zones have offsets of whole quarter hours, so callers can group by local day.
const QUARTER_HOUR_MS: i64 = 900_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnpricedModel {
    pub model: Option<String>,
    pub tokens: u64,
}

/// First words of the first prompt; texts that agents insert before it start with a marker.
pub(super) fn title_of(session: &Session) -> Option<String> {
    let prompts = session.messages.iter().filter(|message| message.role == Role::User);
    let texts = prompts.flat_map(|message| &message.parts).filter_map(Part::as_text);
    let mut titles = texts.map(label::of_text).filter(|text| !text.is_empty());
    let first = titles.next()?;
    let is_typed_by_user = |text: &String| !text.starts_with(['<', '#']);
    if is_typed_by_user(&first) { Some(first) } else { titles.find(is_typed_by_user).or(Some(first)) }
}

pub(super) fn outline_of(session: &Session, bill: &Bill) -> Vec<(f64, bool)> {
    let requests = session.threads.first().map_or(&[][..], |thread| &thread.requests);
    let lost = |request| bill.cache_misses.iter().any(|miss| miss.thread == 0 && miss.request == request);
    let length = requests.len().div_ceil(MAX_SECTIONS).max(1);
    let section = |(index, requests): (usize, &[Request])| {
        let largest = requests.iter().filter_map(|request| request.usage.map(|usage| usage.total())).max();
        let first = index * length;
        (to_f64(largest.unwrap_or(0)), (first..first + requests.len()).any(lost))
    };
    requests.chunks(length).enumerate().map(section).collect()
}

/// What was paid for each request; adjacent ones without an id are added up if they have the same time and model.
#[allow(clippy::cast_possible_truncation)] // half of a hash is enough to tell requests of one machine apart
pub(super) fn charged_requests(session: &Session, models: &[String], bill: &Bill) -> Vec<ChargedRequest> {
    let currency = bill.currency();
    let mut charged: Vec<ChargedRequest> = Vec::new();
    for (request, charge) in requests_with_charge(session, bill) {
        let id = request.id.map(|id| id as u32);
        let time = request.at_ms.map(|at_ms| at_ms.div_euclid(QUARTER_HOUR_MS));
        let model = request.model.as_deref().and_then(|name| models.iter().position(|model| model == name));
        let cost = currency.unit_value(charge) * (charge.prompt + charge.output);
        match charged.last_mut() {
            Some(last) if id.is_none() && (last.id, last.time, last.model) == (None, time, model) => last.cost += cost,
            _ => charged.push(ChargedRequest { id, cost, time, model }),
        }
    }
    charged
}

pub(super) fn models_of(session: &Session) -> Vec<String> {
    let totals = session.totals.iter().map(|total| total.model.as_str()).filter(|model| !model.is_empty());
    let models = session.requests().filter_map(|request| request.model.as_deref()).chain(totals);
    models.collect::<IndexSet<&str>>().into_iter().map(str::to_owned).collect()
}

/// The model with the most prompt tokens; a thread may start with another model that never answered.
pub(super) fn main_model(thread: &Thread) -> Option<&str> {
    let mut prompts: IndexMap<&str, u64> = IndexMap::new();
    for request in &thread.requests {
        let Some(model) = request.model.as_deref() else { continue };
        let sum = prompts.entry(model).or_default();
        *sum = sum.saturating_add(request.usage.map_or(0, |usage| usage.total()));
    }
    // Reversed, since `max_by_key` takes the last of several maxima.
    prompts.into_iter().rev().max_by_key(|(_, tokens)| *tokens).map(|(model, _)| model)
}

pub(super) fn usage_of(session: &Session) -> Option<UsageFigures> {
    let (mut requests, mut usage) = (0, Usage::default());
    for thread in &session.threads {
        let (count, sum) = thread.usage();
        requests += count;
        usage.add(&sum);
    }
    (requests > 0).then(|| UsageFigures::of(requests, &usage))
}

/// Models without a known price, by the requests' usage if recorded, else by the session's totals.
pub(super) fn unpriced_of(session: &Session, bill: &Bill, list: &PriceList) -> Vec<UnpricedModel> {
    if bill.requests == 0 {
        let totals = session.totals.iter().filter(|total| !total.usage.is_empty());
        let unknown = totals.filter(|total| {
            let recorded = total.cost_usd.is_some_and(|usd| usd > 0.0);
            !recorded && list.rates(Some(&total.model)).input_usd.is_none()
        });
        let named = |model: &str| Some(model.to_owned()).filter(|model| !model.is_empty());
        return unpriced(unknown.map(|total| (named(&total.model), total.usage)));
    }
    let requests = requests_with_charge(session, bill).filter(|(_, charge)| charge.usd_per_unit.is_none());
    unpriced(requests.filter_map(|(request, _)| Some((request.model.as_deref().map(str::to_owned), request.usage?))))
}

fn requests_with_charge<'a>(session: &'a Session, bill: &'a Bill) -> impl Iterator<Item = (&'a Request, &'a Charge)> {
    let threads = session.threads.iter().zip(&bill.charges);
    let requests = threads.flat_map(|(thread, charges)| thread.requests.iter().zip(charges));
    requests.filter_map(|(request, charge)| Some((request, charge.as_ref()?)))
}

fn unpriced(recorded: impl Iterator<Item = (Option<String>, Usage)>) -> Vec<UnpricedModel> {
    let mut tokens_by_model: IndexMap<Option<String>, u64> = IndexMap::new();
    for (model, usage) in recorded {
        let sum = tokens_by_model.entry(model).or_default();
        *sum = sum.saturating_add(usage.total()).saturating_add(usage.output);
    }
    let models = tokens_by_model.into_iter().map(|(model, tokens)| UnpricedModel { model, tokens });
    let mut models: Vec<UnpricedModel> = models.collect();
    models.sort_by_key(|unpriced| Reverse(unpriced.tokens));
    models
}
