//! The bill of a session with usage for the whole session only: nothing is predicted, and no cache losses are found.

use palimpsest_core::provider::usage::Usage;

use super::{Bill, Charge, ChargedRequest, PriceList, UsageFigures, Waterfall, has_cache, to_f64};
use crate::model::ModelTotal;

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
        let money = |units: fn(&Charge) -> f64| {
            each().map(|charge| charge.usd_per_unit.map(|usd| usd * units(charge))).sum()
        };
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
            cost: currency.unit_value(charge) * (charge.prompt + charge.output),
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
    Charge::of((usage, &rates), prompt, (to_f64(usage.cache_read), has_cache(usage)), total.cost_usd)
}
