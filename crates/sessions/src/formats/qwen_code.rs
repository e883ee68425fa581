//! Qwen Code: Claude Code's envelope around Gemini's parts.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format {
    skipped: &["toolCallResult"],
    ..Format::by_function(
        Agent::QwenCode,
        "an object with `uuid`, `sessionId`, `type` and a `message` with `role` and `parts`",
        |record| {
            let has_ids = record.has("uuid") && record.has("sessionId");
            let has_parts = record.get("message").get("parts").is_list();
            Evidence::sure_if(has_ids && (has_parts || record.has("systemPayload")))
        },
        read_record,
    )
};

fn read_record(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    let (project, version) = (record.string("cwd"), record.string("version"));
    assembly.describe(record.string("sessionId"), project, version);
    let at_ms = record.time_ms("timestamp");
    match record.str("type").unwrap_or_default() {
        "user" | "tool_result" => {
            let message = gemini::content(record.take("message"), at_ms, notes);
            assembly.push(0, message);
        }
        "assistant" => {
            let usage = usage::read(record.get("usageMetadata"));
            let model = record.model("model");
            let message = gemini::content(record.take("message"), at_ms, notes);
            let answered = Request { model, usage, line: notes.line(), ..Request::default() };
            assembly.add_answer(0, message, answered);
        }
        "system" => add_compression(assembly, record, at_ms, notes),
        kind => notes.unknown_record(Some(kind), "user, assistant, tool_result or system"),
    }
}

/// A compression record holds the new history; other system records are for the screen.
fn add_compression(assembly: &mut Assembly, mut record: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
    let mut payload = record.take("systemPayload");
    if !payload.get("compressedHistory").is_list() {
        return;
    }
    assembly.start_context(0, ContextStart::Compaction { tokens_before: None }, Vec::new());
    for content in payload.take_list("compressedHistory") {
        let message = gemini::content(content, at_ms, notes);
        assembly.push(0, message);
    }
}
