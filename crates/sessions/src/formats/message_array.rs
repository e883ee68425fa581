//! A plain list of messages in any dialect: what a host keeps itself, or has dumped.

use crate::Agent;
use crate::assembly::{Answered, Assembly};
use crate::dialects::message;
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{Message, Role, Session};
use crate::notes::Notes;

pub(crate) struct MessageArray;

/// Where an object may keep its messages.
const LISTS: [&str; 6] = ["messages", "history", "contents", "input", "items", "conversation"];

impl Format for MessageArray {
    fn agent(&self) -> Agent {
        Agent::MessageArray
    }

    fn expects(&self) -> &'static str {
        "a list of messages (or an object with `messages`), each with a `role` and `content`, `parts` or `tool_calls`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let messages = LISTS.iter().map(|key| record.get(key)).find(|list| list.is_list()).unwrap_or(record);
        let some = if messages.is_list() { messages.list() } else { std::slice::from_ref(record) };
        Evidence::hint_if(some.iter().take(20).any(message::is_message))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ArrayReader { assembly: Assembly::new(Agent::MessageArray), open: None })
    }
}

struct ArrayReader {
    assembly: Assembly,
    /// The assistant's message to which further items of the Responses API belong.
    open: Option<u32>,
}

impl Reader for ArrayReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if let Some(key) = LISTS.into_iter().find(|key| record.get(key).is_list()) {
            let session = &mut self.assembly.session;
            session.id = record.string("id").or(record.string("sessionId"));
            if let Some(text) = record.take("system").into_string() {
                self.assembly.push(0, Message::text(Role::System, None, text));
            }
            record = record.take(key);
        }
        match record {
            Json::List(messages) => {
                for message in messages {
                    self.message(message, notes);
                }
            }
            message => self.message(message, notes),
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl ArrayReader {
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
        let answered = Answered { model, usage: read.usage, line: notes.line(), ..Answered::default() };
        let at = self.assembly.answer(0, read.message, answered);
        self.open = item.then_some(at);
    }
}
