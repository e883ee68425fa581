//! What lists of sessions show: models and usage, first prompt, sizes of the main thread, and payments over time.

use palimpsest_core::provider::usage::Usage;
use palimpsest_core::tools::label;

use super::bill::Bill;
use super::charge::ChargedRequest;
use super::prices::PriceList;
use super::prompt::amount;
use super::session_totals::{UnpricedModel, UsageFigures, unpriced};
use super::waterfall::Currency;
use crate::model::{Part, Request, Role, Session};

const MAX_SECTIONS: usize = 60;

/// First words of the first prompt; texts that agents insert before it start with a marker.
pub(super) fn title_of(session: &Session) -> Option<String> {
    let prompts = session.messages.iter().filter(|message| message.role == Role::User);
    let texts = prompts.flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::Text(text) => Some(label::of_text(text)),
        _ => None,
    });
    let mut titles = texts.filter(|text| !text.is_empty());
    let first = titles.next()?;
    let is_words = |text: &String| !text.starts_with(['<', '#']);
    if is_words(&first) { Some(first) } else { titles.find(is_words).or(Some(first)) }
}

/// The main thread in sections: the largest prompt's tokens, and whether the cache was lost.
pub(super) fn outline_of(session: &Session, bill: &Bill) -> Vec<(f64, bool)> {
    let requests = session.threads.first().map_or(&[][..], |thread| &thread.requests);
    let lost = |request| bill.busts.iter().any(|bust| bust.thread == 0 && bust.request == request);
    let length = requests.len().div_ceil(MAX_SECTIONS).max(1);
    let section = |(number, requests): (usize, &[Request])| {
        let largest = requests.iter().filter_map(|request| request.usage.map(|usage| usage.total())).max();
        let first = number * length;
        (amount(largest.unwrap_or(0)), (first..first + requests.len()).any(lost))
    };
    requests.chunks(length).enumerate().map(section).collect()
}

/// All time zones have offsets of whole quarter hours, so callers can group by local day.
const QUARTER_HOUR_MS: i64 = 900_000;

/// What was paid for each request; adjacent ones without an id are added up if they have the same time and model.
#[allow(clippy::cast_possible_truncation)] // half of a hash is enough to tell requests of one machine apart
pub(super) fn charged_requests(session: &Session, models: &[String], bill: &Bill) -> Vec<ChargedRequest> {
    let currency = bill.waterfall.as_ref().map_or(Currency::Units, |waterfall| waterfall.currency);
    let threads = session.threads.iter().zip(&bill.charges);
    let requests = threads.flat_map(|(thread, charges)| thread.requests.iter().zip(charges));
    let mut charged: Vec<ChargedRequest> = Vec::new();
    for (request, charge) in requests {
        let Some(charge) = charge else { continue };
        let id = request.id.map(|id| id as u32);
        let time = request.at_ms.map(|at_ms| at_ms.div_euclid(QUARTER_HOUR_MS));
        let model = request.model.as_deref().and_then(|name| models.iter().position(|model| model == name));
        let cost = currency.worth(charge) * (charge.prompt + charge.output);
        match charged.last_mut() {
            Some(last) if id.is_none() && (last.id, last.time, last.model) == (None, time, model) => {
                last.cost += cost;
            }
            _ => charged.push(ChargedRequest { id, cost, time, model }),
        }
    }
    charged
}

/// Names of the models, in the order of first use.
pub(super) fn models_of(session: &Session) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    let totals = session.totals.iter().map(|total| total.model.as_str()).filter(|model| !model.is_empty());
    for model in session.requests().filter_map(|request| request.model.as_deref()).chain(totals) {
        if !models.iter().any(|known| known == model) {
            models.push(model.to_owned());
        }
    }
    models
}

/// Tokens of the largest reported prompt.
pub(super) fn peak_reported(session: &Session) -> f64 {
    let prompts = session.requests().filter_map(|request| request.usage.map(|usage| usage.total()));
    amount(prompts.max().unwrap_or(0))
}

/// Usage of all requests; `None` if no request has any.
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
    let threads = session.threads.iter().zip(&bill.charges);
    let requests = threads.flat_map(|(thread, charges)| thread.requests.iter().zip(charges));
    let unknown = requests.filter(|(_, charge)| charge.is_some_and(|charge| charge.usd.is_none()));
    unpriced(
        unknown
            .filter_map(|(request, _)| Some((request.model.as_deref().map(str::to_owned), request.usage?))),
    )
}
