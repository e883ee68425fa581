//! Helpers of several test crates: accounts, and invariants of every account.

use palimpsest_core::need::Vocabulary;
use palimpsest_sessions::Session;
use palimpsest_sessions::account::{Account, AccountSettings, NeedDetail, PriceList, ViewOverrides};

/// Settings of a simulation at list prices, without hindsight, curves and needs.
pub fn settings() -> AccountSettings {
    AccountSettings {
        prices: PriceList::new(None).unwrap(),
        lists: Vec::new(),
        simulate: true,
        hindsight: false,
        curves: false,
        need: None,
        view_overrides: ViewOverrides::default(),
    }
}

/// A full account without hindsight, which takes seconds.
pub fn account(session: &Session) -> Account {
    let full = AccountSettings { curves: true, need: Some(NeedDetail::Misses), ..settings() };
    let mut account = Account::of(session, &full);
    account.count_missed_needs(&Vocabulary::default());
    account
}

/// No amount is negative, infinite or NaN, and parts don't exceed the whole.
pub fn assert_sound(session: &Session) {
    let account = account(session);
    let amounts = |name: &str, values: &[f64]| {
        assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0), "{name}: {values:?}");
    };
    amounts("peak and fixed tokens", &[account.peak_tokens, account.fixed_tokens]);
    for simulation in &account.simulations {
        let needs: Vec<_> = simulation.policies.iter().filter_map(|policy| policy.need).collect();
        // A session without requests has no policies. The first policy is the unmodified history.
        assert!(needs.first().is_none_or(|alone| alone.missed == 0), "the unmodified history misses nothing");
        for need in needs {
            assert!(need.strong_missed <= need.missed && need.missed <= need.needs, "{need:?}");
        }
        assert!(
            simulation
                .misses
                .iter()
                .flatten()
                .all(|miss| miss.removed_grams * 2 >= miss.grams && miss.replaced_at.is_some())
        );
    }
    for kind in &account.kinds {
        amounts(kind.kind, &[kind.tokens.once, kind.tokens.sent]);
    }
    for tool in &account.tools {
        amounts("a tool", &[tool.tokens.once, tool.tokens.sent, tool.calls.once, tool.calls.sent]);
    }
    for rule in &account.outdated {
        amounts("a rule", &[rule.tokens.once, rule.tokens.sent]);
    }
    if let Some(bill) = &account.bill {
        let money = [bill.paid_usd, bill.predicted_usd, bill.output_usd].map(Option::unwrap_or_default);
        amounts("money", &money);
        amounts("paid and predicted", &[bill.paid, bill.predicted]);
        assert!(bill.unannounced.is_finite());
        assert!(bill.is_of_session || bill.requests <= account.requests);
        let listed: usize = bill.surprises.iter().map(|figures| figures.lines.len()).sum();
        assert_eq!(listed, bill.unannounced_requests);
        for miss in &bill.cache_misses {
            amounts("a cache miss", &[miss.expected_tokens, miss.cost]);
        }
    }
    for simulation in &account.simulations {
        for figures in &simulation.policies {
            let counted = [figures.usd, figures.tokens, figures.cached, figures.prefix_changes, figures.peak_tokens];
            amounts(figures.policy, &[figures.cost]);
            amounts(figures.policy, &counted.map(Option::unwrap_or_default));
            assert!(figures.cached.unwrap_or_default() <= figures.tokens.unwrap_or_default());
        }
        for curve in simulation.curves.iter().flat_map(|curves| &curves.policies) {
            amounts(curve.policy, &curve.costs);
            assert!(curve.costs.is_sorted(), "{}: costs only grow", curve.policy);
        }
    }
}
