//! Refuses a file of which too little was understood: figures about it would be silently wrong.

use crate::Agent;
use crate::error::ReadError;
use crate::format::Format;
use crate::json::Json;
use crate::model::{Message, Session};
use crate::notes::{NoteKind, Notes};

/// Files with less text are always accepted.
const MIN_BYTES: usize = 1000;
/// A list is refused if it has more than 20 times the text that was understood.
const MAX_OFFERED_PER_UNDERSTOOD: usize = 20;
/// A file is refused if at least this many records were left out, and too many for each message.
const MIN_LEFT_OUT: u64 = 10;
const MAX_LEFT_OUT_PER_MESSAGE: u64 = 10;

/// Bytes of text in a record that should be understood: all in a message list, none in agents' own files, which also
/// hold much text for the screen.
pub(crate) fn offered_bytes(format: &Format, value: &Json<'_>) -> usize {
    if format.agent == Agent::MessageArray { value.text_bytes() } else { 0 }
}

/// # Errors
/// If nearly nothing of a file with `offered` bytes of text was understood. Parts of unknown kinds are kept as JSON, so
/// they count as understood.
pub(crate) fn expect_understood(offered: usize, sessions: Vec<Session>) -> Result<Vec<Session>, ReadError> {
    let messages = || sessions.iter().flat_map(|session| &session.messages);
    let understood: usize = messages().map(Message::text_bytes).sum();
    if offered >= MIN_BYTES && understood.saturating_mul(MAX_OFFERED_PER_UNDERSTOOD) < offered {
        return Err(ReadError::NotUnderstood { understood, offered, what: "bytes of text" });
    }
    let kept = messages().count();
    let left_out: u64 = sessions.iter().map(|session| left_out(&session.notes)).sum();
    if left_out >= MIN_LEFT_OUT && left_out > MAX_LEFT_OUT_PER_MESSAGE.saturating_mul(kept as u64) {
        let offered = kept.saturating_add(usize::try_from(left_out).unwrap_or(usize::MAX));
        return Err(ReadError::NotUnderstood { understood: kept, offered, what: "records" });
    }
    Ok(sessions)
}

/// Number of records that were left out.
fn left_out(notes: &Notes) -> u64 {
    let kinds = [NoteKind::UnknownRecord, NoteKind::IncompleteRecord, NoteKind::BadLine, NoteKind::LongLine];
    kinds.into_iter().map(|kind| notes.count(kind)).sum()
}
