use super::*;

/// Tool calls with their kinds and distinguishing texts; the JavaScript tests read the same file.
const FIXTURE: &str = include_str!("../../../__test__/fixtures/tools.json");

#[test]
fn every_call_has_the_kind_of_its_tool_and_a_label_of_its_subject() {
    let fixture: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
    for entry in fixture.as_array().unwrap() {
        let text = |key: &str| entry[key].as_str().unwrap();
        let kind = ToolKind::from_name(text("kind")).unwrap_or(ToolKind::Other);
        assert_eq!(kind_of(text("tool")), kind, "{entry}");
        let label = label::of_call(text("tool"), &entry["arguments"].to_string());
        assert_eq!(label, text("label"), "{entry}");
    }
}
