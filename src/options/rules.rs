//! Reads the options of one rule: of a preset, or of the application's own rule.

use napi::ValueType;
use napi::bindgen_prelude::Result;
use palimpsest_core::cleanup::rules::placeholder::Placeholder;
use palimpsest_core::cleanup::rules::{ErrorDetection, Grouping, Rule, presets};
use palimpsest_core::results::Language;
use palimpsest_core::text::paths::ProjectRoot;
use palimpsest_core::text::utf16::ascii_lower;

use super::host_facts::HostFacts;
use crate::error::quoted;
use crate::option_values::GivenOptions;

pub fn by_kind(name: &str, options: &GivenOptions<'_>, host: &HostFacts, shared: Language) -> Result<Rule> {
    let root = project_root(options, host)?;
    let rule = presets::by_kind(name, host.agent, root, language(options)?.unwrap_or(shared))
        .ok_or_else(|| options.refuse("preset", "a known rule", name))?;
    changed(rule, options, &["terminalTools", "readTools", "searchTools"])
}

pub fn language(options: &GivenOptions<'_>) -> Result<Option<Language>> {
    let tag = options.choice("placeholderLanguage", &Language::TAGS)?.and_then(|at| Language::TAGS.get(at));
    Ok(tag.and_then(|tag| Language::from_tag(tag)))
}

pub fn terminal(options: &GivenOptions<'_>, host: &HostFacts, shared: Language) -> Result<Rule> {
    let language = language(options)?.unwrap_or(shared);
    let mut rule = if host.knows_agents {
        presets::terminal_of(host.agent, language)
    } else {
        presets::terminal(language)
    };
    if options.choice("errors", &["exitCode", "seed"])? == Some(1) {
        rule.errors = ErrorDetection::Original;
    }
    changed(rule, options, &["terminalTools"])
}

pub fn file_reads(options: &GivenOptions<'_>, host: &HostFacts, shared: Language) -> Result<Rule> {
    let root = project_root(options, host)?;
    let language = language(options)?.unwrap_or(shared);
    let rule = if host.knows_agents {
        presets::file_reads_of(host.agent, root, language)
    } else {
        presets::file_reads(root, language)
    };
    changed(rule, options, &["readTools"])
}

pub fn text_search(options: &GivenOptions<'_>, host: &HostFacts, shared: Language) -> Result<Rule> {
    let language = language(options)?.unwrap_or(shared);
    let rule = if host.knows_agents {
        presets::text_search_of(host.agent, language)
    } else {
        presets::text_search(language)
    };
    changed(rule, options, &["searchTools"])
}

/// A preset with the application's tools under `tool_keys`, path keys, and the options of every rule.
fn changed(mut rule: Rule, options: &GivenOptions<'_>, tool_keys: &[&str]) -> Result<Rule> {
    for key in tool_keys {
        tools(options, key, &mut rule)?;
    }
    if let (Some(path_keys), Grouping::Path { keys, .. }) = (options.texts("pathKeys")?, &mut rule.grouping) {
        *keys = path_keys;
    }
    common(options, &mut rule)?;
    Ok(rule)
}

fn tools(options: &GivenOptions<'_>, key: &str, rule: &mut Rule) -> Result<()> {
    if let Some(tools) = options.texts(key)? {
        rule.tools = if rule.ignore_case { tools.into_iter().map(lower).collect() } else { tools };
        // Without names the rule covers no tool.
        rule.by_kind = rule.by_kind.filter(|_| !rule.tools.is_empty());
    }
    Ok(())
}

pub fn custom(options: &GivenOptions<'_>, host: &HostFacts) -> Result<Rule> {
    let name = options.required_text("name")?;
    let ignore_case = options.flag("ignoreCase")?.unwrap_or(false);
    let tools = options.texts("tools")?.unwrap_or_default();
    let mut rule = Rule {
        name: String::from_utf16_lossy(&name),
        tools: if ignore_case { tools.into_iter().map(lower).collect() } else { tools },
        ignore_case,
        content_markers: options.texts("contentMarkers")?.unwrap_or_default(),
        grouping: grouping(options, host)?,
        keep_recent: presets::KEEP_RECENT,
        max_age_ms: None,
        errors: ErrorDetection::Status,
        count_errors: false,
        is_for_repeated_commands: false,
        by_kind: None,
        placeholder: Placeholder::parse(&options.required_text("placeholder")?),
        earlier_placeholders: Vec::new(),
    };
    if let Some(choice) = options.choice("errors", &["status", "seed", "exitCode"])? {
        rule.errors = match choice {
            0 => ErrorDetection::Status,
            1 => ErrorDetection::Original,
            _ => ErrorDetection::Commands,
        };
    }
    common(options, &mut rule)?;
    Ok(rule)
}

fn common(options: &GivenOptions<'_>, rule: &mut Rule) -> Result<()> {
    if let Some(keep_recent) = options.count("keepRecent")? {
        rule.keep_recent = keep_recent;
    }
    if let Some(max_age_ms) = options.duration("maxAgeMs")? {
        rule.max_age_ms = Some(max_age_ms);
    }
    if let Some(count_errors) = options.flag("countErrors")? {
        rule.count_errors = count_errors;
    }
    if let Some(placeholder) = options.text("placeholder")? {
        rule.placeholder = Placeholder::parse(&placeholder);
    }
    Ok(())
}

fn grouping(options: &GivenOptions<'_>, host: &HostFacts) -> Result<Grouping> {
    const EXPECTED: &str = "'none', 'path' or {argument: string}";
    let value = options.get("groupBy")?;
    if value.get_type()? == ValueType::Object {
        let nested = GivenOptions::new(options.env, value, options.name("groupBy"))?;
        return Ok(Grouping::Argument(nested.required_text("argument")?));
    }
    match options.text("groupBy")?.map(|text| String::from_utf16_lossy(&text)).as_deref() {
        None | Some("none") => {
            let among = options.choice("recentAmong", &["covered", "allTools"])?;
            Ok(Grouping::None { among_all_tools: among == Some(1) })
        }
        Some("path") => {
            let keys =
                options.texts("pathKeys")?.unwrap_or_else(|| vec!["filePath".encode_utf16().collect()]);
            Ok(Grouping::Path { keys, root: project_root(options, host)? })
        }
        Some(other) => Err(options.refuse("groupBy", EXPECTED, &quoted(other))),
    }
}

pub fn project_root(options: &GivenOptions<'_>, host: &HostFacts) -> Result<ProjectRoot> {
    let given = options.text("projectRoot")?;
    let fold = options.flag("caseInsensitivePaths")?.unwrap_or(host.windows);
    let root = given.as_deref().unwrap_or(&host.cwd);
    ProjectRoot::new(root, fold).ok_or_else(|| {
        options.refuse("projectRoot", "an absolute path", &quoted(&String::from_utf16_lossy(root)))
    })
}

fn lower(name: Vec<u16>) -> Vec<u16> {
    name.into_iter().map(ascii_lower).collect()
}
