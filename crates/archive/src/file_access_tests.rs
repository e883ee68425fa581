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

fn filled() -> TempArchive {
    let place = TempArchive::new();
    place.open().append("s", &batch("a", &messages(&["kept"]))).unwrap();
    place
}

#[test]
fn a_file_readable_or_writable_by_others_is_refused_unless_shared_files_are_allowed() {
    let place = filled();
    for mode in [0o644, 0o640, 0o604, 0o620, 0o602, 0o666] {
        place.set_mode(mode);
        let failure = open(&place.path()).unwrap_err();
        assert_eq!(failure.code, Code::NotPrivate, "{mode:o}");
        assert!(failure.message.contains("chmod 600"), "{failure}");
        assert_eq!(open_shared(&place.path()).unwrap().get("s", "a").unwrap().messages.len(), 1);
    }
    place.set_mode(0o600);
    open(&place.path()).unwrap();
}

#[test]
fn a_file_of_another_user_is_refused_unless_shared_files_are_allowed() {
    let place = filled();
    if std::os::unix::fs::chown(place.path(), Some(65_534), None).is_err() {
        return assert_ne!(
            rustix::process::geteuid().as_raw(),
            0,
            "root can give files away; others can't test it"
        );
    }
    assert_eq!(open(&place.path()).unwrap_err().code, Code::NotPrivate);
    assert_eq!(open_shared(&place.path()).unwrap().restore("s").unwrap().len(), 1);
}

#[test]
fn a_symbolic_link_as_the_file_is_refused_and_its_target_is_not_created() {
    let place = TempArchive::new();
    let (link, target) = (place.path(), place.path().with_file_name("target.db"));
    symlink(&target, &link).unwrap();
    assert_eq!(open(&link).unwrap_err().code, Code::NotPrivate);
    assert!(!target.exists());
    open(&target).unwrap().append("s", &batch("a", &messages(&["kept"]))).unwrap();
    assert_eq!(open(&link).unwrap_err().code, Code::NotPrivate);
    assert_eq!(open_shared(&link).unwrap().get("s", "a").unwrap().messages.len(), 1);
}

#[test]
fn a_path_through_a_linked_folder_is_opened() {
    let place = filled();
    let folder = place.path().parent().unwrap().to_owned();
    let external_index = tempfile::tempdir().unwrap();
    symlink(&folder, external_index.path().join("data")).unwrap();
    let through = external_index.path().join("data").join("history.db");
    assert_eq!(open(&through).unwrap().get("s", "a").unwrap().messages.len(), 1);
}

#[test]
fn a_log_file_planted_next_to_the_archive_is_refused() {
    for ending in SIBLING_ENDINGS {
        let place = filled();
        let log = sibling_path(&place.path(), ending);
        fs::write(&log, b"planted").unwrap();
        fs::set_permissions(&log, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(open(&place.path()).unwrap_err().code, Code::NotPrivate, "{ending}");
        fs::remove_file(&log).unwrap();
        symlink("/dev/null", &log).unwrap();
        assert_eq!(open(&place.path()).unwrap_err().code, Code::NotPrivate, "{ending}");
    }
}

#[test]
fn an_empty_file_readable_by_others_is_refused_and_stays_empty() {
    let place = TempArchive::holding(b"");
    place.set_mode(0o644);
    assert_eq!(open(&place.path()).unwrap_err().code, Code::NotPrivate);
    assert_eq!(fs::metadata(place.path()).unwrap().size(), 0);
}
