//! Decides which turn of a growing conversation each row belongs to. Here a turn is assistant rows, and the results right after them.

use crate::conversation::{Conversation, RowKind};

#[derive(Debug, Default)]
pub struct Turns(Vec<Turn>);

/// A row's turn, up to that row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    number: u32,
    pub first_call: usize,
    pub end_call: usize,
    state: TurnState,
    /// A row of it has an unknown form and may declare or answer calls.
    pub has_unknown: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum TurnState {
    /// The last row is neither the assistant's nor a result.
    #[default]
    Over,
    /// The last row is the assistant's.
    Calling,
    /// Results have come: the next assistant row begins a turn.
    Answering,
}

impl Turns {
    pub fn push(&mut self, conversation: &Conversation, index: usize) {
        let Some(row) = conversation.row(index) else { return };
        let calls = conversation.calls_of(index);
        let mut turn = self.last();
        match row.kind {
            _ if row.is_aside => {}
            RowKind::Assistant => {
                if turn.state != TurnState::Calling {
                    turn = turn.next(calls.start);
                }
                turn.end_call = calls.end;
                turn.has_unknown |= row.is_unknown;
                turn.state = TurnState::Calling;
            }
            RowKind::Tool => turn.state = TurnState::Answering,
            RowKind::Other if row.is_unknown => {
                if turn.state == TurnState::Over {
                    turn = turn.next(calls.start);
                }
                turn.has_unknown = true;
                turn.state = TurnState::Answering;
            }
            RowKind::Other => turn = turn.next(calls.start),
        }
        self.0.push(turn);
    }

    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub(super) fn last(&self) -> Turn {
        self.0.last().copied().unwrap_or_default()
    }

    pub fn is_same_turn(&self, row: usize, other: usize) -> bool {
        let number = |row: usize| self.0.get(row).map(|turn| turn.number);
        number(row).is_some() && number(row) == number(other)
    }
}

impl Turn {
    fn next(self, first_call: usize) -> Self {
        Self { number: self.number + 1, first_call, end_call: first_call, ..Self::default() }
    }
}
