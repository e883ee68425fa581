//! Reads a response: a JSON body, or the assembled events of a stream.

use crate::dialects::ReadMessage;
use crate::formats::prelude::*;

#[derive(Default)]
pub(crate) struct Response {
    pub(crate) id: Option<String>,
    pub(crate) at_ms: Option<i64>,
    pub(crate) model: Option<ModelName>,
    pub(crate) parts: Vec<Part>,
    pub(crate) usage: Option<Usage>,
    /// Usage of summaries that the provider wrote before the response.
    pub(crate) compactions: Vec<Usage>,
}

pub(crate) fn read(mut response: Json<'_>, notes: &mut Notes) -> Response {
    match body_in(&mut response, &["parsed_body", "body", "body_raw"]) {
        Json::Null => of_body(response, notes),
        Json::Text(text) => match Json::parse(&text, &[]) {
            Ok(body) => of_body(body, notes),
            Err(_) => of_stream(&text, notes),
        },
        body => of_body(body, notes),
    }
}

/// The body in an HTTP envelope, parsed or as text; `Null` if there is none.
pub(crate) fn body_in<'j>(envelope: &mut Json<'j>, keys: &[&str]) -> Json<'j> {
    let mut bodies = keys.iter().map(|key| {
        let mut body = envelope.take(key);
        if body.has("string") { body.take("string") } else { body }
    });
    bodies.find(|body| body.is_object() || body.as_str().is_some()).unwrap_or_default()
}

fn of_body(mut body: Json<'_>, notes: &mut Notes) -> Response {
    let at_ms = ["created_at", "created", "createTime"].into_iter().find_map(|key| body.time_ms(key));
    let counted = ["usage", "usageMetadata"].into_iter().find_map(|key| usage::read(body.get(key)));
    let compactions = usage::compactions(body.get("usage"));
    let (id, model) = (body.string("id"), body.model("model"));
    let parts_of = |read: ReadMessage| read.message.parts;
    let mut parts = Vec::new();
    if body.get("output").is_list() {
        parts = items::parts(body.take_list("output"), notes);
    } else if let Some(mut choice) = body.take_list("choices").into_iter().next() {
        parts.extend(message::read(choice.take("message"), notes).into_iter().flat_map(parts_of));
    } else if let Some(mut candidate) = body.take_list("candidates").into_iter().next() {
        parts.extend(gemini::content(candidate.take("content"), None, notes).parts);
    } else if body.has("role") {
        parts.extend(message::read(body, notes).into_iter().flat_map(parts_of));
    }
    Response { id, at_ms, model, parts, usage: counted, compactions }
}

/// Server-sent events: Responses streams end with the whole response; Anthropic's and Chat Completions' are assembled.
fn of_stream(text: &str, notes: &mut Notes) -> Response {
    let mut stream = Stream::default();
    for line in text.lines() {
        let Some(data) = line.strip_prefix("data:") else { continue };
        let Ok(mut event) = Json::parse(data.trim(), &[]) else { continue };
        let kind = event.string("type").unwrap_or_default();
        match kind.as_str() {
            "response.completed" | "response.incomplete" => return of_body(event.take("response"), notes),
            "message_start" => {
                let message = event.get("message");
                stream.response.id = message.string("id");
                stream.response.model = message.model("model");
                stream.started = usage::read(message.get("usage"));
            }
            "message_delta" => {
                let report = event.get("usage");
                let output = report.count("output_tokens");
                stream.ended = (usage::read(report), output, usage::compactions(report));
            }
            "content_block_start" => stream.open(&event.take("content_block")),
            "content_block_delta" => stream.extend(&event.take("delta")),
            _ => stream.chunk(&event),
        }
    }
    stream.finish()
}

#[derive(Default)]
struct Stream {
    response: Response,
    started: Option<Usage>,
    /// What a later event reports instead: usage, output tokens, and usage of summaries.
    ended: (Option<Usage>, u64, Vec<Usage>),
}

impl Stream {
    fn open(&mut self, block: &Json<'_>) {
        let part = match block.str("type").unwrap_or_default() {
            "thinking" => Part::Reasoning { text: String::new(), opaque: None },
            "tool_use" | "server_tool_use" => Part::Call {
                id: block.string("id").unwrap_or_default(),
                name: block.string("name").unwrap_or_default(),
                arguments: String::new(),
                free_text: false,
            },
            _ => Part::Text(block.string("text").unwrap_or_default()),
        };
        self.response.parts.push(part);
    }

    fn extend(&mut self, delta: &Json<'_>) {
        let more = |key: &str| delta.str(key).unwrap_or_default();
        match self.response.parts.last_mut() {
            Some(Part::Text(text)) => text.push_str(more("text")),
            Some(Part::Reasoning { text, opaque }) => {
                text.push_str(more("thinking"));
                if let Some(signature) = delta.str("signature") {
                    *opaque = Some(signature.to_owned());
                }
            }
            Some(Part::Call { arguments, .. }) => arguments.push_str(more("partial_json")),
            _ => {}
        }
    }

    /// A chunk of Chat Completions: text, and at the end the usage.
    fn chunk(&mut self, event: &Json<'_>) {
        let response = &mut self.response;
        response.id = response.id.take().or(event.string("id"));
        response.model = response.model.take().or(event.model("model"));
        if let Some(counted) = usage::read(event.get("usage")) {
            response.usage = Some(counted);
        }
        let delta = event.get("choices").list().first().map(|choice| choice.get("delta"));
        if let Some(text) = delta.and_then(|delta| delta.str("content")) {
            match response.parts.last_mut() {
                Some(Part::Text(newest)) => newest.push_str(text),
                _ => response.parts.push(Part::Text(text.to_owned())),
            }
        }
    }

    fn finish(mut self) -> Response {
        let (ended, output, compactions) = self.ended;
        if let Some(started) = self.started {
            // The last event repeats the input classes in newer versions, and always has the final output.
            let mut counted = ended.filter(|last| last.total() >= started.total()).unwrap_or(started);
            counted.output = output.max(counted.output);
            self.response.usage = Some(counted);
            self.response.compactions = compactions;
        }
        self.response
    }
}
