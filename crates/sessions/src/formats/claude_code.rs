//! Claude Code: one content block per line, a tree of records, sub-agents inside `progress` records.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::formats::prelude::*;
/// Memory of a request, in message indices.
const ENTRIES_PER_REQUEST: usize = 32;
/// The last version that recorded output tokens before the response was complete.
const LAST_PARTIAL_VERSION: (u64, u64, u64) = (2, 1, 37);
/// Types of records that are never sent to the model.
const UNSENT: [&str; 9] = [
    "file-history-snapshot", "file-history-delta", "summary", "queue-operation", "pr-link", "custom-title", "ai-title",
    "tag", "last-prompt",
];

pub(super) const FORMAT: Format = Format {
    skipped: &["toolUseResult", "snapshot", "thinkingMetadata", "todos", "hookInfos", "planContent", "backup"],
    ..Format::of::<ClaudeCodeReader>(
        Agent::ClaudeCode,
        "an object with `type` \"user\" or \"assistant\", `uuid`, `sessionId` and a `message` with `role` and `content`",
        |record| {
            let kind = record.str("type").unwrap_or_default();
            let has_envelope = record.has("sessionId") && record.has("uuid") && record.has("isSidechain");
            match kind {
                "user" | "assistant" | "system" | "progress" | "attachment" => Evidence::sure_if(has_envelope),
                "summary" => Evidence::hint_if(record.has("leafUuid")),
                _ => Evidence::hint_if(UNSENT.contains(&kind)),
            }
        },
    )
};

#[derive(Default)]
struct ClaudeCodeReader {
    assembly: Assembly,
    states: HashMap<usize, ThreadState>,
    sub_agents: HashMap<String, usize>,
    /// By [`record_id`], the point after the record.
    places: HashMap<u128, ContextPlace>,
    has_main_thread: bool,
}

#[derive(Default)]
struct ThreadState {
    responses: HashMap<String, usize>,
    /// The message that collects the results of the newest assistant message.
    results_message: Option<u32>,
    /// By the record that a prompt follows, the end of the thread when the prompt came. To detect a rewind.
    prompts: HashMap<u128, ContextPlace>,
}

/// The point after the first `length` messages of one context of a thread.
#[derive(Clone, Copy)]
struct ContextPlace {
    thread: usize,
    context: usize,
    length: usize,
}

impl Reader for ClaudeCodeReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        self.describe(&record);
        let kind = record.take_text("type");
        match kind.as_str() {
            "user" | "assistant" | "attachment" => self.conversation(&kind, record, notes),
            "system" => self.system(&record),
            "progress" => self.progress(record, notes),
            unsent if UNSENT.contains(&unsent) => {}
            unknown => notes.unknown_record(Some(unknown), "user, assistant, system, progress or attachment"),
        }
    }

    fn finish(mut self: Box<Self>, notes: &mut Notes) -> Vec<Session> {
        let session = &self.assembly.session;
        let has_usage = session.requests().any(|request| request.usage.is_some());
        if let Some(version) = session.version.as_deref().filter(|version| has_usage && is_partial(version)) {
            notes.set_line(0);
            notes.add(NoteKind::PartialOutput, || format!("version {version}"));
        }
        // A sub-agent's own file has no main thread: the sub-agent's thread is the first.
        let threads = &mut self.assembly.session.threads;
        if !self.has_main_thread && threads.len() > 1 {
            threads.remove(0);
        }
        self.assembly.finish()
    }
}

fn is_partial(version: &str) -> bool {
    let mut numbers = version.split('.').map(|part| part.parse::<u64>().unwrap_or(u64::MAX));
    let mut next = || numbers.next().unwrap_or(0);
    (next(), next(), next()) <= LAST_PARTIAL_VERSION
}

/// Hash of a record's `uuid`: a session has tens of thousands of records, each with an id of 36 characters.
fn record_id(text: &str) -> u128 {
    let digits = text.bytes().filter(|byte| *byte != b'-');
    digits.fold(text.len() as u128, |value, byte| value.wrapping_mul(257).wrapping_add(u128::from(byte)))
}

impl ClaudeCodeReader {
    fn describe(&mut self, record: &Json<'_>) {
        let session = &mut self.assembly.session;
        session.id = session.id.take().or_else(|| record.string("sessionId"));
        if session.project.is_none() {
            session.project = record.string("cwd");
            session.version = record.string("version");
        }
    }

    fn conversation(&mut self, kind: &str, record: Json<'_>, notes: &mut Notes) {
        let id = record.str("uuid").map(record_id);
        if id.is_some_and(|id| self.places.contains_key(&id)) {
            notes.add(NoteKind::RepeatedRecord, || "a `uuid` that was there before".to_owned());
            return;
        }
        let thread = self.thread_of(&record);
        self.has_main_thread |= thread == 0;
        match kind {
            "assistant" => self.assistant(thread, record, notes),
            "user" => self.user(thread, record, notes),
            _ => self.attachment(thread, &record),
        }
        self.remember(thread, id);
    }

    fn remember(&mut self, thread: usize, id: Option<u128>) {
        let end = self.end_of(thread);
        self.places.extend(id.map(|id| (id, end)));
    }

    fn end_of(&self, thread: usize) -> ContextPlace {
        let contexts = self.assembly.session.threads.get(thread).map_or(0, |thread| thread.contexts.len());
        let length = self.assembly.current_context(thread).len();
        ContextPlace { thread, context: contexts.saturating_sub(1), length }
    }

    /// The main thread, or the sub-agent's, identified by `agentId`, or in older files by its first record.
    fn thread_of(&mut self, record: &Json<'_>) -> usize {
        if !record.is_true("isSidechain") {
            return 0;
        }
        let parent = record.str("parentUuid").map(record_id);
        let thread_of_parent = parent.and_then(|id| self.places.get(&id)).map(|place| place.thread);
        match (record.str("agentId"), thread_of_parent) {
            (Some(agent), _) => self.sub_agent(agent),
            (None, Some(thread)) if thread != 0 => thread,
            (None, _) => self.sub_agent(record.str("uuid").unwrap_or_default()),
        }
    }

    fn sub_agent(&mut self, id: &str) -> usize {
        let open = || self.assembly.open_thread(ThreadKind::SubAgent, Some(id.to_owned()));
        *self.sub_agents.entry(id.to_owned()).or_insert_with(open)
    }

    fn assistant(&mut self, thread: usize, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("timestamp");
        let mut message = record.take("message");
        if message.str("model") == Some("<synthetic>") {
            return;
        }
        let usage = usage::read(message.get("usage"));
        let parts = blocks::parts(message.take("content"), notes);
        let response = message.str("id").or(record.str("requestId")).unwrap_or_default().to_owned();
        let state = self.states.entry(thread).or_default();
        let known = state.responses.get(&response).copied();
        if let Some(request) = known.and_then(|request| self.assembly.request_mut(thread, request)) {
            // Every line repeats the usage; only the last one has all output tokens.
            request.usage = usage.or(request.usage);
            let answer = request.answer;
            self.assembly.extend_or_return(answer, parts);
            return;
        }
        let model = message.model("model");
        let mut hasher = DefaultHasher::new();
        response.hash(&mut hasher);
        let id = (!response.is_empty()).then(|| hasher.finish());
        state.results_message = None;
        if id.is_some() {
            state.responses.insert(response, self.assembly.request_count(thread));
        }
        let answered = Request { model, usage, id, line: notes.line(), ..Request::default() };
        self.assembly.add_answer(thread, Message::new(Role::Assistant, at_ms, parts), answered);
    }

    fn user(&mut self, thread: usize, mut record: Json<'_>, notes: &mut Notes) {
        let at_ms = record.time_ms("timestamp");
        let parts = blocks::parts(record.take("message").take("content"), notes);
        let message = Message::new(Role::User, at_ms, parts);
        if message.has_only_results() {
            self.results(thread, at_ms, message.parts);
        } else {
            self.branch_at_rewind(thread, record.str("parentUuid").map(record_id));
            self.assembly.push(thread, message);
        }
    }

    /// A second prompt after the record `parent` is a rewind: later messages become a branch.
    fn branch_at_rewind(&mut self, thread: usize, parent: Option<u128>) {
        let known = parent.and_then(|parent| Some((parent, *self.places.get(&parent)?)));
        let Some((parent, place)) = known.filter(|(_, place)| place.thread == thread) else { return };
        let end = self.end_of(thread);
        let state = self.states.entry(thread).or_default();
        let Some(earlier) = state.prompts.insert(parent, end) else { return };
        let is_abandoned = |request: &Request| {
            (request.context as usize, request.sent_count as usize) > (earlier.context, earlier.length)
        };
        let Some(rewound) = self.assembly.session.threads.get_mut(thread) else { return };
        let abandoned: Vec<Request> =
            rewound.requests.iter().filter(|request| is_abandoned(request)).cloned().collect();
        let kept = rewound.contexts.get(place.context).and_then(|context| context.messages.get(..place.length));
        let Some(kept) = kept.filter(|_| !abandoned.is_empty()).map(<[u32]>::to_vec) else { return };
        let entries = rewound.contexts.iter().map(|context| context.messages.len()).sum::<usize>();
        let request_count = rewound.requests.len();
        if !self.assembly.reserve_entries(entries + request_count * ENTRIES_PER_REQUEST) {
            return;
        }
        let Some(rewound) = self.assembly.session.threads.get_mut(thread) else { return };
        rewound.requests.retain(|request| !is_abandoned(request));
        let branch =
            Thread { kind: ThreadKind::Branch, id: None, contexts: rewound.contexts.clone(), requests: abandoned };
        self.assembly.session.threads.push(branch);
        // Requests were moved, so their indices changed; no later line belongs to them.
        state.responses.clear();
        state.results_message = None;
        self.assembly.start_context(thread, ContextStart::Rewind, kept);
    }

    /// Results of parallel calls are sent in one message.
    fn results(&mut self, thread: usize, at_ms: Option<i64>, parts: Vec<Part>) {
        let state = self.states.entry(thread).or_default();
        let newest = self.assembly.current_context(thread).last().copied();
        let open = state.results_message.filter(|index| newest == Some(*index));
        if let Some(message) = open.and_then(|index| self.assembly.message_mut(index)) {
            message.parts.extend(parts);
            message.at_ms = at_ms.or(message.at_ms);
            return;
        }
        state.results_message = Some(self.assembly.push(thread, Message::new(Role::Tool, at_ms, parts)));
    }

    fn attachment(&mut self, thread: usize, record: &Json<'_>) {
        let rendered = record.get_path(&["attachment", "rendered"]);
        let rendered = if rendered.is_list() { rendered } else { record.get("rendered") };
        let texts = rendered.list().iter().filter_map(|part| part.string("content"));
        let message = Message::new(Role::User, record.time_ms("timestamp"), texts.map(Part::Text).collect());
        self.assembly.push_nonempty(thread, message);
    }

    fn system(&mut self, record: &Json<'_>) {
        let thread = self.thread_of(record);
        match record.str("subtype") {
            Some("compact_boundary") => {
                let tokens_before = record.get_path(&["compactMetadata", "preTokens"]).as_count();
                self.assembly.start_context(thread, ContextStart::Compaction { tokens_before }, Vec::new());
            }
            Some("microcompact_boundary") => {
                let details = record.get("microcompactMetadata");
                let start = ContextStart::ResultsCleared { tokens_saved: details.get("tokensSaved").as_count() };
                let ids: HashSet<_> = details.get("compactedToolIds").list().iter().filter_map(Json::as_str).collect();
                self.assembly.clear_results(thread, &ids, start);
            }
            _ => {}
        }
        self.remember(thread, record.str("uuid").map(record_id));
    }

    /// A parent's record that contains one record of a sub-agent.
    fn progress(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        self.remember(0, record.str("uuid").map(record_id));
        let mut data = record.take("data");
        if data.str("type") != Some("agent_progress") {
            return;
        }
        let Some(agent) = data.str("agentId") else { return };
        let thread = self.sub_agent(agent);
        let message = data.take("message");
        let id = message.str("uuid").map(record_id);
        match message.str("type") {
            _ if id.is_some_and(|id| self.places.contains_key(&id)) => {}
            Some("assistant") => self.assistant(thread, message, notes),
            Some("user") => self.user(thread, message, notes),
            _ => {}
        }
        self.remember(thread, id);
    }
}
