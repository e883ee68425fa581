//! UI messages of the Vercel AI SDK, versions 4 to 7: an assistant message holds all steps of its turn.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::by_function(
    Agent::AiSdkUi,
    "a list of messages with `id`, `role` and `parts`, each part with a `type`",
    |record| {
        let is_ui = |message: &Json<'_>| {
            let parts = message.get("parts").list();
            let typed = !parts.is_empty() && parts.iter().all(|part| part.str("type").is_some());
            message.has("role") && (typed || message.get("toolInvocations").is_list())
        };
        let listed = record.get("messages").list();
        let messages = if listed.is_empty() { record.values() } else { listed };
        Evidence::sure_if(messages.iter().any(is_ui))
    },
    read_record,
);

fn read_record(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    if record.get("messages").is_list() {
        assembly.session.id = record.string("id");
        record = record.take("messages");
    }
    for message in record.into_values() {
        add_message(assembly, message, notes);
    }
}

fn add_message(assembly: &mut Assembly, mut message: Json<'_>, notes: &mut Notes) {
    let metadata = message.get("metadata");
    let at_ms = message.time_ms("createdAt").or_else(|| metadata.time_ms("createdAt"));
    let usage = ["usage", "totalUsage"].into_iter().find_map(|key| usage::read(metadata.get(key)));
    let model = metadata.model("model");
    let role = match message.str("role") {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some("user") => Role::User,
        _ => {
            notes.incomplete("a message with `role` and `parts`");
            return;
        }
    };
    let steps = ui_parts::steps(&mut message, notes);
    // Recorded usage is of the whole turn, so it is only used if the turn is one request.
    let usage = usage.filter(|_| steps.len() == 1);
    let answered = Request { at_ms, model, usage, line: notes.line(), ..Request::default() };
    ui_parts::add_turn(assembly, role, steps, &answered);
}
