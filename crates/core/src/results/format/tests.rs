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
    let failed = ToolResult { id: Some(owned("call_2")), error: Some(owned("no network")), ..ToolResult::default() };
    let bare = ToolResult { id: Some(owned("c")), success: true, ..ToolResult::default() };
    let mute = ToolResult { id: Some(owned("d")), image_path: Some(owned("/x")), ..ToolResult::default() };
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
    assert_eq!(failed(Some("exit code 1"), "1 of 3 tests failed"), "✗ c: exit code 1\n1 of 3 tests failed");
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
    let lone = ToolResult { success: true, output: Some(Cow::Owned(vec![0xD800, 0])), ..ToolResult::default() };
    assert!(format_for_model(&[lone]).ends_with(&[0xD800, 0]));
}
