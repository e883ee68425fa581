//! UI messages of the Vercel AI SDK, versions 4 to 7: a message of the assistant holds all steps of its turn.

use crate::Agent;
use crate::assembly::{Answered, Assembly};
use crate::dialects::{blocks, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{MediaKind, Message, Part, Role, Session};
use crate::notes::Notes;
use crate::times::time_ms;

pub(crate) struct AiSdkUi;

impl Format for AiSdkUi {
    fn agent(&self) -> Agent {
        Agent::AiSdkUi
    }

    fn expects(&self) -> &'static str {
        "a list of messages with `id`, `role` and `parts`, each part with a `type`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let listed = if record.is_list() { record.list() } else { record.get("messages").list() };
        let is_ui = |message: &Json<'_>| {
            let parts = message.get("parts").list();
            message.has("role") && !parts.is_empty() && parts.iter().all(|part| part.str("type").is_some())
        };
        let some = if listed.is_empty() { std::slice::from_ref(record) } else { listed };
        Evidence::sure_if(some.iter().take(20).any(is_ui))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(UiReader { assembly: Assembly::new(Agent::AiSdkUi) })
    }
}

struct UiReader {
    assembly: Assembly,
}

#[derive(Default)]
struct Step {
    parts: Vec<Part>,
    results: Vec<Part>,
}

impl Reader for UiReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("messages").is_list() {
            self.assembly.session.id = record.string("id");
            record = record.take("messages");
        }
        match record {
            Json::List(messages) => {
                for message in messages {
                    self.message(message, notes);
                }
            }
            message => self.message(message, notes),
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

impl UiReader {
    fn message(&mut self, mut message: Json<'_>, notes: &mut Notes) {
        let metadata = message.get("metadata");
        let at_ms = time_ms(message.get("createdAt")).or_else(|| time_ms(metadata.get("createdAt")));
        let usage = ["usage", "totalUsage"].into_iter().find_map(|key| usage::usage(metadata.get(key)));
        let model = self.assembly.model(metadata.str("model"));
        let role = match message.str("role") {
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            Some("user") => Role::User,
            _ => {
                notes.incomplete("a message with `role` and `parts`");
                return;
            }
        };
        let mut parts = message.take("parts").into_list();
        if parts.is_empty() {
            parts.extend(text_part(message.take("content")));
        }
        let steps = steps(parts, notes);
        if role != Role::Assistant {
            let parts = steps.into_iter().flat_map(|step| step.parts).collect();
            self.assembly.push(0, Message::new(role, at_ms, parts));
            return;
        }
        // What a host keeps about usage is of the whole turn: it says something only where that is one request.
        let usage = usage.filter(|_| steps.len() == 1);
        for step in steps {
            let answered =
                Answered { model: model.clone(), usage, line: notes.line(), ..Answered::default() };
            self.assembly.answer(0, Message::new(Role::Assistant, at_ms, step.parts), answered);
            if !step.results.is_empty() {
                self.assembly.push(0, Message::new(Role::Tool, at_ms, step.results));
            }
        }
    }
}

fn text_part(content: Json<'_>) -> Option<Json<'_>> {
    let text = content.into_string()?;
    Some(Json::Object(vec![
        ("type".into(), Json::Text("text".into())),
        ("text".into(), Json::Text(text.into())),
    ]))
}

fn steps(parts: Vec<Json<'_>>, notes: &mut Notes) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = Step::default();
    for mut part in parts {
        let kind = part.string("type").unwrap_or_default();
        match kind.as_str() {
            "step-start" => {
                let done = std::mem::take(&mut step);
                if !done.parts.is_empty() {
                    steps.push(done);
                }
            }
            "tool-invocation" => tool(part.take("toolInvocation"), None, &mut step),
            "dynamic-tool" => tool(part, None, &mut step),
            "file" => {
                let url = part.take("url").into_string().unwrap_or_default();
                step.parts.push(blocks::media_of_url(MediaKind::File, url));
            }
            kind if kind.starts_with("tool-") => {
                let name = kind.get("tool-".len()..).map(str::to_owned);
                tool(part, name, &mut step);
            }
            // Sources and data are for the screen.
            kind if kind.starts_with("source") || kind.starts_with("data-") => {}
            _ => step.parts.extend(blocks::parts(Json::List(vec![part]), notes)),
        }
    }
    if !step.parts.is_empty() {
        steps.push(step);
    }
    steps
}

/// Version 4 has `args`, `result` and `state: "result"`; later ones `input`, `output` and `state: "output-…"`.
fn tool(mut part: Json<'_>, name: Option<String>, step: &mut Step) {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    let id = owned(part.take("toolCallId"));
    let name = name.unwrap_or_else(|| owned(part.take("toolName")));
    let input = part.take(if part.has("args") { "args" } else { "input" });
    step.parts.push(Part::Call {
        id: id.clone(),
        name,
        arguments: blocks::arguments(input),
        free_text: false,
    });
    let (answer, is_error) = match part.str("state") {
        Some("result") => ("result", false),
        Some("output-available") => ("output", false),
        Some("output-error") => ("errorText", true),
        _ => return,
    };
    let text = part.take(answer).into_plain();
    step.results.push(Part::Result { id, content: vec![Part::Text(text)], is_error });
}
