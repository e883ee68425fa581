//! Codex rollouts: items of the Responses API as sent, and events for the UI.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<CodexReader>(
    Agent::Codex,
    "an object with `timestamp`, `type` (\"session_meta\", \"response_item\", …) and `payload`",
    |record| {
        let kinds = ["session_meta", "response_item", "turn_context", "event_msg", "compacted", "world_state"];
        let known = record.str("type").is_some_and(|kind| kinds.contains(&kind));
        Evidence::sure_if(known && record.get("payload").is_object())
    },
);

#[derive(Default)]
struct CodexReader {
    assembly: Assembly,
    instructions: Option<u32>,
    /// Number of messages that a request sent, and the request, while its usage hasn't been read.
    without_usage: Option<(usize, Request)>,
    /// The request whose usage came before its assistant message, as in old versions.
    awaiting_answer: Option<usize>,
    /// True if usage follows its assistant message; decided by the first of either.
    usage_follows: Option<bool>,
    total_tokens: Option<u64>,
}

impl Reader for CodexReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("timestamp");
        let mut payload = record.take("payload");
        match record.str("type").unwrap_or_default() {
            "session_meta" => self.session_meta(&mut payload),
            "turn_context" => self.assembly.model = payload.model("model").or(self.assembly.model.take()),
            "response_item" => self.item(payload, at_ms, notes),
            "compacted" => self.compacted(payload, at_ms, notes),
            "event_msg" if payload.str("type") == Some("token_count") => self.token_count(&payload, at_ms, notes),
            "event_msg" | "world_state" => {}
            kind => notes.unknown_record(
                Some(kind),
                "session_meta, response_item, turn_context, event_msg, compacted or world_state",
            ),
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.add_without_usage();
        self.assembly.finish()
    }
}

impl CodexReader {
    /// Repeated at each resume; the first one counts.
    fn session_meta(&mut self, meta: &mut Json<'_>) {
        if self.assembly.session.id.is_some() {
            return;
        }
        self.assembly.describe(meta.string("id"), meta.string("cwd"), meta.string("cli_version"));
        if meta.str("thread_source") == Some("subagent") || meta.get("source").has("subagent") {
            self.assembly.mark_sub_agent();
        }
        let mut instructions = meta.take("base_instructions");
        let text = instructions.take_string("text").or_else(|| meta.take_string("instructions"));
        if let Some(text) = text.filter(|_| self.instructions.is_none()) {
            self.instructions = Some(self.assembly.push(MAIN_THREAD, Message::text(Role::System, None, text)));
        }
    }

    fn item(&mut self, payload: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let Some((role, parts)) = items::item(payload, notes) else { return };
        if role != Role::Assistant {
            self.assembly.open = None;
            self.assembly.push(MAIN_THREAD, Message::new(role, at_ms, parts));
            return;
        }
        let Some(parts) = self.assembly.extend_or_return(self.assembly.open, parts) else { return };
        self.add_without_usage();
        let sent = self.assembly.current_context(MAIN_THREAD).len();
        let answer = Some(self.assembly.push(MAIN_THREAD, Message::new(Role::Assistant, at_ms, parts)));
        self.assembly.open = answer;
        let awaiting = self.awaiting_answer.take();
        if let Some(request) = awaiting.and_then(|request| self.assembly.request_mut(MAIN_THREAD, request)) {
            request.answer = answer;
        } else {
            self.without_usage = Some((sent, Request { answer, at_ms, line: notes.line(), ..Request::default() }));
        }
    }

    /// Adds the previous request without usage: it was interrupted, or its version records none.
    fn add_without_usage(&mut self) {
        if let Some((sent, request)) = self.without_usage.take() {
            self.assembly.add_request(MAIN_THREAD, sent, request);
        }
    }

    /// The newest request's usage. A resumed session repeats events; the running total identifies them.
    fn token_count(&mut self, payload: &Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let info = payload.get("info");
        let last = info.get("last_token_usage");
        let Some(total) = info.get_path(&["total_token_usage", "total_tokens"]).as_count() else { return };
        let (prompt, cached) = (last.count("input_tokens"), last.count("cached_input_tokens"));
        if self.total_tokens == Some(total) || (prompt == 0 && last.count("output_tokens") == 0) {
            return;
        }
        self.total_tokens = Some(total);
        if cached > prompt {
            notes.add(NoteKind::InvalidUsage, || format!("{cached} cached of {prompt} tokens"));
        }
        let usage = usage::read(last);
        let follows = *self.usage_follows.get_or_insert(self.without_usage.is_some());
        self.assembly.open = None;
        if let Some((sent, request)) = self.without_usage.take_if(|_| follows) {
            self.assembly.add_request(MAIN_THREAD, sent, Request { usage, ..request });
            return;
        }
        self.add_without_usage();
        let sent = self.assembly.current_context(MAIN_THREAD).len();
        let request = Request { at_ms, usage, line: notes.line(), ..Request::default() };
        let index = self.assembly.add_request(MAIN_THREAD, sent, request);
        self.awaiting_answer = (!follows).then_some(index);
    }

    /// Replaces the history. Old versions don't record the new one: it is the user messages and then the summary.
    fn compacted(&mut self, mut payload: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        self.add_without_usage();
        self.assembly.open = None;
        let records_history = payload.get("replacement_history").is_list();
        let mut kept: Vec<u32> = self.instructions.into_iter().collect();
        if !records_history {
            let context = self.assembly.current_context(MAIN_THREAD).iter().copied();
            kept.extend(context.filter(|&index| self.assembly.has_role(index, &[Role::User, Role::Developer])));
        }
        self.assembly.start_context(MAIN_THREAD, ContextStart::Compaction { tokens_before: None }, kept);
        let mut open: Option<u32> = None;
        for value in payload.take_list("replacement_history") {
            let Some((role, parts)) = items::item(value, notes) else { continue };
            open.take_if(|_| role != Role::Assistant);
            let Some(parts) = self.assembly.extend_or_return(open, parts) else { continue };
            let index = self.assembly.push(MAIN_THREAD, Message::new(role, at_ms, parts));
            open = (role == Role::Assistant).then_some(index);
        }
        // A recorded history already has the summary.
        if let Some(summary) = payload.take_nonempty("message").filter(|_| !records_history) {
            self.assembly.push(MAIN_THREAD, Message::text(Role::User, at_ms, summary));
        }
    }
}
