//! The one table of how long results stay by their kind: what ran or was edited for 30 requests, what was searched for and results of
//! other tools for 60, what was read for 160 (120 or 240 by what a change of the prompt costs). Something later may make a result
//! worthless at once; where the prompt is written anew anyway, three quarters of the time are enough. `simulate` plays the rule here;
//! a view's is `cleanup/rules/by_kind.rs`.

use crate::cache::moment::Moment;
use crate::cache::prices::Prices;
use crate::cache::schedule::{Schedule, ScheduleOptions};
use crate::cache::simulation::{ReplacementPolicy, SimulatedSession};
use crate::tools::result_kind::ResultKind;

const RUNS_AND_EDITS: u32 = 30;
const SEARCHES_AND_OTHERS: u32 = 60;
const READS: u32 = 160;
/// A change that costs so many times a read, as with a cache of an hour, must pay: results may wait for that beyond their age.
const DEAR_CHANGE: f64 = 16.0;
const READS_WHERE_CHANGES_ARE_DEAR: u32 = 120;
/// A change that costs at most so many times a read, as with OpenAI's older models, is made as soon as results are old enough.
const CHEAP_CHANGE: f64 = 4.0;
const READS_WHERE_CHANGES_ARE_CHEAP: u32 = 240;
/// The share of its age at which a result goes with others. At half of it, three of five misses were such results.
const RIDES_AFTER: [u32; 2] = [3, 4];
/// Where cached tokens are cheaper than this part of fresh ones, a change pays early or never, so every age is halved.
const CHEAP_CACHE: f64 = 20.0;

/// How long results of each kind stay, in requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lives {
    /// In the order of [`ResultKind::ALL`].
    ages: [u32; ResultKind::ALL.len()],
}

impl Default for Lives {
    fn default() -> Self {
        Self { ages: ResultKind::ALL.map(age_of) }
    }
}

impl Lives {
    #[must_use]
    pub fn under(prices: &Prices) -> Self {
        let lives = Self::default();
        let change = prices.write / prices.read;
        if has_cheap_cache(prices) {
            Self { ages: lives.ages.map(|age| age / 2) }
        } else if change >= DEAR_CHANGE {
            lives.with_reads(READS_WHERE_CHANGES_ARE_DEAR)
        } else if change > 1.0 && change <= CHEAP_CHANGE {
            lives.with_reads(READS_WHERE_CHANGES_ARE_CHEAP)
        } else {
            lives
        }
    }

    fn with_reads(self, age: u32) -> Self {
        self.with(ResultKind::FileRead, age).with(ResultKind::ShellRead, age)
    }

    /// Every age is 0: a result goes with the request after the one that answered it.
    #[must_use]
    pub const fn none() -> Self {
        Self { ages: [0; ResultKind::ALL.len()] }
    }

    /// A copy with another age of `kind`.
    #[must_use]
    pub fn with(mut self, kind: ResultKind, age: u32) -> Self {
        if let Some(own) = self.ages.get_mut(kind as usize) {
            *own = age;
        }
        self
    }

    /// Requests for which a result of that kind stays. An error has the kind of the result that it stands for.
    #[must_use]
    pub fn of(self, kind: ResultKind) -> u32 {
        self.ages.get(kind as usize).copied().unwrap_or_default()
    }

    /// The term of a result that request number `first_sent` was the first to send.
    #[must_use]
    pub fn term(self, kind: ResultKind, first_sent: u32) -> Term {
        let life = self.of(kind);
        let [share, of] = RIDES_AFTER;
        Term {
            rides: first_sent.saturating_add(life.saturating_mul(share).div_ceil(of)),
            goes: first_sent.saturating_add(life),
        }
    }

    /// The first request at which any result may ride.
    #[must_use]
    pub fn soonest(self, first_sent: u32) -> u32 {
        ResultKind::ALL.iter().map(|&kind| self.term(kind, first_sent).rides).min().unwrap_or(first_sent)
    }
}

const fn age_of(kind: ResultKind) -> u32 {
    match kind {
        ResultKind::ShellRun | ResultKind::EditResult => RUNS_AND_EDITS,
        ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => {
            SEARCHES_AND_OTHERS
        }
        ResultKind::ShellRead | ResultKind::FileRead => READS,
    }
}

/// Numbers of requests: from `rides` on a result goes where the prompt is written anew anyway, from `goes` on by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    pub rides: u32,
    pub goes: u32,
}

/// True for DeepSeek's list.
#[must_use]
pub fn has_cheap_cache(prices: &Prices) -> bool {
    prices.read * CHEAP_CACHE < prices.write
}

/// Plays a view whose results age by kind. A result is outdated in the session once something later made it worthless.
pub struct ByKind {
    schedule: Schedule,
    lives: Lives,
    /// By message; `None` where it is no result.
    kinds: Vec<Option<ResultKind>>,
    /// By sent message.
    terms: Vec<Option<Term>>,
}

impl ByKind {
    #[must_use]
    pub fn new(options: ScheduleOptions, lives: Lives, kinds: &[Option<ResultKind>]) -> Self {
        Self { schedule: Schedule::new(options), lives, kinds: kinds.to_vec(), terms: Vec::new() }
    }

    /// Marks results whose term has come at `request`.
    fn mark(&mut self, session: &SimulatedSession, request: u32) {
        for (position, term) in self.terms.iter().enumerate() {
            let Some(term) = term.filter(|term| term.rides <= request) else { continue };
            if self.schedule.is_replaced(position) {
                continue;
            }
            let after = session.messages.get(position).map_or(0.0, |message| message.tokens_after);
            if request < term.goes {
                self.schedule.mark_riding(position, after);
            } else {
                self.schedule.mark_pending(position, after);
            }
        }
    }
}

impl ReplacementPolicy for ByKind {
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        self.schedule.set_fixed_tokens(session.fixed_tokens);
        let number = u32::try_from(request).unwrap_or(u32::MAX);
        for message in session.messages.iter().take(sent.len).skip(self.schedule.len()) {
            self.schedule.push(message.tokens, 1.0);
            let kind = self.kinds.get(self.terms.len()).copied().flatten();
            self.terms.push(kind.map(|kind| self.lives.term(kind, number)));
        }
        self.mark(session, number);
        let superseded =
            session.pending(request, replaced).filter(|_| !has_cheap_cache(&self.schedule.options().prices));
        for position in superseded.collect::<Vec<_>>() {
            let after = session.messages.get(position).map_or(0.0, |message| message.tokens_after);
            self.schedule.mark_pending(position, after);
        }
        let now = Moment::live(sent.now_ms);
        self.schedule.decide(now).positions.iter().map(|&(position, _)| position).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::prices::PRESETS;
    use crate::cache::simulation::{Sent, SimulatedMessage, play};

    /// Sends each result with the given request, and a short message with every one, `seconds` apart.
    fn gone_at(results: &[(ResultKind, usize)], requests: usize, seconds: usize) -> Vec<Option<usize>> {
        let (mut messages, mut kinds, mut sent) = (Vec::new(), Vec::new(), Vec::new());
        let message =
            |tokens: f64| SimulatedMessage { tokens, tokens_after: tokens.min(20.0), stale_at: None };
        for request in 0..requests {
            for (kind, _) in results.iter().filter(|(_, first)| *first == request) {
                messages.push(message(5_000.0));
                kinds.push(Some(*kind));
            }
            messages.push(message(5.0));
            kinds.push(None);
            #[allow(clippy::cast_precision_loss)]
            sent.push(Sent { len: messages.len(), now_ms: (request * seconds * 1_000) as f64 });
        }
        let session = SimulatedSession { fixed_tokens: 2_000.0, messages, requests: sent };
        let prices: Prices = PRESETS[0].prices;
        let mut gone = vec![None; kinds.len()];
        play(
            &session,
            &prices,
            &mut ByKind::new(ScheduleOptions::new(prices), Lives::default(), &kinds),
            &mut |step| {
                for &position in step.replaced {
                    gone[position] = Some(step.request);
                }
            },
        );
        let positions = kinds.iter().zip(gone).filter(|(kind, _)| kind.is_some());
        positions.map(|(_, gone)| gone).collect()
    }

    #[test]
    fn r14_3_a_run_goes_after_30_requests_what_any_other_tool_said_after_60_a_read_after_160() {
        let gone =
            gone_at(&[(ResultKind::FileRead, 0), (ResultKind::Other, 0), (ResultKind::ShellRun, 0)], 600, 10);
        let [read, other, run] = [gone[0], gone[1], gone[2]];
        assert!(run.is_some_and(|run| (30..80).contains(&run)), "{gone:?}");
        assert!(other.is_some_and(|other| other >= 60 && Some(other) < read), "{gone:?}");
        assert!(read.is_some_and(|read| read >= 160), "{gone:?}");
    }

    #[test]
    fn r14_3_the_dearer_a_change_is_the_sooner_reads_may_go() {
        let ages = |name: &str| {
            let lives = Lives::under(&Prices::named(name).unwrap_or(Prices::USUAL));
            assert_eq!(lives.of(ResultKind::ShellRead), lives.of(ResultKind::FileRead));
            (lives.of(ResultKind::FileRead), lives.of(ResultKind::ShellRun))
        };
        assert_eq!(["anthropic", "openai", "gemini", "none"].map(ages), [(160, 30); 4]);
        assert_eq!(["anthropic-1h", "openai-older", "deepseek"].map(ages), [(120, 30), (240, 30), (80, 15)]);
    }

    #[test]
    fn r14_3_after_a_pause_three_quarters_of_the_time_are_enough() {
        let gone = gone_at(&[(ResultKind::Search, 0), (ResultKind::EditResult, 0)], 100, 3_600);
        assert_eq!(gone, [Some(45), Some(23)]);
    }

    #[test]
    fn issue_22_5_what_something_later_made_worthless_does_not_wait_for_its_age() {
        let message =
            |tokens: f64, stale_at| SimulatedMessage { tokens, tokens_after: tokens.min(20.0), stale_at };
        let requests = (0..40_u32)
            .map(|request| Sent { len: 2 + request as usize, now_ms: 1_000.0 * f64::from(request) });
        let messages = [message(5_000.0, Some(3))].into_iter().chain((0..41).map(|_| message(5.0, None)));
        let session = SimulatedSession {
            fixed_tokens: 2_000.0,
            messages: messages.collect(),
            requests: requests.collect(),
        };
        let kinds: Vec<_> = (0..42).map(|at| (at == 0).then_some(ResultKind::FileRead)).collect();
        let prices: Prices = PRESETS[0].prices;
        let mut gone = None;
        play(
            &session,
            &prices,
            &mut ByKind::new(ScheduleOptions::new(prices), Lives::default(), &kinds),
            &mut |step| {
                gone = gone.or(step.replaced.contains(&0).then_some(step.request));
            },
        );
        assert!(gone.is_some_and(|gone| gone < 30), "{gone:?}");
    }

    #[test]
    fn r14_3_what_lies_behind_a_change_goes_with_it_at_three_quarters_of_its_time() {
        // Six together pay for the prefix behind them as soon as they are old enough.
        let with = |kind, first| {
            let mut results = vec![(ResultKind::FileRead, 0); 6];
            results.push((kind, first));
            let gone = gone_at(&results, 600, 10);
            (gone[0].unwrap(), gone[6])
        };
        let (front, behind) = with(ResultKind::ShellRead, 30);
        assert!((160..220).contains(&front) && behind == Some(front), "{front} {behind:?}");
        let (front, young) = with(ResultKind::ShellRead, 120);
        assert!(front < 200 && young.is_none_or(|young| young > front), "{front} {young:?}");
    }
}
