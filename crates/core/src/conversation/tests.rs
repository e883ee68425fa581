use super::*;

fn call(id: CallId) -> Call {
    Call { id, name: 0, settled: false }
}

#[test]
fn truncate_removes_the_calls_of_the_removed_rows() {
    let mut conversation = Conversation::default();
    conversation.push(Row::new(RowKind::Assistant, NONE), [call(0), call(1)]);
    conversation.push(Row::new(RowKind::Tool, 0), []);
    conversation.push(Row::new(RowKind::Assistant, NONE), [call(2)]);
    assert_eq!(conversation.calls_of(0), 0..2);
    assert_eq!(conversation.calls_of(1), 2..2);
    assert_eq!(conversation.calls_of(2), 2..3);
    conversation.truncate(2);
    assert_eq!((conversation.len(), conversation.call_count()), (2, 2));
    conversation.truncate(0);
    assert_eq!(conversation.call_count(), 0);
}

#[test]
fn r11_4_a_turn_is_in_progress_until_a_user_message_or_an_assistant_message_without_calls() {
    let mut conversation = Conversation::default();
    assert!(conversation.calls_in_progress().is_empty());
    conversation.push(Row::new(RowKind::Assistant, NONE), [call(0), call(1)]);
    assert_eq!(conversation.calls_in_progress(), 0..2);
    conversation.push(Row::new(RowKind::Tool, 0), []);
    assert_eq!(conversation.calls_in_progress(), 0..2, "the second result may follow");
    conversation.push(Row::new(RowKind::Other, NONE), []);
    assert!(conversation.calls_in_progress().is_empty(), "a user message");
    conversation.push(Row::new(RowKind::Assistant, NONE), []);
    assert!(conversation.calls_in_progress().is_empty(), "an assistant message without calls");
    conversation.push(Row::new(RowKind::Assistant, NONE), [call(2)]);
    conversation.push(Row::new(RowKind::Assistant, NONE), [call(3)]);
    conversation.push(Row::new(RowKind::Tool, 3), []);
    assert_eq!(conversation.calls_in_progress(), 2..4, "each call is a separate item");
}

fn timed(timestamp: f64) -> Row {
    Row { timestamp, ..Row::new(RowKind::Tool, 3) }
}

#[test]
fn r1_1_seconds_become_milliseconds_and_are_counted_until_their_row_changes() {
    let mut conversation = Conversation::default();
    conversation.push(timed(f64::NAN), []);
    conversation.push(timed(1_700_000_000.5), []);
    conversation.push(timed(1_700_000_000_000.0), []);
    assert_eq!(conversation.row(1).map(|row| row.timestamp), Some(1_700_000_000_500.0));
    assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (2, 1));
    assert!(conversation.patch(0, timed(1_700_000_000.0)));
    assert!(conversation.patch(1, timed(f64::NAN)));
    assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (2, 1));
    conversation.truncate(1);
    assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (1, 1));
    conversation.truncate(0);
    assert_eq!((conversation.known_times(), conversation.results_in_seconds()), (0, 0));
}

#[test]
fn patch_refuses_another_call_id() {
    let mut conversation = Conversation::default();
    conversation.push(Row::new(RowKind::Tool, 3), []);
    assert!(conversation.patch(0, Row { status_error: true, ..Row::new(RowKind::Tool, 3) }));
    assert!(!conversation.patch(0, Row::new(RowKind::Tool, 4)));
    assert!(!conversation.patch(1, Row::new(RowKind::Tool, 3)));
    assert!(conversation.row(0).is_some_and(|kept| kept.status_error));
}

#[test]
fn r1_1_a_number_that_would_be_before_1980_in_milliseconds_is_in_seconds() {
    for seconds in [1_700_000_000.0, 1_700_000_000.25, YEAR_1980_S, YEAR_1980_MS - 1.0] {
        assert!(is_in_seconds(seconds) && !is_in_seconds(in_ms(seconds)), "{seconds}");
    }
    for other in [0.0, -1.0, 900_000.0, YEAR_1980_S - 1.0, YEAR_1980_MS, 1_700_000_000_000.0, f64::NAN] {
        assert!(!is_in_seconds(other), "{other}");
    }
}

#[test]
fn r1_1_results_without_a_time_stay_if_any_result_has_one() {
    assert!(UnknownAge::OldWhereNoneIsKnown.removes_untimed(0));
    assert!(!UnknownAge::OldWhereNoneIsKnown.removes_untimed(1));
    assert!(UnknownAge::Old.removes_untimed(1) && !UnknownAge::Keep.removes_untimed(0));
}
