//! Defines the presets: rules with a name, with the limits and placeholders that users see.

use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::placeholder::Placeholder;
use crate::cleanup::rules::rule::{ErrorDetection, Rule};
use crate::cleanup::rules::subject::Subject;
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::ToolKind;
use crate::tools::registry::{AgentTools, READS, SEARCHES, TERMINAL, TERMINAL_TOOLS, path_keys_of, tools_of};

/// The number of newest results that stay, in every preset.
pub const KEEP_RECENT: usize = 5;
/// Terminal results older than this are outdated (R1.3).
pub const TERMINAL_MAX_AGE_MS: f64 = 15.0 * 60.0 * 1000.0;
/// Text search results older than this are outdated (R3b.1).
pub const TEXT_SEARCH_MAX_AGE_MS: f64 = 10.0 * 60.0 * 1000.0;

/// A result of an unknown tool that contains one of these counts as a terminal result.
pub const TERMINAL_MARKERS: [&str; 3] = ["\"stdout\":", "\"stderr\":", "\"exitCode\":"];

/// One placeholder in both languages.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceholderTexts {
    chinese: &'static str,
    english: &'static str,
}

pub(super) const fn texts(chinese: &'static str, english: &'static str) -> PlaceholderTexts {
    PlaceholderTexts { chinese, english }
}

/// A rule of the original functions, which the drop-in functions replace, without its grouping.
struct OriginalRule {
    name: &'static str,
    tools: &'static [&'static str],
    ignore_case: bool,
    content_markers: &'static [&'static str],
    max_age_ms: Option<f64>,
    errors: ErrorDetection,
    placeholder: PlaceholderTexts,
}

const ORIGINAL_TERMINAL: OriginalRule = OriginalRule {
    name: "terminal",
    tools: &TERMINAL_TOOLS,
    ignore_case: true,
    content_markers: &TERMINAL_MARKERS,
    max_age_ms: Some(TERMINAL_MAX_AGE_MS),
    errors: ErrorDetection::Commands,
    placeholder: texts("此命令返回内容已过时", "[Outdated command output removed]"),
};
const ORIGINAL_FILE_READS: OriginalRule = OriginalRule {
    name: "fileReads",
    tools: &["filesystem-read"],
    ignore_case: false,
    content_markers: &[],
    max_age_ms: None,
    errors: ErrorDetection::Status,
    placeholder: texts(
        "[该文件的历史读取内容已压缩,请参看最新读取结果]",
        "[Earlier read of this file removed: see its latest read]",
    ),
};
const ORIGINAL_TEXT_SEARCH: OriginalRule = OriginalRule {
    name: "textSearch",
    tools: &["ace-text_search"],
    max_age_ms: Some(TEXT_SEARCH_MAX_AGE_MS),
    placeholder: texts("本次搜索结果已过时,故精简为占位符", "[Outdated search results removed]"),
    ..ORIGINAL_FILE_READS
};

const COMMAND_REMOVED: PlaceholderTexts = texts(
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新运行]",
    "[{handle} removed: {tool}{about}, {lines} lines; run again if needed]",
);
const READ_REMOVED: PlaceholderTexts = texts(
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新读取]",
    "[{handle} removed: {tool}{about}, {lines} lines; read again if needed]",
);
const SEARCH_REMOVED: PlaceholderTexts = texts(
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新搜索]",
    "[{handle} removed: {tool}{about}, {lines} lines; search again if needed]",
);
const EDIT_REMOVED: PlaceholderTexts =
    texts("[{handle} 已移除:{tool}{about},{lines} 行]", "[{handle} removed: {tool}{about}, {lines} lines]");
const OTHER_REMOVED: PlaceholderTexts = texts(
    "[{handle} 已移除:{tool},{lines} 行;需要时请重新调用]",
    "[{handle} removed: {tool}, {lines} lines; call again if needed]",
);
/// Placeholders that an earlier version of the rules by kind wrote.
const EARLIER_TEXTS: [PlaceholderTexts; 5] = [
    ORIGINAL_TERMINAL.placeholder,
    texts(
        "[此读取内容已过时并移除,需要时请重新读取]",
        "[Outdated file content removed: read it again if needed]",
    ),
    ORIGINAL_TEXT_SEARCH.placeholder,
    texts("[此编辑结果已过时并移除]", "[Outdated result of an edit removed]"),
    texts("[此工具结果已过时并移除]", "[Outdated tool result removed]"),
];

impl OriginalRule {
    /// The complete rule.
    fn with(&self, grouping: Grouping, language: Language) -> Rule {
        Rule {
            name: self.name.to_owned(),
            tools: self.tools.iter().map(|name| units(name)).collect(),
            ignore_case: self.ignore_case,
            content_markers: self.content_markers.iter().map(|marker| units(marker)).collect(),
            grouping,
            keep_recent: KEEP_RECENT,
            max_age_ms: self.max_age_ms,
            errors: self.errors,
            count_errors: false,
            is_for_repeated_commands: false,
            by_kind: None,
            placeholder: self.placeholder.in_language(language),
            earlier_placeholders: self.placeholder.in_every_language(),
        }
    }
}

impl PlaceholderTexts {
    /// The placeholder in `language`.
    pub(super) fn in_language(self, language: Language) -> Placeholder {
        Placeholder::own(match language {
            Language::Chinese => self.chinese,
            Language::English => self.english,
        })
    }

    /// The placeholders in all languages. A session may continue in the other language, and its older placeholders stay
    /// recognised.
    pub(super) fn in_every_language(self) -> Vec<Placeholder> {
        vec![Placeholder::own(self.chinese), Placeholder::own(self.english)]
    }
}

/// R1: old successful terminal results, unless among the newest five results of any tool.
pub fn terminal(language: Language) -> Rule {
    ORIGINAL_TERMINAL.with(Grouping::None { among_all_tools: true }, language)
}

/// R2: reads of a path beyond its newest five, at any age.
pub fn file_reads(root: ProjectRoot, language: Language) -> Rule {
    ORIGINAL_FILE_READS.with(Grouping::Path { keys: vec![units("filePath")], root }, language)
}

/// R3b.1: old text searches, unless among the newest five results of any tool.
pub fn text_search(language: Language) -> Rule {
    ORIGINAL_TEXT_SEARCH.with(Grouping::None { among_all_tools: true }, language)
}

/// R1 for the tools of `agent`, or of all agents.
pub fn terminal_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    for_tools_of(terminal(language), agent, TERMINAL)
}

/// R2 for the tools of `agent`, or of all agents.
pub fn file_reads_of(agent: Option<&AgentTools>, root: ProjectRoot, language: Language) -> Rule {
    let keys = path_keys_of(agent).into_iter().map(units).collect();
    let grouping = Grouping::Path { keys, root: root.clone() };
    for_tools_of(Rule { grouping, ..file_reads(root, language) }, agent, READS)
}

/// R3b.1 for the tools of `agent`, or of all agents.
pub fn text_search_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    for_tools_of(text_search(language), agent, SEARCHES)
}

/// The preset `name`, with ages by kind of result, for the tools of `agent` or of all agents.
pub fn by_kind(
    name: &str,
    agent: Option<&AgentTools>,
    root: ProjectRoot,
    language: Language,
) -> Option<Rule> {
    let subject = Subject::named(name)?;
    let texts = match subject {
        Subject::Commands => COMMAND_REMOVED,
        Subject::Reads => READ_REMOVED,
        Subject::Searches => SEARCH_REMOVED,
        Subject::Edits => EDIT_REMOVED,
        Subject::Others | Subject::Dropped => OTHER_REMOVED,
    };
    let base = match subject {
        Subject::Reads => file_reads_of(agent, root, language),
        _ => terminal_of(agent, language),
    };
    let tools = match agent {
        Some(agent) if subject.reads_arguments() => tools_of(Some(agent), subject.tool_kinds()),
        // A rule without tools covers tools by their kind.
        _ => Vec::new(),
    };
    let mut earlier_placeholders = texts.in_every_language();
    earlier_placeholders.extend(EARLIER_TEXTS.into_iter().flat_map(PlaceholderTexts::in_every_language));
    if subject == Subject::Reads {
        earlier_placeholders.extend(ORIGINAL_FILE_READS.placeholder.in_every_language());
    }
    Some(Rule {
        name: name.to_owned(),
        tools: tools.into_iter().map(units).collect(),
        by_kind: Some(subject),
        placeholder: texts.in_language(language),
        earlier_placeholders,
        ..without_age(base)
    })
}

/// `rule` without age, recency and content markers: its results are identified by their calls alone.
pub(super) fn without_age(rule: Rule) -> Rule {
    let grouping = match rule.grouping {
        Grouping::None { .. } => Grouping::None { among_all_tools: false },
        by_path => by_path,
    };
    Rule { content_markers: Vec::new(), grouping, keep_recent: 0, max_age_ms: None, ..rule }
}

/// `rule` for the tools of these kinds, of `agent` or of all agents.
fn for_tools_of(rule: Rule, agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Rule {
    let tools = tools_of(agent, kinds).into_iter().map(units).collect();
    Rule { tools, ignore_case: true, errors: ErrorDetection::Everywhere, ..rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r1_4_shell_names_are_compared_without_case() {
        for name in ["Bash", "terminal-execute", "LOCAL_SHELL", "run_in_terminal"] {
            assert!(terminal(Language::Chinese).covers_tool(&units(name)), "{name}");
        }
        for name in ["filesystem-read", "bash2", ""] {
            assert!(!terminal(Language::Chinese).covers_tool(&units(name)), "{name}");
        }
    }

    #[test]
    fn r2_1_read_names_are_compared_exactly() {
        let rule = file_reads(ProjectRoot::new(&units("/"), false).unwrap(), Language::Chinese);
        assert!(rule.covers_tool(&units("filesystem-read")));
        assert!(!rule.covers_tool(&units("Filesystem-Read")));
    }
}
