//! Numbers the requests to the model by the conversation's assistant messages, so that all processes get the same numbers; and defines a
//! result's handle by them, with which a model can fetch a removed result.

use std::fmt;

use crate::conversation::{Conversation, RowKind};

/// The number of the request that first sent each row. Consecutive assistant rows answer one request.
#[derive(Debug, Default)]
pub struct Requests {
    first_request_by_row: Vec<u32>,
    next_number: u32,
}

impl Requests {
    pub fn extend(&mut self, conversation: &Conversation) {
        let is_assistant = |index: usize| conversation.row(index).is_some_and(|row| row.kind == RowKind::Assistant);
        for index in self.first_request_by_row.len()..conversation.len() {
            self.first_request_by_row.push(self.next_number);
            let continues_answer = index.checked_sub(1).is_some_and(is_assistant);
            self.next_number += u32::from(is_assistant(index) && !continues_answer);
        }
    }

    pub fn truncate(&mut self, len: usize) {
        if let Some(&number) = self.first_request_by_row.get(len) {
            self.next_number = number;
            self.first_request_by_row.truncate(len);
        }
    }

    pub const fn next_number(&self) -> u32 {
        self.next_number
    }

    pub fn first_request_of(&self, row: usize) -> u32 {
        self.first_request_by_row.get(row).copied().unwrap_or(self.next_number)
    }

    /// The handle of the result in `row`. O(rows of its request).
    pub fn handle_of(&self, conversation: &Conversation, row: usize) -> Handle {
        let request = self.first_request_of(row);
        let sent_first = (0..=row).rev().take_while(|&other| self.first_request_of(other) == request);
        let results = sent_first.filter(|&other| conversation.is_result(other)).count();
        Handle { request, nth: u32::try_from(results).unwrap_or(u32::MAX) }
    }

    pub fn row_of(&self, conversation: &Conversation, handle: Handle) -> Option<usize> {
        let sent_first =
            (0..self.first_request_by_row.len()).filter(|&row| self.first_request_of(row) == handle.request);
        sent_first.filter(|&row| conversation.is_result(row)).nth(handle.nth.checked_sub(1)? as usize)
    }
}

/// The number of the request that first sent a result, from 0, and its place among that request's new results, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    pub request: u32,
    pub nth: u32,
}

impl Handle {
    pub const MARK: char = '#';

    /// The leading `#` may be missing.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix(Self::MARK).unwrap_or(text);
        let (request, nth) = text.split_once('.').unwrap_or((text, "1"));
        let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
        Some(Self { request: number(request)??, nth: number(nth)?.filter(|&nth: &u32| nth > 0)? })
    }
}

/// `#41`, and `#41.2` for the second result that request 41 first sent.
impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", Self::MARK, self.request)?;
        if self.nth > 1 { write!(formatter, ".{}", self.nth) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
