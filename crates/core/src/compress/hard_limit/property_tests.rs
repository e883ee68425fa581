use proptest::prelude::*;

use super::super::message::{Call, Made, Message, Role};
use super::tests::{NOTICE, is, made, of, pinned, system, tool, user};
use super::*;

/// Blocks of a conversation that a provider would take.
#[derive(Debug, Clone)]
enum Block {
    Says(Role, u32),
    Calls { results: Vec<u32>, call_tokens: u32, thinking: bool, anthropic: bool, same_ids: bool },
    Pinned(u32),
    Made(Made, u32),
}

fn any_block() -> impl Strategy<Value = Block> {
    let tokens = || prop_oneof![6 => 1..300_u32, 1 => 300..6_000_u32];
    prop_oneof![
        3 => tokens().prop_map(|tokens| Block::Says(Role::User, tokens)),
        2 => tokens().prop_map(|tokens| Block::Says(Role::Assistant, tokens)),
        1 => (1..300_u32).prop_map(|tokens| Block::Says(Role::System, tokens)),
        6 => (prop::collection::vec(tokens(), 1..4), tokens(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
            |(results, call_tokens, thinking, anthropic, same_ids)| Block::Calls { results, call_tokens, thinking, anthropic, same_ids }
        ),
        1 => tokens().prop_map(Block::Pinned),
        1 => (prop::sample::select(vec![Made::Summary, Made::Notice, Made::Pinned]), 1..900_u32)
            .prop_map(|(made, tokens)| Block::Made(made, tokens)),
    ]
}

fn add(messages: &mut Vec<Message>, block: &Block) {
    match block {
        Block::Says(role, tokens) => messages.push(of(*role, *tokens)),
        Block::Pinned(tokens) => messages.push(pinned(user(*tokens))),
        Block::Made(which, tokens) => messages.push(made(*which, *tokens)),
        Block::Calls { results, call_tokens, thinking, anthropic, same_ids } => {
            let turn = if *same_ids { 0 } else { messages.len() };
            let ids: Vec<String> = (0..results.len()).map(|number| format!("{turn}_{number}")).collect();
            let calls = ids.iter().map(|id| Call { id: id.clone(), ..Call::default() }).collect();
            messages.push(Message { calls, has_thinking: *thinking, ..of(Role::Assistant, *call_tokens) });
            if *anthropic {
                messages.push(Message { answers: ids, ..user(results.iter().sum()) });
            } else {
                messages.extend(ids.iter().zip(results).map(|(id, &tokens)| tool(id, tokens)));
            }
        }
    }
}

fn any_conversation() -> impl Strategy<Value = Vec<Message>> {
    (0..400_u32, prop::collection::vec(any_block(), 0..25), 0..3_usize).prop_map(
        |(prompt, blocks, missing)| {
            let mut messages = vec![system(prompt)];
            for block in &blocks {
                add(&mut messages, block);
            }
            // The last results may still be to come.
            while missing > 0
                && messages.last().is_some_and(|last| last.role == Role::Tool)
                && messages.len() % 3 < missing
            {
                messages.pop();
            }
            messages
        },
    )
}

/// What a face does with a cut. Texts come out a bit longer or shorter than asked for.
fn applied(messages: &[Message], cut: &Cut, deviation: f64) -> Vec<Message> {
    let mut result = Vec::new();
    for index in 0..=messages.len() {
        if cut.notice_at == Some(index) {
            result.push(Message { tokens: NOTICE, ..made(Made::Notice, 0) });
        }
        let Some(message) = messages.get(index) else { break };
        if cut.dropped.iter().any(|range| range.contains(&index)) {
            continue;
        }
        let mut message = message.clone();
        if let Some(short) = cut.shorten.iter().find(|short| short.index == index) {
            message.tokens = short.max_tokens * deviation;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            message.text.truncate(message.tokens as usize * 3);
        }
        result.push(message);
    }
    result
}

/// The pairs as a provider sees them: how often each declared id is answered before it is declared again.
fn is_validly_paired(messages: &[Message]) -> bool {
    messages.iter().enumerate().all(|(index, message)| {
        let declared = |id: &String| {
            messages[..index].iter().any(|earlier| earlier.calls.iter().any(|call| call.id == *id))
        };
        let answered = |call: &Call| {
            let later = &messages[index + 1..];
            let next = later.iter().position(|later| later.calls.iter().any(|again| again.id == call.id));
            later[..next.unwrap_or(later.len())].iter().any(|later| later.answers.contains(&call.id))
        };
        message.answers.iter().all(declared) && message.calls.iter().all(answered)
    })
}

/// Whether the turn at the end begins with thinking, or has none.
fn last_turn_keeps_its_thinking(messages: &[Message]) -> bool {
    let begins =
        messages.iter().rposition(|message| message.role == Role::User && message.answers.is_empty());
    let mut of_turn =
        messages[begins.unwrap_or(0)..].iter().filter(|message| message.role == Role::Assistant);
    of_turn.next().is_none_or(|first| first.has_thinking) || of_turn.all(|later| !later.has_thinking)
}

fn total(messages: &[Message], fixed_tokens: f64) -> f64 {
    fixed_tokens + messages.iter().map(|message| message.tokens).sum::<f64>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn r7_11_applied_until_it_is_enough_the_result_is_under_the_limit_and_valid(
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
            let answer = cut(&messages, fixed_tokens, limit_tokens, keep_recent, NOTICE);
            prop_assert_eq!(&answer, &cut(&messages, fixed_tokens, limit_tokens, keep_recent, NOTICE));
            let cut = match answer {
                Ok(cut) => cut,
                Err(refused) => {
                    let system = messages.iter().take_while(|message| message.role == Role::System);
                    let system: Vec<Message> = system.cloned().collect();
                    prop_assert!(is(refused.system_tokens, total(&system, fixed_tokens)));
                    prop_assert!(refused.system_tokens + NOTICE > limit_tokens - 1e-6);
                    return Ok(());
                }
            };
            prop_assert!(cut.tokens_after <= limit_tokens + 1e-6);
            prop_assert!(is(total(&applied(&messages, &cut, 1.0), fixed_tokens), cut.tokens_after));
            prop_assert!(cut.notice_at.is_some() != cut.dropped.is_empty());
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
