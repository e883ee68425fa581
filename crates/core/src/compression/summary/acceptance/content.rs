//! Finds the content of a summary: without headings and filler words.

use super::emptiness::says_nothing;
use super::headings::{begins_section, inline_content};
use crate::compression::summary::prompt::Section;

/// Filler that models, clients and templates write if there is no content; in lower case, without surrounding punctuation.
const NOTHING: [&str; 38] = [
    "none", "n/a", "na", "nil", "null", "undefined", "nan", "nothing", "nothing to report", "not applicable",
    "empty", "object object", "object promise", "true", "false", "tbd", "todo", "ok", "okay", "done", "sure",
    "yes", "no", "success", "understood", "got it", "summary", "the summary", "无", "暂无", "没有", "无内容",
    "未知", "好", "好的", "完成", "已完成", "明白",
];

/// The lines of `text` that say something, without headings and fences.
pub fn content_of(text: &str, sections: &[Section]) -> String {
    let lines = text.lines().filter_map(|line| {
        if line.trim_start().starts_with("```") {
            return None;
        }
        let content = if begins_section(line, sections) { inline_content(line) } else { line };
        says_something(content).then_some(content)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn says_something(line: &str) -> bool {
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let words = line.trim_matches(is_mark);
    // No entry of the list has more than 24 bytes, so longer lines need no conversion.
    let is_nothing = words.len() <= 24 && NOTHING.contains(&words.to_lowercase().as_str());
    !words.is_empty() && !is_nothing && !says_nothing(words)
}

/// The minimum content of a summary: one token per 2,000 that it replaces, at least one, at most sixty. A shorter text
/// answers something else.
pub fn least_content_tokens(replaced_tokens: f64) -> f64 {
    (replaced_tokens / 2_000.0).clamp(1.0, 60.0).floor()
}

/// Fewer words (or letters, in text without spaces) may be equal by chance.
const MIN_REPETITIONS: usize = 12;

/// True for degenerate output: only one or two words or letters, repeated.
pub fn is_repetition(content: &str) -> bool {
    let words = content.split_whitespace();
    if words.clone().nth(1).is_some() {
        return has_at_most_two_values(words);
    }
    has_at_most_two_values(content.split("").filter(|letter| !letter.is_empty()))
}

fn has_at_most_two_values<'c>(mut values: impl Iterator<Item = &'c str>) -> bool {
    let Some(first) = values.next() else { return false };
    let (mut second, mut count) = (first, 1);
    for value in values {
        count += 1;
        if value != first && second == first {
            second = value;
        } else if value != first && value != second {
            return false;
        }
    }
    count >= MIN_REPETITIONS
}

/// True for a JSON value without the sections: a schema, a call's arguments, a record.
pub fn is_json_of_something_else(text: &str, sections: &[Section]) -> bool {
    if !text.trim_start().starts_with(['{', '[']) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    let is_section = |key: &&String| {
        let key = key.to_lowercase().replace('_', " ");
        sections
            .iter()
            .any(|section| section.headings.iter().any(|heading| key.starts_with(heading.as_str())))
    };
    let section_count = value.as_object().map_or(0, |object| object.keys().filter(is_section).count());
    section_count < sections.len().min(2)
}
