//! Builds a session record by record: one list of messages, and threads that refer to it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::{
    Context, ContextStart, Message, ModelName, NoteKind, Part, Request, RequestKind, Role, Session, Thread, ThreadKind,
};

/// A session under construction. Messages are identified by their index in `Session::messages`.
pub(crate) struct Assembly {
    pub(crate) session: Session,
    /// Sessions of the same file that come before `session`.
    pub(crate) earlier: Vec<Session>,
    models: HashSet<ModelName>,
    /// The model of requests that don't name one.
    pub(crate) model: Option<ModelName>,
    /// The assistant message to which further records belong.
    pub(crate) open: Option<u32>,
    /// Message indices in contexts that were not appended one by one, to compare with [`MAX_CONTEXT_ENTRIES`].
    reserved_entries: usize,
}

pub(crate) const MAIN_THREAD: usize = 0;
/// The placeholder of Claude Code and opencode for a cleared result.
pub(crate) const CLEARED: &str = "[Old tool result content cleared]";
/// If a prompt shrinks by less, the provider may only have counted it differently.
const SHRINK_TOKENS: u64 = 1024;
/// Limit against forged files that change the prefix on every line; this many message indices take 64 MB.
const MAX_CONTEXT_ENTRIES: usize = 16 << 20;

impl Default for Assembly {
    fn default() -> Self {
        let (session, earlier, models) = (Session::default(), Vec::new(), HashSet::new());
        let mut assembly = Self { session, earlier, models, model: None, open: None, reserved_entries: 0 };
        assembly.open_thread(ThreadKind::Main, None);
        assembly
    }
}

impl Assembly {
    /// Sets what the first record tells about the session; later ones change nothing.
    pub(crate) fn describe(&mut self, id: Option<String>, project: Option<String>, version: Option<String>) {
        let session = &mut self.session;
        if session.id.is_none() {
            (session.id, session.project, session.version) = (id, project, version);
        }
    }

    /// The main thread is that of a sub-agent whose parent has its own file.
    pub(crate) fn mark_sub_agent(&mut self) {
        if let Some(main) = self.session.threads.first_mut() {
            main.kind = ThreadKind::SubAgent;
        }
    }

    pub(crate) fn open_thread(&mut self, kind: ThreadKind, id: Option<String>) -> usize {
        let first = Context { start: ContextStart::Beginning, messages: Vec::new() };
        self.session.threads.push(Thread { kind, id, contexts: vec![first], requests: Vec::new() });
        self.session.threads.len() - 1
    }

    pub(crate) fn store(&mut self, message: Message) -> u32 {
        let index = u32::try_from(self.session.messages.len()).unwrap_or(u32::MAX);
        self.session.messages.push(message);
        index
    }

    pub(crate) fn push(&mut self, thread: usize, message: Message) -> u32 {
        let index = self.store(message);
        self.append(thread, index);
        index
    }

    pub(crate) fn push_nonempty(&mut self, thread: usize, message: Message) {
        if !message.parts.is_empty() {
            self.push(thread, message);
        }
    }

    pub(crate) fn append(&mut self, thread: usize, message: u32) {
        let thread = self.session.threads.get_mut(thread);
        if let Some(context) = thread.and_then(|thread| thread.contexts.last_mut()) {
            context.messages.push(message);
        }
    }

    /// Adds `parts` to the stored message `index`; returns `parts` if there is no such message.
    pub(crate) fn extend_or_return(&mut self, index: Option<u32>, parts: Vec<Part>) -> Option<Vec<Part>> {
        let Some(message) = index.and_then(|index| self.message_mut(index)) else { return Some(parts) };
        message.parts.extend(parts);
        None
    }

    pub(crate) fn message_mut(&mut self, index: u32) -> Option<&mut Message> {
        self.session.messages.get_mut(index as usize)
    }

    pub(crate) fn message(&self, index: u32) -> Option<&Message> {
        self.session.messages.get(index as usize)
    }

    pub(crate) fn has_role(&self, index: u32, roles: &[Role]) -> bool {
        self.message(index).is_some_and(|message| roles.contains(&message.role))
    }

    /// The first message of the main thread's context if it is the system prompt, which stays over a compaction.
    pub(crate) fn system_prompt(&self) -> Vec<u32> {
        let first = self.current_context(MAIN_THREAD).iter().take(1).copied();
        first.filter(|&index| self.has_role(index, &[Role::System])).collect()
    }

    pub(crate) fn current_context(&self, thread: usize) -> &[u32] {
        let thread = self.session.threads.get(thread);
        thread.and_then(|thread| thread.contexts.last()).map_or(&[], |context| &context.messages)
    }

    /// Starts a new context. Beyond `MAX_CONTEXT_ENTRIES` the thread keeps its current one.
    pub(crate) fn start_context(&mut self, thread: usize, start: ContextStart, messages: Vec<u32>) {
        let fits = self.reserve_entries(messages.len());
        if let Some(thread) = self.session.threads.get_mut(thread).filter(|_| fits) {
            thread.contexts.push(Context { start, messages });
        }
    }

    /// Reserves memory for `count` message indices; false, with a note, beyond the limit.
    pub(crate) fn reserve_entries(&mut self, count: usize) -> bool {
        self.reserved_entries = self.reserved_entries.saturating_add(count);
        let fits = self.reserved_entries <= MAX_CONTEXT_ENTRIES;
        if !fits {
            self.session.notes.add(NoteKind::TooManyPrefixes, || "the prefix changes too often".to_owned());
        }
        fits
    }

    pub(crate) fn add_request(&mut self, thread: usize, sent_count: usize, mut request: Request) -> usize {
        let model = request.model.or_else(|| self.model.clone());
        request.model = model.filter(|name| !name.is_empty()).map(|name| {
            let known = self.models.get(&name).cloned().unwrap_or(name);
            self.models.insert(Arc::clone(&known));
            known
        });
        let Some(thread) = self.session.threads.get_mut(thread) else { return 0 };
        request.context = u32::try_from(thread.contexts.len().saturating_sub(1)).unwrap_or(u32::MAX);
        request.sent_count = u32::try_from(sent_count).unwrap_or(u32::MAX);
        thread.requests.push(request);
        thread.requests.len() - 1
    }

    pub(crate) fn request_count(&self, thread: usize) -> usize {
        self.session.threads.get(thread).map_or(0, |thread| thread.requests.len())
    }

    pub(crate) fn request_mut(&mut self, thread: usize, request: usize) -> Option<&mut Request> {
        self.session.threads.get_mut(thread)?.requests.get_mut(request)
    }

    pub(crate) fn add_answer(&mut self, thread: usize, message: Message, mut answered: Request) -> u32 {
        let sent = self.current_context(thread).len();
        answered.at_ms = answered.at_ms.or(message.at_ms);
        let index = self.push(thread, message);
        answered.answer = Some(index);
        self.add_request(thread, sent, answered);
        index
    }

    /// Adds a message; an assistant message is the answer to a request that sent everything before it.
    pub(crate) fn add_message(&mut self, thread: usize, message: Message, answered: Request) -> u32 {
        match message.role {
            Role::Assistant => self.add_answer(thread, message, answered),
            _ => self.push(thread, message),
        }
    }

    /// Starts a context in which copies replace the messages with these results; no-op if there are none.
    pub(crate) fn clear_results(&mut self, thread: usize, ids: &HashSet<&str>, start: ContextStart) {
        let mut messages = self.current_context(thread).to_vec();
        let mut changed = false;
        for index in &mut messages {
            let copy = self.message(*index).and_then(|message| cleared_copy(message, ids));
            let Some(copy) = copy else { continue };
            if !self.reserve_entries(copy.text_bytes() / size_of::<u32>()) {
                break;
            }
            *index = self.store(copy);
            changed = true;
        }
        if changed {
            self.start_context(thread, start, messages);
        }
    }

    /// Some agents clear results without a record of it: only the provider's count shows that a prompt shrank.
    fn note_shrinking(&mut self) {
        let Session { threads, notes, .. } = &mut self.session;
        for thread in threads {
            let mut previous: Option<(u32, u64)> = None;
            for request in &thread.requests {
                if request.kind == RequestKind::Compaction {
                    previous = None;
                    continue;
                }
                let Some(tokens) = request.usage.map(|usage| usage.total()) else { continue };
                let Some((context, before)) = previous.replace((request.context, tokens)) else { continue };
                if context == request.context && before >= tokens.saturating_add(SHRINK_TOKENS) {
                    notes.set_line(request.line);
                    notes.add(NoteKind::UnexplainedShrink, || format!("from {before} to {tokens} tokens"));
                }
            }
        }
    }

    /// The `earlier` sessions and the session itself, which is left out if it has no messages or requests.
    pub(crate) fn finish(mut self) -> Vec<Session> {
        let has_content = |thread: &Thread| {
            !thread.requests.is_empty() || thread.contexts.iter().any(|context| !context.messages.is_empty())
        };
        let mut is_main = true;
        self.session.threads.retain(|thread| std::mem::take(&mut is_main) || has_content(thread));
        self.note_shrinking();
        let has_session = self.session.threads.iter().any(has_content);
        self.earlier.into_iter().chain(has_session.then_some(self.session)).collect()
    }
}

fn cleared_copy(message: &Message, ids: &HashSet<&str>) -> Option<Message> {
    let is_cleared = |content: &[Part]| matches!(content, [Part::Text(text)] if text == CLEARED);
    let is_due = |part: &Part| matches!(part, Part::Result { id, content, .. } if ids.contains(id.as_str()) && !is_cleared(content));
    if !message.parts.iter().any(is_due) {
        return None;
    }
    let mut copy = message.clone();
    for part in copy.parts.iter_mut().filter(|part| is_due(part)) {
        if let Part::Result { content, .. } = part {
            *content = vec![Part::Text(CLEARED.to_owned())];
        }
    }
    Some(copy)
}
