//! Reads what precedes the messages in the provider's cache: a request body's tools and system prompt.

use super::gemini;
use crate::json::Json;
use crate::model::{Message, Part, Role};
use crate::notes::Notes;

/// Tools and system prompt of a body of Anthropic, OpenAI or Gemini, whose SDK has both in `config`.
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
            let mut system = holder.take(key);
            if system.has("parts") {
                system = system.take("parts");
            }
            let parts = gemini::parts(system, notes);
            if !parts.is_empty() {
                out.push(Message::new(Role::System, None, parts));
            }
        }
    }
    out
}
