//! The neutral model that every format is read into. A session owns its messages once; a request is a prefix of a
//! context, which lists messages by index. So a branch copies no messages, and a request takes a few words of memory.

use std::sync::Arc;

use serde::Serialize;

use crate::{Agent, Notes};
use palimpsest_core::provider::usage::Usage;

/// One string is shared by all requests of a model.
pub(crate) type ModelName = Arc<str>;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session {
    pub agent: Agent,
    pub id: Option<String>,
    /// Recorded working folder or repository.
    pub project: Option<String>,
    pub version: Option<String>,
    /// The messages of all threads, each once, in file order.
    pub messages: Vec<Message>,
    /// Main thread first, then branches and sub-agents in the order of their first record.
    pub threads: Vec<Thread>,
    pub totals: Vec<ModelTotal>,
    /// Problems in the file: counted, located, never fatal.
    pub notes: Notes,
}

/// Usage that an agent recorded per session instead of per request.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTotal {
    pub model: String,
    pub requests: u64,
    pub usage: Usage,
    pub cost_usd: Option<f64>,
}

/// A sequence of requests with its own prompt cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub kind: ThreadKind,
    pub id: Option<String>,
    pub contexts: Vec<Context>,
    pub requests: Vec<Request>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadKind {
    Main,
    /// The messages after a point to which the user later rewound.
    Branch,
    SubAgent,
}

/// A message list that is only appended to; a request with a changed prefix starts a new context.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    pub start: ContextStart,
    /// Indices into `Session::messages`, in sending order.
    pub messages: Vec<u32>,
}

/// Why a context starts; `Changed` if a request body doesn't continue the previous one, and no record says why.
#[derive(Debug, Clone, PartialEq)]
pub enum ContextStart {
    Beginning,
    Compaction { tokens_before: Option<u64> },
    ResultsCleared { tokens_saved: Option<u64> },
    Rewind,
    Changed,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    pub context: u32,
    pub sent_count: u32,
    /// Index of the assistant message in `Session::messages`, if recorded.
    pub answer: Option<u32>,
    /// When the first part of the response was recorded (ms since 1970). Agents don't record the start.
    pub at_ms: Option<i64>,
    pub model: Option<ModelName>,
    /// As the provider reported it; `None` if not recorded, which isn't zero.
    pub usage: Option<Usage>,
    /// Cost computed by the agent, in US dollars.
    pub cost_usd: Option<f64>,
    pub kind: RequestKind,
    /// Unique id, if the provider's response id is recorded; files of resumed sessions repeat requests.
    pub id: Option<u64>,
    /// Line of the file (from 1) on which the response begins.
    pub line: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequestKind {
    #[default]
    Turn,
    /// The request that wrote a summary.
    Compaction,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    pub at_ms: Option<i64>,
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    System,
    Developer,
    User,
    Assistant,
    /// Only tool results.
    Tool,
}

/// A part of a message; `Other` if no dialect knows it. `opaque`, a signature or encrypted reasoning, must be sent back
/// unchanged. `arguments` is JSON text, or plain text if `free_text`; `id` is empty if none is recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    Reasoning { text: String, opaque: Option<String> },
    Call { id: String, name: String, arguments: String, free_text: bool },
    Result { id: String, content: Vec<Part>, is_error: bool },
    Media(Media),
    Tools(String),
    Other { kind: String, json: String },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    pub kind: MediaKind,
    pub media_type: Option<String>,
    pub source: MediaSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    Image,
    File,
}

#[derive(Debug, Clone, PartialEq)]
pub enum MediaSource {
    Base64(String),
    /// A URL or a file id.
    Reference(String),
}

impl Session {
    pub fn sent_messages<'a>(
        &'a self,
        thread: &'a Thread,
        request: &Request,
    ) -> impl DoubleEndedIterator<Item = &'a Message> + 'a {
        thread.sent_indices(request).iter().filter_map(|&index| self.messages.get(index as usize))
    }

    pub(crate) fn begins_turn(&self, thread: &Thread, request: &Request) -> bool {
        self.sent_messages(thread, request).next_back().is_some_and(|message| message.role == Role::User)
    }

    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.threads.iter().flat_map(|thread| &thread.requests)
    }

    pub fn span_ms(&self) -> Option<(i64, i64)> {
        let messages = self.messages.iter().filter_map(|message| message.at_ms);
        let times = messages.chain(self.requests().filter_map(|request| request.at_ms));
        times.map(|ms| (ms, ms)).reduce(|(first, last), (ms, _)| (first.min(ms), last.max(ms)))
    }
}

impl Thread {
    /// Indices into `Session::messages` of what `request` sent.
    pub fn sent_indices(&self, request: &Request) -> &[u32] {
        let context = self.contexts.get(request.context as usize);
        context.and_then(|context| context.messages.get(..request.sent_count as usize)).unwrap_or_default()
    }

    /// The number of requests with recorded usage, and their total usage.
    pub fn usage(&self) -> (usize, Usage) {
        let mut sum = Usage::default();
        let recorded = self.requests.iter().filter_map(|request| request.usage.as_ref());
        let count = recorded.inspect(|usage| sum.add(usage)).count();
        (count, sum)
    }

    pub fn compaction_count(&self) -> usize {
        let compacted = |context: &&Context| matches!(context.start, ContextStart::Compaction { .. });
        self.contexts.iter().filter(compacted).count()
    }
}

impl Message {
    pub fn new(role: Role, at_ms: Option<i64>, parts: Vec<Part>) -> Self {
        Self { role, at_ms, parts }
    }

    pub fn text(role: Role, at_ms: Option<i64>, text: impl Into<String>) -> Self {
        Self::new(role, at_ms, vec![Part::Text(text.into())])
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Call { id, name, arguments, .. } => Some((id.as_str(), name.as_str(), arguments.as_str())),
            _ => None,
        })
    }

    pub(crate) fn results_as_tool(mut self) -> Self {
        if self.role == Role::User && self.has_only_results() {
            self.role = Role::Tool;
        }
        self
    }

    pub(crate) fn has_only_results(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| matches!(part, Part::Result { .. }))
    }

    pub fn text_bytes(&self) -> usize {
        self.parts.iter().map(Part::text_bytes).sum()
    }
}

impl Part {
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text)
            | Self::Tools(text)
            | Self::Other { json: text, .. }
            | Self::Media(Media { source: MediaSource::Base64(text) | MediaSource::Reference(text), .. }) => text.len(),
            Self::Reasoning { text, opaque } => text.len() + opaque.as_ref().map_or(0, String::len),
            Self::Call { id, name, arguments, .. } => id.len() + name.len() + arguments.len(),
            Self::Result { id, content, .. } => id.len() + content.iter().map(Self::text_bytes).sum::<usize>(),
        }
    }
}
