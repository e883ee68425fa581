//! Follows the turns of a growing conversation: the model's rows, and the results right behind them.

use std::ops::Range;

use crate::conversation::{Conversation, RowKind};

/// The turns up to each row.
#[derive(Debug, Default)]
pub struct Turns {
    by_row: Vec<Turn>,
}

/// The turn that a row belongs to, up to that row.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    number: u32,
    /// The calls that it declares.
    first_call: usize,
    end_call: usize,
    state: State,
    /// A row in it isn't understood: it may declare calls, or answer some.
    has_unknown: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Somebody else speaks.
    #[default]
    Over,
    /// The row before is the model's.
    Calling,
    /// Results have come: another row of the model begins a turn.
    Answering,
}

impl Turns {
    /// Takes in the row `index`, which is the first that is new.
    pub fn advance(&mut self, conversation: &Conversation, index: usize) {
        let Some(row) = conversation.row(index) else { return };
        let calls = conversation.calls_of(index);
        let mut turn = self.last();
        match row.kind {
            _ if row.is_aside => {}
            RowKind::Assistant => {
                if turn.state != State::Calling {
                    turn = turn.next(calls.start);
                }
                turn.end_call = calls.end;
                turn.has_unknown |= row.is_unknown;
                turn.state = State::Calling;
            }
            RowKind::Tool => turn.state = State::Answering,
            RowKind::Other if row.is_unknown => {
                if turn.state == State::Over {
                    turn = turn.next(calls.start);
                }
                turn.has_unknown = true;
                turn.state = State::Answering;
            }
            RowKind::Other => turn = turn.next(calls.start),
        }
        self.by_row.push(turn);
    }

    pub fn truncate(&mut self, len: usize) {
        self.by_row.truncate(len);
    }

    fn last(&self) -> Turn {
        self.by_row.last().copied().unwrap_or_default()
    }

    /// The calls of the turn.
    pub fn calls(&self) -> Range<usize> {
        let turn = self.last();
        turn.first_call..turn.end_call
    }

    pub fn has_unknown(&self) -> bool {
        self.last().has_unknown
    }

    /// Whether both rows are of one turn.
    pub fn is_same(&self, row: usize, other: usize) -> bool {
        let number = |row: usize| self.by_row.get(row).map(|turn| turn.number);
        number(row).is_some() && number(row) == number(other)
    }
}

impl Turn {
    const fn next(self, first_call: usize) -> Self {
        Self {
            number: self.number + 1,
            first_call,
            end_call: first_call,
            state: State::Over,
            has_unknown: false,
        }
    }
}
