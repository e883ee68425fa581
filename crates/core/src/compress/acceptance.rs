//! Decides whether a model's reply is a summary (SPEC R7.6, EDGE 15–18).
//!
//! A reply that isn't one must never become history, and a good one must not be thrown away because it speaks of
//! errors, refusals or tools: that is what it reports on. So everything but the reply's form counts only where a
//! summary would not begin like that.

mod markers;
mod wrapping;

use super::exchange::Reply;
use super::prompt::Section;
use markers::{is_error_text, is_refusal_text, is_tool_markup};
pub use wrapping::own_text;
use wrapping::without_reasoning;

/// Why a reply is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No text at all.
    Empty,
    /// White space only.
    Blank,
    /// Something else than text.
    NotText,
    /// A tool call, or what looks like one.
    ToolCall,
    /// The model or its provider would not.
    Refused,
    /// A client's or server's error in place of an answer.
    ErrorText,
    /// It ran into the output limit: what was to come last is missing.
    CutOff,
    /// It takes as much room as what it would replace.
    NotSmaller,
    /// Thoughts and no answer.
    ReasoningOnly,
}

impl Refusal {
    /// The name in events and statistics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Blank => "blank",
            Self::NotText => "not_text",
            Self::ToolCall => "tool_call",
            Self::Refused => "refusal",
            Self::ErrorText => "error_text",
            Self::CutOff => "cut_off",
            Self::NotSmaller => "not_smaller",
            Self::ReasoningOnly => "reasoning_only",
        }
    }
}

/// A summary that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The model's own text, without thoughts, fences and our own prefix.
    pub text: String,
    /// Names of the sections that it lacks.
    pub missing_sections: Vec<String>,
}

/// The summary in `reply`, or why it has none. `sections` is what the prompt asked for. O(text).
///
/// # Errors
/// The first reason that applies, in the order in which a reply is looked at: its form, its ending, its text.
pub fn judge(reply: &Reply, sections: &[Section]) -> Result<Accepted, Refusal> {
    refusal_by_form(reply)?;
    let text = reply.text.as_deref().ok_or(Refusal::NotText)?;
    if text.trim().is_empty() {
        return Err(if text.is_empty() { Refusal::Empty } else { Refusal::Blank });
    }
    let answer = without_reasoning(text).ok_or(Refusal::ReasoningOnly)?;
    let text = own_text(answer);
    if text.is_empty() {
        return Err(Refusal::Blank);
    }
    if !begins_with_heading(&text) {
        if is_tool_markup(&text) {
            return Err(Refusal::ToolCall);
        }
        if is_error_text(&text) {
            return Err(Refusal::ErrorText);
        }
        if is_refusal_text(&text) {
            return Err(Refusal::Refused);
        }
    }
    let missing_sections = missing_sections(&text, sections);
    Ok(Accepted { text, missing_sections })
}

fn refusal_by_form(reply: &Reply) -> Result<(), Refusal> {
    if reply.has_tool_calls {
        return Err(Refusal::ToolCall);
    }
    if reply.refused {
        return Err(Refusal::Refused);
    }
    match reply.finish_reason.as_deref().unwrap_or_default().to_ascii_lowercase().as_str() {
        "tool_calls" | "tool_use" | "function_call" | "malformed_function_call" => Err(Refusal::ToolCall),
        "content_filter" | "refusal" | "safety" | "prohibited_content" | "blocklist" | "sensitive" => {
            Err(Refusal::Refused)
        }
        // Cut off while thinking: more room is needed, not another model. So this comes before an empty text.
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "model_context_window_exceeded" => {
            Err(Refusal::CutOff)
        }
        "error" => Err(Refusal::ErrorText),
        _ => Ok(()),
    }
}

/// The names of `sections` for which `text` has no heading.
#[must_use]
pub fn missing_sections(text: &str, sections: &[Section]) -> Vec<String> {
    let headings: Vec<String> = text.lines().filter_map(heading_of).collect();
    let is_there = |section: &Section| {
        headings.iter().any(|heading| section.headings.iter().any(|name| is_heading_for(heading, name)))
    };
    sections.iter().filter(|section| !is_there(section)).map(|section| section.name.clone()).collect()
}

/// `Files changed` is a heading for `file`; `Opening the port` is none for `open`.
fn is_heading_for(heading: &str, name: &str) -> bool {
    let Some(rest) = heading.strip_prefix(&name.to_lowercase()) else { return false };
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    !name.is_empty() && (!name.is_ascii() || !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
}

fn begins_with_heading(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_start().starts_with('#') && heading_of(line).is_some())
}

/// The words of a heading, lower case: `## 1. Goal`, `**Goal:**`, `3、待办`, `Open:`.
fn heading_of(line: &str) -> Option<String> {
    let line = line.trim();
    let marked = line.starts_with('#') || line.starts_with("**") || line.starts_with("__");
    let numbered =
        line.starts_with(|letter: char| letter.is_ascii_digit() || "一二三四五六".contains(letter));
    let ended = line.ends_with([':', '：']);
    if !(marked || ((numbered || ended) && line.chars().count() <= LONGEST_PLAIN_HEADING_CHARS)) {
        return None;
    }
    let words = line.trim_start_matches(['#', '*', '_', ' ', '\t', '【', '[']);
    let numeral =
        words.trim_start_matches(|letter: char| letter.is_ascii_digit() || "一二三四五六".contains(letter));
    // Only what a mark ends is a number: `一致性` is a word.
    let words = numeral.strip_prefix(['.', '、', ')', '）', '．']).map_or(words, str::trim_start);
    let words = words.trim_start_matches(['*', '_', ' ']).to_lowercase();
    (!words.is_empty()).then_some(words)
}

/// A longer line is a sentence.
const LONGEST_PLAIN_HEADING_CHARS: usize = 40;

#[cfg(test)]
#[path = "acceptance_tests.rs"]
mod tests;
