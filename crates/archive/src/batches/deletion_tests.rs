use std::time::Duration;

use rusqlite::Connection;

use super::*;
use crate::ArchiveSettings;
use crate::testing::{TempArchive, batch, found, messages};

/// The bytes of the file and of its write-ahead log.
fn with_log(temp: &TempArchive) -> Vec<u8> {
    let log = std::fs::read(temp.path().with_file_name("history.db-wal")).unwrap_or_default();
    [temp.content(), log].concat()
}

#[test]
fn delete_removes_a_session_and_keeps_the_others() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    archive.append("s", &batch("a", &messages(&["old word", "压缩"]))).unwrap();
    archive.append("s", &batch("b", &messages(&["old word"]))).unwrap();
    archive.append("t", &batch("a", &messages(&["other word"]))).unwrap();
    assert_eq!(archive.delete("s").unwrap(), Deleted { batches: 2, messages: 3, erased: true });
    assert_eq!(archive.restore("s").unwrap(), []);
    assert_eq!(found(&mut archive, "word"), ["other word"]);
    assert_eq!(found(&mut archive, "压缩"), Vec::<String>::new());
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
    assert_eq!(archive.delete("s").unwrap(), Deleted { batches: 0, messages: 0, erased: true });
}

#[test]
fn delete_erases_the_text_and_facts_of_a_session_from_the_file() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let secret = "zqxjkvbwpy";
    archive.append("t", &batch("a", &messages(&["stays"]))).unwrap();
    archive.append("s", &batch("a", &messages(&[secret, &secret.repeat(3_000)]))).unwrap();
    archive.append_facts("s", 0, &[secret.repeat(3_000)]).unwrap();
    archive.delete("s").unwrap();
    let file = with_log(&temp);
    for word in [secret.as_bytes(), b"zqx"] {
        assert!(!file.windows(word.len()).any(|window| window == word));
    }
    archive.append("s", &batch("a", &messages(&["new"]))).unwrap();
    assert_eq!(found(&mut archive, "new"), ["new"]);
}

#[test]
fn delete_reports_that_a_reader_keeps_text_in_the_log_and_erases_it_when_called_again() {
    let temp = TempArchive::new();
    let options = ArchiveSettings { busy_timeout: Duration::from_millis(20), ..ArchiveSettings::default() };
    let mut archive = Archive::open(&temp.path(), options).unwrap();
    let secret = "zqxjkvbwpy".repeat(1_000);
    archive.append("s", &batch("a", &messages(&[&secret]))).unwrap();
    let reader = Connection::open(temp.path()).unwrap();
    reader.execute_batch("BEGIN; SELECT COUNT(*) FROM messages").unwrap();
    let has_secret = || with_log(&temp).windows(10).any(|window| window == b"zqxjkvbwpy");
    assert_eq!(archive.delete("s").unwrap(), Deleted { batches: 1, messages: 1, erased: false });
    assert!(has_secret());
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(archive.delete("s").unwrap(), Deleted { batches: 0, messages: 0, erased: true });
    assert!(!has_secret());
}
