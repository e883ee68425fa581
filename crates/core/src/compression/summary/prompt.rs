//! The prompt for a summary: language, sections and texts (R7.5, R7.6, REQ-3.2).
//!
//! The language is the user's own. Each user message has one vote, by its first and last lines: pasted logs, which are
//! English in every language, are between or after them. Tool output has no vote.

mod texts;

use std::cmp::Ordering;

use crate::compression::in_language;
use crate::compression::message::{ChatMessage, ChatRole};
use crate::compression::record::digest::user_requests::is_client_noise;
use crate::results::Language;
use crate::tokens::encoding::is_cjk;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// As events and the repair prompt name it.
    pub name: String,
    /// Beginnings of headings for the section, lower case; one of them is enough.
    pub headings: Vec<String>,
}

/// The texts that request a summary. Slots: `{history}`, `{previous}`, `{instructions}`, `{length}` (target) and
/// `{max_length}` (both in words and tokens), `{max_tokens}`, `{boundary}`; in `repair` also `{summary}` and `{missing}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryPrompt {
    pub system: String,
    pub user: String,
    pub repair: String,
    /// The sections that a summary must have; if empty, nothing is checked or repaired.
    pub sections: Vec<Section>,
}

/// The application's own texts, which replace those of [`SummaryPrompt`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptChanges {
    pub system: Option<String>,
    pub user: Option<String>,
    pub repair: Option<String>,
    /// If `None` and the application has its own system or user text, no sections are checked: that text may request
    /// other headings.
    pub sections: Option<Vec<Section>>,
}

impl SummaryPrompt {
    pub fn default_for(language: Language) -> Self {
        let texts = in_language(language, texts::CHINESE, texts::ENGLISH);
        let [system, user, repair] = texts.map(str::to_owned);
        Self { system, user, repair, sections: sections_named_in(language) }
    }

    pub fn with_changes(self, changes: &PromptChanges) -> Self {
        let is_own = changes.system.is_some() || changes.user.is_some();
        Self {
            system: changes.system.clone().unwrap_or(self.system),
            user: changes.user.clone().unwrap_or(self.user),
            repair: changes.repair.clone().unwrap_or(self.repair),
            sections: changes.sections.clone().unwrap_or(if is_own { Vec::new() } else { self.sections }),
        }
    }
}

/// Each section's English and Chinese name, and its headings in both: models don't always reply in the prompt's
/// language.
#[rustfmt::skip] // Each section has lines of its own.
const SECTIONS: [(&str, &str, &[&str]); 7] = [
    ("goal", "任务目标", &["goal", "task goal", "objective", "task", "任务目标", "目标", "任务"]),
    ("decisions", "重要决策", &[
        "decision", "key decision", "important decision", "重要决策", "关键决策", "决策", "决定", "重要决定",
    ]),
    ("done", "已完成", &["done", "completed", "work done", "work completed", "progress", "已完成", "完成", "进展"]),
    ("open", "待办", &[
        "open", "to do", "todo", "remaining", "pending", "next step", "待办", "未完成", "待完成", "下一步", "剩余",
    ]),
    ("files", "文件", &[
        "file", "key file", "relevant file", "changed file", "文件", "相关文件", "涉及文件", "关键文件",
    ]),
    ("failed attempts", "失败尝试", &[
        "failed", "failure", "what failed", "dead end", "失败", "未成功", "尝试失败",
    ]),
    ("discoveries", "发现", &[
        "discovery", "discoveries", "key discovery", "key discoveries", "learned", "learning", "finding", "key finding",
        "environment", "commands and conventions", "发现", "重要发现", "关键发现", "环境", "命令与约定",
    ]),
];

pub fn sections_named_in(language: Language) -> Vec<Section> {
    let section = |(english, chinese, headings): (&str, &str, &[&str])| Section {
        name: in_language(language, chinese, english).to_owned(),
        headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
    };
    SECTIONS.map(section).into()
}

/// Replaces each `{name}` of `template` that is in `slots`; other braces stay. Values are inserted literally: one that
/// looks like a slot or like `$&` stays unchanged (EDGE 18). O(result).
pub fn fill(template: &str, slots: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(template.len()), template);
    while let Some((before, after)) = rest.split_once('{') {
        let slot = slots.iter().find_map(|&(name, value)| Some((value, after.strip_prefix(name)?.strip_prefix('}')?)));
        let (value, after) = slot.unwrap_or(("{", after));
        filled.extend([before, value]);
        rest = after;
    }
    filled + rest
}

pub fn slot_uses(template: &str, name: &str) -> usize {
    template.matches(&format!("{{{name}}}")).count()
}

/// For English, measured on summaries of code with their paths, names and numbers; prose has fewer tokens a word.
const TOKENS_PER_WORD: f64 = 1.4;
const CHINESE_CHARACTERS_PER_TOKEN: f64 = 1.2;

/// A length in words, because models follow a word count better than a token count: `500 words (about 700 tokens)`,
/// `840 字（约 700 个 token）`. Numbers are rounded down to two digits.
pub fn length_in_words(tokens: f64, language: Language) -> String {
    let rounded = |number: f64| {
        let number = number.max(1.0);
        let unit = 10_f64.powf((number.log10().floor() - 1.0).max(0.0));
        (number / unit).floor() * unit
    };
    let (words, characters) = (rounded(tokens / TOKENS_PER_WORD), rounded(tokens * CHINESE_CHARACTERS_PER_TOKEN));
    let tokens = rounded(tokens);
    match language {
        Language::Chinese => format!("{characters} 字（约 {tokens} 个 token）"),
        Language::English => format!("{words} words (about {tokens} tokens)"),
    }
}

/// How many lines at each end of a message have its vote.
const LINES_AT_EACH_END: usize = 2;
const LINE_SAMPLE_CHARS: usize = 400;

/// A text is Chinese from this share of Chinese characters on, each counted as a word of five Latin letters: Chinese
/// text about code is full of English names.
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
    let votes_for = |language| votes.iter().filter(|&&vote| vote == language).count();
    match votes_for(Language::Chinese).cmp(&votes_for(Language::English)) {
        Ordering::Greater => Some(Language::Chinese),
        Ordering::Less => Some(Language::English),
        // The first request is most likely to be in the user's own words.
        Ordering::Equal => votes.first().copied(),
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
    let mut lines: Vec<&str> = text.lines().filter(is_own).collect();
    if lines.len() > 2 * LINES_AT_EACH_END {
        lines.drain(LINES_AT_EACH_END..lines.len() - LINES_AT_EACH_END);
    }
    lines
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
mod tests;

#[cfg(test)]
mod language_tests;
