//! What a provider bills, by what it is sent. It shares no sums with the schedule.

use crate::cache::marks::LOOK_BACK_BLOCKS;
use crate::cache::prices::Prices;

/// A message as it is sent: two with one `identity` are the same bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentMessage {
    pub identity: u64,
    pub tokens: f64,
    pub blocks: f64,
}

#[derive(Debug)]
pub struct Billed<'a> {
    pub fixed: f64,
    pub messages: &'a [SentMessage],
    /// Prefixes that are to be cached, in messages; none where the provider caches all.
    pub marks: Option<&'a [usize]>,
    /// Whether it finds entries only so many blocks ahead of a mark.
    pub looks_back: bool,
    /// Messages that are still in the cache at most; none when not even what stands ahead of them is.
    pub kept: Option<usize>,
    pub now_ms: f64,
}

#[derive(Debug, Clone)]
pub struct Provider {
    prices: Prices,
    /// Its tokens for one of ours.
    scale: f64,
    previous: Option<Vec<SentMessage>>,
    entries: Option<Vec<usize>>,
    last_ms: f64,
    pub cost: f64,
}

impl Provider {
    pub fn new(prices: Prices, scale: f64) -> Self {
        Self { prices, scale, previous: None, entries: None, last_ms: f64::NEG_INFINITY, cost: 0.0 }
    }

    /// Goes back to what it had been sent then; its clock doesn't.
    pub fn go_back(&mut self, then: &Self) {
        *self = Self { last_ms: self.last_ms, ..then.clone() };
    }

    /// Bills one request and returns what it costs.
    pub fn send(&mut self, call: &Billed<'_>) -> f64 {
        let total = self.tokens(call.fixed, call.messages);
        let is_warm = call.now_ms - self.last_ms <= self.prices.ttl_ms;
        let read = self.read(call).filter(|_| is_warm);
        let prefix = read.map_or(0.0, |len| self.tokens(call.fixed, &call.messages[..len]));
        let cost = self.prices.cost(self.prices.in_blocks(prefix), total);
        self.cost += cost;
        self.previous = Some(call.messages.to_vec());
        self.entries = call.marks.map(<[usize]>::to_vec);
        self.last_ms = self.last_ms.max(call.now_ms);
        cost
    }

    /// How many messages come from the cache; none when not even what stands ahead of them does.
    fn read(&self, call: &Billed<'_>) -> Option<usize> {
        let same =
            self.previous.as_ref()?.iter().zip(call.messages).take_while(|(old, new)| old == new).count();
        let there = same.min(call.kept?);
        let Some(entries) = &self.entries else { return Some(there) };
        let found = |entry: usize| {
            let is_near = |&mark: &usize| {
                mark >= entry
                    && call.messages[entry..mark].iter().map(|sent| sent.blocks).sum::<f64>()
                        <= LOOK_BACK_BLOCKS
            };
            !call.looks_back || call.marks.is_some_and(|marks| marks.iter().any(is_near))
        };
        entries.iter().copied().filter(|&entry| entry <= there && found(entry)).max()
    }

    fn tokens(&self, fixed: f64, messages: &[SentMessage]) -> f64 {
        self.scale * (fixed + messages.iter().map(|sent| sent.tokens).sum::<f64>())
    }
}
