//! opencode: its database, an export, its events (the last version of a part counts), or the files of its old storage.

use crate::assembly::CLEARED;
use crate::formats::prelude::*;

mod stored;
mod thread;

pub(crate) use stored::StoredSessions;
use thread::{ById, Draft, StoredPart};

pub(super) const FORMAT: Format = Format::of::<OpenCodeReader>(
    Agent::OpenCode,
    "an export `{info, messages: [{info, parts}]}`, events with `type` \"message.updated\" and `properties`, or a file of `storage/session`",
    |record| {
        let event = if record.get("event").is_object() { record.get("event") } else { record };
        let is_dotted = |kind: &str| ["session.", "message.", "server."].iter().any(|start| kind.starts_with(start));
        let is_event = event.str("type").is_some_and(is_dotted) && event.get("properties").is_object();
        let first = record.get("messages").list().first();
        let is_export = first.is_some_and(|first| first.has("info") && first.has("parts"));
        let is_stored = is_session(record) || is_message(record) || is_part(record);
        Evidence::sure_if(is_export || is_event || is_stored)
    },
);

fn is_session(record: &Json<'_>) -> bool {
    let is_named = record.str("id").is_some_and(|id| id.starts_with("ses_"));
    is_named && record.has("time") && ["projectID", "directory", "version"].iter().any(|key| record.has(key))
}

fn is_message(record: &Json<'_>) -> bool {
    let is_named = record.str("id").is_some_and(|id| id.starts_with("msg_"));
    is_named && record.has("sessionID") && record.has("role")
}

fn is_part(record: &Json<'_>) -> bool {
    record.has("messageID") && record.has("sessionID") && record.has("type")
}

#[derive(Default)]
struct OpenCodeReader {
    assembly: Assembly,
    /// By session id, the messages by id: of the main session, and of those started by its `task` tool.
    sessions: ById<ById<Draft>>,
}

impl Reader for OpenCodeReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("messages").is_list() {
            self.describe(record.get("info"));
            for mut message in record.take_list("messages") {
                self.info_with_ids(message.get("info"), notes);
                for part in message.take_list("parts") {
                    self.part_with_ids(part, notes);
                }
            }
        } else if record.get("properties").is_object() || record.get("event").is_object() {
            self.event(record, notes);
        } else {
            self.stored(record, notes);
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        for (number, (id, messages)) in self.sessions.into_iter().enumerate() {
            let thread = if number == 0 { 0 } else { self.assembly.open_thread(ThreadKind::SubAgent, Some(id)) };
            thread::play(&mut self.assembly, thread, messages);
        }
        self.assembly.finish()
    }
}

impl OpenCodeReader {
    fn event(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let mut event = if record.get("event").is_object() { record.take("event") } else { record };
        let mut properties = event.take("properties");
        match event.str("type").unwrap_or_default() {
            "message.updated" => self.info_with_ids(properties.get("info"), notes),
            "message.part.updated" => self.part_with_ids(properties.take("part"), notes),
            "session.created" | "session.updated" => self.describe(properties.get("info")),
            // The complete part repeats its deltas; the rest is for the screen.
            _ => {}
        }
    }

    /// Reads one file of the storage. A session started by another one has its own file.
    fn stored(&mut self, record: Json<'_>, notes: &mut Notes) {
        if is_part(&record) {
            self.part_with_ids(record, notes);
        } else if is_message(&record) {
            self.info_with_ids(&record, notes);
        } else if is_session(&record) {
            self.describe(&record);
            if record.has("parentID") {
                self.assembly.mark_sub_agent();
            }
        } else {
            notes.incomplete("a session, a message with `sessionID` and `role`, or a part with `messageID`");
        }
    }

    fn describe(&mut self, info: &Json<'_>) {
        self.assembly.describe(info.string("id"), info.string("directory"), info.string("version"));
    }

    /// The message with this id, created if it is new; `None` without an id.
    fn draft(&mut self, [session, message]: [Option<&str>; 2]) -> Option<&mut Draft> {
        let messages = self.sessions.entry(session.unwrap_or_default().to_owned()).or_default();
        Some(messages.entry(message?.to_owned()).or_default())
    }

    fn info_with_ids(&mut self, info: &Json<'_>, notes: &Notes) {
        self.info([info.str("sessionID"), info.str("id")], info, notes.line());
    }

    fn info(&mut self, ids: [Option<&str>; 2], info: &Json<'_>, line: u64) {
        let Some(draft) = self.draft(ids) else { return };
        (draft.is_user, draft.has_failed) = (info.str("role") == Some("user"), info.has("error"));
        draft.answered = Request {
            at_ms: info.get_path(&["time", "created"]).as_ms(),
            model: info.model("modelID").or_else(|| info.get("model").model("modelID")),
            usage: usage::read(info.get("tokens")),
            cost_usd: info.get("cost").as_f64(),
            kind: if info.is_true("summary") { RequestKind::Compaction } else { RequestKind::Turn },
            line: if draft.answered.line == 0 { line } else { draft.answered.line },
            ..Request::default()
        };
    }

    fn part_with_ids(&mut self, part: Json<'_>, notes: &mut Notes) {
        let [session, message, id] = ["sessionID", "messageID", "id"].map(|key| part.string(key));
        let id = id.unwrap_or_default();
        self.part([session.as_deref(), message.as_deref()], &id, part, notes);
    }

    fn part(&mut self, ids: [Option<&str>; 2], id: &str, mut part: Json<'_>, notes: &mut Notes) {
        let read = stored_part(&mut part, notes);
        if let Some(draft) = self.draft(ids) {
            draft.parts.insert(id.to_owned(), read);
        }
    }
}

fn stored_part(part: &mut Json<'_>, notes: &mut Notes) -> StoredPart {
    match part.str("type").unwrap_or_default() {
        "text" if part.is_true("ignored") => StoredPart::Nothing,
        "text" => StoredPart::Part(Part::Text(part.take_text("text"))),
        "reasoning" => StoredPart::Part(Part::Reasoning { text: part.take_text("text"), opaque: None }),
        "step-finish" => StoredPart::StepFinish(usage::read(part.get("tokens")), part.get("cost").as_f64()),
        "tool" => tool(part),
        // Their text is in a separate part.
        "file" if matches!(part.str("mime"), Some("text/plain" | "application/x-directory")) => StoredPart::Nothing,
        "file" => StoredPart::Part(blocks::media_of_url(MediaKind::File, part.take_text("url"))),
        "compaction" => StoredPart::Compaction { tail: part.string("tail_start_id") },
        "step-start" | "snapshot" | "patch" | "agent" | "retry" | "subtask" => StoredPart::Nothing,
        kind => {
            notes.unknown_part(Some(kind));
            StoredPart::Nothing
        }
    }
}

/// Reads a call and, once available, its result; a cleared result has the time of clearing and keeps its text.
fn tool(part: &mut Json<'_>) -> StoredPart {
    let (id, name) = (part.take_text("callID"), part.take_text("tool"));
    let mut state = part.take("state");
    let arguments = blocks::arguments(state.take("input"));
    let at_ms = state.get_path(&["time", "end"]).as_ms();
    let cleared_ms = state.get_path(&["time", "compacted"]).as_ms();
    let is_always_cleared = cleared_ms.is_none() && state.get("time").has("compacted");
    let only = |text: String| vec![Part::Text(text)];
    let content = match state.str("status") {
        Some("completed") if is_always_cleared => Some((only(CLEARED.to_owned()), false)),
        Some("completed") => {
            let mut content = only(state.take("output").into_plain());
            let files = state.take_list("attachments").into_iter();
            content.extend(files.map(|mut file| blocks::media_of_url(MediaKind::File, file.take_text("url"))));
            Some((content, false))
        }
        Some("error") => Some((only(state.take("error").into_plain()), true)),
        _ => None,
    };
    let result = content.map(|(content, is_error)| Part::Result { id: id.clone(), content, is_error });
    StoredPart::Call { call: Part::Call { id, name, arguments, free_text: false }, result, at_ms, cleared_ms }
}
