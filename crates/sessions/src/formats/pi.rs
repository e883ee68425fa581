//! pi: a list of entries in version 1, a tree of them since version 2.

use std::collections::HashSet;

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::{blocks, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, Media, MediaKind, MediaSource, Message, Part, Role, Session, ThreadKind};
use crate::notes::Notes;
use crate::times::time_ms;

mod entry;
mod tree;

use entry::{Entry, EntryContent, FirstKept};
use tree::Tree;

pub(crate) struct Pi;

impl Format for Pi {
    fn agent(&self) -> Agent {
        Agent::Pi
    }

    fn expects(&self) -> &'static str {
        "a header with `type` \"session\" and `cwd`, or an entry with `type` \"message\" and a `message` by role"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let role = record.at(&["message", "role"]).as_str().unwrap_or_default();
        match record.str("type") {
            Some("session") => Evidence::sure_if(record.has("cwd") && record.has("timestamp")),
            Some("message") => match role {
                "toolResult" | "bashExecution" => Evidence::Sure,
                "assistant" => Evidence::sure_if(record.at(&["message", "usage"]).has("cacheRead")),
                "user" => Evidence::Hint,
                _ => Evidence::None,
            },
            _ => Evidence::None,
        }
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(PiReader {
            assembly: Assembly::new(Agent::Pi),
            entries: Vec::new(),
            is_tree: false,
            model: None,
        })
    }
}

struct PiReader {
    assembly: Assembly,
    entries: Vec<Entry>,
    is_tree: bool,
    model: Option<String>,
}

impl Reader for PiReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let id = record.string("id");
        let parent = record.string("parentId");
        let at_ms = time_ms(record.get("timestamp"));
        let kind = record.string("type").unwrap_or_default();
        let content = match kind.as_str() {
            "session" => self.header(&record),
            "message" => self.message(record.take("message"), at_ms, notes),
            "compaction" => self.compaction(record, at_ms),
            "branch_summary" => self.text(record.take("summary"), at_ms),
            "custom_message" => self.text(record.take("content"), at_ms),
            "model_change" => {
                self.model = record.string("modelId");
                EntryContent::Nothing
            }
            "thinking_level_change" | "label" | "custom" | "session_info" => EntryContent::Nothing,
            unknown => {
                notes.unknown_record(Some(unknown), "session, message, compaction or a change of settings");
                EntryContent::Nothing
            }
        };
        self.entries.push(Entry { id, parent, content });
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        let entries = std::mem::take(&mut self.entries);
        let mut placed = HashSet::new();
        if self.is_tree {
            let tree = Tree::new(&entries);
            for (number, leaf) in tree.leaves().into_iter().enumerate() {
                let path = tree.path(leaf);
                let fresh = path.iter().any(|at| {
                    let answer = matches!(
                        entries.get(*at).map(|entry| &entry.content),
                        Some(EntryContent::Answer(..))
                    );
                    answer && !placed.contains(at)
                });
                if number == 0 {
                    self.place(0, &entries, &path, &mut placed);
                } else if fresh && self.assembly.has_room(path.len()) {
                    let id = entries.get(leaf).and_then(|entry| entry.id.clone());
                    let thread = self.assembly.thread(ThreadKind::Branch, id);
                    self.place(thread, &entries, &path, &mut placed);
                }
            }
        } else {
            let path: Vec<usize> = (0..entries.len()).collect();
            self.place(0, &entries, &path, &mut placed);
        }
        self.assembly.finish()
    }
}

impl PiReader {
    fn header(&mut self, record: &Json<'_>) -> EntryContent {
        let session = &mut self.assembly.session;
        if session.id.is_none() {
            session.id = record.string("id");
            session.project = record.string("cwd");
            session.version = record.get("version").as_count().map(|version| version.to_string());
            self.is_tree = record.count("version") >= 2;
            self.model = record.string("modelId");
        }
        EntryContent::Nothing
    }

    fn text(&mut self, text: Json<'_>, at_ms: Option<i64>) -> EntryContent {
        let parts = parts(text);
        EntryContent::Message(self.assembly.keep(Message::new(Role::User, at_ms, parts)))
    }

    fn compaction(&mut self, mut record: Json<'_>, at_ms: Option<i64>) -> EntryContent {
        let summary = record.take("summary").into_string().unwrap_or_default();
        let summary = self.assembly.keep(Message::text(Role::User, at_ms, summary));
        let index = record.get("firstKeptEntryIndex").as_count();
        let first_kept = match record.string("firstKeptEntryId") {
            Some(id) => FirstKept::Id(id),
            None => {
                FirstKept::Index(index.and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX))
            }
        };
        EntryContent::Compaction { summary, first_kept, tokens_before: record.get("tokensBefore").as_count() }
    }

    fn message(&mut self, mut message: Json<'_>, entry_ms: Option<i64>, notes: &mut Notes) -> EntryContent {
        let at_ms = time_ms(message.get("timestamp")).or(entry_ms);
        match message.str("role").unwrap_or_default() {
            "assistant" => self.assistant(message, entry_ms, notes),
            "toolResult" => {
                let id = message.take("toolCallId").into_string().unwrap_or_default();
                let is_error = message.is_true("isError");
                let content = parts(message.take("content"));
                let part = Part::Result { id, content, is_error };
                EntryContent::Message(self.assembly.keep(Message::new(Role::Tool, at_ms, vec![part])))
            }
            "bashExecution" if message.is_true("excludeFromContext") => EntryContent::Nothing,
            "bashExecution" => {
                let command = message.str("command").unwrap_or_default();
                let output = message.str("output").unwrap_or_default();
                let text = format!("Ran `{command}`\n```\n{output}\n```");
                EntryContent::Message(self.assembly.keep(Message::text(Role::User, at_ms, text)))
            }
            "user" | "custom" => {
                let parts = parts(message.take("content"));
                EntryContent::Message(self.assembly.keep(Message::new(Role::User, at_ms, parts)))
            }
            "compactionSummary" | "branchSummary" => self.text(message.take("summary"), at_ms),
            role => {
                notes.unknown_record(Some(role), "a message of user, assistant, toolResult or bashExecution");
                EntryContent::Nothing
            }
        }
    }

    fn assistant(&mut self, mut message: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> EntryContent {
        let recorded = message.get("usage");
        // Zeros mean a request that ended before its first event.
        let usage = usage::read(recorded);
        let cost_usd = usage.and(recorded.at(&["cost", "total"]).as_f64());
        let model = self.assembly.model(message.str("model").or(self.model.as_deref()));
        let parts = parts(message.take("content"));
        let at = self.assembly.keep(Message::new(Role::Assistant, at_ms, parts));
        let answered =
            AnsweredRequest { answer: Some(at), at_ms, model, usage, cost_usd, line: notes.line() };
        EntryContent::Answer(at, answered)
    }

    /// Plays the entries of a path in order; `placed` are those that another thread has already played.
    fn place(&mut self, thread: usize, entries: &[Entry], path: &[usize], placed: &mut HashSet<usize>) {
        for (step, at) in path.iter().enumerate() {
            let Some(entry) = entries.get(*at) else { continue };
            match &entry.content {
                EntryContent::Nothing => {}
                EntryContent::Message(message) => self.assembly.append(thread, *message),
                EntryContent::Answer(message, answered) => {
                    if placed.insert(*at) {
                        let sent = self.assembly.context(thread).len();
                        self.assembly.request(thread, sent, answered.clone());
                    }
                    self.assembly.append(thread, *message);
                }
                EntryContent::Compaction { summary, first_kept, tokens_before } => {
                    let before = path.get(..step).unwrap_or_default();
                    let from = first_kept.position(entries, before);
                    let mut kept = vec![*summary];
                    kept.extend(before.get(from..).unwrap_or_default().iter().filter_map(|at| {
                        match entries.get(*at).map(|entry| &entry.content) {
                            Some(EntryContent::Message(message) | EntryContent::Answer(message, _)) => {
                                Some(*message)
                            }
                            _ => None,
                        }
                    }));
                    let start = ContextStart::Compaction { tokens_before: *tokens_before };
                    self.assembly.restart(thread, start, kept);
                }
            }
        }
    }
}

/// Reads pi's blocks: `text`, `thinking`, `toolCall`, `image`.
fn parts(content: Json<'_>) -> Vec<Part> {
    match content {
        Json::Text(text) => vec![Part::Text(text.into_owned())],
        Json::List(blocks) => blocks.into_iter().map(part).collect(),
        _ => Vec::new(),
    }
}

fn part(mut block: Json<'_>) -> Part {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    match block.str("type").unwrap_or_default() {
        "text" => Part::Text(owned(block.take("text"))),
        "thinking" => {
            let opaque = block.take("thinkingSignature").into_string().filter(|mark| !mark.is_empty());
            Part::Reasoning { text: owned(block.take("thinking")), opaque }
        }
        "toolCall" => Part::Call {
            id: owned(block.take("id")),
            name: owned(block.take("name")),
            arguments: blocks::arguments(block.take("arguments")),
            free_text: false,
        },
        "image" => Part::Media(Media {
            kind: MediaKind::Image,
            media_type: block.take("mimeType").into_string(),
            source: MediaSource::Base64(owned(block.take("data"))),
        }),
        kind => blocks::other(Some(kind), &block),
    }
}
