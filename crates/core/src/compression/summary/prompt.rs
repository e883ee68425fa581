//! The prompt for a summary: language, sections and texts (R7.5, R7.6, REQ-3.2).

mod language;
mod texts;

use crate::results::Language;

use crate::compression::in_language;
pub use language::{language_of, users_language_of};

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
    /// The user message that requests what a summary lacked.
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

    /// The value of an empty slot.
    pub fn nothing(language: Language) -> &'static str {
        in_language(language, "（无）", "(none)")
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

/// The default sections, with their names in `language`.
pub fn sections_named_in(language: Language) -> Vec<Section> {
    let section = |&(english, chinese, headings): &(&str, &str, &[&str])| Section {
        name: in_language(language, chinese, english).to_owned(),
        headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
    };
    SECTIONS.iter().map(section).collect()
}

/// Replaces each `{name}` of `template` that is in `slots`; other braces stay. Values are inserted literally: one that
/// looks like a slot or like `$&` stays unchanged (EDGE 18). O(result).
pub fn fill(template: &str, slots: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(template.len()), template);
    while let Some((before, after)) = rest.split_once('{') {
        let slot = slots
            .iter()
            .find_map(|&(name, value)| Some((value, after.strip_prefix(name)?.strip_prefix('}')?)));
        let (value, after) = slot.unwrap_or(("{", after));
        filled.extend([before, value]);
        rest = after;
    }
    filled + rest
}

/// How often `template` has the slot `{name}`.
pub fn slot_uses(template: &str, name: &str) -> usize {
    template.matches(&format!("{{{name}}}")).count()
}

/// For English, measured on summaries of code with their paths, names and numbers; prose has fewer tokens a word.
const TOKENS_PER_WORD: f64 = 1.4;
const CHINESE_CHARACTERS_PER_TOKEN: f64 = 1.2;

/// A length in words, because models follow a word count better than a token count:
/// `500 words (about 700 tokens)`, `840 字（约 700 个 token）`: the numbers rounded down to two digits.
pub fn length_in_words(tokens: f64, language: Language) -> String {
    let rounded = |number: f64| {
        let number = number.max(1.0);
        let unit = 10_f64.powf((number.log10().floor() - 1.0).max(0.0));
        (number / unit).floor() * unit
    };
    let (words, characters) =
        (rounded(tokens / TOKENS_PER_WORD), rounded(tokens * CHINESE_CHARACTERS_PER_TOKEN));
    let tokens = rounded(tokens);
    match language {
        Language::Chinese => format!("{characters} 字（约 {tokens} 个 token）"),
        Language::English => format!("{words} words (about {tokens} tokens)"),
    }
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
