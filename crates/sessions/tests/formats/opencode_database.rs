//! opencode's database yields the same requests as its export; reading includes the log and writes nothing.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use palimpsest_sessions::account::session_at;
use palimpsest_sessions::{
    ContextStart, NoteKind, RequestKind, ThreadKind, find_files, read_file, read_sessions, read_source,
};
use rusqlite::Connection;
use serde_json::json;

use crate::opencode_fixture::{Database, answer, long_conversation, only, open, text, user};
use crate::support::{account, assert_sound};
use crate::{sent, sent_by_main};

/// Name and bytes of all files in a folder.
fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

fn code_of(path: &Path) -> &'static str {
    read_file(path).expect_err("no session").code()
}

#[test]
fn a_database_gives_the_same_session_and_account_as_its_export() {
    let database = Database::with(&long_conversation());
    let export = serde_json::to_string_pretty(&database.export("s")).unwrap();
    let exported = only(read_sessions(export.as_bytes()).unwrap());
    let stored = database.read();
    assert_eq!(stored, exported);
    assert_eq!(account(&stored), account(&exported));
    assert_sound(&stored);
    assert_eq!((stored.id.as_deref(), stored.project.as_deref()), (Some("s"), Some("/project")));
}

#[test]
fn a_result_is_sent_in_full_until_it_is_cleared_and_a_compaction_keeps_its_tail() {
    let session = Database::with(&long_conversation()).read();
    let call = "a:read#c{}";
    let cleared = "t:#c=[Old tool result content cleared]";
    let summary_request = "u:What did we do so far?";
    assert_eq!(
        sent_by_main(&session),
        [
            vec!["u:one"],
            vec!["u:one", call, "t:#c=long"],
            vec!["u:one", call, cleared, "a:first", "u:two"],
            vec!["u:one", call, cleared, "a:first", "u:two", "a:second", summary_request],
            vec![summary_request, "a:all of it", "u:two", "a:second", "u:three"],
        ]
    );
    let main = &session.threads[0];
    let starts: Vec<_> = main.contexts.iter().map(|context| &context.start).collect();
    assert!(matches!(
        starts.as_slice(),
        [ContextStart::Beginning, ContextStart::ResultsCleared { .. }, ContextStart::Compaction { .. }]
    ));
    let kinds: Vec<_> = main.requests.iter().map(|request| request.kind).collect();
    assert_eq!(kinds[3], RequestKind::Compaction);
    assert_eq!(kinds.iter().filter(|kind| **kind == RequestKind::Turn).count(), 4);
}

#[test]
fn a_failed_summary_replaces_nothing() {
    let mut rows = long_conversation();
    rows[6].data["error"] = json!({"name": "UnknownError"});
    let session = Database::with(&rows).read();
    assert_eq!(session.threads[0].compaction_count(), 0);
    assert_eq!(sent_by_main(&session)[4].len(), 9);
}

const HELD: &str = "PALIMPSEST_TEST_HELD_DATABASE";

#[test]
#[ignore = "the process that the next test starts in place of a running opencode"]
fn an_agent_that_holds_its_database_open() {
    let Some(path) = std::env::var_os(HELD) else { return };
    let connection = open(Path::new(&path));
    let sql = "UPDATE session SET time_updated = time_updated + 1";
    connection.execute(sql, []).unwrap();
    std::io::stdout().write_all(b"\nheld\n").unwrap();
    // Wait until the other test is done.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

/// A database held open by a running process, which ends when its stdin closes.
fn held(database: Database) -> (tempfile::TempDir, PathBuf, Child) {
    let Database { folder, path, connection } = database;
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let name = "opencode_database::an_agent_that_holds_its_database_open";
    let mut agent = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", name])
        .env(HELD, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(agent.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
    assert!(output.into_iter().any(|line| line == "held"), "the agent opens its database");
    (folder, path, agent)
}

#[test]
fn the_log_of_a_running_agent_is_read_and_no_byte_of_its_files_changes() {
    let (folder, path, mut agent) = held(Database::with(&long_conversation()));
    let before = files_in(folder.path());
    let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["opencode.db", "opencode.db-shm", "opencode.db-wal"]);
    assert_eq!(only(read_file(&path).unwrap()).requests().count(), 5);
    assert_eq!(files_in(folder.path()), before);
    drop(agent.stdin.take());
    assert!(agent.wait().unwrap().success());
}

#[test]
fn messages_in_the_log_alone_are_read_and_later_ones_too() {
    let database = Database::with(&long_conversation());
    assert!(fs::metadata(&database.path).unwrap().len() <= 4096, "everything is in the log");
    assert_eq!(database.read().requests().count(), 5);
    database.message("s", &user("m91", 1_000_000_010_000, text("four")));
    database.message("s", &answer("m92", 1_000_000_011_000, vec![text("fourth")]));
    assert_eq!(database.read().requests().count(), 6);
}

#[test]
fn uncommitted_messages_are_not_read() {
    let database = Database::with(&long_conversation());
    database.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    database.message("s", &answer("m91", 1_000_000_010_000, vec![text("late")]));
    assert_eq!(database.read().requests().count(), 5);
    database.connection.execute_batch("COMMIT").unwrap();
    assert_eq!(database.read().requests().count(), 6);
}

#[test]
fn a_log_without_an_index_is_read_and_no_index_is_created() {
    let (folder, path) = Database::with(&long_conversation()).copy(true);
    let before = files_in(folder.path());
    assert_eq!(before.len(), 2);
    assert_eq!(only(read_file(&path).unwrap()).requests().count(), 5);
    assert_eq!(files_in(folder.path()), before);
}

#[test]
fn a_database_without_a_log_is_read_and_no_file_is_created() {
    let database = Database::with(&long_conversation());
    database.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let (folder, path) = database.copy(false);
    let before = files_in(folder.path());
    assert_eq!(only(read_file(&path).unwrap()).requests().count(), 5);
    assert_eq!(files_in(folder.path()), before);
}

#[test]
fn child_sessions_are_sub_agents_and_other_sessions_are_sorted_oldest_first() {
    let database = Database::new();
    let rows =
        |words: &str| vec![user("1", 1_000_000_001_000, text(words)), answer("2", 1_000_000_002_000, vec![text("ok")])];
    database.session("b", None, 20, &rows("second"));
    database.session("a", None, 10, &rows("first"));
    database.session("child", Some("a"), 30, &rows("task"));
    database.session("grandchild", Some("child"), 40, &rows("task of the task"));
    database.session("orphan", Some("gone"), 50, &rows("orphan"));
    database.session("itself", Some("itself"), 60, &rows("itself"));
    database.session("silent", None, 15, &[]);
    let sessions = read_file(&database.path).unwrap();
    let ids: Vec<_> = sessions.iter().filter_map(|session| session.id.as_deref()).collect();
    assert_eq!(ids, ["a", "b", "orphan", "itself"]);
    let kinds: Vec<_> = sessions[0].threads.iter().map(|thread| thread.kind).collect();
    assert_eq!(kinds, [ThreadKind::Main, ThreadKind::SubAgent, ThreadKind::SubAgent]);
    let last = &sessions[0].threads[2];
    assert_eq!(sent(&sessions[0], last, &last.requests[0]), ["u:task of the task"]);

    assert_eq!(session_at(&database.path, 1).unwrap().id.as_deref(), Some("b"));
    let error = session_at(&database.path, 4).unwrap_err();
    assert_eq!((error.code, error.message.contains("one of 4")), ("ERR_NO_SESSION", true));
}

#[test]
fn a_damaged_database_is_an_error_with_a_code() {
    let database = Database::with(&long_conversation());
    database.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let (_folder, path) = database.copy(false);
    let bytes = fs::read(&path).unwrap();

    let mut damaged = bytes.clone();
    damaged[4096..].fill(0xA5);
    for broken in [damaged, bytes[..4096].to_vec(), bytes[..100].to_vec()] {
        fs::write(&path, &broken).unwrap();
        assert_eq!(code_of(&path), "ERR_SESSION_DATABASE", "{} bytes", broken.len());
    }
}

#[test]
fn a_row_that_is_not_json_is_skipped_and_noted() {
    let database = Database::with(&long_conversation());
    database.connection.execute("UPDATE part SET data = '{\"type\":' WHERE id = 's-m9-001'", []).unwrap();
    let session = database.read();
    assert_eq!(session.notes.count(NoteKind::BadLine), 1);
    assert_eq!(session.requests().count(), 5);
}

#[test]
fn a_missing_column_is_reported_by_name_with_an_alternative() {
    let database = Database::with(&long_conversation());
    database.connection.execute_batch("ALTER TABLE part RENAME COLUMN data TO body").unwrap();
    let error = read_file(&database.path).unwrap_err();
    assert_eq!(error.code(), "ERR_SESSION_DATABASE");
    let message = error.to_string();
    assert!(message.contains("`part` has no `data`") && message.contains("opencode export"), "{message}");
}

#[test]
fn messages_in_an_unknown_table_are_noted() {
    let database = Database::with(&long_conversation());
    let table = "CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, data text NOT NULL)";
    database.connection.execute_batch(table).unwrap();
    database.session("new", None, 2, &[]);
    database.connection.execute("INSERT INTO session_message VALUES ('1', 'new', '{}')", []).unwrap();
    let sessions = read_file(&database.path).unwrap();
    let noted: Vec<u64> = sessions.iter().map(|session| session.notes.count(NoteKind::UnknownRecord)).collect();
    assert_eq!(noted, [0, 1]);
}

#[test]
fn a_database_of_another_application_is_not_a_session_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE secret (content)").unwrap();
    let error = read_file(&path).unwrap_err();
    assert_eq!(error.code(), "ERR_SESSION_FORMAT");
    let message = error.to_string();
    assert!(message.contains("an SQLite database without the tables of opencode"), "{message}");
    assert!(!message.contains("secret"), "{message}");
}

#[test]
fn a_searched_folder_has_the_database_with_its_log_as_one_source() {
    let database = Database::with(&long_conversation());
    let found = find_files(&[database.folder.path().to_path_buf()]);
    assert_eq!(found.sources.len(), 1);
    let source = &found.sources[0];
    let log = database.path.with_extension("db-wal");
    assert_eq!(source.files, [database.path.clone(), log.clone()]);
    let bytes = |path: &Path| fs::metadata(path).unwrap().len();
    assert_eq!(source.bytes, bytes(&database.path) + bytes(&log));
    assert_eq!(read_source(source).unwrap(), [database.read()]);
}
