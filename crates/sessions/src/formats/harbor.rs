//! Harbor's `trajectory.json` (Agent Trajectory Interchange Format): an agent's step is one request with its results.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::by_function(
    Agent::Harbor,
    "an object with `schema_version` \"ATIF-…\", `agent` and `steps`, each with a `step_id` and a `source`",
    |record| Evidence::sure_if(record.values().first().is_some_and(is_trajectory)),
    read_record,
);

fn is_trajectory(record: &Json<'_>) -> bool {
    let has_version = record.str("schema_version").is_some_and(|version| version.starts_with("ATIF"));
    let is_step = |step: &Json<'_>| step.has("step_id") && step.has("source");
    let steps = record.get("steps");
    steps.is_list() && (has_version || steps.list().first().is_some_and(is_step))
}

fn read_record(file: &mut Assembly, record: Json<'_>, notes: &mut Notes) {
    for trajectory in record.into_values() {
        if !is_trajectory(&trajectory) {
            notes.incomplete("an object with `steps`");
            continue;
        }
        let mut assembly = Assembly::default();
        read_trajectory(&mut assembly, trajectory, 0, notes);
        file.earlier.extend(assembly.finish());
    }
}

fn read_trajectory(assembly: &mut Assembly, mut trajectory: Json<'_>, thread: usize, notes: &mut Notes) {
    let agent = trajectory.take("agent");
    if thread == 0 {
        let session = &mut assembly.session;
        session.id = ["session_id", "trajectory_id"].into_iter().find_map(|key| trajectory.string(key));
        let names = ["name", "version"].into_iter().filter_map(|key| agent.string(key));
        session.version = names.reduce(|name, version| format!("{name} {version}"));
    }
    if !agent.get("tool_definitions").list().is_empty() {
        let tools = Part::Tools(agent.get("tool_definitions").to_text());
        assembly.push(thread, Message::new(Role::System, None, vec![tools]));
    }
    assembly.model = agent.model("model_name");
    for step in trajectory.take_list("steps") {
        add_step(assembly, step, thread, notes);
    }
    if thread == 0 {
        add_totals(assembly, trajectory.get("final_metrics"));
    }
    for sub_agent in trajectory.take_list("subagent_trajectories") {
        let id = ["trajectory_id", "session_id"].into_iter().find_map(|key| sub_agent.string(key));
        let thread = assembly.open_thread(ThreadKind::SubAgent, id);
        read_trajectory(assembly, sub_agent, thread, notes);
    }
}

fn add_step(assembly: &mut Assembly, mut step: Json<'_>, thread: usize, notes: &mut Notes) {
    let at_ms = step.time_ms("timestamp");
    let content = blocks::parts(step.take("message"), notes);
    match step.str("source") {
        Some("agent") => add_answer(assembly, &mut step, content, thread, notes),
        Some("user") => assembly.push_nonempty(thread, Message::new(Role::User, at_ms, content)),
        Some("system") => assembly.push_nonempty(thread, Message::new(Role::System, at_ms, content)),
        source => {
            notes.unknown_record(source, "a `source` of user, agent or system");
            return;
        }
    }
    add_observation(assembly, &mut step, thread, notes);
}

fn add_answer(assembly: &mut Assembly, step: &mut Json<'_>, content: Vec<Part>, thread: usize, notes: &Notes) {
    let at_ms = step.time_ms("timestamp");
    let reasoning = step.take_nonempty("reasoning_content");
    let reasoning = reasoning.map(|text| Part::Reasoning { text, opaque: None });
    let calls = step.take_list("tool_calls").into_iter();
    let calls = calls.map(|call| blocks::call_in(call, ["tool_call_id", "function_name", "arguments"]));
    let parts = reasoning.into_iter().chain(content).chain(calls).collect();
    let message = Message::new(Role::Assistant, at_ms, parts);
    // A step copied from another trajectory, or made without a model, is not a request.
    if step.is_true("is_copied_context") || step.get("llm_call_count").as_count() == Some(0) {
        assembly.push_nonempty(thread, message);
        return;
    }
    let metrics = step.get("metrics");
    let model = step.model("model_name");
    let (usage, cost_usd) = (usage_of(metrics), metrics.get("cost_usd").as_f64());
    let answered = Request { at_ms, model, usage, cost_usd, line: notes.line(), ..Request::default() };
    assembly.add_answer(thread, message, answered);
}

/// Output of the environment: results of calls, or text sent to the agent.
fn add_observation(assembly: &mut Assembly, step: &mut Json<'_>, thread: usize, notes: &mut Notes) {
    let at_ms = step.time_ms("timestamp");
    let (mut results, mut without_call) = (Vec::new(), Vec::new());
    for mut result in step.take("observation").take_list("results") {
        let content = blocks::result(result.take("content"), notes);
        match result.take_string("source_call_id") {
            Some(id) => results.push(Part::Result { id, content, is_error: false }),
            None => without_call.extend(content),
        }
    }
    assembly.push_nonempty(thread, Message::new(Role::Tool, at_ms, results));
    assembly.push_nonempty(thread, Message::new(Role::User, at_ms, without_call));
}

fn add_totals(assembly: &mut Assembly, final_metrics: &Json<'_>) {
    // The sums have the names of a step's figures after `total_`.
    let total = |key: &'static str| (key.into(), final_metrics.get(&format!("total_{key}")).clone());
    let metrics = Json::Object(["prompt_tokens", "completion_tokens", "cached_tokens"].map(total).into());
    let is_recorded = assembly.session.requests().any(|request| request.usage.is_some());
    let Some(usage) = usage_of(&metrics).filter(|_| !is_recorded) else { return };
    let requests = assembly.request_count(0) as u64;
    let cost_usd = final_metrics.get("total_cost_usd").as_f64();
    let model = assembly.model.as_deref().unwrap_or_default().to_owned();
    assembly.session.totals.push(ModelTotal { model, requests, usage, cost_usd });
}

/// `prompt_tokens` includes cached tokens; converters record Anthropic's cache writes in `extra`.
fn usage_of(metrics: &Json<'_>) -> Option<Usage> {
    let (prompt, read) = (metrics.count("prompt_tokens"), metrics.count("cached_tokens"));
    let write = metrics.get("extra").count("cache_creation_input_tokens");
    let unread = prompt.checked_sub(read).unwrap_or(prompt);
    let output = metrics.count("completion_tokens");
    let usage = Usage {
        uncached: unread.checked_sub(write).unwrap_or(unread),
        cache_read: read,
        cache_write: write,
        output,
        reasoning: metrics.get("extra").count("reasoning_tokens").min(output),
        reports_cache_read: metrics.has("cached_tokens"),
        ..Usage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
