//! The flat form in which a view tells its schedule what happened to the messages, and hears what to replace.
//!
//! In: `now, spoken, answered, sent, commit, fixed, system, outside, elsewhere`, then the counts `changed, pushed, kept, marked, riding,
//! unmarked, hostMarks`; then per changed message `position, tokens`, per new one `tokens, blocks`, per one that stays replaced
//! `position, tokensAfter`, per one that is pending now, and per one that only rides, `position, tokensAfter`, then the positions of those that aren't any
//! more, then the prefixes that the host has marked. `spoken` and `answered` are the times of the newest message and of the
//! newest answer, in their own units, NaN where messages don't say them; `sent` is NaN where the request is played again; `fixed`
//! are the tokens ahead of all messages.
//!
//! `commit`: 0 only looks; 1 takes the request as sent unless something is to be replaced; 2 takes it as sent.
//!
//! Out: `reason, isTaken, total, cached, cost, costLeftAlone, saved, extra, gain, paysAfter, leftPending, tokensLeft,
//! replaced, changes, number`, then `position, tokensAfter` of each message to replace.

use crate::cursor::{Cursor, float};
use napi::Result;
use palimpsest_core::cache::decision::Decision;
use palimpsest_core::cache::marks::Host;
use palimpsest_core::cache::moment::Moment;
use palimpsest_core::cache::schedule::Schedule;
use palimpsest_core::conversation::times::in_ms;

const HEADER: usize = 15;

/// A decision, and whether the request was taken as sent with it.
pub struct Advanced {
    decision: Decision,
    is_taken: bool,
}

/// Brings `schedule` up to date and decides.
pub fn advance(inbox: &[f64], schedule: &mut Schedule) -> Result<Advanced> {
    let mut cursor = Cursor { rest: inbox };
    let known = |number: f64| (!number.is_nan()).then_some(number);
    let now_ms = cursor.number()?;
    let (spoken, answered) = (in_ms(cursor.number()?), in_ms(cursor.number()?));
    let moment = Moment { now_ms, elapsed_ms: known(spoken - answered), sent_ms: known(cursor.number()?) };
    let commit = cursor.count()?;
    schedule.set_fixed_tokens(cursor.number()?);
    let [system, outside, elsewhere] = cursor.counts()?;
    let [changed, pushed, kept, marked, riding, unmarked, host] = cursor.counts()?;
    schedule.changed(&cursor.positions_with_tokens(changed)?);
    for _ in 0..pushed {
        schedule.push(cursor.number()?, cursor.number()?);
    }
    for _ in 0..kept {
        schedule.keep_replaced(cursor.count()?, cursor.number()?);
    }
    for _ in 0..marked {
        schedule.mark_pending(cursor.count()?, cursor.number()?);
    }
    for _ in 0..riding {
        schedule.mark_riding(cursor.count()?, cursor.number()?);
    }
    for _ in 0..unmarked {
        schedule.unmark_pending(cursor.count()?);
    }
    schedule.set_host(Host { system, marked: cursor.positions(host)?, outside, elsewhere });
    let decision = schedule.plan(moment);
    let is_taken = commit == 2 || (commit == 1 && decision.positions.is_empty());
    Ok(Advanced { decision: if is_taken { schedule.decide(moment) } else { decision }, is_taken })
}

/// Writes the decision into `outbox` and returns how many numbers it takes; when that is more than fit, what was
/// written is cut short.
pub fn write_decision(advanced: &Advanced, outbox: &mut [f64]) -> usize {
    let Advanced { decision, is_taken } = advanced;
    let header: [f64; HEADER] = [
        f64::from(decision.reason as u8),
        f64::from(u8::from(*is_taken)),
        decision.total_tokens,
        decision.cached_tokens,
        decision.cost,
        decision.cost_left_alone,
        decision.tokens_saved,
        decision.extra_cost,
        decision.gain_per_request,
        decision.pays_after_requests,
        float(decision.left_pending),
        decision.tokens_left_pending,
        float(decision.positions.len()),
        float(decision.changes),
        decision.number,
    ];
    let replaced = decision.positions.iter().flat_map(|&(position, tokens)| [float(position), tokens]);
    for (slot, number) in outbox.iter_mut().zip(header.into_iter().chain(replaced)) {
        *slot = number;
    }
    HEADER + 2 * decision.positions.len()
}

impl Cursor<'_> {
    fn positions(&mut self, count: usize) -> Result<Vec<usize>> {
        (0..count).map(|_| self.count()).collect()
    }

    fn positions_with_tokens(&mut self, count: usize) -> Result<Vec<(usize, f64)>> {
        (0..count).map(|_| Ok((self.count()?, self.number()?))).collect()
    }

    fn counts<const N: usize>(&mut self) -> Result<[usize; N]> {
        let mut counts = [0; N];
        for count in &mut counts {
            *count = self.count()?;
        }
        Ok(counts)
    }
}
