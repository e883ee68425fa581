//! A database of opencode with sessions in it, and their export.

use std::fs;
use std::path::{Path, PathBuf};

use palimpsest_sessions::{Session, read_file};
use rusqlite::Connection;
use serde_json::{Value, json};

/// The tables that hold sessions, with the required columns of version 1.18.33.
pub const TABLES: &str = "
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
        version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
        time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
        time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
    CREATE INDEX part_message_id_id_idx ON part (message_id, id);";

/// A message with its parts.
pub struct Row {
    pub id: &'static str,
    pub data: Value,
    pub parts: Vec<Value>,
}

pub fn user(id: &'static str, at: i64, part: Value) -> Row {
    Row { id, data: json!({"role": "user", "time": {"created": at}}), parts: vec![part] }
}

pub fn answer(id: &'static str, at: i64, parts: Vec<Value>) -> Row {
    let tokens = json!({"input": 5, "output": 7, "reasoning": 0, "cache": {"read": 3, "write": 0}});
    let mut all = vec![json!({"type": "step-start"})];
    all.extend(parts);
    all.push(json!({"type": "step-finish", "tokens": tokens, "cost": 0.5}));
    Row { id, data: json!({"role": "assistant", "modelID": "m", "time": {"created": at}}), parts: all }
}

pub fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub fn tool(id: &str, output: &str, cleared: Option<i64>) -> Value {
    let mut time = json!({"start": 1, "end": 2});
    if let Some(at) = cleared {
        time["compacted"] = json!(at);
    }
    json!({"type": "tool", "callID": id, "tool": "read", "state":
        {"status": "completed", "input": {}, "output": output, "time": time}})
}

pub fn summary(id: &'static str, at: i64, words: &str) -> Row {
    let mut row = answer(id, at, vec![text(words)]);
    row.data["summary"] = json!(true);
    row
}

/// Two turns, of which the first has a cleared result; a compaction that keeps the second turn; a third turn.
pub fn long_conversation() -> Vec<Row> {
    vec![
        user("m1", 1_000_000_001_000, text("one")),
        answer("m2", 1_000_000_002_000, vec![tool("c", "long", Some(1_000_000_004_500))]),
        answer("m3", 1_000_000_003_000, vec![text("first")]),
        user("m4", 1_000_000_004_000, text("two")),
        answer("m5", 1_000_000_005_000, vec![text("second")]),
        user("m6", 1_000_000_006_000, json!({"type": "compaction", "auto": true, "tail_start_id": "m4"})),
        summary("m7", 1_000_000_007_000, "all of it"),
        user("m8", 1_000_000_008_000, text("three")),
        answer("m9", 1_000_000_009_000, vec![text("third")]),
    ]
}

pub struct Database {
    pub folder: tempfile::TempDir,
    pub path: PathBuf,
    pub connection: Connection,
}

/// Opens a database whose writes stay in the log, as with a running agent.
pub fn open(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0").unwrap();
    connection
}

impl Database {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        let connection = open(&path);
        connection.execute_batch(TABLES).unwrap();
        Self { folder, path, connection }
    }

    pub fn with(rows: &[Row]) -> Self {
        let database = Self::new();
        database.session("s", None, 1, rows);
        database
    }

    pub fn session(&self, id: &str, parent: Option<&str>, at: i64, rows: &[Row]) {
        let sql = "INSERT INTO session VALUES (?1, 'p', ?2, '/project', '1.18.33', ?3, ?3)";
        self.connection.execute(sql, (id, parent, at)).unwrap();
        for row in rows {
            self.message(id, row);
        }
    }

    pub fn message(&self, session: &str, Row { id, data, parts }: &Row) {
        let (id, at) = (format!("{session}-{id}"), data["time"]["created"].as_i64());
        let sql = "INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)";
        self.connection.execute(sql, (&id, session, at, data.to_string())).unwrap();
        for (number, part) in parts.iter().enumerate() {
            let mut part = part.clone();
            if part["tail_start_id"].is_string() {
                part["tail_start_id"] = json!(format!("{session}-{}", part["tail_start_id"].as_str().unwrap()));
            }
            let sql = "INSERT INTO part VALUES (?1, ?2, ?3, 1, 1, ?4)";
            let part_id = format!("{id}-{number:03}");
            self.connection.execute(sql, (part_id, &id, session, part.to_string())).unwrap();
        }
    }

    /// The session as `opencode export` writes it.
    pub fn export(&self, session: &str) -> Value {
        let merged = |data: String, more: Value| {
            let mut data: Value = serde_json::from_str(&data).unwrap();
            data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            data
        };
        let rows = |sql: &str, of: &str| -> Vec<(String, String)> {
            let mut statement = self.connection.prepare(sql).unwrap();
            let rows = statement.query_map([of], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect()
        };
        let messages = rows("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY id", session);
        let messages: Vec<Value> = messages
            .into_iter()
            .map(|(id, data)| {
                let parts = rows("SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id", &id);
                let parts = parts
                    .into_iter()
                    .map(|(part, data)| merged(data, json!({"id": part, "messageID": id, "sessionID": session})));
                let parts: Vec<Value> = parts.collect();
                json!({"info": merged(data, json!({"id": id, "sessionID": session})), "parts": parts})
            })
            .collect();
        json!({"info": {"id": session, "directory": "/project", "version": "1.18.33"}, "messages": messages})
    }

    pub fn read(&self) -> Session {
        only(read_file(&self.path).unwrap())
    }

    /// Copies the database file, and its log if `with_log`.
    pub fn copy(&self, with_log: bool) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        fs::copy(&self.path, &path).unwrap();
        if with_log {
            fs::copy(self.path.with_extension("db-wal"), path.with_extension("db-wal")).unwrap();
        }
        (folder, path)
    }
}

pub fn only(mut sessions: Vec<Session>) -> Session {
    assert_eq!(sessions.len(), 1);
    sessions.remove(0)
}
