//! A session's summary for lists: models and usage, first prompt, sizes of the main thread, and payments over time.

use palimpsest_core::provider::usage::Usage;
use palimpsest_core::tools::label;

use super::bill::Bill;
use super::charge::ChargedRequest;
use super::prices::PriceList;
use super::prompt::amount;
use super::session_totals::{UnpricedModel, UsageFigures, unpriced};
use super::waterfall::Currency;
use crate::model::{Part, Role, Session};

const MAX_POINTS: usize = 60;

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

pub(super) fn outline_of(session: &Session, bill: &Bill) -> Vec<(f64, bool)> {
    let requests = session.threads.first().map_or(&[][..], |thread| &thread.requests);
    let lost = |request| bill.busts.iter().any(|bust| bust.thread == 0 && bust.request == request);
    let every = requests.len().div_ceil(MAX_POINTS).max(1);
    let stretch = |(number, part): (usize, &[crate::model::Request])| {
        let largest = part.iter().filter_map(|request| request.usage.map(|usage| usage.total())).max();
        (amount(largest.unwrap_or(0)), (number * every..number * every + part.len()).any(lost))
    };
    requests.chunks(every).enumerate().map(stretch).collect()
}

/// All time zones have offsets of whole quarter hours, so callers can group by local day.
const QUARTER_HOUR_MS: i64 = 900_000;

#[allow(clippy::cast_possible_truncation)] // half of a hash is enough to tell requests of one machine apart
pub(super) fn charged(session: &Session, models: &[String], bill: &Bill) -> Vec<ChargedRequest> {
    let currency = bill.waterfall.as_ref().map_or(Currency::Units, |bill| bill.currency);
    let threads = session.threads.iter().zip(&bill.charges);
    let requests = threads.flat_map(|(thread, charges)| thread.requests.iter().zip(charges));
    let mut charged: Vec<ChargedRequest> = Vec::new();
    for (request, charge) in requests {
        let Some(charge) = charge else { continue };
        let id = request.id.map(|id| id as u32);
        let time = request.at_ms.map(|at_ms| at_ms.div_euclid(QUARTER_HOUR_MS));
        let model = request.model.as_deref().and_then(|name| models.iter().position(|model| model == name));
        let paid = currency.worth(charge) * (charge.prompt + charge.output);
        match charged.last_mut() {
            Some(last) if id.is_none() && (last.0, last.2, last.3) == (None, time, model) => last.1 += paid,
            _ => charged.push((id, paid, time, model)),
        }
    }
    charged
}

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

pub(super) fn peak_reported(session: &Session) -> f64 {
    let prompts = session.requests().filter_map(|request| request.usage.map(|usage| usage.total()));
    amount(prompts.max().unwrap_or(0))
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

/// Uses the requests' usage if recorded, else the session's totals.
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
