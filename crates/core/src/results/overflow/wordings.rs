//! Parses the tables of sentences by which an overflow is recognised. They are files in this folder; the head of each
//! describes its columns.

use std::sync::LazyLock;

use super::error_text::ErrorText;
use super::template::Template;

pub(super) const WORDINGS_FILE: &str = include_str!("wordings.tsv");
pub(super) const NEAR_MISSES_FILE: &str = include_str!("near_misses.tsv");
pub(super) const FIGURES_FILE: &str = include_str!("figures.tsv");

/// A sentence with which a provider reports an overflow.
pub(super) struct Wording {
    /// Empty if several providers share the wording.
    pub(super) provider: &'static str,
    pub(super) template: Template,
}

/// Parsed at the first error: 0.1 ms, and nothing in a process without failed requests.
pub(super) static WORDINGS: LazyLock<Vec<Wording>> = LazyLock::new(read_wordings);

static NEAR_MISSES: LazyLock<Vec<Template>> = LazyLock::new(read_near_misses);

pub(super) fn read_wordings() -> Vec<Wording> {
    let wording_of = |line: &'static str| {
        let mut columns = line.split('\t');
        let (provider, pattern) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        Wording { provider, template: Template::new(pattern) }
    };
    table_lines(WORDINGS_FILE).map(wording_of).collect()
}

pub(super) fn read_near_misses() -> Vec<Template> {
    let patterns = table_lines(NEAR_MISSES_FILE).filter_map(|line| line.split('\t').next());
    patterns.filter(|pattern| !pattern.is_empty()).map(Template::new).collect()
}

pub(super) fn is_near_miss(error: &ErrorText) -> bool {
    NEAR_MISSES.iter().any(|template| template.is_in(&error.text))
}

/// Forms in which a text gives figures outside the sentence that reports the overflow.
pub(super) static FIGURES: LazyLock<Vec<Template>> =
    LazyLock::new(|| table_lines(FIGURES_FILE).map(Template::new).collect());

pub(super) fn table_lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Pairs of a name that occurs in texts and its provider, for wordings that several providers share.
pub(super) const PROVIDER_NAMES: &[(&str, &str)] = &[
    ("deepseek", "deepseek"),
    ("openrouter", "openrouter"),
    ("dashscope", "qwen"),
    ("qwen", "qwen"),
    ("moonshot", "moonshot"),
    ("kimi", "moonshot"),
    ("zhipu", "glm"),
    ("bigmodel", "glm"),
    ("z.ai", "glm"),
    ("mistral", "mistral"),
    ("cerebras", "cerebras"),
    ("siliconflow", "siliconflow"),
    ("vllm", "vllm"),
    ("sglang", "sglang"),
    ("together", "together"),
    ("fireworks", "fireworks"),
    ("deepinfra", "deepinfra"),
    ("bedrock", "bedrock"),
    ("llama.cpp", "llama.cpp"),
    ("ollama", "ollama"),
];
