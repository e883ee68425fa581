//! Plays a session of token counts under a removal policy and computes the provider's bill. It shares no arithmetic with the fold, so each
//! checks the other.

use crate::cache::prices::Prices;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulatedSession {
    /// Tokens of a system prompt and tool definitions that are not messages.
    pub fixed_tokens: f64,
    pub messages: Vec<SimulatedMessage>,
    pub requests: Vec<SimulatedRequest>,
}

/// Token counts of one message in each form in which it may be sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedMessage {
    pub tokens: f64,
    /// With references in place of lines of earlier messages; equals `tokens` if it repeats none.
    pub tokens_with_references: f64,
    /// With a placeholder in place of its result.
    pub tokens_replaced: f64,
    /// Index of the first request at which the result is outdated.
    pub outdated_from: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedRequest {
    pub len: usize,
    pub now_ms: f64,
}

impl SimulatedMessage {
    pub fn never_outdated(tokens: f64) -> Self {
        Self { tokens, tokens_with_references: tokens, tokens_replaced: tokens, outdated_from: None }
    }

    pub(super) fn is_outdated(&self, request: usize) -> bool {
        self.outdated_from.is_some_and(|outdated_from| outdated_from <= request)
    }

    pub(super) fn sent_tokens(&self, is_replaced: bool, has_references: bool) -> f64 {
        let not_replaced = if has_references { self.tokens_with_references } else { self.tokens };
        if is_replaced { self.tokens_replaced.min(not_replaced) } else { not_replaced }
    }
}

impl SimulatedSession {
    /// `messages`: the tokens of each, those with a placeholder, and the index of the request from which it is outdated (−1 or larger than any:
    /// never); `requests`: their lengths and times. `None` for columns of different lengths or invalid numbers.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked as they are read
    pub fn from_columns(fixed_tokens: f64, messages: [&[f64]; 3], requests: [&[f64]; 2]) -> Option<Self> {
        let ([tokens, tokens_replaced, outdated_from], [lengths, times_ms]) = (messages, requests);
        let is_amount = |&value: &f64| value.is_finite() && value >= 0.0;
        let count = |&value: &f64| (is_amount(&value) && value <= f64::from(u32::MAX)).then_some(value as usize);
        let is_valid = is_amount(&fixed_tokens)
            && [tokens_replaced.len(), outdated_from.len()] == [tokens.len(); 2]
            && tokens.iter().chain(tokens_replaced).all(is_amount)
            && outdated_from.iter().all(|&request| request >= -1.0)
            && lengths.len() == times_ms.len()
            && lengths.iter().all(|len| count(len).is_some_and(|len| len <= tokens.len()))
            && times_ms.iter().all(|time_ms| time_ms.is_finite());
        let message = |((&tokens, &tokens_replaced), outdated_from): ((&f64, &f64), &f64)| SimulatedMessage {
            tokens_replaced,
            outdated_from: count(outdated_from),
            ..SimulatedMessage::never_outdated(tokens)
        };
        let request = |(&len, &now_ms): (&f64, &f64)| SimulatedRequest { len: len as usize, now_ms };
        is_valid.then(|| Self {
            fixed_tokens,
            messages: tokens.iter().zip(tokens_replaced).zip(outdated_from).map(message).collect(),
            requests: lengths.iter().zip(times_ms).map(request).collect(),
        })
    }

    /// Messages outdated at `request` that are not replaced and would become shorter.
    pub fn pending(&self, request: usize, is_replaced: &[bool]) -> impl Iterator<Item = usize> {
        let len = self.requests.get(request).map_or(0, |sent| sent.len);
        let messages = (0..).zip(self.messages.iter().zip(is_replaced).take(len));
        let pending = messages.filter(move |(_, (message, is_replaced))| {
            !**is_replaced && message.tokens_replaced < message.tokens && message.is_outdated(request)
        });
        pending.map(|(position, _)| position)
    }

    /// Computes `sums`, the sent tokens before each message and in total, from message `first` on.
    pub(super) fn sum_from(&self, first: usize, sums: &mut [f64], is_replaced: &[bool], has_references: &[bool]) {
        let mut sum = sums.get(first).copied().unwrap_or(0.0);
        let messages = self.messages.iter().enumerate().skip(first);
        for ((index, message), sum_after) in messages.zip(sums.iter_mut().skip(first.saturating_add(1))) {
            sum += message.sent_tokens(is_replaced.get(index) == Some(&true), has_references.get(index) == Some(&true));
            *sum_after = sum;
        }
    }

    /// Tokens that a placeholder saves, compared with the message without references.
    pub fn saving(&self, position: usize) -> f64 {
        self.messages.get(position).map_or(0.0, |message| message.tokens - message.tokens_replaced)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimulatedBill {
    pub cost: f64,
    /// Tokens sent, and how many of them were read from the cache.
    pub tokens: f64,
    pub cached: f64,
    /// Requests that do not begin with the whole previous request.
    pub prefix_changes: f64,
    pub peak_tokens: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Biller<'a> {
    prices: &'a Prices,
    last_ms: Option<f64>,
    pub bill: SimulatedBill,
}

impl<'a> Biller<'a> {
    pub fn new(prices: &'a Prices) -> Self {
        Self { prices, last_ms: None, bill: SimulatedBill::default() }
    }

    /// Adds a prompt of `total` tokens, which shares its first `shared_prefix` tokens with the previous one. `breaks_prefix`: it does not
    /// begin with the whole previous one.
    pub fn add(&mut self, total: f64, shared_prefix: f64, breaks_prefix: bool, now_ms: f64) -> Billed {
        let elapsed = self.last_ms.map(|last| now_ms - last);
        let cached = self.prices.cached_tokens(shared_prefix, elapsed);
        let cost = self.prices.cost(cached, total);
        self.bill.prefix_changes += f64::from(u8::from(breaks_prefix));
        self.bill.cost += cost;
        self.bill.tokens += total;
        self.bill.cached += cached;
        self.bill.peak_tokens = self.bill.peak_tokens.max(total);
        self.last_ms = Some(now_ms);
        Billed { tokens: total, cached, cost }
    }
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
    /// Messages that the policy replaces from this request on.
    pub newly_replaced: &'a [usize],
    pub is_replaced: &'a [bool],
    /// For each message, whether it is sent with references unless replaced; false past the end.
    pub has_references: &'a [bool],
    /// Sent tokens before each message and in total, without the fixed ones.
    pub sums: &'a [f64],
}

/// Decides before each request which outdated results are replaced from then on.
pub trait ReplacementPolicy {
    /// Called before every `decide`. For a request with fewer messages than the previous one, returns the messages that are no
    /// longer replaced.
    fn rewind(&mut self, _session: &SimulatedSession, _request: usize, _is_replaced: &[bool]) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the messages to replace from this request on; `is_replaced` has those already replaced.
    fn decide(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize>;

    /// For each message, whether it has been sent with references since its first request; false past the end.
    fn has_references(&self) -> &[bool] {
        &[]
    }
}

/// The bill of the session under `policy`; `on_request` sees each request. O(requests × messages), plus the policy's time.
pub fn play(
    session: &SimulatedSession,
    prices: &Prices,
    policy: &mut dyn ReplacementPolicy,
    on_request: &mut dyn FnMut(&PlayedRequest<'_>),
) -> SimulatedBill {
    let mut biller = Biller::new(prices);
    let mut is_replaced = vec![false; session.messages.len()];
    let mut has_references = Vec::new();
    let mut sums = vec![0.0; session.messages.len() + 1];
    session.sum_from(0, &mut sums, &is_replaced, &has_references);
    let mut previous_len = 0;
    for (request, sent) in session.requests.iter().enumerate() {
        let before = is_replaced.clone();
        set(&mut is_replaced, &policy.rewind(session, request, &before), false);
        let newly_replaced = policy.decide(session, request, &is_replaced);
        set(&mut is_replaced, &newly_replaced, true);
        let first_changed =
            first_difference(&before, &is_replaced).min(first_difference(&has_references, policy.has_references()));
        has_references = policy.has_references().to_vec();
        session.sum_from(first_changed, &mut sums, &is_replaced, &has_references);
        let unchanged_len = previous_len.min(sent.len).min(first_changed);
        let up_to = |len: usize| session.fixed_tokens + sums.get(len).or(sums.last()).copied().unwrap_or(0.0);
        let breaks_prefix = unchanged_len < previous_len;
        on_request(&PlayedRequest {
            request,
            billed: biller.add(up_to(sent.len), up_to(unchanged_len), breaks_prefix, sent.now_ms),
            newly_replaced: &newly_replaced,
            is_replaced: &is_replaced,
            has_references: &has_references,
            sums: &sums,
        });
        previous_len = sent.len;
    }
    biller.bill
}

pub(super) fn set(flags: &mut [bool], positions: &[usize], value: bool) {
    for &position in positions {
        if let Some(flag) = flags.get_mut(position) {
            *flag = value;
        }
    }
}

/// The first index at which the lists differ, with false past their ends; `usize::MAX` if they are equal.
fn first_difference(one: &[bool], other: &[bool]) -> usize {
    let flag = |list: &[bool], index: usize| list.get(index) == Some(&true);
    (0..one.len().max(other.len())).find(|&index| flag(one, index) != flag(other, index)).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
pub(super) mod tests;
