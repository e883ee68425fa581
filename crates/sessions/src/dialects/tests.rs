use super::{blocks, items};
use crate::json::Json;
use crate::model::Part;
use crate::notes::Notes;

/// Shared with the tests of the core and of the JavaScript side.
const FIXTURE: &str = include_str!("../../../../__test__/fixtures/parts.json");

fn kind(part: &Part) -> &'static str {
    match part {
        Part::Text(_) => "text",
        Part::Reasoning { .. } => "thinking",
        Part::Call { .. } => "call",
        Part::Result { .. } => "result",
        Part::Media(_) => "media",
        Part::Tools(_) | Part::Other { .. } => "other",
    }
}

#[test]
fn r12_2_a_part_of_a_session_file_has_the_same_kind_as_in_the_core() {
    let mut fixture = Json::parse(FIXTURE, &[]).unwrap().into_values();
    for entry in &mut fixture {
        let mut notes = Notes::default();
        let part = entry.take("part");
        let name = part.string("type").unwrap_or_default();
        // A block may be called `reasoning`, too; only the item has an id.
        let is_item = (part.has("id") && name == "reasoning") || items::is_call_or_output(&name);
        let read = if is_item {
            items::item(part, &mut notes).map(|(_, parts)| parts).unwrap_or_default()
        } else {
            blocks::parts(Json::List(vec![part]), &mut notes)
        };
        assert_eq!(read.iter().map(kind).collect::<Vec<_>>(), [entry.str("kind").unwrap()], "{name}");
    }
}
