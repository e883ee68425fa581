//! Gemini CLI's chats: one document until 2025, since then lines, with a changed record written again.

use std::collections::HashMap;

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<GeminiCliReader>(
    Agent::GeminiCli,
    "an object with `sessionId`, `projectHash` and `messages`, or lines that begin with such a header",
    |record| {
        let is_header = record.has("sessionId") && record.has("projectHash");
        let is_answer = record.str("type") == Some("gemini") && record.has("content");
        Evidence::sure_if(is_header || is_answer).max(Evidence::hint_if(record.has("$set") || record.has("$rewindTo")))
    },
);

#[derive(Default)]
struct GeminiCliReader {
    assembly: Assembly,
    entries: Vec<ChatEntry>,
    by_id: HashMap<String, usize>,
    /// For each rewind, the number of entries that it kept, and the entries that it removed.
    abandoned: Vec<(usize, Vec<ChatEntry>)>,
}

/// One message, or an assistant message with its results and the request that it answers.
struct ChatEntry {
    messages: Vec<u32>,
    answered: Option<Request>,
}

impl Reader for GeminiCliReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.has("$set") {
            let mut set = record.take("$set");
            self.describe(&set);
            if set.get("messages").is_list() {
                self.rewind_to(0);
                self.messages(&mut set, notes);
            }
        } else if let Some(id) = record.str("$rewindTo") {
            let index = self.by_id.get(id).copied().unwrap_or(0);
            self.rewind_to(index);
        } else if record.has("sessionId") || record.get("messages").is_list() {
            self.describe(&record);
            self.messages(&mut record, notes);
        } else {
            self.message(record, notes);
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        let entries = std::mem::take(&mut self.entries);
        for (kept, abandoned) in std::mem::take(&mut self.abandoned) {
            if !abandoned.iter().any(|entry| entry.answered.is_some()) || !self.assembly.reserve_entries(kept) {
                continue;
            }
            let thread = self.assembly.open_thread(ThreadKind::Branch, None);
            for &message in entries.iter().take(kept).flat_map(|entry| &entry.messages) {
                self.assembly.append(thread, message);
            }
            self.play(thread, &abandoned);
        }
        self.play(0, &entries);
        self.assembly.finish()
    }
}

impl GeminiCliReader {
    fn describe(&mut self, record: &Json<'_>) {
        self.assembly.describe(record.string("sessionId"), record.string("projectHash"), None);
        if record.str("kind") == Some("subagent") {
            self.assembly.mark_sub_agent();
        }
    }

    fn messages(&mut self, holder: &mut Json<'_>, notes: &mut Notes) {
        for message in holder.take_list("messages") {
            self.message(message, notes);
        }
    }

    fn rewind_to(&mut self, kept: usize) {
        let abandoned = self.entries.split_off(kept.min(self.entries.len()));
        self.by_id.retain(|_, index| *index < kept);
        if !abandoned.is_empty() {
            self.abandoned.push((kept, abandoned));
        }
    }

    fn message(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("timestamp");
        let id = record.string("id");
        let entry = match record.str("type") {
            Some("user") => {
                let parts = gemini::parts(record.take("content"), notes);
                let message = self.assembly.store(Message::new(Role::User, at_ms, parts));
                ChatEntry { messages: vec![message], answered: None }
            }
            Some("gemini") => self.answer(record, at_ms, notes),
            Some("info" | "warning" | "error") => return,
            kind => {
                notes.unknown_record(kind, "user, gemini, info, warning or error");
                return;
            }
        };
        let known = id.as_ref().and_then(|id| self.by_id.get(id));
        if let Some(earlier) = known.and_then(|index| self.entries.get_mut(*index)) {
            // A record is written before and after its calls ran; the last one is complete.
            *earlier = entry;
            return;
        }
        self.by_id.extend(id.map(|id| (id, self.entries.len())));
        self.entries.push(entry);
    }

    fn answer(&mut self, mut record: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> ChatEntry {
        let tokens = record.get("tokens");
        let (prompt, cached) = (tokens.count("input"), tokens.count("cached"));
        if cached > prompt {
            notes.add(NoteKind::InvalidUsage, || format!("{cached} cached of {prompt} tokens"));
        }
        // None for zeros, which a failed request records.
        let usage = usage::read(tokens);
        let model = record.model("model");
        let mut parts = gemini::parts(record.take("content"), notes);
        let mut results = Vec::new();
        let mut results_ms = at_ms;
        for mut call in record.take_list("toolCalls") {
            let call_id = call.string("id").unwrap_or_default();
            results_ms = call.time_ms("timestamp").max(results_ms);
            let failed = call.str("status").is_some_and(|status| status != "success");
            let answers = call.take_list("result").into_iter().flat_map(|part| gemini::parts(part, notes));
            results.extend(answers.map(|part| result_of(part, &call_id, failed)));
            parts.push(blocks::call_in(call, ["id", "name", "args"]));
        }
        let answer = self.assembly.store(Message::new(Role::Assistant, at_ms, parts));
        let mut messages = vec![answer];
        if !results.is_empty() {
            messages.push(self.assembly.store(Message::new(Role::Tool, results_ms, results)));
        }
        let line = notes.line();
        let answered = Request { answer: Some(answer), at_ms, model, usage, line, ..Request::default() };
        ChatEntry { messages, answered: Some(answered) }
    }

    fn play(&mut self, thread: usize, entries: &[ChatEntry]) {
        for entry in entries {
            if let Some(answered) = &entry.answered {
                let sent = self.assembly.current_context(thread).len();
                self.assembly.add_request(thread, sent, answered.clone());
            }
            for &message in &entry.messages {
                self.assembly.append(thread, message);
            }
        }
    }
}

fn result_of(part: Part, call_id: &str, failed: bool) -> Part {
    match part {
        Part::Result { id, content, is_error } => {
            let id = if id.is_empty() { call_id.to_owned() } else { id };
            Part::Result { id, content, is_error: is_error || failed }
        }
        other => Part::Result { id: call_id.to_owned(), content: vec![other], is_error: failed },
    }
}
