//! Kimi CLI's wire file: every step of the loop is an event; usage has its own records.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{blocks, message, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, Message, Part, RequestKind, Role, Session, ThreadKind};
use crate::notes::Notes;
use crate::times::time_ms;

pub(crate) struct KimiCli;

impl Format for KimiCli {
    fn agent(&self) -> Agent {
        Agent::KimiCli
    }

    fn expects(&self) -> &'static str {
        "a record with `type` \"metadata\" and `protocol_version`, \"context.append_message\" or \"llm.request\""
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        Evidence::sure_if(match record.str("type") {
            Some("metadata") => record.has("protocol_version"),
            Some("llm.request") => record.has("messageCount"),
            Some("context.append_message") => record.has("message"),
            Some("context.append_loop_event") => record.has("event"),
            _ => false,
        })
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(KimiReader {
            assembly: Assembly::new(Agent::KimiCli),
            newest: None,
            answer: None,
            system: Vec::new(),
        })
    }
}

struct KimiReader {
    assembly: Assembly,
    /// The request to which events belong, and its assistant message once it has begun.
    newest: Option<usize>,
    answer: Option<u32>,
    /// System prompt and tools, with which every prefix starts.
    system: Vec<u32>,
}

impl Reader for KimiReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = time_ms(record.get("time"));
        match record.str("type").unwrap_or_default() {
            "config.update" => self.config(&mut record),
            "llm.tools_snapshot" if record.get("tools").is_list() => {
                let tools =
                    Message::new(Role::System, None, vec![Part::Tools(record.get("tools").to_text())]);
                self.prefix(tools);
            }
            "llm.request" => self.request(&record, at_ms, notes.line()),
            "context.append_message" => self.message(record.take("message"), at_ms, notes),
            "context.append_loop_event" => self.event(record.take("event"), at_ms, notes),
            "usage.record" => self.usage(record.get("usage")),
            "context.apply_compaction" => self.compaction(record, at_ms),
            "turn.prompt" => {
                let sub_agent = record.at(&["origin", "name"]).as_str() == Some("subagent");
                if let Some(main) = self.assembly.session.threads.first_mut().filter(|_| sub_agent) {
                    main.kind = ThreadKind::SubAgent;
                }
            }
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
        if let Some(text) = record.take("systemPrompt").into_string() {
            self.prefix(Message::text(Role::System, None, text));
        }
    }

    /// Settings come before the first request; later ones would change the prefix, so they are ignored.
    fn prefix(&mut self, message: Message) {
        if self.assembly.session.requests().next().is_none() {
            let at = self.assembly.push(0, message);
            self.system.push(at);
        }
    }

    fn request(&mut self, record: &Json<'_>, at_ms: Option<i64>, line: u64) {
        let sent = self.assembly.context(0).len();
        let model = self.assembly.model(record.str("model"));
        let request = self.assembly.request(
            0,
            sent,
            AnsweredRequest { at_ms, model, line, ..AnsweredRequest::default() },
        );
        if let Some(request) =
            self.assembly.request_mut(0, request).filter(|_| record.str("kind") == Some("compaction"))
        {
            request.kind = RequestKind::Compaction;
        }
        self.newest = Some(request);
        self.answer = None;
    }

    fn message(&mut self, message: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let Some(mut read) = message::message(message, notes) else {
            notes.incomplete("a `message` with `role` and `content`");
            return;
        };
        read.message.at_ms = at_ms;
        self.assembly.push(0, read.message);
    }

    fn event(&mut self, mut event: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
        match event.str("type").unwrap_or_default() {
            "content.part" => {
                let parts = blocks::parts(Json::List(vec![event.take("part")]), notes);
                self.say(parts, at_ms);
            }
            "tool.call" => {
                let (id, name) = (owned(event.take("toolCallId")), owned(event.take("name")));
                let arguments = blocks::arguments(event.take("args"));
                self.say(vec![Part::Call { id, name, arguments, free_text: false }], at_ms);
            }
            "tool.result" => {
                let id = owned(event.take("toolCallId"));
                let mut result = event.take("result");
                let is_error = result.is_true("isError") || result.has("error");
                let output = if result.has("output") { result.take("output") } else { result };
                let content = blocks::result(output, notes);
                self.assembly
                    .push(0, Message::new(Role::Tool, at_ms, vec![Part::Result { id, content, is_error }]));
            }
            "step.end" => self.usage(event.get("usage")),
            _ => {}
        }
    }

    fn say(&mut self, parts: Vec<Part>, at_ms: Option<i64>) {
        if let Some(message) = self.answer.and_then(|at| self.assembly.message_mut(at)) {
            message.parts.extend(parts);
            return;
        }
        let at = self.assembly.push(0, Message::new(Role::Assistant, at_ms, parts));
        self.answer = Some(at);
        if let Some(request) = self.newest.and_then(|request| self.assembly.request_mut(0, request)) {
            request.answer = Some(at);
        }
    }

    /// Usage is recorded at the end of a step, and again in its own record.
    fn usage(&mut self, recorded: &Json<'_>) {
        let request = self.newest.and_then(|request| self.assembly.request_mut(0, request));
        if let Some(request) = request {
            request.usage = usage::read(recorded).or(request.usage);
        }
    }

    /// Keeps the newest user messages; the summary replaces the rest.
    fn compaction(&mut self, mut record: Json<'_>, at_ms: Option<i64>) {
        let count = usize::try_from(record.count("keptUserMessageCount")).unwrap_or(usize::MAX);
        let by_user =
            |at: &&u32| self.assembly.message(**at).is_some_and(|message| message.role == Role::User);
        let by_users: Vec<u32> = self.assembly.context(0).iter().filter(by_user).copied().collect();
        let mut kept = self.system.clone();
        kept.extend(by_users.get(by_users.len().saturating_sub(count)..).unwrap_or_default());
        let tokens_before = record.get("tokensBefore").as_count();
        self.assembly.restart(0, ContextStart::Compaction { tokens_before }, kept);
        let summary =
            record.take("contextSummary").into_string().or_else(|| record.take("summary").into_string());
        self.assembly.push(0, Message::text(Role::User, at_ms, summary.unwrap_or_default()));
    }
}
