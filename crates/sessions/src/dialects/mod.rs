//! Readers of message dialects, shared by the formats. Types of content *blocks* don't clash between providers, so one
//! reader (`blocks`) has them all, except Gemini's parts without types, Responses items, parts of UI messages, and
//! LangChain's messages. Within a result, a part that is neither text nor media is kept unchanged.

pub(crate) mod blocks;
pub(crate) mod gemini;
pub(crate) mod items;
pub(crate) mod langchain;
pub(crate) mod message;
pub(crate) mod ui_parts;
pub(crate) mod usage;

use crate::model::{Message, Request};

/// A message, and what it records of the request that it answers.
pub(crate) struct ReadMessage {
    pub(crate) message: Message,
    pub(crate) id: Option<String>,
    /// Only used for assistant messages.
    pub(crate) answered: Request,
}

#[cfg(test)]
mod tests;
