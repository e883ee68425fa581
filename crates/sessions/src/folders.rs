//! Finds what may be session files under given paths. What each really is, its content says later.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Names end so, wherever an agent writes sessions.
const ENDINGS: [&str; 5] = ["jsonl", "json", "ndjson", "yaml", "yml"];
/// Folders of other people's files, which can be huge.
const PASSED_OVER: [&str; 2] = ["node_modules", ".git"];

/// One file, or the files of a folder that make up one session together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the folder.
    pub path: PathBuf,
    /// In the order in which they are read.
    pub files: Vec<PathBuf>,
    pub bytes: u64,
}

/// What was found, sorted by path, and which paths couldn't be looked into.
#[derive(Debug, Default)]
pub struct Found {
    pub sources: Vec<Source>,
    pub failures: Vec<(PathBuf, io::Error)>,
}

/// Looks for session files: a file that is named is always taken, a folder is searched with all below it.
///
/// Links are followed, and each folder is searched once, so a loop of links ends.
#[must_use]
pub fn find_files(paths: &[PathBuf]) -> Found {
    let mut search = Search::default();
    for path in paths {
        match path.metadata() {
            Ok(about) if about.is_dir() => search.folder(path),
            Ok(about) => search.file(path.clone(), about.len()),
            Err(error) => search.found.failures.push((path.clone(), error)),
        }
    }
    search.found.sources.sort_by(|one, other| one.path.cmp(&other.path));
    search.found
}

#[derive(Default)]
struct Search {
    found: Found,
    folders: HashSet<PathBuf>,
    files: HashSet<PathBuf>,
}

impl Search {
    fn file(&mut self, path: PathBuf, bytes: u64) {
        let place = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.files.insert(place) {
            self.found.sources.push(Source { files: vec![path.clone()], path, bytes });
        }
    }

    /// Without recursion: a folder can be as deep as the file system lets it be.
    fn folder(&mut self, root: &Path) {
        let mut waiting = vec![root.to_path_buf()];
        while let Some(folder) = waiting.pop() {
            let place = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            if !self.folders.insert(place) {
                continue;
            }
            match entries(&folder) {
                Ok((files, folders)) => {
                    waiting.extend(folders);
                    self.files_of(&folder, files);
                }
                Err(error) => self.found.failures.push((folder, error)),
            }
        }
    }

    fn files_of(&mut self, folder: &Path, mut files: Vec<(PathBuf, u64)>) {
        if let Some(pair) = classic_pair(&files) {
            let bytes = pair.iter().map(|(_, bytes)| bytes).sum();
            files.retain(|file| !pair.contains(file));
            let pair = pair.into_iter().map(|(path, _)| path).collect();
            self.found.sources.push(Source { path: folder.to_path_buf(), files: pair, bytes });
        }
        let numbers: Option<Vec<u64>> = files.iter().map(|(path, _)| number(path)).collect();
        if numbers.is_some_and(|numbers| !numbers.is_empty()) {
            files.sort_by_key(|(path, _)| number(path));
            let bytes = files.iter().map(|(_, bytes)| bytes).sum();
            let files = files.into_iter().map(|(path, _)| path).collect();
            self.found.sources.push(Source { path: folder.to_path_buf(), files, bytes });
            return;
        }
        for (path, bytes) in files {
            self.file(path, bytes);
        }
    }
}

/// The two files of a task of Cline or Roo: one has the requests' usage, the other what was said.
fn classic_pair(files: &[(PathBuf, u64)]) -> Option<Vec<(PathBuf, u64)>> {
    let named = |name: &str| files.iter().find(|(path, _)| path.file_name().is_some_and(|own| own == name));
    let pair = named("ui_messages.json").zip(named("api_conversation_history.json"));
    pair.map(|(screen, conversation)| vec![screen.clone(), conversation.clone()])
}

/// `17.json` in a folder of nothing else: the events of one session, each a file.
fn number(path: &Path) -> Option<u64> {
    if path.extension()? != "json" {
        return None;
    }
    path.file_stem()?.to_str()?.parse().ok()
}

type FilesAndFolders = (Vec<(PathBuf, u64)>, Vec<PathBuf>);

fn entries(folder: &Path) -> io::Result<FilesAndFolders> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in folder.read_dir()? {
        let path = entry?.path();
        // A link to nowhere is nobody's session.
        let Ok(about) = path.metadata() else { continue };
        if about.is_dir() {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !PASSED_OVER.contains(&name) {
                folders.push(path);
            }
        } else if about.is_file() && has_known_ending(&path) {
            files.push((path, about.len()));
        }
    }
    Ok((files, folders))
}

fn has_known_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::find_files;

    fn names(found: &super::Found, root: &std::path::Path) -> Vec<String> {
        let name = |path: &std::path::Path| path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        found.sources.iter().map(|source| name(&source.path)).collect()
    }

    #[test]
    fn files_come_sorted_and_what_nobody_writes_sessions_in_is_passed_over() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b/2.jsonl", "b/1.jsonl", "a.json", "c.png", "node_modules/x.json", ".git/y.json"] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        let found = find_files(&[root.path().to_path_buf()]);
        assert_eq!(names(&found, root.path()), ["a.json", "b/1.jsonl", "b/2.jsonl"]);
        assert!(found.failures.is_empty());
    }

    #[test]
    fn a_folder_of_numbered_files_is_one_source_in_the_order_of_the_numbers() {
        let root = tempfile::tempdir().unwrap();
        for name in ["10.json", "9.json", "0.json"] {
            fs::write(root.path().join(name), "{}").unwrap();
        }
        let found = find_files(&[root.path().to_path_buf()]);
        let files: Vec<_> =
            found.sources[0].files.iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(
            (found.sources.len(), files),
            (1, vec!["0.json".into(), "9.json".into(), "10.json".into()])
        );
    }

    #[test]
    fn the_two_files_of_a_cline_task_are_one_source() {
        let root = tempfile::tempdir().unwrap();
        let names =
            ["task/ui_messages.json", "task/api_conversation_history.json", "task/task_metadata.json"];
        for name in names.iter().chain(&["other/ui_messages.json"]) {
            fs::create_dir_all(root.path().join(name).parent().unwrap()).unwrap();
            fs::write(root.path().join(name), "[]").unwrap();
        }
        let found = find_files(&[root.path().to_path_buf()]);
        let tasks: Vec<_> = found.sources.iter().map(|source| source.files.len()).collect();
        assert_eq!(tasks, [1, 2, 1]);
        assert_eq!(
            found.sources[1].files,
            [
                root.path().join("task/ui_messages.json"),
                root.path().join("task/api_conversation_history.json")
            ]
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_loop_of_links_ends_and_a_file_is_found_once() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("a.jsonl"), "{}").unwrap();
        std::os::unix::fs::symlink(root.path(), inner.join("up")).unwrap();
        std::os::unix::fs::symlink(inner.join("a.jsonl"), root.path().join("b.jsonl")).unwrap();
        let found = find_files(&[root.path().to_path_buf(), root.path().to_path_buf()]);
        assert_eq!(found.sources.len(), 1);
    }

    #[test]
    fn a_path_that_is_not_there_is_said() {
        let found = find_files(&["/nowhere/at/all".into()]);
        assert_eq!((found.sources.len(), found.failures.len()), (0, 1));
    }
}
