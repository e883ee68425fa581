//! mini-SWE-agent: trajectories, or messages as a list; a message's `extra` holds the provider's whole response.

use crate::formats::prelude::*;

const EXTRAS: [&str; 6] = ["response", "actions", "cost", "raw_output", "returncode", "exit_status"];

pub(super) const FORMAT: Format = Format::by_function(
    Agent::MiniSweAgent,
    "an object with `trajectory_format` \"mini-swe-agent-…\", `info` and `messages`, or a list of messages with `extra`",
    |record| {
        let has_extra = |message: &Json<'_>| {
            let extra = message.get("extra");
            let is_message = message.has("role") || message.str("object") == Some("response");
            is_message && EXTRAS.into_iter().any(|key| extra.has(key))
        };
        let values = record.values();
        let is_run = values.first().is_some_and(is_trajectory);
        Evidence::sure_if(is_run || values.iter().take(20).any(has_extra))
    },
    read_record,
);

fn is_trajectory(record: &Json<'_>) -> bool {
    let named = record.str("trajectory_format").is_some_and(|name| name.starts_with("mini-swe-agent"));
    record.get("messages").is_list() && (named || record.get("info").has("mini_version"))
}

/// Messages outside a trajectory, one by one or as a list, are the file's last session.
fn read_record(file: &mut Assembly, record: Json<'_>, notes: &mut Notes) {
    for mut value in record.into_values() {
        if !value.get("messages").is_list() {
            add_message(file, value, notes);
            continue;
        }
        let mut assembly = Assembly::default();
        describe(&mut assembly, &value);
        for message in value.take_list("messages") {
            add_message(&mut assembly, message, notes);
        }
        file.earlier.extend(assembly.finish());
    }
}

fn describe(assembly: &mut Assembly, trajectory: &Json<'_>) {
    let info = trajectory.get("info");
    let config = info.get("config");
    let session = &mut assembly.session;
    session.id = trajectory.string("instance_id").or_else(|| info.string("episode_id"));
    session.version = info.string("mini_version");
    session.project = config.get("environment").string("cwd").filter(|folder| !folder.is_empty());
    assembly.model = config.get("model").model("model_name");
}

fn add_message(assembly: &mut Assembly, mut value: Json<'_>, notes: &mut Notes) {
    // The exit message is not sent to the model.
    if value.str("role") == Some("exit") {
        return;
    }
    let mut extra = value.take("extra");
    let response = extra.take("response");
    let source = if response.is_object() { &response } else { &value };
    let times = [extra.get("timestamp"), source.get("created"), source.get("created_at")];
    let at_ms = times.into_iter().find_map(Json::as_ms);
    let usage = usage::read(source.get("usage"));
    let model = source.model("model");
    let cost_usd = extra.get("cost").as_f64();
    // A whole answer of OpenAI's Responses API, stored as a message.
    let read = if value.get("output").is_list() && !value.has("role") {
        Some(Message::new(Role::Assistant, at_ms, items::parts(value.take_list("output"), notes)))
    } else {
        message::read_expected(value, "a message with a `role` and `content`", notes).map(|read| read.message)
    };
    let Some(mut message) = read else { return };
    message.at_ms = at_ms.or(message.at_ms);
    let answered = Request { at_ms, model, usage, cost_usd, line: notes.line(), ..Request::default() };
    assembly.add_message(0, message, answered);
}
