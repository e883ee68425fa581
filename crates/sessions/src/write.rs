//! Writes neutral messages as the body of a request in a provider's dialect: for hosts that read one of those.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use serde_json::Value;

use crate::Agent;
use crate::model::{Media, MediaSource, Message, Part, Role};

/// The dialect in which a list of messages is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Anthropic,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
}

impl Agent {
    /// The dialect in which the agent itself sends its messages, as far as that is one.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        match self {
            Self::ClaudeCode | Self::Cline | Self::Pi => Dialect::Anthropic,
            Self::Codex => Dialect::OpenAiResponses,
            Self::GeminiCli | Self::QwenCode => Dialect::Gemini,
            _ => Dialect::OpenAiChat,
        }
    }
}

/// The body that would send `messages`: what stands in a system message goes where the dialect keeps it.
#[must_use]
pub fn request_body<'a>(messages: impl Iterator<Item = &'a Message>, dialect: Dialect) -> Value {
    let messages: Vec<&Message> = messages.collect();
    match dialect {
        Dialect::Anthropic => anthropic::body(&messages),
        Dialect::OpenAiChat => chat::body(&messages),
        Dialect::OpenAiResponses => responses::body(&messages),
        Dialect::Gemini => gemini::body(&messages),
    }
}

/// One message in OpenAI's chat form; its results are messages of their own there.
pub(crate) fn chat_messages(message: &Message) -> Vec<Value> {
    chat::several(message)
}

/// JSON text as a value; text that is none stays text.
fn value_of(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::from(json))
}

fn is_system(message: &Message) -> bool {
    matches!(message.role, Role::System | Role::Developer)
}

/// What system messages say, joined, and the tools that they hold.
fn system_and_tools(messages: &[&Message]) -> (String, Option<Value>) {
    let (mut texts, mut tools) = (Vec::new(), None);
    for part in messages.iter().filter(|message| is_system(message)).flat_map(|message| &message.parts) {
        match part {
            Part::Text(text) => texts.push(text.as_str()),
            Part::Tools(json) => tools = Some(value_of(json)),
            _ => {}
        }
    }
    (texts.join("\n\n"), tools)
}

/// The texts of a list of parts as one; what is no text is named.
fn plain(parts: &[Part]) -> String {
    let said: Vec<&str> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Media(_) => "[image or file]",
            Part::Other { json, .. } => json.as_str(),
            _ => "",
        })
        .collect();
    said.join("\n")
}

/// A picture's or file's address, data as a `data:` one.
fn url_of(media: &Media) -> String {
    match &media.source {
        MediaSource::Reference(url) => url.clone(),
        MediaSource::Base64(data) => {
            let media_type = media.media_type.as_deref().unwrap_or("application/octet-stream");
            format!("data:{media_type};base64,{data}")
        }
    }
}
