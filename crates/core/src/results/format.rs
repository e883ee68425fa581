//! Formats tool results for a model: the outcome and a few facts, no JSON (R5.6). The *original function* is the application's own, whose
//! text the drop-in function reproduces.

use std::borrow::Cow;

/// A tool's result. `None` for a value that the original function's template literals treat as absent: missing, empty, zero.
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

/// The original function's text (R5.6): `✓ id: output` with indented facts, `✗ id: error`, a blank line between results. Unlike the
/// original, a failure is followed by its output: the failed test's output tells more than the failure.
pub fn format_for_model(results: &[ToolResult<'_>]) -> Vec<u16> {
    let mut text = Vec::new();
    for (index, result) in results.iter().enumerate() {
        push(&mut text, if index > 0 { "\n\n" } else { "" });
        push(&mut text, if result.success { "✓ " } else { "✗ " });
        if let Some(id) = &result.id {
            text.extend_from_slice(id);
            push(&mut text, ": ");
        }
        let (outcome, default_outcome) =
            if result.success { (&result.output, "Success") } else { (&result.error, "Failed") };
        match outcome {
            Some(outcome) => text.extend_from_slice(outcome),
            None => push(&mut text, default_outcome),
        }
        if result.success {
            push_facts(&mut text, result);
        } else if let Some(output) = &result.output
            // A command's error often ends with the command's output.
            && !result.error.as_ref().is_some_and(|error| error.ends_with(output))
        {
            push(&mut text, "\n");
            text.extend_from_slice(output);
        }
    }
    text
}

fn push_facts(text: &mut Vec<u16>, result: &ToolResult<'_>) {
    let facts = [
        ("Image saved", &result.image_path, ""),
        ("File", &result.file_path, ""),
        ("Time", &result.generation_time_ms, "ms"),
    ];
    for (name, value, unit) in facts {
        if let Some(value) = value {
            push(text, &format!("\n  → {name}: "));
            text.extend_from_slice(value);
            push(text, unit);
        }
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
