//! A plain list of messages in any dialect, stored or dumped by an application; and the OpenAI Agents SDK: items of a
//! session or a run's history, or a run's state as written by its `toString`.

use crate::formats::prelude::*;

/// Fields that may hold messages; an OpenAI response has the assistant's items in `output`.
const LISTS: [&str; 7] = ["messages", "history", "contents", "input", "items", "conversation", "output"];

pub(super) const FORMAT: Format = Format::by_function(
    Agent::MessageArray,
    "a list of messages (or an object with `messages`), each with a `role` and `content`, `parts` or `tool_calls`",
    |record| {
        let lists = LISTS.iter().map(|key| record.get(key)).filter(|list| list.is_list());
        let messages = lists.chain([record]).find(|list| !list.list().is_empty()).unwrap_or(record);
        Evidence::hint_if(messages.values().iter().take(20).any(message::is_message))
    },
    read_record,
);

fn read_record(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    if !LISTS.into_iter().any(|key| record.get(key).is_list()) {
        return add_messages(assembly, record, notes);
    }
    let session = &mut assembly.session;
    session.id = ["id", "sessionId"].into_iter().find_map(|key| record.string(key));
    for message in message::preamble(&mut record, notes) {
        assembly.push(0, message);
    }
    // The record of a request may include its response.
    let output = record.take("output");
    if let Some(text) = record.str("input") {
        add_user(assembly, text);
    }
    if let Some(key) = LISTS.into_iter().find(|key| record.get(key).is_list()) {
        let listed = record.take(key);
        add_messages(assembly, listed, notes);
    }
    if output.is_list() {
        add_answer(assembly, output, &record, notes);
    }
}

fn add_user(assembly: &mut Assembly, text: &str) {
    assembly.open = None;
    assembly.push(0, Message::text(Role::User, None, text));
}

fn add_messages(assembly: &mut Assembly, messages: Json<'_>, notes: &mut Notes) {
    for message in messages.into_values() {
        add_message(assembly, message, notes);
    }
}

fn add_answer(assembly: &mut Assembly, items: Json<'_>, response: &Json<'_>, notes: &mut Notes) {
    let number = assembly.request_count(0);
    assembly.open = None;
    add_messages(assembly, items, notes);
    let model = response.model("model").filter(|name| !name.is_empty());
    if let Some(request) = assembly.request_mut(0, number) {
        request.usage = request.usage.or_else(|| usage::read(response.get("usage")));
        request.model = request.model.take().or(model);
    }
}

fn add_message(assembly: &mut Assembly, value: Json<'_>, notes: &mut Notes) {
    let is_item = !value.has("role") || value.str("type") == Some("message");
    let expected = "a message with a `role` and `content`, `parts` or `tool_calls`";
    let Some(read) = message::read_expected(value, expected, notes) else { return };
    if read.message.role != Role::Assistant {
        assembly.open = None;
        assembly.push(0, read.message);
        return;
    }
    let Message { role, at_ms, parts } = read.message;
    let open = assembly.open.filter(|_| is_item);
    let Some(parts) = assembly.extend_or_return(open, parts) else { return };
    let index = assembly.add_answer(0, Message::new(role, at_ms, parts), read.answered);
    assembly.open = is_item.then_some(index);
}

pub(super) const AGENTS_SDK: Format = Format::by_function(
    Agent::OpenAiAgents,
    "a list of items (or an object with one), calls and results with a `callId`, or a run's state",
    |record| {
        let mut lists = LISTS.into_iter().map(|key| record.get(key));
        let list = lists.find(|list| list.is_list()).unwrap_or(record);
        let is_item = |item: &Json<'_>| item.str("type").is_some_and(items::is_call_or_output) && item.has("callId");
        Evidence::sure_if(is_state(record) || list.values().iter().any(is_item))
    },
    read_agents_sdk,
);

fn is_state(record: &Json<'_>) -> bool {
    record.has("$schemaVersion") && record.get("generatedItems").is_list()
}

fn read_agents_sdk(assembly: &mut Assembly, record: Json<'_>, notes: &mut Notes) {
    if is_state(&record) {
        read_run_state(assembly, record, notes);
    } else {
        read_record(assembly, record, notes);
    }
}

fn read_run_state(assembly: &mut Assembly, mut state: Json<'_>, notes: &mut Notes) {
    assembly.session.id = state.string("conversationId");
    match state.take("originalInput") {
        Json::Text(text) => add_user(assembly, &text),
        items => add_messages(assembly, items, notes),
    }
    let before = assembly.request_count(0);
    for mut item in state.take_list("generatedItems") {
        let item = item.take("rawItem");
        if item.is_object() {
            add_messages(assembly, item, notes);
        }
    }
    // If a response has no items, usage can't be assigned to requests.
    let responses = state.get("modelResponses").list();
    if assembly.request_count(0) - before != responses.len() {
        return;
    }
    for (number, response) in responses.iter().enumerate() {
        if let Some(request) = assembly.request_mut(0, before + number) {
            request.usage = usage::read(response.get("usage"));
        }
    }
}
