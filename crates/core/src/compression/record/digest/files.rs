//! Tracks which files were read, written and deleted, from the calls that have results (R7.6). A file that was read and
//! edited is listed as both: an agent that only sees the edit reads it again (EDGE 21).

use serde_json::Value;

use crate::compression::message::ToolCall;
use crate::compression::plain_text::one_line;
use crate::compression::to_u32;
use crate::tools::ToolKind::{self, Delete, Edit, Editor, Move, Read};
use crate::tools::arguments::paths_at;
use crate::tools::kind_of;
use crate::tools::registry::{DESTINATION_KEYS, PATH_KEYS, SOURCE_KEYS};

/// Longer lists aren't useful; the oldest entries are dropped.
const MAX_FILES: usize = 200;
const LONGEST_PATH_CHARS: usize = 300;

/// Begins a patch in the format of Codex's `apply_patch`.
const PATCH_START: &str = "*** Begin Patch";

const SHELL_SYNTAX: [char; 16] = ['\n', ';', '|', '&', '$', '`', '<', '>', '*', '?', '(', '{', '[', '"', '\'', '\\'];

/// Paths as the agent wrote them, least recently used first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    pub read: Vec<String>,
    pub written: Vec<String>,
    /// Deleted files are in no other list.
    pub deleted: Vec<String>,
    /// How many older entries were dropped: read, written, deleted.
    pub forgotten: [u32; 3],
}

impl Files {
    pub(super) fn add_call(&mut self, call: &ToolCall) {
        let kind = kind_of(&call.name);
        // Calls on one file may have a patch as the file's text; any other tool that is given a patch applies it.
        if !matches!(kind, Read | Edit | Delete | Move | Editor) {
            return self.add_patch_call(&call.arguments);
        }
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return };
        let mut add_paths =
            |kind, keys: &[&str]| paths_at(&arguments, keys).into_iter().for_each(|path| self.add(kind, &path));
        let is_view = || arguments.get("command").and_then(Value::as_str) == Some("view");
        match kind {
            Move => {
                add_paths(Delete, &SOURCE_KEYS);
                add_paths(Edit, &DESTINATION_KEYS);
            }
            Editor if is_view() => add_paths(Read, &PATH_KEYS),
            kind => add_paths(kind, &PATH_KEYS),
        }
    }

    fn add_patch_call(&mut self, arguments: &str) {
        if !arguments.contains(PATCH_START) {
            return;
        }
        let Ok(parsed) = serde_json::from_str::<Value>(arguments) else { return self.add_patch(arguments) };
        let fields = parsed.as_object().into_iter().flatten().map(|(_, field)| field);
        let texts = [&parsed].into_iter().chain(fields).filter_map(Value::as_str);
        texts.filter(|text| text.contains(PATCH_START)).for_each(|patch| self.add_patch(patch));
    }

    /// Parses only plain commands (`rm`, `mv`, `git rm`, `git mv` alone) and patches.
    pub(super) fn add_command(&mut self, command: &str) {
        if command.contains(PATCH_START) {
            return self.add_patch(command);
        }
        if command.contains(SHELL_SYNTAX) {
            return;
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        let words = words.strip_prefix(&["git"]).unwrap_or(&words);
        let Some((&program, operands)) = words.split_first() else { return };
        let operands: Vec<&str> = operands.iter().copied().filter(|word| !word.starts_with('-')).collect();
        match (program, operands.as_slice()) {
            ("rm" | "unlink", paths) if !words.contains(&"--cached") => {
                for path in paths {
                    self.add(Delete, path);
                }
            }
            // If the target is a directory the new name is a guess; only the old one is certain.
            ("mv", [from, to]) => {
                self.add(Delete, from);
                if !to.ends_with('/') {
                    self.add(Edit, to);
                }
            }
            _ => {}
        }
    }

    /// Parses `*** Update File: path` and similar lines. Within a script the patch is a string with `\n` for breaks.
    fn add_patch(&mut self, patch: &str) {
        let is_plain = patch.contains("*** Begin Patch\n") || patch.contains("*** Begin Patch\r");
        for part in patch.split("*** ").skip(1) {
            let line = if is_plain { part.lines().next() } else { part.split("\\n").next() };
            let Some((action, file)) = line.unwrap_or_default().trim_end().split_once(": ") else { continue };
            match action {
                "Delete File" => self.add(Delete, file),
                "Add File" | "Update File" => self.add(Edit, file),
                "Move to" => {
                    if let Some(from) = self.written.pop() {
                        self.add(Delete, &from);
                    }
                    self.add(Edit, file);
                }
                _ => {}
            }
        }
    }

    /// A kind other than [`Read`] and [`Delete`] writes the file.
    fn add(&mut self, kind: ToolKind, path: &str) {
        let Self { read, written, deleted, forgotten: [read_count, written_count, deleted_count] } = self;
        match kind {
            Read => push_newest(read, path, read_count),
            Delete => {
                forget(read, path);
                forget(written, path);
                return push_newest(deleted, path, deleted_count);
            }
            _ => push_newest(written, path, written_count),
        }
        forget(deleted, path);
    }

    pub(super) fn from_json(stored: &Value, forgotten: [u32; 3]) -> Self {
        let list = |name: &str| {
            let mut paths = Vec::new();
            let stored = stored.get(name).and_then(Value::as_array).into_iter().flatten();
            stored.filter_map(Value::as_str).for_each(|path| push_newest(&mut paths, path, &mut 0));
            paths
        };
        Self { read: list("read"), written: list("written"), deleted: list("deleted"), forgotten }
    }
}

fn push_newest(list: &mut Vec<String>, path: &str, forgotten: &mut u32) {
    let path = listed_path(path);
    if path.is_empty() {
        return;
    }
    list.retain(|other| *other != path);
    list.push(path);
    let surplus = list.len().saturating_sub(MAX_FILES);
    *forgotten = forgotten.saturating_add(to_u32(list.drain(..surplus).count()));
}

/// Deleting a directory also removes the files in it.
fn forget(list: &mut Vec<String>, path: &str) {
    let path = listed_path(path);
    let path = path.trim_end_matches('/');
    let lies_within = |other: &String| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    list.retain(|other| other != path && !lies_within(other));
}

fn listed_path(path: &str) -> String {
    one_line(path.trim().trim_start_matches("./"), LONGEST_PATH_CHARS)
}
