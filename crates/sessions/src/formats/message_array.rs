//! A plain list of messages in any dialect, stored or dumped by an application.

use crate::formats::prelude::*;

/// Fields that may hold messages; an OpenAI response has the assistant's items in `output`.
pub(super) const LISTS: [&str; 7] =
    ["messages", "history", "contents", "input", "items", "conversation", "output"];

pub(super) const FORMAT: Format = Format::of::<ArrayReader>(
    Agent::MessageArray,
    "a list of messages (or an object with `messages`), each with a `role` and `content`, `parts` or `tool_calls`",
    evidence,
);

fn evidence(record: &Json<'_>) -> Evidence {
    let lists = LISTS.iter().map(|key| record.get(key)).filter(|list| list.is_list());
    let messages = lists.chain([record]).find(|list| !list.list().is_empty()).unwrap_or(record);
    Evidence::hint_if(messages.values().iter().take(20).any(message::is_message))
}

#[derive(Default)]
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
        for message in message::preamble(&mut record, notes) {
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
    pub(super) fn user(&mut self, text: &str) {
        self.open = None;
        self.assembly.push(0, Message::text(Role::User, None, text));
    }

    pub(super) fn messages(&mut self, messages: Json<'_>, notes: &mut Notes) {
        for message in messages.into_values() {
            self.message(message, notes);
        }
    }

    /// Reads the items of one response, with its usage and model.
    pub(super) fn answer(&mut self, items: Json<'_>, response: &Json<'_>, notes: &mut Notes) {
        let number = self.assembly.request_count(0);
        self.open = None;
        self.messages(items, notes);
        let model = response.model("model").filter(|name| !name.is_empty());
        if let Some(request) = self.assembly.request_mut(0, number) {
            request.usage = request.usage.or_else(|| usage::read(response.get("usage")));
            request.model = request.model.take().or(model);
        }
    }

    fn message(&mut self, value: Json<'_>, notes: &mut Notes) {
        let is_item = !value.has("role") || value.str("type") == Some("message");
        let expected = "a message with a `role` and `content`, `parts` or `tool_calls`";
        let Some(read) = message::read_expected(value, expected, notes) else { return };
        if read.message.role != Role::Assistant {
            self.open = None;
            self.assembly.push(0, read.message);
            return;
        }
        let Message { role, at_ms, parts } = read.message;
        let open = self.open.filter(|_| is_item);
        let Some(parts) = self.assembly.extend_message(open, parts) else { return };
        let index = self.assembly.add_answer(0, Message::new(role, at_ms, parts), read.answered);
        self.open = is_item.then_some(index);
    }
}
