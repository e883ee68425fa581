//! Files of opencode before it had a database: `storage/session/{project}/{session}.json`,
//! `storage/message/{session}/{message}.json`, `storage/part/{message}/{part}.json`; the first versions had
//! `session/info`, `session/message` and `session/part/{session}` instead. Ids increase with time.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::source::{Source, is_database};

const SESSIONS: &str = "session";
/// Folder of sessions in the first versions.
const FIRST_SESSIONS: &str = "info";
const MESSAGES: &str = "message";
const PARTS: &str = "part";

/// The files of the session in `path`, that one first; `None` if it is not in a storage.
pub(crate) fn files_of(path: &Path) -> Option<Vec<PathBuf>> {
    let id = session_id(path)?;
    let (messages, parts) = folders_of(path, id)?;
    let mut files = vec![path.to_path_buf()];
    for message in json_files(&messages) {
        let own_parts = message.file_stem().map(|name| json_files(&parts.join(name)));
        files.push(message);
        files.extend(own_parts.unwrap_or_default());
    }
    Some(files)
}

fn session_id(path: &Path) -> Option<&OsStr> {
    let is_named = path.extension()? == "json" && path.file_name()?.to_str()?.starts_with("ses_");
    path.file_stem().filter(|_| is_named)
}

fn folders_of(path: &Path, id: &OsStr) -> Option<(PathBuf, PathBuf)> {
    let folder = path.parent()?;
    let parent = folder.parent()?;
    if folder.file_name()? == FIRST_SESSIONS && parent.join(MESSAGES).is_dir() {
        return Some((parent.join(MESSAGES).join(id), parent.join(PARTS).join(id)));
    }
    let root = parent.parent().filter(|root| parent.ends_with(SESSIONS) && root.join(MESSAGES).is_dir())?;
    Some((root.join(MESSAGES).join(id), root.join(PARTS)))
}

/// By name; none if it can't be read. Links are skipped: they may lead elsewhere, and opencode creates none.
fn json_files(folder: &Path) -> Vec<PathBuf> {
    if folder.symlink_metadata().is_ok_and(|about| about.is_symlink()) {
        return Vec::new();
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let is_json = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_json).collect();
    files.sort();
    files
}

/// True if the folder `name` is to be searched: folders of messages and parts are read with their sessions.
pub(crate) fn is_searched(name: &OsStr, siblings: &[OsString]) -> bool {
    let has = |name: &str| siblings.iter().any(|other| other == name);
    let is_storage = (has(SESSIONS) || has(FIRST_SESSIONS)) && has(MESSAGES) && has(PARTS);
    !is_storage || name == SESSIONS || name == FIRST_SESSIONS
}

/// Leaves out the sessions of a storage next to a database: opencode has moved them there.
pub(crate) fn without_migrated(mut sources: Vec<Source>) -> Vec<Source> {
    let databases = sources.iter().filter(|source| is_database(&source.path));
    let folders: HashSet<PathBuf> =
        databases.filter_map(|source| Some(source.path.parent()?.to_path_buf())).collect();
    let is_migrated = |source: &Source| {
        let storage = source.path.ancestors().find(|folder| folder.ends_with("storage"));
        let has_database = storage.and_then(Path::parent).is_some_and(|folder| folders.contains(folder));
        has_database && session_id(&source.path).is_some()
    };
    sources.retain(|source| !is_migrated(source));
    sources
}

#[cfg(test)]
mod tests {
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
        let name =
            |path: &std::path::PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
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
        std::os::unix::fs::symlink(root.path().join("secret.json"), storage.join("part/msg_1/prt_9.json"))
            .unwrap();
        let counts: Vec<usize> = found(root.path(), &["storage"]).iter().map(Vec::len).collect();
        assert_eq!(counts, [5, 1]);
    }

    #[test]
    fn the_folders_of_the_first_versions_are_read() {
        let root = tempfile::tempdir().unwrap();
        let names = [
            "session/info/ses_1.json",
            "session/message/ses_1/msg_1.json",
            "session/part/ses_1/msg_1/prt_1.json",
        ];
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
}
