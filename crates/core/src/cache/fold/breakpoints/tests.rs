use super::*;

fn prompt(blocks: &[f64]) -> PromptTokens {
    let mut prompt = PromptTokens::default();
    for &blocks in blocks {
        prompt.push(100.0, blocks);
    }
    prompt
}

fn head(system: usize) -> ConversationHead {
    ConversationHead { system_len: system, ..ConversationHead::default() }
}

#[test]
fn r10_8_breakpoints_are_at_the_end_of_the_system_prompt_the_next_removal_and_the_end() {
    let ten = prompt(&[1.0; 10]);
    assert_eq!(choose_prefixes(&ten, &head(1), Some(8), [Some(5), None]), [1, 5, 10]);
    assert_eq!(choose_prefixes(&ten, &head(0), Some(8), [None, None]), [10]);
    assert_eq!(choose_prefixes(&ten, &head(1), Some(4), [None, Some(4)]), [1, 4, 10]);
    assert_eq!(choose_prefixes(&prompt(&[]), &head(0), None, [None; 2]), [0]);
}

#[test]
fn r10_8_the_previous_end_gets_a_breakpoint_if_it_is_beyond_the_look_back() {
    let forty = prompt(&[1.0; 40]);
    assert_eq!(choose_prefixes(&forty, &head(1), Some(20), [Some(5), None]), [1, 5, 40], "20 blocks before the end");
    assert_eq!(choose_prefixes(&forty, &head(1), Some(19), [Some(5), None]), [1, 5, 19, 40]);
    assert_eq!(
        choose_prefixes(&prompt(&[5.0; 10]), &head(1), Some(5), [Some(3), None]),
        [1, 3, 5, 10],
        "five blocks per message"
    );
}

#[test]
fn r10_8_application_breakpoints_at_unknown_places_reduce_the_number_of_ours() {
    let ten = prompt(&[1.0; 10]);
    let marked_head = ConversationHead { message_breakpoints: 3, ..head(1) };
    assert_eq!(choose_prefixes(&ten, &marked_head, Some(8), [Some(5), None]), [5, 10], "the system prompt has no room");
    let full = ConversationHead { message_breakpoints: 5, ..ConversationHead::default() };
    assert_eq!(choose_prefixes(&ten, &full, Some(8), [Some(5), None]), [0_usize; 0]);
}

#[test]
fn r10_8_the_system_prompt_gets_no_second_breakpoint_if_the_application_set_one() {
    let ten = prompt(&[1.0; 10]);
    let marked_head = ConversationHead { head_breakpoints: 1, ..head(1) };
    assert_eq!(choose_prefixes(&ten, &marked_head, Some(8), [Some(5), None]), [5, 10]);
}

#[test]
fn r10_8_fixed_tokens_before_all_messages_get_a_breakpoint() {
    let mut two = PromptTokens::new(900.0);
    two.push(100.0, 1.0);
    two.push(100.0, 1.0);
    assert_eq!(choose_prefixes(&two, &head(0), None, [None; 2]), [0, 2]);
}

#[test]
fn r10_8_a_position_past_the_end_gets_no_breakpoint() {
    let two = prompt(&[1.0; 2]);
    assert_eq!(choose_prefixes(&two, &head(0), Some(9), [Some(8), None]), [2]);
}

#[test]
fn r10_8_the_cache_entry_to_be_read_gets_a_breakpoint_unless_another_one_reaches_it() {
    let forty = prompt(&[1.0; 40]);
    assert_eq!(
        choose_prefixes(&forty, &head(1), Some(10), [Some(2), Some(12)]),
        [1, 2, 12, 40],
        "the change reaches it"
    );
    let crowded = ConversationHead { message_breakpoints: 3, ..head(1) };
    assert_eq!(choose_prefixes(&forty, &crowded, Some(10), [Some(2), Some(12)]), [10, 40], "no room for the change");
    assert_eq!(choose_prefixes(&forty, &crowded, Some(10), [Some(12), Some(12)]), [12, 40]);
}

#[test]
fn r10_8_the_breakpoints_of_the_application_count_among_the_four() {
    let ten = prompt(&[1.0; 10]);
    let marked_head = ConversationHead { message_breakpoints: 1, ..head(1) };
    assert_eq!(choose_prefixes(&ten, &marked_head, Some(8), [Some(5), None]), [1, 5, 10]);
    let crowded = ConversationHead { head_breakpoints: 2, message_breakpoints: 2, ..marked_head };
    assert_eq!(choose_prefixes(&ten, &crowded, Some(8), [Some(5), None]), [10]);
}
