use super::Bill;
use crate::cache::cuts::Pending;
use crate::cache::fold::{ConversationHead, Fold, FoldOptions, Request};
use crate::cache::prices::Prices;
use crate::cache::prompt::{Compared, PromptTokens};
use crate::cache::request_tokens::{CountRatio, RequestReport, RequestTokens};

fn prices(name: &str) -> Prices {
    Prices::named(name).unwrap()
}

fn report(prompt_tokens: f64, cached_tokens: f64) -> RequestReport {
    RequestReport { prompt_tokens, cached_tokens }
}

fn assert_cost(found: Compared, sent: f64, unmodified: f64) {
    let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * other.abs().max(1.0);
    assert!(
        is_near(found.sent, sent) && is_near(found.unmodified, unmodified),
        "{found:?} instead of {sent} and {unmodified}"
    );
}

/// Messages of 10,000 tokens each; those in `replaced` are sent with 100.
fn prompt(messages: usize, replaced: &[usize]) -> PromptTokens {
    let mut prompt = PromptTokens::default();
    (0..messages).for_each(|_| prompt.push(10_000.0, 1.0));
    prompt.replace_results(replaced.iter().map(|&position| (position, 9_900.0)));
    prompt
}

/// The next request of a warm conversation, with a new last message and a changed message at `changed`.
fn next_request(prompt: &PromptTokens, changed: usize) -> RequestTokens {
    let (total, known) = (prompt.total(), prompt.up_to(prompt.len() - 1));
    let readable = Compared { unmodified: known.unmodified, sent: prompt.up_to(changed.min(prompt.len() - 1)).sent };
    RequestTokens { total, readable, cached: readable }
}

fn billed(request: RequestTokens, report: RequestReport, prompt: &PromptTokens, prices: &Prices) -> Compared {
    let mut count = CountRatio::default();
    count.learn(request.total.sent, report.prompt_tokens);
    super::reported_cost(&request, report, count, prompt, prices)
}

#[test]
fn r10_6_a_lost_cache_is_lost_for_the_unmodified_history_too() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(next_request(&prompt, 9), report(40_100.0, 0.0), &prompt, &prices);
    assert_cost(cost, 1.25 * 40_100.0, 1.25 * 50_000.0);
}

#[test]
fn r10_6_a_partly_lost_cache_is_read_up_to_the_same_message_on_both_sides() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(next_request(&prompt, 9), report(40_100.0, 20_100.0), &prompt, &prices);
    assert_cost(cost, 0.1 * 20_100.0 + 1.25 * 20_000.0, 0.1 * 30_000.0 + 1.25 * 20_000.0);
    let before = billed(next_request(&prompt, 9), report(40_100.0, 10_000.0), &prompt, &prices);
    assert_cost(before, 0.1 * 10_000.0 + 1.25 * 30_100.0, 0.1 * 10_000.0 + 1.25 * 40_000.0);
}

/// A session at DeepSeek's prices had a ratio of 0.96, and the ledger showed 1.35: the unmodified history counted as read.
#[test]
fn r10_6_after_a_removal_near_the_beginning_a_cold_cache_is_cold_for_the_unmodified_history_too() {
    let prices = prices("deepseek");
    let mut prompt = PromptTokens::default();
    for tokens in [200.0, 10_000.0, 10_000.0] {
        prompt.push(tokens, 1.0);
    }
    prompt.replace_results(std::iter::once((1, 9_900.0)));
    let warm = next_request(&prompt, 1);
    let cold = RequestTokens { cached: Compared::default(), ..warm };
    assert_cost(billed(cold, report(10_300.0, 0.0), &prompt, &prices), 10_300.0, 20_200.0);
    let known_unmodified = prices.cacheable_tokens(10_200.0);
    let cost = billed(warm, report(10_300.0, 192.0), &prompt, &prices);
    assert_cost(cost, prices.cost(192.0, 10_300.0), prices.cost(known_unmodified, 20_200.0));
}

#[test]
fn r10_7_a_request_reads_what_an_interrupted_request_has_cached() {
    let prices = prices("anthropic");
    let request = |elapsed_ms| Request { elapsed_ms, least_elapsed_ms: elapsed_ms, ..Request::default() };
    let (mut fold, mut bill) = (Fold::new(FoldOptions::new(prices), ConversationHead::default()), Bill::default());
    let send = |fold: &mut Fold, bill: &mut Bill, number: f64, messages: usize| {
        (0..messages).for_each(|_| fold.push(10_000.0, 1.0));
        fold.add_request(request(Some(1_000.0)));
        bill.add_requests(fold.requests());
        bill.register_next(number, fold.requests().len() - 1, fold, &prices);
    };
    send(&mut fold, &mut bill, 0.0, 1);
    send(&mut fold, &mut bill, 1.0, 3);
    // Request 1 was interrupted and the user wrote again: the fold no longer has it.
    bill.rewind(1, fold.requests());
    fold = Fold::new(FoldOptions::new(prices), ConversationHead::default());
    fold.push(10_000.0, 1.0);
    fold.add_request(request(None));
    send(&mut fold, &mut bill, 2.0, 4);
    let cost = 1.25 * 10_000.0 + (0.1 * 10_000.0 + 1.25 * 30_000.0) + (0.1 * 40_000.0 + 1.25 * 10_000.0);
    assert_cost(bill.costs(&fold, 0, &prices).cost, cost, cost);
}

#[test]
fn r10_6_tokens_that_a_removal_rewrites_are_cached_for_the_unmodified_history() {
    let (prompt, prices) = (prompt(5, &[1]), prices("anthropic"));
    let cost = billed(next_request(&prompt, 1), report(40_100.0, 10_000.0), &prompt, &prices);
    assert_cost(cost, 0.1 * 10_000.0 + 1.25 * 30_100.0, 0.1 * 40_000.0 + 1.25 * 10_000.0);
    let lost = billed(next_request(&prompt, 1), report(40_100.0, 0.0), &prompt, &prices);
    assert_cost(lost, 1.25 * 40_100.0, 1.25 * 50_000.0);
}

#[test]
fn r10_6_a_prompt_without_removals_costs_the_same_as_the_unmodified_one() {
    let prompt = prompt(5, &[]);
    for (name, read) in [("anthropic", 40_000.0), ("anthropic", 17_000.0), ("openai", 39_936.0), ("gemini", 1_500.0)] {
        let cost = billed(next_request(&prompt, 9), report(50_000.0, read), &prompt, &prices(name));
        assert_cost(cost, cost.sent, cost.sent);
    }
}

/// Three requests; the last one removes a result after a pause.
fn conversation() -> Fold {
    let mut fold = Fold::new(FoldOptions::new(prices("anthropic")), ConversationHead::default());
    for nth in 0..3 {
        fold.push(10_000.0, 1.0);
        if nth == 2 {
            fold.outdate(Pending { row: 0, position: 0, saved: 8_000.0 });
        }
        fold.add_request(Request {
            elapsed_ms: Some(if nth == 2 { 1e9 } else { 1_000.0 }),
            least_elapsed_ms: Some(if nth == 2 { 1e9 } else { 1_000.0 }),
            ..Request::default()
        });
    }
    fold
}

#[test]
fn r10_7_without_reports_the_bill_has_the_costs_of_the_fold_and_names_the_unsure_part() {
    let (fold, prices) = (conversation(), prices("anthropic"));
    let costs = Bill::default().costs(&fold, 0, &prices);
    let first_two = 1.25 * 10_000.0 + 0.1 * 10_000.0 + 1.25 * 10_000.0;
    assert_cost(costs.cost, first_two + 1.25 * 22_000.0, first_two + 1.25 * 30_000.0);
    assert_cost(costs.unsure, 1.15 * 10_000.0, 1.15 * 10_000.0);
    assert!((costs.requests - 3.0).abs() < 0.5);
    let newest = Bill::default().costs(&fold, 2, &prices);
    assert_cost(newest.cost, 1.25 * 22_000.0, 1.25 * 30_000.0);
}

#[test]
fn r10_6_a_report_corrects_its_request_once_and_an_impossible_one_changes_nothing() {
    let (fold, prices) = (conversation(), prices("anthropic"));
    let mut bill = Bill::default();
    bill.add_requests(fold.requests());
    for (number, (place, request)) in [(7.0, (0, fold.requests()[0])), (8.0, (1, fold.requests()[1]))] {
        bill.register(number, Some(place), request);
    }
    let ratio = bill.count_ratio(fold.requests());
    assert!(!bill.report(Some(9.0), report(20_000.0, 0.0), ratio), "no such request");
    assert!(!bill.report(Some(8.0), report(20_000.0, 30_000.0), ratio), "more tokens read than sent");
    let before = bill.costs(&fold, 0, &prices).cost;
    assert!(bill.report(Some(8.0), report(20_000.0, 0.0), ratio), "the cache was lost");
    assert!(!bill.report(Some(8.0), report(20_000.0, 0.0), ratio), "a repeated report");
    let after = bill.costs(&fold, 0, &prices).cost;
    assert_cost(after, before.sent + 1.15 * 10_000.0, before.unmodified + 1.15 * 10_000.0);
}

#[test]
fn r10_6_a_report_without_a_number_belongs_to_whichever_of_the_newest_two_requests_it_fits() {
    let fold = conversation();
    let place_of = |total: f64| {
        let mut bill = Bill::default();
        bill.add_requests(fold.requests());
        bill.register(0.0, Some(0), fold.requests()[0]);
        bill.register(1.0, Some(1), fold.requests()[1]);
        assert!(bill.report(None, report(total, 0.0), CountRatio::default()));
        let reported = bill.states.iter().enumerate().filter(|(_, known)| known.report.is_some());
        reported.map(|(place, _)| place).collect::<Vec<_>>()
    };
    assert_eq!([place_of(20_050.0), place_of(10_010.0), place_of(15_000.0)], [vec![1], vec![0], vec![1]]);
}

#[test]
fn r10_7_requests_before_a_rewind_stay_on_the_bill_with_their_reports() {
    let (fold, prices) = (conversation(), prices("anthropic"));
    let mut bill = Bill::default();
    bill.add_requests(fold.requests());
    for (place, &request) in fold.requests().iter().enumerate() {
        #[allow(clippy::cast_precision_loss)]
        bill.register(place as f64, Some(place), request);
    }
    let whole = bill.costs(&fold, 0, &prices);
    bill.rewind(1, fold.requests());
    let mut rewound = Fold::new(FoldOptions::new(prices), ConversationHead::default());
    rewound.push(10_000.0, 1.0);
    rewound.add_request(Request::default());
    assert_eq!(bill.costs(&rewound, 0, &prices), whole);
    // A late report of one of them still counts.
    assert!(bill.report(Some(2.0), report(22_000.0, 20_000.0), CountRatio::default()));
    let reported = bill.costs(&rewound, 0, &prices);
    assert!(reported.cost.sent < whole.cost.sent);
    // The conversation continues unchanged: nothing is billed twice.
    bill.rewind(1, rewound.requests());
    assert_eq!(bill.costs(&fold, 0, &prices), reported);
}

#[test]
fn r10_7_derived_requests_that_were_never_sent_are_not_on_the_bill() {
    let (fold, prices) = (conversation(), prices("anthropic"));
    let mut bill = Bill::default();
    bill.add_requests(&fold.requests()[..1]);
    bill.register(0.0, Some(0), fold.requests()[0]);
    // A request for a title has another system prompt: all requests seem to have been sent with that prompt.
    bill.rewind(0, &fold.requests()[..1]);
    bill.add_requests(fold.requests());
    bill.register(1.0, Some(2), fold.requests()[2]);
    assert!((bill.costs(&fold, 0, &prices).requests - 2.0).abs() < 0.5);
}

#[test]
fn r10_6_a_report_with_more_tokens_than_we_counted_raises_the_cost_of_later_requests() {
    let (fold, prices) = (conversation(), prices("anthropic"));
    let mut bill = Bill::default();
    bill.add_requests(fold.requests());
    bill.register(0.0, Some(0), fold.requests()[0]);
    assert!(bill.report(Some(0.0), report(16_000.0, 0.0), CountRatio::default()));
    let costs = bill.costs(&fold, 1, &prices);
    assert!(
        costs.cost.sent > Bill::default().costs(&fold, 1, &prices).cost.sent,
        "tokens of tools that we did not count"
    );
}
