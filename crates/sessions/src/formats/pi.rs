//! pi: a list of entries in version 1, a tree of entries since version 2, whose branches become threads.

use std::collections::{HashMap, HashSet};

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<PiReader>(
    Agent::Pi,
    "a header with `type` \"session\" and `cwd`, or an entry with `type` \"message\" and a `message` by role",
    |record| {
        let role = record.get_path(&["message", "role"]).as_str().unwrap_or_default();
        match record.str("type") {
            Some("session") => Evidence::sure_if(record.has("cwd") && record.has("timestamp")),
            Some("message") => match role {
                "toolResult" | "bashExecution" => Evidence::Sure,
                "assistant" => Evidence::sure_if(record.get_path(&["message", "usage"]).has("cacheRead")),
                "user" => Evidence::Hint,
                _ => Evidence::None,
            },
            _ => Evidence::None,
        }
    },
);

#[derive(Default)]
struct PiReader {
    assembly: Assembly,
    entries: Vec<Entry>,
    is_tree: bool,
    model: Option<ModelName>,
}

impl Reader for PiReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let id = record.string("id");
        let parent = record.string("parentId");
        let at_ms = record.time_ms("timestamp");
        let kind = record.string("type").unwrap_or_default();
        let content = match kind.as_str() {
            "session" => {
                self.header(&record);
                EntryContent::Nothing
            }
            "message" => self.message(record.take("message"), at_ms, notes),
            "compaction" => self.compaction(record, at_ms),
            "branch_summary" => self.stored(Role::User, at_ms, parts(record.take("summary"), notes)),
            "custom_message" => self.stored(Role::User, at_ms, parts(record.take("content"), notes)),
            "model_change" => {
                self.model = record.model("modelId");
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
        let mut played = HashSet::new();
        if !self.is_tree {
            let path: Vec<usize> = (0..entries.len()).collect();
            self.play_path(0, &entries, &path, &mut played);
            return self.assembly.finish();
        }
        for (number, path) in paths(&entries).enumerate() {
            let is_answer = |entry: &Entry| matches!(entry.content, EntryContent::Answer(_));
            let is_new = |index: &usize| entries.get(*index).is_some_and(is_answer) && !played.contains(index);
            if number == 0 {
                self.play_path(0, &entries, &path, &mut played);
            } else if path.iter().any(is_new) && self.assembly.reserve_entries(path.len()) {
                let id = path.last().and_then(|leaf| entries.get(*leaf)?.id.clone());
                let thread = self.assembly.open_thread(ThreadKind::Branch, id);
                self.play_path(thread, &entries, &path, &mut played);
            }
        }
        self.assembly.finish()
    }
}

impl PiReader {
    fn header(&mut self, record: &Json<'_>) {
        if self.assembly.session.id.is_none() {
            let version = record.get("version").as_count();
            let shown = version.map(|version| version.to_string());
            self.assembly.describe(record.string("id"), record.string("cwd"), shown);
            self.is_tree = version >= Some(2);
            self.model = record.model("modelId");
        }
    }

    fn stored(&mut self, role: Role, at_ms: Option<i64>, parts: Vec<Part>) -> EntryContent {
        EntryContent::Message(self.assembly.store(Message::new(role, at_ms, parts)))
    }

    fn compaction(&mut self, mut record: Json<'_>, at_ms: Option<i64>) -> EntryContent {
        let summary = record.take_text("summary");
        let summary = self.assembly.store(Message::text(Role::User, at_ms, summary));
        let first_kept = match record.string("firstKeptEntryId") {
            Some(id) => FirstKept::Id(id),
            None => FirstKept::Index(record.get("firstKeptEntryIndex").as_index().unwrap_or(usize::MAX)),
        };
        EntryContent::Compaction { summary, first_kept, tokens_before: record.get("tokensBefore").as_count() }
    }

    fn message(&mut self, mut message: Json<'_>, entry_ms: Option<i64>, notes: &mut Notes) -> EntryContent {
        let at_ms = message.time_ms("timestamp").or(entry_ms);
        match message.str("role").unwrap_or_default() {
            "assistant" => self.assistant(message, entry_ms, notes),
            "toolResult" => {
                let id = message.take_text("toolCallId");
                let is_error = message.is_true("isError");
                let content = parts(message.take("content"), notes);
                self.stored(Role::Tool, at_ms, vec![Part::Result { id, content, is_error }])
            }
            "bashExecution" if message.is_true("excludeFromContext") => EntryContent::Nothing,
            "bashExecution" => {
                let command = message.str("command").unwrap_or_default();
                let output = message.str("output").unwrap_or_default();
                let text = format!("Ran `{command}`\n```\n{output}\n```");
                self.stored(Role::User, at_ms, vec![Part::Text(text)])
            }
            "user" | "custom" => self.stored(Role::User, at_ms, parts(message.take("content"), notes)),
            "compactionSummary" | "branchSummary" => {
                self.stored(Role::User, at_ms, parts(message.take("summary"), notes))
            }
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
        let cost_usd = usage.and(recorded.get_path(&["cost", "total"]).as_f64());
        let model = message.model("model").or_else(|| self.model.clone());
        let parts = parts(message.take("content"), notes);
        let answer = Some(self.assembly.store(Message::new(Role::Assistant, at_ms, parts)));
        let line = notes.line();
        EntryContent::Answer(Request { answer, at_ms, model, usage, cost_usd, line, ..Request::default() })
    }

    /// Adds a path's entries to a thread in order; requests in `played` already belong to another thread.
    fn play_path(&mut self, thread: usize, entries: &[Entry], path: &[usize], played: &mut HashSet<usize>) {
        for (number, index) in path.iter().enumerate() {
            let Some(entry) = entries.get(*index) else { continue };
            match &entry.content {
                EntryContent::Answer(answered) if played.insert(*index) => {
                    let sent = self.assembly.current_context(thread).len();
                    self.assembly.add_request(thread, sent, answered.clone());
                }
                EntryContent::Compaction { summary, first_kept, tokens_before } => {
                    let before = path.get(..number).unwrap_or_default();
                    let from = first_kept.position(entries, before);
                    let kept = before.get(from..).unwrap_or_default().iter();
                    let kept = kept.filter_map(|index| entries.get(*index)?.content.message());
                    let messages = std::iter::once(*summary).chain(kept).collect();
                    let start = ContextStart::Compaction { tokens_before: *tokens_before };
                    self.assembly.start_context(thread, start, messages);
                }
                _ => {}
            }
            if let Some(message) = entry.content.message() {
                self.assembly.append(thread, message);
            }
        }
    }
}

/// Also an empty text is a part, and a missing content is none.
fn parts(content: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    match content {
        Json::Text(text) => vec![Part::Text(text.into_owned())],
        Json::List(blocks) => blocks::parts(Json::List(blocks), notes),
        _ => Vec::new(),
    }
}

struct Entry {
    id: Option<String>,
    parent: Option<String>,
    content: EntryContent,
}

enum EntryContent {
    Nothing,
    Message(u32),
    Answer(Request),
    Compaction { summary: u32, first_kept: FirstKept, tokens_before: Option<u64> },
}

impl EntryContent {
    fn message(&self) -> Option<u32> {
        match self {
            Self::Message(message) => Some(*message),
            Self::Answer(answered) => answered.answer,
            Self::Nothing | Self::Compaction { .. } => None,
        }
    }
}

enum FirstKept {
    /// Version 1: an index into the entries; the header is 0.
    Index(usize),
    Id(String),
}

impl FirstKept {
    /// Index on the path of the first kept entry; the path's length if it isn't there.
    fn position(&self, entries: &[Entry], path: &[usize]) -> usize {
        let found = match self {
            Self::Index(first) => path.iter().position(|index| index >= first),
            Self::Id(id) => {
                let is_it = |index: &usize| entries.get(*index).is_some_and(|entry| entry.id.as_ref() == Some(id));
                path.iter().position(is_it)
            }
        };
        found.unwrap_or(path.len())
    }
}

/// The entries from the root to each leaf, that is an entry without children. The newest leaf comes first: the session's
/// current end. Stops at a cycle.
fn paths(entries: &[Entry]) -> impl Iterator<Item = Vec<usize>> {
    let id_of = move |index: usize| entries.get(index).and_then(|entry| entry.id.as_deref());
    let by_id: HashMap<&str, usize> = (0..entries.len()).filter_map(|index| Some((id_of(index)?, index))).collect();
    let parents: HashSet<&str> = entries.iter().filter_map(|entry| entry.parent.as_deref()).collect();
    let is_leaf = move |index: &usize| id_of(*index).is_none_or(|id| !parents.contains(id));
    (0..entries.len()).rev().filter(is_leaf).map(move |leaf| {
        let mut path = Vec::new();
        let mut next = Some(leaf);
        while let Some(index) = next.filter(|_| path.len() < entries.len()) {
            path.push(index);
            let parent = entries.get(index).and_then(|entry| entry.parent.as_deref());
            next = parent.and_then(|id| by_id.get(id)).copied();
        }
        path.reverse();
        path
    })
}
