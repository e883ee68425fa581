use super::Observations;
use crate::cache::bill::RequestReport;
use crate::cache::decision::Decision;
use crate::cache::ledger::ChangeReason;
use crate::cache::moment::Moment;
use crate::cache::prices::Prices;
use crate::cache::schedule::{Schedule, ScheduleOptions};

const SECOND: f64 = 1000.0;

fn named(name: &str) -> ScheduleOptions {
    ScheduleOptions::new(Prices::named(name).unwrap())
}

/// A session whose messages are 2,000, 900 and 40,000 tokens, after one request.
fn begun(options: ScheduleOptions) -> Schedule {
    let mut schedule = Schedule::new(options);
    for tokens in [2000.0, 900.0, 40_000.0] {
        schedule.push(tokens, 1.0);
    }
    schedule.decide(Moment::live(0.0));
    schedule
}

fn reported(schedule: &mut Schedule, cached_tokens: Option<f64>) {
    schedule.observe(None, RequestReport { prompt_tokens: Some(42_900.0), cached_tokens });
}

fn decided(schedule: &mut Schedule, seconds: f64) -> Decision {
    schedule.decide(Moment::live(seconds * SECOND))
}

fn positions(decision: &Decision) -> Vec<usize> {
    decision.positions.iter().map(|&(position, _)| position).collect()
}

#[test]
fn r10_6_a_provider_that_never_reports_cached_tokens_has_no_cache() {
    for cached in [None, Some(0.0)] {
        let mut schedule = begun(named("anthropic"));
        reported(&mut schedule, cached);
        for request in 1..=3 {
            assert_eq!(decided(&mut schedule, f64::from(request)).reason, ChangeReason::NothingPending);
            assert!(!schedule.observations.has_no_cache(), "{request}");
            reported(&mut schedule, cached);
        }
        schedule.mark_pending(1, 20.0);
        let decision = decided(&mut schedule, 7.0);
        assert_eq!((decision.reason, positions(&decision)), (ChangeReason::NoCache, vec![1]));
    }
}

#[test]
fn r10_6_near_the_minimum_nothing_cached_may_mean_that_the_provider_counts_less() {
    let mut schedule = Schedule::new(named("anthropic"));
    schedule.push(1_300.0, 1.0);
    for request in 0..6 {
        decided(&mut schedule, f64::from(request));
        schedule.observe(None, RequestReport { prompt_tokens: Some(1_000.0), cached_tokens: Some(0.0) });
    }
    assert_eq!(schedule.observations, Observations::default());
}

#[test]
fn r10_13_one_lost_request_is_no_provider_without_a_cache_however_often_it_is_reported() {
    let mut schedule = begun(named("anthropic"));
    schedule.mark_pending(1, 20.0);
    decided(&mut schedule, 1.0);
    for _ in 0..5 {
        reported(&mut schedule, Some(0.0));
    }
    assert_eq!(decided(&mut schedule, 2.0).reason, ChangeReason::Waiting);
}

#[test]
fn r10_13_late_reports_and_those_of_requests_that_nobody_could_have_cached_tell_nothing() {
    let mut schedule = begun(named("anthropic"));
    for request in 0..5 {
        schedule.observe(
            Some(f64::from(request)),
            RequestReport { prompt_tokens: Some(42_900.0), cached_tokens: Some(0.0) },
        );
        decided(&mut schedule, f64::from(request + 1) * 3600.0);
    }
    assert_eq!(schedule.observations, Observations::default());
    decided(&mut schedule, 20_000.0);
    schedule.observe(Some(1.0), RequestReport { prompt_tokens: Some(42_900.0), cached_tokens: Some(0.0) });
    assert_eq!(schedule.observations, Observations::default());
}

#[test]
fn r10_6_where_nothing_is_ever_cached_small_results_go_too_and_the_bill_is_in_full() {
    // DeepSeek's list forbids to replace 880 tokens first: a block's edge could cost 62.72 with every request, and they save
    // 17.6. Who caches nothing has no blocks.
    let mut schedule = begun(named("deepseek"));
    schedule.mark_pending(1, 20.0);
    reported(&mut schedule, Some(0.0));
    for request in 1..=3 {
        assert_eq!(positions(&decided(&mut schedule, f64::from(request))), [0_usize; 0], "request {request}");
        reported(&mut schedule, Some(0.0));
    }
    let decision = decided(&mut schedule, 4.0);
    assert_eq!((decision.reason, positions(&decision)), (ChangeReason::NoCache, vec![1]));
    let found = [decision.cost, decision.cost_left_alone, decision.extra_cost, decision.gain_per_request];
    for (found, expected) in found.into_iter().zip([42_020.0, 42_900.0, -880.0, 880.0]) {
        assert!((found - expected).abs() < 1e-9, "{decision:?}");
    }
    let cost = schedule.bill().cost;
    assert!((cost.actual - 4.0 * 42_900.0 - 42_020.0).abs() < 1e-6, "{cost:?}");
    assert!((cost.left_alone - 5.0 * 42_900.0).abs() < 1e-6, "{cost:?}");
}

#[test]
fn r10_6_the_schedule_takes_up_the_price_list_again_with_the_first_report_of_cached_tokens() {
    let mut schedule = begun(named("deepseek"));
    schedule.mark_pending(1, 20.0);
    for request in 1..=4 {
        decided(&mut schedule, f64::from(request));
        reported(&mut schedule, Some(0.0));
    }
    assert!(schedule.is_replaced(1));
    decided(&mut schedule, 5.0);
    reported(&mut schedule, Some(42_000.0));
    let warm = decided(&mut schedule, 6.0);
    let cached = (42_020.0_f64 / 64.0).floor() * 64.0;
    assert!((warm.cost - (0.02 * cached + 42_020.0 - cached)).abs() < 1e-6, "{warm:?}");
    assert!(schedule.is_replaced(1), "what is replaced stays so");
}

#[test]
fn r10_12_where_no_state_is_carried_on_reports_change_no_request() {
    let mut schedule = begun(ScheduleOptions { is_carried: false, ..named("anthropic") });
    schedule.mark_pending(1, 20.0);
    for request in 1..=6 {
        assert_eq!(decided(&mut schedule, f64::from(request)).reason, ChangeReason::Waiting);
        reported(&mut schedule, Some(0.0));
    }
    assert!(schedule.observations.has_no_cache());
    let full = 7.0 * 1.25 * 42_900.0;
    assert!((schedule.bill().cost.actual - full).abs() < 1e-6, "the bill knows");
}
