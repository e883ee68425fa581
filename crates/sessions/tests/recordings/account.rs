//! Paid and predicted costs of recorded sessions.

use palimpsest_sessions::Session;
use palimpsest_sessions::account::{Account, AccountSettings, Bill, Surprise};

use crate::{every_source, read, recordings};

fn bill(session: &Session) -> Option<Bill> {
    Account::of(session, &AccountSettings { simulate: false, ..crate::support::settings() }).bill
}

/// Error of the predicted bill, and the error without the unannounced requests.
fn errors(bill: &Bill) -> (f64, f64) {
    let share = |predicted: f64| predicted / bill.paid - 1.0;
    (share(bill.predicted), share(bill.predicted + bill.unannounced))
}

#[test]
fn r12_3_the_paid_bill_is_computed_from_the_recorded_usage() {
    let Some(folder) = recordings() else { return };
    for (name, paid, cache_misses) in [
        ("claude-code/entire-17_55e38d324c_0.jsonl", 280_438.4, 0),
        ("claude-code/entire-25_730c662552_0.jsonl", 2_862_143.2, 8),
        ("claude-code/entire-cd_95adddad32_0.jsonl", 4_437_866.7, 14),
        ("pi/pi-large-session-2025-11-20.jsonl", 9_694_285.9, 37),
    ] {
        let bill = bill(&read(&folder, name)).unwrap();
        assert!((bill.paid - paid).abs() < 1.0, "{name}: {}", bill.paid);
        assert_eq!(bill.cache_misses.len(), cache_misses, "{name}");
    }
}

#[test]
fn r12_3_the_account_agrees_with_the_costs_that_pi_recorded() {
    let Some(folder) = recordings() else { return };
    for name in ["pi/pi-session-2025-12-17.jsonl", "pi/pi-large-session-2025-11-20.jsonl"] {
        let session = read(&folder, name);
        let recorded: f64 = session.requests().filter_map(|request| request.cost_usd).sum();
        let bill = bill(&session).unwrap();
        let account = bill.paid_usd.unwrap() + bill.output_usd.unwrap();
        assert!((account / recorded - 1.0).abs() < 0.001, "{name}: {account} for {recorded}");
    }
}

#[test]
fn r12_3_the_median_session_is_predicted_within_two_percent() {
    let Some(folder) = recordings() else { return };
    let all = every_source(&folder);
    let bills = all.iter().flat_map(|(_, sessions)| sessions.iter().filter_map(bill));
    let mut raw: Vec<f64> = bills.map(|bill| errors(&bill).0.abs()).collect();
    raw.sort_by(f64::total_cmp);
    assert!(raw[raw.len() / 2] <= 0.02, "{raw:?}");
}

#[test]
fn r12_3_the_error_for_a_pi_session_with_many_restarts_is_explained_by_its_restarts() {
    let Some(folder) = recordings() else { return };
    let bill = bill(&read(&folder, "pi/pi-large-session-2025-11-20.jsonl")).unwrap();
    let explained: f64 = bill.surprises.iter().map(|figures| figures.difference).sum();
    assert!((explained - bill.unannounced).abs() < 1e-3, "every request is listed once");
    let restarts = bill.surprises.iter().find(|figures| figures.what == Surprise::NewStart).unwrap();
    assert_eq!((restarts.requests, restarts.lines.len()), (32, 32));
    assert!(restarts.difference / (bill.paid - bill.predicted) > 0.95, "nearly all of the error");
}

#[test]
fn r12_3_unexpected_requests_explain_the_errors_of_all_predictions() {
    let Some(folder) = recordings() else { return };
    let mut total = Bill::default();
    let mut rests = Vec::new();
    for (name, sessions) in every_source(&folder) {
        let is_agent = ["claude-code/", "codex/", "pi/"].iter().any(|agent| name.starts_with(agent));
        for bill in sessions.iter().filter_map(bill) {
            total.paid += bill.paid;
            total.predicted += bill.predicted;
            total.unannounced += bill.unannounced;
            if is_agent {
                rests.push((errors(&bill).1.abs(), name.clone()));
            }
        }
    }
    rests.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(errors(&total).1.abs() <= 0.01, "in total {:?}", errors(&total));
    assert!(rests[rests.len() / 2].0 <= 0.02, "{rests:?}");
    assert!(rests.last().unwrap().0 <= 0.02, "{rests:?}");
}
