//! Decides the subject of a call by its arguments: the command that it runs, the files that it names, the text that distinguishes it, and
//! what it fetches, so that a repeated fetch is recognised.

use serde_json::Value;

use super::registry::{COMMAND_KEYS, DISTINGUISHING_KEYS, PATH_KEYS, PATTERN_KEYS};
use super::result_kind::{ResultKind, result_kind_of};
use super::{ToolKind, kind_of};
use crate::text::json_text;

/// The command that a call of `tool` runs; `None` for other tools. `arguments` may be JSON text or any other text.
pub fn command_of(tool: &str, arguments: &str) -> Option<String> {
    if kind_of(tool) != ToolKind::Command {
        return None;
    }
    command_in(&serde_json::from_str(arguments).ok()?)
}

fn command_in(arguments: &Value) -> Option<String> {
    let command = COMMAND_KEYS.iter().find_map(|&key| arguments.get(key))?;
    if let Some(text) = command.as_str() {
        return Some(text.trim().to_owned());
    }
    let words: Vec<&str> = command.as_array()?.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        // `["bash", "-lc", "…"]`: only the script distinguishes commands.
        [_, option, script] if option.starts_with('-') && option.ends_with('c') => Some(script.trim().to_owned()),
        [] => None,
        words => Some(words.join(" ")),
    }
}

/// The paths at the first of `keys` that exists: a string, an array of strings, of `{path}` objects, or a mix.
pub fn paths_at(arguments: &Value, keys: &[&str]) -> Vec<String> {
    let path_of = |value: &Value| value.as_str().or_else(|| value.get("path")?.as_str()).map(str::to_owned);
    match keys.iter().find_map(|&key| arguments.get(key)) {
        Some(Value::Array(entries)) => entries.iter().filter_map(path_of).collect(),
        Some(value) => path_of(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The text that distinguishes this call from others of `tool`. For a search this is the pattern, not the place.
pub fn distinguishing(tool: &str, arguments: &Value) -> Option<String> {
    let command = || command_in(arguments).filter(|command| !command.is_empty());
    if let Some(command) = (kind_of(tool) == ToolKind::Command).then(command).flatten() {
        return Some(command);
    }
    let text_at = |keys: &[&str]| keys.iter().find_map(|&key| text_of(arguments.get(key)?));
    let file = || paths_at(arguments, &PATH_KEYS).into_iter().find(|path| !path.trim().is_empty());
    text_at(&PATTERN_KEYS).or_else(file).or_else(command).or_else(|| text_at(&DISTINGUISHING_KEYS))
}

/// A text, a number, or the texts of a list, joined; `None` for a blank text and any other value.
pub fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    };
    (!text.trim().is_empty()).then_some(text)
}

/// What a call asks for: calls with equal fetches have the same result, except for changes in the meantime.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fetch {
    pub kind: ResultKind,
    tool: String,
    subject: String,
}

impl Fetch {
    /// A read is identified by its files, whichever lines; a command by its text; any other call by all arguments. `arguments` may be JSON or
    /// any other text. O(arguments).
    pub fn of_call(tool: &str, arguments: &str) -> Self {
        let kind = result_kind_of(tool, arguments);
        let subject = command_of(tool, arguments).unwrap_or_else(|| {
            let mut arguments = json_text::parse(arguments).unwrap_or_else(|_| Value::String(arguments.to_owned()));
            arguments.sort_all_objects();
            let files = paths_at(&arguments, &PATH_KEYS);
            let is_read = kind == ResultKind::FileRead && !files.is_empty();
            if is_read { files.join("\n") } else { arguments.to_string() }
        });
        Self { kind, tool: tool.to_ascii_lowercase(), subject }
    }
}

#[cfg(test)]
mod tests;
