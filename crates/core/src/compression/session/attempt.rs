//! Decides whether to summarise a conversation that is too full now (R7.10).

use crate::compression::decimal;
use crate::compression::message::ChatMessage;
use crate::compression::plan::{NoPlan, Plan, plan};
use crate::compression::session::breaker::{Breaker, Try, possible_gain, worth_trying};
use crate::compression::session::usage::{TokenRow, WindowUsage};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    NoSummaryModel,
    /// The last try gained too little, and too few messages were added since.
    NoGainLastTime,
    NoPlan(NoPlan),
    /// The range that could be summarised holds too small a share of all tokens.
    TooLittleToGain,
    BreakerOpen,
}

impl Skip {
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoSummaryModel => "no_summary_model",
            Self::NoGainLastTime => "no_gain_last_time",
            Self::NoPlan(none) => none.name(),
            Self::TooLittleToGain => "too_little_to_gain",
            Self::BreakerOpen => "breaker_open",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    pub last: Option<Try>,
    pub now_ms: f64,
    /// Requested explicitly: only pair and turn boundaries can prevent a summary.
    pub forced: bool,
}

/// How many of the newest messages stay, unless they take too many tokens.
const ORDINARY_RECENT: usize = 10;
/// Fewer of the newest messages stay if the range would otherwise have less than this share of all tokens.
const POOR_RANGE: f64 = 0.25;
/// In that case the newest messages take at most this share.
const SHARE_OF_RECENT: f64 = 0.5;

/// Selects what to summarise.
///
/// If each of the newest ten messages takes 8 % of the window, nothing is left to summarise; then fewer stay.
///
/// # Errors
/// The reason why nothing is summarised.
pub fn attempt(
    messages: &[ChatMessage],
    (rows, usage): (&[TokenRow], &WindowUsage),
    (keep_recent, window): (usize, f64),
    breaker: &mut Breaker,
    Attempt { last, now_ms, forced }: Attempt,
) -> Result<Plan, Skip> {
    let current = (decimal(rows.len()), usage.tokens);
    if !forced && !worth_trying(last, current, keep_recent, window) {
        return Err(Skip::NoGainLastTime);
    }
    let share = |plan: &Plan| {
        let replaced = plan.range.clone().filter(|index| !plan.carried.contains(index));
        usage.tokens_of_part(rows, replaced) / usage.tokens
    };
    let mut planned = plan(messages, keep_recent);
    if !forced && planned.as_ref().map_or(0.0, share) < POOR_RANGE {
        let fewer = recent_within(rows, usage, SHARE_OF_RECENT * usage.tokens);
        let fewer = Some(fewer).filter(|fewer| *fewer < keep_recent.min(ORDINARY_RECENT));
        let better = fewer.and_then(|fewer| plan(messages, fewer).ok());
        planned = better.filter(|plan| share(plan) >= POOR_RANGE).map_or(planned, Ok);
    }
    let planned = planned.map_err(Skip::NoPlan)?;
    if !forced && !possible_gain(share(&planned)) {
        return Err(Skip::TooLittleToGain);
    }
    // The breaker is checked last: after a pause it allows one try, and the check uses it up.
    if !forced && !breaker.may_try(now_ms) {
        return Err(Skip::BreakerOpen);
    }
    Ok(planned)
}

fn recent_within(rows: &[TokenRow], usage: &WindowUsage, most_tokens: f64) -> usize {
    let mut total = 0.0;
    let within = (0..rows.len()).rev().take_while(|&index| {
        total += usage.tokens_of_part(rows, [index]);
        total <= most_tokens
    });
    within.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::message::ChatRole;
    use crate::compression::session::usage::used;

    /// Ten messages of 10 tokens and one of `newest`; the first ten can be summarised.
    fn tried(newest: f64, breaker: &mut Breaker, attempt_at: Attempt) -> Result<usize, Skip> {
        let of = |tokens| ChatMessage { role: ChatRole::User, tokens, ..ChatMessage::default() };
        let messages: Vec<ChatMessage> = [10.0; 10].into_iter().chain([newest]).map(of).collect();
        let rows: Vec<TokenRow> = messages
            .iter()
            .map(|message| TokenRow { tokens: message.tokens, ..TokenRow::default() })
            .collect();
        let usage = used(&rows, 0.0, 1e6);
        attempt(&messages, (&rows, &usage), (1, 1e6), breaker, attempt_at).map(|plan| plan.range.len())
    }

    #[test]
    fn r7_10_nothing_is_tried_in_vain_but_by_hand_only_the_boundaries_count() {
        let mut breaker = Breaker::default();
        let free = Attempt { last: None, now_ms: 0.0, forced: false };
        assert_eq!(tried(10.0, &mut breaker, free), Ok(10));
        assert_eq!(tried(5_000.0, &mut breaker, free), Err(Skip::TooLittleToGain));
        let in_vain = Attempt {
            last: Some(Try { gained: Some(false), messages: 11.0, tokens: 110.0, effect: None }),
            ..free
        };
        assert_eq!(tried(10.0, &mut breaker, in_vain), Err(Skip::NoGainLastTime));
        for _ in 0..3 {
            breaker.failed(0.0);
        }
        assert_eq!(tried(10.0, &mut breaker, free), Err(Skip::BreakerOpen));
        assert_eq!(tried(5_000.0, &mut breaker, Attempt { forced: true, ..in_vain }), Ok(10));
    }

    #[test]
    fn r7_10_where_the_newest_messages_take_almost_all_fewer_of_them_stay() {
        let tried = |sizes: &[f64], keep_recent| {
            let of = |&tokens| ChatMessage {
                role: ChatRole::User,
                text: "go on".to_owned(),
                tokens,
                ..ChatMessage::default()
            };
            let messages: Vec<ChatMessage> = sizes.iter().map(of).collect();
            let rows: Vec<TokenRow> = messages
                .iter()
                .map(|message| TokenRow { tokens: message.tokens, ..TokenRow::default() })
                .collect();
            let usage = used(&rows, 0.0, 1e6);
            let free = Attempt { last: None, now_ms: 0.0, forced: false };
            attempt(&messages, (&rows, &usage), (keep_recent, 1e6), &mut Breaker::default(), free)
                .map(|plan| plan.range)
        };
        assert_eq!(tried(&[80.0; 11], 10), Ok(0..6), "eleven messages of 8 %");
        assert_eq!(tried(&[200.0; 4], 10), Ok(0..2), "four of 20 %: before, nothing at all");
        assert_eq!(tried(&[10.0; 40], 10), Ok(0..30), "small ones stay, as many as were asked for");
        assert_eq!(tried(&[60.0, 60.0, 60.0, 3_000.0], 3), Err(Skip::TooLittleToGain));
    }
}
