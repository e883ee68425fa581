//! GitHub Copilot: events of the command line, and chats stored by Visual Studio Code.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::by_function(
    Agent::Copilot,
    "events with `data` and a `type` such as \"user.message\", or a chat with `requests` and its fields",
    |record| {
        let kinds = ["session.start", "user.message", "assistant.message", "tool.execution_complete", "session.resume"];
        let event = record.str("type").is_some_and(|kind| kinds.contains(&kind)) && record.get("data").is_object();
        let chat = record.get("requests").is_list() && record.has("responderUsername");
        Evidence::sure_if(event || chat)
    },
    read_record,
);

fn read_record(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    if record.get("requests").is_list() {
        read_chat(assembly, record, notes);
        return;
    }
    let at_ms = record.time_ms("timestamp");
    let mut data = record.take("data");
    match record.str("type").unwrap_or_default() {
        "session.start" => start_session(assembly, &data),
        "session.model_change" => assembly.model = data.model("newModel"),
        kind @ ("system.message" | "user.message") => {
            let role = if kind == "user.message" { Role::User } else { Role::System };
            let is_transformed = role == Role::User && data.has("transformedContent");
            let text = data.take(if is_transformed { "transformedContent" } else { "content" }).into_plain();
            assembly.push(MAIN_THREAD, Message::text(role, at_ms, text));
        }
        "assistant.message" => add_answer(assembly, data, at_ms, notes.line()),
        "tool.execution_complete" => add_result(assembly, data, at_ms, notes),
        "session.compaction_complete" => add_compaction(assembly, data, at_ms),
        "session.shutdown" => add_totals(assembly, &data),
        // Starts of tools, turns, hooks, information: not sent to the model.
        _ => {}
    }
}

fn start_session(assembly: &mut Assembly, data: &Json<'_>) {
    let session = &mut assembly.session;
    (session.id, session.project) = (data.string("sessionId"), data.get("context").string("cwd"));
    session.version = data.string("copilotVersion");
    assembly.model = data.model("selectedModel").or(assembly.model.take());
}

fn add_answer(assembly: &mut Assembly, mut data: Json<'_>, at_ms: Option<i64>, line: u64) {
    let mut parts = Vec::new();
    let (text, opaque) = (data.take_string("reasoningText"), data.take_string("reasoningOpaque"));
    if text.is_some() || opaque.is_some() {
        parts.push(Part::Reasoning { text: text.unwrap_or_default(), opaque });
    }
    parts.extend(data.take_nonempty("content").map(Part::Text));
    let calls = data.take_list("toolRequests").into_iter();
    parts.extend(calls.map(|call| blocks::call_in(call, ["toolCallId", "name", "arguments"])));
    let model = data.model("model");
    let answered = Request { model, line, ..Request::default() };
    assembly.add_answer(MAIN_THREAD, Message::new(Role::Assistant, at_ms, parts), answered);
}

fn add_result(assembly: &mut Assembly, mut data: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
    let id = data.take_text("toolCallId");
    let is_error = *data.get("success") == Json::Bool(false);
    let mut result = data.take(if data.has("result") { "result" } else { "error" });
    let field = if result.has("content") { "content" } else { "message" };
    let content = blocks::result(result.take(field), notes);
    assembly.push(MAIN_THREAD, Message::new(Role::Tool, at_ms, vec![Part::Result { id, content, is_error }]));
}

fn add_compaction(assembly: &mut Assembly, mut data: Json<'_>, at_ms: Option<i64>) {
    let Some(summary) = data.take_string("summaryContent") else { return };
    let kept = assembly.system_prompt();
    let tokens_before = data.get("preCompactionTokens").as_count();
    assembly.start_context(MAIN_THREAD, ContextStart::Compaction { tokens_before }, kept);
    assembly.push(MAIN_THREAD, Message::text(Role::User, at_ms, summary));
}

/// The only usage in the file: per session, by model.
fn add_totals(assembly: &mut Assembly, data: &Json<'_>) {
    for (model, metrics) in data.get("modelMetrics").fields() {
        let requests = metrics.get("requests").count("count");
        let usage = usage::read(metrics.get("usage")).unwrap_or_default();
        let model = model.clone().into_owned();
        assembly.session.totals.push(ModelTotal { model, requests, usage, cost_usd: None });
    }
}

/// A chat of Visual Studio Code: one entry per user prompt, with its requests inside.
fn read_chat(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    assembly.session.id = record.string("sessionId");
    for mut prompt in record.take_list("requests") {
        let at_ms = prompt.time_ms("timestamp");
        let model = prompt.model("modelId");
        let answered = Request { at_ms, model, line: notes.line(), ..Request::default() };
        let mut metadata = prompt.take("result").take("metadata");
        let rendered = metadata.take("renderedUserMessage");
        let texts = rendered.list().iter().filter_map(|part| part.string("text"));
        let mut parts: Vec<_> = texts.map(Part::Text).collect();
        if parts.is_empty() {
            parts.extend(prompt.take("message").take_string("text").map(Part::Text));
        }
        assembly.push(MAIN_THREAD, Message::new(Role::User, at_ms, parts));
        let mut results = metadata.take("toolCallResults");
        for round in metadata.take_list("toolCallRounds") {
            add_round(assembly, round, &mut results, answered.clone());
        }
    }
}

fn add_round(assembly: &mut Assembly, mut round: Json<'_>, all_results: &mut Json<'_>, answered: Request) {
    let at_ms = answered.at_ms;
    let mut parts: Vec<Part> = round.take_nonempty("response").map(Part::Text).into_iter().collect();
    let mut results = Vec::new();
    for call in round.take_list("toolCalls") {
        let id = call.string("id").unwrap_or_default();
        let result = all_results.take(&id);
        if result.is_object() {
            let mut text = String::new();
            for content in result.get("content").list() {
                rendered_text(content.get("value"), &mut text);
            }
            results.push(Part::Result { id, content: vec![Part::Text(text)], is_error: false });
        }
        parts.push(blocks::call_in(call, ["id", "name", "arguments"]));
    }
    assembly.add_answer(MAIN_THREAD, Message::new(Role::Assistant, at_ms, parts), answered);
    assembly.push_nonempty(MAIN_THREAD, Message::new(Role::Tool, at_ms, results));
}

/// Text of a result, which is stored as a render tree: leaves hold `text` and a flag for a line break before it.
fn rendered_text(node: &Json<'_>, out: &mut String) {
    if let Json::Text(text) = node {
        out.push_str(text);
        return;
    }
    if let Some(text) = node.str("text") {
        if node.is_true("lineBreakBefore") && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text);
    }
    let children = if node.has("node") { std::slice::from_ref(node.get("node")) } else { node.get("children").list() };
    for child in children {
        rendered_text(child, out);
    }
}
