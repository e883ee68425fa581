//! GitHub Copilot: events of the command line, and chats stored by Visual Studio Code.

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{blocks, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, Message, ModelTotal, Part, Role, Session};
use crate::notes::Notes;
use crate::times::time_ms;

pub(crate) struct Copilot;

impl Format for Copilot {
    fn agent(&self) -> Agent {
        Agent::Copilot
    }

    fn expects(&self) -> &'static str {
        "events with `type` \"session.start\" or \"assistant.message\" and `data`, or a chat with `requests`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let kinds = [
            "session.start", "user.message", "assistant.message", "tool.execution_complete", "session.resume",
        ];
        let event =
            record.str("type").is_some_and(|kind| kinds.contains(&kind)) && record.get("data").is_object();
        let chat = record.get("requests").is_list() && record.has("responderUsername");
        Evidence::sure_if(event || chat)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(CopilotReader { assembly: Assembly::new(Agent::Copilot), model: None })
    }
}

struct CopilotReader {
    assembly: Assembly,
    model: Option<String>,
}

impl Reader for CopilotReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("requests").is_list() {
            self.chat(record, notes);
            return;
        }
        let at_ms = time_ms(record.get("timestamp"));
        let mut data = record.take("data");
        match record.str("type").unwrap_or_default() {
            "session.start" => self.start(&data),
            "session.model_change" => self.model = data.string("newModel"),
            "system.message" => {
                let text = data.take("content").into_plain();
                self.assembly.push(0, Message::text(Role::System, at_ms, text));
            }
            "user.message" => {
                let sent = if data.has("transformedContent") { "transformedContent" } else { "content" };
                let text = data.take(sent).into_plain();
                self.assembly.push(0, Message::text(Role::User, at_ms, text));
            }
            "assistant.message" => self.assistant(data, at_ms, notes.line()),
            "tool.execution_complete" => self.result(data, at_ms, notes),
            "session.compaction_complete" => self.compaction(data, at_ms),
            "session.shutdown" => self.totals(&data),
            // Starts, turns, hooks, information: not sent to the model.
            _ => {}
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl CopilotReader {
    fn start(&mut self, data: &Json<'_>) {
        let session = &mut self.assembly.session;
        session.id = data.string("sessionId");
        session.project = data.get("context").string("cwd");
        session.version = data.string("copilotVersion");
        self.model = data.string("selectedModel").or(self.model.take());
    }

    fn assistant(&mut self, mut data: Json<'_>, at_ms: Option<i64>, line: u64) {
        let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
        let mut parts = Vec::new();
        let (text, opaque) =
            (data.take("reasoningText").into_string(), data.take("reasoningOpaque").into_string());
        if text.is_some() || opaque.is_some() {
            parts.push(Part::Reasoning { text: text.unwrap_or_default(), opaque });
        }
        if let Some(text) = data.take("content").into_string().filter(|text| !text.is_empty()) {
            parts.push(Part::Text(text));
        }
        for mut call in data.take("toolRequests").into_list() {
            parts.push(Part::Call {
                id: owned(call.take("toolCallId")),
                name: owned(call.take("name")),
                arguments: blocks::arguments(call.take("arguments")),
                free_text: false,
            });
        }
        let model = self.assembly.model(data.str("model").or(self.model.as_deref()));
        let answered = AnsweredRequest { model, line, ..AnsweredRequest::default() };
        self.assembly.answer(0, Message::new(Role::Assistant, at_ms, parts), answered);
    }

    fn result(&mut self, mut data: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) {
        let id = data.take("toolCallId").into_string().unwrap_or_default();
        let is_error = *data.get("success") == Json::Bool(false);
        let mut result = data.take(if data.has("result") { "result" } else { "error" });
        let field = if result.has("content") { "content" } else { "message" };
        let content = blocks::result(result.take(field), notes);
        self.assembly.push(0, Message::new(Role::Tool, at_ms, vec![Part::Result { id, content, is_error }]));
    }

    fn compaction(&mut self, mut data: Json<'_>, at_ms: Option<i64>) {
        let Some(summary) = data.take("summaryContent").into_string() else { return };
        let system = self.assembly.context(0).first().copied();
        let is_system =
            |at: &u32| self.assembly.message(*at).is_some_and(|message| message.role == Role::System);
        let kept = system.filter(is_system).into_iter().collect();
        let tokens_before = data.get("preCompactionTokens").as_count();
        self.assembly.restart(0, ContextStart::Compaction { tokens_before }, kept);
        self.assembly.push(0, Message::text(Role::User, at_ms, summary));
    }

    /// The only usage in the file: per session, by model.
    fn totals(&mut self, data: &Json<'_>) {
        for (model, metrics) in data.get("modelMetrics").fields() {
            self.assembly.session.totals.push(ModelTotal {
                model: model.clone().into_owned(),
                requests: metrics.get("requests").count("count"),
                usage: usage::read(metrics.get("usage")).unwrap_or_default(),
                cost_usd: None,
            });
        }
    }

    /// A chat of Visual Studio Code: one entry per user prompt, with its requests inside.
    fn chat(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        self.assembly.session.id = record.string("sessionId");
        for mut prompt in record.take("requests").into_list() {
            let at_ms = time_ms(prompt.get("timestamp"));
            let model = prompt.string("modelId");
            let mut metadata = prompt.take("result").take("metadata");
            let rendered = metadata.take("renderedUserMessage");
            let texts = rendered.list().iter().filter_map(|part| part.string("text"));
            let mut parts: Vec<_> = texts.map(Part::Text).collect();
            if parts.is_empty() {
                parts.extend(prompt.take("message").take("text").into_string().map(Part::Text));
            }
            self.assembly.push(0, Message::new(Role::User, at_ms, parts));
            let mut results = metadata.take("toolCallResults");
            for round in metadata.take("toolCallRounds").into_list() {
                self.round(round, &mut results, (at_ms, model.as_deref()), notes.line());
            }
        }
    }

    fn round(
        &mut self,
        mut round: Json<'_>,
        results: &mut Json<'_>,
        answered: (Option<i64>, Option<&str>),
        line: u64,
    ) {
        let (at_ms, model) = answered;
        let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
        let mut parts = Vec::new();
        let mut answers = Vec::new();
        if let Some(text) = round.take("response").into_string().filter(|text| !text.is_empty()) {
            parts.push(Part::Text(text));
        }
        for mut call in round.take("toolCalls").into_list() {
            let id = owned(call.take("id"));
            if let Json::Object(_) = results.get(&id) {
                let mut text = String::new();
                for content in results.take(&id).take("content").list() {
                    rendered_text(content.get("value"), &mut text);
                }
                answers.push(Part::Result {
                    id: id.clone(),
                    content: vec![Part::Text(text)],
                    is_error: false,
                });
            }
            let (name, arguments) = (owned(call.take("name")), blocks::arguments(call.take("arguments")));
            parts.push(Part::Call { id, name, arguments, free_text: false });
        }
        let model = self.assembly.model(model);
        let answered = AnsweredRequest { model, line, ..AnsweredRequest::default() };
        self.assembly.answer(0, Message::new(Role::Assistant, at_ms, parts), answered);
        if !answers.is_empty() {
            self.assembly.push(0, Message::new(Role::Tool, at_ms, answers));
        }
    }
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
    let children =
        if node.has("node") { std::slice::from_ref(node.get("node")) } else { node.get("children").list() };
    for child in children {
        rendered_text(child, out);
    }
}
