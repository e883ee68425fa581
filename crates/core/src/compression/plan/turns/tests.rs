use super::*;
use crate::compression::message::first_user_request;
use crate::compression::message::{CreatedKind, ToolCall};

fn user() -> ChatMessage {
    ChatMessage { role: ChatRole::User, ..ChatMessage::default() }
}

fn assistant(ids: &[&str]) -> ChatMessage {
    let calls = ids.iter().map(|&id| ToolCall { id: id.to_owned(), ..ToolCall::default() }).collect();
    ChatMessage { role: ChatRole::Assistant, calls, ..ChatMessage::default() }
}

fn thinking(ids: &[&str]) -> ChatMessage {
    ChatMessage { has_thinking: true, ..assistant(ids) }
}

fn results(role: ChatRole, ids: &[&str]) -> ChatMessage {
    ChatMessage { role, answers: ids.iter().map(|&id| id.to_owned()).collect(), ..ChatMessage::default() }
}

fn tool(id: &str) -> ChatMessage {
    results(ChatRole::Tool, &[id])
}

/// All positions that separate no pair and no open call.
fn boundaries(messages: &[ChatMessage]) -> Vec<usize> {
    let turns = Turns::new(messages);
    (0..=messages.len()).filter(|&place| turns.is_boundary(place)).collect()
}

#[test]
fn r7_4_a_boundary_never_separates_a_call_from_its_parallel_results() {
    let messages = [user(), assistant(&["a", "b"]), tool("a"), tool("b"), user()];
    assert_eq!(boundaries(&messages), [0, 1, 4, 5]);
}

#[test]
fn edge_23_a_message_with_several_results_stays_with_their_calls() {
    let mixed = ChatMessage { text: "and now this".to_owned(), ..results(ChatRole::User, &["a", "b"]) };
    assert_eq!(boundaries(&[user(), assistant(&["a"]), assistant(&["b"]), mixed, user()]), [0, 1, 4, 5]);
}

#[test]
fn r7_4_ids_reused_in_every_turn_do_not_join_the_turns() {
    let messages = [assistant(&["call_0"]), tool("call_0"), assistant(&["call_0"]), tool("call_0"), user()];
    assert_eq!(boundaries(&messages), [0, 2, 4, 5]);
    let turns = Turns::new(&messages);
    assert_eq!((0..5).map(|index| turns.group_of(index)).collect::<Vec<_>>(), [0, 0, 2, 2, 4]);
}

#[test]
fn r7_4_pairs_are_found_by_id_rather_than_by_position() {
    let late = [assistant(&["a"]), user(), assistant(&["b"]), tool("b"), tool("a"), user()];
    assert_eq!(boundaries(&late), [0, 5, 6]);
    let reversed = [user(), tool("a"), assistant(&["a"]), user()];
    assert_eq!(boundaries(&reversed), [0, 1, 3, 4]);
}

#[test]
fn r7_4_results_without_ids_stay_with_the_calls_without_ids_right_before_them() {
    let messages = [user(), assistant(&["", ""]), tool(""), results(ChatRole::Tool, &[]), user(), tool("")];
    assert_eq!(boundaries(&messages), [0, 1, 4, 5, 6], "the last one has no call");
}

#[test]
fn r7_4_open_calls_stay_with_all_messages_after_them() {
    assert_eq!(boundaries(&[user(), assistant(&["a", "b"]), tool("a")]), [0, 1]);
    assert_eq!(boundaries(&[user(), assistant(&[""]), user()]), [0, 1]);
    assert_eq!(
        boundaries(&[assistant(&["lost"]), user(), assistant(&[])]),
        [0, 1, 2, 3],
        "an earlier unanswered call is not open"
    );
}

#[test]
fn edge_24_a_boundary_moves_back_to_the_thinking_of_its_turn() {
    let messages = [user(), thinking(&["a"]), tool("a"), assistant(&["b"]), tool("b"), assistant(&["c"]), tool("c")];
    let turns = Turns::new(&messages);
    assert_eq!(turns.boundary_before(5), 5);
    assert_eq!(turns.thinking_cut_off_at(5), Some(1));
    assert_eq!(turns.boundary_with_thinking_before(5), 1);
    assert_eq!(turns.boundary_with_thinking_before(7), 7, "no message of the turn stays");
}

#[test]
fn edge_24_thinking_of_an_earlier_turn_is_ignored() {
    let messages = [user(), thinking(&[]), user(), assistant(&["a"]), tool("a"), assistant(&[])];
    let turns = Turns::new(&messages);
    assert_eq!(turns.boundary_with_thinking_before(5), 5);
    assert_eq!(turns.boundary_with_thinking_before(2), 2);
}

#[test]
fn edge_24_a_message_with_its_own_thinking_needs_no_earlier_one() {
    let messages = [user(), thinking(&["a"]), tool("a"), thinking(&["b"]), tool("b")];
    assert_eq!(Turns::new(&messages).boundary_with_thinking_before(3), 3);
}

#[test]
fn r7_4_choosing_one_message_chooses_its_whole_group() {
    let messages = [user(), assistant(&["a", "b"]), tool("a"), user(), tool("b"), user()];
    let whole = Turns::new(&messages).whole_groups(|index| index == 4);
    assert_eq!(whole, [false, true, true, false, true, false]);
}

#[test]
fn edge_20_the_first_user_request_is_neither_a_summary_nor_a_result() {
    let summary = ChatMessage { created_as: Some(CreatedKind::Summary), ..user() };
    assert_eq!(first_user_request(&[summary, results(ChatRole::User, &["a"]), assistant(&[]), user()]), Some(3));
    assert_eq!(first_user_request(&[assistant(&[])]), None);
}

#[test]
fn r7_4_a_long_chain_of_calls_and_results_is_grouped_in_linear_time() {
    // Each message answers the one after it: quadratic if the code walks the chain for every message.
    let ids: Vec<String> = (0..=100_000).map(|number| number.to_string()).collect();
    let link = |pair: &[String]| ChatMessage { answers: vec![pair[1].clone()], ..assistant(&[pair[0].as_str()]) };
    let messages: Vec<ChatMessage> = ids.windows(2).map(link).collect();
    let turns = Turns::new(&messages);
    assert!((0..messages.len()).all(|index| turns.group_of(index) == 0));
    assert_eq!(turns.boundary_before(messages.len() - 1), 0);
}
