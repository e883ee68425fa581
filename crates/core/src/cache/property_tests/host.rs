//! A conversation as its host sees it, beside the schedule, and what happens to it.

use proptest::prelude::*;

use super::provider::{Call, Provider, Sending};
use crate::cache::bill::Report;
use crate::cache::decision::Decision;
use crate::cache::marks::Host as HostMarks;
use crate::cache::moment::Moment;
use crate::cache::schedule::{Options, Schedule};

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
    Report(Report),
}

/// What a schedule is told of the path on which the conversation is.
#[derive(Debug, Clone, Copy)]
pub enum News {
    Fixed(f64),
    Push(Sending),
    Mend(usize, f64),
    Outdated(usize, f64),
    Request(Moment),
}

/// One request of the path, as it was sent.
#[derive(Debug, Clone)]
struct Checkpoint {
    sent: Vec<Sending>,
    news: usize,
    actual: Provider,
    left_alone: Provider,
}

#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub options: Options,
    /// The provider's tokens for one of ours.
    pub scale: f64,
    pub fixed: f64,
    /// How many messages at the start are the system prompt.
    pub system: usize,
    /// Whether messages that whoever leaves the history alone sends otherwise may be replaced ones.
    pub mends_replaced: bool,
}

#[derive(Debug)]
pub struct Host {
    setup: Setup,
    pub schedule: Schedule,
    pub actual: Provider,
    pub left_alone: Provider,
    fixed: f64,
    stored: Vec<Sending>,
    sent: Vec<Sending>,
    /// Of each message, its tokens with a placeholder.
    after: Vec<f64>,
    checkpoints: Vec<Checkpoint>,
    pub news: Vec<News>,
    is_mended: bool,
    lost: Option<Option<usize>>,
    next_identity: u64,
    now_ms: f64,
    pub decisions: Vec<Decision>,
    /// What the newest request cost, and left alone.
    pub billed: (f64, f64),
    /// What all requests cost, those on other paths too.
    pub all_billed: (f64, f64),
}

impl Host {
    pub fn new(setup: Setup) -> Self {
        let provider = Provider::new(setup.options.prices, setup.scale);
        let mut host = Self {
            setup,
            schedule: Schedule::new(setup.options),
            actual: provider.clone(),
            left_alone: provider,
            fixed: 0.0,
            stored: Vec::new(),
            sent: Vec::new(),
            after: Vec::new(),
            checkpoints: Vec::new(),
            news: Vec::new(),
            is_mended: false,
            lost: None,
            next_identity: 0,
            now_ms: 1e12,
            decisions: Vec::new(),
            billed: (0.0, 0.0),
            all_billed: (0.0, 0.0),
        };
        host.set_fixed(setup.fixed);
        host
    }

    pub fn meet(&mut self, event: Event) {
        let len = self.stored.len();
        match event {
            Event::Push { tokens, after, blocks } => {
                let message = self.message(tokens, blocks);
                self.push(message, after);
            }
            Event::Rewind(to) if !self.is_mended => self.rewind(to % (len + 1)),
            Event::Edit(position, tokens) if len > 0 && !self.is_mended => self.edit(position % len, tokens),
            Event::Mend(position, added) if len > 0 => self.mend(position % len, added),
            Event::Fixed(tokens) => self.set_fixed(tokens),
            Event::Outdate(position) if len > 0 => self.outdate(position % len),
            Event::OutdateAll => (0..len).for_each(|position| self.outdate(position)),
            Event::Compress => {
                self.rewind(0);
                let message = self.message(800.0, 1.0);
                self.push(message, 800.0);
            }
            Event::Lose(kept) => self.lost = Some(kept.map(|kept| kept % (len + 1))),
            Event::Request(gap_ms) if len > 0 => self.request(gap_ms),
            Event::Report(report) => self.schedule.observe(None, report),
            Event::Rewind(_) | Event::Edit(..) | Event::Mend(..) | Event::Outdate(_) | Event::Request(_) => {}
        }
    }

    fn message(&mut self, tokens: f64, blocks: f64) -> Sending {
        self.next_identity += 1;
        Sending { identity: self.next_identity, tokens, blocks }
    }

    fn push(&mut self, message: Sending, after: f64) {
        self.stored.push(message);
        self.sent.push(message);
        self.after.push(after);
        self.tell(News::Push(message));
    }

    fn tell(&mut self, news: News) {
        self.news.push(news);
        tell(&mut self.schedule, news, self.setup.system);
    }

    fn rewind(&mut self, len: usize) {
        self.schedule.truncate(len);
        self.stored.truncate(len);
        self.after.truncate(len);
        self.go_back(len);
    }

    /// Goes back to the last request that is still on the path.
    fn go_back(&mut self, shared: usize) {
        self.checkpoints.retain(|request| request.sent.len() <= shared);
        let fresh = Provider::new(self.setup.options.prices, self.setup.scale);
        let (sent, news, actual, left_alone) = self.checkpoints.last().map_or_else(
            || (Vec::new(), 0, fresh.clone(), fresh.clone()),
            |last| (last.sent.clone(), last.news, last.actual.clone(), last.left_alone.clone()),
        );
        self.actual.go_back(&actual);
        self.left_alone.go_back(&left_alone);
        self.news.truncate(news);
        if self.checkpoints.is_empty() {
            self.news.push(News::Fixed(self.fixed));
            self.is_mended = false;
        }
        let reached = sent.len();
        self.sent = sent;
        self.sent.extend_from_slice(&self.stored[reached..]);
        self.news.extend(self.stored[reached..].iter().map(|&message| News::Push(message)));
    }

    fn edit(&mut self, position: usize, tokens: f64) {
        let behind = self.stored[position + 1..].to_vec();
        let after = self.after.clone();
        self.rewind(position);
        let edited = self.message(tokens, 1.0);
        for (message, after) in std::iter::once(edited).chain(behind).zip(&after[position..]) {
            self.push(message, *after);
        }
    }

    fn mend(&mut self, position: usize, added: f64) {
        let tokens = (self.stored[position].tokens + added).max(1.0);
        let is_replaced = self.schedule.is_replaced(position);
        if is_replaced && !self.setup.mends_replaced {
            return;
        }
        let message = self.message(tokens, self.stored[position].blocks);
        self.stored[position] = message;
        self.sent[position] = message;
        self.is_mended = true;
        self.tell(News::Mend(position, tokens));
        // Every other message keeps its placeholder.
        let after = self.after[position];
        if is_replaced && position % 2 == 0 && after < tokens {
            self.sent[position] = self.message(after, message.blocks);
            self.schedule.keep_replaced(position, after);
        }
    }

    fn set_fixed(&mut self, tokens: f64) {
        if self.fixed.to_bits() != tokens.to_bits() {
            self.schedule.set_fixed_tokens(tokens);
            self.fixed = tokens;
            self.checkpoints.clear();
            self.go_back(0);
        }
    }

    /// A message with several results has one replaced, and then another.
    fn outdate(&mut self, position: usize) {
        let after = self.after[position];
        let after = if self.schedule.is_replaced(position) { (after / 2.0).floor() } else { after };
        self.tell(News::Outdated(position, after));
    }

    fn request(&mut self, gap_ms: f64) {
        self.now_ms += gap_ms;
        let moment = Moment::live(self.now_ms);
        self.schedule.set_host(host_marks(self.setup.system));
        self.news.push(News::Request(moment));
        let decision = self.schedule.decide(moment);
        for &(position, tokens) in &decision.positions {
            assert!(tokens < self.sent[position].tokens, "nothing is replaced by what is no shorter");
            self.sent[position] = self.message(tokens, self.sent[position].blocks);
        }
        let marks = self.setup.options.has_marks;
        let kept = self.lost.take().unwrap_or(Some(usize::MAX));
        let (fixed, now_ms) = (self.fixed, self.now_ms);
        let call = |messages, marks, looks_back| Call { fixed, messages, marks, looks_back, kept, now_ms };
        let actual = self.actual.send(&call(&self.sent, marks.then_some(&decision.marks), true));
        // Whoever leaves the history alone marks the system prompt and the end, and finds them again.
        let alone = [self.setup.system, self.stored.len()];
        let left_alone = self.left_alone.send(&call(&self.stored, marks.then_some(&alone), false));
        self.billed = (actual, left_alone);
        self.all_billed = (self.all_billed.0 + actual, self.all_billed.1 + left_alone);
        self.decisions.push(decision);
        let (actual, left_alone) = (self.actual.clone(), self.left_alone.clone());
        self.checkpoints.push(Checkpoint {
            sent: self.sent.clone(),
            news: self.news.len(),
            actual,
            left_alone,
        });
    }
}

fn host_marks(system: usize) -> HostMarks {
    HostMarks { system, ..HostMarks::default() }
}

/// Tells a schedule what happened; returns what it decides where that is a request.
pub fn tell(schedule: &mut Schedule, news: News, system: usize) -> Option<Decision> {
    match news {
        News::Fixed(tokens) => schedule.set_fixed_tokens(tokens),
        News::Push(message) => schedule.push(message.tokens, message.blocks),
        News::Mend(position, tokens) => schedule.changed(&[(position, tokens)]),
        News::Outdated(position, after) => {
            schedule.mark_pending(position, after);
        }
        News::Request(moment) => {
            schedule.set_host(host_marks(system));
            return Some(schedule.decide(moment));
        }
    }
    None
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

fn any_report() -> impl Strategy<Value = Report> {
    let tokens = || prop::option::of((0_u32..90_000).prop_map(f64::from));
    let cached = prop_oneof![2 => tokens(), 1 => Just(Some(0.0)), 1 => Just(None)];
    (tokens(), cached).prop_map(|(prompt_tokens, cached_tokens)| Report { prompt_tokens, cached_tokens })
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
        1 => any_report().prop_map(Event::Report),
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
        matches!(self, Self::Report(_))
    }

    pub fn is_mend(&self) -> bool {
        matches!(self, Self::Mend(..))
    }
}
