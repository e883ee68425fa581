//! A plain list of messages in any dialect, stored or dumped by an application.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{body, message, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{Message, Role, Session};
use crate::notes::Notes;

pub(crate) struct MessageArray;

/// Fields that may hold messages; an OpenAI response has the assistant's items in `output`.
const LISTS: [&str; 7] = ["messages", "history", "contents", "input", "items", "conversation", "output"];

impl Format for MessageArray {
    fn agent(&self) -> Agent {
        Agent::MessageArray
    }

    fn expects(&self) -> &'static str {
        "a list of messages (or an object with `messages`), each with a `role` and `content`, `parts` or `tool_calls`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let lists = LISTS.iter().map(|key| record.get(key)).filter(|list| list.is_list());
        let messages = lists.chain([record]).find(|list| !list.list().is_empty());
        let some = messages.map_or(std::slice::from_ref(record), Json::list);
        Evidence::hint_if(some.iter().take(20).any(message::is_message))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ArrayReader::new(Agent::MessageArray))
    }
}

/// Reads messages and items one by one, and the object around a list of them.
pub(super) struct ArrayReader {
    pub(super) assembly: Assembly,
    /// The assistant message to which further Responses items belong.
    open: Option<u32>,
}

impl Reader for ArrayReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if !LISTS.into_iter().any(|key| record.get(key).is_list()) {
            return self.messages(record, notes);
        }
        let session = &mut self.assembly.session;
        session.id = ["id", "sessionId"].into_iter().find_map(|key| record.string(key));
        for message in body::preamble(&mut record, notes) {
            self.assembly.push(0, message);
        }
        // The record of a request may include its response.
        let output = record.take("output");
        if let Some(text) = record.str("input") {
            self.user(text);
        }
        if let Some(key) = LISTS.into_iter().find(|key| record.get(key).is_list()) {
            let listed = record.take(key);
            self.messages(listed, notes);
        }
        if output.is_list() {
            self.answer(output, &record, notes);
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl ArrayReader {
    pub(super) fn new(agent: Agent) -> Self {
        Self { assembly: Assembly::new(agent), open: None }
    }

    /// Adds a user message.
    pub(super) fn user(&mut self, text: &str) {
        self.open = None;
        self.assembly.push(0, Message::text(Role::User, None, text));
    }

    /// Reads a list of messages, or a single one.
    pub(super) fn messages(&mut self, messages: Json<'_>, notes: &mut Notes) {
        match messages {
            Json::List(messages) => {
                for message in messages {
                    self.message(message, notes);
                }
            }
            message => self.message(message, notes),
        }
    }

    /// Reads the items of one response, with its usage and model.
    pub(super) fn answer(&mut self, items: Json<'_>, response: &Json<'_>, notes: &mut Notes) {
        let before = self.assembly.requests(0);
        self.open = None;
        self.messages(items, notes);
        let (usage, model) = (usage::read(response.get("usage")), self.assembly.model(response.str("model")));
        if let Some(request) = self.assembly.request_mut(0, before) {
            request.usage = request.usage.or(usage);
            request.model = request.model.take().or(model);
        }
    }

    fn message(&mut self, value: Json<'_>, notes: &mut Notes) {
        let item = !value.has("role") || value.str("type") == Some("message");
        let Some(read) = message::message(value, notes) else {
            notes.incomplete("a message with a `role` and `content`, `parts` or `tool_calls`");
            return;
        };
        if read.message.role != Role::Assistant {
            self.open = None;
            self.assembly.push(0, read.message);
            return;
        }
        let open = self.open.filter(|_| item).and_then(|at| self.assembly.message_mut(at));
        if let Some(answer) = open {
            answer.parts.extend(read.message.parts);
            return;
        }
        let model = self.assembly.model(read.model.as_deref());
        let answered =
            AnsweredRequest { model, usage: read.usage, line: notes.line(), ..AnsweredRequest::default() };
        let at = self.assembly.answer(0, read.message, answered);
        self.open = item.then_some(at);
    }
}
