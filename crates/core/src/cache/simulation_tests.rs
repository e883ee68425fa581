use proptest::prelude::*;

use super::*;
use crate::cache::fold::FoldOptions;
use crate::cache::policies::{StaticPolicy, View};
use crate::cache::prices::PRESETS;

type NewPolicy = fn(&Prices) -> Box<dyn ReplacementPolicy>;

/// Bills requests given as all their messages. A message is an identity, which represents its bytes, and its tokens.
pub struct Sender<'a> {
    pub biller: Biller<'a>,
    fixed: f64,
    previous: Vec<(u64, f64)>,
}

impl<'a> Sender<'a> {
    pub fn new(prices: &'a Prices, fixed: f64) -> Self {
        Self { biller: Biller::new(prices), fixed, previous: Vec::new() }
    }

    pub fn send(&mut self, messages: Vec<(u64, f64)>, now_ms: f64) -> f64 {
        let same = self.previous.iter().zip(&messages).take_while(|(old, new)| old == new).count();
        let tokens = |messages: &[(u64, f64)]| self.fixed + messages.iter().map(|(_, tokens)| tokens).sum::<f64>();
        let (total, shared_prefix) = (tokens(&messages), tokens(&messages[..same]));
        let breaks_prefix = same < self.previous.len();
        self.previous = messages;
        self.biller.add(total, shared_prefix, breaks_prefix, now_ms).cost
    }
}

/// The bill computed from the identities of all messages, with each prompt assembled from scratch.
fn play_by_messages(session: &SimulatedSession, prices: &Prices, policy: &mut dyn ReplacementPolicy) -> SimulatedBill {
    let mut sender = Sender::new(prices, session.fixed_tokens);
    let mut replaced = vec![false; session.messages.len()];
    for (request, sent) in session.requests.iter().enumerate() {
        for position in policy.rewind(session, request, &replaced) {
            replaced[position] = false;
        }
        for position in policy.decide(session, request, &replaced) {
            replaced[position] = true;
        }
        let with_references = policy.has_references();
        let sent_message = |(at, (message, &is_replaced)): (usize, (&SimulatedMessage, &bool))| {
            let has_references = !is_replaced && with_references.get(at) == Some(&true);
            let tokens = match (is_replaced, has_references) {
                (true, _) => message.tokens_replaced,
                (false, true) => message.tokens_with_references,
                (false, false) => message.tokens,
            };
            (4 * at as u64 + 2 * u64::from(has_references) + u64::from(is_replaced), tokens)
        };
        let messages = session.messages.iter().zip(&replaced).enumerate().take(sent.len);
        sender.send(messages.map(sent_message).collect(), sent.now_ms);
    }
    sender.biller.bill
}

fn any_session() -> impl Strategy<Value = SimulatedSession> {
    let message = (1_u32..4000, 0_u32..40, 0_u32..4000, prop::option::of(0_usize..20));
    let request = (0_usize..30, prop_oneof![4 => 1_u32..60, 1 => 300_u32..4000]);
    let lists = (prop::collection::vec(message, 0..30), prop::collection::vec(request, 0..20));
    (0_u32..20_000, lists).prop_map(|(fixed, (messages, requests))| {
        let message = |(tokens, after, short, outdated_from): (u32, u32, u32, Option<usize>)| SimulatedMessage {
            tokens: f64::from(tokens),
            tokens_with_references: f64::from(short.clamp(after.min(tokens), tokens)),
            tokens_replaced: f64::from(after.min(tokens)),
            outdated_from,
        };
        let messages: Vec<SimulatedMessage> = messages.into_iter().map(message).collect();
        let mut now_ms = 0.0;
        let requests = requests.into_iter().map(|(len, seconds)| {
            now_ms += f64::from(seconds) * 1000.0;
            SimulatedRequest { len: len.min(messages.len()), now_ms }
        });
        SimulatedSession { fixed_tokens: f64::from(fixed), requests: requests.collect(), messages }
    })
}

proptest! {
    #[test]
    fn r10_3_a_simulated_bill_equals_the_bill_computed_from_every_message(session in any_session(), preset in 0..PRESETS.len()) {
        let prices = PRESETS[preset].prices;
        let policies: [NewPolicy; 2] =
            [|_| Box::new(StaticPolicy::EveryRequest), |prices| Box::new(View::new(FoldOptions::new(*prices)))];
        for policy in policies {
            let (mut steps, mut cost) = (0, 0.0);
            let bill = play(&session, &prices, policy(&prices).as_mut(), &mut |step| {
                steps += 1;
                cost += step.billed.cost;
            });
            let expected = play_by_messages(&session, &prices, policy(&prices).as_mut());
            prop_assert!((bill.cost - expected.cost).abs() <= 1e-9 * expected.cost.max(1.0));
            prop_assert!((bill.cached - expected.cached).abs() <= 1e-9 * expected.cached.max(1.0));
            prop_assert!((bill.prefix_changes - expected.prefix_changes).abs() < 0.5);
            prop_assert!(steps == session.requests.len() && (cost - bill.cost).abs() < 1e-6 * cost.max(1.0));
        }
    }
}
