use proptest::prelude::*;

use super::*;
use crate::cache::policies::{StaticPolicy, View};
use crate::cache::prices::PRESETS;
use crate::cache::prices::Prices;
use crate::cache::simulation::{ReplacementPolicy, SimulatedMessage, SimulatedRequest, SimulatedSession, play};

const WARM: Option<f64> = Some(10_000.0);
const COLD: Option<f64> = Some(3_600_000.0);

fn prices(name: &str) -> Prices {
    Prices::named(name).unwrap()
}

fn anthropic() -> Fold {
    Fold::new(
        FoldOptions::new(prices("anthropic")),
        ConversationHead { fixed_tokens: 5_000.0, ..ConversationHead::default() },
    )
}

fn outdated(position: usize, saved: f64) -> Pending {
    Pending { row: u32::try_from(position).unwrap(), position, saved }
}

fn warm() -> Request {
    Request { elapsed_ms: WARM, least_elapsed_ms: WARM, ..Request::default() }
}

/// A conversation of `messages` with 1,000 tokens and one request each; nothing is outdated.
fn conversation_of(messages: usize) -> Fold {
    let mut fold = anthropic();
    for _ in 0..messages {
        fold.push(1_000.0, 1.0);
        fold.add_request(warm());
    }
    fold
}

#[test]
fn r10_4_a_cold_cache_removes_all_outdated_results() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    fold.outdate(outdated(4, 900.0));
    fold.push(1_000.0, 1.0);
    let decision = fold.add_request(Request { elapsed_ms: COLD, least_elapsed_ms: COLD, ..Request::default() });
    assert_eq!((decision.rows, decision.reason), (vec![2, 4], ChangeReason::Cold));
    assert!(decision.extra_cost < 0.0 && decision.tokens_saved.to_bits() == 1_800.0_f64.to_bits());
}

#[test]
fn r10_7_a_plan_without_pending_results_leaves_zero_tokens_rather_than_minus_zero() {
    assert!(anthropic().plan(warm()).tokens_left_pending.is_sign_positive());
}

#[test]
fn r10_4_an_unknown_pause_counts_as_warm() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    let decision = fold.add_request(Request::default());
    assert_eq!((decision.rows.len(), decision.reason), (0, ChangeReason::Waiting));
}

#[test]
fn r10_4_a_possibly_interrupted_request_counts_as_warm_for_the_decision_and_as_cold_for_the_bill() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    // Four minutes to the interrupted request, and four from there: the cache lives for five.
    let request = Request { elapsed_ms: Some(480_000.0), least_elapsed_ms: Some(240_000.0), ..Request::default() };
    let decision = fold.add_request(request);
    assert_eq!((decision.rows.len(), decision.reason), (0, ChangeReason::Waiting));
    assert!(decision.tokens.cached.sent.abs() < f64::EPSILON);
}

#[test]
fn r10_4_a_request_after_an_interrupted_one_repeats_its_removal_from_a_cold_cache() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    let decision = fold.add_request(Request { elapsed_ms: COLD, least_elapsed_ms: WARM, ..Request::default() });
    assert_eq!((decision.rows, decision.reason), (vec![2], ChangeReason::Cold));
}

#[test]
fn r10_4_the_suffix_that_saves_most_is_removed_and_earlier_results_stay_pending() {
    let mut fold = conversation_of(200);
    // The early result is small; removing it would write 200,000 tokens again.
    fold.outdate(outdated(3, 100.0));
    for position in 190..198 {
        fold.outdate(outdated(position, 950.0));
    }
    let decision = fold.add_request(warm());
    assert_eq!(decision.rows, (190..198).collect::<Vec<u32>>());
    assert_eq!((decision.reason, decision.left_pending), (ChangeReason::Pays, 1));
    assert!(decision.extra_cost < PAYBACK_REQUESTS * 0.1 * decision.tokens_saved, "it pays within PAYBACK_REQUESTS");
}

#[test]
fn r10_5_a_removal_waits_until_all_requests_so_far_keep_the_cost_limit() {
    let mut fold = conversation_of(12);
    for position in 1..9 {
        fold.outdate(outdated(position, 900.0));
    }
    let refused = fold.add_request(warm());
    assert_eq!((refused.rows.len(), refused.reason), (0, ChangeReason::Guarantee));
    let mut requests = 0;
    while fold.add_request(warm()).rows.is_empty() {
        requests += 1;
        assert!(requests < 2_000, "each request adds to what the removal may cost");
    }
    let Compared { sent, unmodified } = fold.promised_sum;
    assert!(sent <= 1.02 * unmodified);
}

#[test]
fn r10_4_without_a_cache_outdated_results_are_removed_at_once() {
    let mut fold = Fold::new(FoldOptions::new(prices("none")), ConversationHead::default());
    fold.push(1_000.0, 1.0);
    fold.outdate(outdated(0, 900.0));
    let decision = fold.add_request(warm());
    assert_eq!((decision.rows, decision.reason), (vec![0], ChangeReason::NoCache));
}

#[test]
fn r10_15_a_side_request_removes_nothing() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    let decision =
        fold.add_request(Request { elapsed_ms: COLD, least_elapsed_ms: COLD, is_side: true, ..Request::default() });
    assert!(decision.rows.is_empty());
}

#[test]
fn r10_4_a_prompt_above_its_budget_removes_outdated_results_at_any_cost_but_not_in_small_steps() {
    let options = FoldOptions { budget_tokens: Some(20_000.0), ..FoldOptions::new(prices("deepseek")) };
    let mut fold = Fold::new(options, ConversationHead::default());
    for _ in 0..30 {
        fold.push(1_000.0, 1.0);
    }
    fold.outdate(outdated(1, 900.0));
    assert_eq!(fold.add_request(warm()).reason, ChangeReason::Budget, "the first removal");
    fold.outdate(outdated(2, 900.0));
    assert!(fold.add_request(warm()).rows.is_empty(), "less than a tenth of the budget");
    fold.outdate(outdated(3, 900.0));
    fold.outdate(outdated(4, 900.0));
    assert_eq!(fold.add_request(warm()).rows, [2, 3, 4]);
}

#[test]
fn r10_7_a_plan_equals_the_next_decision_and_changes_nothing() {
    let mut fold = conversation_of(10);
    fold.outdate(outdated(2, 900.0));
    let cold = Request { elapsed_ms: COLD, least_elapsed_ms: COLD, ..Request::default() };
    let planned = fold.plan(cold);
    assert_eq!(planned, fold.plan(cold));
    assert_eq!(planned, fold.add_request(cold));
}

#[test]
fn r10_7_a_result_without_savings_or_without_a_message_is_not_pending() {
    let mut fold = conversation_of(3);
    fold.outdate(outdated(1, 0.0));
    fold.outdate(outdated(7, 900.0));
    assert!(fold.pending().is_empty());
}

#[test]
fn r10_5_references_sent_from_the_first_request_on_change_no_prefix() {
    let (mut fold, mut whole) = (conversation_of(40), conversation_of(40));
    for each in [&mut fold, &mut whole] {
        each.push(1_000.0, 1.0);
    }
    assert!(fold.shorten_newest(600.0));
    let (short, unmodified) = (fold.add_request(warm()).tokens, whole.add_request(warm()).tokens);
    assert_eq!(
        (short.total.sent - unmodified.total.sent, short.total.unmodified - unmodified.total.unmodified),
        (-600.0, 0.0)
    );
    assert!((short.cached.sent - unmodified.cached.sent).abs() < f64::EPSILON);
    let Compared { sent, unmodified } = fold.promised_sum;
    assert_eq!(sent.to_bits(), unmodified.to_bits(), "the cost limit doesn't spend this saving");
}

#[test]
fn r10_4_removing_a_result_with_references_saves_only_its_remaining_tokens() {
    let mut fold = conversation_of(40);
    fold.push(1_000.0, 1.0);
    assert!(fold.shorten_newest(600.0));
    fold.add_request(warm());
    fold.outdate(outdated(40, 300.0));
    let decision = fold.add_request(Request { elapsed_ms: COLD, least_elapsed_ms: COLD, ..Request::default() });
    assert_eq!((decision.rows, decision.tokens.total.sent), (vec![40], 5_000.0 + 40_000.0 + 100.0));
}

#[test]
fn r10_5_a_prompt_near_the_minimum_of_the_cache_gets_no_references() {
    // Anthropic caches nothing below 1,024 tokens.
    let mut fold = Fold::new(FoldOptions::new(prices("anthropic")), ConversationHead::default());
    fold.push(1_900.0, 1.0);
    assert!(!fold.shorten_newest(600.0));
    assert_eq!(fold.add_request(warm()).tokens.total.sent.to_bits(), 1_900.0_f64.to_bits());
}

#[test]
fn r10_5_references_begin_only_when_one_lost_block_is_a_small_share_of_the_cost() {
    // OpenAI caches blocks of 128 tokens; a prompt may end just after a block boundary.
    let mut fold = Fold::new(FoldOptions::new(prices("openai")), ConversationHead::default());
    fold.push(4_000.0, 1.0);
    assert!(!fold.shorten_newest(600.0));
    for _ in 0..40 {
        fold.push(4_000.0, 1.0);
        fold.add_request(warm());
    }
    fold.push(4_000.0, 1.0);
    assert!(fold.shorten_newest(600.0));
}

#[test]
fn r10_8_a_pending_removal_gets_a_breakpoint_before_its_first_result() {
    let options = FoldOptions { uses_breakpoints: true, ..FoldOptions::new(prices("anthropic")) };
    let mut fold = Fold::new(options, ConversationHead { system_len: 1, ..ConversationHead::default() });
    for _ in 0..30 {
        fold.push(1_000.0, 1.0);
    }
    fold.add_request(warm());
    assert_eq!(fold.breakpoints(), [1, 30]);
    for position in 20..26 {
        fold.outdate(outdated(position, 950.0));
    }
    fold.push(1_000.0, 1.0);
    let decision = fold.add_request(warm());
    assert!(decision.rows.is_empty());
    assert_eq!(fold.breakpoints(), [1, 20, 31]);
    // The later removal reads up to that breakpoint.
    while fold.add_request(warm()).rows.is_empty() {}
    let cost = fold.requests().last().unwrap();
    assert_eq!(cost.readable.sent.to_bits(), 20_000.0_f64.to_bits());
}

#[test]
fn r10_8_the_next_request_reads_up_to_the_breakpoint_of_the_application() {
    let head =
        ConversationHead { system_len: 1, head_breakpoints: 2, message_breakpoints: 1, ..ConversationHead::default() };
    let mut fold = Fold::new(FoldOptions::new(prices("anthropic")), head);
    for _ in 0..5 {
        fold.push(1_000.0, 1.0);
    }
    fold.add_request(warm());
    fold.push(1_000.0, 1.0);
    let cost = fold.add_request(warm()).tokens;
    assert_eq!(cost.readable.sent.to_bits(), 5_000.0_f64.to_bits(), "the breakpoint at the end of the last request");
}

/// Sessions of short and long messages; each result is outdated some requests after it is first sent.
fn any_session() -> impl Strategy<Value = SimulatedSession> {
    let tokens = prop_oneof![3 => 5_u32..300, 2 => 300_u32..6_000];
    let short = prop_oneof![3 => Just(0_u32), 1 => 1_u32..100];
    let message = (tokens, 1_u32..40, short, prop::option::of(1_usize..40));
    let pause = prop_oneof![12 => 1_u32..120, 2 => 240_u32..2_000, 1 => 3_000_u32..90_000];
    let request = (prop::collection::vec(message, 1..4), pause);
    (0_u32..20_000, prop::collection::vec(request, 1..160)).prop_map(|(fixed, steps)| {
        let (mut messages, mut requests, mut now_ms) = (Vec::new(), Vec::new(), 0.0);
        for (request, (new, seconds)) in steps.into_iter().enumerate() {
            now_ms += f64::from(seconds) * 1_000.0;
            messages.extend(new.into_iter().map(|(tokens, after, percent, age)| SimulatedMessage {
                tokens: f64::from(tokens),
                tokens_with_references: f64::from(tokens - tokens * percent / 100),
                tokens_replaced: f64::from(after.min(tokens)),
                outdated_from: age.map(|age| request + age),
            }));
            requests.push(SimulatedRequest { len: messages.len(), now_ms });
        }
        SimulatedSession { fixed_tokens: f64::from(fixed), messages, requests }
    })
}

fn running_costs(session: &SimulatedSession, prices: &Prices, policy: &mut dyn ReplacementPolicy) -> Vec<f64> {
    let (mut sum, mut sums) = (0.0, Vec::new());
    play(session, prices, policy, &mut |step| {
        sum += step.billed.cost;
        sums.push(sum);
    });
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// The bill comes from `simulation.rs`, which shares no arithmetic with the fold.
    #[test]
    fn r10_5_no_session_exceeds_the_cost_limit_at_any_request(
        session in any_session(), preset in 0..PRESETS.len(), share in prop_oneof![Just(0.0), Just(0.02), Just(0.3)],
    ) {
        let prices = PRESETS[preset].prices;
        let options = FoldOptions { max_extra_cost: share, ..FoldOptions::new(prices) };
        let view = running_costs(&session, &prices, &mut View::new(options));
        let unmodified = running_costs(&session, &prices, &mut StaticPolicy::Unmodified);
        for (request, (cost, unmodified)) in view.iter().zip(&unmodified).enumerate() {
            prop_assert!(*cost <= (1.0 + share) * unmodified + 1e-6, "request {request}: {cost} of {unmodified}");
        }
    }

    /// A provider may count up to 30 % less than we do, or more: the cost limit also holds in its tokens.
    #[test]
    fn r10_5_the_cost_limit_holds_in_the_token_count_of_the_provider(
        session in any_session(), preset in 0..PRESETS.len(), factor in 0.75_f64..1.4,
    ) {
        let prices = PRESETS[preset].prices;
        let counted = |tokens: f64| (tokens * factor).round();
        let mut provider_session = session.clone();
        provider_session.fixed_tokens = counted(provider_session.fixed_tokens);
        for message in &mut provider_session.messages {
            message.tokens = counted(message.tokens);
            message.tokens_with_references = counted(message.tokens_with_references);
            message.tokens_replaced = counted(message.tokens_replaced).min(message.tokens);
        }
        // Decided with our token counts, billed with the provider's.
        let mut decided = Vec::new();
        play(&session, &prices, &mut View::new(FoldOptions::new(prices)), &mut |step| {
            decided.push((step.newly_replaced.to_vec(), step.has_references.to_vec()));
        });
        let view = running_costs(&provider_session, &prices, &mut Recorded { decided, request: 0 });
        let unmodified = running_costs(&provider_session, &prices, &mut StaticPolicy::Unmodified);
        for (cost, unmodified) in view.iter().zip(&unmodified) {
            prop_assert!(*cost <= 1.03 * unmodified + 64.0, "{cost} of {unmodified}");
        }
    }

    #[test]
    fn r10_12_folding_request_by_request_decides_as_folding_at_once(
        session in any_session(), cut in any::<prop::sample::Index>(),
    ) {
        let prices = PRESETS[0].prices;
        let decided = |requests: usize| {
            let part = SimulatedSession { requests: session.requests[..requests].to_vec(), ..session.clone() };
            let mut all = Vec::new();
            play(&part, &prices, &mut View::new(FoldOptions::new(prices)), &mut |step| {
                all.push((step.newly_replaced.to_vec(), step.has_references.to_vec()));
            });
            all
        };
        let request_count = cut.index(session.requests.len()) + 1;
        let all = decided(session.requests.len());
        prop_assert_eq!(&decided(request_count)[..], &all[..request_count]);
    }
}

/// Replays recorded decisions.
struct Recorded {
    decided: Vec<(Vec<usize>, Vec<bool>)>,
    request: usize,
}

impl ReplacementPolicy for Recorded {
    fn decide(&mut self, _: &SimulatedSession, request: usize, _: &[bool]) -> Vec<usize> {
        self.request = request;
        self.decided[request].0.clone()
    }

    fn has_references(&self) -> &[bool] {
        &self.decided[self.request].1
    }
}
