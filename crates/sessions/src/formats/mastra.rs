//! Mastra: messages of a memory, as returned by its API or stored in tables; `content` is an object with UI parts.

use indexmap::IndexMap;

use crate::dialects::ui_parts::{self, TurnStep};
use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<MastraReader>(
    Agent::Mastra,
    "a list of messages (or an object with `messages`), each with `role` and `content.parts`",
    |record| {
        let threads = record.get("threads").list().iter().map(|thread| thread.get("messages").list());
        let listed = if record.is_list() { record.list() } else { record.get("messages").list() };
        let lists = threads.chain([listed, std::slice::from_ref(record)]);
        Evidence::sure_if(lists.flat_map(|messages| messages.iter().take(20)).any(is_message))
    },
);

/// True for a message in Mastra's form; databases hold its content as JSON text.
fn is_message(message: &Json<'_>) -> bool {
    let content = message.get("content");
    let text = content.as_str().unwrap_or_default();
    let is_text = text.starts_with('{') && text.contains("\"parts\"") && text.contains("\"format\"");
    message.has("role") && (content.get("parts").is_list() || is_text)
}

#[derive(Default)]
struct MastraReader {
    threads: IndexMap<Option<String>, Vec<Turn>>,
}

struct Turn {
    role: Role,
    steps: Vec<TurnStep>,
    answered: Request,
}

impl Reader for MastraReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        for mut thread in record.take_list("threads") {
            let id = thread.string("id");
            self.messages(thread.take_list("messages"), id.as_deref(), notes);
        }
        let id = record.get_path(&["thread", "id"]).as_str().or(record.str("threadId")).map(str::to_owned);
        if record.get("messages").is_list() {
            record = record.take("messages");
        }
        match record {
            Json::List(messages) => self.messages(messages, id.as_deref(), notes),
            message if message.has("role") => self.messages(vec![message], None, notes),
            _ => {}
        }
    }

    /// One session per thread.
    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        let session = |(id, mut turns): (Option<String>, Vec<Turn>)| {
            // Table rows come in any order.
            if turns.iter().all(|turn| turn.answered.at_ms.is_some()) {
                turns.sort_by_key(|turn| turn.answered.at_ms);
            }
            let mut assembly = Assembly::default();
            assembly.session.id = id;
            for Turn { role, steps, answered } in turns {
                ui_parts::add_turn(&mut assembly, role, steps, &answered);
            }
            assembly.finish()
        };
        self.threads.into_iter().flat_map(session).collect()
    }
}

impl MastraReader {
    fn messages(&mut self, messages: Vec<Json<'_>>, thread: Option<&str>, notes: &mut Notes) {
        for message in messages {
            let own = ["threadId", "thread_id"].into_iter().find_map(|key| message.str(key));
            let id = own.or(thread).map(str::to_owned);
            match turn(message, notes) {
                Some(turn) => self.threads.entry(id).or_default().push(turn),
                None => notes.incomplete("a message with `role` and `content.parts`"),
            }
        }
    }
}

fn turn(mut message: Json<'_>, notes: &mut Notes) -> Option<Turn> {
    let line = notes.line();
    if !is_message(&message) {
        // Messages of format 1 are the AI SDK's.
        let read = message::read(message, notes)?;
        let Message { role, at_ms, parts } = read.message;
        let steps = vec![TurnStep { parts, results: Vec::new() }];
        let model = read.answered.model;
        return Some(Turn { role, steps, answered: Request { at_ms, model, line, ..Request::default() } });
    }
    let role = match message.str("role")? {
        "assistant" => Role::Assistant,
        "system" => Role::System,
        // The model sees a signal as a user message.
        _ => Role::User,
    };
    let at_ms = ["createdAt", "created_at"].into_iter().find_map(|key| message.time_ms(key));
    let (model, steps) = match message.take("content") {
        Json::Text(text) => content_of(Json::parse(&text, &[]).ok()?, notes),
        content => content_of(content, notes),
    };
    Some(Turn { role, steps, answered: Request { at_ms, model, line, ..Request::default() } })
}

fn content_of(mut content: Json<'_>, notes: &mut Notes) -> (Option<ModelName>, Vec<TurnStep>) {
    (content.get("metadata").model("modelId"), ui_parts::steps(&mut content, notes))
}
