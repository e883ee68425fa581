//! Finds headings in a summary, and the section that each belongs to.

use crate::compression::summary::prompt::Section;

/// A longer line without the marks of a heading is a sentence.
const LONGEST_PLAIN_HEADING_CHARS: usize = 40;

pub fn missing_sections(text: &str, sections: &[Section]) -> Vec<String> {
    let headings: Vec<String> = text.lines().filter_map(heading_of).collect();
    let is_missing = |section: &&Section| !headings.iter().any(|heading| belongs_to(heading, section));
    sections.iter().filter(is_missing).map(|section| section.name.clone()).collect()
}

/// `Files changed` is a heading for `file`; `Opening the port` is none for `open`.
fn is_heading_for(heading: &str, name: &str) -> bool {
    let Some(rest) = heading.strip_prefix(&name.to_lowercase()) else { return false };
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    !name.is_empty() && (!name.is_ascii() || !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
}

pub fn begins_section(line: &str, sections: &[Section]) -> bool {
    line.trim_start().starts_with('#') && heading_of(line).is_some() || names_section(line, sections)
}

pub fn names_section(line: &str, sections: &[Section]) -> bool {
    // `**Goal:** the parser` has its content on the same line.
    inline_content(line).is_empty()
        && heading_of(line).is_some_and(|heading| sections.iter().any(|section| belongs_to(&heading, section)))
}

fn belongs_to(heading: &str, section: &Section) -> bool {
    section.headings.iter().any(|name| is_heading_for(heading, name))
}

/// What follows a bold heading on its line; empty if the line has none.
pub fn inline_content(line: &str) -> &str {
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
