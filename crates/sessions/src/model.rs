//! What every format is read into: sessions, threads, requests, messages. Neutral, in UTF-8, owned.
//!
//! A session owns its messages once. A thread's contexts list which of them the model saw, in order; a request
//! is the first so many of one context. So nothing is copied for a branch, and a request costs a few words.

use std::sync::Arc;

use crate::Agent;
use crate::notes::Notes;
use palimpsest_core::provider::usage::Usage;

/// One recorded session of one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub agent: Agent,
    /// The agent's own identifier of the session.
    pub id: Option<String>,
    /// The folder or repository that the agent worked in, as recorded.
    pub project: Option<String>,
    /// The version of the agent, as recorded first.
    pub version: Option<String>,
    /// Every message of every thread, each once, in the order of the file.
    pub messages: Vec<Message>,
    /// The main thread first, then branches and sub-agents in the order of their first record.
    pub threads: Vec<Thread>,
    /// Usage that is recorded for the session only, by model, where no request has its own.
    pub totals: Vec<ModelTotal>,
    /// What was odd about the file: counted, located, never fatal.
    pub notes: Notes,
}

/// Usage that an agent recorded per session instead of per request.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTotal {
    pub model: String,
    pub requests: u64,
    pub usage: Usage,
    /// The cost that the agent itself computed, in US dollars.
    pub cost_usd: Option<f64>,
}

/// A stream of requests with a prompt cache of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub kind: ThreadKind,
    /// The agent's identifier of the sub-agent or branch.
    pub id: Option<String>,
    pub contexts: Vec<Context>,
    pub requests: Vec<Request>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadKind {
    Main,
    /// What came after a point to which the user went back later.
    Branch,
    /// Another agent that this one started.
    SubAgent,
}

/// A message list that only grows: a request that shares no prefix with the one before begins another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    pub start: ContextStart,
    /// Positions in `Session::messages`, in the order in which they are sent.
    pub messages: Vec<u32>,
}

/// Why the prefix changed.
#[derive(Debug, Clone, PartialEq)]
pub enum ContextStart {
    /// The first request of the thread.
    Beginning,
    /// The agent replaced its history by a summary.
    Compaction { tokens_before: Option<u64> },
    /// The agent blanked old tool results.
    ResultsCleared { tokens_saved: Option<u64> },
    /// The user went back to an earlier message.
    Rewind,
    /// A recorded body that doesn't continue the one before, and nothing says why.
    Changed,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Which of the thread's contexts was sent.
    pub context: u32,
    /// How many of its messages were sent, from the first on.
    pub sent: u32,
    /// The model's answer in `Session::messages`, where one is recorded.
    pub answer: Option<u32>,
    /// When the first part of the answer was recorded, in milliseconds since 1970. Agents don't record the start.
    pub at_ms: Option<i64>,
    pub model: Option<Arc<str>>,
    /// As the provider reported it; `None` where the file doesn't say, which isn't the same as zero.
    pub usage: Option<Usage>,
    /// The cost that the agent itself computed, in US dollars.
    pub cost_usd: Option<f64>,
    pub kind: RequestKind,
    /// What tells it from all others, where the provider's own identifier is recorded: a resumed session's file repeats them.
    pub id: Option<u64>,
    /// The line of the file (from 1) on which the answer begins.
    pub line: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// The agent at work.
    Turn,
    /// The call that wrote a summary.
    Compaction,
}

/// What one side said at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    /// In milliseconds since 1970, where recorded.
    pub at_ms: Option<i64>,
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    System,
    Developer,
    User,
    Assistant,
    /// Nothing but results of tools.
    Tool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    /// `opaque` is what the provider wants back unread: a signature or encrypted reasoning.
    Reasoning {
        text: String,
        opaque: Option<String>,
    },
    /// `arguments` is JSON text, or plain text when `free_text`. An `id` may be empty where none is recorded.
    Call {
        id: String,
        name: String,
        arguments: String,
        free_text: bool,
    },
    Result {
        id: String,
        content: Vec<Part>,
        is_error: bool,
    },
    Media(Media),
    /// Tool definitions, as JSON text.
    Tools(String),
    /// Something that no dialect knows, as JSON text.
    Other {
        kind: String,
        json: String,
    },
}

/// An image or another file that was sent along.
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
    /// An address or a file identifier.
    Reference(String),
}

impl Session {
    /// The messages that `request` of `thread` sent, in order.
    #[must_use = "nothing is computed until it is iterated"]
    pub fn sent<'a>(
        &'a self,
        thread: &'a Thread,
        request: &Request,
    ) -> impl DoubleEndedIterator<Item = &'a Message> + 'a {
        thread.sent(request).iter().filter_map(|&at| self.messages.get(at as usize))
    }

    /// All requests of all threads.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.threads.iter().flat_map(|thread| &thread.requests)
    }

    /// When the first and the last thing happened that has a time.
    #[must_use]
    pub fn span_ms(&self) -> Option<(i64, i64)> {
        let messages = self.messages.iter().filter_map(|message| message.at_ms);
        let times = messages.chain(self.requests().filter_map(|request| request.at_ms));
        times.fold(None, |span, at| match span {
            None => Some((at, at)),
            Some((first, last)) => Some((first.min(at), last.max(at))),
        })
    }
}

impl Thread {
    /// Positions in `Session::messages` of what `request` sent.
    #[must_use]
    pub fn sent(&self, request: &Request) -> &[u32] {
        let context = self.contexts.get(request.context as usize);
        context.and_then(|context| context.messages.get(..request.sent as usize)).unwrap_or_default()
    }

    /// The recorded usage of all requests together, and how many requests that are.
    #[must_use]
    pub fn usage(&self) -> (usize, Usage) {
        let recorded = self.requests.iter().filter_map(|request| request.usage.as_ref());
        recorded.fold((0, Usage::default()), |(count, mut sum), usage| {
            sum.add(usage);
            (count + 1, sum)
        })
    }

    /// How often the agent replaced its history by a summary.
    #[must_use]
    pub fn compactions(&self) -> usize {
        let compacted = |context: &&Context| matches!(context.start, ContextStart::Compaction { .. });
        self.contexts.iter().filter(compacted).count()
    }
}

impl Message {
    #[must_use]
    pub fn new(role: Role, at_ms: Option<i64>, parts: Vec<Part>) -> Self {
        Self { role, at_ms, parts }
    }

    #[must_use]
    pub fn text(role: Role, at_ms: Option<i64>, text: impl Into<String>) -> Self {
        Self::new(role, at_ms, vec![Part::Text(text.into())])
    }

    /// How many bytes of text and data it holds.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.parts.iter().map(Part::text_bytes).sum()
    }
}

impl Part {
    /// How many bytes of text and data it holds.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text)
            | Self::Tools(text)
            | Self::Other { json: text, .. }
            | Self::Media(Media {
                source: MediaSource::Base64(text) | MediaSource::Reference(text), ..
            }) => text.len(),
            Self::Reasoning { text, opaque } => text.len() + opaque.as_ref().map_or(0, String::len),
            Self::Call { id, name, arguments, .. } => id.len() + name.len() + arguments.len(),
            Self::Result { id, content, .. } => {
                id.len() + content.iter().map(Self::text_bytes).sum::<usize>()
            }
        }
    }
}
