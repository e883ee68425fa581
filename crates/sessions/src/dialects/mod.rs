//! Readers of message dialects, shared by the formats. Types of content *blocks* don't clash between providers, so one
//! reader (`blocks`) has them all, except Gemini's parts without types, Responses items, parts of UI messages, and
//! LangChain's messages. Within a result, a part that is neither text nor media is kept unchanged.

pub(crate) mod blocks;
pub(crate) mod gemini;
pub(crate) mod items;
pub(crate) mod langchain;
pub(crate) mod message;
pub(crate) mod ui_parts;
pub(crate) mod usage;

use crate::model::{Message, Request};

/// A message, and what it records of the request that it answers.
pub(crate) struct ReadMessage {
    pub(crate) message: Message,
    pub(crate) id: Option<String>,
    /// Only used for assistant messages.
    pub(crate) answered: Request,
}

#[cfg(test)]
mod tests {
    use super::{blocks, items};
    use crate::json::Json;
    use crate::model::Part;
    use crate::notes::Notes;

    /// Shared with the tests of the core and of the JavaScript side.
    const FIXTURE: &str = include_str!("../../../../__test__/fixtures/parts.json");

    fn kind(part: &Part) -> &'static str {
        match part {
            Part::Text(_) => "text",
            Part::Reasoning { .. } => "thinking",
            Part::Call { .. } => "call",
            Part::Result { .. } => "result",
            Part::Media(_) => "media",
            Part::Tools(_) | Part::Other { .. } => "other",
        }
    }

    #[test]
    fn r12_2_a_part_of_a_session_file_has_the_same_kind_as_in_the_core() {
        let mut fixture = Json::parse(FIXTURE, &[]).unwrap().into_values();
        for entry in &mut fixture {
            let mut notes = Notes::default();
            let part = entry.take("part");
            let name = part.string("type").unwrap_or_default();
            // A block may be called `reasoning`, too; only the item has an id.
            let is_item = (part.has("id") && name == "reasoning") || items::is_call_or_output(&name);
            let read = if is_item {
                items::item(part, &mut notes).map(|(_, parts)| parts).unwrap_or_default()
            } else {
                blocks::parts(Json::List(vec![part]), &mut notes)
            };
            assert_eq!(read.iter().map(kind).collect::<Vec<_>>(), [entry.str("kind").unwrap()], "{name}");
        }
    }
}
