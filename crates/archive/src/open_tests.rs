use super::*;
use crate::testing::{Place, batch, messages};

fn refused(place: &Place) -> Code {
    let before = place.content();
    let code = Archive::open(&place.path(), Options::default()).unwrap_err().code;
    assert_eq!(place.content(), before, "the file must stay as it was");
    let names: Vec<_> = fs::read_dir(place.path().parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing may be written beside it");
    code
}

/// A valid database that is not ours.
fn foreign(statements: &str) -> Place {
    let place = Place::new();
    Connection::open(place.path()).unwrap().execute_batch(statements).unwrap();
    place
}

#[test]
fn a_file_of_another_kind_is_refused_and_never_overwritten() {
    let random: Vec<u8> =
        (0..9_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let text = b"# notes\nnot a database\n";
    let header_only = b"SQLite format 3";
    for content in [random.as_slice(), text, header_only, &[0; 8_192]] {
        assert_eq!(refused(&Place::holding(content)), Code::NotADatabase);
    }
}

#[test]
fn another_applications_database_is_refused_and_never_written_to() {
    assert_eq!(refused(&foreign("CREATE TABLE t (x); PRAGMA user_version = 1;")), Code::Foreign);
    assert_eq!(refused(&foreign("PRAGMA application_id = 7; CREATE TABLE batches (x);")), Code::Foreign);
    assert_eq!(refused(&foreign("PRAGMA journal_mode = wal; CREATE TABLE t (x);")), Code::Foreign);
}

#[test]
fn a_truncated_archive_is_corrupt_and_never_overwritten() {
    let place = Place::new();
    let stored = messages(&["text ".repeat(50_000).as_str()]);
    place.open().append("s", &batch("a", &stored)).unwrap();
    let whole = place.content();
    for kept in [whole.len() / 2, 4_096, 5_000] {
        fs::write(place.path(), whole.get(..kept).unwrap()).unwrap();
        let before = place.content();
        let failure = Archive::open(&place.path(), Options::default()).unwrap_err();
        assert_eq!(failure.code, Code::Corrupt);
        assert_eq!(place.content(), before);
    }
}

#[test]
fn a_damaged_page_is_an_error_when_it_is_read_and_never_a_wrong_answer() {
    let place = Place::new();
    let stored = messages(&["text ".repeat(50_000).as_str()]);
    place.open().append("s", &batch("a", &stored)).unwrap();
    let mut content = place.content();
    let len = content.len();
    content.get_mut(4_096..len).unwrap().fill(0xA5);
    fs::write(place.path(), &content).unwrap();
    let read = Archive::open(&place.path(), Options::default()).and_then(|mut archive| archive.get("s", "a"));
    assert_eq!(read.unwrap_err().code, Code::Corrupt);
}

#[test]
fn an_archive_that_lacks_a_table_is_corrupt() {
    let place = Place::new();
    drop(place.open());
    Connection::open(place.path()).unwrap().execute_batch("DROP TABLE messages").unwrap();
    assert_eq!(place.open().get("s", "a").unwrap_err().code, Code::NotFound);
    let failure = place.open().append("s", &batch("a", &messages(&["x"]))).unwrap_err();
    assert_eq!(failure.code, Code::Corrupt);
}

#[test]
fn an_empty_file_counts_as_new() {
    let place = Place::holding(b"");
    place.open().append("s", &batch("a", &messages(&["x"]))).unwrap();
    assert_eq!(place.open().stats().unwrap().messages, 1);
}

#[test]
fn a_newer_version_is_refused() {
    let place = Place::new();
    drop(place.open());
    Connection::open(place.path()).unwrap().pragma_update(None, "user_version", 2).unwrap();
    assert_eq!(refused(&place), Code::NewerVersion);
}

#[test]
fn a_missing_folder_is_an_error_and_is_not_created() {
    let place = Place::new();
    let path = place.path().join("deeper").join("history.db");
    let failure = Archive::open(&path, Options::default()).unwrap_err();
    assert_eq!(failure.code, Code::Io);
    assert!(failure.message.contains("missing folder"), "{failure}");
    assert!(!path.parent().unwrap().exists());
}

#[test]
fn a_folder_in_the_place_of_the_file_is_an_error() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    assert_eq!(Archive::open(&place.path(), Options::default()).unwrap_err().code, Code::Io);
}

#[test]
fn names_that_mean_something_to_sqlite_are_files() {
    let place = Place::new();
    for name in [":memory:", "a?mode=memory", "100%25#1.db", "聊天 记录.db"] {
        let path = place.path().with_file_name(name);
        Archive::open(&path, Options::default())
            .unwrap()
            .append("s", &batch("a", &messages(&["x"])))
            .unwrap();
        let mut again = Archive::open(&path, Options::default()).unwrap();
        assert_eq!(again.get("s", "a").unwrap().messages.len(), 1, "{name}");
        assert!(path.is_file());
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_was_deleted_or_replaced_is_noticed() {
    let place = Place::new();
    let archive = place.open();
    assert!(!archive.is_detached());
    fs::remove_file(place.path()).unwrap();
    assert!(archive.is_detached());
    let mut other = place.open();
    assert!(archive.is_detached() && !other.is_detached());
    let stored = messages(&["x"]);
    other.append("s", &batch("a", &stored)).unwrap();
    drop(archive);
    assert_eq!(other.get("s", "a").unwrap().messages, stored);
    assert_eq!(other.integrity().unwrap(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn conversations_are_readable_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let mut archive = place.open();
    archive.append("s", &batch("a", &messages(&["x"]))).unwrap();
    for file in fs::read_dir(place.path().parent().unwrap()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

#[test]
fn a_lock_held_too_long_is_reported_and_harms_nothing() {
    let place = Place::new();
    let mut archive =
        Archive::open(&place.path(), Options { busy_timeout: Duration::from_millis(20) }).unwrap();
    let other = Connection::open(place.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let stored = messages(&["x"]);
    assert_eq!(archive.append("s", &batch("a", &stored)).unwrap_err().code, Code::Busy);
    other.execute_batch("ROLLBACK").unwrap();
    archive.append("s", &batch("a", &stored)).unwrap();
}

#[test]
fn what_is_committed_is_on_the_disk() {
    let archive = Place::new();
    let archive = archive.open();
    let text =
        |pragma| archive.connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("journal_mode"), "wal");
    // 2 is FULL.
    assert_eq!(schema::number(&archive.connection, "synchronous").unwrap(), 2);
    assert_eq!(schema::number(&archive.connection, "foreign_keys").unwrap(), 1);
}

#[test]
fn no_failure_quotes_what_was_archived() {
    let place = Place::new();
    let mut archive = place.open();
    let stored = messages(&["a secret"]);
    archive.append("session-name", &batch("batch-name", &stored)).unwrap();
    let other = messages(&["another secret"]);
    let failures = [
        archive.append("session-name", &batch("batch-name", &other)).unwrap_err(),
        archive.get("session-name", "secret-id").unwrap_err(),
    ];
    for failure in failures {
        let told = format!("{failure:?}");
        assert!(!["secret", "session-name", "batch-name"].iter().any(|word| told.contains(word)), "{told}");
    }
}
