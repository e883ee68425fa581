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

use super::columns::{count, number};
use crate::logging::LogEvent;

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
                Self { start: number(range.start), end: number(range.end), ..wanting("summarise") }
            }
            Step::Shorten(texts) => {
                let shortened = texts
                    .iter()
                    .map(|text| ShortenedMessage { index: number(text.index), max_tokens: text.max_tokens });
                Self { shorten: Some(shortened.collect()), ..wanting("shorten") }
            }
            Step::Apply(edit) => Self { edit: Some((*edit).into()), ..wanting("apply") },
            Step::Done(outcome) => Self { outcome: Some(outcome.into()), ..wanting("done") },
        }
    }
}

impl From<HistoryChange> for HistoryEdit {
    fn from(edit: HistoryChange) -> Self {
        let is_cut = matches!(edit.place, ChangePlace::Cut { .. });
        let numbers = |indices: Vec<usize>| indices.into_iter().map(number).collect();
        let (pinned, carried, dropped, notice_at) = match edit.place {
            ChangePlace::Summary { pinned, carried } => (numbers(pinned), numbers(carried), Vec::new(), None),
            ChangePlace::Cut { dropped, notice_at } => {
                let range = |range: &Range<usize>| HistoryRange {
                    start: number(range.start),
                    end: number(range.end),
                };
                (Vec::new(), Vec::new(), dropped.iter().map(range).collect(), notice_at.map(number))
            }
        };
        Self {
            id: edit.id,
            start: number(edit.range.start),
            end: number(edit.range.end),
            is_cut,
            pinned,
            carried,
            dropped,
            notice_at,
            content: edit.content,
            tokens: edit.tokens,
            record: edit.record,
        }
    }
}

impl From<SessionResult> for SessionOutcome {
    fn from(outcome: SessionResult) -> Self {
        let reason = outcome.no_summary_reason.as_ref().map(|ended| ended.reason().to_owned());
        let failure = outcome.no_summary_reason.as_ref().and_then(NoSummaryReason::failure);
        Self {
            did: outcome.effect.name(),
            reason,
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
        Self {
            before_count: number(figures.before_count),
            after_count: number(figures.after_count),
            tokens_after: figures.tokens_after,
            usage_after: figures.usage_after,
        }
    }
}

impl SessionWish {
    pub fn read(self) -> SessionOptions {
        let Self { now, forced, aborted, summary, instructions, unrecognised, forms, odd_fields } = self;
        let unrecognised =
            UnrecognisedInput { unrecognised: count(unrecognised), forms, invalid_fields: odd_fields };
        SessionOptions { now_ms: now, forced, aborted, summary, instructions, unrecognised }
    }
}

impl From<MessageRecord> for StoredRecord {
    fn from(record: MessageRecord) -> Self {
        Self {
            index: record.index as usize,
            first_request: record.first_request,
            digest: record.digest,
            dropped_count: count(record.dropped_count),
            dropped_tokens: record.dropped_tokens,
        }
    }
}

/// `applied`, `range_changed`, `aborted`; anything else is `unchanged`.
pub fn progress(name: &str) -> StepProgress {
    match name {
        "applied" => StepProgress::Applied,
        "range_changed" => StepProgress::RangeChanged,
        "aborted" => StepProgress::Aborted,
        _ => StepProgress::Unchanged,
    }
}
