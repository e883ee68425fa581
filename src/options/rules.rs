//! Reads the options of one rule: of a preset, or of the application's own rule.

use napi::ValueType;
use napi::bindgen_prelude::Result;
use palimpsest_core::cleanup::rules::placeholder::Placeholder;
use palimpsest_core::cleanup::rules::{ErrorDetection, Grouping, Rule, presets};
use palimpsest_core::results::Language;
use palimpsest_core::text::paths::ProjectRoot;
use palimpsest_core::text::utf16::ascii_lower;
use palimpsest_core::tools::registry::AgentTools;

use crate::error::quoted;
use crate::option_values::GivenOptions;

/// What options default to.
pub struct RuleDefaults {
    /// The application's working directory.
    pub cwd: Vec<u16>,
    pub windows: bool,
    pub language: Language,
    /// True if the presets cover the tools of all agents, or of `agent`, and not only those of the original functions.
    pub knows_agents: bool,
    pub agent: Option<&'static AgentTools>,
    pub outdated_by: OutdatedBy,
}

/// What makes results outdated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OutdatedBy {
    /// Their kind, unless an age is configured.
    Kind,
    Age,
    /// Nothing, except by presets that are configured.
    Nothing,
}

/// The preset `name`, with ages by kind of result.
pub fn by_kind(name: &str, options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Rule> {
    let (root, language) = (project_root(options, defaults)?, language(options, defaults)?);
    let rule = presets::by_kind(name, defaults.agent, root, language)
        .ok_or_else(|| options.refuse("preset", "a known rule", name))?;
    changed(rule, options)
}

/// The preset `name`, with one age for all results; `None` for presets that work by kind only.
pub fn by_age(name: &str, options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Option<Rule>> {
    let (agent, language) = (defaults.agent, language(options, defaults)?);
    let mut rule = match (name, defaults.knows_agents) {
        ("terminal", true) => presets::terminal_of(agent, language),
        ("terminal", false) => presets::terminal(language),
        ("fileReads", true) => presets::file_reads_of(agent, project_root(options, defaults)?, language),
        ("fileReads", false) => presets::file_reads(project_root(options, defaults)?, language),
        ("textSearch", true) => presets::text_search_of(agent, language),
        ("textSearch", false) => presets::text_search(language),
        _ => return Ok(None),
    };
    let errors = [("exitCode", rule.errors), ("seed", ErrorDetection::Original)];
    rule.errors = options.choice("errors", &errors)?.unwrap_or(rule.errors);
    changed(rule, options).map(Some)
}

fn language(options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Language> {
    Ok(options.language("placeholderLanguage")?.unwrap_or(defaults.language))
}

/// A preset with the application's tools, path keys, and the options of every rule.
fn changed(mut rule: Rule, options: &GivenOptions<'_>) -> Result<Rule> {
    for key in ["terminalTools", "readTools", "searchTools"] {
        let Some(tools) = options.texts(key)? else { continue };
        rule.tools = if rule.ignore_case { tools.into_iter().map(lower).collect() } else { tools };
        // Without names the rule covers no tool.
        rule.by_kind = rule.by_kind.filter(|_| !rule.tools.is_empty());
    }
    if let (Some(path_keys), Grouping::Path { keys, .. }) = (options.texts("pathKeys")?, &mut rule.grouping) {
        *keys = path_keys;
    }
    set_common(options, &mut rule)?;
    Ok(rule)
}

/// The application's own rule.
pub fn custom(options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Rule> {
    let name = options.required_text("name")?;
    let ignore_case = options.flag("ignoreCase")?.unwrap_or(false);
    let tools = options.texts("tools")?.unwrap_or_default();
    let errors = [
        ("status", ErrorDetection::Status),
        ("seed", ErrorDetection::Original),
        ("exitCode", ErrorDetection::Commands),
    ];
    let mut rule = Rule {
        name: String::from_utf16_lossy(&name),
        tools: if ignore_case { tools.into_iter().map(lower).collect() } else { tools },
        ignore_case,
        content_markers: options.texts("contentMarkers")?.unwrap_or_default(),
        grouping: grouping(options, defaults)?,
        keep_recent: presets::KEEP_RECENT,
        max_age_ms: None,
        errors: options.choice("errors", &errors)?.unwrap_or(ErrorDetection::Status),
        count_errors: false,
        is_for_repeated_commands: false,
        by_kind: None,
        placeholder: Placeholder::parse(&options.required_text("placeholder")?),
        earlier_placeholders: Vec::new(),
    };
    set_common(options, &mut rule)?;
    Ok(rule)
}

/// Sets the options that every rule has.
fn set_common(options: &GivenOptions<'_>, rule: &mut Rule) -> Result<()> {
    rule.keep_recent = options.count("keepRecent")?.unwrap_or(rule.keep_recent);
    rule.max_age_ms = options.duration("maxAgeMs")?.or(rule.max_age_ms);
    rule.count_errors = options.flag("countErrors")?.unwrap_or(rule.count_errors);
    if let Some(placeholder) = options.text("placeholder")? {
        rule.placeholder = Placeholder::parse(&placeholder);
    }
    Ok(())
}

fn grouping(options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Grouping> {
    if options.get("groupBy")?.get_type()? == ValueType::Object {
        return Ok(Grouping::Argument(options.nested("groupBy")?.required_text("argument")?));
    }
    match options.string("groupBy")?.as_deref() {
        None | Some("none") => {
            let among_all_tools = options.choice("recentAmong", &[("covered", false), ("allTools", true)])?;
            Ok(Grouping::None { among_all_tools: among_all_tools.unwrap_or(false) })
        }
        Some("path") => {
            let keys = options.texts("pathKeys")?.unwrap_or_else(|| vec!["filePath".encode_utf16().collect()]);
            Ok(Grouping::Path { keys, root: project_root(options, defaults)? })
        }
        Some(other) => Err(options.refuse("groupBy", "'none', 'path' or {argument: string}", &quoted(other))),
    }
}

fn project_root(options: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<ProjectRoot> {
    let given = options.text("projectRoot")?;
    let fold = options.flag("caseInsensitivePaths")?.unwrap_or(defaults.windows);
    let root = given.as_deref().unwrap_or(&defaults.cwd);
    ProjectRoot::new(root, fold)
        .ok_or_else(|| options.refuse("projectRoot", "an absolute path", &quoted(&String::from_utf16_lossy(root))))
}

fn lower(name: Vec<u16>) -> Vec<u16> {
    name.into_iter().map(ascii_lower).collect()
}
