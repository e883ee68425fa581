//! How long results stay by what they are: what ran and what was edited goes after 30 requests, what was searched for and what any other
//! tool said after 60, what was read after 160, and what something later made worthless at once; whenever the prompt is written anew
//! anyway, everything behind that point goes at half its time. Here stands the one table of these ages, and the rule as `simulate` plays
//! it; a view's is `cleanup/rules/by_kind.rs`.

use crate::cache::moment::Moment;
use crate::cache::prices::Prices;
use crate::cache::schedule::{Schedule, ScheduleOptions};
use crate::cache::simulation::{ReplacementPolicy, SimulatedSession};
use crate::tools::result_kind::ResultKind;

const RUNS_AND_EDITS: u32 = 30;
const SEARCHES_AND_OTHERS: u32 = 60;
const READS: u32 = 160;
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
}

/// Whether a cached token costs next to nothing, as DeepSeek's do.
#[must_use]
pub fn has_cheap_cache(prices: &Prices) -> bool {
    prices.read * CHEAP_CACHE < prices.write
}

/// The schedule of a view over results that age by their kind. What is outdated in the session is what something later made worthless.
pub struct ByKind {
    schedule: Schedule,
    /// By message, after how many requests it goes.
    requests: Vec<Option<u32>>,
    /// By message, the request that sent it first.
    first_sent: Vec<usize>,
}

impl ByKind {
    #[must_use]
    pub fn new(options: ScheduleOptions, kinds: &[Option<ResultKind>]) -> Self {
        let lives = Lives::under(&options.prices);
        let requests = kinds.iter().map(|kind| kind.map(|kind| lives.of(kind))).collect();
        Self { schedule: Schedule::new(options), requests, first_sent: Vec::new() }
    }

    /// Marks what is old enough at `request`: what has had all its time, and, riding, what has had half of it.
    fn mark(&mut self, session: &SimulatedSession, request: usize) {
        for (position, first_sent) in self.first_sent.iter().enumerate() {
            let Some(life) = self.requests.get(position).copied().flatten() else { continue };
            let (age, life) = (request - first_sent, life as usize);
            if age * 2 < life || self.schedule.is_replaced(position) {
                continue;
            }
            let after = session.messages.get(position).map_or(0.0, |message| message.tokens_after);
            if age < life {
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
        for message in session.messages.iter().take(sent.len).skip(self.schedule.len()) {
            self.schedule.push(message.tokens, 1.0);
            self.first_sent.push(request);
        }
        self.mark(session, request);
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
    fn r14_3_after_a_pause_half_the_time_is_enough() {
        let gone = gone_at(&[(ResultKind::Search, 0), (ResultKind::EditResult, 0)], 100, 3_600);
        assert_eq!(gone, [Some(30), Some(15)]);
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
    fn r14_3_what_lies_behind_a_change_goes_with_it_at_half_its_time() {
        // Six together pay for what is written anew behind them as soon as they are old enough.
        let with = |kind, first| {
            let mut results = vec![(ResultKind::FileRead, 0); 6];
            results.push((kind, first));
            let gone = gone_at(&results, 600, 10);
            (gone[0].unwrap(), gone[6])
        };
        let (front, behind) = with(ResultKind::ShellRead, 60);
        assert!((160..220).contains(&front) && behind == Some(front), "{front} {behind:?}");
        let (front, young) = with(ResultKind::ShellRead, 120);
        assert!(front < 200 && young.is_none_or(|young| young > front), "{front} {young:?}");
    }
}
