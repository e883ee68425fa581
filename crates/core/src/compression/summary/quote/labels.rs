//! Writes the header of a quoted text: its author, and the call that it is the result of.

use serde_json::Value;

use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, ToolCall};
use crate::compression::plan::pairs::Pairs;
use crate::compression::record::digest::entry::one_line;
use crate::tools::arguments::distinguishing;

/// Names and arguments come from the history, and must not make a header arbitrarily long.
const LONGEST_NAME_CHARS: usize = 64;
const LONGEST_ARGUMENTS_CHARS: usize = 60;

/// A message in Anthropic's form may answer any number of calls.
const MAX_CALLS: usize = 3;

/// `assistant calls Bash`.
pub(super) fn of_call(call: &ToolCall) -> String {
    format!("assistant calls {}", name_of(call))
}

/// `user`, ``result of Bash `npm test` (failed)``.
pub(super) fn of_text(messages: &[ChatMessage], pairs: &Pairs, index: usize, has_failed: bool) -> String {
    let Some(message) = messages.get(index) else { return String::new() };
    let answers = !message.answers.is_empty() || message.role == ChatRole::Tool;
    let mut label = match message.role {
        _ if answers => of_result(&pairs.calls_answered_by(index, messages).collect::<Vec<_>>()),
        _ if message.created_as == Some(CreatedKind::Notice) => "notice of a truncation".to_owned(),
        ChatRole::System => "system".to_owned(),
        ChatRole::User => "user".to_owned(),
        ChatRole::Assistant => "assistant".to_owned(),
        ChatRole::Tool | ChatRole::Other => "other".to_owned(),
    };
    if has_failed || message.failed {
        label.push_str(" (failed)");
    }
    label
}

fn of_result(calls: &[&ToolCall]) -> String {
    if calls.is_empty() {
        return "tool result".to_owned();
    }
    let mut names: Vec<String> = calls.iter().take(MAX_CALLS).map(|call| with_arguments(call)).collect();
    if calls.len() > MAX_CALLS {
        names.push(format!("and {} more", calls.len() - MAX_CALLS));
    }
    format!("result of {}", names.join(", "))
}

fn with_arguments(call: &ToolCall) -> String {
    match telling_argument(call).map(|text| harmless(&one_line(&text, LONGEST_ARGUMENTS_CHARS))) {
        Some(arguments) if !arguments.is_empty() => format!("{} `{arguments}`", name_of(call)),
        _ => name_of(call),
    }
}

/// The command, path, pattern or similar; else all arguments.
fn telling_argument(call: &ToolCall) -> Option<String> {
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    distinguishing(&call.name, &arguments).or_else(|| {
        let fields = arguments.as_object()?;
        (!fields.is_empty()).then(|| call.arguments.clone())
    })
}

fn name_of(call: &ToolCall) -> String {
    let name: String = harmless(&call.name).chars().take(LONGEST_NAME_CHARS).collect();
    if name.trim().is_empty() { "a tool".to_owned() } else { name }
}

/// Removes characters that could end a header.
fn harmless(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().replace('[', "(").replace(']', ")")
}
