#![cfg(unix)]

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::*;
use crate::testing::{TempArchive, batch, messages};
use crate::{Archive, ArchiveSettings};

fn open(path: &Path) -> Result<Archive, Failure> {
    Archive::open(path, ArchiveSettings::default())
}

fn open_shared(path: &Path) -> Result<Archive, Failure> {
    Archive::open(path, ArchiveSettings { allow_shared_file: true, ..ArchiveSettings::default() })
}

fn archive_with_one_batch() -> TempArchive {
    let temp = TempArchive::new();
    temp.open().append("s", &batch("a", &messages(&["kept"]))).unwrap();
    temp
}

#[test]
fn a_file_readable_or_writable_by_others_is_refused_unless_shared_files_are_allowed() {
    let temp = archive_with_one_batch();
    for mode in [0o644, 0o640, 0o604, 0o620, 0o602, 0o666] {
        temp.set_mode(mode);
        let failure = open(&temp.path()).unwrap_err();
        assert_eq!(failure.code, Code::NotPrivate, "{mode:o}");
        assert!(failure.message.contains("chmod 600"), "{failure}");
        assert_eq!(open_shared(&temp.path()).unwrap().get("s", "a").unwrap().messages.len(), 1);
    }
    temp.set_mode(0o600);
    open(&temp.path()).unwrap();
}

#[test]
fn a_file_of_another_user_is_refused_unless_shared_files_are_allowed() {
    let temp = archive_with_one_batch();
    if std::os::unix::fs::chown(temp.path(), Some(65_534), None).is_err() {
        return assert_ne!(rustix::process::geteuid().as_raw(), 0, "root can give files away; others can't test it");
    }
    assert_eq!(open(&temp.path()).unwrap_err().code, Code::NotPrivate);
    assert_eq!(open_shared(&temp.path()).unwrap().restore("s").unwrap().len(), 1);
}

#[test]
fn a_symbolic_link_as_the_file_is_refused_and_its_target_is_not_created() {
    let temp = TempArchive::new();
    let (link, target) = (temp.path(), temp.path().with_file_name("target.db"));
    symlink(&target, &link).unwrap();
    assert_eq!(open(&link).unwrap_err().code, Code::NotPrivate);
    assert!(!target.exists());
    open(&target).unwrap().append("s", &batch("a", &messages(&["kept"]))).unwrap();
    assert_eq!(open(&link).unwrap_err().code, Code::NotPrivate);
    assert_eq!(open_shared(&link).unwrap().get("s", "a").unwrap().messages.len(), 1);
}

#[test]
fn a_path_through_a_linked_folder_is_opened() {
    let temp = archive_with_one_batch();
    let folder = temp.path().parent().unwrap().to_owned();
    let link_folder = tempfile::tempdir().unwrap();
    symlink(&folder, link_folder.path().join("data")).unwrap();
    let through = link_folder.path().join("data").join("history.db");
    assert_eq!(open(&through).unwrap().get("s", "a").unwrap().messages.len(), 1);
}

#[test]
fn a_log_file_planted_next_to_the_archive_is_refused() {
    for ending in SIBLING_ENDINGS {
        let temp = archive_with_one_batch();
        let log = sibling_path(&temp.path(), ending);
        fs::write(&log, b"planted").unwrap();
        fs::set_permissions(&log, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(open(&temp.path()).unwrap_err().code, Code::NotPrivate, "{ending}");
        fs::remove_file(&log).unwrap();
        symlink("/dev/null", &log).unwrap();
        assert_eq!(open(&temp.path()).unwrap_err().code, Code::NotPrivate, "{ending}");
    }
}

#[test]
fn an_empty_file_readable_by_others_is_refused_and_stays_empty() {
    let temp = TempArchive::holding(b"");
    temp.set_mode(0o644);
    assert_eq!(open(&temp.path()).unwrap_err().code, Code::NotPrivate);
    assert_eq!(fs::metadata(temp.path()).unwrap().size(), 0);
}
