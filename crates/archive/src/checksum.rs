//! Detects rows that changed since they were stored, by a CRC-32 of the content and its position. It finds damage;
//! somebody who changes a file on purpose can compute a new checksum.

use crc32fast::Hasher;

use crate::batch::StoredMessage;

/// The content of a batch's row, as it is stored.
pub struct BatchRow {
    pub session: String,
    pub id: String,
    pub kind: String,
    pub level: u32,
    pub at_ms: f64,
    pub summary: Option<String>,
    /// Number of messages, and their bytes as JSON.
    pub count: i64,
    pub bytes: i64,
}

impl BatchRow {
    pub fn checksum(&self) -> i64 {
        let summary = self.summary.as_deref().unwrap_or_default();
        let texts = [self.session.as_str(), &self.id, &self.kind, summary].into_iter();
        let numbers = [
            i64::from(self.level).to_le_bytes(),
            // SQLite returns a negative zero as zero.
            (self.at_ms + 0.0).to_le_bytes(),
            i64::from(self.summary.is_some()).to_le_bytes(),
            self.count.to_le_bytes(),
            self.bytes.to_le_bytes(),
        ];
        checksum_of(texts.map(str::as_bytes).chain(numbers.iter().map(<[u8; 8]>::as_slice)))
    }
}

/// The checksum of a message at `position` in its batch: a message that was moved counts as damaged, too.
pub fn message_checksum(session: &str, batch: &str, position: i64, message: &StoredMessage) -> i64 {
    let texts = [session, batch, &message.role, &message.text, &message.json].into_iter();
    checksum_of(texts.map(str::as_bytes).chain([position.to_le_bytes().as_slice()]))
}

/// The checksum of a fact at `position` in its conversation.
pub fn fact_checksum(conversation: &str, position: i64, at_ms: f64, fact: &str) -> i64 {
    let numbers = [position.to_le_bytes(), (at_ms + 0.0).to_le_bytes()];
    checksum_of(
        [conversation.as_bytes(), fact.as_bytes()].into_iter().chain(numbers.iter().map(<[u8; 8]>::as_slice)),
    )
}

/// Includes the length of each field, so that moving bytes between fields changes the checksum.
fn checksum_of<'f>(fields: impl Iterator<Item = &'f [u8]>) -> i64 {
    let mut hasher = Hasher::new();
    for field in fields {
        hasher.update(&u64::try_from(field.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(field);
    }
    i64::from(hasher.finalize())
}
