use super::*;
use crate::testing::{TempArchive, batch, messages, search};
use crate::{ArchiveSettings, StoredMessage};

fn numbered_messages(id: usize) -> (String, Vec<StoredMessage>) {
    let text = format!("batch {id} {}", "some words that go into the index ".repeat(20));
    let message = StoredMessage { role: "user".into(), text: text.clone(), json: format!("{{\"text\":\"{text}\"}}") };
    (format!("b{id}"), vec![message])
}

#[test]
fn integrity_check_reads_the_file_rather_than_the_cache_of_a_connection() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive");
    let mut ours = Archive::open(&path, ArchiveSettings::default()).unwrap();
    let mut theirs = Archive::open(&path, ArchiveSettings::default()).unwrap();
    for round in 0..60 {
        let (id, messages) = numbered_messages(round);
        let archive = if round % 20 == 0 { &mut ours } else { &mut theirs };
        archive.append("s", &batch(&id, &messages)).unwrap();
        assert_eq!(ours.integrity_check().problems().unwrap(), Vec::<String>::new(), "round {round}");
    }
}

/// An archive with one batch, changed by `statements`.
fn damaged(statements: &str) -> TempArchive {
    let temp = TempArchive::new();
    let stored = messages(&["one secret", "two secrets"]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    temp.tamper(statements);
    temp
}

#[test]
fn a_changed_row_is_corrupt_for_every_reader_and_no_error_quotes_it() {
    let changes = [
        "UPDATE messages SET json = '{\"content\":\"three secrets\"}' WHERE position = 0",
        "UPDATE messages SET text = 'three secrets' WHERE position = 0",
        "UPDATE messages SET json = '{\"content' WHERE position = 0",
        "UPDATE messages SET role = 'system' WHERE position = 0",
        "UPDATE messages SET position = 7 WHERE position = 0",
        "UPDATE messages SET checksum = checksum + 1 WHERE position = 0",
        "UPDATE messages SET json = CAST(x'ff00fe' AS TEXT) WHERE position = 0",
        "UPDATE messages SET position = 5000000000 WHERE position = 0",
        "DELETE FROM messages WHERE position = 1",
        "INSERT INTO messages (batch, position, role, text, json, checksum) VALUES (1, 2, '', 'secret', '7', 0)",
        "UPDATE batches SET messages = 3",
        "UPDATE batches SET bytes = 3",
        "UPDATE batches SET level = 3",
        "UPDATE batches SET level = -1",
        "UPDATE batches SET summary = '\"another secret\"'",
        "UPDATE batches SET summary = NULL",
        "UPDATE batches SET kind = 'digest'",
        "UPDATE batches SET at_ms = 1",
    ];
    for change in changes {
        let temp = damaged(change);
        let mut archive = temp.open();
        let failures = [archive.get("s", "a").unwrap_err(), archive.restore("s").unwrap_err()];
        for failure in failures {
            assert_eq!(failure.code, Code::Corrupt, "{change}");
            assert!(!format!("{failure:?}").contains("secret"), "{change}: {failure:?}");
        }
        let problems = archive.integrity_check().problems().unwrap();
        assert!(!problems.is_empty() && !problems.concat().contains("secret"), "{change}: {problems:?}");
    }
}

#[test]
fn a_batch_moved_to_another_session_or_id_is_corrupt() {
    for change in ["UPDATE batches SET session = 't'", "UPDATE batches SET name = 'b'"] {
        let temp = damaged(change);
        let mut archive = temp.open();
        let batches = [archive.get("t", "a"), archive.get("s", "b")];
        assert!(batches.iter().any(|batch| batch.as_ref().is_err_and(|failure| failure.code == Code::Corrupt)));
        assert_eq!(archive.integrity_check().problems().unwrap().len(), 1);
    }
}

#[test]
fn a_search_that_hits_a_changed_row_is_corrupt() {
    let temp = damaged("UPDATE messages SET json = '7' WHERE position = 0");
    assert_eq!(temp.open().search(&search("one")).unwrap_err().code, Code::Corrupt);
}

#[test]
fn bytes_changed_in_the_file_are_detected() {
    let temp = TempArchive::new();
    let stored = messages(&["the needle in it", "another"]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    let mut content = temp.content();
    let mut found = 0;
    for at in 0..content.len() {
        if content.get(at..at + 6) == Some(b"needle") {
            content[at] = b'N';
            found += 1;
        }
    }
    assert!(found >= 2, "text and JSON");
    std::fs::write(temp.path(), &content).unwrap();
    let mut archive = temp.open();
    assert_eq!(archive.get("s", "a").unwrap_err().code, Code::Corrupt);
    assert_eq!(archive.integrity_check().problems().unwrap().len(), 1);
}
