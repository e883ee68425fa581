//! Helpers for tests: a folder with an archive in it, and messages to store.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::{Archive, ArchiveSettings, BatchKind, NewBatch, Search, StoredMessage};

/// An archive in its own folder, which is removed when this is dropped.
pub struct TempArchive {
    folder: TempDir,
}

impl TempArchive {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("history.db")
    }

    pub fn open(&self) -> Archive {
        Archive::open(&self.path(), ArchiveSettings::default()).unwrap()
    }

    /// A file with this content at the archive's path.
    pub fn holding(content: &[u8]) -> Self {
        let temp = Self::new();
        std::fs::write(temp.path(), content).unwrap();
        temp.set_mode(0o600);
        temp
    }

    /// Sets the file's mode, as `chmod` does. No effect on Windows.
    pub fn set_mode(&self, mode: u32) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(self.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        }
        #[cfg(not(unix))]
        let _ = mode;
    }

    /// Changes the file with arbitrary `SQLite` statements, as another program might.
    pub fn tamper(&self, statements: &str) {
        rusqlite::Connection::open(self.path()).unwrap().execute_batch(statements).unwrap();
    }

    pub fn content(&self) -> Vec<u8> {
        std::fs::read(self.path()).unwrap()
    }
}

/// User messages in the form that an application writes.
pub fn messages(texts: &[&str]) -> Vec<StoredMessage> {
    let message = |text: &&str| StoredMessage {
        role: "user".to_owned(),
        text: (*text).to_owned(),
        json: format!("{{\"content\":{text:?}}}"),
    };
    texts.iter().map(message).collect()
}

pub fn batch<'b>(id: &'b str, messages: &'b [StoredMessage]) -> NewBatch<'b> {
    NewBatch { id, kind: BatchKind::Summary, level: 1, at_ms: 1_000.5, summary: Some("\"done\""), messages }
}

pub fn search(query: &str) -> Search<'_> {
    Search { query, session: None, limit: 1_000, offset: 0, context_chars: 20 }
}

/// The texts that a search finds, in its order.
pub fn found(archive: &mut Archive, query: &str) -> Vec<String> {
    let hits = archive.search(&search(query)).unwrap();
    hits.into_iter().map(|hit| hit.message.text).collect()
}
