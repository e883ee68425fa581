use super::*;
use crate::testing::{TempArchive, batch, messages};

fn refusal_of(temp: &TempArchive) -> Code {
    let before = temp.content();
    let code = Archive::open(&temp.path(), ArchiveSettings::default()).unwrap_err().code;
    assert_eq!(temp.content(), before, "the file must stay as it was");
    let names: Vec<_> = fs::read_dir(temp.path().parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "no other file may be written");
    code
}

/// A valid database of another application.
fn foreign(statements: &str) -> TempArchive {
    let temp = TempArchive::new();
    Connection::open(temp.path()).unwrap().execute_batch(statements).unwrap();
    temp
}

#[test]
fn a_file_that_is_not_a_database_is_refused_and_not_overwritten() {
    let random: Vec<u8> = (0..9_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let text = b"# notes\nnot a database\n";
    let header_only = b"SQLite format 3";
    for content in [random.as_slice(), text, header_only, &[0; 8_192]] {
        assert_eq!(refusal_of(&TempArchive::holding(content)), Code::NotADatabase);
    }
}

#[test]
fn a_database_of_another_application_is_refused_and_not_written_to() {
    assert_eq!(refusal_of(&foreign("CREATE TABLE t (x); PRAGMA user_version = 1;")), Code::Foreign);
    assert_eq!(refusal_of(&foreign("PRAGMA application_id = 7; CREATE TABLE batches (x);")), Code::Foreign);
    assert_eq!(refusal_of(&foreign("PRAGMA journal_mode = wal; CREATE TABLE t (x);")), Code::Foreign);
}

#[test]
fn a_truncated_archive_is_corrupt_and_not_overwritten() {
    let temp = TempArchive::new();
    let stored = messages(&["text ".repeat(50_000).as_str()]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    let whole = temp.content();
    for kept in [whole.len() / 2, 4_096, 5_000] {
        fs::write(temp.path(), whole.get(..kept).unwrap()).unwrap();
        let before = temp.content();
        let failure = Archive::open(&temp.path(), ArchiveSettings::default()).unwrap_err();
        assert_eq!(failure.code, Code::Corrupt);
        assert_eq!(temp.content(), before);
    }
}

#[test]
fn reading_a_damaged_page_is_an_error() {
    let temp = TempArchive::new();
    let stored = messages(&["text ".repeat(50_000).as_str()]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    let mut content = temp.content();
    let len = content.len();
    content.get_mut(4_096..len).unwrap().fill(0xA5);
    fs::write(temp.path(), &content).unwrap();
    let read = Archive::open(&temp.path(), ArchiveSettings::default()).and_then(|mut archive| archive.get("s", "a"));
    assert_eq!(read.unwrap_err().code, Code::Corrupt);
}

#[test]
fn a_file_without_its_messages_table_is_refused() {
    let temp = TempArchive::new();
    drop(temp.open());
    temp.tamper("DROP TABLE messages");
    assert_eq!(refusal_of(&temp), Code::Schema);
}

#[test]
fn an_empty_file_becomes_a_new_archive() {
    let temp = TempArchive::holding(b"");
    temp.open().append("s", &batch("a", &messages(&["x"]))).unwrap();
    assert_eq!(temp.open().stats().unwrap().messages, 1);
}

#[test]
fn a_file_of_a_newer_version_is_refused() {
    let temp = TempArchive::new();
    drop(temp.open());
    Connection::open(temp.path()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(refusal_of(&temp), Code::NewerVersion);
}

#[test]
fn a_missing_folder_is_an_error_and_is_not_created() {
    let temp = TempArchive::new();
    let path = temp.path().join("deeper").join("history.db");
    let failure = Archive::open(&path, ArchiveSettings::default()).unwrap_err();
    assert_eq!(failure.code, Code::Io);
    assert!(failure.message.contains("missing folder"), "{failure}");
    assert!(!path.parent().unwrap().exists());
}

#[test]
fn a_folder_at_the_path_of_the_file_is_an_error() {
    let temp = TempArchive::new();
    fs::create_dir(temp.path()).unwrap();
    assert_eq!(Archive::open(&temp.path(), ArchiveSettings::default()).unwrap_err().code, Code::Io);
}

#[test]
fn file_names_with_a_meaning_in_sqlite_are_opened_as_files() {
    let temp = TempArchive::new();
    // Windows allows neither a colon nor a question mark in a file's name.
    let unix = if cfg!(unix) { &[":memory:", "a?mode=memory"][..] } else { &[] };
    for name in [unix, &["100%25#1.db", "聊天 记录.db"]].concat() {
        let path = temp.path().with_file_name(name);
        Archive::open(&path, ArchiveSettings::default()).unwrap().append("s", &batch("a", &messages(&["x"]))).unwrap();
        let mut again = Archive::open(&path, ArchiveSettings::default()).unwrap();
        assert_eq!(again.get("s", "a").unwrap().messages.len(), 1, "{name}");
        assert!(path.is_file());
    }
}

#[cfg(unix)]
#[test]
fn is_detached_detects_a_deleted_or_replaced_file() {
    let temp = TempArchive::new();
    let archive = temp.open();
    assert!(!archive.is_detached());
    fs::remove_file(temp.path()).unwrap();
    assert!(archive.is_detached());
    let mut other = temp.open();
    assert!(archive.is_detached() && !other.is_detached());
    let stored = messages(&["x"]);
    other.append("s", &batch("a", &stored)).unwrap();
    drop(archive);
    assert_eq!(other.get("s", "a").unwrap().messages, stored);
    assert_eq!(other.integrity_check().problems().unwrap(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let temp = TempArchive::new();
    let mut archive = temp.open();
    archive.append("s", &batch("a", &messages(&["x"]))).unwrap();
    for file in fs::read_dir(temp.path().parent().unwrap()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

#[test]
fn a_lock_of_another_connection_is_reported_as_busy_and_a_later_append_succeeds() {
    let temp = TempArchive::new();
    let mut archive = Archive::open(
        &temp.path(),
        ArchiveSettings { busy_timeout: Duration::from_millis(20), ..ArchiveSettings::default() },
    )
    .unwrap();
    let other = Connection::open(temp.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let stored = messages(&["x"]);
    assert_eq!(archive.append("s", &batch("a", &stored)).unwrap_err().code, Code::Busy);
    other.execute_batch("ROLLBACK").unwrap();
    archive.append("s", &batch("a", &stored)).unwrap();
}

#[test]
fn the_database_is_in_wal_mode_with_full_synchronisation() {
    let archive = TempArchive::new();
    let archive = archive.open();
    let text = |pragma| archive.connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("journal_mode"), "wal");
    // 2 is FULL.
    assert_eq!(schema::number(&archive.connection, "synchronous").unwrap(), 2);
    assert_eq!(schema::number(&archive.connection, "foreign_keys").unwrap(), 1);
}

#[test]
fn no_failure_quotes_archived_content() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let stored = messages(&["a secret"]);
    archive.append("session-name", &batch("batch-name", &stored)).unwrap();
    let other = messages(&["another secret"]);
    let failures = [
        archive.append("session-name", &batch("batch-name", &other)).unwrap_err(),
        archive.get("session-name", "secret-id").unwrap_err(),
    ];
    for failure in failures {
        let text = format!("{failure:?}");
        assert!(!["secret", "session-name", "batch-name"].iter().any(|word| text.contains(word)), "{text}");
    }
}

/// A folder that is not writable: for root, who may write anywhere else, a read-only mount; for others, by its mode.
#[cfg(target_os = "linux")]
struct ReadOnlyFolder {
    folder: PathBuf,
    mount: Option<tempfile::TempDir>,
}

#[cfg(target_os = "linux")]
impl ReadOnlyFolder {
    /// `None` if root may not mount, as in some containers.
    fn of(temp: &TempArchive) -> Option<Self> {
        use std::ffi::OsStr;
        let folder = temp.path().parent().unwrap().to_owned();
        if !rustix::process::geteuid().is_root() {
            set_folder_mode(&folder, 0o500);
            return Some(Self { folder, mount: None });
        }
        let mount = tempfile::tempdir().unwrap();
        let arguments = ["--bind", "-o", "ro"].map(OsStr::new);
        let mut command = std::process::Command::new("mount");
        command.args(arguments).args([folder.as_os_str(), mount.path().as_os_str()]);
        let is_mounted = command.output().is_ok_and(|done| done.status.success());
        is_mounted.then_some(Self { folder, mount: Some(mount) })
    }

    fn path(&self) -> PathBuf {
        self.mount.as_ref().map_or(self.folder.as_path(), tempfile::TempDir::path).join("history.db")
    }
}

#[cfg(target_os = "linux")]
impl Drop for ReadOnlyFolder {
    fn drop(&mut self) {
        if let Some(mount) = &self.mount {
            let _ = std::process::Command::new("umount").arg(mount.path()).status();
        } else {
            set_folder_mode(&self.folder, 0o700);
        }
    }
}

#[cfg(target_os = "linux")]
fn set_folder_mode(folder: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)] // a skipped test says so
fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "skipped: {reason}");
    eprintln!("skipped: {reason}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_archive_in_a_read_only_folder_is_read_and_refuses_writes() {
    let temp = TempArchive::new();
    let stored = messages(&["kept 压缩"]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    let Some(mount) = ReadOnlyFolder::of(&temp) else { return skip("root may not mount here") };
    let mut archive = Archive::open(&mount.path(), ArchiveSettings::default()).unwrap();
    assert_eq!(archive.access, Access::ReadUnlocked);
    assert_eq!(archive.get("s", "a").unwrap().messages, stored);
    assert_eq!(crate::testing::found(&mut archive, "压缩").len(), 1);
    assert_eq!(archive.sessions().unwrap().len(), 1);
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
    assert_eq!(archive.append("s", &batch("b", &stored)).unwrap_err().code, Code::ReadOnly);
    assert_eq!(archive.delete("s").unwrap_err().code, Code::ReadOnly);
    let missing = mount.path().with_file_name("other.db");
    assert_eq!(Archive::open(&missing, ArchiveSettings::default()).unwrap_err().code, Code::ReadOnly);
    if mount.mount.is_none() {
        return;
    }
    // After another connection writes to the file, this is detected and the file is read again.
    assert!(!archive.is_detached());
    std::thread::sleep(Duration::from_millis(20));
    temp.open().append("s", &batch("b", &stored)).unwrap();
    assert!(archive.is_detached());
    let mut again = Archive::open(&mount.path(), ArchiveSettings::default()).unwrap();
    assert_eq!(again.restore("s").unwrap().len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_ahead_log_that_cannot_be_read_is_an_error() {
    let temp = TempArchive::new();
    temp.open().append("s", &batch("a", &messages(&["in the file"]))).unwrap();
    let mut writer = temp.open();
    writer.append("s", &batch("b", &messages(&["in the log"]))).unwrap();
    let mount = ReadOnlyFolder::of(&temp).filter(|temp| temp.mount.is_some());
    let Some(mount) = mount else { return skip("only root may mount") };
    // While the writer exists, so do all files that a reader needs.
    let read = Archive::open(&mount.path(), ArchiveSettings::default()).and_then(|mut archive| archive.restore("s"));
    assert_eq!(read.unwrap().len(), 2);
    let log = fs::read(temp.path().with_file_name("history.db-wal")).unwrap();
    let file = temp.content();
    drop(writer);
    // As a crash leaves them.
    fs::write(temp.path(), file).unwrap();
    let path = temp.path().with_file_name("history.db-wal");
    fs::write(&path, log).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let failure = Archive::open(&mount.path(), ArchiveSettings::default()).unwrap_err();
    assert_eq!(failure.code, Code::ReadOnly);
    assert!(failure.message.contains("write-ahead log"), "{failure}");
}
