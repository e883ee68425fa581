use proptest::prelude::*;

use super::tests::{NOTICE, NOTICE_TOKENS, is_near};
use super::*;
use crate::compression::conversations_for_tests::{
    any_conversation, created_as, is_validly_paired, last_turn_keeps_its_thinking,
};
use crate::compression::message::newest_user_request;
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind};
use crate::compression::plan::turns::Turns;

/// Applies a cut as the application does. `deviation` makes texts slightly longer or shorter than requested.
fn applied(messages: &[ChatMessage], cut: &HistoryCut, deviation: f64) -> Vec<ChatMessage> {
    let mut result = Vec::new();
    for index in 0..=messages.len() {
        if cut.notice_at == Some(index) {
            result.push(ChatMessage { tokens: NOTICE, ..created_as(CreatedKind::Notice, 0) });
        }
        let Some(message) = messages.get(index) else { break };
        if cut.dropped.iter().any(|range| range.contains(&index)) {
            continue;
        }
        let mut message = message.clone();
        if let Some(short) = cut.shortened.iter().find(|short| short.index == index) {
            message.tokens = short.max_tokens * deviation;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            message.text.truncate(message.tokens as usize * 3);
        }
        result.push(message);
    }
    result
}

fn total(messages: &[ChatMessage], fixed_tokens: f64) -> f64 {
    fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>()
}

/// The current request stays whole if it fits with the messages that always stay, and no open call is removed.
fn check_request_and_open_calls(
    messages: &[ChatMessage],
    cut: &HistoryCut,
    fixed_tokens: f64,
    limit_tokens: f64,
) -> Result<(), TestCaseError> {
    let turns = Turns::new(messages);
    let is_dropped = |index: usize| cut.dropped.iter().any(|range| range.contains(&index));
    for &index in &turns.pending {
        prop_assert!(!is_dropped(index), "an open call is dropped");
    }
    let Some(request) = newest_user_request(messages) else { return Ok(()) };
    prop_assert!(!is_dropped(request) || !messages[request].answers.is_empty(), "the request is dropped");
    let system: Vec<ChatMessage> =
        messages.iter().take_while(|message| message.role == ChatRole::System).cloned().collect();
    let least_total = total(&system, fixed_tokens) + messages[request].tokens + NOTICE;
    if least_total <= limit_tokens && turns.pending.is_empty() && messages[request].answers.is_empty() {
        prop_assert!(!cut.shortened.iter().any(|short| short.index == request), "the request is cut short");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn r7_11_repeated_cuts_end_below_the_limit_with_a_valid_conversation(
        original in any_conversation(),
        fixed_tokens in 0.0..200.0_f64,
        limit_tokens in 300.0..8_000.0_f64,
        keep_recent in 0..15_usize,
        deviations in prop::collection::vec(0.8..1.1_f64, 10),
    ) {
        let (was_paired, had_thinking) = (is_validly_paired(&original), last_turn_keeps_its_thinking(&original));
        let mut messages = original;
        let mut is_under = false;
        for deviation in deviations {
            let answer = cut(&messages, fixed_tokens, limit_tokens, keep_recent, NOTICE_TOKENS);
            prop_assert_eq!(&answer, &cut(&messages, fixed_tokens, limit_tokens, keep_recent, NOTICE_TOKENS));
            let cut = match answer {
                Ok(cut) => cut,
                Err(refused) => {
                    let system = messages.iter().take_while(|message| message.role == ChatRole::System);
                    let system: Vec<ChatMessage> = system.cloned().collect();
                    prop_assert!(is_near(refused.system_tokens, total(&system, fixed_tokens)));
                    let turns = Turns::new(&messages);
                    let is_thinking = messages.iter().any(|message| message.has_thinking);
                    // Without open calls only a request of this many tokens can prevent it.
                    if turns.pending.is_empty() && !is_thinking {
                        let request = newest_user_request(&messages).map_or(0.0, |index| {
                            if messages[index].answers.is_empty() { messages[index].tokens.min(260.0) } else { 0.0 }
                        });
                        prop_assert!(refused.system_tokens + request + NOTICE > limit_tokens - 1e-6);
                    }
                    return Ok(());
                }
            };
            prop_assert!(cut.tokens_after <= limit_tokens + 1e-6);
            prop_assert!(is_near(total(&applied(&messages, &cut, 1.0), fixed_tokens), cut.tokens_after));
            prop_assert!(cut.notice_at.is_some() != cut.dropped.is_empty());
            check_request_and_open_calls(&messages, &cut, fixed_tokens, limit_tokens)?;
            messages = applied(&messages, &cut, deviation);
            prop_assert!(!was_paired || is_validly_paired(&messages), "{:?}", cut);
            prop_assert!(!had_thinking || last_turn_keeps_its_thinking(&messages), "{:?}", cut);
            is_under = total(&messages, fixed_tokens) <= limit_tokens;
            if is_under {
                break;
            }
        }
        prop_assert!(is_under, "ten rounds are not enough");
    }
}
