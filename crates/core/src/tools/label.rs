//! What a message, a call or a result is called where one line must do: a cell of a map, an entry of a list.

use serde_json::Value;

use super::arguments::{telling, words};

/// The longest label, in UTF-16 units, its mark of omission included.
pub const MOST_UNITS: usize = 120;
const OMISSION: char = '…';

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
    let what = match serde_json::from_str::<Value>(arguments) {
        Ok(read @ Value::Object(_)) => telling(tool, &read).or_else(|| first_text(&read)).unwrap_or_default(),
        _ => arguments.to_owned(),
    };
    let what = of_text(&what);
    if what.is_empty() { of_text(tool) } else { of_text(&format!("{tool}: {what}")) }
}

fn first_text(object: &Value) -> Option<String> {
    object.as_object()?.values().filter(|value| !value.is_number()).find_map(words)
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
    fn arguments_that_are_no_object_are_the_label_and_a_call_that_says_nothing_has_its_name_alone() {
        assert_eq!(of_call("apply_patch", "*** Begin Patch"), "apply_patch: *** Begin Patch");
        for arguments in ["{}", "", r#"{"n": 1}"#, r#"{"command": null}"#] {
            assert_eq!(of_call("wait", arguments), "wait", "{arguments}");
        }
        assert_eq!(of_call("x", r#"{"path": "a", "path": "b"}"#), "x: b", "named twice");
    }
}
