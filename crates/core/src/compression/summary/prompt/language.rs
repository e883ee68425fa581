//! Detects the language of a summary: the user's own (REQ-3.2).
//!
//! Each user message has one vote, by its first and last lines: pasted logs, which are English in every language, are
//! between or after them. Tool output has no vote.

use crate::compression::message::{ChatMessage, ChatRole};
use crate::compression::record::digest::user_requests::is_client_noise;
use crate::results::Language;
use crate::tokens::encoding::is_cjk;

/// How many lines at each end of a message have its vote.
const LINES_AT_EACH_END: usize = 2;
/// Only this much of a line is counted.
const LINE_SAMPLE_CHARS: usize = 400;

/// A text is Chinese from this share of Chinese characters on, where each counts as much as a word of five Latin
/// letters. The share is low because Chinese text about code is full of English names.
const CHINESE_SHARE: f64 = 0.3;
/// Fewer Latin letters, such as `ok`, `npm test` or `LGTM`, don't determine the language.
const MIN_LATIN_LETTERS: u32 = 16;

/// The language of the user's words, else that of the model's, else English. O(messages).
pub fn language_of(messages: &[ChatMessage]) -> Language {
    users_language_of(messages).unwrap_or_else(|| {
        let said = said_by(messages, ChatRole::User).chain(said_by(messages, ChatRole::Assistant));
        let letters = LetterCounts::count_letters(said.flat_map(own_lines));
        if letters.are_chinese() { Language::Chinese } else { Language::English }
    })
}

/// The language of the user's own words, ignoring the model's; `None` if it can't be determined.
pub fn users_language_of(messages: &[ChatMessage]) -> Option<Language> {
    let votes: Vec<Language> = said_by(messages, ChatRole::User).filter_map(vote).collect();
    let chinese = votes.iter().filter(|&&vote| vote == Language::Chinese).count();
    match (chinese * 2).cmp(&votes.len()) {
        std::cmp::Ordering::Greater => Some(Language::Chinese),
        std::cmp::Ordering::Less => Some(Language::English),
        // The first request is most likely to be in the user's own words.
        std::cmp::Ordering::Equal => votes.first().copied(),
    }
}

fn said_by(messages: &[ChatMessage], role: ChatRole) -> impl Iterator<Item = &str> {
    let is_by_role = move |message: &&ChatMessage| {
        message.role == role && message.answers.is_empty() && message.created_as.is_none()
    };
    // Clients write commands, and reminders within tags, as the user.
    let is_own = |text: &&str| !text.trim().starts_with('<') && !is_client_noise(text.trim());
    messages.iter().filter(is_by_role).map(|message| message.text.as_str()).filter(is_own)
}

/// The language of one user message; `None` if it has too few letters.
fn vote(text: &str) -> Option<Language> {
    let lines = own_lines(text);
    let all = LetterCounts::count_letters(lines.iter().copied());
    let mut ends = lines.first().into_iter().chain(lines.last());
    if all.are_chinese() || ends.any(|&end| LetterCounts::count_letters([end]).are_clearly_chinese()) {
        return Some(Language::Chinese);
    }
    (all.latin >= MIN_LATIN_LETTERS || all.other_asian > 0).then_some(Language::English)
}

/// The first and last lines that are neither fenced nor indented, as code and values are.
fn own_lines(text: &str) -> Vec<&str> {
    let mut in_fence = false;
    let is_own = |line: &&str| {
        let delimits = line.trim_start().starts_with("```");
        in_fence ^= delimits;
        !in_fence && !delimits && !line.starts_with([' ', '\t', '>', '|']) && !line.trim().is_empty()
    };
    let lines: Vec<&str> = text.lines().filter(is_own).collect();
    let count = lines.len();
    let is_at_end = |index: usize| index < LINES_AT_EACH_END || index + LINES_AT_EACH_END >= count;
    lines.into_iter().enumerate().filter(|&(index, _)| is_at_end(index)).map(|(_, line)| line).collect()
}

#[derive(Debug, Default, Clone, Copy)]
struct LetterCounts {
    chinese: u32,
    latin: u32,
    other_asian: u32,
}

impl LetterCounts {
    fn count_letters<'l>(lines: impl IntoIterator<Item = &'l str>) -> Self {
        let mut counts = Self::default();
        for letter in lines.into_iter().flat_map(|line| line.chars().take(LINE_SAMPLE_CHARS)) {
            match letter {
                // Kana and Hangul mean Japanese and Korean, for which English is a better choice than Chinese.
                '\u{3040}'..='\u{30FF}' | '\u{AC00}'..='\u{D7AF}' => counts.other_asian += 1,
                _ if letter.is_ascii_alphabetic() => counts.latin += 1,
                _ if is_cjk(letter) => counts.chinese += 1,
                _ => {}
            }
        }
        counts
    }

    fn are_chinese(self) -> bool {
        let chinese = f64::from(self.chinese);
        let all = chinese + f64::from(self.other_asian) + f64::from(self.latin) / 5.0;
        self.chinese > 0 && self.other_asian <= self.chinese / 5 && chinese > CHINESE_SHARE * all
    }

    /// False for a Chinese label or name quoted in an English sentence.
    fn are_clearly_chinese(self) -> bool {
        self.are_chinese() && (self.chinese >= 4 || self.latin == 0)
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
