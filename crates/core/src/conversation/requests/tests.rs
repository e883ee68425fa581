use super::*;
use crate::conversation::{NONE, Row};

fn conversation_of(kinds: &[RowKind]) -> Conversation {
    let mut conversation = Conversation::default();
    for &kind in kinds {
        let row = Row::new(kind, NONE);
        conversation.push(row, []);
    }
    conversation
}

#[test]
fn r14_3_a_request_is_counted_once_however_many_rows_its_assistant_message_has() {
    use RowKind::{Assistant, Other, Tool};
    let conversation = conversation_of(&[Other, Assistant, Assistant, Tool, Tool, Assistant, Other, Assistant]);
    let mut requests = Requests::default();
    requests.extend(&conversation);
    assert_eq!(requests.next_number(), 3);
    assert_eq!([0, 3, 4, 6].map(|row| requests.first_request_of(row)), [0, 1, 1, 2]);
    // After a rewind into an assistant message, that message is still open.
    requests.truncate(2);
    assert_eq!(requests.next_number(), 1);
    requests.extend(&conversation);
    assert_eq!(requests.next_number(), 3);
    let handles = [3, 4].map(|row| requests.handle_of(&conversation, row));
    assert_eq!(handles.map(|handle| handle.to_string()), ["#1", "#1.2"]);
    assert_eq!(handles.map(|handle| requests.row_of(&conversation, handle)), [Some(3), Some(4)]);
    assert_eq!(requests.row_of(&conversation, Handle { request: 2, nth: 1 }), None);
}

#[test]
fn a_handle_is_parsed_from_the_text_it_is_written_as() {
    for handle in [Handle { request: 41, nth: 2 }, Handle { request: 0, nth: 1 }, Handle { request: 7, nth: 1 }] {
        assert_eq!(Handle::parse(&handle.to_string()), Some(handle));
    }
    assert_eq!(Handle::parse(" 41.2 "), Some(Handle { request: 41, nth: 2 }));
    for wrong in ["", "#", "#x", "#-1", "#1.", "#1.0", "#1.2.3", "#99999999999", "c3f1-41"] {
        assert_eq!(Handle::parse(wrong), None, "{wrong}");
    }
}
