//! Converts the steps of a core session to JavaScript, and the results back.

use std::ops::Range;

use napi_derive::napi;
use palimpsest_core::compression::hard_limit::shorten;
use palimpsest_core::compression::record::StoredRecord;
use palimpsest_core::compression::session::SessionOptions;
use palimpsest_core::compression::session::logged_once::UnrecognisedInput;
use palimpsest_core::compression::session::step::{
    ChangePlace, ContextFigures, HistoryChange, NoSummaryReason, SessionResult, Step,
};
use palimpsest_core::compression::summary::exchange::{CallFailure, Spent};

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

to_js! {
    ShortenedMessage from text: shorten::ShortenedMessage {
        index: u32 = text.index as u32,
        max_tokens: f64 = text.max_tokens,
    }

    #[doc = "`end` is the message after its last."]
    HistoryRange from range: Range<usize> {
        start: u32 = range.start as u32,
        end: u32 = range.end as u32,
    }

    #[doc = "What a session has done, and why it made no summary."]
    SessionOutcome from outcome: SessionResult {
        #[doc = "`nothing`, `summarised` or `cut`."]
        did: &'static str = outcome.effect.name(),
        reason: Option<String> = outcome.no_summary_reason.as_ref().map(|reason| reason.reason().to_owned()),
        #[doc = "With `summary_failed`: the error's code, its provider's class, and the HTTP status."]
        code: Option<String> = failure(&outcome).map(|failure| failure.code().to_owned()),
        error_class: Option<String> = failure(&outcome).map(|failure| failure.class().to_owned()),
        status: Option<f64> = failure(&outcome).and_then(CallFailure::status),
        is_over_limit: bool = outcome.is_over_limit,
        window_tokens: f64 = outcome.window_tokens,
        #[doc = "`guess`, `model`, `configured` or `provider`."]
        window_source: &'static str = outcome.window_source.name(),
        summary_usage: Vec<SummaryUsage> = outcome.spent.into_iter().map(Into::into).collect(),
        tokens_before: f64 = outcome.tokens_before,
        tokens_after: f64 = outcome.tokens_after,
    }

    SummaryUsage from spent: Spent {
        #[doc = "Empty if unknown."]
        model: String = spent.model,
        input_tokens: f64 = spent.input_tokens,
        cached_tokens: f64 = spent.cached_tokens,
        output_tokens: f64 = spent.output_tokens,
        is_estimated: bool = spent.is_estimated,
    }

    ChangeFigures from figures: ContextFigures {
        before_count: u32 = figures.before_count as u32,
        after_count: u32 = figures.after_count as u32,
        tokens_after: f64 = figures.tokens_after,
        usage_after: f64 = figures.usage_after,
    }
}

fn failure(outcome: &SessionResult) -> Option<&CallFailure> {
    outcome.no_summary_reason.as_ref().and_then(NoSummaryReason::failure)
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
            Step::Summarise(range) => Self { start: range.start as u32, end: range.end as u32, ..wanting("summarise") },
            Step::Shorten(texts) => {
                Self { shorten: Some(texts.into_iter().map(Into::into).collect()), ..wanting("shorten") }
            }
            Step::Apply(edit) => Self { edit: Some((*edit).into()), ..wanting("apply") },
            Step::Done(outcome) => Self { outcome: Some(outcome.into()), ..wanting("done") },
        }
    }
}

impl From<HistoryChange> for HistoryEdit {
    fn from(HistoryChange { id, range, place, content, tokens, record }: HistoryChange) -> Self {
        let HistoryRange { start, end } = range.into();
        let unplaced = Self { id, start, end, content, tokens, record, ..Self::default() };
        let to_u32s = |indices: Vec<usize>| indices.into_iter().map(|index| index as u32).collect();
        match place {
            ChangePlace::Summary { pinned, carried } => {
                Self { pinned: to_u32s(pinned), carried: to_u32s(carried), ..unplaced }
            }
            ChangePlace::Cut { dropped, notice_at } => Self {
                is_cut: true,
                dropped: dropped.into_iter().map(Into::into).collect(),
                notice_at: notice_at.map(|index| index as u32),
                ..unplaced
            },
        }
    }
}

impl From<SessionWish> for SessionOptions {
    fn from(wish: SessionWish) -> Self {
        let SessionWish { now, forced, aborted, summary, instructions, unrecognised, forms, odd_fields } = wish;
        let unrecognised = UnrecognisedInput { unrecognised: unrecognised as usize, forms, invalid_fields: odd_fields };
        Self { now_ms: now, forced, aborted, summary, instructions, unrecognised }
    }
}

impl From<MessageRecord> for StoredRecord {
    fn from(MessageRecord { index, first_request, digest, dropped_count, dropped_tokens }: MessageRecord) -> Self {
        let (index, dropped_count) = (index as usize, dropped_count as usize);
        Self { index, first_request, digest, dropped_count, dropped_tokens }
    }
}
