//! Decides what tells a changed row from the one that was stored: a CRC-32 of all of it and of where it stands. It finds
//! damage; who changes a file on purpose can write a new one.

use crc32fast::Hasher;

use crate::batch::StoredMessage;

/// What a batch's row holds, in the form in which it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Head<'h> {
    pub session: &'h str,
    pub id: &'h str,
    pub kind: &'h str,
    pub level: u32,
    pub at_ms: f64,
    pub summary: Option<&'h str>,
    /// Messages, and their bytes as JSON.
    pub count: i64,
    pub bytes: i64,
}

impl Head<'_> {
    pub fn checksum(&self) -> i64 {
        let summary = self.summary.unwrap_or_default();
        let texts = [self.session, self.id, self.kind, summary].into_iter();
        let numbers = [
            i64::from(self.level).to_le_bytes(),
            // SQLite gives a negative zero back as zero.
            (self.at_ms + 0.0).to_le_bytes(),
            i64::from(self.summary.is_some()).to_le_bytes(),
            self.count.to_le_bytes(),
            self.bytes.to_le_bytes(),
        ];
        of(texts.map(str::as_bytes).chain(numbers.iter().map(<[u8; 8]>::as_slice)))
    }
}

/// Of a message at `position` in its batch: one that was moved elsewhere is damage, too.
pub fn of_message(session: &str, batch: &str, position: i64, message: &StoredMessage) -> i64 {
    let texts = [session, batch, &message.role, &message.text, &message.json].into_iter();
    of(texts.map(str::as_bytes).chain([position.to_le_bytes().as_slice()]))
}

/// Of a fact at `position` of its conversation.
pub fn of_fact(conversation: &str, position: i64, at_ms: f64, fact: &str) -> i64 {
    let numbers = [position.to_le_bytes(), (at_ms + 0.0).to_le_bytes()];
    of([conversation.as_bytes(), fact.as_bytes()].into_iter().chain(numbers.iter().map(<[u8; 8]>::as_slice)))
}

/// With the length of each field, so that none can pass a part of itself to the next.
fn of<'f>(fields: impl Iterator<Item = &'f [u8]>) -> i64 {
    let mut hasher = Hasher::new();
    for field in fields {
        hasher.update(&u64::try_from(field.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(field);
    }
    i64::from(hasher.finalize())
}
