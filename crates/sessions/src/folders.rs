//! Finds candidate session files under the given paths; their format is detected later, by content.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use palimpsest_archive::sibling_path;

use crate::{DATABASE_EXTENSION, Source, has_extension, is_database, opencode_storage};

#[cfg(test)]
mod tests;

const SESSION_EXTENSIONS: [&str; 7] = ["jsonl", "json", "ndjson", "traj", "yaml", "yml", DATABASE_EXTENSION];
/// Droid's `session.settings.json` holds the usage of `session.jsonl`.
const SETTINGS: &str = "settings.json";
const SUB_AGENTS: &str = "subagents";
/// Folders that hold no sessions and can be huge.
const IGNORED_FOLDERS: [&str; 2] = ["node_modules", ".git"];

#[derive(Debug, Default)]
pub struct Found {
    pub sources: Vec<Source>,
    pub failures: Vec<(PathBuf, io::Error)>,
}

/// A named file is always taken, a folder is searched. Each folder is searched once, so a loop of links ends.
pub fn find_files(paths: &[PathBuf]) -> Found {
    let mut search = FolderSearch::default();
    for path in paths {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => search.add_folder(FoundPath::of(path.clone(), 0)),
            Ok(metadata) => {
                search.add_file(FoundPath::of(path.clone(), metadata.len()));
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
    let is_sub_agent = |source: &Source| session_of_sub_agent(&source.path).is_some();
    let (sub_agents, mut sessions): (Vec<Source>, Vec<Source>) = sources.into_iter().partition(is_sub_agent);
    let mut without_session = Vec::new();
    for sub_agent in sub_agents {
        let path = session_of_sub_agent(&sub_agent.path);
        let index = path.and_then(|path| sessions.binary_search_by(|other| other.path.cmp(&path)).ok());
        if let Some(session) = index.and_then(|index| sessions.get_mut(index)) {
            session.files.extend(sub_agent.files);
            session.bytes += sub_agent.bytes;
        } else {
            without_session.push(sub_agent);
        }
    }
    sessions.extend(without_session);
    sessions.sort_by(|one, other| one.path.cmp(&other.path));
    sessions
}

fn session_of_sub_agent(path: &Path) -> Option<PathBuf> {
    let is_sub_agent = path.file_name()?.to_str()?.starts_with("agent-") && path.extension()? == "jsonl";
    let folder = path.parent().filter(|folder| is_sub_agent && folder.ends_with(SUB_AGENTS))?;
    Some(folder.parent()?.with_extension("jsonl"))
}

#[derive(Clone)]
struct FoundPath {
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
    seen_folders: HashSet<PathBuf>,
    seen_files: HashSet<PathBuf>,
}

impl FolderSearch {
    fn add_file(&mut self, FoundPath { path, resolved, bytes }: FoundPath) {
        if self.seen_files.insert(resolved) {
            let files = opencode_storage::files_of(&path).unwrap_or_else(|| {
                // No link, which may lead elsewhere.
                let is_regular_file = |file: &PathBuf| file.symlink_metadata().is_ok_and(|found| found.is_file());
                let companion = companion_of(&path).filter(is_regular_file);
                [path.clone()].into_iter().chain(companion).collect()
            });
            let others = files.iter().skip(1).filter_map(|file| Some(file.metadata().ok()?.len()));
            let bytes = others.fold(bytes, u64::saturating_add);
            self.found.sources.push(Source { path, files, bytes });
        }
    }

    /// Without recursion: folders can be nested as deeply as the file system allows.
    fn add_folder(&mut self, root: FoundPath) {
        let mut waiting = vec![root];
        while let Some(folder) = waiting.pop() {
            if !self.seen_folders.insert(folder.resolved.clone()) {
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

    fn read_folder(&mut self, folder: &FoundPath) -> io::Result<(Vec<FoundPath>, Vec<FoundPath>)> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in folder.path.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            let is_link = entry.file_type()?.is_symlink();
            let metadata = match path.metadata() {
                Ok(metadata) => metadata,
                // Ignore a broken link.
                Err(_) if is_link => continue,
                Err(error) => {
                    self.found.failures.push((path, error));
                    continue;
                }
            };
            // Resolving each folder's path would take time cubic in the depth: a minute for 2,000 levels.
            let resolved = if is_link { resolve_links(&path) } else { folder.resolved.join(entry.file_name()) };
            let is_ignored = IGNORED_FOLDERS.iter().any(|name| entry.file_name() == *name);
            let is_session = metadata.is_file() && SESSION_EXTENSIONS.iter().any(|known| has_extension(&path, known));
            let found = FoundPath { path, resolved, bytes: metadata.len() };
            if metadata.is_dir() && !is_ignored {
                folders.push(found);
            } else if is_session {
                files.push(found);
            }
        }
        let has = |name: &str| folders.iter().any(|folder: &FoundPath| folder.path.ends_with(name));
        if opencode_storage::is_storage(has) {
            folders.retain(|folder| opencode_storage::holds_sessions(&folder.path));
        }
        Ok((files, folders))
    }

    /// Adds the session files of a folder: some are one session together, others are one each.
    fn add_files(&mut self, folder: &Path, mut files: Vec<FoundPath>) {
        if let Some(pair) = cline_pair(&files) {
            files.retain(|file| !pair.iter().any(|one| one.path == file.path));
            self.add_as_one(folder, pair);
        }
        if !files.is_empty() && files.iter().all(|file| event_number(&file.path).is_some()) {
            files.sort_by_key(|file| event_number(&file.path));
            self.add_as_one(folder, files);
            return;
        }
        let companions: HashSet<PathBuf> = files.iter().filter_map(|file| companion_of(&file.path)).collect();
        for file in files.into_iter().filter(|file| !companions.contains(&file.path)) {
            self.add_file(file);
        }
    }

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

/// The files of a Cline or Roo task in the order that their reader expects: the requests' usage, the messages.
fn cline_pair(files: &[FoundPath]) -> Option<Vec<FoundPath>> {
    let named = |name: &str| files.iter().find(|file| file.path.file_name().is_some_and(|own| own == name));
    let pair = named("ui_messages.json").zip(named("api_conversation_history.json"));
    pair.map(|(screen, conversation)| vec![screen.clone(), conversation.clone()])
}

/// The number in `17.json`: in a folder of such files, each is one event of a session.
fn event_number(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_suffix(".json")?.parse().ok()
}
