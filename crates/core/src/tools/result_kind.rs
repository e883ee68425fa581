//! Decides what kind of result a call returns: the kind is the best predictor of how long the result is needed.

mod command;
mod kind;
mod shell;

use serde_json::Value;

use super::registry::COMMAND_KEYS;
use super::{ToolKind, kind_of};
use crate::text::json_text;
pub use kind::ResultKind;
use kind::ResultKind::{EditResult, FileRead, Other, Search, ShellRun, Web};

/// Parts of the names of web tools of any agent.
const WEB_NAME_PARTS: [&str; 5] = ["websearch", "web_search", "webfetch", "web_fetch", "browser"];

/// The kind of result of a call of `tool`; `arguments` may be JSON, or the command itself. O(arguments).
pub fn result_kind_of(tool: &str, arguments: &str) -> ResultKind {
    result_kind_by(kind_of(tool), tool, arguments)
}

/// [`result_kind_of`] for a known tool kind.
pub fn result_kind_by(kind: ToolKind, tool: &str, arguments: &str) -> ResultKind {
    match kind {
        ToolKind::Command => kind_of_command(arguments),
        ToolKind::Read => FileRead,
        ToolKind::List | ToolKind::Search => Search,
        ToolKind::WebSearch => Web,
        ToolKind::Edit | ToolKind::Patch | ToolKind::Delete | ToolKind::Move => EditResult,
        ToolKind::Editor => kind_of_editor(arguments),
        ToolKind::Other if is_web_tool(tool) => Web,
        ToolKind::Other => Other,
    }
}

fn is_web_tool(tool: &str) -> bool {
    let name = tool.to_ascii_lowercase();
    WEB_NAME_PARTS.iter().any(|web| name.contains(web)) || name == "fetch"
}

fn kind_of_editor(arguments: &str) -> ResultKind {
    let is_view =
        json_text::parse(arguments).is_ok_and(|parsed| parsed.get("command").and_then(Value::as_str) == Some("view"));
    if is_view { FileRead } else { EditResult }
}

/// Arguments that hold a command or a script: includes `input`, in which Codex's tools take a script.
fn command_keys() -> impl Iterator<Item = &'static str> {
    COMMAND_KEYS.into_iter().chain(["input"])
}

pub fn kind_of_command(arguments: &str) -> ResultKind {
    let of_text = |text: &str| kind_of_script(text).unwrap_or_else(|| command::kind_of_command_line(text));
    let Ok(Value::Object(fields)) = json_text::parse(arguments) else { return of_text(arguments) };
    match command_keys().find_map(|key| fields.get(key)) {
        Some(Value::String(text)) => of_text(text),
        // A list is one command's words, not parsed by a shell.
        Some(Value::Array(words)) => {
            let words = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            command::kind_of_words(words)
        }
        _ => ShellRun,
    }
}

/// The first plain words of a command line's main program, at most `max_units` UTF-16 units; stops at a word that is quoted, looks
/// like a secret, or is too long.
pub fn head_of_command(text: &str, max_units: usize) -> String {
    command::shown_command(text, max_units, 0)
}

/// The kind of result of a script that calls tools, `await tools.exec_command({cmd: "…"})`, and returns their results;
/// `None` if it calls none.
fn kind_of_script(text: &str) -> Option<ResultKind> {
    let calls = text.split("tools.").skip(1).filter_map(|rest| {
        let (name, arguments) = rest.split_once('(')?;
        let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let command = command_keys().find_map(|key| assigned_text(arguments, key)).unwrap_or_default();
        is_name.then(|| result_kind_of(name, &command))
    });
    ResultKind::of_several(&calls.collect::<Vec<_>>())
}

/// The text that a script passes as `key`, which may be quoted.
fn assigned_text(arguments: &str, key: &str) -> Option<String> {
    let (_, rest) = arguments.split_once(key)?;
    let rest = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim_start();
    serde_json::Deserializer::from_str(rest).into_iter::<String>().next()?.ok()
}

#[cfg(test)]
mod tests;
