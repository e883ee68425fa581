//! Plays sessions of token counts and computes the provider's bill. It shares no arithmetic with the fold, so each checks the other.

use crate::cache::prices::Prices;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulatedSession {
    /// System prompt and tool definitions.
    pub fixed_tokens: f64,
    pub messages: Vec<SimulatedMessage>,
    pub requests: Vec<Sent>,
}

/// Tokens as stored, with references to repeated lines, and with a placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedMessage {
    pub tokens: f64,
    /// Equals `tokens` if it has no references.
    pub tokens_short: f64,
    pub tokens_after: f64,
    /// First request at which the result is outdated.
    pub stale_at: Option<usize>,
}

/// A request with the first `len` messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sent {
    pub len: usize,
    pub now_ms: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimulatedBill {
    pub cost: f64,
    pub tokens: f64,
    pub cached: f64,
    /// Requests that do not begin with the whole previous request.
    pub prefix_changes: f64,
    pub peak_tokens: f64,
}

#[derive(Debug, Clone)]
pub struct Biller<'a> {
    prices: &'a Prices,
    fixed: f64,
    previous: Vec<Sending>,
    last_ms: Option<f64>,
    pub bill: SimulatedBill,
}

/// Messages with the same `identity` are the same bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sending {
    pub identity: u64,
    pub tokens: f64,
}

impl<'a> Biller<'a> {
    pub fn new(prices: &'a Prices, fixed: f64) -> Self {
        Self { prices, fixed, previous: Vec::new(), last_ms: None, bill: SimulatedBill::default() }
    }

    /// Returns the request's cost.
    pub fn send(&mut self, messages: Vec<Sending>, now_ms: f64) -> f64 {
        let same = self.previous.iter().zip(&messages).take_while(|(old, new)| old == new).count();
        let tokens = |messages: &[Sending]| self.fixed + messages.iter().map(|sent| sent.tokens).sum::<f64>();
        let total = tokens(&messages);
        let unchanged = tokens(messages.get(..same).unwrap_or_default());
        let is_changed = same < self.previous.len();
        self.previous = messages;
        self.add(BilledPrompt { total, unchanged, is_changed }, now_ms).cost
    }

    fn add(&mut self, BilledPrompt { total, unchanged, is_changed }: BilledPrompt, now_ms: f64) -> Billed {
        let elapsed = self.last_ms.map(|last| now_ms - last);
        let cached = self.prices.cached_tokens(unchanged, elapsed);
        let cost = self.prices.cost(cached, total);
        self.bill.prefix_changes += f64::from(u8::from(is_changed));
        self.bill.cost += cost;
        self.bill.tokens += total;
        self.bill.cached += cached;
        self.bill.peak_tokens = self.bill.peak_tokens.max(total);
        self.last_ms = Some(now_ms);
        Billed { tokens: total, cached, cost }
    }
}

#[derive(Debug, Clone, Copy)]
struct BilledPrompt {
    total: f64,
    /// Tokens shared with the previous request.
    unchanged: f64,
    is_changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Billed {
    pub tokens: f64,
    pub cached: f64,
    pub cost: f64,
}

#[derive(Debug)]
pub struct PlayedRequest<'a> {
    pub request: usize,
    pub billed: Billed,
    /// Messages that are first replaced with this request.
    pub replaced: &'a [usize],
    /// For each message, whether it is sent replaced.
    pub is_replaced: &'a [bool],
    /// For each message, whether it is sent with references unless replaced; false past the end.
    pub is_short: &'a [bool],
    /// Sent tokens before each message and in total, without the fixed ones.
    pub sums: &'a [f64],
}

/// Decides before each request which outdated results are replaced from then on.
pub trait ReplacementPolicy {
    /// Messages that are sent in full again after a rewind.
    fn restored(&mut self, _: &SimulatedSession, _: usize, _: &[bool]) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the positions to replace; `replaced` has those replaced already.
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize>;

    /// For each message, whether it has been sent with references since its first request; false past the end.
    fn short(&self) -> &[bool] {
        &[]
    }
}

/// For each request O(messages after the first change), plus the policy's cost.
pub fn play(
    session: &SimulatedSession,
    prices: &Prices,
    policy: &mut dyn ReplacementPolicy,
    each: &mut dyn FnMut(&PlayedRequest<'_>),
) -> SimulatedBill {
    let mut biller = Biller::new(prices, session.fixed_tokens);
    let mut replaced = vec![false; session.messages.len()];
    let mut short = Vec::new();
    let mut sums = vec![0.0; session.messages.len() + 1];
    sum_from(&mut sums, session, (&replaced, &short), 0);
    let mut len_before = 0;
    for (request, sent) in session.requests.iter().enumerate() {
        let back = policy.restored(session, request, &replaced);
        set(&mut replaced, &back, false);
        let newly = policy.decide(session, request, &replaced);
        set(&mut replaced, &newly, true);
        // A message that is restored and replaced again in the same request does not change.
        let is_once = |position: &&usize| newly.contains(position) != back.contains(position);
        let first = newly.iter().chain(&back).filter(is_once).copied().min().unwrap_or(usize::MAX);
        let first = first.min(first_difference(&short, policy.short()));
        short = policy.short().to_vec();
        sum_from(&mut sums, session, (&replaced, &short), first);
        let same = len_before.min(sent.len).min(first);
        let up_to = |len: usize| session.fixed_tokens + sums.get(len).or(sums.last()).copied().unwrap_or(0.0);
        let prompt =
            BilledPrompt { total: up_to(sent.len), unchanged: up_to(same), is_changed: same < len_before };
        let step = PlayedRequest {
            request,
            billed: biller.add(prompt, sent.now_ms),
            replaced: &newly,
            is_replaced: &replaced,
            is_short: &short,
            sums: &sums,
        };
        each(&step);
        len_before = sent.len;
    }
    biller.bill
}

fn set(replaced: &mut [bool], positions: &[usize], is_replaced: bool) {
    for &position in positions {
        if let Some(breakpoint) = replaced.get_mut(position) {
            *breakpoint = is_replaced;
        }
    }
}

/// The first index at which the lists differ; `usize::MAX` if they are equal.
fn first_difference(one: &[bool], other: &[bool]) -> usize {
    let has = |list: &[bool], at: usize| list.get(at) == Some(&true);
    (0..one.len().max(other.len())).find(|&at| has(one, at) != has(other, at)).unwrap_or(usize::MAX)
}

pub(super) fn sum_from(
    sums: &mut [f64],
    session: &SimulatedSession,
    (replaced, short): (&[bool], &[bool]),
    position: usize,
) {
    let mut sum = sums.get(position).copied().unwrap_or(0.0);
    let messages = session.messages.iter().enumerate().skip(position);
    for ((at, message), after) in messages.zip(sums.iter_mut().skip(position.saturating_add(1))) {
        sum += message.sent(replaced.get(at) == Some(&true), short.get(at) == Some(&true));
        *after = sum;
    }
}

impl SimulatedMessage {
    /// A message without references that is never outdated.
    #[must_use]
    pub fn whole(tokens: f64) -> Self {
        Self { tokens, tokens_short: tokens, tokens_after: tokens, stale_at: None }
    }

    fn sent(&self, is_replaced: bool, is_short: bool) -> f64 {
        let in_full = if is_short { self.tokens_short } else { self.tokens };
        if is_replaced { self.tokens_after.min(in_full) } else { in_full }
    }
}

/// Columns of a session. Messages: tokens as stored, tokens with a placeholder, the request at which it is outdated (−1: never).
/// Requests: length and time.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub fixed_tokens: f64,
    pub tokens: &'a [f64],
    pub replaced: &'a [f64],
    pub stale_at: &'a [f64],
    pub lengths: &'a [f64],
    pub times_ms: &'a [f64],
}

impl SimulatedSession {
    /// `None` for columns of different lengths or invalid numbers.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked as they are read
    pub fn from_columns(columns: Columns<'_>) -> Option<Self> {
        let Columns { fixed_tokens, tokens, replaced, stale_at, lengths, times_ms } = columns;
        let is_amount = |value: f64| value.is_finite() && value >= 0.0;
        let count = |value: f64| (is_amount(value) && value <= f64::from(u32::MAX)).then_some(value as usize);
        if tokens.len() != replaced.len() || tokens.len() != stale_at.len() || lengths.len() != times_ms.len()
        {
            return None;
        }
        let message = |((&tokens, &tokens_after), &stale_at): ((&f64, &f64), &f64)| {
            let is_possible = is_amount(tokens) && is_amount(tokens_after) && stale_at >= -1.0;
            is_possible.then_some(SimulatedMessage {
                tokens_after,
                stale_at: count(stale_at),
                ..SimulatedMessage::whole(tokens)
            })
        };
        let sent = |(&len, &now_ms): (&f64, &f64)| {
            let len = count(len).filter(|&len| len <= tokens.len())?;
            now_ms.is_finite().then_some(Sent { len, now_ms })
        };
        Some(Self {
            fixed_tokens: is_amount(fixed_tokens).then_some(fixed_tokens)?,
            messages: tokens.iter().zip(replaced).zip(stale_at).map(message).collect::<Option<_>>()?,
            requests: lengths.iter().zip(times_ms).map(sent).collect::<Option<_>>()?,
        })
    }

    /// Messages outdated at `request` that are not replaced and would become shorter.
    pub fn pending(&self, request: usize, replaced: &[bool]) -> impl Iterator<Item = usize> {
        let len = self.requests.get(request).map_or(0, |sent| sent.len);
        let is_pending = move |(message, &is_replaced): (&SimulatedMessage, &bool)| {
            !is_replaced
                && message.tokens_after < message.tokens
                && message.stale_at.is_some_and(|stale_at| stale_at <= request)
        };
        let all = self.messages.iter().zip(replaced).take(len).enumerate();
        all.filter_map(move |(position, entry)| is_pending(entry).then_some(position))
    }

    pub fn saving(&self, position: usize) -> f64 {
        self.messages.get(position).map_or(0.0, |message| message.tokens - message.tokens_after)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cache::fold::FoldOptions;
    use crate::cache::policies::{EveryRequest, View};
    use crate::cache::prices::PRESETS;

    type NewPolicy = fn(&Prices) -> Box<dyn ReplacementPolicy>;

    /// The bill computed from the bytes sent, with each prompt assembled from scratch.
    fn play_by_identity(
        session: &SimulatedSession,
        prices: &Prices,
        policy: &mut dyn ReplacementPolicy,
    ) -> SimulatedBill {
        let mut biller = Biller::new(prices, session.fixed_tokens);
        let mut replaced = vec![false; session.messages.len()];
        for (request, sent) in session.requests.iter().enumerate() {
            for position in policy.restored(session, request, &replaced) {
                replaced[position] = false;
            }
            for position in policy.decide(session, request, &replaced) {
                replaced[position] = true;
            }
            let short = policy.short();
            let sending = |(at, (message, &is_replaced)): (usize, (&SimulatedMessage, &bool))| {
                let is_short = !is_replaced && short.get(at) == Some(&true);
                let tokens = match (is_replaced, is_short) {
                    (true, _) => message.tokens_after,
                    (false, true) => message.tokens_short,
                    (false, false) => message.tokens,
                };
                Sending { identity: 4 * at as u64 + 2 * u64::from(is_short) + u64::from(is_replaced), tokens }
            };
            let messages = session.messages.iter().zip(&replaced).enumerate().take(sent.len);
            biller.send(messages.map(sending).collect(), sent.now_ms);
        }
        biller.bill
    }

    fn any_session() -> impl Strategy<Value = SimulatedSession> {
        let message = (1_u32..4000, 0_u32..40, 0_u32..4000, prop::option::of(0_usize..20));
        let request = (0_usize..30, prop_oneof![4 => 1_u32..60, 1 => 300_u32..4000]);
        let lists = (prop::collection::vec(message, 0..30), prop::collection::vec(request, 0..20));
        (0_u32..20_000, lists).prop_map(|(fixed, (messages, requests))| {
            let message =
                |(tokens, after, short, stale_at): (u32, u32, u32, Option<usize>)| SimulatedMessage {
                    tokens: f64::from(tokens),
                    tokens_short: f64::from(short.clamp(after.min(tokens), tokens)),
                    tokens_after: f64::from(after.min(tokens)),
                    stale_at,
                };
            let messages: Vec<SimulatedMessage> = messages.into_iter().map(message).collect();
            let mut now_ms = 0.0;
            let requests = requests.into_iter().map(|(len, seconds)| {
                now_ms += f64::from(seconds) * 1000.0;
                Sent { len: len.min(messages.len()), now_ms }
            });
            SimulatedSession { fixed_tokens: f64::from(fixed), requests: requests.collect(), messages }
        })
    }

    proptest! {
        #[test]
        fn r10_3_the_bill_by_sums_is_the_bill_by_what_is_sent(session in any_session(), preset in 0..PRESETS.len()) {
            let prices = PRESETS[preset].prices;
            let policies: [NewPolicy; 2] =
                [|_| Box::new(EveryRequest), |prices| Box::new(View::new(FoldOptions::new(*prices)))];
            for policy in policies {
                let (mut steps, mut cost) = (0, 0.0);
                let bill = play(&session, &prices, policy(&prices).as_mut(), &mut |step| {
                    steps += 1;
                    cost += step.billed.cost;
                });
                let expected = play_by_identity(&session, &prices, policy(&prices).as_mut());
                prop_assert!((bill.cost - expected.cost).abs() <= 1e-9 * expected.cost.max(1.0));
                prop_assert!((bill.cached - expected.cached).abs() <= 1e-9 * expected.cached.max(1.0));
                prop_assert!((bill.prefix_changes - expected.prefix_changes).abs() < 0.5);
                prop_assert!(steps == session.requests.len() && (cost - bill.cost).abs() < 1e-6 * cost.max(1.0));
            }
        }
    }
}
