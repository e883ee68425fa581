//! Converts what a view tells its schedule and hears from it, to and from the forms of `layouts.rs`.

use crate::cursor::{Cursor, fill, float, whole};
use crate::layouts::{Commit, Layout, ViewDecision, ViewNews};
use napi::Result;
use palimpsest_core::cache::decision::Decision;
use palimpsest_core::cache::marks::HostMarks;
use palimpsest_core::cache::moment::Moment;
use palimpsest_core::cache::schedule::Schedule;
use palimpsest_core::conversation::times::in_ms;

/// A decision, and whether the request was taken as sent with it.
pub struct Advanced {
    decision: Decision,
    is_taken: bool,
}

pub fn advance(inbox: &[f64], schedule: &mut Schedule) -> Result<Advanced> {
    let mut cursor = Cursor { rest: inbox };
    let known = |number: f64| (!number.is_nan()).then_some(number);
    let news: ViewNews = cursor.read()?;
    let elapsed_ms = known(in_ms(news.spoken) - in_ms(news.answered));
    let moment = Moment { now_ms: news.now, elapsed_ms, sent_ms: known(news.sent) };
    schedule.set_fixed_tokens(news.fixed);
    schedule.changed(&cursor.positions_with_tokens(news.changed)?);
    for _ in 0..whole(news.pushed)? {
        schedule.push(cursor.number()?, cursor.number()?);
    }
    for _ in 0..whole(news.kept)? {
        schedule.keep_replaced(cursor.count()?, cursor.number()?);
    }
    for _ in 0..whole(news.marked)? {
        schedule.mark_pending(cursor.count()?, cursor.number()?);
    }
    for _ in 0..whole(news.riding)? {
        schedule.mark_riding(cursor.count()?, cursor.number()?);
    }
    for _ in 0..whole(news.unmarked)? {
        schedule.unmark_pending(cursor.count()?);
    }
    let count = |number| Ok::<_, napi::Error>(whole(number)? as usize);
    let (system, outside, elsewhere) = (count(news.system)?, count(news.outside)?, count(news.elsewhere)?);
    schedule.set_host(HostMarks { system, marked: cursor.positions(news.host_marks)?, outside, elsewhere });
    let decision = schedule.plan(moment);
    let commit = whole(news.commit)?;
    let is_taken = commit == Commit::Take as u32
        || (commit == Commit::TakeUnlessChanged as u32 && decision.positions.is_empty());
    Ok(Advanced { decision: if is_taken { schedule.take(moment, decision) } else { decision }, is_taken })
}

/// Returns how many numbers the decision takes; when that is more than fit, the rest is left out.
pub fn write_decision(Advanced { decision, is_taken }: &Advanced, outbox: &mut [f64]) -> usize {
    let told = ViewDecision {
        reason: f64::from(decision.reason as u8),
        is_taken: f64::from(u8::from(*is_taken)),
        total_tokens: decision.total_tokens,
        cached_tokens: decision.cached_tokens,
        cost: decision.cost,
        cost_left_alone: decision.cost_left_alone,
        tokens_saved: decision.tokens_saved,
        extra_cost: decision.extra_cost,
        gain_per_request: decision.gain_per_request,
        pays_after_requests: decision.pays_after_requests,
        left_pending: float(decision.left_pending),
        tokens_left_pending: decision.tokens_left_pending,
        replaced: float(decision.positions.len()),
        changes: float(decision.changes),
        number: decision.number,
    };
    let replaced = decision.positions.iter().flat_map(|&(position, tokens)| [float(position), tokens]);
    fill(outbox, told.numbers().into_iter().chain(replaced));
    ViewDecision::LENGTH + 2 * decision.positions.len()
}

impl Cursor<'_> {
    fn positions(&mut self, count: f64) -> Result<Vec<usize>> {
        (0..whole(count)?).map(|_| self.count()).collect()
    }

    fn positions_with_tokens(&mut self, count: f64) -> Result<Vec<(usize, f64)>> {
        (0..whole(count)?).map(|_| Ok((self.count()?, self.number()?))).collect()
    }
}
