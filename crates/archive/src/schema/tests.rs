use super::*;
use crate::testing::{TempArchive, batch, found, messages};
use crate::{Archive, ArchiveSettings};

/// A file as the first version wrote it.
fn first_version(temp: &TempArchive) {
    let connection = Connection::open(temp.path()).unwrap();
    run_migrations(&connection, 0, 1).unwrap();
    connection
        .execute_batch(
            "INSERT INTO batches VALUES (1, 's', 'a', 'summary', 1, 1000.5, 2, 30, '\"done\"');
             INSERT INTO messages VALUES (1, 1, 0, 'user', 'İstanbul', '{\"content\":\"İstanbul\"}');
             INSERT INTO messages VALUES (2, 1, 1, 'user', '压缩', '{\"content\":\"压缩\"}');
             INSERT INTO message_index (rowid, text) VALUES (1, 'İstanbul'), (2, '压缩');
             PRAGMA user_version = 1;",
        )
        .unwrap();
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    temp.set_mode(0o600);
}

#[test]
fn a_file_of_version_1_is_migrated_with_all_its_content() {
    let temp = TempArchive::new();
    first_version(&temp);
    let mut archive = temp.open();
    let contents: Vec<_> = archive.get("s", "a").unwrap().messages.into_iter().map(|message| message.text).collect();
    assert_eq!(contents, ["İstanbul", "压缩"]);
    assert_eq!(found(&mut archive, "istanbul"), ["İstanbul"]);
    assert_eq!(found(&mut archive, "压缩"), ["压缩"]);
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
    archive.append("s", &batch("b", &messages(&["new"]))).unwrap();
    drop(archive);
    assert_eq!(temp.open().restore("s").unwrap().len(), 2);
}

#[test]
fn r15_1_migration_removes_the_states_of_version_3_and_keeps_originals() {
    let temp = TempArchive::new();
    temp.open().append("s", &batch("a", &messages(&["kept"]))).unwrap();
    temp.tamper(&format!(
        "DROP TABLE facts;
         {}
         INSERT INTO conversations VALUES (1, 's', 1, 0, 0, NULL);
         INSERT INTO conversation_states VALUES (1, 1, 1, 'state');
         PRAGMA user_version = 3;",
        MIGRATIONS[2]
    ));
    let mut archive = temp.open();
    assert_eq!(archive.facts("s", 0).unwrap(), []);
    assert_eq!(archive.append_facts("s", 0, &["one".to_owned()]).unwrap().len(), 1);
    assert_eq!(found(&mut archive, "kept"), ["kept"]);
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
}

#[test]
fn an_archive_with_a_foreign_schema_object_is_refused_unchanged() {
    let additions = [
        "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM batches; END",
        "CREATE VIEW v AS SELECT * FROM messages",
        "CREATE TABLE other (x)",
        "CREATE INDEX i ON messages (role)",
        "ALTER TABLE messages ADD COLUMN more TEXT",
        "CREATE VIRTUAL TABLE other USING fts5 (x)",
        "DROP TABLE messages; CREATE VIEW messages AS SELECT 1 AS id",
        "DROP TABLE message_index; CREATE TABLE message_index (text)",
    ];
    for addition in additions {
        let temp = TempArchive::new();
        temp.open().append("s", &batch("a", &messages(&["kept"]))).unwrap();
        temp.tamper(addition);
        let before = temp.content();
        let failure = Archive::open(&temp.path(), ArchiveSettings::default()).unwrap_err();
        assert_eq!(failure.code, Code::Schema, "{addition}");
        assert_eq!(temp.content(), before, "{addition}");
    }
}

#[test]
fn a_version_1_file_with_a_trigger_is_not_migrated() {
    let temp = TempArchive::new();
    first_version(&temp);
    temp.tamper("CREATE TRIGGER t AFTER UPDATE ON messages BEGIN DELETE FROM batches; END");
    assert_eq!(Archive::open(&temp.path(), ArchiveSettings::default()).unwrap_err().code, Code::Schema);
}

#[test]
fn triggers_views_and_untrusted_functions_are_disabled() {
    use rusqlite::config::DbConfig;
    let temp = TempArchive::new();
    let archive = temp.open();
    let is_on = |setting| archive.connection.db_config(setting).unwrap();
    assert!(is_on(DbConfig::SQLITE_DBCONFIG_DEFENSIVE));
    for setting in [
        DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
        DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW,
        DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
    ] {
        assert!(!is_on(setting));
    }
}
