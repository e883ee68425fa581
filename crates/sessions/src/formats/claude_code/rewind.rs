//! Rewinds: messages after the point to which the user rewound become a branch.

use super::ClaudeCodeReader;
use crate::formats::prelude::*;

/// Memory of a request, in message indices.
const ENTRIES_PER_REQUEST: usize = 32;

impl ClaudeCodeReader {
    /// A second prompt after the record `parent` is a rewind: later messages become a branch.
    pub(super) fn branch_at_rewind(&mut self, thread: usize, parent: Option<u128>) {
        let known = parent.and_then(|parent| Some((parent, *self.places.get(&parent)?)));
        let Some((parent, place)) = known.filter(|(_, place)| place.thread == thread) else { return };
        let end = self.end_of(thread);
        let state = self.states.entry(thread).or_default();
        let Some(earlier) = state.prompts.insert(parent, end) else { return };
        let is_abandoned = |request: &Request| {
            (request.context as usize, request.sent_count as usize) > (earlier.context, earlier.length)
        };
        let Some(rewound) = self.assembly.session.threads.get(thread) else { return };
        if !rewound.requests.iter().any(is_abandoned) {
            return;
        }
        let kept = rewound.contexts.get(place.context).and_then(|context| context.messages.get(..place.length));
        let Some(kept) = kept.map(<[u32]>::to_vec) else { return };
        let entries = rewound.contexts.iter().map(|context| context.messages.len()).sum::<usize>();
        let (contexts, requests) = (rewound.contexts.clone(), rewound.requests.clone());
        if !self.assembly.reserve_entries(entries + requests.len() * ENTRIES_PER_REQUEST) {
            return;
        }
        let branch = self.assembly.open_thread(ThreadKind::Branch, None);
        if let Some(branch) = self.assembly.session.threads.get_mut(branch) {
            branch.contexts = contexts;
            branch.requests = requests.into_iter().filter(is_abandoned).collect();
        }
        if let Some(rewound) = self.assembly.session.threads.get_mut(thread) {
            rewound.requests.retain(|request| !is_abandoned(request));
        }
        // Requests were moved, so their indices changed; no later line belongs to them.
        state.responses.clear();
        state.results_message = None;
        self.assembly.start_context(thread, ContextStart::Rewind, kept);
    }
}
