//! Rows of opencode's database with arbitrary JSON. Each line of a case is the text of a row: `m…` for a message, `p…`
//! for a part, `s…` for a session.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use palimpsest_fuzz_targets::folder;
use palimpsest_sessions::read_file;
use rusqlite::Connection;

#[allow(dead_code)]
#[path = "../../../../crates/sessions/tests/support/mod.rs"]
mod support;

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| folder().join("opencode.db"));

const TABLES: &str = "
    PRAGMA journal_mode = off; PRAGMA synchronous = off;
    CREATE TABLE session (id text, parent_id text, directory text, version text, time_created integer);
    CREATE TABLE message (id text, session_id text, time_created integer, data text);
    CREATE TABLE part (id text, message_id text, data text)";

static EMPTY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    Connection::open(&*PLACE).unwrap().execute_batch(TABLES).unwrap();
    fs::read(&*PLACE).unwrap()
});

fuzz_target!(|bytes: &[u8]| {
    fs::write(&*PLACE, &*EMPTY).unwrap();
    let connection = Connection::open(&*PLACE).unwrap();
    connection.execute_batch("PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN").unwrap();
    connection.execute("INSERT INTO session VALUES ('s', NULL, '/p', '1', 1)", ()).unwrap();
    let mut messages = 0;
    for (index, line) in (0_i64..).zip(bytes.split(|&byte| byte == b'\n')) {
        let Some((&kind, text)) = line.split_first() else { continue };
        let text = String::from_utf8_lossy(text);
        let id = format!("{index:05}");
        match kind {
            b'm' => {
                messages = index;
                connection
                    .execute("INSERT INTO message VALUES (?1, 's', ?2, ?3)", (id, index, text))
                    .unwrap();
            }
            b's' => {
                let row = (id, text, index);
                connection.execute("INSERT INTO session VALUES (?1, ?2, '/p', '1', ?3)", row).unwrap();
            }
            _ => {
                let row = (id, format!("{messages:05}"), text);
                connection.execute("INSERT INTO part VALUES (?1, ?2, ?3)", row).unwrap();
            }
        }
    }
    connection.execute_batch("COMMIT").unwrap();
    connection.close().unwrap();
    if let Ok(sessions) = read_file(&PLACE) {
        sessions.iter().for_each(support::assert_sound);
    }
});
