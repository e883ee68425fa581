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
            let facts = [
                ("Image saved", &result.image_path, ""),
                ("File", &result.file_path, ""),
                ("Time", &result.generation_time_ms, "ms"),
            ];
            for (name, value, unit) in facts {
                if let Some(value) = value {
                    push(&mut text, &format!("\n  → {name}: "));
                    text.extend_from_slice(value);
                    push(&mut text, unit);
                }
            }
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

fn push(text: &mut Vec<u16>, added: &str) {
    text.extend(added.encode_utf16());
}

#[cfg(test)]
mod tests;
