//! Finds which message answers which call, for messages as compression sees them.
//!
//! [`crate::conversation::pairing`] decides. It reads rows: here a row is a message without its results, or one of the
//! message's results, since a message in Anthropic's form may hold several.

use std::collections::HashMap;

use crate::compression::message::{ChatMessage, ToolCall};
use crate::conversation::pairing::calls_by_row;
use crate::conversation::{Call, Conversation, NONE, Row, RowKind};

/// A call by the index of its message, and its index among that message's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallPlace {
    pub message: usize,
    pub call: usize,
}

/// The calls that each message answers.
#[derive(Debug, Default)]
pub struct Pairs {
    answered_by_message: Vec<Vec<CallPlace>>,
}

impl Pairs {
    /// O(messages + calls + results).
    pub fn new(messages: &[ChatMessage]) -> Self {
        let PairingInput { conversation, message_of_row, place_of_call } = PairingInput::new(messages);
        let mut answered_by_message = vec![Vec::new(); messages.len()];
        for (message, call) in message_of_row.into_iter().zip(calls_by_row(&conversation)) {
            let place = usize::try_from(call).ok().and_then(|call| place_of_call.get(call));
            if let (Some(answered), Some(&place)) = (answered_by_message.get_mut(message), place) {
                answered.push(place);
            }
        }
        Self { answered_by_message }
    }

    /// Where the calls are that message `index` answers.
    pub fn places_answered_by(&self, index: usize) -> impl Iterator<Item = CallPlace> + '_ {
        self.answered_by_message.get(index).into_iter().flatten().copied()
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

struct PairingInput {
    conversation: Conversation,
    message_of_row: Vec<usize>,
    place_of_call: Vec<CallPlace>,
}

impl PairingInput {
    fn new(messages: &[ChatMessage]) -> Self {
        let mut id_numbers: HashMap<&str, u32> = HashMap::new();
        let (mut conversation, mut message_of_row, mut place_of_call) =
            (Conversation::default(), Vec::new(), Vec::new());
        for (index, message) in messages.iter().enumerate() {
            let calls: Vec<Call> = message
                .calls
                .iter()
                .map(|call| Call { id: id_number(&mut id_numbers, &call.id), name: NONE, settled: false })
                .collect();
            place_of_call.extend((0..calls.len()).map(|call| CallPlace { message: index, call }));
            let kind = if calls.is_empty() { RowKind::Other } else { RowKind::Assistant };
            conversation.push(Row::new(kind, NONE), calls);
            message_of_row.push(index);
            for id in &message.answers {
                conversation.push(Row::new(RowKind::Tool, id_number(&mut id_numbers, id)), []);
                message_of_row.push(index);
            }
        }
        Self { conversation, message_of_row, place_of_call }
    }
}

/// The number of `id`, the same for equal ids; [`NONE`] for an empty id.
fn id_number<'m>(id_numbers: &mut HashMap<&'m str, u32>, id: &'m str) -> u32 {
    if id.is_empty() {
        return NONE;
    }
    let next = u32::try_from(id_numbers.len()).unwrap_or(NONE);
    *id_numbers.entry(id).or_insert(next)
}
