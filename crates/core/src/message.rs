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
            "image" | "image_url" | "input_image" | "document" | "file" | "input_file" | "media" => Self::Media,
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
#[path = "message_tests.rs"]
mod tests;
