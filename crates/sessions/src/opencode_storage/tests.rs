use std::fs;
use std::path::Path;

use crate::folders::find_files;

fn write(root: &Path, names: &[&str]) {
    for name in names {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
}

fn found(root: &Path, paths: &[&str]) -> Vec<Vec<String>> {
    let paths: Vec<_> = paths.iter().map(|path| root.join(path)).collect();
    let name = |path: &std::path::PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    find_files(&paths).sources.iter().map(|source| source.files.iter().map(name).collect()).collect()
}

const STORAGE: [&str; 6] = [
    "storage/session/p/ses_1.json",
    "storage/message/ses_1/msg_2.json",
    "storage/message/ses_1/msg_1.json",
    "storage/part/msg_1/prt_1.json",
    "storage/part/msg_2/prt_2.json",
    "storage/session/p/ses_2.json",
];

#[test]
fn a_session_of_the_storage_is_one_source_with_its_messages_and_parts_in_order() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &STORAGE);
    let first = [
        "storage/session/p/ses_1.json",
        "storage/message/ses_1/msg_1.json",
        "storage/part/msg_1/prt_1.json",
        "storage/message/ses_1/msg_2.json",
        "storage/part/msg_2/prt_2.json",
    ];
    let second = ["storage/session/p/ses_2.json"];
    for path in ["", "storage"] {
        assert_eq!(found(root.path(), &[path]), [first.to_vec(), second.to_vec()], "{path}");
    }
    assert_eq!(found(root.path(), &[STORAGE[0]]), [first.to_vec()]);
}

#[test]
#[cfg(unix)]
fn links_out_of_a_storage_are_not_followed() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &STORAGE);
    write(root.path(), &["elsewhere/msg_9.json", "secret.json"]);
    let storage = root.path().join("storage");
    std::os::unix::fs::symlink(root.path().join("elsewhere"), storage.join("message/ses_2")).unwrap();
    std::os::unix::fs::symlink(root.path().join("secret.json"), storage.join("part/msg_1/prt_9.json")).unwrap();
    let counts: Vec<usize> = found(root.path(), &["storage"]).iter().map(Vec::len).collect();
    assert_eq!(counts, [5, 1]);
}

#[test]
fn the_folders_of_the_first_versions_are_read() {
    let root = tempfile::tempdir().unwrap();
    let names = ["session/info/ses_1.json", "session/message/ses_1/msg_1.json", "session/part/ses_1/msg_1/prt_1.json"];
    write(root.path(), &names);
    assert_eq!(found(root.path(), &[""]), [names.to_vec()]);
}

#[test]
fn a_storage_next_to_its_database_is_skipped_unless_only_it_is_named() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &STORAGE);
    write(root.path(), &["opencode.db"]);
    for paths in [&[""][..], &["opencode.db", "storage"][..]] {
        assert_eq!(found(root.path(), paths), [["opencode.db"]]);
    }
    assert_eq!(found(root.path(), &["storage"]).len(), 2);
}
