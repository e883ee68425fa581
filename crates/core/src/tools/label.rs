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
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_line_of_at_most_120_units() {
        assert_eq!(of_text("  two\n\n\twords \u{0007}"), "two words");
        assert_eq!(of_text(""), "");
        for text in ["a".repeat(500), "汉".repeat(500), "𝒳 ".repeat(500)] {
            let label = of_text(&text);
            assert!(label.encode_utf16().count() <= MAX_UNITS && label.ends_with('…'), "{label}");
        }
        assert_eq!(of_text(&"a".repeat(MAX_UNITS - 1)), "a".repeat(MAX_UNITS - 1));
    }

    #[test]
    fn the_subject_of_a_call_is_its_file_or_its_command_without_secrets() {
        let command = |text: &str| subject_of("bash", &serde_json::json!({ "command": text }).to_string());
        assert_eq!(command("cd /app && cargo test -p core --lib 2>&1 | tail -5"), "cargo test -p core --lib");
        assert_eq!(command("API_KEY=sk-123 npm run deploy"), "npm run deploy");
        assert_eq!(command("curl -H 'Authorization: Bearer sk-123' https://a.b"), "curl -H …");
        assert_eq!(command("bash -lc 'sed -n 1,20p src/a.ts'"), "sed -n 1,20p src/a.ts");
        assert_eq!(command("login 0123456789abcdef0123456789abcdef"), "login …");
        assert_eq!(subject_of("exec_command", r#"{"cmd":["git","log","-3"]}"#), "git log -3");
        assert_eq!(subject_of("Read", r#"{"file_path":"src/a.ts","limit":3}"#), "src/a.ts");
        assert_eq!(subject_of("Grep", r#"{"pattern":"sk-123"}"#), "");
        assert_eq!(subject_of("ask_database", r#"{"sql":"select 1"}"#), "");
        assert_eq!(subject_of("apply_patch", "*** Begin Patch"), "");
        for path in ["d/".repeat(100) + "a.ts", "汉".repeat(200), "𝒳".repeat(200)] {
            let subject = subject_of("Read", &serde_json::json!({ "path": path }).to_string());
            assert!(subject.encode_utf16().count() <= MAX_SUBJECT_UNITS, "{subject}");
            assert!(subject.starts_with('…'), "{subject}");
        }
        for text in ["x ".repeat(300), "a/".repeat(300), String::new(), "汉 ".repeat(99)] {
            assert!(command(&text).encode_utf16().count() <= MAX_SUBJECT_UNITS, "{text}");
        }
    }

    #[test]
    fn a_label_has_text_arguments_as_they_are_and_no_arguments_give_the_name_alone() {
        assert_eq!(of_call("apply_patch", "*** Begin Patch"), "apply_patch: *** Begin Patch");
        for arguments in ["{}", "", r#"{"n": 1}"#, r#"{"command": null}"#] {
            assert_eq!(of_call("wait", arguments), "wait", "{arguments}");
        }
        assert_eq!(of_call("x", r#"{"path": "a", "path": "b"}"#), "x: b", "named twice");
    }
}
