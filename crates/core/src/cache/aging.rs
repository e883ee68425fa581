//! How long results stay by what they are: what ran and what was edited goes after 30 requests, what was searched for and what any other
//! tool said after 60, what was read after 160, and what something later made worthless at once; whenever the prompt is written anew
//! anyway, everything behind that point goes at three quarters of its time. Here stands the one table of these ages, and the rule as `simulate` plays
//! it; a view's is `cleanup/rules/by_kind.rs`.

use crate::cache::moment::Moment;
use crate::cache::prices::Prices;
use crate::cache::schedule::{Schedule, ScheduleOptions};
use crate::cache::simulation::{ReplacementPolicy, SimulatedSession};
use crate::tools::result_kind::ResultKind;

const RUNS_AND_EDITS: u32 = 30;
const SEARCHES_AND_OTHERS: u32 = 60;
const READS: u32 = 160;
/// The share of its time after which a result goes with others. At half of it three of five misses had ridden.
const RIDES_AFTER: [u32; 2] = [3, 4];
/// Where a cached token costs less than one of so many of a fresh one, a change costs so much that it pays early or never: there every
/// age is divided by two.
const CHEAP_CACHE: f64 = 20.0;

/// How long results stay under a list of prices, in requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lives {
    divisor: u32,
}

impl Default for Lives {
    fn default() -> Self {
        Self { divisor: 1 }
    }
}

impl Lives {
    #[must_use]
    pub fn under(prices: &Prices) -> Self {
        Self { divisor: if has_cheap_cache(prices) { 2 } else { 1 } }
    }

    /// After how many requests a result of that kind goes, an error as the result that it stands for.
    #[must_use]
    pub const fn of(self, kind: ResultKind) -> u32 {
        let requests = match kind {
            ResultKind::ShellRun | ResultKind::EditResult => RUNS_AND_EDITS,
            ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => {
                SEARCHES_AND_OTHERS
            }
            ResultKind::ShellRead | ResultKind::FileRead => READS,
        };
        requests / self.divisor
    }

    /// When a result of that kind goes that the request numbered `first_sent` sent first.
    #[must_use]
    pub const fn term(self, kind: ResultKind, first_sent: u32) -> Term {
        let life = self.of(kind);
        let [share, of] = RIDES_AFTER;
        Term {
            rides: first_sent.saturating_add((life * share).div_ceil(of)),
            goes: first_sent.saturating_add(life),
        }
    }
}

/// The requests, by number, from which on a result goes: where the prompt is written anew anyway, and by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    pub rides: u32,
    pub goes: u32,
}

/// Whether a cached token costs next to nothing, as DeepSeek's do.
#[must_use]
pub fn has_cheap_cache(prices: &Prices) -> bool {
    prices.read * CHEAP_CACHE < prices.write
}

/// The schedule of a view over results that age by their kind. What is outdated in the session is what something later made worthless.
pub struct ByKind {
    schedule: Schedule,
    lives: Lives,
    /// By message, what result it is.
    kinds: Vec<Option<ResultKind>>,
    /// By message that was sent, when it goes.
    terms: Vec<Option<Term>>,
}

impl ByKind {
    #[must_use]
    pub fn new(options: ScheduleOptions, kinds: &[Option<ResultKind>]) -> Self {
        let lives = Lives::under(&options.prices);
        Self { schedule: Schedule::new(options), lives, kinds: kinds.to_vec(), terms: Vec::new() }
    }

    /// Marks what is old enough at `request`: what has had all its time, and what rides.
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

    /// Results, each with the request that sends it first, and a short message a request; so many seconds apart.
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
        play(&session, &prices, &mut ByKind::new(ScheduleOptions::new(prices), &kinds), &mut |step| {
            for &position in step.replaced {
                gone[position] = Some(step.request);
            }
        });
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
        play(&session, &prices, &mut ByKind::new(ScheduleOptions::new(prices), &kinds), &mut |step| {
            gone = gone.or(step.replaced.contains(&0).then_some(step.request));
        });
        assert!(gone.is_some_and(|gone| gone < 30), "{gone:?}");
    }

    #[test]
    fn r14_3_what_lies_behind_a_change_goes_with_it_at_three_quarters_of_its_time() {
        // Six together pay for what is written anew behind them as soon as they are old enough.
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
