//! What stands in front of the messages in a request's body.

use super::gemini;
use crate::json::Json;
use crate::model::{Message, Part, Role};
use crate::notes::Notes;

/// Tools and system prompt, in the order in which the provider caches them: Anthropic's, OpenAI's and Gemini's.
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
