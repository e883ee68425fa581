use super::*;
use crate::compression::message::ChatRole;
use crate::compression::session::usage::window_usage;

fn rows_of(messages: &[ChatMessage]) -> Vec<TokenRow> {
    let row = |message: &ChatMessage| TokenRow { tokens: message.tokens, ..TokenRow::default() };
    messages.iter().map(row).collect()
}

/// Ten messages of 10 tokens and one of `newest`; the first ten can be summarised.
fn planned(newest: f64, breaker: &mut Breaker, last_try: Option<Try>, forced: bool) -> Result<usize, Skip> {
    let message = |tokens| ChatMessage { role: ChatRole::User, tokens, ..ChatMessage::default() };
    let messages: Vec<ChatMessage> = [10.0; 10].into_iter().chain([newest]).map(message).collect();
    let rows = rows_of(&messages);
    let usage = &window_usage(&rows, 0.0, 1e6);
    let settings = &Settings { keep_recent: 1, max_context_tokens: 1e6, ..Settings::default() };
    let options = &SessionOptions { forced, ..SessionOptions::default() };
    let attempt = Attempt { rows: &rows, usage, settings, options, last_try };
    attempt.plan(&messages, breaker).map(|plan| plan.range.len())
}

#[test]
fn r7_10_a_compression_that_cannot_gain_enough_is_skipped_unless_it_is_forced() {
    let mut breaker = Breaker::default();
    assert_eq!(planned(10.0, &mut breaker, None, false), Ok(10));
    assert_eq!(planned(5_000.0, &mut breaker, None, false), Err(Skip::TooLittleToGain));
    let without_gain = Some(Try { gained: Some(false), messages: 11.0, tokens: 110.0, change: None });
    assert_eq!(planned(10.0, &mut breaker, without_gain, false), Err(Skip::NoGainLastTime));
    for _ in 0..3 {
        breaker.failed(0.0);
    }
    assert_eq!(planned(10.0, &mut breaker, None, false), Err(Skip::BreakerOpen));
    assert_eq!(planned(5_000.0, &mut breaker, without_gain, true), Ok(10));
}

#[test]
fn r7_10_fewer_messages_stay_if_the_newest_fill_almost_all_of_the_window() {
    let planned = |sizes: &[f64], keep_recent| {
        let message =
            |&tokens| ChatMessage { role: ChatRole::User, text: "go on".to_owned(), tokens, ..ChatMessage::default() };
        let messages: Vec<ChatMessage> = sizes.iter().map(message).collect();
        let rows = rows_of(&messages);
        let usage = &window_usage(&rows, 0.0, 1e6);
        let settings = &Settings { keep_recent, max_context_tokens: 1e6, ..Settings::default() };
        Attempt { rows: &rows, usage, settings, options: &SessionOptions::default(), last_try: None }
            .plan(&messages, &mut Breaker::default())
            .map(|plan| plan.range)
    };
    assert_eq!(planned(&[80.0; 11], 10), Ok(0..6), "eleven messages of 8 %");
    assert_eq!(planned(&[200.0; 4], 10), Ok(0..2), "four messages of 20 %");
    assert_eq!(planned(&[10.0; 40], 10), Ok(0..30), "small messages: `keep_recent` of them stay");
    assert_eq!(planned(&[60.0, 60.0, 60.0, 3_000.0], 3), Err(Skip::TooLittleToGain));
}
