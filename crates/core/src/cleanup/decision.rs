//! The changes to one conversation at one time.

use crate::conversation::{Call, Row};

/// A content that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub row: u32,
    /// The number of the rule among the policy's.
    pub rule: u32,
    /// The text, when it isn't the rule's fixed placeholder.
    pub text: Option<Vec<u16>>,
    /// What the result is grouped by under that rule: see [`Cleanup::group_key`].
    pub groups: Box<[u32]>,
    /// The number of the request at which the result was first outdated.
    pub request: u32,
}

#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Messages to leave out, ascending.
    pub dropped: Vec<usize>,
    /// Calls that get an answer in place of the result that they never had, ascending.
    pub answered: Vec<u32>,
    /// Calls to leave out of their messages, ascending: another call of the message has the same id.
    pub repeated: Vec<u32>,
    /// How many of `dropped` and `repeated` go because another result, or another call of their id, stays.
    pub duplicates: usize,
    /// Contents to replace, in the order in which that was decided.
    pub edits: Vec<Edit>,
    /// How many of `edits` at the start are as they were at the last decision.
    pub kept_edits: usize,
    /// The decision stays the same up to this time (inclusive), all else being equal.
    pub valid_until_ms: f64,
    /// Results that stay though nobody declares their calls, since no call is declared at all.
    pub unmatched: usize,
    /// Tool results whose time came in seconds.
    pub in_seconds: usize,
}

/// Rows that are new, and the requests that were sent meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Update {
    pub rows: Vec<(Row, Vec<Call>)>,
    /// For each request how many rows it had, and its time in milliseconds. The last one has all rows.
    pub requests: Vec<(usize, f64)>,
    /// The number of the first of these requests.
    pub first_request: u32,
}
