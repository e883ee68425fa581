//! Decides which tool results are errors: they always stay, so that the agent doesn't repeat the mistake.

use crate::json_probe::{ValueKind, key_is, object_members};
use crate::utf16::{starts_with_ascii, trim_start};

/// What makes a tool result an error, besides its status and a content that starts with `Error:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorDetection {
    /// Nothing more (SPEC R2.4).
    Status,
    /// A terminal result whose JSON has a non-empty `stderr`: the reference's rule.
    Stderr,
    /// That, or a non-zero `exitCode` (SPEC R1.5).
    ExitCode,
}

/// Whether a content whose first units are `head` starts with `Error:` after white space; `None` when `head`,
/// not the whole content, is too short to tell.
#[must_use]
pub fn starts_as_error(head: &[u16], is_whole: bool) -> Option<bool> {
    const PREFIX: &str = "Error:";
    let start = trim_start(head);
    if is_whole || start.len() >= PREFIX.len() { Some(starts_with_ascii(start, PREFIX)) } else { None }
}

/// Whether a terminal result says that its command failed. Last duplicate key wins, nested keys don't count,
/// invalid JSON is not an error. O(content).
#[must_use]
pub fn command_failed(content: &[u16], detection: ErrorDetection) -> bool {
    if detection == ErrorDetection::Status {
        return false;
    }
    let (stderr, exit_code) = (ascii::<6>(b"stderr"), ascii::<8>(b"exitCode"));
    let (mut stderr_filled, mut exit_failed) = (false, false);
    let is_object = object_members(content, |key, value| {
        if key_is(key, &stderr) {
            stderr_filled = match value.kind {
                ValueKind::String => value.string_body().is_some_and(|body| !body.is_empty()),
                ValueKind::Array => value.is_empty_array() == Some(false),
                _ => false,
            };
        } else if key_is(key, &exit_code) {
            exit_failed = value.number().is_some_and(|code| code != 0.0);
        }
    });
    is_object && (stderr_filled || (exit_failed && detection == ErrorDetection::ExitCode))
}

const fn ascii<const N: usize>(bytes: &[u8; N]) -> [u16; N] {
    let mut units = [0; N];
    let mut at = 0;
    while at < N {
        #[allow(clippy::indexing_slicing)] // at < N, both have N
        {
            units[at] = bytes[at] as u16;
        }
        at += 1;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utf16::units;

    fn failed(content: &str) -> bool {
        command_failed(&units(content), ErrorDetection::ExitCode)
    }

    #[test]
    fn r1_5_white_space_before_error_is_what_javascript_trims() {
        assert_eq!(starts_as_error(&units("\u{FEFF}\u{2028} \tError: x"), true), Some(true));
        assert_eq!(starts_as_error(&units("error: x"), true), Some(false));
        assert_eq!(starts_as_error(&units("TypeError: x"), true), Some(false));
        assert_eq!(starts_as_error(&units("   Err"), false), None);
        assert_eq!(starts_as_error(&units("   Err"), true), Some(false));
    }

    #[test]
    fn r1_5_stderr_must_be_a_filled_string_or_array() {
        assert!(failed(r#"{"stderr":"boom"}"#));
        assert!(failed(r#"{"stderr":[""]}"#));
        for content in [
            r#"{"stderr":""}"#,
            r#"{"stderr":[ ]}"#,
            r#"{"stderr":null}"#,
            r#"{"stderr":{"a":1}}"#,
            r#"{"stderr":7}"#,
        ] {
            assert!(!failed(content), "{content}");
        }
    }

    #[test]
    fn r1_5_exit_code_must_be_a_number_other_than_zero() {
        assert!(failed(r#"{"exitCode":1}"#));
        assert!(failed(r#"{"exitCode":-1.5e3}"#));
        for content in [
            r#"{"exitCode":0}"#,
            r#"{"exitCode":-0.0}"#,
            r#"{"exitCode":"1"}"#,
            r#"{"exitCode":null}"#,
            r#"{"exitCode":1e-999}"#,
        ] {
            assert!(!failed(content), "{content}");
        }
        assert!(!command_failed(&units(r#"{"exitCode":1}"#), ErrorDetection::Stderr), "errors: 'seed'");
    }

    #[test]
    fn r1_5_last_duplicate_wins_and_nested_keys_do_not_count() {
        assert!(!failed(r#"{"stderr":"x","stderr":""}"#));
        assert!(failed(r#"{"stderr":"","std\u0065rr":"x"}"#));
        assert!(!failed(r#"{"result":{"stderr":"x","exitCode":2}}"#));
        assert!(!failed(r#"[{"stderr":"x"}]"#));
    }

    #[test]
    fn r1_5_invalid_json_is_not_an_error() {
        assert!(!failed(r#"{"stderr":"x""#));
        assert!(!failed(r#"{"stderr":"x"} trailing"#));
        assert!(!failed("\u{FEFF}{\"stderr\":\"x\"}"));
    }
}
