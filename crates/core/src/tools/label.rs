//! Decides the one-line label of a message, a call or a result, for the pictures of a context and lists of its messages.

use serde_json::Value;

use super::arguments::{command_of, distinguishing, paths_at, text_of};
use super::registry::PATH_KEYS;
use super::result_kind::head_of_command;
use super::{ToolKind, kind_of};

/// Kinds of a context's content, in the order in which a picture stacks them. `fixed` is everything before the messages.
pub const KINDS: [&str; 10] =
    ["fixed", "system", "user", "assistant", "reasoning", "call", "result", "image", "summary", "other"];
/// Maximum length of a label in UTF-16 units, including its ellipsis.
pub const MAX_UNITS: usize = 120;
const OMISSION: char = '…';
/// Maximum length of [`subject_of`] in UTF-16 units, including its ellipsis.
pub const MAX_SUBJECT_UNITS: usize = 60;

/// The first words of `text` on one line.
pub fn of_text(text: &str) -> String {
    let mut label = String::new();
    let mut units = 0;
    let mut is_gap = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            is_gap = !label.is_empty();
            continue;
        }
        let added = usize::from(is_gap) + letter.len_utf16();
        if units + added >= MAX_UNITS {
            label.push(OMISSION);
            return label;
        }
        if std::mem::take(&mut is_gap) {
            label.push(' ');
        }
        label.push(letter);
        units += added;
    }
    label
}

/// The tool, and the path, command or pattern of the call. `arguments` may be JSON text or any other text.
pub fn of_call(tool: &str, arguments: &str) -> String {
    let subject = match serde_json::from_str::<Value>(arguments) {
        Ok(object @ Value::Object(_)) => {
            let values = object.as_object().into_iter().flat_map(|fields| fields.values());
            let first_text = || values.filter(|value| !value.is_number()).find_map(text_of);
            distinguishing(tool, &object).or_else(first_text).unwrap_or_default()
        }
        _ => arguments.to_owned(),
    };
    let subject = of_text(&subject);
    if subject.is_empty() { of_text(tool) } else { of_text(&format!("{tool}: {subject}")) }
}

/// The file that a call of `tool` names (the end of a long path), or the start of its command; empty if it names neither. Other arguments
/// may contain secrets and are not shown.
pub fn subject_of(tool: &str, arguments: &str) -> String {
    if kind_of(tool) == ToolKind::Command {
        let command = command_of(tool, arguments);
        return head_of_command(command.as_deref().unwrap_or(arguments), MAX_SUBJECT_UNITS);
    }
    let Ok(parsed) = serde_json::from_str::<Value>(arguments) else { return String::new() };
    let path = of_text(&paths_at(&parsed, &PATH_KEYS).into_iter().next().unwrap_or_default());
    let (mut units, mut rest) = (path.encode_utf16().count(), path.chars());
    if units <= MAX_SUBJECT_UNITS {
        return path;
    }
    while units + OMISSION.len_utf16() > MAX_SUBJECT_UNITS {
        let Some(letter) = rest.next() else { break };
        units -= letter.len_utf16();
    }
    format!("{OMISSION}{}", rest.as_str())
}

#[cfg(test)]
mod tests;
