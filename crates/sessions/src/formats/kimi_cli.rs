//! Kimi CLI's `wire.jsonl`: every step of the agent's loop is an event; usage has its own records.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<KimiReader>(
    Agent::KimiCli,
    "a record with `type` \"metadata\" and `protocol_version`, \"context.append_message\" or \"llm.request\"",
    |record| {
        Evidence::sure_if(match record.str("type") {
            Some("metadata") => record.has("protocol_version"),
            Some("llm.request") => record.has("messageCount"),
            Some("context.append_message") => record.has("message"),
            Some("context.append_loop_event") => record.has("event"),
            _ => false,
        })
    },
);

#[derive(Default)]
struct KimiReader {
    /// Events belong to its newest request, whose assistant message is `open`.
    assembly: Assembly,
    prefix: Vec<u32>,
}

impl Reader for KimiReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("time");
        match record.str("type").unwrap_or_default() {
            "config.update" => self.config(&mut record),
            "llm.tools_snapshot" if record.get("tools").is_list() => {
                let tools = Part::Tools(record.get("tools").to_text());
                self.add_to_prefix(Message::new(Role::System, None, vec![tools]));
            }
            "llm.request" => self.request(&record, at_ms, notes.line()),
            "context.append_message" => self.message(record.take("message"), at_ms, notes),
            "context.append_loop_event" => self.event(record.take("event"), at_ms, notes),
            "usage.record" => self.usage(record.get("usage")),
            "context.apply_compaction" => self.compaction(record, at_ms),
            "turn.prompt" if record.get("origin").str("name") == Some("subagent") => self.assembly.mark_sub_agent(),
            // Permissions, modes, plugins: not sent to the model.
            _ => {}
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl KimiReader {
    fn config(&mut self, record: &mut Json<'_>) {
        if self.assembly.session.project.is_none() {
            self.assembly.session.project = record.string("cwd");
        }
        if let Some(text) = record.take_string("systemPrompt") {
            self.add_to_prefix(Message::text(Role::System, None, text));
        }
    }

    fn add_to_prefix(&mut self, message: Message) {
        if self.assembly.session.requests().next().is_none() {
            let index = self.assembly.push(0, message);
            self.prefix.push(index);
        }
    }

    fn request(&mut self, record: &Json<'_>, at_ms: Option<i64>, line: u64) {
        let sent = self.assembly.current_context(0).len();
        let is_compaction = record.str("kind") == Some("compaction");
        let kind = if is_compaction { RequestKind::Compaction } else { RequestKind::Turn };
        let answered = Request { at_ms, model: record.model("model"), kind, line, ..Request::default() };
        self.assembly.add_request(0, sent, answered);
        self.assembly.open = None;
    }

    fn message(&mut self, message: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let expected = "a `message` with `role` and `content`";
        if let Some(read) = message::read_expected(message, expected, notes) {
            self.assembly.push(0, Message { at_ms, ..read.message });
        }
    }

    fn event(&mut self, mut event: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        match event.str("type").unwrap_or_default() {
            "content.part" => {
                let parts = blocks::parts(Json::List(vec![event.take("part")]), notes);
                self.add_to_answer(parts, at_ms);
            }
            "tool.call" => self.add_to_answer(vec![blocks::call_in(event, ["toolCallId", "name", "args"])], at_ms),
            "tool.result" => {
                let id = event.take_text("toolCallId");
                let mut result = event.take("result");
                let is_error = result.is_true("isError") || result.has("error");
                let output = if result.has("output") { result.take("output") } else { result };
                let result = Part::Result { id, content: blocks::result(output, notes), is_error };
                self.assembly.push(0, Message::new(Role::Tool, at_ms, vec![result]));
            }
            "step.end" => self.usage(event.get("usage")),
            _ => {}
        }
    }

    fn add_to_answer(&mut self, parts: Vec<Part>, at_ms: Option<i64>) {
        let Some(parts) = self.assembly.extend_or_return(self.assembly.open, parts) else { return };
        let index = self.assembly.push(0, Message::new(Role::Assistant, at_ms, parts));
        self.assembly.open = Some(index);
        if let Some(request) = self.newest_request() {
            request.answer = Some(index);
        }
    }

    fn newest_request(&mut self) -> Option<&mut Request> {
        self.assembly.session.threads.first_mut()?.requests.last_mut()
    }

    /// Usage is recorded at the end of a step, and again in its own record.
    fn usage(&mut self, recorded: &Json<'_>) {
        if let Some(request) = self.newest_request() {
            request.usage = usage::read(recorded).or(request.usage);
        }
    }

    /// Keeps the newest user messages; the summary replaces the rest.
    fn compaction(&mut self, mut record: Json<'_>, at_ms: Option<i64>) {
        let count = record.get("keptUserMessageCount").as_index().unwrap_or(0);
        let context = self.assembly.current_context(0).iter().copied();
        let by_users: Vec<u32> = context.filter(|&index| self.assembly.has_role(index, &[Role::User])).collect();
        let mut kept = self.prefix.clone();
        kept.extend(by_users.get(by_users.len().saturating_sub(count)..).unwrap_or_default());
        let tokens_before = record.get("tokensBefore").as_count();
        self.assembly.start_context(0, ContextStart::Compaction { tokens_before }, kept);
        let summary = record.take_string("contextSummary").or_else(|| record.take_string("summary"));
        self.assembly.push(0, Message::text(Role::User, at_ms, summary.unwrap_or_default()));
    }
}
