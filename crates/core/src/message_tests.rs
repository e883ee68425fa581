use super::*;

/// Parts of every dialect and their kinds; the tests of sessions and of the JavaScript side read the same file.
const FIXTURE: &str = include_str!("../../../__test__/fixtures/parts.json");

#[test]
fn r11_1_a_part_of_every_dialect_has_the_kind_of_its_type() {
    let fixture: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
    for entry in fixture.as_array().unwrap() {
        // Gemini's parts have no type.
        let Some(name) = entry["part"]["type"].as_str() else { continue };
        let kind = match PartKind::of_type(name) {
            PartKind::Text => "text",
            PartKind::Thinking => "thinking",
            PartKind::Call => "call",
            PartKind::Result => "result",
            PartKind::Media => "media",
            PartKind::Other => "other",
        };
        assert_eq!(kind, entry["kind"], "{entry}");
    }
}
