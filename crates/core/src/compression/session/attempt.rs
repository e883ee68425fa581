//! Decides whether to summarise a conversation that is too full now (R7.10).

use crate::compression::message::ChatMessage;
use crate::compression::plan::{NoPlan, Plan, plan};
use crate::compression::session::breaker::{Breaker, Try, possible_gain, worth_trying};
use crate::compression::session::usage::{TokenRow, WindowUsage};
use crate::compression::to_f64;

/// Why no summary is requested.
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

/// How many of the newest messages stay, unless they take too many tokens.
const ORDINARY_RECENT: usize = 10;
/// Fewer of the newest messages stay if the range would otherwise have less than this share of all tokens.
const POOR_RANGE_SHARE: f64 = 0.25;
/// In that case the newest messages take at most this share.
const SHARE_OF_RECENT: f64 = 0.5;

/// What decides whether a conversation is summarised, besides its messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt<'s> {
    pub rows: &'s [TokenRow],
    pub usage: &'s WindowUsage,
    pub keep_recent: usize,
    pub window_tokens: f64,
    pub last_try: Option<Try>,
    pub now_ms: f64,
    /// Requested explicitly: only pair and turn boundaries can prevent a summary.
    pub forced: bool,
}

impl Attempt<'_> {
    /// Selects what to summarise.
    ///
    /// # Errors
    /// The reason why nothing is summarised.
    pub fn plan(&self, messages: &[ChatMessage], breaker: &mut Breaker) -> Result<Plan, Skip> {
        if self.forced {
            return plan(messages, self.keep_recent).map_err(Skip::NoPlan);
        }
        let size = (to_f64(self.rows.len()), self.usage.tokens);
        if !worth_trying(self.last_try, size, self.keep_recent, self.window_tokens) {
            return Err(Skip::NoGainLastTime);
        }
        let planned = self.plan_with_enough(messages).map_err(Skip::NoPlan)?;
        if !possible_gain(self.replaced_share(&planned)) {
            return Err(Skip::TooLittleToGain);
        }
        // The breaker is checked last: after a pause it allows one try, and the check uses it up.
        if breaker.may_try(self.now_ms) { Ok(planned) } else { Err(Skip::BreakerOpen) }
    }

    /// If each of the newest ten messages takes 8 % of the window, nothing is left to summarise; then fewer stay.
    fn plan_with_enough(&self, messages: &[ChatMessage]) -> Result<Plan, NoPlan> {
        let planned = plan(messages, self.keep_recent);
        if planned.as_ref().map_or(0.0, |plan| self.replaced_share(plan)) >= POOR_RANGE_SHARE {
            return planned;
        }
        let fewer = self.recent_within(SHARE_OF_RECENT * self.usage.tokens);
        if fewer >= self.keep_recent.min(ORDINARY_RECENT) {
            return planned;
        }
        let larger = plan(messages, fewer).ok();
        larger.filter(|plan| self.replaced_share(plan) >= POOR_RANGE_SHARE).map_or(planned, Ok)
    }

    /// The share of all tokens that the summary of this plan replaces.
    fn replaced_share(&self, plan: &Plan) -> f64 {
        let replaced = plan.range.clone().filter(|index| !plan.carried.contains(index));
        self.usage.tokens_of_part(self.rows, replaced) / self.usage.tokens
    }

    /// How many of the newest messages take at most `most_tokens`, but at least one.
    fn recent_within(&self, most_tokens: f64) -> usize {
        let mut total = 0.0;
        let within = (0..self.rows.len()).rev().take_while(|&index| {
            total += self.usage.tokens_of_part(self.rows, [index]);
            total <= most_tokens
        });
        within.count().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::message::ChatRole;
    use crate::compression::session::usage::window_usage;

    fn rows_of(messages: &[ChatMessage]) -> Vec<TokenRow> {
        let row = |message: &ChatMessage| TokenRow { tokens: message.tokens, ..TokenRow::default() };
        messages.iter().map(row).collect()
    }

    /// Ten messages of 10 tokens and one of `newest`; the first ten can be summarised.
    fn tried(newest: f64, breaker: &mut Breaker, last_try: Option<Try>, forced: bool) -> Result<usize, Skip> {
        let message = |tokens| ChatMessage { role: ChatRole::User, tokens, ..ChatMessage::default() };
        let messages: Vec<ChatMessage> = [10.0; 10].into_iter().chain([newest]).map(message).collect();
        let rows = rows_of(&messages);
        let usage = &window_usage(&rows, 0.0, 1e6);
        let (keep_recent, window_tokens, now_ms) = (1, 1e6, 0.0);
        let attempt = Attempt { rows: &rows, usage, keep_recent, window_tokens, last_try, now_ms, forced };
        attempt.plan(&messages, breaker).map(|plan| plan.range.len())
    }

    #[test]
    fn r7_10_nothing_is_tried_in_vain_but_by_hand_only_the_boundaries_count() {
        let mut breaker = Breaker::default();
        assert_eq!(tried(10.0, &mut breaker, None, false), Ok(10));
        assert_eq!(tried(5_000.0, &mut breaker, None, false), Err(Skip::TooLittleToGain));
        let in_vain = Some(Try { gained: Some(false), messages: 11.0, tokens: 110.0, change: None });
        assert_eq!(tried(10.0, &mut breaker, in_vain, false), Err(Skip::NoGainLastTime));
        for _ in 0..3 {
            breaker.failed(0.0);
        }
        assert_eq!(tried(10.0, &mut breaker, None, false), Err(Skip::BreakerOpen));
        assert_eq!(tried(5_000.0, &mut breaker, in_vain, true), Ok(10));
    }

    #[test]
    fn r7_10_where_the_newest_messages_take_almost_all_fewer_of_them_stay() {
        let tried = |sizes: &[f64], keep_recent| {
            let message = |&tokens| ChatMessage {
                role: ChatRole::User,
                text: "go on".to_owned(),
                tokens,
                ..ChatMessage::default()
            };
            let messages: Vec<ChatMessage> = sizes.iter().map(message).collect();
            let rows = rows_of(&messages);
            let usage = &window_usage(&rows, 0.0, 1e6);
            let (window_tokens, now_ms, forced) = (1e6, 0.0, false);
            Attempt { rows: &rows, usage, keep_recent, window_tokens, last_try: None, now_ms, forced }
                .plan(&messages, &mut Breaker::default())
                .map(|plan| plan.range)
        };
        assert_eq!(tried(&[80.0; 11], 10), Ok(0..6), "eleven messages of 8 %");
        assert_eq!(tried(&[200.0; 4], 10), Ok(0..2), "four of 20 %: before, nothing at all");
        assert_eq!(tried(&[10.0; 40], 10), Ok(0..30), "small ones stay, as many as were asked for");
        assert_eq!(tried(&[60.0, 60.0, 60.0, 3_000.0], 3), Err(Skip::TooLittleToGain));
    }
}
