//! Reads the part of a request body before the messages.

use super::gemini;
use crate::json::Json;
use crate::model::{Message, Part, Role};
use crate::notes::Notes;

/// Tools and system prompt of Anthropic, OpenAI and Gemini, in the order of the provider's cache.
///
/// Gemini's SDK has both in `config`.
pub(crate) fn preamble(body: &mut Json<'_>, notes: &mut Notes) -> Vec<Message> {
    let mut config = body.take("config");
    let mut out = Vec::new();
    for holder in [&mut *body, &mut config] {
        let tools = holder.take("tools");
        if !tools.list().is_empty() {
            out.push(Message::new(Role::System, None, vec![Part::Tools(tools.to_text())]));
        }
    }
    for holder in [body, &mut config] {
        for key in ["system", "instructions", "systemInstruction"] {
            let mut text = holder.take(key);
            if text.has("parts") {
                text = text.take("parts");
            }
            let parts = gemini::parts(text, notes);
            if !parts.is_empty() {
                out.push(Message::new(Role::System, None, parts));
            }
        }
    }
    out
}
