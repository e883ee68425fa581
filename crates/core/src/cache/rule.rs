//! Decides which cut is made: rent or buy, with a guess of the rent to come.

use crate::cache::cuts::Cut;
use crate::cache::prices::Prices;

/// A cut is due when carrying its results has cost this share of it: they become outdated one after the other, so carrying all of them
/// for as long again would cost the whole.
const CARRIED_SHARE: f64 = 0.5;
/// Where the promise forbids the due cut, a smaller one is made that pays within this share of the requests to come: its gain pays for
/// the larger one.
const QUICK_SHARE: f64 = 0.2;

/// `was_forbidden`: the promise forbade a better cut.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Choice {
    pub cut: Option<Cut>,
    pub was_forbidden: bool,
}

/// The cut that gains most within `horizon` further requests. `is_allowed` asks the promise. O(cuts).
pub fn choose(
    cuts: &(impl Iterator<Item = Cut> + Clone),
    prices: &Prices,
    horizon: f64,
    is_allowed: impl Fn(&Cut) -> bool,
) -> Choice {
    let pays_within = |cut: &Cut, requests: f64| requests * cut.gain(prices) >= cut.due_extra;
    let is_due = |cut: &Cut| {
        is_free(cut) || (cut.carried >= CARRIED_SHARE * cut.due_extra && pays_within(cut, horizon))
    };
    let best = |accepts: &dyn Fn(&Cut) -> bool| {
        let value = |cut: &Cut| worth(cut, prices, horizon);
        cuts.clone()
            .filter(|cut| !cut.rides && accepts(cut))
            .max_by(|one, other| value(one).total_cmp(&value(other)))
    };
    let Some(due) = best(&is_due) else { return Choice::default() };
    if is_allowed(&due) {
        return Choice { cut: Some(due), was_forbidden: false };
    }
    let is_quick = |cut: &Cut| is_free(cut) || pays_within(cut, QUICK_SHARE * horizon);
    Choice { cut: best(&|cut| is_quick(cut) && is_allowed(cut)), was_forbidden: true }
}

/// A cut's gain within `horizon` further requests, less its cost now.
pub fn worth(cut: &Cut, prices: &Prices, horizon: f64) -> f64 {
    horizon * cut.gain(prices) - cut.due_extra
}

fn is_free(cut: &Cut) -> bool {
    cut.due_extra <= 0.0
}
