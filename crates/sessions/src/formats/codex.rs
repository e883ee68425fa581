//! Codex rollouts: items of the Responses API as sent, and events for the UI.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{items, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, Message, Part, Role, Session, ThreadKind};
use crate::notes::{NoteKind, Notes};
use crate::times::time_ms;
use palimpsest_core::provider::usage::Usage;

pub(crate) struct Codex;

impl Format for Codex {
    fn agent(&self) -> Agent {
        Agent::Codex
    }

    fn expects(&self) -> &'static str {
        "an object with `timestamp`, `type` (\"session_meta\", \"response_item\", …) and `payload`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let kinds = ["session_meta", "response_item", "turn_context", "event_msg", "compacted"];
        let known = record.str("type").is_some_and(|kind| kinds.contains(&kind));
        Evidence::sure_if(known && record.get("payload").is_object())
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(CodexReader { assembly: Assembly::new(Agent::Codex), ..CodexReader::default() })
    }
}

struct CodexReader {
    assembly: Assembly,
    /// The instructions, with which every prefix starts.
    instructions: Option<u32>,
    model: Option<String>,
    /// The assistant message to which further items are added.
    open: Option<u32>,
    /// An assistant message whose usage hasn't been read yet.
    unpaid: Option<Answer>,
    /// The request whose usage came before its assistant message, as in old versions.
    awaiting: Option<usize>,
    /// True if usage follows its assistant message; decided by the first of either.
    usage_follows: Option<bool>,
    total_tokens: Option<u64>,
}

struct Answer {
    message: u32,
    sent: usize,
    at_ms: Option<i64>,
    line: u64,
}

impl Default for CodexReader {
    fn default() -> Self {
        Self {
            assembly: Assembly::new(Agent::Codex),
            instructions: None,
            model: None,
            open: None,
            unpaid: None,
            awaiting: None,
            usage_follows: None,
            total_tokens: None,
        }
    }
}

impl Reader for CodexReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = time_ms(record.get("timestamp"));
        let mut payload = record.take("payload");
        match record.str("type").unwrap_or_default() {
            "session_meta" => self.session_meta(&mut payload),
            "turn_context" => self.model = payload.string("model").or(self.model.take()),
            "response_item" => self.item(payload, at_ms, notes),
            "compacted" => self.compacted(payload, at_ms, notes),
            "event_msg" if payload.str("type") == Some("token_count") => {
                self.token_count(&payload, at_ms, notes);
            }
            "event_msg" | "world_state" => {}
            kind => notes.unknown_record(
                Some(kind),
                "session_meta, response_item, turn_context, event_msg or compacted",
            ),
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.without_usage();
        self.assembly.finish()
    }
}

impl CodexReader {
    /// Repeated at each resume; the first one counts.
    fn session_meta(&mut self, meta: &mut Json<'_>) {
        let session = &mut self.assembly.session;
        if session.id.is_some() {
            return;
        }
        session.id = meta.string("id");
        session.project = meta.string("cwd");
        session.version = meta.string("cli_version");
        let child =
            meta.str("thread_source") == Some("subagent") || meta.at(&["source", "subagent"]) != &Json::Null;
        if let Some(thread) = session.threads.first_mut().filter(|_| child) {
            thread.kind = ThreadKind::SubAgent;
        }
        let mut instructions = meta.take("base_instructions");
        let text =
            instructions.take("text").into_string().or_else(|| meta.take("instructions").into_string());
        if let Some(text) = text.filter(|_| self.instructions.is_none()) {
            self.instructions = Some(self.assembly.push(0, Message::text(Role::System, None, text)));
        }
    }

    fn item(&mut self, payload: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let Some((role, parts)) = items::item(payload, notes) else { return };
        if role != Role::Assistant {
            self.open = None;
            self.assembly.push(0, Message::new(role, at_ms, parts));
            return;
        }
        if let Some(message) = self.open.and_then(|at| self.assembly.message_mut(at)) {
            message.parts.extend(parts);
            return;
        }
        self.begin_answer(parts, at_ms, notes.line());
    }

    fn begin_answer(&mut self, parts: Vec<Part>, at_ms: Option<i64>, line: u64) {
        self.without_usage();
        let sent = self.assembly.context(0).len();
        let message = self.assembly.push(0, Message::new(Role::Assistant, at_ms, parts));
        self.open = Some(message);
        match self.awaiting.take().and_then(|request| self.assembly.request_mut(0, request)) {
            Some(request) => request.answer = Some(message),
            None => self.unpaid = Some(Answer { message, sent, at_ms, line }),
        }
    }

    /// Records the previous assistant message without usage: it was interrupted, or its version records none.
    fn without_usage(&mut self) {
        if let Some(answer) = self.unpaid.take() {
            self.pay(&answer, None);
        }
    }

    fn pay(&mut self, answer: &Answer, usage: Option<Usage>) {
        let model = self.assembly.model(self.model.as_deref());
        let Answer { message, sent, at_ms, line } = *answer;
        let answered = AnsweredRequest {
            answer: Some(message),
            at_ms,
            model,
            usage,
            line,
            ..AnsweredRequest::default()
        };
        self.assembly.request(0, sent, answered);
    }

    /// The newest request's usage. A resumed session repeats events; the running total identifies them.
    fn token_count(&mut self, payload: &Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let info = payload.get("info");
        let last = info.get("last_token_usage");
        let Some(total) = info.at(&["total_token_usage", "total_tokens"]).as_count() else { return };
        if self.total_tokens == Some(total)
            || (last.count("input_tokens") == 0 && last.count("output_tokens") == 0)
        {
            return;
        }
        self.total_tokens = Some(total);
        let (prompt, cached) = (last.count("input_tokens"), last.count("cached_input_tokens"));
        if cached > prompt {
            notes.add(NoteKind::OddUsage, || format!("{cached} cached of {prompt} tokens"));
        }
        let usage = usage::read(last);
        let follows = *self.usage_follows.get_or_insert(self.unpaid.is_some());
        self.open = None;
        match self.unpaid.take() {
            Some(answer) if follows => self.pay(&answer, usage),
            other => {
                self.unpaid = other;
                self.without_usage();
                let model = self.assembly.model(self.model.as_deref());
                let sent = self.assembly.context(0).len();
                let answered =
                    AnsweredRequest { at_ms, model, usage, line: notes.line(), ..AnsweredRequest::default() };
                let request = self.assembly.request(0, sent, answered);
                self.awaiting = (!follows).then_some(request);
            }
        }
    }

    /// Replaces the history; versions that don't record the new one keep the user messages and the summary.
    fn compacted(&mut self, mut payload: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        self.without_usage();
        self.open = None;
        let history = payload.take("replacement_history");
        let mut kept: Vec<u32> = self.instructions.into_iter().collect();
        if !history.is_list() {
            let context = self.assembly.context(0).iter().copied();
            let is_user_message = |at: &u32| {
                let message = self.assembly.message(*at);
                message.is_some_and(|message| matches!(message.role, Role::User | Role::Developer))
            };
            kept.extend(context.filter(is_user_message));
        }
        self.assembly.restart(0, ContextStart::Compaction { tokens_before: None }, kept);
        let mut open: Option<u32> = None;
        for value in history.into_list() {
            let Some((role, parts)) = items::item(value, notes) else { continue };
            let before =
                open.filter(|_| role == Role::Assistant).and_then(|at| self.assembly.message_mut(at));
            if let Some(message) = before {
                message.parts.extend(parts);
                continue;
            }
            let at = self.assembly.push(0, Message::new(role, at_ms, parts));
            open = (role == Role::Assistant).then_some(at);
        }
        if let Some(summary) = payload.take("message").into_string().filter(|text| !text.is_empty()) {
            self.assembly.push(0, Message::text(Role::User, at_ms, summary));
        }
    }
}
