//! Rewinds: messages after the point to which the user rewound become a branch.

use super::ClaudeCodeReader;
use crate::formats::prelude::*;

impl ClaudeCodeReader {
    /// Detects a rewind: a prompt after a record that already has a prompt with responses. The later messages become a
    /// branch, and the thread continues from that record.
    pub(super) fn go_back(&mut self, thread: usize, parent: Option<u128>) {
        let known = parent.and_then(|parent| Some((parent, *self.records.get(&parent)?)));
        let Some((parent, place)) = known.filter(|(_, place)| place.thread == thread) else { return };
        let end = self.end_of(thread);
        let chain = self.threads.entry(thread).or_default();
        let Some(earlier) = chain.prompts.insert(parent, end) else { return };
        let after = |request: &Request| {
            (request.context as usize, request.sent as usize) > (earlier.context, earlier.length)
        };
        let Some(main) = self.assembly.session.threads.get_mut(thread) else { return };
        if !main.requests.iter().any(after) {
            return;
        }
        let kept = main.contexts.get(place.context).and_then(|context| context.messages.get(..place.length));
        let Some(kept) = kept.map(<[u32]>::to_vec) else { return };
        let positions = main.contexts.iter().map(|context| context.messages.len()).sum::<usize>();
        let (contexts, requests) = (main.contexts.clone(), main.requests.clone());
        if !self.assembly.has_room(positions + requests.len() * 32) {
            return;
        }
        let branch = self.assembly.thread(ThreadKind::Branch, None);
        if let Some(branch) = self.assembly.session.threads.get_mut(branch) {
            branch.contexts = contexts;
            branch.requests = requests.into_iter().filter(after).collect();
        }
        if let Some(main) = self.assembly.session.threads.get_mut(thread) {
            main.requests.retain(|request| !after(request));
        }
        // Requests were moved, so their indices changed; no later line belongs to them.
        chain.responses.clear();
        chain.results = None;
        self.assembly.restart(thread, ContextStart::Rewind, kept);
    }
}
