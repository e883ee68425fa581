//! The rules that hosts know by name, with the numbers and placeholders that users see.

use crate::cleanup::rules::by_kind::Subject;
use crate::cleanup::rules::placeholder::Placeholder;
use crate::cleanup::rules::{ErrorDetection, Grouping, Rule};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::ToolKind;
use crate::tools::registry::{AgentTools, READS, SEARCHES, TERMINAL, TERMINAL_TOOLS, path_keys_of, tools_of};

/// How many of the newest results stay, in every preset.
pub const KEEP_RECENT: usize = 5;
/// Terminal results older than this are outdated (R1.3).
pub const TERMINAL_MAX_AGE_MS: f64 = 15.0 * 60.0 * 1000.0;
/// Text search results older than this are outdated (R3b.1).
pub const TEXT_SEARCH_MAX_AGE_MS: f64 = 10.0 * 60.0 * 1000.0;

/// What a terminal result contains when nothing else says that it is one.
pub const TERMINAL_MARKERS: [&str; 3] = ["\"stdout\":", "\"stderr\":", "\"exitCode\":"];

/// One text in both languages.
#[derive(Debug, Clone, Copy)]
struct PlaceholderTexts {
    chinese: &'static str,
    english: &'static str,
}

const TERMINAL_PLACEHOLDER: PlaceholderTexts = PlaceholderTexts {
    chinese: "此命令返回内容已过时",
    english: "[Outdated command output removed]",
};
const FILE_READS_PLACEHOLDER: PlaceholderTexts = PlaceholderTexts {
    chinese: "[该文件的历史读取内容已压缩,请参看最新读取结果]",
    english: "[Earlier read of this file removed: see its latest read]",
};
const TEXT_SEARCH_PLACEHOLDER: PlaceholderTexts = PlaceholderTexts {
    chinese: "本次搜索结果已过时,故精简为占位符",
    english: "[Outdated search results removed]",
};

const COMMAND_GONE: PlaceholderTexts = PlaceholderTexts {
    chinese: "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新运行]",
    english: "[{handle} removed: {tool}{about}, {lines} lines; run again if needed]",
};
const READ_GONE: PlaceholderTexts = PlaceholderTexts {
    chinese: "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新读取]",
    english: "[{handle} removed: {tool}{about}, {lines} lines; read again if needed]",
};
const SEARCH_GONE: PlaceholderTexts = PlaceholderTexts {
    chinese: "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新搜索]",
    english: "[{handle} removed: {tool}{about}, {lines} lines; search again if needed]",
};
const EDIT_GONE: PlaceholderTexts = PlaceholderTexts {
    chinese: "[{handle} 已移除:{tool}{about},{lines} 行]",
    english: "[{handle} removed: {tool}{about}, {lines} lines]",
};
const OTHER_GONE: PlaceholderTexts = PlaceholderTexts {
    chinese: "[{handle} 已移除:{tool},{lines} 行;需要时请重新调用]",
    english: "[{handle} removed: {tool}, {lines} lines; call again if needed]",
};
/// What results by kind left in an earlier version.
const BEFORE: [PlaceholderTexts; 5] = [
    TERMINAL_PLACEHOLDER,
    PlaceholderTexts {
        chinese: "[此读取内容已过时并移除,需要时请重新读取]",
        english: "[Outdated file content removed: read it again if needed]",
    },
    TEXT_SEARCH_PLACEHOLDER,
    PlaceholderTexts {
        chinese: "[此编辑结果已过时并移除]", english: "[Outdated result of an edit removed]"
    },
    PlaceholderTexts {
        chinese: "[此工具结果已过时并移除]", english: "[Outdated tool result removed]"
    },
];

impl PlaceholderTexts {
    fn in_language(self, language: Language) -> Placeholder {
        Placeholder::own(match language {
            Language::Chinese => self.chinese,
            Language::English => self.english,
        })
    }

    /// A session may go on in the other language, or with a placeholder of its host's own: what was replaced stays.
    fn in_every_language(self) -> Vec<Placeholder> {
        vec![Placeholder::own(self.chinese), Placeholder::own(self.english)]
    }
}

/// R1: old successful terminal results, unless among the newest five results of any tool.
#[must_use]
pub fn terminal(language: Language) -> Rule {
    Rule {
        name: "terminal".to_owned(),
        tools: TERMINAL_TOOLS.iter().map(|name| units(name)).collect(),
        ignore_case: true,
        content_markers: TERMINAL_MARKERS.iter().map(|marker| units(marker)).collect(),
        grouping: Grouping::None { among_all_tools: true },
        keep_recent: KEEP_RECENT,
        max_age_ms: Some(TERMINAL_MAX_AGE_MS),
        errors: ErrorDetection::Commands,
        count_errors: false,
        supersession: None,
        by_kind: None,
        placeholder: TERMINAL_PLACEHOLDER.in_language(language),
        earlier_placeholders: TERMINAL_PLACEHOLDER.in_every_language(),
    }
}

/// R2: reads of a path beyond its newest five, at any age.
#[must_use]
pub fn file_reads(root: ProjectRoot, language: Language) -> Rule {
    Rule {
        name: "fileReads".to_owned(),
        tools: vec![units("filesystem-read")],
        ignore_case: false,
        content_markers: Vec::new(),
        grouping: Grouping::Path { keys: vec![units("filePath")], root },
        keep_recent: KEEP_RECENT,
        max_age_ms: None,
        errors: ErrorDetection::Status,
        count_errors: false,
        supersession: None,
        by_kind: None,
        placeholder: FILE_READS_PLACEHOLDER.in_language(language),
        earlier_placeholders: FILE_READS_PLACEHOLDER.in_every_language(),
    }
}

/// R3b.1: old text searches, unless among the newest five results of any tool.
#[must_use]
pub fn text_search(language: Language) -> Rule {
    Rule {
        name: "textSearch".to_owned(),
        tools: vec![units("ace-text_search")],
        ignore_case: false,
        content_markers: Vec::new(),
        grouping: Grouping::None { among_all_tools: true },
        keep_recent: KEEP_RECENT,
        max_age_ms: Some(TEXT_SEARCH_MAX_AGE_MS),
        errors: ErrorDetection::Status,
        count_errors: false,
        supersession: None,
        by_kind: None,
        placeholder: TEXT_SEARCH_PLACEHOLDER.in_language(language),
        earlier_placeholders: TEXT_SEARCH_PLACEHOLDER.in_every_language(),
    }
}

/// R1 for the tools of `agent`, or of all agents.
#[must_use]
pub fn terminal_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    covering(terminal(language), agent, TERMINAL)
}

/// R2 for the tools of `agent`, or of all agents.
#[must_use]
pub fn file_reads_of(agent: Option<&AgentTools>, root: ProjectRoot, language: Language) -> Rule {
    let keys = path_keys_of(agent).into_iter().map(units).collect();
    let grouping = Grouping::Path { keys, root: root.clone() };
    covering(Rule { grouping, ..file_reads(root, language) }, agent, READS)
}

/// R3b.1 for the tools of `agent`, or of all agents.
#[must_use]
pub fn text_search_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    covering(text_search(language), agent, SEARCHES)
}

/// The preset called `name`, whose results go by what they are: of the tools of `agent`, or of all agents.
#[must_use]
pub fn by_kind(
    name: &str,
    agent: Option<&AgentTools>,
    root: ProjectRoot,
    language: Language,
) -> Option<Rule> {
    let subject = Subject::named(name)?;
    let texts = match subject {
        Subject::Commands => COMMAND_GONE,
        Subject::Reads => READ_GONE,
        Subject::Searches => SEARCH_GONE,
        Subject::Edits => EDIT_GONE,
        Subject::Others | Subject::Dropped => OTHER_GONE,
    };
    let base = match subject {
        Subject::Reads => file_reads_of(agent, root, language),
        _ => terminal_of(agent, language),
    };
    let grouping = match base.grouping {
        Grouping::None { .. } => Grouping::None { among_all_tools: false },
        by_path => by_path,
    };
    let named = agent.filter(|_| subject.reads_arguments());
    let tools = named.map(|agent| tools_of(Some(agent), subject.tool_kinds())).unwrap_or_default();
    let mut earlier_placeholders = texts.in_every_language();
    earlier_placeholders.extend(BEFORE.into_iter().flat_map(PlaceholderTexts::in_every_language));
    if subject == Subject::Reads {
        earlier_placeholders.extend(FILE_READS_PLACEHOLDER.in_every_language());
    }
    Some(Rule {
        name: name.to_owned(),
        tools: tools.into_iter().map(units).collect(),
        content_markers: Vec::new(),
        grouping,
        keep_recent: 0,
        max_age_ms: None,
        by_kind: Some(subject),
        placeholder: texts.in_language(language),
        earlier_placeholders,
        ..base
    })
}

fn covering(rule: Rule, agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Rule {
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
