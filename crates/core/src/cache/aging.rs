//! A rule that a person can say: what ran and what was edited goes after 30 requests, what was searched for and what any other tool said
//! after 60, what was read after 160, and what something later made worthless at once; whenever the prompt is written anew anyway,
//! everything behind that point goes at half its time. A call that failed has no longer than others.

use crate::cache::moment::Moment;
use crate::cache::schedule::{Options, Schedule};
use crate::cache::simulation::{Policy, Session};
use crate::tools::result_kind::ResultKind;

const RUNS_AND_EDITS: usize = 30;
const SEARCHES_AND_OTHERS: usize = 60;
const READS: usize = 160;

/// After how many requests a result of that kind goes.
#[must_use]
pub const fn requests_of(kind: ResultKind) -> Option<usize> {
    match kind {
        ResultKind::ShellRun | ResultKind::EditResult => Some(RUNS_AND_EDITS),
        ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => {
            Some(SEARCHES_AND_OTHERS)
        }
        ResultKind::ShellRead | ResultKind::FileRead => Some(READS),
    }
}

/// The schedule of a view over results that age by their kind. What is outdated in the session is what something later made worthless.
pub struct ByKind {
    schedule: Schedule,
    /// By message, after how many requests it goes.
    requests: Vec<Option<usize>>,
    /// By message, the request that sent it first.
    first_sent: Vec<usize>,
}

impl ByKind {
    #[must_use]
    pub fn new(options: Options, kinds: &[Option<ResultKind>]) -> Self {
        let requests = kinds.iter().map(|kind| kind.and_then(requests_of)).collect();
        Self { schedule: Schedule::new(options), requests, first_sent: Vec::new() }
    }

    /// Marks what lies at `from` or behind and is old enough, where a whole life is divided by `divisor`.
    fn mark(&mut self, session: &Session, request: usize, from: usize, divisor: usize) {
        for (position, first_sent) in self.first_sent.iter().enumerate().skip(from) {
            let life = self.requests.get(position).copied().flatten();
            let is_due = life.is_some_and(|life| (request - first_sent) * divisor >= life);
            if is_due && !self.schedule.is_replaced(position) {
                let after = session.messages.get(position).map_or(0.0, |message| message.tokens_after);
                self.schedule.mark_pending(position, after);
            }
        }
    }

    /// Where this request's prompt is written anew whatever is decided.
    fn rewritten_from(&self, session: &Session, request: usize, now: Moment, now_ms: f64) -> Option<usize> {
        let last = request.checked_sub(1).and_then(|last| session.requests.get(last))?;
        let prices = &self.schedule.options().prices;
        if prices.cached_tokens(f64::MAX, Some(now_ms - last.now_ms)) <= 0.0 {
            return Some(0);
        }
        let decision = self.schedule.clone().decide(now);
        decision.positions.iter().map(|&(position, _)| position).min()
    }
}

impl Policy for ByKind {
    fn decide(&mut self, session: &Session, request: usize, replaced: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        self.schedule.set_fixed_tokens(session.fixed_tokens);
        for message in session.messages.iter().take(sent.len).skip(self.schedule.len()) {
            self.schedule.push(message.tokens, 1.0);
            self.first_sent.push(request);
        }
        self.mark(session, request, 0, 1);
        for position in session.pending(request, replaced) {
            let after = session.messages.get(position).map_or(0.0, |message| message.tokens_after);
            self.schedule.mark_pending(position, after);
        }
        let now = Moment::live(sent.now_ms);
        if let Some(from) = self.rewritten_from(session, request, now, sent.now_ms) {
            self.mark(session, request, from, 2);
        }
        self.schedule.decide(now).positions.iter().map(|&(position, _)| position).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::prices::{PRESETS, Prices};
    use crate::cache::simulation::{Message, Sent, play};

    /// Results, each with the request that sends it first, and a short message a request; so many seconds apart.
    fn gone_at(results: &[(ResultKind, usize)], requests: usize, seconds: usize) -> Vec<Option<usize>> {
        let (mut messages, mut kinds, mut sent) = (Vec::new(), Vec::new(), Vec::new());
        let message = |tokens: f64| Message { tokens, tokens_after: tokens.min(20.0), stale_at: None };
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
        let session = Session { fixed_tokens: 2_000.0, messages, requests: sent };
        let prices: Prices = PRESETS[0].prices;
        let mut gone = vec![None; kinds.len()];
        play(&session, &prices, &mut ByKind::new(Options::new(prices), &kinds), &mut |step| {
            for &position in step.replaced {
                gone[position] = Some(step.request);
            }
        });
        let positions = kinds.iter().zip(gone).filter(|(kind, _)| kind.is_some());
        positions.map(|(_, gone)| gone).collect()
    }

    #[test]
    fn r14_3_a_run_goes_after_30_requests_what_is_unknown_after_60_and_a_read_after_160() {
        let gone =
            gone_at(&[(ResultKind::FileRead, 0), (ResultKind::Other, 0), (ResultKind::ShellRun, 0)], 600, 10);
        assert!(gone[2].is_some_and(|run| (30..60).contains(&run)), "{gone:?}");
        assert!(gone[1].is_some_and(|other| (60..160).contains(&other)), "{gone:?}");
        assert!(gone[0].is_some_and(|read| read >= 160), "{gone:?}");
    }

    #[test]
    fn r14_3_after_a_pause_half_the_time_is_enough() {
        let gone = gone_at(&[(ResultKind::Search, 0), (ResultKind::EditResult, 0)], 100, 3_600);
        assert_eq!(gone, [Some(30), Some(15)]);
    }

    #[test]
    fn issue_22_5_what_something_later_made_worthless_does_not_wait_for_its_age() {
        let message = |tokens: f64, stale_at| Message { tokens, tokens_after: tokens.min(20.0), stale_at };
        let requests = (0..40_u32)
            .map(|request| Sent { len: 2 + request as usize, now_ms: 1_000.0 * f64::from(request) });
        let messages = [message(5_000.0, Some(3))].into_iter().chain((0..41).map(|_| message(5.0, None)));
        let session =
            Session { fixed_tokens: 2_000.0, messages: messages.collect(), requests: requests.collect() };
        let kinds: Vec<_> = (0..42).map(|at| (at == 0).then_some(ResultKind::FileRead)).collect();
        let prices: Prices = PRESETS[0].prices;
        let mut gone = None;
        play(&session, &prices, &mut ByKind::new(Options::new(prices), &kinds), &mut |step| {
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
