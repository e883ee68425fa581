//! Decides which cut is made: rent or buy, with a guess of how long there will be rent to pay.

use crate::cache::cuts::Cut;
use crate::cache::prices::Prices;

/// The best of the cuts that are worth it, and whether there was one at all, allowed or not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Choice {
    pub cut: Option<Cut>,
    pub was_forbidden: bool,
}

/// Chooses among `cuts` the one that gains most until the cache is next cold or the session over, in `horizon` further
/// requests. `allowed` says whether the promise would be kept.
pub fn choose(
    cuts: impl Iterator<Item = Cut>,
    prices: &Prices,
    horizon: f64,
    allowed: impl Fn(&Cut) -> bool,
) -> Choice {
    let mut choice = Choice::default();
    let mut best = f64::NEG_INFINITY;
    for cut in cuts.filter(|cut| is_worth_it(cut, prices, horizon)) {
        let value = horizon * cut.gain(prices) - cut.extra;
        if value < best {
            continue;
        }
        if allowed(&cut) {
            (choice.cut, best) = (Some(cut), value);
        } else {
            choice.was_forbidden = true;
        }
    }
    choice
}

/// A change that costs nothing is always worth it. Else the results must have cost as much to carry as the change
/// does (waiting longer would pay the rent of a house that could have been bought, changing earlier would buy too often),
/// and the change must still have time to pay.
fn is_worth_it(cut: &Cut, prices: &Prices, horizon: f64) -> bool {
    cut.extra <= 0.0 || (cut.carried >= cut.extra && horizon * cut.gain(prices) >= cut.extra)
}
