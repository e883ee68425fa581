//! The OpenAI Agents SDK: items of a session or a run's history, and a run's state as written by its `toString`.

use super::message_array::{ArrayReader, LISTS};
use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<AgentsReader>(
    Agent::OpenAiAgents,
    "a list of items (or an object with one), calls and results with a `callId`, or a run's state",
    evidence,
);

fn evidence(record: &Json<'_>) -> Evidence {
    let mut lists = LISTS.into_iter().map(|key| record.get(key));
    let list = lists.find(|list| list.is_list()).unwrap_or(record);
    let is_item =
        |item: &Json<'_>| item.str("type").is_some_and(items::is_call_or_output) && item.has("callId");
    Evidence::sure_if(is_state(record) || list.values().iter().any(is_item))
}

fn is_state(record: &Json<'_>) -> bool {
    record.has("$schemaVersion") && record.get("generatedItems").is_list()
}

#[derive(Default)]
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
            items => self.items.messages(items, notes),
        }
        let before = self.items.assembly.request_count(0);
        for mut item in state.take_list("generatedItems") {
            let item = item.take("rawItem");
            if item.is_object() {
                self.items.messages(item, notes);
            }
        }
        // If a response has no items, usage can't be assigned to requests.
        let responses = state.get("modelResponses").list();
        if self.items.assembly.request_count(0) - before != responses.len() {
            return;
        }
        for (number, response) in responses.iter().enumerate() {
            if let Some(request) = self.items.assembly.request_mut(0, before + number) {
                request.usage = usage::read(response.get("usage"));
            }
        }
    }
}
