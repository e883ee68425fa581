//! The flat form in which a view tells its schedule what happened to the messages, and hears what to replace.
//!
//! In: `now, commit, keep, changed, pushed, kept, restored, marked, unmarked, unfounded`, then per changed message
//! `position, tokens`, then the tokens of each new one, then `position, tokensAfter` of each that stays replaced, then the
//! positions of those that are sent in full again, then `position, tokensAfter` of each that is pending now, then the
//! positions of those that aren't any more, then those of all replaced ones that no rule condemns any more.
//!
//! `commit`: 0 only looks; 1 takes the request as sent unless something is to be replaced or restored; 2 takes it as sent.
//!
//! Out: `reason, isTaken, total, cached, cost, costLeftAlone, saved, extra, gain, paysAfter, leftPending, tokensLeft,
//! replaced, restored`, then `position, tokensAfter` of each message to replace, then the positions of those to send in full
//! again.

use crate::cursor::{Cursor, float};
use napi::Result;
use palimpsest_core::cache::decision::Decision;
use palimpsest_core::cache::schedule::Schedule;

const HEADER: usize = 14;

/// A decision, and whether the request was taken as sent with it.
pub struct Advanced {
    decision: Decision,
    is_taken: bool,
}

/// Brings `schedule` up to date and decides.
pub fn advance(inbox: &[f64], schedule: &mut Schedule) -> Result<Advanced> {
    let mut cursor = Cursor { rest: inbox };
    let now_ms = cursor.number()?;
    let commit = cursor.count()?;
    let keep = cursor.count()?;
    let [changed, pushed, kept, restored, marked, unmarked, unfounded] = cursor.counts()?;
    if keep < schedule.len() {
        schedule.truncate(keep);
    }
    schedule.changed(&cursor.positions_with_tokens(changed)?);
    for _ in 0..pushed {
        schedule.push(cursor.number()?);
    }
    for _ in 0..kept {
        schedule.keep_replaced(cursor.count()?, cursor.number()?);
    }
    let restored = cursor.positions(restored)?;
    schedule.restore_at(&restored, now_ms);
    for _ in 0..marked {
        schedule.mark_pending(cursor.count()?, cursor.number()?);
    }
    for _ in 0..unmarked {
        schedule.unmark_pending(cursor.count()?);
    }
    schedule.set_unfounded(cursor.positions(unfounded)?);
    if commit == 2 {
        return Ok(Advanced { decision: schedule.decide(now_ms), is_taken: true });
    }
    let decision = schedule.plan(now_ms);
    let is_taken = commit == 1 && decision.positions.is_empty() && decision.restored.is_empty();
    Ok(Advanced { decision: if is_taken { schedule.decide(now_ms) } else { decision }, is_taken })
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
        float(decision.restored.len()),
    ];
    let replaced = decision.positions.iter().flat_map(|&(position, tokens)| [float(position), tokens]);
    let restored = decision.restored.iter().map(|&position| float(position));
    for (slot, number) in outbox.iter_mut().zip(header.into_iter().chain(replaced).chain(restored)) {
        *slot = number;
    }
    HEADER + 2 * decision.positions.len() + decision.restored.len()
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
