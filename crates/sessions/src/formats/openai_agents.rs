//! The OpenAI Agents SDK: items of a session or a run's history, and a run's state as written by its `toString`.

use super::message_array::ArrayReader;
use crate::Agent;
use crate::dialects::{items, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::Session;
use crate::notes::Notes;

pub(crate) struct OpenAiAgents;

impl Format for OpenAiAgents {
    fn agent(&self) -> Agent {
        Agent::OpenAiAgents
    }

    fn expects(&self) -> &'static str {
        "a list of items (or an object with `items` or `history`), calls and results with a `callId`, or a run's state"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let some =
            if record.is_list() { record } else { items_of(record).map_or(record, |key| record.get(key)) };
        let some = if some.is_list() { some.list() } else { std::slice::from_ref(some) };
        let is_item = |item: &Json<'_>| {
            let kind = item.str("type").unwrap_or_default();
            items::is_of_call(kind) && item.has("callId")
        };
        Evidence::sure_if(is_state(record) || some.iter().any(is_item))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(AgentsReader { items: ArrayReader::new(Agent::OpenAiAgents) })
    }
}

fn items_of(record: &Json<'_>) -> Option<&'static str> {
    ["items", "history", "messages", "input"].into_iter().find(|key| record.get(key).is_list())
}

fn is_state(record: &Json<'_>) -> bool {
    record.has("$schemaVersion") && record.get("generatedItems").is_list()
}

struct AgentsReader {
    items: ArrayReader,
}

impl Reader for AgentsReader {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes) {
        if is_state(&record) {
            self.state(record, notes);
        } else {
            self.items.record(record, notes);
        }
    }

    fn finish(self: Box<Self>, notes: &mut Notes) -> Vec<Session> {
        Box::new(self.items).finish(notes)
    }
}

impl AgentsReader {
    /// Reads a run state: the input, then the items of each response and tool results.
    fn state(&mut self, mut state: Json<'_>, notes: &mut Notes) {
        self.items.assembly.session.id = state.string("conversationId");
        match state.take("originalInput") {
            Json::Text(text) => self.items.user(&text),
            asked => self.items.messages(asked, notes),
        }
        let before = self.items.assembly.requests(0);
        for mut item in state.take("generatedItems").into_list() {
            let item = item.take("rawItem");
            if item.is_object() {
                self.items.messages(item, notes);
            }
        }
        // If a response has no items, usage can't be assigned to requests.
        let responses = state.get("modelResponses").list();
        if self.items.assembly.requests(0) - before != responses.len() {
            return;
        }
        for (number, response) in responses.iter().enumerate() {
            if let Some(request) = self.items.assembly.request_mut(0, before + number) {
                request.usage = usage::read(response.get("usage"));
            }
        }
    }
}
