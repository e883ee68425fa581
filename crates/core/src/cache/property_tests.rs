//! Random and adversarial sessions, against a bill that shares no sums with the schedule.

use proptest::prelude::*;

use super::decision::Decision;
use super::guarantee::Accounts;
use super::hindsight::cost_in_hindsight;
use super::policies::{EveryRequest, LeaveAlone, View};
use super::prices::{PRESETS, Prices};
use super::schedule::{MAX_EXTRA_COST, Options, Schedule};
use super::simulation::{Biller, Message, Sending, Sent, Session, play};

/// Sums are made in another order by the two sides.
const ROUNDING: f64 = 1e-9;
const SECOND: f64 = 1000.0;

/// What happens to a conversation. Positions and lengths are taken modulo what there is.
#[derive(Debug, Clone)]
enum Event {
    Push(f64),
    Rewind(usize),
    /// The host edits a message in place.
    Edit(usize, f64),
    /// What was replaced there speaks of something that is gone.
    Unfound(usize),
    /// Another system prompt.
    Fixed(f64),
    Outdate(usize, f64),
    /// All that can be outdated is.
    OutdateAll,
    Compress,
    Request(f64),
}

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

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        6 => any_tokens().prop_map(Event::Push),
        1 => any::<usize>().prop_map(Event::Rewind),
        1 => (any::<usize>(), any_tokens()).prop_map(|(position, tokens)| Event::Edit(position, tokens)),
        1 => any::<usize>().prop_map(Event::Unfound),
        1 => prop_oneof![3 => any::<usize>().prop_map(Event::Unfound), 1 => any_fixed().prop_map(Event::Fixed)],
        5 => (any::<usize>(), 0_u32..60).prop_map(|(position, after)| Event::Outdate(position, f64::from(after))),
        1 => Just(Event::OutdateAll),
        1 => any::<bool>().prop_map(|compress| if compress { Event::Compress } else { Event::OutdateAll }),
        10 => any_gap().prop_map(Event::Request),
    ];
    // Long stretches of requests and nothing else are where a wrong step costs most.
    let stretch = (1_usize..40, any_gap()).prop_map(|(times, gap)| vec![Event::Request(gap); times]);
    let events = prop_oneof![9 => prop::collection::vec(event, 1..6), 1 => stretch];
    prop::collection::vec(events, 1..40).prop_map(|lists| lists.concat())
}

/// A conversation as its host sees it, beside the schedule: every message has an identity of its own.
struct Host<'a> {
    schedule: Schedule,
    actual: Biller<'a>,
    left_alone: Biller<'a>,
    stored: Vec<Sending>,
    sent: Vec<Sending>,
    next_identity: u64,
    unfounded: Vec<usize>,
    now_ms: f64,
    decisions: Vec<Decision>,
}

impl<'a> Host<'a> {
    fn new(prices: &'a Prices, fixed: f64) -> Self {
        let mut schedule = Schedule::new(Options::new(*prices));
        schedule.set_fixed_tokens(fixed);
        Self {
            schedule,
            actual: Biller::new(prices, fixed),
            left_alone: Biller::new(prices, fixed),
            stored: Vec::new(),
            sent: Vec::new(),
            next_identity: 0,
            unfounded: Vec::new(),
            now_ms: 1e12,
            decisions: Vec::new(),
        }
    }

    fn push(&mut self, tokens: f64) {
        let message = Sending { identity: self.next_identity, tokens };
        self.next_identity += 1;
        self.stored.push(message);
        self.sent.push(message);
        self.schedule.push(tokens);
    }

    fn rewind(&mut self, len: usize) {
        self.stored.truncate(len);
        self.sent.truncate(len);
        self.schedule.truncate(len);
        self.unfounded.retain(|&position| position < len);
    }

    fn edit(&mut self, position: usize, tokens: f64) {
        let message = Sending { identity: self.next_identity, tokens };
        self.next_identity += 1;
        self.stored[position] = message;
        self.sent[position] = message;
        self.schedule.changed(&[(position, tokens)]);
        self.unfounded.retain(|&other| other != position);
    }

    /// Only what is replaced can be unfounded.
    fn unfound(&mut self, position: usize) {
        if self.schedule.is_replaced(position) && !self.unfounded.contains(&position) {
            self.unfounded.push(position);
            self.unfounded.sort_unstable();
        }
        self.schedule.set_unfounded(self.unfounded.clone());
    }

    fn set_fixed(&mut self, tokens: f64) {
        self.schedule.set_fixed_tokens(tokens);
        self.actual.set_fixed(tokens);
        self.left_alone.set_fixed(tokens);
    }

    fn outdate(&mut self, position: usize, after: f64) {
        // A placeholder of one result is as long whoever asks.
        if !self.schedule.is_replaced(position) {
            let marked = self.schedule.mark_pending(position, after);
            assert_eq!(marked, after < self.stored[position].tokens);
        }
    }

    fn request(&mut self, gap: f64) -> Result<(), TestCaseError> {
        self.now_ms += gap;
        let plan = self.schedule.plan(self.now_ms);
        let decision = self.schedule.decide(self.now_ms);
        prop_assert_eq!(&plan, &decision);
        for &position in &decision.restored {
            prop_assert!(self.sent[position] != self.stored[position], "only what is replaced comes back");
            self.sent[position] = self.stored[position];
            self.unfounded.retain(|&other| other != position);
        }
        for &(position, after) in &decision.positions {
            prop_assert_eq!(self.sent[position], self.stored[position], "replaced only once");
            prop_assert!(after < self.stored[position].tokens);
            self.sent[position] = Sending { identity: self.next_identity, tokens: after };
            self.next_identity += 1;
        }
        let cost = self.actual.send(self.sent.clone(), self.now_ms);
        prop_assert!(is_near(cost, decision.cost), "billed {cost}, foreseen {}", decision.cost);
        let left_alone = self.left_alone.send(self.stored.clone(), self.now_ms);
        prop_assert!(is_near(left_alone, decision.cost_left_alone));
        let Accounts { actual, left_alone } = self.schedule.accounts();
        prop_assert!(
            is_near(actual, self.actual.bill.cost) && is_near(left_alone, self.left_alone.bill.cost)
        );
        self.decisions.push(decision);
        Ok(())
    }

    fn meet(&mut self, event: &Event) -> Result<(), TestCaseError> {
        let len = self.stored.len();
        match *event {
            Event::Push(tokens) => self.push(tokens),
            Event::Rewind(to) => self.rewind(to % (len + 1)),
            Event::Edit(position, tokens) if len > 0 => self.edit(position % len, tokens),
            Event::Unfound(position) if len > 0 => self.unfound(position % len),
            Event::Fixed(tokens) => self.set_fixed(tokens),
            Event::Outdate(position, after) if len > 0 => self.outdate(position % len, after),
            Event::Outdate(..) | Event::Edit(..) | Event::Unfound(_) => {}
            Event::OutdateAll => (0..len).for_each(|position| self.outdate(position, 12.0)),
            Event::Compress => {
                self.rewind(0);
                self.push(800.0);
            }
            Event::Request(gap) => self.request(gap)?,
        }
        Ok(())
    }
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(1.0)
}

fn any_fixed() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.0, 700.0, 1024.0, 15_000.0])
}

/// A session for `play`: results are outdated some time after they were sent first.
fn any_session() -> impl Strategy<Value = Session> {
    let turn = (any_tokens(), any_tokens(), 0_u32..60, 0_usize..12, any_gap());
    (any_fixed(), prop::collection::vec(turn, 1..50)).prop_map(|(fixed_tokens, turns)| {
        let mut session = Session { fixed_tokens, ..Session::default() };
        let mut now_ms = 0.0;
        for (request, (asked, result, after, age, gap)) in turns.into_iter().enumerate() {
            now_ms += gap;
            let stale_at = (age > 3).then_some(request + age);
            session.messages.push(Message { tokens: asked, tokens_after: asked, stale_at: None });
            session.messages.push(Message { tokens: result, tokens_after: f64::from(after), stale_at });
            session.requests.push(Sent { len: session.messages.len(), now_ms });
        }
        session
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2500, ..ProptestConfig::default() })]

    #[test]
    fn r10_5_at_every_request_the_sum_is_at_most_the_promised_one(events in any_events(), fixed in any_fixed()) {
        for preset in &PRESETS {
            let mut host = Host::new(&preset.prices, fixed);
            for event in &events {
                host.meet(event)?;
                let (actual, alone) = (host.actual.bill.cost, host.left_alone.bill.cost);
                prop_assert!(
                    actual <= (1.0 + MAX_EXTRA_COST) * alone * (1.0 + ROUNDING),
                    "{}: {actual} for {alone}", preset.name
                );
            }
        }
    }

    #[test]
    fn r10_7_an_exported_schedule_goes_on_as_if_uninterrupted(events in any_events(), at in any::<usize>()) {
        for preset in &PRESETS {
            let mut whole = Host::new(&preset.prices, 700.0);
            let mut moved = Host::new(&preset.prices, 700.0);
            for (index, event) in events.iter().enumerate() {
                if index == at % events.len() {
                    let state = serde_json::to_string(&moved.schedule.export()).unwrap();
                    let state = serde_json::from_str(&state).unwrap();
                    moved.schedule = Schedule::import(Options::new(preset.prices), state).unwrap();
                }
                whole.meet(event)?;
                moved.meet(event)?;
            }
            prop_assert_eq!(&whole.decisions, &moved.decisions);
            prop_assert_eq!(&whole.schedule, &moved.schedule);
        }
    }

    #[test]
    fn r10_1_between_two_changes_the_prompt_only_grows_and_what_is_replaced_stays(session in any_session()) {
        for preset in &PRESETS {
            let mut view = View::new(Options::new(preset.prices));
            let bill = play(&session, &preset.prices, &mut view, &mut |_| ());
            let schedule = view.schedule();
            prop_assert!(is_near(bill.cost, schedule.accounts().actual));
            // The bill counts every request whose prompt didn't begin with the one before: each is in the ledger.
            prop_assert!(bill.prefix_changes <= schedule.ledger().changes);
            let alone = play(&session, &preset.prices, &mut LeaveAlone, &mut |_| ());
            prop_assert!(bill.cost <= (1.0 + MAX_EXTRA_COST) * alone.cost * (1.0 + ROUNDING));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn hindsight_is_never_dearer_than_what_needs_none(session in any_session()) {
        for preset in &PRESETS {
            let best = cost_in_hindsight(&session, &preset.prices, None);
            for cost in [
                play(&session, &preset.prices, &mut LeaveAlone, &mut |_| ()).cost,
                play(&session, &preset.prices, &mut EveryRequest, &mut |_| ()).cost,
            ] {
                prop_assert!(best <= cost * (1.0 + ROUNDING), "{}: {best} over {cost}", preset.name);
            }
        }
    }
}
