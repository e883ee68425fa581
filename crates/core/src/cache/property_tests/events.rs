//! What happens to a conversation, drawn at random.

use proptest::prelude::*;

use crate::cache::bill::RequestReport;

/// What happens to a conversation. Positions and lengths are taken modulo what there is.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// A message of so many tokens, and with a placeholder in it of so many.
    Push {
        tokens: f64,
        after: f64,
        blocks: f64,
    },
    Rewind(usize),
    /// The host edits a message in place: what lies behind it is another path.
    Edit(usize, f64),
    /// Whoever leaves the history alone sends so many tokens more or fewer for this message from now on: an interrupted
    /// call has an answer, or has it no more.
    Mend(usize, f64),
    /// Another system prompt.
    Fixed(f64),
    Outdate(usize),
    OutdateAll,
    Compress,
    /// With the next request the provider has at most so many messages, or nothing at all.
    Lose(Option<usize>),
    Request(f64),
    RequestReport(RequestReport),
}

const SECOND: f64 = 1000.0;

fn any_tokens() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (1_u32..600).prop_map(f64::from),
        3 => (500_u32..9000).prop_map(f64::from),
        1 => (9000_u32..90_000).prop_map(f64::from),
        // On a block's edge, and just beside it.
        2 => (1_u32..80, -1_i32..2).prop_map(|(blocks, beside)| f64::from(blocks * 128) + f64::from(beside)),
        1 => (1_u32..6000).prop_map(|tokens| f64::from(tokens) / 7.0),
    ]
}

fn any_gap() -> impl Strategy<Value = f64> {
    prop_oneof![
        12 => (1_u32..120).prop_map(|seconds| f64::from(seconds) * SECOND),
        2 => (250_u32..4000).prop_map(|seconds| f64::from(seconds) * SECOND),
        1 => (1_u32..30).prop_map(|hours| f64::from(hours) * 3600.0 * SECOND),
        1 => Just(-5.0 * SECOND),
        1 => Just(300.0 * SECOND),
    ]
}

fn any_push() -> impl Strategy<Value = Event> {
    (any_tokens(), 1_u32..60, 1_u32..4).prop_map(|(tokens, after, blocks)| Event::Push {
        tokens,
        after: f64::from(after),
        blocks: f64::from(blocks),
    })
}

/// An agent at work: each step has a result, and makes an older one outdated.
fn any_work() -> impl Strategy<Value = Vec<Event>> {
    let step =
        (any_push(), any::<usize>(), 0_u32..3, 1_u32..60).prop_map(|(result, position, outdates, gap)| {
            let call = Event::Push { tokens: 60.0, after: 60.0, blocks: 1.0 };
            let mut events = vec![call, result];
            events.extend((outdates > 0).then_some(Event::Outdate(position)));
            events.push(Event::Request(f64::from(gap) * SECOND));
            events
        });
    prop::collection::vec(step, 1..40).prop_map(|steps| steps.concat())
}

pub fn any_fixed() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.0, 700.0, 1024.0, 15_000.0])
}

fn any_report() -> impl Strategy<Value = RequestReport> {
    let tokens = || prop::option::of((0_u32..90_000).prop_map(f64::from));
    let cached = prop_oneof![2 => tokens(), 1 => Just(Some(0.0)), 1 => Just(None)];
    (tokens(), cached)
        .prop_map(|(prompt_tokens, cached_tokens)| RequestReport { prompt_tokens, cached_tokens })
}

pub fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        6 => any_push(),
        1 => any::<usize>().prop_map(Event::Rewind),
        1 => (any::<usize>(), any_tokens()).prop_map(|(position, tokens)| Event::Edit(position, tokens)),
        1 => (any::<usize>(), -30_i32..30).prop_map(|(position, added)| Event::Mend(position, f64::from(added))),
        1 => prop_oneof![3 => Just(Event::OutdateAll), 1 => any_fixed().prop_map(Event::Fixed), 1 => Just(Event::Compress)],
        5 => any::<usize>().prop_map(Event::Outdate),
        2 => prop_oneof![1 => Just(Event::Lose(None)), 1 => any::<usize>().prop_map(|kept| Event::Lose(Some(kept)))],
        1 => any_report().prop_map(Event::RequestReport),
        10 => any_gap().prop_map(Event::Request),
    ];
    // Long stretches of requests and nothing else are where a wrong step costs most.
    let stretch = (1_usize..40, any_gap()).prop_map(|(times, gap)| vec![Event::Request(gap); times]);
    let events = prop_oneof![9 => prop::collection::vec(event, 1..6), 2 => stretch, 3 => any_work()];
    prop::collection::vec(events, 1..30).prop_map(|lists| lists.concat())
}

impl Event {
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Lose(_))
    }

    pub fn is_report(&self) -> bool {
        matches!(self, Self::RequestReport(_))
    }

    pub fn is_mend(&self) -> bool {
        matches!(self, Self::Mend(..))
    }
}
