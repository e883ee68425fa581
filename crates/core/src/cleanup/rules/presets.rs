//! Defines the presets: named rules, with the limits and placeholders that users see. The *original* ones are those of the
//! functions that the drop-in functions replace.

use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::placeholder::Placeholder;
use crate::cleanup::rules::rule::{ErrorDetection, Rule};
use crate::cleanup::rules::subject::Subject;
use crate::results::{Language, in_language};
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

/// One placeholder in Chinese and English.
pub(super) type PlaceholderTexts = [&'static str; 2];

const TERMINAL_OUTDATED: PlaceholderTexts = ["此命令返回内容已过时", "[Outdated command output removed]"];
const READ_OUTDATED: PlaceholderTexts =
    ["[该文件的历史读取内容已压缩,请参看最新读取结果]", "[Earlier read of this file removed: see its latest read]"];
const SEARCH_OUTDATED: PlaceholderTexts = ["本次搜索结果已过时,故精简为占位符", "[Outdated search results removed]"];
const COMMAND_REMOVED: PlaceholderTexts = [
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新运行]",
    "[{handle} removed: {tool}{about}, {lines} lines; run again if needed]",
];
const READ_REMOVED: PlaceholderTexts = [
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新读取]",
    "[{handle} removed: {tool}{about}, {lines} lines; read again if needed]",
];
const SEARCH_REMOVED: PlaceholderTexts = [
    "[{handle} 已移除:{tool}{about},{lines} 行;需要时请重新搜索]",
    "[{handle} removed: {tool}{about}, {lines} lines; search again if needed]",
];
const EDIT_REMOVED: PlaceholderTexts =
    ["[{handle} 已移除:{tool}{about},{lines} 行]", "[{handle} removed: {tool}{about}, {lines} lines]"];
const OTHER_REMOVED: PlaceholderTexts = [
    "[{handle} 已移除:{tool},{lines} 行;需要时请重新调用]",
    "[{handle} removed: {tool}, {lines} lines; call again if needed]",
];
/// Placeholders that an earlier version of the rules by kind wrote.
const EARLIER_TEXTS: [PlaceholderTexts; 5] = [
    TERMINAL_OUTDATED,
    ["[此读取内容已过时并移除,需要时请重新读取]", "[Outdated file content removed: read it again if needed]"],
    SEARCH_OUTDATED,
    ["[此编辑结果已过时并移除]", "[Outdated result of an edit removed]"],
    ["[此工具结果已过时并移除]", "[Outdated tool result removed]"],
];

/// The placeholders in all languages: a session may continue in the other language, and its older placeholders stay recognised.
fn in_every_language(texts: PlaceholderTexts) -> Vec<Placeholder> {
    texts.map(Placeholder::with_all_fields).to_vec()
}

fn original_rule(name: &str, tools: &[&str], placeholder: PlaceholderTexts, language: Language) -> Rule {
    let [chinese, english] = placeholder;
    Rule {
        name: name.to_owned(),
        tools: tools.iter().map(|name| units(name)).collect(),
        ignore_case: false,
        content_markers: Vec::new(),
        grouping: Grouping::None { among_all_tools: true },
        keep_recent: KEEP_RECENT,
        max_age_ms: None,
        errors: ErrorDetection::Status,
        count_errors: false,
        is_for_repeated_commands: false,
        by_kind: None,
        placeholder: Placeholder::with_all_fields(in_language(language, chinese, english)),
        earlier_placeholders: in_every_language(placeholder),
    }
}

/// R1: old successful terminal results, unless among the newest five results of any tool.
pub fn terminal(language: Language) -> Rule {
    Rule {
        ignore_case: true,
        content_markers: TERMINAL_MARKERS.map(units).to_vec(),
        max_age_ms: Some(TERMINAL_MAX_AGE_MS),
        errors: ErrorDetection::Commands,
        ..original_rule("terminal", &TERMINAL_TOOLS, TERMINAL_OUTDATED, language)
    }
}

/// R2: reads of a path beyond its newest five, at any age.
pub fn file_reads(root: ProjectRoot, language: Language) -> Rule {
    let grouping = Grouping::Path { keys: vec![units("filePath")], root };
    Rule { grouping, ..original_rule("fileReads", &["filesystem-read"], READ_OUTDATED, language) }
}

/// R3b.1: old text searches, unless among the newest five results of any tool.
pub fn text_search(language: Language) -> Rule {
    let max_age_ms = Some(TEXT_SEARCH_MAX_AGE_MS);
    Rule { max_age_ms, ..original_rule("textSearch", &["ace-text_search"], SEARCH_OUTDATED, language) }
}

/// R1 for the tools of `agent`, or of all agents.
pub fn terminal_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    for_tools_of(terminal(language), agent, TERMINAL)
}

/// R2 for the tools of `agent`, or of all agents.
pub fn file_reads_of(agent: Option<&AgentTools>, root: ProjectRoot, language: Language) -> Rule {
    let original = original_rule("fileReads", &[], READ_OUTDATED, language);
    for_tools_of(Rule { grouping: by_path(agent, root), ..original }, agent, READS)
}

/// R3b.1 for the tools of `agent`, or of all agents.
pub fn text_search_of(agent: Option<&AgentTools>, language: Language) -> Rule {
    for_tools_of(text_search(language), agent, SEARCHES)
}

/// The preset `name`, with ages by kind of result, for the tools of `agent` or of all agents.
pub fn by_kind(name: &str, agent: Option<&AgentTools>, root: ProjectRoot, language: Language) -> Option<Rule> {
    let subject = Subject::from_name(name)?;
    let texts = match subject {
        Subject::Commands => COMMAND_REMOVED,
        Subject::Reads => READ_REMOVED,
        Subject::Searches => SEARCH_REMOVED,
        Subject::Edits => EDIT_REMOVED,
        Subject::Others | Subject::Dropped => OTHER_REMOVED,
    };
    let tools = match agent {
        Some(agent) if subject.reads_arguments() => tools_of(Some(agent), subject.tool_kinds()),
        // A rule without tools covers tools by their kind.
        _ => Vec::new(),
    };
    let mut rule = rule_by_calls(name, &tools, texts, language);
    rule.by_kind = Some(subject);
    rule.earlier_placeholders.extend(EARLIER_TEXTS.into_iter().flat_map(in_every_language));
    if subject == Subject::Reads {
        rule.grouping = by_path(agent, root);
        rule.earlier_placeholders.extend(in_every_language(READ_OUTDATED));
    }
    Some(rule)
}

/// A rule without age, recency and content markers: its results are identified by their calls alone.
pub(super) fn rule_by_calls(name: &str, tools: &[&str], placeholder: PlaceholderTexts, language: Language) -> Rule {
    Rule {
        ignore_case: true,
        grouping: Grouping::None { among_all_tools: false },
        keep_recent: 0,
        errors: ErrorDetection::Everywhere,
        ..original_rule(name, tools, placeholder, language)
    }
}

fn by_path(agent: Option<&AgentTools>, root: ProjectRoot) -> Grouping {
    Grouping::Path { keys: path_keys_of(agent).into_iter().map(units).collect(), root }
}

fn for_tools_of(rule: Rule, agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Rule {
    let tools = tools_of(agent, kinds).into_iter().map(units).collect();
    Rule { tools, ignore_case: true, errors: ErrorDetection::Everywhere, ..rule }
}

#[cfg(test)]
mod tests;
