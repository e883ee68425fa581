//! What kind of result a call brings: how long it will be needed goes by that more than by anything else.

mod command;
mod shell;

use serde_json::Value;

use crate::text::json_text;
use crate::view::agents::tools_of;

/// What a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Something was built, tested, installed, committed.
    ShellRun,
    /// A command gave what a file holds, or a change of it.
    ShellRead,
    /// A command gave names of files, or lines of them.
    ShellSearch,
    FileRead,
    Search,
    /// A file was changed, and this says so.
    EditResult,
    Web,
    Other,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::ShellRun,
        Self::ShellRead,
        Self::ShellSearch,
        Self::FileRead,
        Self::Search,
        Self::EditResult,
        Self::Web,
        Self::Other,
    ];

    /// As tables show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShellRun => "shell run",
            Self::ShellRead => "shell read",
            Self::ShellSearch => "shell search",
            Self::FileRead => "file read",
            Self::Search => "search",
            Self::EditResult => "edit result",
            Self::Web => "web",
            Self::Other => "other",
        }
    }
}

/// Arguments that hold a command, the likeliest first.
const COMMAND_KEYS: [&str; 5] = ["command", "cmd", "script", "input", "code"];
/// Parts of the names of tools that look something up in the web.
const WEB: [&str; 5] = ["websearch", "web_search", "webfetch", "web_fetch", "browser"];
/// Tools that change files and belong to nobody's list of tools that read or write one file.
const PATCHES: [&str; 2] = ["apply_patch", "patch"];

/// The kind of what a call of `tool` brings; `arguments` is JSON, or the command itself. O(arguments).
#[must_use]
pub fn kind_of(tool: &str, arguments: &str) -> Kind {
    let name = tool.to_ascii_lowercase();
    // Tools of servers have the server's name ahead of theirs.
    let name = name.rsplit("__").next().unwrap_or(&name);
    let is_one = |names: Vec<&'static str>| names.contains(&name);
    if WEB.iter().any(|web| name.contains(web)) || name == "fetch" {
        Kind::Web
    } else if is_one(tools_of(None, |agent| agent.terminal)) {
        kind_of_command(arguments)
    } else if PATCHES.contains(&name) || is_one(tools_of(None, |agent| agent.edit)) {
        Kind::EditResult
    } else if is_one(tools_of(None, |agent| agent.read)) {
        Kind::FileRead
    } else if is_one(tools_of(None, |agent| agent.search)) {
        Kind::Search
    } else {
        Kind::Other
    }
}

/// The kind of what a terminal's command brings.
#[must_use]
pub fn kind_of_command(arguments: &str) -> Kind {
    let of_text = |text: &str| kind_of_program(text).unwrap_or_else(|| command::kind_of_text(text));
    let Ok(Value::Object(fields)) = json_text::parse(arguments) else { return of_text(arguments) };
    match COMMAND_KEYS.iter().find_map(|key| fields.get(*key)) {
        Some(Value::String(text)) => of_text(text),
        // A list is one command's words, and no shell reads them.
        Some(Value::Array(words)) => {
            let words = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            command::kind_of_words(words)
        }
        _ => Kind::ShellRun,
    }
}

/// A program that calls tools, `await tools.exec_command({cmd: "…"})`, brings what they do; none where it calls none.
fn kind_of_program(text: &str) -> Option<Kind> {
    let calls = text.split("tools.").skip(1).filter_map(|rest| {
        let (name, arguments) = rest.split_once('(')?;
        let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let command = COMMAND_KEYS.iter().find_map(|key| text_behind(arguments, key)).unwrap_or_default();
        is_name.then(|| kind_of(name, &command))
    });
    command::longest_needed(&calls.collect::<Vec<_>>())
}

/// The text that a program gives for `key`, quoted or not.
fn text_behind(arguments: &str, key: &str) -> Option<String> {
    let (_, rest) = arguments.split_once(key)?;
    let rest = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim_start();
    serde_json::Deserializer::from_str(rest).into_iter::<String>().next()?.ok()
}

#[cfg(test)]
mod tests;
