//! Converts the steps of a core session to JavaScript, and the results back.

use std::ops::Range;

use napi_derive::napi;
use palimpsest_core::compression::record::StoredRecord;
use palimpsest_core::compression::session::SessionOptions;
use palimpsest_core::compression::session::logged_once::UnrecognisedInput;
use palimpsest_core::compression::session::step::{
    ChangePlace, ContextFigures, HistoryChange, NoSummaryReason, SessionResult, Step, StepProgress,
};
use palimpsest_core::compression::summary::exchange::{CallFailure, Spent};

use super::columns::{to_u32, to_usize};
use crate::logging::LogEvent;

/// The next step of a session, for the JavaScript side.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct SessionStep {
    /// `read`, `summarise`, `shorten`, `apply`, `weigh` or `done`.
    pub wants: &'static str,
    /// The conversation's number, for the next `begin`.
    pub conversation: u32,
    /// With `summarise`: the first message of the range, and the one after its last.
    pub start: u32,
    pub end: u32,
    /// With `shorten`.
    pub shorten: Option<Vec<ShortenedMessage>>,
    /// With `apply`.
    pub edit: Option<HistoryEdit>,
    /// With `done`.
    pub outcome: Option<SessionOutcome>,
    /// The figures of a change that was just applied.
    pub figures: Option<ChangeFigures>,
    pub events: Vec<LogEvent>,
}

/// See the core's `HistoryChange`.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct HistoryEdit {
    pub id: String,
    pub start: u32,
    pub end: u32,
    /// True if messages are cut; otherwise a summary replaces the range.
    pub is_cut: bool,
    /// Messages that are repeated before and after the summary.
    pub pinned: Vec<u32>,
    pub carried: Vec<u32>,
    /// The ranges that a cut removes.
    pub dropped: Vec<HistoryRange>,
    /// The message before which a cut inserts its notice; absent if there is no notice.
    pub notice_at: Option<u32>,
    pub content: String,
    pub tokens: f64,
    pub record: String,
}

#[napi(object, object_from_js = false)]
pub struct ShortenedMessage {
    pub index: u32,
    pub max_tokens: f64,
}

/// `end` is the message after its last.
#[napi(object, object_from_js = false)]
pub struct HistoryRange {
    pub start: u32,
    pub end: u32,
}

/// What a session has done, and why it made no summary.
#[napi(object, object_from_js = false)]
pub struct SessionOutcome {
    /// `nothing`, `summarised` or `cut`.
    pub did: &'static str,
    pub reason: Option<String>,
    /// With `summary_failed`: the error's code, its provider's class, and the HTTP status.
    pub code: Option<String>,
    pub error_class: Option<String>,
    pub status: Option<f64>,
    pub is_over_limit: bool,
    pub window_tokens: f64,
    /// `guess`, `model`, `configured` or `provider`.
    pub window_source: &'static str,
    pub summary_usage: Vec<SummaryUsage>,
    pub tokens_before: f64,
    pub tokens_after: f64,
}

#[napi(object, object_from_js = false)]
pub struct SummaryUsage {
    /// Empty if unknown.
    pub model: String,
    pub input_tokens: f64,
    pub cached_tokens: f64,
    pub output_tokens: f64,
    pub is_estimated: bool,
}

#[napi(object, object_from_js = false)]
pub struct ChangeFigures {
    pub before_count: u32,
    pub after_count: u32,
    pub tokens_after: f64,
    pub usage_after: f64,
}

/// Input of a session in addition to columns.
#[napi(object, object_to_js = false)]
pub struct SessionWish {
    pub now: f64,
    pub forced: bool,
    pub aborted: bool,
    pub summary: Option<String>,
    pub instructions: Option<String>,
    /// How many messages have an unknown form, and the forms' names.
    pub unrecognised: f64,
    pub forms: String,
    /// Fields of records that have invalid values.
    pub odd_fields: Vec<String>,
}

/// What is read of an earlier compression's record.
#[napi(object, object_to_js = false)]
pub struct MessageRecord {
    pub index: u32,
    pub first_request: Option<String>,
    pub digest: Option<String>,
    pub dropped_count: f64,
    pub dropped_tokens: f64,
}

impl From<Step> for SessionStep {
    fn from(step: Step) -> Self {
        let wanting = |wants| Self { wants, ..Self::default() };
        match step {
            Step::Read => wanting("read"),
            // Handled by the binding; never reaches the JavaScript side.
            Step::Ask(_) | Step::Recount => wanting("weigh"),
            Step::Summarise(range) => {
                Self { start: to_u32(range.start), end: to_u32(range.end), ..wanting("summarise") }
            }
            Step::Shorten(texts) => {
                let shortened = texts
                    .iter()
                    .map(|text| ShortenedMessage { index: to_u32(text.index), max_tokens: text.max_tokens });
                Self { shorten: Some(shortened.collect()), ..wanting("shorten") }
            }
            Step::Apply(edit) => Self { edit: Some((*edit).into()), ..wanting("apply") },
            Step::Done(outcome) => Self { outcome: Some(outcome.into()), ..wanting("done") },
        }
    }
}

impl From<Range<usize>> for HistoryRange {
    fn from(range: Range<usize>) -> Self {
        Self { start: to_u32(range.start), end: to_u32(range.end) }
    }
}

impl From<HistoryChange> for HistoryEdit {
    fn from(HistoryChange { id, range, place, content, tokens, record }: HistoryChange) -> Self {
        let HistoryRange { start, end } = range.into();
        let unplaced = Self { id, start, end, content, tokens, record, ..Self::default() };
        let to_u32s = |indices: Vec<usize>| indices.into_iter().map(to_u32).collect();
        match place {
            ChangePlace::Summary { pinned, carried } => {
                Self { pinned: to_u32s(pinned), carried: to_u32s(carried), ..unplaced }
            }
            ChangePlace::Cut { dropped, notice_at } => Self {
                is_cut: true,
                dropped: dropped.into_iter().map(Into::into).collect(),
                notice_at: notice_at.map(to_u32),
                ..unplaced
            },
        }
    }
}

impl From<SessionResult> for SessionOutcome {
    fn from(outcome: SessionResult) -> Self {
        let reason = outcome.no_summary_reason.as_ref();
        let failure = reason.and_then(NoSummaryReason::failure);
        Self {
            did: outcome.effect.name(),
            reason: reason.map(|reason| reason.reason().to_owned()),
            code: failure.map(|failure| failure.code().to_owned()),
            error_class: failure.map(|failure| failure.class().to_owned()),
            status: failure.and_then(CallFailure::status),
            is_over_limit: outcome.is_over_limit,
            window_tokens: outcome.window_tokens,
            window_source: outcome.window_source.name(),
            summary_usage: outcome.spent.into_iter().map(Into::into).collect(),
            tokens_before: outcome.tokens_before,
            tokens_after: outcome.tokens_after,
        }
    }
}

impl From<Spent> for SummaryUsage {
    fn from(spent: Spent) -> Self {
        let Spent { model, input_tokens, cached_tokens, output_tokens, is_estimated } = spent;
        Self { model, input_tokens, cached_tokens, output_tokens, is_estimated }
    }
}

impl From<ContextFigures> for ChangeFigures {
    fn from(figures: ContextFigures) -> Self {
        let ContextFigures { before_count, after_count, tokens_after, usage_after } = figures;
        Self {
            before_count: to_u32(before_count),
            after_count: to_u32(after_count),
            tokens_after,
            usage_after,
        }
    }
}

impl From<SessionWish> for SessionOptions {
    fn from(wish: SessionWish) -> Self {
        let SessionWish { now, forced, aborted, summary, instructions, unrecognised, forms, odd_fields } =
            wish;
        let unrecognised = to_usize(unrecognised);
        let unrecognised = UnrecognisedInput { unrecognised, forms, invalid_fields: odd_fields };
        Self { now_ms: now, forced, aborted, summary, instructions, unrecognised }
    }
}

impl From<MessageRecord> for StoredRecord {
    fn from(record: MessageRecord) -> Self {
        let MessageRecord { index, first_request, digest, dropped_count, dropped_tokens } = record;
        let (index, dropped_count) = (index as usize, to_usize(dropped_count));
        Self { index, first_request, digest, dropped_count, dropped_tokens }
    }
}

/// `applied`, `range_changed`, `aborted`; anything else is `unchanged`.
pub fn read_progress(name: &str) -> StepProgress {
    match name {
        "applied" => StepProgress::Applied,
        "range_changed" => StepProgress::RangeChanged,
        "aborted" => StepProgress::Aborted,
        _ => StepProgress::Unchanged,
    }
}
