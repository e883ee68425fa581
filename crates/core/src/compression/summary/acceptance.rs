//! Decides whether a model's reply is a summary (R7.6, EDGE 15–18).
//! An invalid reply must never become history. But a summary must not be rejected because it reports errors, refusals
//! or tools: a text with a summary's headings is judged only by its form, not by its words.

mod content;
mod error_texts;
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

/// The summary in `reply`. `sections` are the ones that the prompt requested. O(text).
///
/// # Errors
/// The first reason that applies: by the reply's form, then its ending, then its text.
pub fn judge(reply: &Reply, sections: &[Section]) -> Result<Accepted, Rejection> {
    rejection_by_form(reply)?;
    judge_text(reply.text.as_deref().ok_or(Rejection::NotText)?, sections)
}

fn judge_text(text: &str, sections: &[Section]) -> Result<Accepted, Rejection> {
    if text.trim().is_empty() {
        return Err(if text.is_empty() { Rejection::Empty } else { Rejection::Blank });
    }
    let text = unwrapped(without_reasoning(text).ok_or(Rejection::ReasoningOnly)?);
    if text.is_empty() {
        return Err(Rejection::Blank);
    }
    if !is_structured(&text, sections) {
        if is_tool_markup(&text) || is_bare_command(&text) {
            return Err(Rejection::ToolCall);
        }
        if is_error_text(&text) {
            return Err(Rejection::ErrorText);
        }
        if is_refusal_text(&text) {
            return Err(Rejection::ModelRefused);
        }
        if is_json_of_something_else(&text, sections) {
            return Err(Rejection::NotText);
        }
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
    let whole_sentences = if last_line.trim_end().ends_with(['.', '!', '?', '。', '！', '？']) {
        Some(last_line)
    } else {
        let ends = [". ", "! ", "? ", "; ", "。", "！", "？", "；"];
        let end_of_last = |end: &&str| Some(last_line.rfind(*end)? + end.trim_end().len());
        ends.iter().filter_map(end_of_last).max().and_then(|end| last_line.get(..end))
    };
    let kept = whole_sentences.filter(|_| !begins_section(last_line, sections)).unwrap_or_default();
    let mut lines: Vec<&str> = before.lines().chain([kept]).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty() || begins_section(line, sections)) {
        lines.pop();
    }
    let is_in_fence = lines.iter().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
    lines.extend(is_in_fence.then_some("```"));
    lines.join("\n")
}

/// A longer line without the marks of a heading is a sentence.
const LONGEST_PLAIN_HEADING_CHARS: usize = 40;

pub fn missing_sections(text: &str, sections: &[Section]) -> Vec<String> {
    let headings: Vec<String> = text.lines().filter_map(heading_of).collect();
    let is_present = |section: &Section| {
        headings.iter().any(|heading| section.headings.iter().any(|name| is_heading_for(heading, name)))
    };
    sections.iter().filter(|section| !is_present(section)).map(|section| section.name.clone()).collect()
}

/// `Files changed` is a heading for `file`; `Opening the port` is none for `open`.
fn is_heading_for(heading: &str, name: &str) -> bool {
    let Some(rest) = heading.strip_prefix(&name.to_lowercase()) else { return false };
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    !name.is_empty() && (!name.is_ascii() || !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
}

fn begins_section(line: &str, sections: &[Section]) -> bool {
    line.trim_start().starts_with('#') && heading_of(line).is_some() || names_section(line, sections)
}

fn names_section(line: &str, sections: &[Section]) -> bool {
    let Some(heading) = heading_of(line) else { return false };
    let mut names = sections.iter().flat_map(|section| &section.headings);
    // `**Goal:** the parser` has its content on the same line.
    inline_content(line).is_empty() && names.any(|name| is_heading_for(&heading, name))
}

/// What follows a bold heading on its line; empty if the line has none.
fn inline_content(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', ' ']);
    let Some((_, after)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**")) else { return "" };
    after.trim_matches([' ', ':', '：'])
}

/// The words of a heading in lower case: `## 1. Goal`, `**Goal:**`, `3、待办`, `Open:`.
fn heading_of(line: &str) -> Option<String> {
    let line = line.trim();
    let marked = line.starts_with('#') || line.starts_with("**") || line.starts_with("__");
    let numbered = line.starts_with(is_numeral);
    let ended = line.ends_with([':', '：']);
    if !(marked || ((numbered || ended) && line.chars().count() <= LONGEST_PLAIN_HEADING_CHARS)) {
        return None;
    }
    let words = line.trim_start_matches(['#', '*', '_', ' ', '\t', '【', '[']);
    let after_numeral = words.trim_start_matches(is_numeral);
    // A numeral counts only if punctuation follows it: `一致性` is a word.
    let words = after_numeral.strip_prefix(['.', '、', ')', '）', '．']).map_or(words, str::trim_start);
    let words = words.trim_start_matches(['*', '_', ' ']).to_lowercase();
    (!words.is_empty()).then_some(words)
}

fn is_numeral(letter: char) -> bool {
    letter.is_ascii_digit() || "一二三四五六七八九十".contains(letter)
}

#[cfg(test)]
#[path = "acceptance_tests.rs"]
mod tests;
