//! Reads opencode's database: a row for each session, message and part; messages and parts are JSON as in an export.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::OpenCodeReader;
use crate::formats::prelude::*;
use crate::{Database, ReadError, parse_or_repair, text_of, unreadable};

const READ: [(&str, &[&str]); 3] = [
    ("session", &["id", "parent_id", "directory", "version", "time_created"]),
    ("message", &["id", "session_id", "time_created", "data"]),
    ("part", &["id", "message_id", "data"]),
];
/// Longer rows are left out: no agent writes such long ones.
const LONGEST_ROW_BYTES: i64 = 256 << 20;
/// Table of messages in future versions of opencode.
const OTHER_MESSAGES: &str = "session_message";

pub(crate) struct StoredSessions {
    database: Database,
    trees: Vec<SessionTree>,
    has_other_messages: bool,
}

/// A session with those started by its `task` tool.
struct SessionTree {
    project: String,
    version: String,
    ids: Vec<String>,
    has_message: bool,
}

impl StoredSessions {
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        let database = Database::open(path)?;
        expect_tables(&database)?;
        let has_other_messages = !columns_of(&database, OTHER_MESSAGES)?.is_empty();
        let mut stored = Self { database, trees: Vec::new(), has_other_messages };
        stored.trees = stored.read_trees()?;
        Ok(stored)
    }

    /// Number of sessions, without those started by another one and those without messages.
    pub(crate) fn count(&self) -> usize {
        self.trees.len()
    }

    /// Reads the sessions whose number is `wanted`, oldest first.
    pub(crate) fn read(&self, wanted: impl Fn(usize) -> bool, each: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        for (_, tree) in self.trees.iter().enumerate().filter(|(number, _)| wanted(*number)) {
            each(self.session(tree)?);
        }
        self.database.expect_unchanged()
    }

    fn read_trees(&self) -> Result<Vec<SessionTree>, ReadError> {
        let exists = |table| format!("EXISTS (SELECT 1 FROM {table} WHERE {table}.session_id = session.id)");
        let tables = if self.has_other_messages { &["message", OTHER_MESSAGES][..] } else { &["message"] };
        let has_message = tables.iter().map(exists).collect::<Vec<_>>().join(" OR ");
        let columns = format!("id, parent_id, directory, version, {has_message}");
        let sql = format!("SELECT {columns} FROM session ORDER BY time_created, id");
        let mut statement = self.database.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut trees: Vec<SessionTree> = Vec::new();
        let mut tree_of: HashMap<String, usize> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (id, parent, has_message) = (text(row, 0)?, text(row, 1)?, row.get::<_, bool>(4)?);
            // A session's children are newer than it, so a session whose parent hasn't been read is independent.
            let index = tree_of.get(&parent).copied().unwrap_or(trees.len());
            if index == trees.len() {
                let (project, version) = (text(row, 2)?, text(row, 3)?);
                trees.push(SessionTree { project, version, ids: Vec::new(), has_message: false });
            }
            if let Some(tree) = trees.get_mut(index) {
                tree.ids.push(id.clone());
                tree.has_message |= has_message;
            }
            tree_of.insert(id, index);
        }
        trees.retain(|tree| tree.has_message);
        Ok(trees)
    }

    fn session(&self, tree: &SessionTree) -> Result<Session, ReadError> {
        let mut reader = OpenCodeReader::default();
        let mut notes = Notes::default();
        for id in &tree.ids {
            self.messages(id, &mut reader, &mut notes)?;
        }
        notes.set_line(0);
        let found = Box::new(reader).finish(&mut notes).pop();
        // Keep an empty session, so that session numbers don't change.
        let mut session = found.unwrap_or_else(|| Assembly::default().session);
        session.notes.absorb(notes);
        let (project, version) = (Some(tree.project.clone()), Some(tree.version.clone()));
        Ok(Session { agent: Agent::OpenCode, id: tree.ids.first().cloned(), project, version, ..session })
    }

    fn messages(&self, id: &str, reader: &mut OpenCodeReader, notes: &mut Notes) -> Result<(), ReadError> {
        let connection = &self.database.connection;
        let select = "SELECT id, CASE WHEN octet_length(data) <= ?2 THEN data END";
        let messages_of_session = format!("{select} FROM message WHERE session_id = ?1 ORDER BY time_created, id");
        let parts_of_message = format!("{select} FROM part WHERE message_id = ?1 ORDER BY id");
        let mut messages = connection.prepare(&messages_of_session)?;
        let mut parts = connection.prepare(&parts_of_message)?;
        let mut rows = messages.query((id, LONGEST_ROW_BYTES))?;
        let mut has_no_messages = true;
        while let Some(row) = rows.next()? {
            has_no_messages = false;
            let message = text(row, 0)?;
            value(row, notes, |info, notes| reader.info([Some(id), Some(&message)], &info, notes.line()))?;
            let mut rows = parts.query((&message, LONGEST_ROW_BYTES))?;
            while let Some(row) = rows.next()? {
                let part = text(row, 0)?;
                value(row, notes, |json, notes| reader.part([Some(id), Some(&message)], &part, json, notes))?;
            }
        }
        if has_no_messages && self.has_other_messages {
            let sql = "SELECT count(*) FROM session_message WHERE session_id = ?1";
            if connection.query_row(sql, [id], |row| row.get::<_, i64>(0))? > 0 {
                notes.unknown_record(Some(OTHER_MESSAGES), "messages in the tables `message` and `part`");
            }
        }
        Ok(())
    }
}

/// Passes the JSON in a row's second column to `then`; invalid JSON is left out with a note.
fn value(row: &Row<'_>, notes: &mut Notes, then: impl FnOnce(Json<'_>, &mut Notes)) -> Result<(), ReadError> {
    match row.get_ref(1)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            let text = text_of(bytes, notes);
            if parse_or_repair(&text, &[], notes, then).is_err() {
                notes.add(NoteKind::BadLine, || "expected a JSON object in a row, found none".to_owned());
            }
        }
        _ => notes.add(NoteKind::LongLine, || format!("expected a row of at most {LONGEST_ROW_BYTES} bytes of text")),
    }
    Ok(())
}

fn text(row: &Row<'_>, column: usize) -> Result<String, ReadError> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    })
}

fn expect_tables(database: &Database) -> Result<(), ReadError> {
    let mut missing = Vec::new();
    let mut found = 0;
    for (table, columns) in READ {
        let known = columns_of(database, table)?;
        found += usize::from(!known.is_empty());
        missing.extend(columns.iter().filter(|column| !known.contains(**column)).map(|name| (table, name)));
    }
    match missing.first() {
        None => Ok(()),
        Some(_) if found == 0 => Err(ReadError::UnknownFormat {
            nearest: None,
            line: 1,
            found: "an SQLite database without the tables of opencode".to_owned(),
        }),
        Some((table, name)) => {
            Err(unreadable(format!("it has tables of opencode in a form that isn't known: `{table}` has no `{name}`")))
        }
    }
}

fn columns_of(database: &Database, table: &str) -> Result<HashSet<String>, ReadError> {
    let mut statement = database.connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let mut rows = statement.query([table])?;
    let mut names = HashSet::new();
    while let Some(row) = rows.next()? {
        names.insert(text(row, 0)?);
    }
    Ok(names)
}
