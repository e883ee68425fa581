//! Decides the kind of a message part by its dialect's `type`. If a dialect has no types, its reader uses the parts' fields instead.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Text,
    /// Thinking, readable or encrypted.
    Thinking,
    Call,
    Result,
    Media,
    Other,
}

impl PartKind {
    /// Knows the types of Anthropic's blocks, `OpenAI`'s parts and items, and the parts of the AI SDK and pi.
    pub fn of_type(type_name: &str) -> Self {
        let ends_with_any = |endings: &[&str]| endings.iter().any(|&ending| type_name.ends_with(ending));
        match type_name {
            // Anthropic's own compaction replaces everything before it by a compaction block.
            "text" | "input_text" | "output_text" | "refusal" | "compaction" => Self::Text,
            "thinking" | "redacted_thinking" | "reasoning" | "think" | "reasoning_text" | "summary_text" => {
                Self::Thinking
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool-call" | "toolCall" => Self::Call,
            "tool-result" | "tool-error" => Self::Result,
            "image" | "image_url" | "input_image" | "document" | "file" | "input_file" | "media" => {
                Self::Media
            }
            // Anthropic's own tools have results such as `web_search_tool_result`; OpenAI's items are named after their tool.
            _ if ends_with_any(&["tool_result", "_output", "_call_result"]) => Self::Result,
            _ if ends_with_any(&["_call"]) => Self::Call,
            _ => Self::Other,
        }
    }

    /// True for the types of images; every other media type is a file or a document.
    pub fn is_image(type_name: &str) -> bool {
        matches!(type_name, "image" | "image_url" | "input_image")
    }
}

#[cfg(test)]
mod tests {
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
}
