//! Messages of a session for display: without encrypted reasoning and image data.

use std::collections::HashMap;
use std::ops::Range;

use palimpsest_core::failure::{Verdict, verdict_of};
use palimpsest_core::tools;
use serde::Serialize;

use crate::model::{Media, MediaKind, Message, Part, Role, Session};

const MAX_PAGE_MESSAGES: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessagePage {
    pub from: usize,
    pub total: usize,
    pub messages: Vec<PageMessage>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageMessage {
    role: Role,
    time_ms: Option<i64>,
    parts: Vec<PagePart>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum PagePart {
    Text { text: String },
    Reasoning { text: String },
    Tools { text: String },
    Other { text: String },
    Call { tool: String, text: String },
    Result { tool: Option<String>, is_error: bool, text: String },
    Image { media_type: Option<String>, text: String },
    File { media_type: Option<String>, text: String },
}

impl MessagePage {
    pub fn of(session: &Session, range: Range<usize>) -> Self {
        let total = session.messages.len();
        let from = range.start.min(total);
        let to = range.end.min(total).min(from.saturating_add(MAX_PAGE_MESSAGES));
        let calls = session.messages.iter().flat_map(Message::calls);
        let tool_of_call = calls.map(|(id, tool, _)| (id, tool)).collect();
        let messages = session.messages.get(from..to).unwrap_or_default().iter().map(|message| {
            let parts = message.parts.iter().map(|part| page_part(part, &tool_of_call)).collect();
            PageMessage { role: message.role, time_ms: message.at_ms, parts }
        });
        Self { from, total, messages: messages.collect() }
    }
}

fn page_part(part: &Part, tool_of_call: &HashMap<&str, &str>) -> PagePart {
    match part {
        Part::Text(text) => PagePart::Text { text: text.clone() },
        Part::Reasoning { text, .. } => PagePart::Reasoning { text: text.clone() },
        Part::Tools(text) => PagePart::Tools { text: text.clone() },
        Part::Other { kind, json } => PagePart::Other { text: format!("{kind}\n{json}") },
        Part::Call { name, arguments, .. } => PagePart::Call { tool: name.clone(), text: arguments.clone() },
        Part::Result { id, content, is_error } => PagePart::Result {
            tool: tool_of_call.get(id.as_str()).map(|tool| (*tool).to_owned()),
            is_error: *is_error || has_failed(id, content, tool_of_call),
            text: text_of(content),
        },
        Part::Media(media @ Media { kind: MediaKind::Image, media_type, .. }) => {
            PagePart::Image { media_type: media_type.clone(), text: description_of(media) }
        }
        Part::Media(media) => PagePart::File { media_type: media.media_type.clone(), text: description_of(media) },
    }
}

fn has_failed(id: &str, content: &[Part], tool_of_call: &HashMap<&str, &str>) -> bool {
    let tool = tools::kind_of(tool_of_call.get(id).copied().unwrap_or_default());
    verdict_of(&text_of(content), tool, Some(id)) == Verdict::Failed
}

fn text_of(content: &[Part]) -> String {
    let texts = content.iter().map(|part| match part {
        Part::Text(text) | Part::Reasoning { text, .. } | Part::Tools(text) => text.clone(),
        Part::Other { json, .. } => json.clone(),
        Part::Media(media) => description_of(media),
        Part::Call { name, arguments, .. } => format!("{name} {arguments}"),
        Part::Result { content, .. } => text_of(content),
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn description_of(media: &Media) -> String {
    let kind = match media.kind {
        MediaKind::Image => "image",
        MediaKind::File => "file",
    };
    let media_type = media.media_type.as_deref().map_or(String::new(), |name| format!(", {name}"));
    format!("[{kind}{media_type}]")
}
