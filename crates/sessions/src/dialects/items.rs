//! Items of OpenAI's Responses API: reasoning, messages, calls and outputs are separate entries of a list.

use palimpsest_core::failure::forms::STATUSES;
use palimpsest_core::message::PartKind;

use super::blocks;
use crate::{Json, Notes, Part, Role};

/// Reads one item as a role and parts; `None` if it has no content. Consecutive assistant items form one message.
pub(crate) fn item(mut item: Json<'_>, notes: &mut Notes) -> Option<(Role, Vec<Part>)> {
    let kind = item.string("type").unwrap_or_default();
    let role = match item.str("role") {
        Some("system") => Role::System,
        Some("developer") => Role::Developer,
        Some("assistant") => Role::Assistant,
        _ => Role::User,
    };
    match kind.as_str() {
        "" if !item.has("role") => None,
        "message" | "" => Some((role, blocks::parts(item.take("content"), notes))),
        // A compaction item holds everything before it, encrypted.
        "reasoning" | "compaction" | "compaction_summary" => Some((Role::Assistant, vec![reasoning(item)])),
        "ghost_snapshot" | "item_reference" => None,
        name if PartKind::of_type(name) == PartKind::Result => {
            let id = item.take_text(if item.has("call_id") { "call_id" } else { "callId" });
            let is_error = item.str("status").is_some_and(|status| STATUSES.contains(&status));
            let output = item.take(if item.has("output") { "output" } else { "tools" });
            Some((Role::Tool, vec![Part::Result { id, content: blocks::result(output, notes), is_error }]))
        }
        name if PartKind::of_type(name) == PartKind::Call => Some((Role::Assistant, vec![call_part(&kind, item)])),
        _ => {
            notes.unknown_part(Some(&kind));
            Some((Role::Assistant, vec![blocks::other(Some(&kind), &item)]))
        }
    }
}

pub(crate) fn parts(items: Vec<Json<'_>>, notes: &mut Notes) -> Vec<Part> {
    items.into_iter().filter_map(|value| item(value, notes)).flat_map(|(_, parts)| parts).collect()
}

pub(crate) fn is_call_or_output(name: &str) -> bool {
    ["_call", "_call_output", "_call_result"].iter().any(|end| name.ends_with(end))
}

fn reasoning(mut item: Json<'_>) -> Part {
    let texts = item.take_list("summary").into_iter().chain(item.take_list("content"));
    let texts: Vec<_> = texts.filter_map(|mut part| part.take_string("text")).collect();
    Part::Reasoning { text: texts.join("\n"), opaque: item.take_string("encrypted_content") }
}

fn call_part(kind: &str, mut item: Json<'_>) -> Part {
    let keys = ["call_id", "callId", "id"];
    let id = item.take_text(keys.into_iter().find(|key| item.has(key)).unwrap_or("id"));
    let name = item.take_string("name").unwrap_or_else(|| kind.trim_end_matches("_call").to_owned());
    let free_text = kind == "custom_tool_call";
    let keys = ["arguments", "input", "action", "queries"];
    let key = keys.into_iter().find(|key| item.has(key)).unwrap_or("arguments");
    let arguments = blocks::arguments(item.take(key));
    Part::Call { id, name, arguments, free_text }
}
