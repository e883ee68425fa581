//! Gathers what the next compression needs from the records of earlier ones.

use crate::compression::record::digest::Digest;

/// The record of one summary or notice. It is loaded from a session file: invalid fields have their default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredRecord {
    /// Index of the summary or notice among the messages.
    pub index: usize,
    /// The user's first request.
    pub first_request: Option<String>,
    /// The digest as JSON.
    pub digest: Option<String>,
    /// How many messages a notice replaced.
    pub dropped_count: usize,
    /// Tokens of the messages that a notice replaced.
    pub dropped_tokens: f64,
}

/// Data from the records of earlier compressions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedHistory {
    /// The user's first request, as the oldest record quotes it. Its message may have been replaced.
    pub first_request: Option<String>,
    /// The digest (files, commands, requests and todos extracted from the messages) of the newest summary or notice, which includes earlier ones.
    pub digest: Option<Digest>,
    pub records: Vec<StoredRecord>,
}

impl RecordedHistory {
    pub(super) fn new<'r>(records: impl Iterator<Item = &'r StoredRecord>) -> Self {
        let records: Vec<StoredRecord> = records.cloned().collect();
        let digest = records.iter().rev().find_map(|record| record.digest.as_deref());
        Self {
            first_request: records.iter().find_map(|record| record.first_request.clone()),
            digest: digest.map(Digest::from_json),
            records,
        }
    }
}
