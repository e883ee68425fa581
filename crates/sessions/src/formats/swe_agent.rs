//! SWE-agent's `.traj`: the history that the model saw, the steps of the run, and the usage of all requests together.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::by_function(
    Agent::SweAgent,
    "an object with `trajectory` (steps with `action` and `observation`), `history` and `info`",
    |record| {
        let first = record.get("trajectory").list().first();
        let is_step = first.is_some_and(|step| step.has("action") && step.has("observation"));
        let has_stats = record.get("info").has("model_stats");
        let is_run = is_step && record.get("history").is_list();
        Evidence::sure_if(is_run || record.get("trajectory").is_list() && has_stats)
    },
    read_record,
);

fn read_record(file: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    let mut run = Run::of(&record);
    let history = record.take_list("history");
    let steps = if history.is_empty() { record.take_list("trajectory") } else { Vec::new() };
    for item in history {
        run.item(item, notes);
    }
    for step in steps {
        run.step(step, notes);
    }
    run.totals(record.get("info").get("model_stats"));
    file.earlier.extend(run.assembly.finish());
}

struct Run {
    assembly: Assembly,
    /// Ids of the newest assistant message's calls that have no result.
    open_calls: Vec<String>,
}

impl Run {
    fn of(record: &Json<'_>) -> Self {
        let mut assembly = Assembly::default();
        let info = record.get("info");
        assembly.session.id = record.string("instance_id").or_else(|| record.string("environment"));
        assembly.session.version = info.string("swe_agent_version");
        // The run's settings are JSON text within the file.
        let settings = record.str("replay_config").and_then(|text| Json::parse(text, &[]).ok()).unwrap_or_default();
        assembly.model = settings.get_path(&["agent", "model"]).model("name");
        Self { assembly, open_calls: Vec::new() }
    }

    fn item(&mut self, mut item: Json<'_>, notes: &mut Notes) {
        let ids = item.take_list("tool_call_ids").into_iter().filter_map(Json::into_string);
        let id_in_item = ids.chain(item.string("tool_call_id")).next();
        if item.str("role") == Some("tool") {
            // A result without an id belongs to the oldest open call.
            let oldest = self.open_calls.first().cloned();
            let id = id_in_item.or(oldest).unwrap_or_default();
            self.open_calls.retain(|open| *open != id);
            return self.result(id, blocks::result(item.take("content"), notes));
        }
        let thoughts = blocks::parts(item.take("thinking_blocks"), notes);
        let expected = "a message with a `role` and `content`";
        let Some(mut read) = message::read_expected(item, expected, notes) else { return };
        if read.message.role == Role::Assistant {
            read.message.parts.splice(0..0, thoughts);
            self.answer(read.message, notes.line());
        } else {
            self.assembly.push(0, read.message);
        }
    }

    fn answer(&mut self, message: Message, line: u64) {
        self.open_calls = message.calls().map(|(id, ..)| id.to_owned()).collect();
        self.assembly.add_answer(0, message, Request { line, ..Request::default() });
    }

    fn result(&mut self, id: String, content: Vec<Part>) {
        let result = Part::Result { id, content, is_error: false };
        self.assembly.push(0, Message::new(Role::Tool, None, vec![result]));
    }

    /// One step of a file without a history: the assistant message and its observation.
    fn step(&mut self, mut step: Json<'_>, notes: &mut Notes) {
        let prompt = step.take_list(if step.has("query") { "query" } else { "messages" });
        if self.assembly.request_count(0) == 0 {
            for item in prompt {
                self.item(item, notes);
            }
        }
        let response = step.take("response").into_plain();
        let answer = if response.is_empty() { step.take("thought").into_plain() } else { response };
        let mut parts = blocks::parts(Json::Text(answer.into()), notes);
        parts.extend(step.take_list("tool_calls").into_iter().map(message::tool_call));
        let action = step.take("action").into_plain();
        if parts.is_empty() && !action.is_empty() {
            parts.push(Part::Text(action));
        }
        self.answer(Message::new(Role::Assistant, None, parts), notes.line());
        let observation = step.take("observation").into_plain();
        if let Some(id) = self.open_calls.first().cloned() {
            self.result(id, vec![Part::Text(observation)]);
        } else if !observation.is_empty() {
            self.assembly.push(0, Message::text(Role::User, None, observation));
        }
    }

    fn totals(&mut self, stats: &Json<'_>) {
        let usage =
            Usage { uncached: stats.count("tokens_sent"), output: stats.count("tokens_received"), ..Usage::default() };
        if !usage.is_empty() {
            let model = self.assembly.model.as_deref().unwrap_or_default().to_owned();
            let cost_usd = stats.get("instance_cost").as_f64();
            let requests = stats.count("api_calls");
            self.assembly.session.totals.push(ModelTotal { model, requests, usage, cost_usd });
        }
    }
}
