//! A conversation as its host sees it, beside the schedule.

use super::events::Event;
use super::provider::{Billed, Provider, SentMessage};
use crate::cache::decision::Decision;
use crate::cache::marks::HostMarks;
use crate::cache::moment::Moment;
use crate::cache::schedule::{Schedule, ScheduleOptions};

/// What a schedule is told of the path on which the conversation is.
#[derive(Debug, Clone, Copy)]
pub enum News {
    Fixed(f64),
    Push(SentMessage),
    Mend(usize, f64),
    Outdated(usize, f64),
    Request(Moment),
}

/// One request of the path, as it was sent.
#[derive(Debug, Clone)]
struct SentRequest {
    sent: Vec<SentMessage>,
    news: usize,
    actual: Provider,
    left_alone: Provider,
}

#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub options: ScheduleOptions,
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
    stored: Vec<SentMessage>,
    sent: Vec<SentMessage>,
    /// Of each message, its tokens with a placeholder.
    after: Vec<f64>,
    checkpoints: Vec<SentRequest>,
    pub news: Vec<News>,
    is_mended: bool,
    /// Messages of which the provider still has the cache; none when it has lost even what stands ahead of them.
    kept: Option<usize>,
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
            kept: Some(usize::MAX),
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
        // What other paths have left in the cache counts with a carried state: `__test__/view/promise.test.mjs` plays those.
        let is_one_path = self.schedule.options().is_carried;
        if is_one_path && matches!(event, Event::Rewind(_) | Event::Edit(..) | Event::Compress) {
            return;
        }
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
            Event::Lose(kept) => self.kept = kept.map(|kept| kept % (len + 1)),
            Event::Request(gap_ms) if len > 0 => self.request(gap_ms),
            Event::RequestReport(report) => self.schedule.observe(None, report),
            Event::Rewind(_) | Event::Edit(..) | Event::Mend(..) | Event::Outdate(_) | Event::Request(_) => {}
        }
    }

    fn message(&mut self, tokens: f64, blocks: f64) -> SentMessage {
        self.next_identity += 1;
        SentMessage { identity: self.next_identity, tokens, blocks }
    }

    fn push(&mut self, message: SentMessage, after: f64) {
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
        if is_replaced && position.is_multiple_of(2) && after < tokens {
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
        let kept = self.kept.replace(usize::MAX);
        let (fixed, now_ms) = (self.fixed, self.now_ms);
        let call = |messages, marks, looks_back| Billed { fixed, messages, marks, looks_back, kept, now_ms };
        let actual = self.actual.send(&call(&self.sent, marks.then_some(&decision.marks), true));
        // Whoever leaves the history alone marks the system prompt and the end, and finds them again.
        let alone = [self.setup.system, self.stored.len()];
        let left_alone = self.left_alone.send(&call(&self.stored, marks.then_some(&alone), false));
        self.billed = (actual, left_alone);
        self.all_billed = (self.all_billed.0 + actual, self.all_billed.1 + left_alone);
        self.decisions.push(decision);
        let (actual, left_alone) = (self.actual.clone(), self.left_alone.clone());
        self.checkpoints.push(SentRequest {
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
