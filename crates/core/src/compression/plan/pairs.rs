//! Which message answers which call, for messages as compression sees them.
//!
//! [`crate::conversation::pairing`] decides. This module gives it one row per result, since a message in Anthropic's
//! form may hold several.

use std::collections::HashMap;

use crate::compression::message::{ChatMessage, ToolCall};
use crate::conversation::pairing::resolve;
use crate::conversation::{Call, Conversation, NONE, Row, RowKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallPlace {
    pub message: usize,
    pub call: usize,
}

#[derive(Debug, Default)]
pub struct Pairs {
    answered: Vec<Vec<CallPlace>>,
}

impl Pairs {
    pub fn new(messages: &[ChatMessage]) -> Self {
        let (conversation, owners, places) = rows_of(messages);
        let mut answered = vec![Vec::new(); messages.len()];
        for (owner, call) in owners.iter().zip(resolve(&conversation)) {
            let place = usize::try_from(call).ok().and_then(|call| places.get(call));
            if let (Some(slot), Some(&place)) = (answered.get_mut(*owner), place) {
                slot.push(place);
            }
        }
        Self { answered }
    }

    pub fn places_answered_by(&self, index: usize) -> impl Iterator<Item = CallPlace> + '_ {
        self.answered.get(index).into_iter().flatten().copied()
    }

    /// The calls of `messages` that message `index` answers.
    pub fn calls_answered_by<'m>(
        &self,
        index: usize,
        messages: &'m [ChatMessage],
    ) -> impl Iterator<Item = &'m ToolCall> {
        self.places_answered_by(index).filter_map(|place| messages.get(place.message)?.calls.get(place.call))
    }
}

/// The rows that pairing reads, the message of each row, and the place of each call.
fn rows_of(messages: &[ChatMessage]) -> (Conversation, Vec<usize>, Vec<CallPlace>) {
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let (mut conversation, mut owners, mut places) = (Conversation::default(), Vec::new(), Vec::new());
    for (index, message) in messages.iter().enumerate() {
        let calls: Vec<Call> = message
            .calls
            .iter()
            .map(|call| Call { id: number(&mut ids, &call.id), name: NONE, settled: false })
            .collect();
        places.extend((0..calls.len()).map(|call| CallPlace { message: index, call }));
        let kind = if calls.is_empty() { RowKind::Other } else { RowKind::Assistant };
        conversation.push(Row::new(kind, NONE), calls);
        owners.push(index);
        for id in &message.answers {
            conversation.push(Row::new(RowKind::Tool, number(&mut ids, id)), []);
            owners.push(index);
        }
    }
    (conversation, owners, places)
}

fn number<'m>(ids: &mut HashMap<&'m str, u32>, id: &'m str) -> u32 {
    if id.is_empty() {
        return NONE;
    }
    let next = u32::try_from(ids.len()).unwrap_or(NONE);
    *ids.entry(id).or_insert(next)
}
