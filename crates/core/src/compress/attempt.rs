//! Decides whether a conversation that is too full is summarised now (SPEC R7.10).

use super::breaker::{Breaker, LastTry, possible_gain, worth_trying};
use super::message::Message;
use super::plan::{NoPlan, Plan, plan};
use super::usage::{Row, Usage};

/// What is known beside the conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// How the last try at this conversation ended.
    pub last: Option<LastTry>,
    /// The time, ms since the epoch.
    pub now_ms: f64,
    /// Asked for by hand: only the boundaries can be in the way.
    pub forced: bool,
}

/// What to summarise now.
///
/// # Errors
/// The reason why nothing is, by its name in events and statistics.
pub fn attempt(
    messages: &[Message],
    (rows, usage): (&[Row], &Usage),
    keep_recent: usize,
    breaker: &mut Breaker,
    Attempt { last, now_ms, forced }: Attempt,
) -> Result<Plan, &'static str> {
    if !forced && !worth_trying(last, messages.len(), keep_recent) {
        return Err("no_gain_last_time");
    }
    let plan = plan(messages, keep_recent).map_err(NoPlan::name)?;
    let weight = usage.of_part(rows, plan.range.clone());
    if !forced && !possible_gain(weight / usage.tokens) {
        return Err("too_little_to_gain");
    }
    // Asked last: half-open, the breaker lets one try through.
    if !forced && !breaker.may_try(now_ms) {
        return Err("breaker_open");
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::message::Role;
    use crate::compress::usage::used;

    /// Ten messages of 10 tokens and one of `newest`; the first ten are to be summarised.
    fn tried(newest: f64, breaker: &mut Breaker, attempt_at: Attempt) -> Result<usize, &'static str> {
        let of = |tokens| Message { role: Role::User, tokens, ..Message::default() };
        let messages: Vec<Message> = [10.0; 10].into_iter().chain([newest]).map(of).collect();
        let rows: Vec<Row> =
            messages.iter().map(|message| Row { tokens: message.tokens, ..Row::default() }).collect();
        let usage = used(&rows, 0.0, 1e6);
        attempt(&messages, (&rows, &usage), 1, breaker, attempt_at).map(|plan| plan.range.len())
    }

    #[test]
    fn r7_10_nothing_is_tried_in_vain_but_by_hand_only_the_boundaries_count() {
        let mut breaker = Breaker::default();
        let free = Attempt { last: None, now_ms: 0.0, forced: false };
        assert_eq!(tried(10.0, &mut breaker, free), Ok(10));
        assert_eq!(tried(5_000.0, &mut breaker, free), Err("too_little_to_gain"));
        let in_vain = Attempt { last: Some(LastTry { message_count: 11, gained: false }), ..free };
        assert_eq!(tried(10.0, &mut breaker, in_vain), Err("no_gain_last_time"));
        for _ in 0..3 {
            breaker.failed(0.0);
        }
        assert_eq!(tried(10.0, &mut breaker, free), Err("breaker_open"));
        assert_eq!(tried(5_000.0, &mut breaker, Attempt { forced: true, ..in_vain }), Ok(10));
    }
}
