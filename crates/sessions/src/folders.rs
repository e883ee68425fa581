//! Finds candidate session files under the given paths; their format is detected later, by content.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use palimpsest_archive::sibling_path;

use crate::opencode_storage;
use crate::source::{DATABASE_EXTENSION, Source, has_extension, is_database};

/// Extensions of session files.
const EXTENSIONS: [&str; 7] = ["jsonl", "json", "ndjson", "traj", "yaml", "yml", DATABASE_EXTENSION];
/// Droid's `session.settings.json` holds the usage of `session.jsonl`.
const SETTINGS: &str = "settings.json";
const SUB_AGENTS: &str = "subagents";
/// Folders that hold no sessions and can be huge.
const IGNORED_FOLDERS: [&str; 2] = ["node_modules", ".git"];

/// The sources found, sorted by path, and the paths that couldn't be read.
#[derive(Debug, Default)]
pub struct Found {
    pub sources: Vec<Source>,
    pub failures: Vec<(PathBuf, io::Error)>,
}

/// Finds session files: a named file is always taken, a folder is searched recursively.
///
/// Links are followed, and each folder is searched once, so a loop of links ends.
pub fn find_files(paths: &[PathBuf]) -> Found {
    let mut search = FolderSearch::default();
    for path in paths {
        match path.metadata() {
            Ok(about) if about.is_dir() => search.add_folder(FoundPath::of(path.clone(), 0)),
            Ok(about) => {
                search.add_file(FoundPath::of(path.clone(), about.len()));
                let sub_agent_folder = path.with_extension("").join(SUB_AGENTS);
                if sub_agent_folder.is_dir() {
                    search.add_folder(FoundPath::of(sub_agent_folder, 0));
                }
            }
            Err(error) => search.found.failures.push((path.clone(), error)),
        }
    }
    let mut found = search.found;
    found.sources.sort_by(|one, other| one.path.cmp(&other.path));
    found.sources = opencode_storage::without_migrated(join_sub_agents(found.sources));
    found
}

/// Adds Claude Code's sub-agents to their session: those of `session.jsonl` are in `session/subagents/agent-*.jsonl`.
fn join_sub_agents(sources: Vec<Source>) -> Vec<Source> {
    let (sub_agents, mut sessions): (Vec<Source>, Vec<Source>) =
        sources.into_iter().partition(|source| session_of_sub_agent(&source.path).is_some());
    let mut without_session = Vec::new();
    for sub_agent in sub_agents {
        let path = session_of_sub_agent(&sub_agent.path);
        let index = path.and_then(|path| sessions.binary_search_by(|other| other.path.cmp(&path)).ok());
        match index.and_then(|index| sessions.get_mut(index)) {
            Some(session) => {
                session.files.extend(sub_agent.files);
                session.bytes += sub_agent.bytes;
            }
            None => without_session.push(sub_agent),
        }
    }
    sessions.extend(without_session);
    sessions.sort_by(|one, other| one.path.cmp(&other.path));
    sessions
}

/// The session file of the sub-agent file `path`.
fn session_of_sub_agent(path: &Path) -> Option<PathBuf> {
    let is_sub_agent = path.file_name()?.to_str()?.starts_with("agent-") && path.extension()? == "jsonl";
    let folder = path.parent().filter(|folder| is_sub_agent && folder.ends_with(SUB_AGENTS))?;
    Some(folder.parent()?.with_extension("jsonl"))
}

/// A file or folder.
#[derive(Clone)]
struct FoundPath {
    /// As given or found.
    path: PathBuf,
    /// The same with links resolved, by which a path that is found twice is recognised.
    resolved: PathBuf,
    bytes: u64,
}

impl FoundPath {
    fn of(path: PathBuf, bytes: u64) -> Self {
        Self { resolved: resolve_links(&path), path, bytes }
    }
}

fn resolve_links(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[derive(Default)]
struct FolderSearch {
    found: Found,
    /// Resolved paths of the folders and files seen so far.
    folders: HashSet<PathBuf>,
    files: HashSet<PathBuf>,
}

impl FolderSearch {
    /// Adds a file with its companion, or with the other files of its opencode session.
    fn add_file(&mut self, FoundPath { path, resolved, bytes }: FoundPath) {
        if self.files.insert(resolved) {
            let files = opencode_storage::files_of(&path).unwrap_or_else(|| {
                let companion = companion_of(&path).filter(|file| is_regular_file(file));
                [path.clone()].into_iter().chain(companion).collect()
            });
            let more = files.iter().skip(1).filter_map(|file| Some(file.metadata().ok()?.len()));
            let bytes = more.fold(bytes, u64::saturating_add);
            self.found.sources.push(Source { path, files, bytes });
        }
    }

    /// Adds the sessions in a folder and its subfolders. Without recursion: folders can be nested as deeply as the file
    /// system allows.
    fn add_folder(&mut self, root: FoundPath) {
        let mut waiting = vec![root];
        while let Some(folder) = waiting.pop() {
            if !self.folders.insert(folder.resolved.clone()) {
                continue;
            }
            match self.read_folder(&folder) {
                Ok((files, folders)) => {
                    waiting.extend(folders);
                    self.add_files(&folder.path, files);
                }
                Err(error) => self.found.failures.push((folder.path, error)),
            }
        }
    }

    /// The session files in a folder, and the folders in it that are to be searched.
    fn read_folder(&mut self, folder: &FoundPath) -> io::Result<(Vec<FoundPath>, Vec<FoundPath>)> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in folder.path.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            let is_link = entry.file_type()?.is_symlink();
            let about = match path.metadata() {
                Ok(about) => about,
                // Ignore a broken link.
                Err(_) if is_link => continue,
                Err(error) => {
                    self.found.failures.push((path, error));
                    continue;
                }
            };
            // Resolving each folder's path would take time cubic in the depth: a minute for 2,000 levels.
            let resolved =
                if is_link { resolve_links(&path) } else { folder.resolved.join(entry.file_name()) };
            let is_ignored = IGNORED_FOLDERS.iter().any(|name| entry.file_name() == *name);
            let is_session = about.is_file() && EXTENSIONS.iter().any(|known| has_extension(&path, known));
            let found = FoundPath { path, resolved, bytes: about.len() };
            if about.is_dir() && !is_ignored {
                folders.push(found);
            } else if is_session {
                files.push(found);
            }
        }
        let names: Vec<OsString> =
            folders.iter().filter_map(|folder| Some(folder.path.file_name()?.to_owned())).collect();
        // In opencode's storage, folders of messages and parts are read together with their sessions.
        let is_searched = |name: &OsStr| opencode_storage::is_searched(name, &names);
        folders.retain(|folder| folder.path.file_name().is_none_or(is_searched));
        Ok((files, folders))
    }

    /// Adds the session files of a folder: some are one session together, others are one each.
    fn add_files(&mut self, folder: &Path, mut files: Vec<FoundPath>) {
        if let Some(pair) = cline_pair(&files) {
            files.retain(|file| !pair.iter().any(|one| one.path == file.path));
            self.add_as_one(folder, pair);
        }
        if !files.is_empty() && files.iter().all(|file| number(&file.path).is_some()) {
            files.sort_by_key(|file| number(&file.path));
            self.add_as_one(folder, files);
            return;
        }
        let companions: HashSet<PathBuf> = files.iter().filter_map(|file| companion_of(&file.path)).collect();
        for file in files.into_iter().filter(|file| !companions.contains(&file.path)) {
            self.add_file(file);
        }
    }

    /// Adds files of a folder as one session.
    fn add_as_one(&mut self, folder: &Path, files: Vec<FoundPath>) {
        let bytes = files.iter().map(|file| file.bytes).sum();
        let files = files.into_iter().map(|file| file.path).collect();
        self.found.sources.push(Source { path: folder.to_path_buf(), files, bytes });
    }
}

/// Path of a session file's companion, which is read with it: a database's log, or Droid's settings.
fn companion_of(path: &Path) -> Option<PathBuf> {
    if is_database(path) {
        return Some(sibling_path(path, "-wal"));
    }
    has_extension(path, "jsonl").then(|| path.with_extension(SETTINGS))
}

/// True for a regular file, false for a link, which may lead elsewhere.
fn is_regular_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_file())
}

/// The two files of a Cline or Roo task, in the order that their reader expects: the first has the requests' usage, the
/// second the messages.
fn cline_pair(files: &[FoundPath]) -> Option<Vec<FoundPath>> {
    let named = |name: &str| files.iter().find(|file| file.path.file_name().is_some_and(|own| own == name));
    let pair = named("ui_messages.json").zip(named("api_conversation_history.json"));
    pair.map(|(screen, conversation)| vec![screen.clone(), conversation.clone()])
}

/// The number in `17.json`: in a folder of such files, each is one event of a session.
fn number(path: &Path) -> Option<u64> {
    if path.extension()? != "json" {
        return None;
    }
    path.file_stem()?.to_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::find_files;

    fn names(found: &super::Found, root: &std::path::Path) -> Vec<String> {
        let name =
            |path: &std::path::Path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
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
    fn files_of_sub_agents_belong_to_their_session_also_where_that_alone_is_named() {
        let root = tempfile::tempdir().unwrap();
        for name in [
            "s.jsonl", "s/subagents/agent-1.jsonl", "s/subagents/agent-2.jsonl",
            "gone/subagents/agent-3.jsonl",
        ] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        let counts = |path: std::path::PathBuf| {
            let found = find_files(&[path]);
            found.sources.iter().map(|source| (source.files.len(), source.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(counts(root.path().to_path_buf()), [(1, 2), (3, 6)]);
        assert_eq!(counts(root.path().join("s.jsonl")), [(3, 6)]);
    }

    #[test]
    fn droids_settings_belong_to_the_session_beside_them_also_where_that_alone_is_named() {
        let root = tempfile::tempdir().unwrap();
        for name in ["a.jsonl", "a.settings.json", "b.settings.json"] {
            fs::write(root.path().join(name), "{}").unwrap();
        }
        let counts = |path: std::path::PathBuf| {
            let found = find_files(&[path]);
            found.sources.iter().map(|source| (source.files.len(), source.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(counts(root.path().to_path_buf()), [(2, 4), (1, 2)]);
        assert_eq!(counts(root.path().join("a.jsonl")), [(2, 4)]);
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
    #[cfg(unix)]
    fn links_that_lead_to_themselves_or_to_each_other_end() {
        let root = tempfile::tempdir().unwrap();
        for (target, link) in [("self", "self"), ("two", "one"), ("one", "two"), (".", "here")] {
            std::os::unix::fs::symlink(target, root.path().join(link)).unwrap();
        }
        fs::write(root.path().join("a.jsonl"), "{}").unwrap();
        let found = find_files(&[root.path().to_path_buf(), root.path().join("self")]);
        assert_eq!(names(&found, root.path()), ["a.jsonl"]);
        // The error has the path that was given.
        assert_eq!(
            found.failures.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(),
            [root.path().join("self")]
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn folders_deeper_than_a_path_can_be_long_end_and_are_reported() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.json"), "{}").unwrap();
        // Build the tower bottom-up: no path is long enough to reach the lowest folder.
        let mut tower = tempfile::tempdir_in(root.path()).unwrap().keep();
        for _ in 0..3_000 {
            let above = tempfile::tempdir_in(root.path()).unwrap().keep();
            fs::rename(&tower, above.join("d")).unwrap();
            tower = above;
        }
        let found = find_files(&[root.path().to_path_buf()]);
        assert_eq!(names(&found, root.path()), ["a.json"]);
        assert_eq!(found.failures.len(), 1);
    }

    #[test]
    fn a_path_that_is_not_there_is_reported() {
        let found = find_files(&["/nowhere/at/all".into()]);
        assert_eq!((found.sources.len(), found.failures.len()), (0, 1));
    }
}
