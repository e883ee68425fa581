//! Formats tool results for a model: the outcome and a few facts, no JSON (R5.6).
//!
//! The *original function* is the application's own, whose text the drop-in function reproduces.

use std::borrow::Cow;

/// A tool's result in the form of the original function's argument.
///
/// `None` for a value that the original function's template literals treat as absent: missing, empty, zero.
#[derive(Clone, Debug, Default)]
pub struct ToolResult<'a> {
    /// `None` for an MCP server's result.
    pub id: Option<Cow<'a, [u16]>>,
    pub success: bool,
    pub output: Option<Cow<'a, [u16]>>,
    pub error: Option<Cow<'a, [u16]>>,
    pub image_path: Option<Cow<'a, [u16]>>,
    pub file_path: Option<Cow<'a, [u16]>>,
    pub generation_time_ms: Option<Cow<'a, [u16]>>,
}

/// The original function's text (R5.6): `✓ id: output` with indented facts, `✗ id: error`, a blank line between
/// results. Unlike the original, a failure is followed by its output: the failed test's output tells more than the
/// failure.
pub fn format_for_model(results: &[ToolResult<'_>]) -> Vec<u16> {
    let mut text = Vec::new();
    for (index, result) in results.iter().enumerate() {
        if index > 0 {
            push(&mut text, "\n\n");
        }
        if result.success {
            push_success(&mut text, result);
        } else {
            push_failure(&mut text, result);
        }
    }
    text
}

fn push_success(text: &mut Vec<u16>, result: &ToolResult<'_>) {
    push(text, "✓ ");
    push_outcome(text, result.id.as_deref(), result.output.as_deref(), "Success");
    let facts = [
        ("Image saved", &result.image_path, ""),
        ("File", &result.file_path, ""),
        ("Time", &result.generation_time_ms, "ms"),
    ];
    for (name, value, unit) in facts {
        if let Some(value) = value {
            push(text, "\n  → ");
            push(text, name);
            push(text, ": ");
            text.extend_from_slice(value);
            push(text, unit);
        }
    }
}

fn push_failure(text: &mut Vec<u16>, result: &ToolResult<'_>) {
    push(text, "✗ ");
    let error = result.error.as_deref();
    push_outcome(text, result.id.as_deref(), error, "Failed");
    // A command's error often ends with the command's output.
    let Some(output) = result.output.as_deref() else { return };
    if !error.is_some_and(|error| error.ends_with(output)) {
        push(text, "\n");
        text.extend_from_slice(output);
    }
}

fn push_outcome(text: &mut Vec<u16>, id: Option<&[u16]>, outcome: Option<&[u16]>, default_outcome: &str) {
    if let Some(id) = id {
        text.extend_from_slice(id);
        push(text, ": ");
    }
    match outcome {
        Some(outcome) => text.extend_from_slice(outcome),
        None => push(text, default_outcome),
    }
}

fn push(text: &mut Vec<u16>, added: &str) {
    text.extend(added.encode_utf16());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::utf16::units;

    fn owned(text: &str) -> Cow<'static, [u16]> {
        Cow::Owned(units(text))
    }

    #[test]
    fn results_are_formatted_with_mark_id_output_and_paths_r5_6() {
        let image = ToolResult {
            id: Some(owned("call_1")),
            success: true,
            output: Some(owned("图片生成成功。")),
            image_path: Some(owned("/tmp/a.png")),
            file_path: Some(owned("/tmp/b.txt")),
            generation_time_ms: Some(owned("5120")),
            ..ToolResult::default()
        };
        let failed = ToolResult {
            id: Some(owned("call_2")),
            error: Some(owned("no network")),
            ..ToolResult::default()
        };
        let bare = ToolResult { id: Some(owned("c")), success: true, ..ToolResult::default() };
        let mute =
            ToolResult { id: Some(owned("d")), image_path: Some(owned("/x")), ..ToolResult::default() };
        let text = String::from_utf16(&format_for_model(&[image, failed, bare, mute])).unwrap();
        let expected = "✓ call_1: 图片生成成功。\n  → Image saved: /tmp/a.png\n  → File: /tmp/b.txt\n  → Time: 5120ms\n\n\
                        ✗ call_2: no network\n\n✓ c: Success\n\n✗ d: Failed";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_output_of_a_failure_follows_unless_its_error_ends_with_it_r5_6() {
        let failed = |error: Option<&str>, output: &str| {
            let result = ToolResult {
                id: Some(owned("c")),
                error: error.map(owned),
                output: Some(owned(output)),
                image_path: Some(owned("/x")),
                ..ToolResult::default()
            };
            String::from_utf16(&format_for_model(&[result])).unwrap()
        };
        assert_eq!(
            failed(Some("exit code 1"), "1 of 3 tests failed"),
            "✗ c: exit code 1\n1 of 3 tests failed"
        );
        assert_eq!(failed(None, "1 of 3 tests failed"), "✗ c: Failed\n1 of 3 tests failed");
        assert_eq!(failed(Some("Command failed: npm t\nboom"), "boom"), "✗ c: Command failed: npm t\nboom");
        assert_eq!(failed(Some("boom"), "boom"), "✗ c: boom");
    }

    #[test]
    fn no_results_give_no_text_and_lone_surrogates_stay_r5_6() {
        assert!(format_for_model(&[]).is_empty());
        let unnamed = ToolResult { success: true, output: Some(owned("12 °C")), ..ToolResult::default() };
        let failed = ToolResult::default();
        let text = String::from_utf16(&format_for_model(&[unnamed, failed])).unwrap();
        assert_eq!(text, "✓ 12 °C\n\n✗ Failed");
        let lone =
            ToolResult { success: true, output: Some(Cow::Owned(vec![0xD800, 0])), ..ToolResult::default() };
        assert!(format_for_model(&[lone]).ends_with(&[0xD800, 0]));
    }
}
