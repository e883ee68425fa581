//! The bill of a session whose agent only recorded usage for the whole session. No request has figures, so nothing is
//! predicted and no cache losses are found.

use std::cmp::Reverse;

use super::bill::{Bill, has_cache};
use super::charge::{Charge, ChargedRequest};
use super::prices::PriceList;
use super::prompt::amount;
use super::waterfall::Waterfall;
use crate::model::ModelTotal;
use palimpsest_core::provider::usage::Usage;
use serde::Serialize;

/// Usage reported by the provider, in classes that don't overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageFigures {
    pub requests: usize,
    /// Tokens of all prompts: the sum of the five classes below.
    pub prompt: u64,
    /// Neither read from the cache nor written to it.
    pub input: u64,
    pub cache_read: u64,
    pub cache_write_5m: u64,
    pub cache_write_1h: u64,
    /// Written for a time that isn't reported.
    pub cache_write: u64,
    pub output: u64,
}

impl UsageFigures {
    pub(super) fn of(requests: usize, usage: &Usage) -> Self {
        Self {
            requests,
            prompt: usage.total(),
            input: usage.uncached,
            cache_read: usage.cache_read,
            cache_write_5m: usage.cache_write_5m,
            cache_write_1h: usage.cache_write_1h,
            cache_write: usage.cache_write_unspecified(),
            output: usage.output,
        }
    }
}

/// Tokens of prompts and output without a known price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnpricedModel {
    /// `None` if the file doesn't name it.
    pub model: Option<String>,
    pub tokens: u64,
}

/// Bill and usage computed from a session's totals.
pub(super) struct SessionTotals {
    pub bill: Bill,
    pub usage: UsageFigures,
    pub charged: Vec<ChargedRequest>,
}

impl SessionTotals {
    /// `None` if nothing is recorded. `models`: the account's list, to which charges refer by index.
    pub fn of(totals: &[ModelTotal], models: &[String], list: &PriceList) -> Option<Self> {
        let recorded: Vec<&ModelTotal> = totals.iter().filter(|total| !total.usage.is_empty()).collect();
        let charges: Vec<Option<Charge>> =
            recorded.iter().map(|total| Some(charge_of(total, list))).collect();
        let mut sum = Usage::default();
        for total in &recorded {
            sum.add(&total.usage);
        }
        let requests: u64 = recorded.iter().map(|total| total.requests).sum();
        let requests = usize::try_from(requests).unwrap_or(usize::MAX).max(1);
        let usage = UsageFigures::of(requests, &sum);
        let charges = vec![charges];
        let waterfall = Waterfall::of(&charges, &[]);
        let currency = waterfall.currency;
        let each = || charges.iter().flatten().flatten();
        let money =
            |units: fn(&Charge) -> f64| each().map(|charge| charge.usd.map(|usd| usd * units(charge))).sum();
        let prompts = each().map(|charge| charge.prompt).sum();
        let bill = Bill {
            requests,
            paid: prompts,
            predicted: prompts,
            is_recorded: each().any(|charge| charge.is_recorded),
            is_of_session: true,
            paid_usd: money(|charge| charge.prompt),
            predicted_usd: money(|charge| charge.prompt),
            output_usd: money(|charge| charge.output),
            waterfall: Some(waterfall),
            ..Bill::default()
        };
        let paid = recorded.iter().zip(each()).map(|(total, charge)| ChargedRequest {
            id: None,
            cost: currency.worth(charge) * (charge.prompt + charge.output),
            time: None,
            model: models.iter().position(|model| *model == total.model),
        });
        (!recorded.is_empty()).then(|| Self { usage, charged: paid.collect(), bill })
    }
}

/// Cost of one model's tokens, without surcharges for long prompts, since prompt lengths aren't known.
fn charge_of(total: &ModelTotal, list: &PriceList) -> Charge {
    let usage = &total.usage;
    let rates = list.rates(Some(&total.model));
    let prompt = rates.prompt_cost(usage, 1.0, rates.write);
    Charge::of((usage, &rates), prompt, amount(usage.cache_read), has_cache(usage), total.cost_usd)
}

/// Models without a known price, with their tokens of prompts and output, most first.
pub(super) fn unpriced(recorded: impl Iterator<Item = (Option<String>, Usage)>) -> Vec<UnpricedModel> {
    let mut models: Vec<UnpricedModel> = Vec::new();
    for (model, usage) in recorded {
        let tokens = usage.total().saturating_add(usage.output);
        match models.iter_mut().find(|known| known.model == model) {
            Some(known) => known.tokens = known.tokens.saturating_add(tokens),
            None => models.push(UnpricedModel { model, tokens }),
        }
    }
    models.sort_by_key(|unpriced| Reverse(unpriced.tokens));
    models
}
