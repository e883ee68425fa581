use super::{BilledRequest, RequestReport, ViewBill};
use crate::cache::guarantee::ComparedCosts;
use crate::cache::ledger::ChangeReason;
use crate::cache::moment::Moment;
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;
use crate::cache::schedule::{Schedule, ScheduleOptions};

const SECOND: f64 = 1000.0;

fn prices(name: &str) -> Prices {
    Prices::named(name).unwrap()
}

fn report(prompt_tokens: f64, cached_tokens: f64) -> RequestReport {
    RequestReport { prompt_tokens: Some(prompt_tokens), cached_tokens: Some(cached_tokens) }
}

fn assert_cost(found: ComparedCosts, actual: f64, left_alone: f64) {
    let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * other.abs().max(1.0);
    assert!(
        is_near(found.actual, actual) && is_near(found.left_alone, left_alone),
        "{found:?} instead of {actual} and {left_alone}"
    );
}

/// Messages of 10,000 tokens each; of those in `replaced` 100 are sent.
fn prompt(messages: usize, replaced: &[usize]) -> PromptTokens {
    let mut prompt = PromptTokens::default();
    (0..messages).for_each(|_| prompt.push(10_000.0, 1.0));
    prompt.replace(&replaced.iter().map(|&position| (position, 100.0)).collect::<Vec<_>>());
    prompt
}

/// The next request of a warm conversation whose last message is new, and whose message at `changed` is new, too.
fn asked(prompt: &PromptTokens, changed: usize) -> BilledRequest {
    let (total, known) = (prompt.total(), prompt.up_to(prompt.len() - 1));
    let (readable, readable_left_alone) = (prompt.up_to(changed.min(prompt.len() - 1)).sent, known.stored);
    let (cached, cached_left_alone) = (readable, readable_left_alone);
    BilledRequest {
        sent: total.sent,
        stored: total.stored,
        readable,
        readable_left_alone,
        cached,
        cached_left_alone,
    }
}

/// What a request comes to by its report.
fn billed(
    asked: BilledRequest,
    report: RequestReport,
    prompt: &PromptTokens,
    prices: &Prices,
) -> ComparedCosts {
    let mut bill = ViewBill::default();
    let number = bill.add(asked, prices);
    bill.correct(Some(number), report, prompt, prices);
    bill.cost
}

#[test]
fn r10_13_a_report_that_the_whole_prefix_was_read_leaves_the_bill_as_it_was_and_nothing_unsure() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let mut bill = ViewBill::default();
    bill.add(asked(&prompt, 9), &prices);
    let expected = (0.1 * 30_100.0 + 1.25 * 10_000.0, 0.1 * 40_000.0 + 1.25 * 10_000.0);
    assert_cost(bill.cost, expected.0, expected.1);
    assert_cost(bill.unsure, 1.15 * 30_100.0, 1.15 * 40_000.0);
    bill.correct(None, report(40_100.0, 30_100.0), &prompt, &prices);
    assert_cost(bill.cost, expected.0, expected.1);
    assert_cost(bill.unsure, 0.0, 0.0);
}

#[test]
fn r10_13_a_cache_that_was_lost_is_lost_to_both() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(asked(&prompt, 9), report(40_100.0, 0.0), &prompt, &prices);
    assert_cost(cost, 1.25 * 40_100.0, 1.25 * 50_000.0);
}

#[test]
fn r10_13_of_a_cache_that_was_lost_in_part_both_read_up_to_the_same_message() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(asked(&prompt, 9), report(40_100.0, 20_100.0), &prompt, &prices);
    assert_cost(cost, 0.1 * 20_100.0 + 1.25 * 20_000.0, 0.1 * 30_000.0 + 1.25 * 20_000.0);
    let ahead = billed(asked(&prompt, 9), report(40_100.0, 10_000.0), &prompt, &prices);
    assert_cost(ahead, 0.1 * 10_000.0 + 1.25 * 30_100.0, 0.1 * 10_000.0 + 1.25 * 40_000.0);
}

#[test]
fn r10_13_what_our_own_change_made_new_is_new_to_us_alone() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(asked(&prompt, 1), report(40_100.0, 10_000.0), &prompt, &prices);
    assert_cost(cost, 0.1 * 10_000.0 + 1.25 * 30_100.0, 0.1 * 40_000.0 + 1.25 * 10_000.0);
    // Below the change something was lost, too: then whoever leaves it alone has lost it as well.
    let lost = billed(asked(&prompt, 1), report(40_100.0, 0.0), &prompt, &prices);
    assert_cost(lost, 1.25 * 40_100.0, 1.25 * 50_000.0);
    // Of a few texts the weight is off by more than of the whole prompt.
    let weighed_less = billed(asked(&prompt, 1), report(40_100.0, 9_200.0), &prompt, &prices);
    assert_cost(weighed_less, 0.1 * 9_200.0 + 1.25 * 30_900.0, 0.1 * 39_200.0 + 1.25 * 10_800.0);
}

#[test]
fn r10_13_who_changed_nothing_pays_what_whoever_leaves_it_alone_pays() {
    let prompt = prompt(5, &[]);
    for (name, read) in [
        ("anthropic", 40_000.0),
        ("anthropic", 39_700.0),
        ("anthropic", 40_400.0),
        ("anthropic", 17_000.0),
        ("anthropic", 900.0),
        ("openai", 39_936.0),
        ("openai", 10_112.0),
        ("gemini", 1500.0),
    ] {
        let prices = prices(name);
        for total in [50_000.0, 41_000.0] {
            let cost = billed(asked(&prompt, 9), report(total, read), &prompt, &prices);
            assert!((cost.actual - cost.left_alone).abs() < 1e-6, "{name}: {cost:?} with {read} of {total}");
        }
    }
}

#[test]
fn r10_13_impossible_reports_change_nothing() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let mut bill = ViewBill::default();
    bill.add(asked(&prompt, 9), &prices);
    let before = bill.clone();
    for (total, read) in [
        (40_100.0, 40_101.0),
        (40_100.0, -1.0),
        (0.0, 0.0),
        (f64::INFINITY, 5.0),
        (f64::NAN, 5.0),
        (40_100.0, f64::NAN),
    ] {
        bill.correct(None, report(total, read), &prompt, &prices);
        assert_eq!(bill, before, "{read} of {total}");
    }
    let halves = [(Some(40_100.0), None), (None, Some(30_100.0)), (None, None)];
    for (prompt_tokens, cached_tokens) in halves {
        bill.correct(None, RequestReport { prompt_tokens, cached_tokens }, &prompt, &prices);
        assert_eq!(bill, before);
    }
}

#[test]
fn r10_13_a_report_of_another_prompt_is_not_taken_for_that_of_this_request() {
    let (prompt, prices) = (prompt(5, &[]), prices("anthropic"));
    let mut bill = ViewBill::default();
    bill.add(asked(&prompt, 9), &prices);
    bill.correct(None, report(50_000.0, 40_000.0), &prompt, &prices);
    bill.add(asked(&prompt, 9), &prices);
    let before = bill.clone();
    for total in [24_000.0, 101_000.0] {
        bill.correct(None, report(total, 0.0), &prompt, &prices);
        assert_eq!(bill, before, "{total}");
    }
    bill.correct(None, report(26_000.0, 0.0), &prompt, &prices);
    assert_ne!(bill, before);
}

#[test]
fn r10_13_reports_are_of_the_request_whose_number_they_have_and_count_once() {
    let (prompt, prices) = (prompt(5, &[]), prices("anthropic"));
    let mut bill = ViewBill::default();
    let numbers: Vec<f64> = (0..20).map(|_| bill.add(asked(&prompt, 9), &prices)).collect();
    let (warm, cold) = (0.1 * 40_000.0 + 1.25 * 10_000.0, 1.25 * 50_000.0);
    let total = |colds: f64| (20.0 - colds) * warm + colds * cold;
    assert_eq!((numbers[7], bill.requests), (7.0, 20.0));
    bill.correct(Some(numbers[7]), report(50_000.0, 0.0), &prompt, &prices);
    assert_cost(bill.cost, total(1.0), total(1.0));
    assert_cost(bill.unsure, 19.0 * 1.15 * 40_000.0, 19.0 * 1.15 * 40_000.0);
    bill.correct(Some(numbers[7]), report(50_000.0, 0.0), &prompt, &prices);
    assert_cost(bill.cost, total(1.0), total(1.0));
    bill.correct(None, report(50_000.0, 0.0), &prompt, &prices);
    assert_cost(bill.cost, total(2.0), total(2.0));
    for unknown in [numbers[3], 20.0, -1.0, f64::NAN] {
        bill.correct(Some(unknown), report(50_000.0, 0.0), &prompt, &prices);
    }
    assert_cost(bill.cost, total(2.0), total(2.0));
}

#[test]
fn r10_13_what_is_paid_beside_the_requests_is_paid_by_both() {
    let mut bill = ViewBill::default();
    bill.add_beside(300.0);
    assert_cost(bill.cost, 300.0, 300.0);
    assert!(bill.requests.abs() < 1e-9);
}

/// Plays an agent's session whose provider counts `per_token` of its tokens for one of ours and has a system prompt of
/// `own` that nobody told us of. Returns the two bills, as they are and as the schedule has them.
fn played(
    name: &str,
    per_token: f64,
    own: f64,
    loses: impl Fn(u32) -> bool,
) -> (ComparedCosts, ComparedCosts, bool) {
    let prices = prices(name);
    let mut schedule = Schedule::new(ScheduleOptions::new(prices));
    let (mut stored, mut sent): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let (mut last_sent, mut provider) = (Vec::new(), ComparedCosts::default());
    let mut has_paid_change = false;
    for request in 0..120_u32 {
        for tokens in [80.0, 700.0 + f64::from(request % 9) * 400.0] {
            stored.push(tokens);
            sent.push(tokens);
            schedule.push(tokens, 1.0);
        }
        if request % 2 == 1 {
            schedule.mark_pending(stored.len() - 3 - 8 * (request as usize / 20), 20.0);
        }
        let decision = schedule.decide(Moment::live(f64::from(request) * SECOND));
        has_paid_change |= decision.reason == ChangeReason::Pays;
        decision.positions.iter().for_each(|&(position, tokens)| sent[position] = tokens);
        let same = last_sent
            .iter()
            .zip(&sent)
            .take_while(|(old, new)| f64::to_bits(**old) == f64::to_bits(**new))
            .count();
        let known = last_sent.len();
        last_sent.clone_from(&sent);
        let theirs = |messages: &[f64]| own + per_token * messages.iter().sum::<f64>();
        let has_cache = request > 0 && !loses(request);
        let cached = |prefix: &[f64]| if has_cache { prices.in_blocks(theirs(prefix)) } else { 0.0 };
        let read = cached(&sent[..same]);
        provider.actual += prices.cost(read, theirs(&sent));
        provider.left_alone += prices.cost(cached(&stored[..known]), theirs(&stored));
        schedule.observe(Some(decision.number), report(theirs(&sent), read));
    }
    (provider, schedule.bill().cost, has_paid_change)
}

#[test]
fn r10_13_with_reports_both_sides_are_right_within_two_percent_whatever_the_provider_counts() {
    for name in ["anthropic", "anthropic-1h", "openai", "openai-older", "deepseek", "gemini"] {
        for (per_token, own) in [(1.0, 0.0), (0.8, 10_000.0), (1.3, 0.0), (0.8, 0.0), (1.2, 3000.0)] {
            for lost in [0, 10, 37] {
                let loses = |request: u32| lost > 0 && request % lost == 5;
                let (provider, bill, has_paid_change) = played(name, per_token, own, loses);
                let what = format!("{name}, {per_token}, {own}, {lost}: {bill:?} instead of {provider:?}");
                assert!((bill.actual / provider.actual - 1.0).abs() < 1e-9, "{what}");
                assert!((bill.left_alone / provider.left_alone - 1.0).abs() < 0.02, "{what}");
                assert!(has_paid_change || name == "deepseek", "{what}");
            }
        }
    }
}

#[test]
fn r10_13_reports_change_no_request_where_the_provider_has_a_cache() {
    let run = |reports: &[RequestReport]| {
        let mut schedule = Schedule::new(ScheduleOptions::new(prices("anthropic")));
        (0..60_u32)
            .map(|request| {
                schedule.push(60.0, 1.0);
                schedule.push(2500.0, 1.0);
                let outdated = schedule.len().saturating_sub(5);
                schedule.mark_pending(outdated, 20.0);
                let decision = schedule.decide(Moment::live(f64::from(request) * SECOND));
                for &report in reports {
                    schedule.observe(None, report);
                }
                decision
            })
            .collect::<Vec<_>>()
    };
    let expected = run(&[]);
    assert!(expected.iter().any(|decision| decision.reason == ChangeReason::Pays));
    assert_eq!(run(&[report(40_000.0, 1.0)]), expected);
    assert_eq!(run(&[report(2500.0, 2000.0), report(90_000.0, 0.0), report(-1.0, 5.0)]), expected);
}

#[test]
fn r10_13_a_side_request_is_on_the_bill_and_changes_no_account() {
    let mut schedule = Schedule::new(ScheduleOptions::new(prices("anthropic")));
    (0..4).for_each(|_| schedule.push(10_000.0, 1.0));
    schedule.decide(Moment::live(0.0));
    let (accounts, before) = (schedule.accounts(), schedule.bill().cost);
    let number = schedule.side_request(2, 500.0, SECOND);
    let cost = 0.1 * 20_000.0 + 1.25 * 500.0;
    assert_cost(schedule.bill().cost, before.actual + cost, before.left_alone + cost);
    assert_eq!((schedule.accounts(), schedule.requests(), number), (accounts, 1.0, 1.0));
    schedule.observe(Some(number), report(20_500.0, 0.0));
    let cold = 1.25 * 20_500.0;
    assert_cost(schedule.bill().cost, before.actual + cold, before.left_alone + cold);
    let late = schedule.side_request(9, 0.0, 900.0 * SECOND);
    assert_cost(schedule.bill().cost, before.actual + cold + 50_000.0, before.left_alone + cold + 50_000.0);
    assert!((late - 2.0).abs() < 1e-9);
}
