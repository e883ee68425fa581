//! Extracts the summary from a reply: removes the model's reasoning, a fence around the text, and our own prefix.

use crate::compression::plain_text::plain_text;
use crate::compression::record::digest::render::heading;
use crate::compression::record::summary_text::{SUMMARY_PREFIX, after_introduction};
use crate::results::Language;

/// Tags of reasoning that models write before the reply.
const REASONING_TAGS: [&str; 6] = ["think", "thinking", "thought", "reasoning", "analysis", "scratchpad"];

/// The reply after its reasoning; `None` if nothing follows.
pub(super) fn without_reasoning(reply: &str) -> Option<&str> {
    let mut rest = reply.trim();
    // Some chat templates return only the closing tag, because the opening one is part of the prompt.
    if let Some(after) = after_lone_closing_tag(rest) {
        rest = after.trim();
    }
    while let Some(after) = after_reasoning_block(rest) {
        rest = after.trim();
    }
    (!rest.is_empty()).then_some(rest)
}

/// The text after a leading block of reasoning; empty if the block never ends.
fn after_reasoning_block(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let tag = REASONING_TAGS
        .iter()
        .find(|&&tag| inner.strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')))?;
    Some(text.split_once(&format!("</{tag}>")).map_or("", |(_, after)| after))
}

fn after_lone_closing_tag(text: &str) -> Option<&str> {
    let (before, after) = text.split_once("</think>")?;
    let stands_alone = before.is_empty() || before.ends_with('\n');
    (stands_alone && !before.contains("<think>") && (after.is_empty() || after.starts_with('\n')))
        .then_some(after)
}

/// Removes what the model may have copied from the history: a fence or `<summary>` tag around the whole text, the
/// prefix and first line of a stored summary, a session record. Also removes control characters, as history does, since
/// providers reject them (EDGE 28).
pub fn own_text(text: &str) -> String {
    let text = plain_text(text);
    let mut text = text.trim();
    loop {
        let inner = inside_fence(text)
            .or_else(|| inside_tag(text))
            .or_else(|| text.strip_prefix(SUMMARY_PREFIX.trim_end()))
            .or_else(|| after_introduction(text));
        match inner {
            Some(inner) => text = inner.trim(),
            None => return without_session_record(text).trim().to_owned(),
        }
    }
}

fn inside_tag(text: &str) -> Option<&str> {
    text.strip_prefix("<summary>")?.strip_suffix("</summary>").or_else(|| text.strip_prefix("<summary>"))
}

/// The content of a fence around the whole text; `None` if the first fence ends before the text does.
fn inside_fence(text: &str) -> Option<&str> {
    let (opening, rest) = text.strip_prefix("```")?.split_once('\n')?;
    let inner = rest.trim_end().strip_suffix("```")?;
    let language = opening.trim().to_lowercase();
    if !matches!(language.as_str(), "" | "markdown" | "md" | "text" | "txt" | "plaintext") {
        return None;
    }
    let mut fences = inner.lines().filter(|line| line.trim_start().starts_with("```"));
    let first = fences.next();
    let is_balanced = first.is_none() || fences.count() % 2 == 1;
    // A bare first fence would close the outer one, unless the outer one is marked as Markdown.
    let opens = first.is_none_or(|line| line.trim().len() > 3) || language.starts_with('m');
    (is_balanced && opens && (inner.is_empty() || inner.ends_with('\n'))).then_some(inner)
}

fn without_session_record(text: &str) -> String {
    let is_ours = |line: &str| {
        [Language::Chinese, Language::English].iter().any(|&language| line.trim() == heading(language))
    };
    if !text.lines().any(is_ours) {
        return text.to_owned();
    }
    let mut in_record = false;
    let kept = text.lines().filter(|line| {
        if line.starts_with('#') {
            in_record = is_ours(line);
        }
        !in_record
    });
    kept.collect::<Vec<_>>().join("\n")
}
