//! Decides whether a model's reply is a summary (R7.6, EDGE 15–18). A summary must not be rejected because it reports
//! errors, refusals or tools: a text with a summary's headings is judged only by its form, not by its words.

mod content;
mod error_texts;
mod headings;
#[cfg(test)]
mod property_tests;
mod refusals;
mod shortening;
mod tool_calls;

use crate::compression::summary::exchange::Reply;
use crate::compression::summary::prompt::Section;
use crate::compression::summary::wrapping::{unwrapped, without_reasoning};
pub use content::{content_of, least_content_tokens};
use content::{is_json_of_something_else, is_repetition};
use error_texts::is_error_text;
use headings::begins_section;
pub use headings::missing_sections;
use refusals::is_refusal_text;
pub use shortening::shorten_summary;
use tool_calls::{is_bare_command, is_tool_markup};

named_enum! {
    /// Why a reply is not accepted as a summary.
    Rejection {
        Empty = "empty",
        /// The reply has only white space, or only a fence or a prefix of ours.
        Blank = "blank",
        NotText = "not_text",
        ToolCall = "tool_call",
        /// The model or the provider declined to summarise.
        ModelRefused = "refusal",
        ErrorText = "error_text",
        /// The reply reached its output limit.
        CutOff = "cut_off",
        NotSmaller = "not_smaller",
        ReasoningOnly = "reasoning_only",
        /// The reply has only headings, a word or a line, and nothing about the history.
        TooLittle = "too_little",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The model's own text, without reasoning, fences and our own prefix.
    pub text: String,
    pub missing_sections: Vec<String>,
}

/// The summary in `reply`, or the first reason that applies: by the reply's form, then its ending, then its text.
/// `sections` are the ones that the prompt requested. O(text).
pub(super) fn judge(reply: &Reply, sections: &[Section]) -> Result<Accepted, Rejection> {
    rejection_by_form(reply)?;
    judge_text(reply.text.as_deref().ok_or(Rejection::NotText)?, sections)
}

fn judge_text(text: &str, sections: &[Section]) -> Result<Accepted, Rejection> {
    if text.trim().is_empty() {
        return Err(if text.is_empty() { Rejection::Empty } else { Rejection::Blank });
    }
    let text = unwrapped(without_reasoning(text).ok_or(Rejection::ReasoningOnly)?);
    match &*text {
        "" => return Err(Rejection::Blank),
        text if is_structured(text, sections) => {}
        text if is_tool_markup(text) || is_bare_command(text) => return Err(Rejection::ToolCall),
        text if is_error_text(text) => return Err(Rejection::ErrorText),
        text if is_refusal_text(text) => return Err(Rejection::ModelRefused),
        text if is_json_of_something_else(text, sections) => return Err(Rejection::NotText),
        _ => {}
    }
    let content = content_of(&text, sections);
    if content.is_empty() || is_repetition(&content) {
        return Err(Rejection::TooLittle);
    }
    let missing_sections = missing_sections(&text, sections);
    Ok(Accepted { text, missing_sections })
}

fn rejection_by_form(reply: &Reply) -> Result<(), Rejection> {
    if reply.has_tool_calls {
        return Err(Rejection::ToolCall);
    }
    if reply.refusal.is_some() {
        return Err(Rejection::ModelRefused);
    }
    match reply.finish_reason.as_deref().unwrap_or_default().to_ascii_lowercase().replace('-', "_").as_str() {
        "tool_calls" | "tool_use" | "function_call" | "malformed_function_call" => Err(Rejection::ToolCall),
        "content_filter" | "refusal" | "safety" | "prohibited_content" | "blocklist" | "sensitive" => {
            Err(Rejection::ModelRefused)
        }
        // A reply cut off while reasoning needs more room, not another model: this check precedes that for empty text.
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "model_context_window_exceeded" => {
            Err(Rejection::CutOff)
        }
        "error" => Err(Rejection::ErrorText),
        _ => Ok(()),
    }
}

/// True if the text begins as a summary does, or has two sections (an apology may precede the summary).
fn is_structured(text: &str, sections: &[Section]) -> bool {
    let mut headings = text.lines().enumerate().filter(|(_, line)| begins_section(line, sections));
    let first = headings.next();
    // An error page has a heading as well.
    first.is_some_and(|(index, line)| index == 0 && !is_error_text(line)) || headings.next().is_some()
}

/// The usable part of a reply that reached its output limit: the summary up to its last whole sentence, without an
/// empty last heading. `None` if that is no summary. O(text).
pub fn salvaged(reply: &Reply, sections: &[Section]) -> Option<Accepted> {
    let accepted = judge_text(reply.text.as_deref()?, sections).ok()?;
    judge_text(&without_torn_end(&accepted.text, sections), sections).ok()
}

fn without_torn_end(text: &str, sections: &[Section]) -> String {
    let (before, last_line) = text.rsplit_once('\n').unwrap_or(("", text));
    let is_whole = last_line.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
    let ends = [". ", "! ", "? ", "; ", "。", "！", "？", "；"];
    let ends = ends.iter().filter_map(|end| Some(last_line.rfind(end)? + end.trim_end().len()));
    let end = if is_whole { last_line.len() } else { ends.max().unwrap_or(0) };
    let kept = last_line.get(..end).filter(|_| !begins_section(last_line, sections)).unwrap_or_default();
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
