//! Builds a session record by record: one list of messages, and threads that refer to it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::{
    Context, ContextStart, Message, ModelName, Part, Request, RequestKind, Role, Session, Thread, ThreadKind,
};
use crate::notes::NoteKind;

pub(crate) struct Assembly {
    pub(crate) session: Session,
    models: HashSet<ModelName>,
    entries: usize,
}

/// A prompt that shrinks by less than this may only be counted differently by the provider.
const SHRINK_TOKENS: u64 = 1024;
/// Limit against forged files that change the prefix on every line; this many entries take 64 MB.
const MAX_CONTEXT_ENTRIES: usize = 16 << 20;

impl Default for Assembly {
    /// An empty session with its main thread.
    fn default() -> Self {
        let mut assembly = Self { session: Session::default(), models: HashSet::new(), entries: 0 };
        assembly.thread(ThreadKind::Main, None);
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

    /// Opens a thread; thread 0 is the main one.
    pub(crate) fn thread(&mut self, kind: ThreadKind, id: Option<String>) -> usize {
        let first = Context { start: ContextStart::Beginning, messages: Vec::new() };
        self.session.threads.push(Thread { kind, id, contexts: vec![first], requests: Vec::new() });
        self.session.threads.len() - 1
    }

    /// Stores a message without adding it to a context.
    pub(crate) fn keep(&mut self, message: Message) -> u32 {
        let at = u32::try_from(self.session.messages.len()).unwrap_or(u32::MAX);
        self.session.messages.push(message);
        at
    }

    /// Stores a message and appends it to a thread's context.
    pub(crate) fn push(&mut self, thread: usize, message: Message) -> u32 {
        let at = self.keep(message);
        self.append(thread, at);
        at
    }

    /// Like [`Self::push`], unless the message has no parts.
    pub(crate) fn push_nonempty(&mut self, thread: usize, message: Message) {
        if !message.parts.is_empty() {
            self.push(thread, message);
        }
    }

    /// Appends a stored message to a thread's context.
    pub(crate) fn append(&mut self, thread: usize, message: u32) {
        if let Some(context) = self.context_mut(thread) {
            context.messages.push(message);
        }
    }

    /// Adds `parts` to the stored message `at`; returns them if there is none.
    pub(crate) fn extend(&mut self, at: Option<u32>, parts: Vec<Part>) -> Option<Vec<Part>> {
        let Some(message) = at.and_then(|at| self.message_mut(at)) else { return Some(parts) };
        message.parts.extend(parts);
        None
    }

    pub(crate) fn message_mut(&mut self, at: u32) -> Option<&mut Message> {
        self.session.messages.get_mut(at as usize)
    }

    pub(crate) fn message(&self, at: u32) -> Option<&Message> {
        self.session.messages.get(at as usize)
    }

    /// True if the stored message has one of these roles.
    pub(crate) fn is_of(&self, at: u32, roles: &[Role]) -> bool {
        self.message(at).is_some_and(|message| roles.contains(&message.role))
    }

    /// The first message of the main thread's context if it is the system prompt, which stays over a compaction.
    pub(crate) fn system_prompt(&self) -> Vec<u32> {
        let first = self.context(0).iter().take(1).copied();
        first.filter(|&at| self.is_of(at, &[Role::System])).collect()
    }

    /// The context that the thread's next request will send.
    pub(crate) fn context(&self, thread: usize) -> &[u32] {
        let thread = self.session.threads.get(thread);
        thread.and_then(|thread| thread.contexts.last()).map_or(&[], |context| &context.messages)
    }

    fn context_mut(&mut self, thread: usize) -> Option<&mut Context> {
        self.session.threads.get_mut(thread)?.contexts.last_mut()
    }

    /// Starts a new context. Beyond `MAX_CONTEXT_ENTRIES` the thread keeps its current one.
    pub(crate) fn restart(&mut self, thread: usize, start: ContextStart, messages: Vec<u32>) {
        if !self.has_room(messages.len()) {
            return;
        }
        if let Some(thread) = self.session.threads.get_mut(thread) {
            thread.contexts.push(Context { start, messages });
        }
    }

    /// Reserves `positions` entries; false, with a note, beyond the limit.
    pub(crate) fn has_room(&mut self, positions: usize) -> bool {
        self.entries = self.entries.saturating_add(positions);
        let fits = self.entries <= MAX_CONTEXT_ENTRIES;
        if !fits {
            self.session.notes.add(NoteKind::TooManyPrefixes, || "the prefix changes too often".to_owned());
        }
        fits
    }

    /// Records a request that sent the first `sent` messages of the thread's context; one name per model is kept.
    pub(crate) fn request(&mut self, thread: usize, sent: usize, mut request: Request) -> usize {
        request.model = request.model.filter(|name| !name.is_empty()).map(|name| {
            let known = self.models.get(&name).cloned().unwrap_or(name);
            self.models.insert(Arc::clone(&known));
            known
        });
        let Some(thread) = self.session.threads.get_mut(thread) else { return 0 };
        request.context = u32::try_from(thread.contexts.len().saturating_sub(1)).unwrap_or(u32::MAX);
        request.sent = u32::try_from(sent).unwrap_or(u32::MAX);
        thread.requests.push(request);
        thread.requests.len() - 1
    }

    pub(crate) fn requests(&self, thread: usize) -> usize {
        self.session.threads.get(thread).map_or(0, |thread| thread.requests.len())
    }

    pub(crate) fn request_mut(&mut self, thread: usize, request: usize) -> Option<&mut Request> {
        self.session.threads.get_mut(thread)?.requests.get_mut(request)
    }

    /// Adds an assistant message and its request, which sent everything before the message.
    pub(crate) fn answer(&mut self, thread: usize, message: Message, mut answered: Request) -> u32 {
        let sent = self.context(thread).len();
        answered.at_ms = answered.at_ms.or(message.at_ms);
        let at = self.push(thread, message);
        answered.answer = Some(at);
        self.request(thread, sent, answered);
        at
    }

    /// Adds a message; an assistant message is the answer to a request that sent everything before it.
    pub(crate) fn add(&mut self, thread: usize, message: Message, answered: Request) -> u32 {
        match message.role {
            Role::Assistant => self.answer(thread, message, answered),
            _ => self.push(thread, message),
        }
    }

    /// Starts a new context in which these results are replaced by `placeholder`, in copies of their messages;
    /// no-op if no message holds one of them.
    pub(crate) fn clear_results(
        &mut self,
        thread: usize,
        ids: &HashSet<&str>,
        placeholder: &str,
        start: ContextStart,
    ) {
        let mut messages = self.context(thread).to_vec();
        let mut changed = false;
        for at in &mut messages {
            let Some(message) = self.message(*at) else { continue };
            let cleared = |part: &Part| match part {
                Part::Result { id, content, .. } => {
                    ids.contains(id.as_str())
                        && !matches!(content.as_slice(), [Part::Text(text)] if text == placeholder)
                }
                _ => false,
            };
            if !message.parts.iter().any(cleared) {
                continue;
            }
            let mut copy = message.clone();
            if !self.has_room(copy.text_bytes() / size_of::<u32>()) {
                break;
            }
            for part in copy.parts.iter_mut().filter(|part| cleared(part)) {
                if let Part::Result { content, .. } = part {
                    *content = vec![Part::Text(placeholder.to_owned())];
                }
            }
            *at = self.keep(copy);
            changed = true;
        }
        if changed {
            self.restart(thread, start, messages);
        }
    }

    /// Notes prompts that shrink without a record: some agents clear results silently, and only the provider's token count shows it.
    fn note_shrinking(&mut self) {
        let Session { threads, notes, .. } = &mut self.session;
        for thread in threads {
            let mut before: Option<(u32, u64)> = None;
            for request in &thread.requests {
                if request.kind == RequestKind::Compaction {
                    before = None;
                    continue;
                }
                let Some(prompt) = request.usage.map(|usage| usage.total()) else { continue };
                let last = before.replace((request.context, prompt));
                if let Some((_, last)) = last.filter(|(context, last)| {
                    *context == request.context && *last >= prompt.saturating_add(SHRINK_TOKENS)
                }) {
                    notes.at_line(request.line);
                    notes.add(NoteKind::UnexplainedShrink, || format!("from {last} to {prompt} tokens"));
                }
            }
        }
    }

    /// The session; none if it has no messages or requests.
    pub(crate) fn finish(mut self) -> Vec<Session> {
        let heard = |thread: &Thread| {
            !thread.requests.is_empty() || thread.contexts.iter().any(|context| !context.messages.is_empty())
        };
        let mut first = true;
        self.session.threads.retain(|thread| std::mem::take(&mut first) || heard(thread));
        self.note_shrinking();
        if self.session.threads.iter().any(heard) { vec![self.session] } else { Vec::new() }
    }
}
