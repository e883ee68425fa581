//! Decides which messages answer which, even if calls have no ids.

use std::collections::{HashMap, HashSet};

use super::pairs::{CallPlace, Pairs};
use super::requests::newest_request;
use crate::compression::message::{ChatMessage, ChatRole, ToolCall};

/// If a dialect's results aren't recognised, every call looks open; so only this many of the newest count.
const MAX_PENDING: usize = 8;

pub(super) struct Links {
    /// Pairs of messages: the one that declares a call, the one that answers it.
    pub(super) linked: Vec<(usize, usize)>,
    answered: HashSet<CallPlace>,
    /// For each message whose calls have no id (Ollama): how many results without an id follow it.
    nameless: HashMap<usize, usize>,
}

impl Links {
    pub(super) fn of(messages: &[ChatMessage]) -> Self {
        let pairs = Pairs::of(messages);
        let answers = |index| pairs.places_answered_by(index).map(move |place| (place, index));
        let (mut linked, mut answered) = (Vec::new(), HashSet::new());
        for (place, index) in (0..messages.len()).flat_map(answers) {
            linked.push((place.message, index));
            answered.insert(place);
        }
        let mut links = Self { linked, answered, nameless: HashMap::new() };
        links.link_nameless(messages);
        links
    }

    /// A result without an id answers the calls that it directly follows.
    fn link_nameless(&mut self, messages: &[ChatMessage]) {
        let mut without_ids = None;
        for (index, message) in messages.iter().enumerate() {
            if message.role != ChatRole::Tool {
                without_ids = message.calls.iter().any(|call| call.id.is_empty()).then_some(index);
            } else if let Some(call) = without_ids
                && message.answers.iter().all(String::is_empty)
            {
                self.linked.push((call, index));
                *self.nameless.entry(call).or_default() += 1;
            }
        }
    }

    pub(super) fn pending(&self, messages: &[ChatMessage]) -> Vec<usize> {
        let begins = newest_request(messages).unwrap_or(0);
        // A user may write while tools run.
        let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
        let begins = begins.min(newest_assistant.unwrap_or(begins));
        let open = (begins..messages.len()).rev().filter(|&index| self.is_open(messages, index));
        let mut newest: Vec<usize> = open.take(MAX_PENDING).collect();
        newest.reverse();
        newest
    }

    fn is_open(&self, messages: &[ChatMessage], index: usize) -> bool {
        let calls = messages.get(index).map_or(&[][..], |message| &message.calls);
        let nameless = calls.iter().filter(|call| call.id.is_empty()).count();
        let is_open = |(call, declared): (usize, &ToolCall)| {
            !declared.id.is_empty() && !self.answered.contains(&CallPlace { message: index, call })
        };
        calls.iter().enumerate().any(is_open) || self.nameless.get(&index).copied().unwrap_or(0) < nameless
    }
}
