//! Plays recorded or made-up sessions, given as numbers, and writes the provider's bill. It shares no sums with the
//! schedule, so that each can be held against the other.

use crate::cache::prices::Prices;

/// One session as numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// Ahead of all messages: system prompt and tool definitions.
    pub fixed_tokens: f64,
    pub messages: Vec<Message>,
    pub requests: Vec<Sent>,
}

/// One message, as it is stored and with a placeholder in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message {
    pub tokens: f64,
    pub tokens_after: f64,
    /// The request at which its result is first outdated.
    pub stale_at: Option<usize>,
}

/// One request: the first `len` messages, at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sent {
    pub len: usize,
    pub now_ms: f64,
}

/// What a whole session costs and sends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bill {
    pub cost: f64,
    pub tokens: f64,
    pub cached: f64,
    /// Requests whose prompt didn't begin with the whole of the one before.
    pub prefix_changes: f64,
    pub peak_tokens: f64,
}

/// Bills request after request.
#[derive(Debug, Clone)]
pub struct Biller<'a> {
    prices: &'a Prices,
    fixed: f64,
    previous: Vec<Sending>,
    last_ms: Option<f64>,
    pub bill: Bill,
}

/// A message as it is sent: two with one `identity` are the same bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sending {
    pub identity: u64,
    pub tokens: f64,
}

impl<'a> Biller<'a> {
    #[must_use]
    pub fn new(prices: &'a Prices, fixed: f64) -> Self {
        Self { prices, fixed, previous: Vec::new(), last_ms: None, bill: Bill::default() }
    }

    /// Another system prompt: nothing of the last request is cached.
    #[cfg(test)]
    pub fn set_fixed(&mut self, tokens: f64) {
        if self.fixed.to_bits() != tokens.to_bits() {
            self.fixed = tokens;
            self.last_ms = None;
        }
    }

    /// One request, and what it costs.
    pub fn send(&mut self, messages: Vec<Sending>, now_ms: f64) -> f64 {
        let same = self.previous.iter().zip(&messages).take_while(|(old, new)| old == new).count();
        let tokens = |messages: &[Sending]| self.fixed + messages.iter().map(|sent| sent.tokens).sum::<f64>();
        let total = tokens(&messages);
        let elapsed = self.last_ms.map(|last| now_ms - last);
        let unchanged = tokens(messages.get(..same).unwrap_or_default());
        let cached = self.prices.cached_tokens(unchanged, elapsed);
        let cost = self.prices.cost(cached, total);
        self.bill.prefix_changes += f64::from(u8::from(same < self.previous.len()));
        self.bill.cost += cost;
        self.bill.tokens += total;
        self.bill.cached += cached;
        self.bill.peak_tokens = self.bill.peak_tokens.max(total);
        self.previous = messages;
        self.last_ms = Some(now_ms);
        cost
    }
}

/// Decides, before one request, which outdated results are replaced from now on.
pub trait Policy {
    /// `replaced` says of each message whether it is replaced already. Returns the positions to replace.
    fn decide(&mut self, session: &Session, request: usize, replaced: &[bool]) -> Vec<usize>;
}

/// The bill for `session` under `policy`; `each` hears what every request costs.
pub fn play(session: &Session, prices: &Prices, policy: &mut dyn Policy, each: &mut dyn FnMut(f64)) -> Bill {
    let mut biller = Biller::new(prices, session.fixed_tokens);
    let mut replaced = vec![false; session.messages.len()];
    for (request, sent) in session.requests.iter().enumerate() {
        for position in policy.decide(session, request, &replaced) {
            if let Some(mark) = replaced.get_mut(position) {
                *mark = true;
            }
        }
        let sending = |(identity, (message, &is_replaced)): (u64, (&Message, &bool))| Sending {
            identity: 2 * identity + u64::from(is_replaced),
            tokens: if is_replaced { message.tokens_after } else { message.tokens },
        };
        let messages = (0..).zip(session.messages.iter().zip(&replaced)).take(sent.len).map(sending);
        each(biller.send(messages.collect(), sent.now_ms));
    }
    biller.bill
}

/// A session as columns of numbers: for each message its tokens, those with a placeholder, and the request at which it is
/// outdated (−1 for never); for each request its number of messages and its time.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub fixed_tokens: f64,
    pub tokens: &'a [f64],
    pub replaced: &'a [f64],
    pub stale_at: &'a [f64],
    pub lengths: &'a [f64],
    pub times_ms: &'a [f64],
}

impl Session {
    /// None where the columns of messages, or those of requests, differ in length, or where a number is impossible.
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
            is_possible.then_some(Message { tokens, tokens_after, stale_at: count(stale_at) })
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

    /// Positions that may be replaced at `request` and aren't: outdated, sent, and longer than their placeholder.
    pub fn pending(&self, request: usize, replaced: &[bool]) -> impl Iterator<Item = usize> {
        let len = self.requests.get(request).map_or(0, |sent| sent.len);
        let is_pending = move |(message, &is_replaced): (&Message, &bool)| {
            !is_replaced
                && message.tokens_after < message.tokens
                && message.stale_at.is_some_and(|stale_at| stale_at <= request)
        };
        let all = self.messages.iter().zip(replaced).take(len).enumerate();
        all.filter_map(move |(position, entry)| is_pending(entry).then_some(position))
    }

    /// Tokens that the message at `position` loses.
    #[must_use]
    pub fn saving(&self, position: usize) -> f64 {
        self.messages.get(position).map_or(0.0, |message| message.tokens - message.tokens_after)
    }
}
