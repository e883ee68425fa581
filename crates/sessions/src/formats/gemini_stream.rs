//! Output of Gemini CLI with `--output-format stream-json`: events of one run, and at the end its total usage.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::by_function(
    Agent::GeminiCli,
    "events with `type` \"init\" and `session_id`, then \"message\", \"tool_use\", \"tool_result\" and \"result\"",
    |record| match record.str("type") {
        Some("init") => Evidence::sure_if(record.has("session_id") && record.has("model")),
        Some("tool_use") => Evidence::sure_if(record.has("tool_name") && record.has("tool_id")),
        Some("tool_result") => Evidence::sure_if(record.has("tool_id") && record.has("status")),
        Some("result") => Evidence::sure_if(record.get("stats").has("total_tokens")),
        _ => Evidence::None,
    },
    read_record,
);

fn read_record(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    let at_ms = record.time_ms("timestamp");
    match record.str("type") {
        Some("init") => {
            assembly.session.id = record.string("session_id");
            assembly.model = record.model("model");
        }
        Some("message") => {
            let text = record.take("content").into_plain();
            if record.str("role") == Some("user") {
                assembly.open = None;
                assembly.push(0, Message::text(Role::User, at_ms, text));
            } else {
                add_text(assembly, text, record.is_true("delta"), at_ms, notes.line());
            }
        }
        Some("tool_use") => {
            let call = blocks::call_in(record, ["tool_id", "tool_name", "parameters"]);
            add_part(assembly, call, at_ms, notes.line());
        }
        Some("tool_result") => add_result(assembly, record, at_ms),
        Some("result") => set_totals(assembly, record.get("stats")),
        Some("error") => {}
        kind => notes.unknown_record(kind, "init, message, tool_use, tool_result, error or result"),
    }
}

fn add_text(assembly: &mut Assembly, text: String, is_delta: bool, at_ms: Option<i64>, line: u64) {
    let open = assembly.open.and_then(|index| assembly.message_mut(index));
    if let Some(Part::Text(newest)) = open.and_then(|message| message.parts.last_mut()).filter(|_| is_delta) {
        newest.push_str(&text);
    } else {
        add_part(assembly, Part::Text(text), at_ms, line);
    }
}

fn add_part(assembly: &mut Assembly, part: Part, at_ms: Option<i64>, line: u64) {
    let Some(parts) = assembly.extend_or_return(assembly.open, vec![part]) else { return };
    let message = Message::new(Role::Assistant, at_ms, parts);
    assembly.open = Some(assembly.add_answer(0, message, Request { line, ..Request::default() }));
}

/// Results of one assistant message form one message; text after them starts another assistant message.
fn add_result(assembly: &mut Assembly, mut record: Json<'_>, at_ms: Option<i64>) {
    let id = record.take_text("tool_id");
    let is_error = record.str("status") == Some("error");
    let output = record.take_string("output");
    let text = output.unwrap_or_else(|| record.take("error").take("message").into_plain());
    let result = Part::Result { id, content: vec![Part::Text(text)], is_error };
    assembly.open = None;
    let last = assembly.current_context(0).last().copied();
    let open = last.filter(|&index| assembly.has_role(index, &[Role::Tool]));
    if let Some(results) = assembly.extend_or_return(open, vec![result]) {
        assembly.push(0, Message::new(Role::Tool, at_ms, results));
    }
}

/// Totals by model if recorded, else for the requested model.
fn set_totals(assembly: &mut Assembly, stats: &Json<'_>) {
    let fields = stats.get("models").fields().iter();
    let mut by_model: Vec<(&str, &Json<'_>)> = fields.map(|(model, stats)| (model.as_ref(), stats)).collect();
    let requested = assembly.model.clone().unwrap_or_default();
    if by_model.is_empty() {
        by_model.push((&requested, stats));
    }
    // The file doesn't say which of several models answered a request.
    let requests = if by_model.len() == 1 { assembly.request_count(0) as u64 } else { 0 };
    let totals = by_model.into_iter().filter_map(|(model, stats)| {
        let (input, cache_read) = (stats.count("input_tokens"), stats.count("cached"));
        let total = stats.count("total_tokens");
        // Only the total includes thinking tokens.
        let output = stats.count("output_tokens").max(total.saturating_sub(input));
        let uncached = input.checked_sub(cache_read).unwrap_or(input);
        let usage = Usage { uncached, cache_read, output, reports_cache_read: true, ..Usage::default() };
        (!usage.is_empty()).then(|| ModelTotal { model: model.to_owned(), requests, usage, cost_usd: None })
    });
    assembly.session.totals = totals.collect();
}
