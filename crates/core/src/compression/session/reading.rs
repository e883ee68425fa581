//! Reads the records of earlier compressions for the next one.

use std::ops::Range;

use crate::compression::hard_limit::truncation::{EarlierNotice, RecordedHistory};
use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::record::digest::Digest;
use crate::compression::record::summary_text::summary_text_of;
use crate::compression::summary::compaction::EarlierSummary;

/// The record of one summary or notice. It is loaded from a session file: invalid fields are dropped.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredRecord {
    pub index: usize,
    pub first_request: Option<String>,
    pub digest: Option<String>,
    /// How many messages a notice replaced, and their tokens.
    pub dropped_count: usize,
    pub dropped_tokens: f64,
}

/// The newest summary in `range`, as it was stored. The digest of a notice after it includes the summary's digest.
pub(super) fn earlier_in(
    messages: &[ChatMessage],
    range: &Range<usize>,
    recorded: &[StoredRecord],
) -> Option<EarlierSummary> {
    let within = messages.get(range.clone()).unwrap_or_default();
    let summary = within.iter().rfind(|message| message.created_as == Some(CreatedKind::Summary));
    let digest = digest_of(recorded.iter().filter(|record| range.contains(&record.index)));
    (summary.is_some() || digest.is_some()).then(|| EarlierSummary {
        summary_text: summary.map(|message| summary_text_of(&message.text)).unwrap_or_default().to_owned(),
        digest: digest.unwrap_or_default(),
    })
}

pub(super) fn first_request_in(range: &Range<usize>, recorded: &[StoredRecord]) -> Option<String> {
    let mut within = recorded.iter().filter(|record| range.contains(&record.index));
    within.find_map(|record| record.first_request.clone())
}

pub(super) fn recorded_history(messages: &[ChatMessage], recorded: &[StoredRecord]) -> RecordedHistory {
    let is_notice = |index: usize| {
        messages.get(index).is_some_and(|message| message.created_as == Some(CreatedKind::Notice))
    };
    let notices = recorded.iter().filter(|record| is_notice(record.index));
    let logged = |record: &StoredRecord| EarlierNotice {
        index: record.index,
        messages: record.dropped_count,
        tokens: record.dropped_tokens,
    };
    RecordedHistory {
        first_request: recorded.iter().find_map(|record| record.first_request.clone()),
        digest: digest_of(recorded.iter()),
        notices: notices.map(logged).collect(),
    }
}

fn digest_of<'r>(recorded: impl Iterator<Item = &'r StoredRecord>) -> Option<Digest> {
    recorded.filter_map(|record| record.digest.as_deref()).last().map(Digest::from_json)
}
