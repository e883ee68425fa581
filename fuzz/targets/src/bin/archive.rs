//! An archive with modified rows: each call succeeds or fails, and what it returns was stored, unless a checksum was
//! overwritten.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use palimpsest_archive::{Archive, ArchiveSettings, Batch, BatchKind, NewBatch, Search, StoredMessage};
use palimpsest_fuzz_targets::{Numbers, folder};
use rusqlite::Connection;
use rusqlite::types::Value;

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| folder().join("history.db"));

/// The file's bytes, and the batches stored in it.
static STORED: LazyLock<(Vec<u8>, Vec<Batch>)> = LazyLock::new(|| {
    let mut archive = Archive::open(&PLACE, ArchiveSettings::default()).unwrap();
    let text = |role: &str, text: &str| StoredMessage {
        role: role.to_owned(),
        text: text.to_owned(),
        json: format!("{{\"content\":{text:?}}}"),
    };
    let messages =
        [text("user", "压缩 the port 8080"), text("tool", "error: refused 8080"), text("assistant", "")];
    for (id, kind, summary) in
        [("b1", BatchKind::Summary, Some("\"done\"")), ("b2", BatchKind::Truncation, None)]
    {
        archive
            .append("s", &NewBatch { id, kind, level: 1, at_ms: 1_000.5, summary, messages: &messages })
            .unwrap();
    }
    archive.append_facts("c", 0, &FACTS.map(str::to_owned)).unwrap();
    let batches = archive.restore("s").unwrap();
    archive.close().unwrap();
    let connection = Connection::open(&*PLACE).unwrap();
    connection.execute_batch("PRAGMA journal_mode = delete").unwrap();
    connection.close().unwrap();
    (fs::read(&*PLACE).unwrap(), batches)
});

const FACTS: [&str; 3] = ["{}", "[]", "{\"at\":1}"];

/// Each column that can be changed, and the table's key.
const COLUMNS: [(&str, &str, &str); 22] = [
    ("batches", "id", "session"),
    ("batches", "id", "name"),
    ("batches", "id", "kind"),
    ("batches", "id", "level"),
    ("batches", "id", "at_ms"),
    ("batches", "id", "messages"),
    ("batches", "id", "bytes"),
    ("batches", "id", "summary"),
    ("batches", "id", "checksum"),
    ("batches", "id", "id"),
    ("messages", "id", "batch"),
    ("messages", "id", "position"),
    ("messages", "id", "role"),
    ("messages", "id", "text"),
    ("messages", "id", "json"),
    ("messages", "id", "checksum"),
    ("messages", "id", "id"),
    ("facts", "position", "conversation"),
    ("facts", "position", "position"),
    ("facts", "position", "at_ms"),
    ("facts", "position", "checksum"),
    ("facts", "position", "fact"),
];

fuzz_target!(|bytes: &[u8]| {
    let (file, stored) = &*STORED;
    for ending in ["-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(palimpsest_archive::sibling_path(&PLACE, ending));
    }
    fs::write(&*PLACE, file).unwrap();
    let is_forged = change(bytes);
    let query = String::from_utf8_lossy(bytes.get(..40).unwrap_or(bytes));
    let Ok(mut archive) = Archive::open(&PLACE, ArchiveSettings::default()) else { return };
    for query in ["8080", "压", "error refused", &query] {
        let search = Search { query, session: None, limit: 10, offset: 0, context_chars: 20 };
        for hit in archive.search(&search).unwrap_or_default() {
            let is_stored = |batch: &Batch| batch.messages.contains(&hit.message);
            assert!(is_forged || stored.iter().any(is_stored), "{:?} was never said", hit.message);
        }
    }
    for batch in archive.restore("s").unwrap_or_default() {
        assert!(is_forged || stored.contains(&batch), "{batch:?} was never stored");
        let again = archive.get("s", &batch.id);
        assert!(again.is_ok_and(|again| again == batch));
    }
    let _ = (archive.integrity_check().problems(), archive.sessions(), archive.stats());
    for (fact, stored) in archive.facts("c", 0).unwrap_or_default().iter().zip(FACTS) {
        assert!(is_forged || fact.fact == stored, "{:?} was never written", fact.fact);
    }
    let _ = archive.append_facts("c", 3, &["more".to_owned()]);
    let _ = archive.delete("s");
    archive.close().unwrap();
});

/// Changes cells as the bytes say, ignoring constraints; returns true if a checksum was changed.
fn change(bytes: &[u8]) -> bool {
    let connection = Connection::open(&*PLACE).unwrap();
    connection.execute_batch("PRAGMA synchronous = off; PRAGMA foreign_keys = off; BEGIN").unwrap();
    let mut rest = bytes;
    let mut is_forged = false;
    while let Some((&[column, row, kind, length], after)) = rest.split_first_chunk() {
        let (content, next) = after.split_at(usize::from(length).min(after.len()));
        rest = next;
        let (table, key, column) = COLUMNS[usize::from(column) % COLUMNS.len()];
        let value = match kind % 5 {
            0 => Value::Null,
            1 => Value::Integer(Numbers::new(content).next().unwrap_or(0.0) as i64),
            2 => Value::Real(Numbers::new(content).next().unwrap_or(0.0)),
            3 => Value::Text(String::from_utf8_lossy(content).into_owned()),
            _ => Value::Blob(content.to_vec()),
        };
        let statement = format!("UPDATE {table} SET {column} = ?1 WHERE {key} = ?2");
        is_forged |= column == "checksum" && connection.execute(&statement, (value.clone(), row % 8)).is_ok();
        if column != "checksum" {
            let _ = connection.execute(&statement, (value, row % 8));
        }
    }
    connection.execute_batch("COMMIT").unwrap();
    connection.close().unwrap();
    is_forged
}
