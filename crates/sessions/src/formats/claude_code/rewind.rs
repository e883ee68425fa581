//! Rewinds: messages after the point to which the user rewound become a branch.

use super::{Chain, ClaudeCodeReader, ContextPlace};
use crate::model::{ContextStart, Request, ThreadKind};

impl ClaudeCodeReader {
    /// Detects a rewind: a prompt after a record that already has a prompt with responses. The later messages become a
    /// branch, and the thread continues from that record.
    pub(super) fn go_back(&mut self, thread: usize, parent: Option<u128>) {
        let Some(parent) = parent else { return };
        let Some(place) = self.records.get(&parent).copied().filter(|place| place.thread == thread) else {
            return;
        };
        let (context, length) = (self.context_number(thread), self.assembly.context(thread).len());
        let Some(chain) = self.threads.get_mut(thread) else { return };
        let Some(earlier) = chain.prompts.insert(parent, ContextPlace { thread, context, length }) else {
            return;
        };
        let after = |request: &Request| {
            (request.context as usize, request.sent as usize) > (earlier.context, earlier.length)
        };
        let Some(main) = self.assembly.session.threads.get_mut(thread) else { return };
        if !main.requests.iter().any(after) {
            return;
        }
        let Some(kept) =
            main.contexts.get(place.context).and_then(|context| context.messages.get(..place.length))
        else {
            return;
        };
        let kept = kept.to_vec();
        let positions = main.contexts.iter().map(|context| context.messages.len()).sum::<usize>();
        let (contexts, requests) = (main.contexts.clone(), main.requests.clone());
        if !self.assembly.has_room(positions + requests.len() * 32) {
            return;
        }
        let branch = self.assembly.thread(ThreadKind::Branch, None);
        self.threads.push(Chain::default());
        if let Some(branch) = self.assembly.session.threads.get_mut(branch) {
            branch.contexts = contexts;
            branch.requests = requests.into_iter().filter(after).collect();
        }
        if let Some(main) = self.assembly.session.threads.get_mut(thread) {
            main.requests.retain(|request| !after(request));
        }
        if let Some(chain) = self.threads.get_mut(thread) {
            // Requests were moved, so their indices changed; no later line belongs to them.
            chain.responses.clear();
            chain.results = None;
        }
        self.assembly.restart(thread, ContextStart::Rewind, kept);
    }
}
