//! Decides which calls run commands, and which command that is.

use serde_json::Value;

use super::entry::strings_of;
use crate::compression::message::Call;
use crate::failure::Tool;

/// Arguments that hold the command.
const COMMAND_KEYS: [&str; 4] = ["command", "cmd", "script", "code"];

/// The command that `call` runs; `None` for tools that run none.
#[must_use]
pub fn command_of(call: &Call) -> Option<String> {
    if Tool::named(&call.name) != Tool::Command {
        return None;
    }
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    let given = COMMAND_KEYS.iter().find_map(|&key| arguments.get(key))?;
    if let Some(text) = given.as_str() {
        return Some(text.trim().to_owned());
    }
    let words: Vec<&str> = strings_of(given).collect();
    match words.as_slice() {
        // `["bash", "-lc", "…"]`: only what the shell is given tells commands apart.
        [_, option, script] if option.starts_with('-') && option.ends_with('c') => {
            Some(script.trim().to_owned())
        }
        [] => None,
        words => Some(words.join(" ")),
    }
}
