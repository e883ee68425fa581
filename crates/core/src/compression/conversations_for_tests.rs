//! Conversations for tests: hand-written ones, and random ones that a provider would accept.

use proptest::prelude::*;

use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, ToolCall};

/// A message with about `tokens` tokens of text, at three bytes a token.
pub fn message_of_tokens(role: ChatRole, tokens: u32) -> ChatMessage {
    let text = "abc".repeat(tokens as usize);
    ChatMessage { role, text, tokens: f64::from(tokens), ..ChatMessage::default() }
}

pub fn message_of(role: ChatRole, text: &str) -> ChatMessage {
    ChatMessage { role, text: text.to_owned(), ..ChatMessage::default() }
}

/// `number` different lines.
pub fn lines(number: usize) -> String {
    (0..number).map(|line| format!("line {line} of a long text\n")).collect::<Vec<_>>().concat()
}

pub fn system(tokens: u32) -> ChatMessage {
    message_of_tokens(ChatRole::System, tokens)
}

pub fn user(tokens: u32) -> ChatMessage {
    message_of_tokens(ChatRole::User, tokens)
}

pub fn assistant(ids: &[&str], tokens: u32) -> ChatMessage {
    let calls = ids.iter().map(|&id| ToolCall { id: id.to_owned(), ..ToolCall::default() }).collect();
    ChatMessage { calls, ..message_of_tokens(ChatRole::Assistant, tokens) }
}

pub fn tool(id: &str, tokens: u32) -> ChatMessage {
    ChatMessage { answers: vec![id.to_owned()], ..message_of_tokens(ChatRole::Tool, tokens) }
}

pub fn created_as(created_as: CreatedKind, tokens: u32) -> ChatMessage {
    ChatMessage { created_as: Some(created_as), ..user(tokens) }
}

pub fn pinned(message: ChatMessage) -> ChatMessage {
    ChatMessage { pinned: true, ..message }
}

pub fn thinking(message: ChatMessage) -> ChatMessage {
    ChatMessage { has_thinking: true, ..message }
}

/// Blocks of a conversation that a provider would accept.
#[derive(Debug, Clone)]
enum TestBlock {
    Message(ChatRole, u32),
    Calls { results: Vec<u32>, call_tokens: u32, thinking: bool, anthropic: bool, same_ids: bool },
    Pinned(u32),
    CreatedKind(CreatedKind, u32),
}

fn any_block() -> impl Strategy<Value = TestBlock> {
    let tokens = || prop_oneof![6 => 1..300_u32, 1 => 300..6_000_u32];
    prop_oneof![
        3 => tokens().prop_map(|tokens| TestBlock::Message(ChatRole::User, tokens)),
        2 => tokens().prop_map(|tokens| TestBlock::Message(ChatRole::Assistant, tokens)),
        1 => (1..300_u32).prop_map(|tokens| TestBlock::Message(ChatRole::System, tokens)),
        6 => (prop::collection::vec(tokens(), 1..4), tokens(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
            |(results, call_tokens, thinking, anthropic, same_ids)| TestBlock::Calls { results, call_tokens, thinking, anthropic, same_ids }
        ),
        1 => tokens().prop_map(TestBlock::Pinned),
        1 => (prop::sample::select(vec![CreatedKind::Summary, CreatedKind::Notice, CreatedKind::Pinned]), 1..900_u32)
            .prop_map(|(created_as, tokens)| TestBlock::CreatedKind(created_as, tokens)),
    ]
}

fn add(messages: &mut Vec<ChatMessage>, block: &TestBlock) {
    match block {
        TestBlock::Message(role, tokens) => messages.push(message_of_tokens(*role, *tokens)),
        TestBlock::Pinned(tokens) => messages.push(pinned(user(*tokens))),
        TestBlock::CreatedKind(which, tokens) => messages.push(created_as(*which, *tokens)),
        TestBlock::Calls { results, call_tokens, thinking, anthropic, same_ids } => {
            let turn = if *same_ids { 0 } else { messages.len() };
            let ids: Vec<String> = (0..results.len()).map(|number| format!("{turn}_{number}")).collect();
            let calls = ids.iter().map(|id| ToolCall { id: id.clone(), ..ToolCall::default() }).collect();
            messages.push(ChatMessage {
                calls,
                has_thinking: *thinking,
                ..message_of_tokens(ChatRole::Assistant, *call_tokens)
            });
            if *anthropic {
                let units_beside_results = if results.len() == 3 { 20 } else { 0 };
                messages.push(ChatMessage { answers: ids, units_beside_results, ..user(results.iter().sum()) });
            } else {
                messages.extend(ids.iter().zip(results).map(|(id, &tokens)| tool(id, tokens)));
            }
        }
    }
}

pub fn any_conversation() -> impl Strategy<Value = Vec<ChatMessage>> {
    (0..400_u32, prop::collection::vec(any_block(), 0..25), 0..3_usize).prop_map(|(prompt, blocks, missing)| {
        let mut messages = vec![system(prompt)];
        for block in &blocks {
            add(&mut messages, block);
        }
        // The last results may be missing, as during a turn.
        while missing > 0
            && messages.last().is_some_and(|last| last.role == ChatRole::Tool)
            && messages.len() % 3 < missing
        {
            messages.pop();
        }
        messages
    })
}

/// True if every answered id was declared earlier, and every call is answered before its id is declared again.
pub fn is_validly_paired(messages: &[ChatMessage]) -> bool {
    messages.iter().enumerate().all(|(index, message)| {
        let declared =
            |id: &String| messages[..index].iter().any(|earlier| earlier.calls.iter().any(|call| call.id == *id));
        let answered = |call: &ToolCall| {
            let later = &messages[index + 1..];
            let next = later.iter().position(|later| later.calls.iter().any(|again| again.id == call.id));
            later[..next.unwrap_or(later.len())].iter().any(|later| later.answers.contains(&call.id))
        };
        message.answers.iter().all(declared) && message.calls.iter().all(answered)
    })
}

/// True if the last turn begins with thinking, or has none.
pub fn last_turn_keeps_its_thinking(messages: &[ChatMessage]) -> bool {
    let begins = messages.iter().rposition(|message| message.role == ChatRole::User && message.answers.is_empty());
    let mut of_turn = messages[begins.unwrap_or(0)..].iter().filter(|message| message.role == ChatRole::Assistant);
    of_turn.next().is_none_or(|first| first.has_thinking) || of_turn.all(|later| !later.has_thinking)
}
