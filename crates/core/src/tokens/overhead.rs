//! Decides what messages and tool definitions cost in addition to their texts: the chat format, calls, PDF pages, schemas.

/// A model's tokens in addition to texts. Calibration learns what the provider's chat format really adds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageOverhead {
    /// Once per request: system scaffolding and the start of the reply.
    pub request: f64,
    pub message: f64,
    pub name: f64,
    /// For each tool call, in addition to its name and arguments.
    pub tool_call: f64,
    /// For a PDF page, which is sent as an image, as text or as both.
    pub pdf_page: f64,
}

impl MessageOverhead {
    pub fn tokens_of(&self, tool_calls: f64, has_name: bool, pdf_bytes: &[f64]) -> f64 {
        // 50 KB is a page of text with a figure; no provider accepts more than 100 in a request that fits an agent's window.
        let pages: f64 = pdf_bytes.iter().map(|bytes| (bytes / 50_000.0).ceil().clamp(1.0, 100.0)).sum();
        self.message + self.tool_call * tool_calls + if has_name { self.name } else { 0.0 } + self.pdf_page * pages
    }
}

/// Tokens of tool definitions in addition to those of names, descriptions and properties.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToolOverhead {
    /// Once, if there are any tools.
    pub once: f64,
    pub tool: f64,
    pub properties: f64,
    pub property: f64,
    /// For each property with a list of allowed values.
    pub enumeration: f64,
    pub value: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ToolShape {
    pub tools: f64,
    pub with_properties: f64,
    /// Properties, including nested ones.
    pub properties: f64,
    pub enumerations: f64,
    pub values: f64,
}

impl ToolOverhead {
    pub fn tokens_of(&self, shape: &ToolShape) -> f64 {
        if shape.tools <= 0.0 {
            return 0.0;
        }
        self.once
            + self.tool * shape.tools
            + self.properties * shape.with_properties
            + self.property * shape.properties
            + self.enumeration * shape.enumerations
            + self.value * shape.values
    }
}
