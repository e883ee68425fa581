//! Cursor's transcripts: one message a line. Calls have no ids; results, usage and models are mostly missing.

use crate::formats::prelude::*;
use crate::times::cursor_ms;

const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];
const TURN_ENDED: &str = "turn_ended";

pub(super) const FORMAT: Format = Format::of::<CursorReader>(
    Agent::Cursor,
    "lines `{role, message: {content}}` with a role of user, assistant or tool",
    |record| {
        let has_role = record.str("role").is_some_and(|role| ROLES.contains(&role));
        let is_line = has_role && record.get("message").has("content") && !record.has("type");
        Evidence::sure_if(is_line).max(Evidence::hint_if(record.str("type") == Some(TURN_ENDED)))
    },
);

#[derive(Default)]
struct CursorReader {
    assembly: Assembly,
    call_count: usize,
    unanswered: Vec<(String, String)>,
}

impl Reader for CursorReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.str("type") == Some(TURN_ENDED) {
            return;
        }
        let mut inner = record.take("message");
        if !inner.has("content") {
            notes.incomplete("a `role` and a `message` with `content`");
            return;
        }
        let times = ["timestamp", "createdAt"].into_iter();
        let at_ms = times.flat_map(|key| [record.get(key), inner.get(key)]).find_map(Json::as_ms);
        let (model, usage) = (inner.model("model"), usage::read(inner.get("usage")));
        let mut parts = Vec::new();
        for block in inner.take("content").into_values() {
            match block.str("type") {
                Some(TURN_ENDED) => {}
                Some("tool_use") => parts.push(self.call(block)),
                Some("tool_result") => parts.push(self.result(block, notes)),
                _ => parts.extend(blocks::parts(Json::List(vec![block]), notes)),
            }
        }
        let role = message::role_of(record.str("role").unwrap_or("user"));
        let at_ms = at_ms.or_else(|| parts.iter().find_map(timestamp_ms));
        let mut message = Message::new(role, at_ms, parts);
        if message.has_only_results() {
            message.role = Role::Tool;
        }
        if !message.parts.is_empty() {
            let answered = Request { model, usage, line: notes.line(), ..Request::default() };
            self.assembly.add_message(0, message, answered);
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl CursorReader {
    fn call(&mut self, mut block: Json<'_>) -> Part {
        self.call_count += 1;
        let name = block.take_text("name");
        let id = block.take_nonempty("id").unwrap_or_else(|| format!("call-{}", self.call_count));
        let input = block.take(if block.has("parameters") { "parameters" } else { "input" });
        self.unanswered.push((name.clone(), id.clone()));
        Part::Call { id, name, arguments: blocks::arguments(input), free_text: false }
    }

    /// A result without an id belongs to the oldest open call of its tool, or to the oldest open call.
    fn result(&mut self, mut block: Json<'_>, notes: &mut Notes) -> Part {
        let given_id = block.string("tool_use_id").filter(|id| !id.is_empty());
        let name = block.string("name");
        let index = match (&given_id, &name) {
            (Some(given_id), _) => self.unanswered.iter().position(|(_, id)| id == given_id),
            (None, Some(name)) => self.unanswered.iter().position(|(tool, _)| tool == name),
            (None, None) => (!self.unanswered.is_empty()).then_some(0),
        };
        let call_id = index.map(|index| self.unanswered.remove(index).1);
        let mut content = block.take(if block.has("content") { "content" } else { "result" });
        let is_error = block.is_true("is_error") || content.has("failure");
        for key in ["success", "failure"] {
            if content.has(key) {
                content = content.take(key);
            }
        }
        let id = given_id.or(call_id).unwrap_or_default();
        Part::Result { id, content: blocks::result(content, notes), is_error }
    }
}

/// The timestamp that Cursor inserts before a prompt.
fn timestamp_ms(part: &Part) -> Option<i64> {
    let (timestamp, _) = part.as_text()?.trim_start().strip_prefix("<timestamp>")?.split_once("</timestamp>")?;
    cursor_ms(timestamp)
}
