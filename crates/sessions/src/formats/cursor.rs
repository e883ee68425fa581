//! Cursor's transcripts (`~/.cursor/projects/*/agent-transcripts`): one line per message, with the role outside the message. Calls have no
//! ids; results, usage and models are mostly missing.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{blocks, message, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{Part, Role, Session};
use crate::notes::Notes;
use crate::times::written_ms;

const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];
/// The record, or block, that ends a turn.
const TURN_ENDED: &str = "turn_ended";
/// Description of an expected line.
const EXPECTED: &str = "a `role` and a `message` with `content`";

pub(super) const FORMAT: Format = Format {
    agent: Agent::Cursor,
    expects: "lines `{role, message: {content}}` with a role of user, assistant or tool",
    skipped: &[],
    evidence,
    reader: || Box::<CursorReader>::default(),
};

fn evidence(record: &Json<'_>) -> Evidence {
    let role = record.str("role").is_some_and(|role| ROLES.contains(&role));
    let is_line = role && record.get("message").has("content") && !record.has("type");
    Evidence::sure_if(is_line).max(Evidence::hint_if(record.str("type") == Some(TURN_ENDED)))
}

#[derive(Default)]
struct CursorReader {
    assembly: Assembly,
    calls: usize,
    /// Calls without a result: tool name and id.
    unanswered: Vec<(String, String)>,
}

impl Reader for CursorReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.str("type") == Some(TURN_ENDED) {
            return;
        }
        let mut inner = record.take("message");
        if !inner.has("content") {
            notes.incomplete(EXPECTED);
            return;
        }
        let times = ["timestamp", "createdAt"].into_iter();
        let at_ms = times.flat_map(|key| [record.get(key), inner.get(key)]).find_map(Json::as_ms);
        let (model, usage) = (inner.string("model"), usage::read(inner.get("usage")));
        let mut content = Vec::new();
        for block in blocks_of(inner.take("content")) {
            match block.str("type") {
                Some(TURN_ENDED) => {}
                Some("tool_use") => content.push(self.call(block)),
                Some("tool_result") => content.push(self.result(block)),
                _ => content.push(block),
            }
        }
        let role = record.str("role").unwrap_or("user").to_owned();
        let message = Json::Object(vec![
            ("role".into(), Json::Text(role.into())),
            ("content".into(), Json::List(content)),
        ]);
        let Some(mut read) = message::message(message, EXPECTED, notes) else { return };
        if read.message.is_results() {
            read.message.role = Role::Tool;
        }
        read.message.at_ms = at_ms.or_else(|| read.message.parts.iter().find_map(timestamp_ms));
        if !read.message.parts.is_empty() {
            self.assembly.add(0, read.message, AnsweredRequest { model, usage, ..read.answered });
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl CursorReader {
    /// Gives a call an id if it has none.
    fn call<'j>(&mut self, mut block: Json<'j>) -> Json<'j> {
        self.calls += 1;
        let name = block.string("name").unwrap_or_default();
        let id = block.string("id").filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| format!("call-{}", self.calls));
        let input = block.take(if block.has("parameters") { "parameters" } else { "input" });
        self.unanswered.push((name.clone(), id.clone()));
        Json::Object(vec![
            ("type".into(), Json::Text("tool_use".into())),
            ("id".into(), Json::Text(id.into())),
            ("name".into(), Json::Text(name.into())),
            ("input".into(), Json::Text(blocks::arguments(input).into())),
        ])
    }

    /// A result without an id belongs to the oldest open call of its tool, or to the oldest open call.
    fn result<'j>(&mut self, mut block: Json<'j>) -> Json<'j> {
        let given_id = block.string("tool_use_id").filter(|id| !id.is_empty());
        let name = block.string("name");
        let place = match (&given_id, &name) {
            (Some(given_id), _) => self.unanswered.iter().position(|(_, id)| id == given_id),
            (None, Some(name)) => self.unanswered.iter().position(|(tool, _)| tool == name),
            (None, None) => (!self.unanswered.is_empty()).then_some(0),
        };
        let answered = place.map(|at| self.unanswered.remove(at).1);
        let mut content = block.take(if block.has("content") { "content" } else { "result" });
        let has_failed = block.is_true("is_error") || content.has("failure");
        for key in ["success", "failure"] {
            if content.has(key) {
                content = content.take(key);
            }
        }
        Json::Object(vec![
            ("type".into(), Json::Text("tool_result".into())),
            ("tool_use_id".into(), Json::Text(given_id.or(answered).unwrap_or_default().into())),
            ("is_error".into(), Json::Bool(has_failed)),
            ("content".into(), content),
        ])
    }
}

/// Content as blocks; older transcripts have one string.
fn blocks_of(content: Json<'_>) -> Vec<Json<'_>> {
    match content {
        Json::List(blocks) => blocks,
        Json::Null => Vec::new(),
        text @ Json::Text(_) => {
            vec![Json::Object(vec![("type".into(), Json::Text("text".into())), ("text".into(), text)])]
        }
        block => vec![block],
    }
}

/// The timestamp that Cursor inserts before a prompt.
fn timestamp_ms(part: &Part) -> Option<i64> {
    let Part::Text(text) = part else { return None };
    let (given_id, _) = text.trim_start().strip_prefix("<timestamp>")?.split_once("</timestamp>")?;
    written_ms(given_id)
}
