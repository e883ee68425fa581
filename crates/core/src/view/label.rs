//! What a message, a call or a result is called where one line must do: a cell of a map, an entry of a list.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The longest label, in UTF-16 units, its mark of omission included.
pub const MOST_UNITS: usize = 120;
const OMISSION: char = '…';

/// A call's arguments as far as labels go by them; everything else is passed over.
#[derive(Deserialize)]
struct Telling {
    #[serde(alias = "filePath", alias = "absolute_path", alias = "file", alias = "filename")]
    file_path: Option<Value>,
    path: Option<Value>,
    #[serde(alias = "cmd", alias = "commandLine")]
    command: Option<Value>,
    #[serde(alias = "query", alias = "regex")]
    pattern: Option<Value>,
    url: Option<Value>,
    description: Option<Value>,
}

/// The first words of `text` on one line.
#[must_use]
pub fn of_text(text: &str) -> String {
    let mut label = String::new();
    let mut units = 0;
    let mut is_gap = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            is_gap = !label.is_empty();
            continue;
        }
        let more = usize::from(is_gap) + letter.len_utf16();
        if units + more >= MOST_UNITS {
            label.push(OMISSION);
            return label;
        }
        if std::mem::take(&mut is_gap) {
            label.push(' ');
        }
        label.push(letter);
        units += more;
    }
    label
}

/// The tool, and the path, command or pattern that it was called with. `arguments` is JSON text or anything else.
#[must_use]
pub fn of_call(tool: &str, arguments: &str) -> String {
    let what = telling(arguments).unwrap_or_default();
    if what.is_empty() { of_text(tool) } else { of_text(&format!("{tool}: {what}")) }
}

fn telling(arguments: &str) -> Option<String> {
    let Ok(read) = serde_json::from_str::<Telling>(arguments) else {
        return match serde_json::from_str::<Map<String, Value>>(arguments) {
            Ok(object) => first_text(&object),
            Err(_) => Some(of_text(arguments)),
        };
    };
    let Telling { file_path, path, command, pattern, url, description } = read;
    // A search is told by what it looks for, not by where.
    let known = [command, file_path, pattern, path, url, description];
    known.into_iter().flatten().find_map(|value| words(&value)).or_else(|| {
        let object: Map<String, Value> = serde_json::from_str(arguments).ok()?;
        first_text(&object)
    })
}

fn first_text(object: &Map<String, Value>) -> Option<String> {
    object.values().find_map(words)
}

/// A command may be a list of words.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(of_text(text)),
        Value::Array(list) => {
            let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            (!words.is_empty()).then(|| of_text(&words.join(" ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_line_of_at_most_120_units() {
        assert_eq!(of_text("  two\n\n\twords \u{0007}"), "two words");
        assert_eq!(of_text(""), "");
        for text in ["a".repeat(500), "汉".repeat(500), "𝒳 ".repeat(500)] {
            let label = of_text(&text);
            assert!(label.encode_utf16().count() <= MOST_UNITS && label.ends_with('…'), "{label}");
        }
        assert_eq!(of_text(&"a".repeat(MOST_UNITS - 1)), "a".repeat(MOST_UNITS - 1));
    }

    #[test]
    fn a_call_is_told_by_its_command_or_its_path() {
        assert_eq!(of_call("Bash", r#"{"timeout": 3, "command": "npm test\n"}"#), "Bash: npm test");
        assert_eq!(of_call("shell", r#"{"command": ["bash", "-lc", "ls"]}"#), "shell: bash -lc ls");
        assert_eq!(of_call("Write", r#"{"content": "x", "file_path": "/a/b.rs"}"#), "Write: /a/b.rs");
        assert_eq!(of_call("Grep", r#"{"path": "src", "pattern": "todo"}"#), "Grep: todo");
    }

    #[test]
    fn a_call_of_another_kind_is_told_by_its_first_text_or_its_name_alone() {
        assert_eq!(of_call("ask", r#"{"n": 1, "question": "Why?"}"#), "ask: Why?");
        assert_eq!(of_call("apply_patch", "*** Begin Patch"), "apply_patch: *** Begin Patch");
        for arguments in ["{}", "", r#"{"n": 1}"#, r#"{"command": null}"#] {
            assert_eq!(of_call("wait", arguments), "wait", "{arguments}");
        }
        assert_eq!(of_call("x", r#"{"path": "a", "path": "b"}"#), "x: b", "named twice");
    }
}
