//! What a message costs besides its text: the chat format around it, tool calls, tool definitions, documents.

/// Tokens that a provider's chat format adds. A prior: whatever the true figures are, calibration learns the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageOverhead {
    /// Once for a request: system scaffolding and the start of the reply.
    pub request: f64,
    /// For each message.
    pub message: f64,
    /// For a message with a `name`.
    pub name: f64,
    /// For each tool call, besides its name and arguments.
    pub tool_call: f64,
    /// For a page of a PDF, which is sent as an image, as text or as both.
    pub pdf_page: f64,
}

impl MessageOverhead {
    /// What `shape` adds to the tokens of the message's texts and images.
    #[must_use]
    pub fn of(&self, shape: &MessageShape) -> f64 {
        let pages: f64 = shape.pdf_bytes.iter().map(|&bytes| pages_of(bytes)).sum();
        self.message
            + self.tool_call * shape.tool_calls
            + if shape.has_name { self.name } else { 0.0 }
            + self.pdf_page * pages
    }
}

/// What there is in a message besides its texts and images.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MessageShape {
    /// How many tool calls it declares.
    pub tool_calls: f64,
    /// Whether it has a `name`.
    pub has_name: bool,
    /// The size in bytes of each PDF.
    pub pdf_bytes: Vec<f64>,
}

/// A PDF's pages can't be counted without unpacking it; 50 KB is a page of text with a figure. No provider takes
/// more than 100 in a request that fits an agent's window.
fn pages_of(bytes: f64) -> f64 {
    (bytes / 50_000.0).ceil().clamp(1.0, 100.0)
}

/// Tokens that tool definitions add to those of their names, descriptions and properties.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToolOverhead {
    /// Once, when there are any.
    pub once: f64,
    /// For each tool.
    pub tool: f64,
    /// For a tool that has properties.
    pub properties: f64,
    /// For each property.
    pub property: f64,
    /// For each property with a list of allowed values.
    pub enumeration: f64,
    /// For each allowed value.
    pub value: f64,
}

/// What tool definitions hold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ToolShape {
    /// Definitions.
    pub tools: f64,
    /// Definitions that have properties.
    pub with_properties: f64,
    /// Properties, nested ones included.
    pub properties: f64,
    /// Properties with a list of allowed values.
    pub enumerations: f64,
    /// Allowed values.
    pub values: f64,
}

impl ToolOverhead {
    /// What `shape` adds to the tokens of the definitions' texts.
    #[must_use]
    pub fn of(&self, shape: &ToolShape) -> f64 {
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
