//! Decides whether a model's reply is a summary (R7.6, EDGE 15–18).
//!
//! An invalid reply must never become history. But a summary must not be rejected because it reports errors, refusals
//! or tools: a text with a summary's headings is judged only by its form, not by its words.

mod content;
mod emptiness;
mod error_texts;
mod fitting;
mod headings;
#[cfg(test)]
mod property_tests;
mod refusals;
mod tool_calls;
mod wrapping;

use crate::compression::summary::exchange::Reply;
use crate::compression::summary::prompt::Section;
pub use content::{content_of, least_content_tokens};
use content::{is_json_of_something_else, is_repetition};
use error_texts::is_error_text;
pub use fitting::fitted;
use headings::begins_section;
pub use headings::missing_sections;
use refusals::is_refusal_text;
use tool_calls::{is_bare_command, is_tool_markup};
pub use wrapping::own_text;
use wrapping::without_reasoning;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Empty,
    Blank,
    NotText,
    ToolCall,
    Refused,
    ErrorText,
    CutOff,
    NotSmaller,
    ReasoningOnly,
    /// The reply has only headings, a word or a line, and nothing about the history.
    TooLittle,
}

impl Refusal {
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
            Self::TooLittle => "too_little",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The model's own text, without reasoning, fences and our own prefix.
    pub text: String,
    pub missing_sections: Vec<String>,
}

/// The summary in `reply`, or why it has none. `sections` are the ones that the prompt requested. O(text).
///
/// # Errors
/// The first reason that applies: checks the reply's form, then its ending, then its text.
pub fn judge(reply: &Reply, sections: &[Section]) -> Result<Accepted, Refusal> {
    refusal_by_form(reply)?;
    judge_text(reply.text.as_deref().ok_or(Refusal::NotText)?, sections)
}

fn judge_text(text: &str, sections: &[Section]) -> Result<Accepted, Refusal> {
    if text.trim().is_empty() {
        return Err(if text.is_empty() { Refusal::Empty } else { Refusal::Blank });
    }
    let answer = without_reasoning(text).ok_or(Refusal::ReasoningOnly)?;
    let text = own_text(answer);
    if text.is_empty() {
        return Err(Refusal::Blank);
    }
    if !is_structured(&text, sections) {
        if is_tool_markup(&text) || is_bare_command(&text) {
            return Err(Refusal::ToolCall);
        }
        if is_error_text(&text) {
            return Err(Refusal::ErrorText);
        }
        if is_refusal_text(&text) {
            return Err(Refusal::Refused);
        }
        if is_json_of_something_else(&text, sections) {
            return Err(Refusal::NotText);
        }
    }
    let content = content_of(&text, sections);
    if content.is_empty() || is_repetition(&content) {
        return Err(Refusal::TooLittle);
    }
    let missing_sections = missing_sections(&text, sections);
    Ok(Accepted { text, missing_sections })
}

fn refusal_by_form(reply: &Reply) -> Result<(), Refusal> {
    if reply.has_tool_calls {
        return Err(Refusal::ToolCall);
    }
    if reply.refusal.is_some() {
        return Err(Refusal::Refused);
    }
    match reply.finish_reason.as_deref().unwrap_or_default().to_ascii_lowercase().replace('-', "_").as_str() {
        "tool_calls" | "tool_use" | "function_call" | "malformed_function_call" => Err(Refusal::ToolCall),
        "content_filter" | "refusal" | "safety" | "prohibited_content" | "blocklist" | "sensitive" => {
            Err(Refusal::Refused)
        }
        // Cut off while reasoning: the reply needs more room, not another model. So this check comes before that for empty text.
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "model_context_window_exceeded" => {
            Err(Refusal::CutOff)
        }
        "error" => Err(Refusal::ErrorText),
        _ => Ok(()),
    }
}

/// True if the text begins as a summary does, or has two sections (an apology may precede the summary).
fn is_structured(text: &str, sections: &[Section]) -> bool {
    let mut headings = text.lines().enumerate().filter(|(_, line)| begins_section(line, sections));
    match headings.next() {
        None => false,
        // An error page has a heading as well.
        Some((0, line)) => !is_error_text(line) || headings.next().is_some(),
        Some(_) => headings.next().is_some(),
    }
}

/// The usable part of a reply that reached its output limit: the summary up to its last whole sentence, without an empty last heading; `None` if that is no summary. O(text).
pub fn salvaged(reply: &Reply, sections: &[Section]) -> Option<Accepted> {
    let accepted = judge_text(reply.text.as_deref()?, sections).ok()?;
    judge_text(&without_torn_end(&accepted.text, sections), sections).ok()
}

fn without_torn_end(text: &str, sections: &[Section]) -> String {
    let (before, torn) = text.rsplit_once('\n').unwrap_or(("", text));
    let ends = [". ", "! ", "? ", "; ", "。", "！", "？", "；"];
    let end = ends.iter().filter_map(|mark| Some(torn.rfind(mark)? + mark.trim_end().len())).max();
    let is_ended = torn.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
    let kept = if is_ended { Some(torn) } else { end.and_then(|end| torn.get(..end)) };
    let kept = kept.filter(|_| !begins_section(torn, sections)).unwrap_or_default();
    let mut lines: Vec<&str> = before.lines().chain([kept]).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty() || begins_section(line, sections)) {
        lines.pop();
    }
    let is_in_fence = lines.iter().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
    lines.extend(is_in_fence.then_some("```"));
    lines.join("\n")
}

#[cfg(test)]
#[path = "acceptance_tests.rs"]
mod tests;
