//! Qwen Code: Claude Code's envelope around Gemini's parts.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{gemini, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, Session};
use crate::notes::Notes;
use crate::times::time_ms;

pub(crate) struct QwenCode;

impl Format for QwenCode {
    fn agent(&self) -> Agent {
        Agent::QwenCode
    }

    fn expects(&self) -> &'static str {
        "an object with `uuid`, `sessionId`, `type` and a `message` with `role` and `parts`"
    }

    fn skipped(&self) -> &'static [&'static str] {
        &["toolCallResult"]
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let chained = record.has("uuid") && record.has("sessionId");
        let has_parts = record.get("message").get("parts").is_list();
        Evidence::sure_if(chained && (has_parts || record.has("systemPayload")))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(QwenReader { assembly: Assembly::new(Agent::QwenCode) })
    }
}

struct QwenReader {
    assembly: Assembly,
}

impl Reader for QwenReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let session = &mut self.assembly.session;
        if session.id.is_none() {
            session.id = record.string("sessionId");
            session.project = record.string("cwd");
            session.version = record.string("version");
        }
        let at_ms = time_ms(record.get("timestamp"));
        match record.str("type").unwrap_or_default() {
            "user" | "tool_result" => {
                let message = gemini::content(record.take("message"), at_ms, notes);
                self.assembly.push(0, message);
            }
            "assistant" => {
                let usage = usage::read(record.get("usageMetadata"));
                let model = self.assembly.model(record.str("model"));
                let message = gemini::content(record.take("message"), at_ms, notes);
                let answered =
                    AnsweredRequest { model, usage, line: notes.line(), ..AnsweredRequest::default() };
                self.assembly.answer(0, message, answered);
            }
            "system" => self.system(record, at_ms, notes),
            kind => notes.unknown_record(Some(kind), "user, assistant, tool_result or system"),
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl QwenReader {
    /// A compression record holds the new history; other system records are for the screen.
    fn system(&mut self, mut record: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let mut payload = record.take("systemPayload");
        if !payload.get("compressedHistory").is_list() {
            return;
        }
        self.assembly.restart(0, ContextStart::Compaction { tokens_before: None }, Vec::new());
        for content in payload.take("compressedHistory").into_list() {
            let message = gemini::content(content, at_ms, notes);
            self.assembly.push(0, message);
        }
    }
}
