use super::*;
use crate::provider::usage::Usage;

#[test]
fn r7_12_spent_tokens_are_the_reported_ones_else_an_estimate() {
    let text = Some("one two three".to_owned());
    let usage = Usage { uncached: 500, cache_read: 400, output: 30, reports_cache_read: true, ..Usage::default() };
    let logged = Reply { text: text.clone(), usage, model: Some("small-2".to_owned()), ..Reply::default() };
    let spent = Spent::from_answer(&SummaryAnswer::Reply(logged), "small", 1_000.0).unwrap();
    assert_eq!((spent.model.as_str(), spent.is_estimated), ("small-2", false));
    assert_eq!((spent.input_tokens, spent.cached_tokens, spent.output_tokens), (900.0, 400.0, 30.0));
    let silent = SummaryAnswer::Reply(Reply { text, ..Reply::default() });
    let spent = Spent::from_answer(&silent, "gpt-4o", 1_000.0).unwrap();
    assert_eq!((spent.input_tokens, spent.output_tokens, spent.is_estimated), (1_000.0, 3.0, true));
}

#[test]
fn r7_12_a_call_that_timed_out_counts_as_billed_and_a_refused_one_does_not() {
    let late = Spent::from_answer(&SummaryAnswer::Failure(CallFailure::TimedOut), "small", 1_000.0).unwrap();
    assert_eq!((late.input_tokens, late.is_estimated), (1_000.0, true));
    let refused = SummaryAnswer::failed("400", "invalid_request_error", None, None, None);
    assert_eq!(Spent::from_answer(&refused, "small", 1_000.0), None);
}
