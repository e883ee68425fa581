//! OpenHands: actions and observations are events; actions contain the response that caused them. Events of the issue
//! resolver of 2024 have no ids, and no tokens of a response; they are converted to the newer form.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::formats::prelude::*;

/// Fields of the resolver's actions about confirming and running them; the model never saw them.
const UNSENT_ARGUMENTS: [&str; 5] = ["action", "is_confirmed", "action_risk", "kernel_init_code", "keep_prompt"];

pub(super) const FORMAT: Format = Format::of::<History>(
    Agent::OpenHands,
    "events with `id`, `source` and `action` or `observation`, or an object with a `history` of them",
    |record| {
        let first = record.get("history").list().first();
        let is_resolvers = record.has("metrics") && first.is_some_and(is_resolver_event);
        let listed = record.list().first().or(first);
        Evidence::sure_if(is_resolvers || is_event(listed.unwrap_or(record)))
    },
);

fn is_event(value: &Json<'_>) -> bool {
    value.has("source") && value.has("id") && (value.has("action") || value.has("observation"))
}

#[derive(Default)]
struct History {
    assembly: Assembly,
    seen_responses: HashSet<String>,
    usage_by_response: HashMap<String, Usage>,
    /// The usage of all responses in order, for actions without a response id.
    usages_in_order: VecDeque<Usage>,
    /// Actions that are calls without an id; their observations name the action.
    actions_without_id: HashSet<u64>,
    /// By event id, its message, for condensations, which name the events that they remove.
    message_of_event: HashMap<u64, u32>,
}

impl Reader for History {
    /// Events that are read one by one, from the files of a folder, are the last session.
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.is_list() {
            self.events(record.into_values(), notes);
        } else if record.get("history").is_list() {
            let mut history = History::default();
            history.assembly.session.id = record.string("instance_id");
            let repository = record.get("instance").string("repo");
            history.assembly.session.project = repository.or_else(|| record.get("issue").string("repo"));
            let events = record.take_list("history");
            let is_resolvers = events.first().is_some_and(is_resolver_event);
            let usages = record.get_path(&["metrics", "token_usages"]);
            let by_response = |report: &Json<'_>| Some((report.string("response_id")?, usage::read(report)?));
            history.usage_by_response = usages.list().iter().filter_map(by_response).collect();
            history.usages_in_order = usages.list().iter().filter_map(usage::read).collect();
            history.events(if is_resolvers { with_ids(events) } else { events }, notes);
            self.assembly.earlier.extend(history.assembly.finish());
        } else {
            self.event(record, notes);
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl History {
    fn events(&mut self, mut events: Vec<Json<'_>>, notes: &mut Notes) {
        events.sort_by_key(|event| event.count("id"));
        for event in events {
            self.event(event, notes);
        }
    }

    fn event(&mut self, mut event: Json<'_>, notes: &mut Notes) {
        let at_ms = event.time_ms("timestamp");
        let id = event.count("id");
        let args = event.take("args");
        let before = self.assembly.current_context(0).last().copied();
        match (event.str("action"), event.str("source")) {
            (Some("system"), _) => self.system(args, at_ms),
            (Some("condensation"), _) => self.condensation(args, at_ms),
            (Some("message"), Some("user")) => {
                self.assembly.push(0, Message::new(Role::User, at_ms, message_parts(args)));
            }
            (Some("message"), _) if !event.has("tool_call_metadata") => {
                let message = Message::new(Role::Assistant, at_ms, message_parts(args));
                let answered = Request { line: notes.line(), ..Request::default() };
                self.assembly.add_answer(0, message, answered);
            }
            (Some("change_agent_state" | "null" | "recall"), _) => {}
            (Some(name), Some("agent")) if !event.has("tool_call_metadata") => {
                let name = name.to_owned();
                self.action_without_id(&name, id, args, at_ms, notes);
            }
            (Some(_), _) => self.action(event.take("tool_call_metadata"), at_ms, notes),
            (None, _) => self.observation(event, at_ms, notes),
        }
        let newest = self.assembly.current_context(0).last().copied();
        self.message_of_event.extend(newest.filter(|_| newest != before).map(|message| (id, message)));
    }

    fn system(&mut self, mut args: Json<'_>, at_ms: Option<i64>) {
        if self.assembly.session.version.is_none() {
            self.assembly.session.version = args.string("openhands_version");
        }
        let tools = args.take("tools");
        let mut parts = message_parts(args);
        if tools.is_list() {
            parts.push(Part::Tools(tools.to_text()));
        }
        self.assembly.push(0, Message::new(Role::System, at_ms, parts));
    }

    /// Parallel calls are several actions with the same response.
    fn action(&mut self, mut metadata: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let mut response = metadata.take("model_response");
        let Some(id) = response.string("id") else { return };
        if !self.seen_responses.insert(id.clone()) {
            return;
        }
        let reported = self.usage_by_response.get(&id).copied();
        let usage = usage::read(response.get("usage")).or(reported);
        let model = response.model("model");
        let choice = response.take_list("choices").into_iter().next();
        let message = choice.map(|mut choice| choice.take("message")).unwrap_or_default();
        let expected = "`choices[0].message` in `model_response`";
        if let Some(read) = message::read_expected(message, expected, notes) {
            let answered = Request { model, usage, ..read.answered };
            self.assembly.add_answer(0, Message { at_ms, ..read.message }, answered);
        }
    }

    /// The resolver and models without function calling write calls as text; only the action is recorded.
    fn action_without_id(&mut self, name: &str, id: u64, mut args: Json<'_>, at_ms: Option<i64>, notes: &Notes) {
        let thought = args.take_nonempty("thought");
        let (call_id, arguments) = (format!("action-{id}"), args.to_text());
        let call = Part::Call { id: call_id, name: name.to_owned(), arguments, free_text: false };
        let parts = thought.map(Part::Text).into_iter().chain([call]).collect();
        let usage = self.usages_in_order.pop_front();
        let answered = Request { usage, line: notes.line(), ..Request::default() };
        self.assembly.add_answer(0, Message::new(Role::Assistant, at_ms, parts), answered);
        self.actions_without_id.insert(id);
    }

    fn observation(&mut self, mut event: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let kind = event.string("observation").unwrap_or_default();
        if matches!(kind.as_str(), "agent_state_changed" | "null") {
            return;
        }
        let cause = event.get("cause").as_count().filter(|cause| self.actions_without_id.contains(cause));
        let call = event.take("tool_call_metadata").take_string("tool_call_id");
        let call = call.or(cause.map(|cause| format!("action-{cause}")));
        let mut content = blocks::parts(event.take("content"), notes);
        if let Some(id) = call {
            let is_error = kind == "error" || *event.get("success") == Json::Bool(false);
            self.assembly.push(0, Message::new(Role::Tool, at_ms, vec![Part::Result { id, content, is_error }]));
            return;
        }
        let knowledge = event.take("extras").take_list("microagent_knowledge");
        let texts = knowledge.into_iter().filter_map(|mut piece| piece.take_string("content"));
        content.extend(texts.map(Part::Text));
        self.assembly.push(0, Message::new(Role::User, at_ms, content));
    }

    fn condensation(&mut self, mut args: Json<'_>, at_ms: Option<i64>) {
        let mut forgotten: HashSet<u64> =
            args.get("forgotten_event_ids").list().iter().filter_map(Json::as_count).collect();
        let [start, end] = ["forgotten_events_start_id", "forgotten_events_end_id"].map(|key| args.get(key).as_count());
        if let Some((start, end)) = start.zip(end) {
            forgotten.extend(self.message_of_event.keys().filter(|id| (start..=end).contains(*id)));
        }
        let dropped: HashSet<u32> = forgotten.iter().filter_map(|id| self.message_of_event.get(id).copied()).collect();
        let context = self.assembly.current_context(0).iter().copied();
        let mut kept: Vec<u32> = context.filter(|index| !dropped.contains(index)).collect();
        if let Some(summary) = args.take_string("summary") {
            let summary = self.assembly.store(Message::text(Role::User, at_ms, summary));
            let offset = args.get("summary_offset").as_index();
            kept.insert(offset.unwrap_or(kept.len()).min(kept.len()), summary);
        }
        self.assembly.start_context(0, ContextStart::Compaction { tokens_before: None }, kept);
    }
}

fn message_parts(mut args: Json<'_>) -> Vec<Part> {
    args.take_string("content").map(Part::Text).into_iter().collect()
}

fn is_resolver_event(value: &Json<'_>) -> bool {
    !value.has("id") && !value.has("source") && (value.has("action") || value.has("observation"))
}

/// Converts the resolver's events; their ids are their numbers, and an observation belongs to the action before it.
fn with_ids(events: Vec<Json<'_>>) -> Vec<Json<'_>> {
    let mut newest_action = 0;
    let converted = (0..).zip(events).map(|(id, event)| {
        if event.has("action") {
            newest_action = id;
            return action_of(event, id);
        }
        let Json::Object(mut fields) = event else { return Json::Null };
        fields.push(("id".into(), Json::Number(id.into())));
        fields.push(("cause".into(), Json::Number(newest_action.into())));
        Json::Object(fields)
    });
    converted.collect()
}

fn action_of(mut event: Json<'_>, id: u64) -> Json<'_> {
    let action = event.take("action");
    let is_users = action.as_str() == Some("message") && !event.is_true("wait_for_response");
    let Json::Object(mut args) = event else { return Json::Null };
    args.retain(|(name, value)| !UNSENT_ARGUMENTS.contains(&name.as_ref()) && *value != Json::Null);
    Json::Object(vec![
        ("id".into(), Json::Number(id.into())),
        ("source".into(), Json::Text(if is_users { "user" } else { "agent" }.into())),
        ("action".into(), action),
        ("args".into(), Json::Object(args)),
    ])
}
