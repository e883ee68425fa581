//! Holds the conversation as clean-up's rules see it: a row for each message or tool result, and the calls that assistant rows declare.
//! Times are milliseconds. Texts are not stored: a rule reads one through [`RowTexts`], only if it needs it and only once.

pub mod interruptions;
pub mod pairing;
pub mod requests;
pub mod turns;
pub mod unrecognised;

/// 1980 in seconds. No conversation with a model is older, so this separates seconds from milliseconds.
const YEAR_1980_S: f64 = 315_532_800.0;
const YEAR_1980_MS: f64 = YEAR_1980_S * 1000.0;
/// A `now` in this range is in January 1970 as milliseconds, and from 2010 to 2065 as seconds.
pub const NOW_IN_SECONDS: [f64; 2] = [1_262_304_000.0, 3_000_000_000.0];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// System, user, or an unreadable message: no rule changes it.
    Other,
    Assistant,
    Tool,
}

/// The caller's number for a call id.
pub type CallId = u32;

/// The number of a missing or unusable id or name.
pub const NONE: u32 = u32::MAX;

/// One message, or one tool result of several in a message.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // facts that don't depend on each other
pub struct Row {
    pub kind: RowKind,
    /// The application marked the message as failed.
    pub status_error: bool,
    /// The content is a string.
    pub has_text: bool,
    /// The content also holds images or files, so any placeholder is shorter.
    pub has_media: bool,
    /// `timestamp` is when the caller first saw the row: an edited result is new, the rows after it are not.
    pub is_first_sight: bool,
    /// A system message in mid-conversation, or an assistant item that is not a call: the turn continues.
    pub is_aside: bool,
    /// Unknown form that may hold calls or results: no call or result is removed whose counterpart it may hold.
    pub is_unknown: bool,
    /// The result is one that an agent invented for a call that never ended.
    pub is_interruption: bool,
    /// In the message's own unit; in milliseconds once the row is in a [`Conversation`]. NaN if the message has none or it was not read.
    pub timestamp: f64,
    /// [`NONE`] unless the row is a tool result.
    pub call_id: CallId,
}

impl Row {
    pub const fn new(kind: RowKind, call_id: CallId) -> Self {
        Self {
            kind,
            status_error: false,
            has_text: matches!(kind, RowKind::Tool),
            has_media: false,
            is_first_sight: false,
            is_aside: false,
            is_unknown: false,
            is_interruption: false,
            timestamp: f64::NAN,
            call_id,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub id: CallId,
    /// The caller's number for the tool's name, or [`NONE`].
    pub name: u32,
    /// The call needs no result: its provider runs it, or the user has yet to approve it.
    pub settled: bool,
}

#[derive(Debug, Default)]
pub struct Conversation {
    rows: Vec<Row>,
    /// For each row, the end of its calls in `calls`.
    call_ends: Vec<usize>,
    calls: Vec<Call>,
    timed_results: usize,
    /// Rows whose time was given in seconds.
    rows_in_seconds: Vec<usize>,
}

impl Conversation {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn call_count(&self) -> usize {
        self.calls.len()
    }

    pub const fn known_times(&self) -> usize {
        self.timed_results
    }

    pub fn results_in_seconds(&self) -> usize {
        self.rows_in_seconds.iter().filter(|&&index| self.is_result(index)).count()
    }

    pub fn push(&mut self, row: Row, calls: impl IntoIterator<Item = Call>) {
        let row = self.with_time_in_ms(self.rows.len(), row);
        self.rows.push(row);
        self.calls.extend(calls);
        self.call_ends.push(self.calls.len());
    }

    /// Replaces a row. False if there is none at `index`, or its kind or call id differ.
    pub fn patch(&mut self, index: usize, row: Row) -> bool {
        let is_same = |old: &Row| old.kind == row.kind && old.call_id == row.call_id;
        if !self.row(index).is_some_and(is_same) {
            return false;
        }
        self.forget_times(index, index + 1);
        let row = self.with_time_in_ms(index, row);
        self.rows.splice(index..=index, [row]);
        true
    }

    /// Records the row's time and returns it in milliseconds.
    fn with_time_in_ms(&mut self, index: usize, row: Row) -> Row {
        self.timed_results += usize::from(is_timed_result(&row));
        if is_in_seconds(row.timestamp) {
            self.rows_in_seconds.push(index);
        }
        Row { timestamp: in_ms(row.timestamp), ..row }
    }

    fn forget_times(&mut self, from: usize, to: usize) {
        let rows = self.rows.get(from..to.min(self.rows.len())).unwrap_or_default();
        self.timed_results -= rows.iter().filter(|row| is_timed_result(row)).count();
        if !self.rows_in_seconds.is_empty() {
            self.rows_in_seconds.retain(|index| !(from..to).contains(index));
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.forget_times(len, self.rows.len());
        self.rows.truncate(len);
        self.call_ends.truncate(len);
        self.calls.truncate(self.call_ends.last().copied().unwrap_or(0));
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn row(&self, index: usize) -> Option<&Row> {
        self.rows.get(index)
    }

    pub fn is_result(&self, index: usize) -> bool {
        self.row(index).is_some_and(|row| row.kind == RowKind::Tool)
    }

    pub fn call(&self, index: usize) -> Option<&Call> {
        self.calls.get(index)
    }

    /// The calls that row `index` declares, as indices for [`Conversation::call`].
    pub fn calls_of(&self, index: usize) -> std::ops::Range<usize> {
        let end = |index: Option<usize>| index.and_then(|index| self.call_ends.get(index)).copied().unwrap_or(0);
        end(index.checked_sub(1))..end(Some(index))
    }

    /// Calls of a turn that is still open: only results and asides follow. O(the turn).
    pub fn calls_in_progress(&self) -> std::ops::Range<usize> {
        let may_follow = |row: &&Row| row.kind == RowKind::Tool || row.is_aside;
        let end = self.rows.len() - self.rows.iter().rev().take_while(may_follow).count();
        let has_calls = |index: usize, row: &Row| row.kind == RowKind::Assistant && !self.calls_of(index).is_empty();
        let rows = self.rows.iter().enumerate().take(end).rev();
        let of_turn = rows.take_while(|&(index, row)| row.is_aside || has_calls(index, row));
        let first_with_calls = of_turn.filter(|&(index, row)| has_calls(index, row)).last();
        first_with_calls.map_or(0..0, |(first, _)| self.calls_of(first).start..self.calls_of(end - 1).end)
    }
}

fn is_timed_result(row: &Row) -> bool {
    row.kind == RowKind::Tool && row.timestamp.is_finite()
}

/// True for a time that is before 1980 in milliseconds, but not in seconds. Smaller numbers are an application's own clock and stay.
pub fn is_in_seconds(time: f64) -> bool {
    (YEAR_1980_S..YEAR_1980_MS).contains(&time)
}

pub fn in_ms(time: f64) -> f64 {
    if is_in_seconds(time) { time * 1000.0 } else { time }
}

/// How a result without a time is treated (option `unknownAge`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownAge {
    /// The result stays and takes none of the newest places, as in the original functions.
    #[default]
    Keep,
    /// The result is older than every limit, and as new as its place says.
    Old,
    /// `Old` if no result of the conversation has a time, else `Keep`: an application that records times omits one for a reason. Times of
    /// other messages don't count: many applications record only when the user spoke.
    OldWhereNoneIsKnown,
}

impl UnknownAge {
    /// True if untimed results may be removed when `known` results have a time.
    pub const fn removes_untimed(self, known: usize) -> bool {
        match self {
            Self::Keep => false,
            Self::Old => true,
            Self::OldWhereNoneIsKnown => known == 0,
        }
    }
}

/// Texts of a conversation. Reading is costly, so rules read late.
pub trait RowTexts {
    /// Reads the first `limit` units of a content; also passes its whole length.
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize));
    /// Reads the last `limit` units of a content up to its only occurrence of `unit`, which is included. Passes no units
    /// if there is none; reads nothing if there are several. Cheaper than reading all of it.
    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16]));
    /// Reads nothing if the content is not a string.
    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
    /// Reads nothing if the arguments are not a string.
    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16]));
}

#[cfg(test)]
mod tests;
