//! Droid (Factory): one line per message, and a separate settings file with the usage of all requests together.

use crate::formats::prelude::*;
use std::collections::HashMap;

pub(super) const FORMAT: Format = Format::of::<DroidReader>(
    Agent::Droid,
    "a header with `type` \"session_start\", `id` and `cwd`, then lines with `type` \"message\"",
    |record| match record.str("type") {
        Some("session_start") => {
            let has_name = ["cwd", "owner", "title", "sessionTitle"].into_iter().any(|key| record.has(key));
            Evidence::sure_if(record.has("id") && has_name)
        }
        Some("compaction_state") => Evidence::sure_if(record.has("summaryText")),
        Some("todo_state") => Evidence::sure_if(record.has("todos")),
        Some("message") => {
            let is_dated = record.has("id") && record.has("timestamp");
            Evidence::hint_if(is_dated && record.get("message").has("content"))
        }
        _ => Evidence::None,
    },
);

#[derive(Default)]
struct DroidReader {
    assembly: Assembly,
    /// By message id, the number of the context's messages up to and including it.
    length_after: HashMap<String, usize>,
    model: Option<ModelName>,
}

impl Reader for DroidReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        match record.str("type") {
            Some("session_start") => {
                let version = record.get("version").as_count().map(|version| version.to_string());
                self.assembly.describe(record.string("id"), record.string("cwd"), version);
            }
            Some("message") => self.message(record, notes),
            Some("compaction_state") => self.compaction(record),
            // Bookkeeping that is not sent to the model.
            Some("todo_state" | "session_end" | "agent_turn_outcome") => {}
            None if record.has("tokenUsage") || record.has("model") => self.settings(&mut record),
            kind => notes.unknown_record(kind, "session_start, message, todo_state or compaction_state"),
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        let model = self.model.filter(|name| !name.is_empty());
        for request in self.assembly.session.threads.iter_mut().flat_map(|thread| &mut thread.requests) {
            request.model = request.model.take().or_else(|| model.clone());
        }
        self.assembly.finish()
    }
}

impl DroidReader {
    fn message(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("timestamp");
        let id = record.string("id");
        let inner = record.take("message");
        let model = inner.model("model").or_else(|| record.model("model"));
        let expected = "a `message` with `role` and `content`";
        let Some(mut read) = message::read_expected(inner, expected, notes) else { return };
        read.message.at_ms = at_ms;
        self.assembly.add_message(0, read.message, Request { model, ..read.answered });
        if let Some(id) = id {
            self.length_after.insert(id, self.assembly.current_context(0).len());
        }
    }

    /// The summary replaces everything up to its anchor; without an anchor, everything.
    fn compaction(&mut self, mut record: Json<'_>) {
        let summary = record.take_text("summaryText");
        if summary.is_empty() {
            return;
        }
        let anchor = record.get_path(&["anchorMessage", "id"]).as_str();
        let first_kept = anchor.and_then(|id| self.length_after.get(id).copied());
        let at_ms = record.time_ms("timestamp");
        let summary = self.assembly.store(Message::text(Role::User, at_ms, summary));
        let mut messages = vec![summary];
        messages.extend(first_kept.and_then(|from| self.assembly.current_context(0).get(from..)).unwrap_or_default());
        let removed = first_kept.unwrap_or_else(|| self.assembly.current_context(0).len());
        // Count the kept messages from the summary on.
        self.length_after.retain(|_, length| *length > removed);
        for length in self.length_after.values_mut() {
            *length = *length - removed + 1;
        }
        self.assembly.start_context(0, ContextStart::Compaction { tokens_before: None }, messages);
    }

    fn settings(&mut self, settings: &mut Json<'_>) {
        self.model = settings.model("model").or(self.model.take());
        let is_of_sub_agent =
            |tag: &Json<'_>| tag.get("metadata").has("callingSessionId") || tag.str("name") == Some("subagent");
        if settings.get("tags").list().iter().any(is_of_sub_agent) {
            self.assembly.mark_sub_agent();
        }
        let token_usage = settings.get("tokenUsage");
        let output = token_usage.count("outputTokens");
        let usage = Usage {
            uncached: token_usage.count("inputTokens"),
            cache_read: token_usage.count("cacheReadTokens"),
            cache_write: token_usage.count("cacheCreationTokens"),
            output,
            reasoning: token_usage.count("thinkingTokens").min(output),
            reports_cache_read: token_usage.has("cacheReadTokens"),
            ..Usage::default()
        };
        if !usage.is_empty() {
            let requests = self.assembly.request_count(0) as u64;
            let model = self.model.as_deref().unwrap_or_default().to_owned();
            self.assembly.session.totals = vec![ModelTotal { model, requests, usage, cost_usd: None }];
        }
    }
}
