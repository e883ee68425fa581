//! Converts checked options to the core's rules.

mod host_facts;
mod rules;

use napi::bindgen_prelude::{FromNapiValue, Result};
use napi::{Env, Unknown, ValueType};
use palimpsest_core::cleanup::policy::PRESETS;
use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::cleanup::rules::subject::Subject;
use palimpsest_core::cleanup::rules::{Rule, repeated_commands};
use palimpsest_core::cleanup::{Policy, Purpose};
use palimpsest_core::conversation::pairing::Orphans;
use palimpsest_core::conversation::times::UnknownAge;
use palimpsest_core::results::Language;
use palimpsest_core::tools::pattern::ToolPattern;
use palimpsest_core::tools::registry::AGENTS;
use palimpsest_core::tools::result_kind::ResultKind;

use crate::error::quoted;
use crate::option_values::GivenOptions;
use host_facts::HostFacts;
use rules::{by_kind, custom, file_reads, language, terminal, text_search};

/// The names that this module reads from a rule or a preset.
pub const RULE_OPTIONS: [&str; 19] = [
    "name", "tools", "ignoreCase", "contentMarkers", "groupBy", "argument", "pathKeys", "projectRoot",
    "caseInsensitivePaths", "recentAmong", "keepRecent", "maxAgeMs", "errors", "countErrors", "placeholder",
    "placeholderLanguage", "terminalTools", "readTools", "searchTools",
];

/// Reads `{purpose, orphans, unknownAge, cwd, windows, rules, options}`; only the values of `options`, here and in a
/// rule, come from the user.
pub fn read_policy(env: &Env, spec: &Unknown<'_>) -> Result<Policy> {
    let spec = GivenOptions::new(env, *spec, "spec".to_owned())?;
    let orphans = match spec.choice("orphans", &["keep", "remove", "answer"])? {
        Some(1) => Orphans::Remove,
        Some(2) => Orphans::Answer,
        _ => Orphans::Keep,
    };
    let purpose = match spec.choice("purpose", &["dropIn", "ownRules", "prepare", "view"])? {
        Some(0) => Purpose::DropIn,
        Some(1) => Purpose::OwnRules,
        Some(3) => Purpose::View,
        _ => Purpose::Prepare,
    };
    let for_all = GivenOptions::new(env, spec.get("options")?, "options".to_owned())?;
    let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
    let outdated_by = for_all.choice("outdatedBy", &OUTDATED_BY)?;
    let host = HostFacts {
        cwd: spec.text("cwd")?.unwrap_or_default(),
        windows: spec.flag("windows")?.unwrap_or(false),
        knows_agents: !purpose.trusts_clock(),
        agent: for_all.choice("tools", &names)?.and_then(|choice| AGENTS.get(choice)),
        goes_by_kind: purpose == Purpose::View && outdated_by.is_none_or(|choice| choice == 0),
        keeps_what_is_not_named: outdated_by == Some(2),
        ages: ages(&for_all)?,
    };
    let shared = language(&for_all)?.unwrap_or_default();
    let mut rules = read_rules(env, &spec, &host, shared)?;
    let [kept, dropped] = [patterns(&for_all, "keepTools")?, patterns(&for_all, "dropTools")?];
    if !dropped.is_empty() {
        let absent = GivenOptions::new(env, for_all.get("no such option")?, String::new())?;
        rules.push(by_kind(Subject::Dropped.preset(), &absent, &host, shared)?);
    }
    let unknown_age = match spec.choice("unknownAge", &["keep", "old", "oldWhereNoneIsKnown"])? {
        Some(1) => UnknownAge::Old,
        Some(2) => UnknownAge::OldWhereNoneIsKnown,
        _ => UnknownAge::Keep,
    };
    Ok(Policy { purpose, orphans, language: shared, rules, ages: host.ages, kept, dropped, unknown_age })
}

/// The default ages, with those in `ages` replaced: an array from the JavaScript side in the order of [`ResultKind::ALL`].
fn ages(options: &GivenOptions<'_>) -> Result<Ages> {
    let mut ages = Ages::default();
    for (kind, age) in ResultKind::ALL.into_iter().zip(options.list("ages")?.unwrap_or_default()) {
        if age.get_type()? == ValueType::Number {
            ages = ages.with(kind, u32::from_unknown(age)?);
        }
    }
    Ok(ages)
}

/// `given`: `{ages}` of a view.
pub fn read_ages(env: &Env, given: Unknown<'_>) -> Result<Ages> {
    ages(&GivenOptions::new(env, given, "options".to_owned())?)
}

fn patterns(options: &GivenOptions<'_>, key: &str) -> Result<Vec<ToolPattern>> {
    const EXPECTED: &str = "names of tools, in which * stands for any letters";
    let texts = options.texts(key)?.unwrap_or_default();
    let read = |text: &Vec<u16>| {
        let refused = || options.refuse(key, EXPECTED, &quoted(&String::from_utf16_lossy(text)));
        ToolPattern::parse(text).ok_or_else(refused)
    };
    texts.iter().map(read).collect()
}

fn read_rules(env: &Env, spec: &GivenOptions<'_>, host: &HostFacts, shared: Language) -> Result<Vec<Rule>> {
    let mut rules: Vec<Rule> = Vec::new();
    for entry in spec.list("rules")?.unwrap_or_default() {
        let entry = GivenOptions::new(env, entry, "spec.rules".to_owned())?;
        let label = entry.text("label")?.map(|label| String::from_utf16_lossy(&label)).unwrap_or_default();
        let options = GivenOptions::new(env, entry.get("options")?, label)?;
        let preset = entry.text("preset")?.map(|preset| String::from_utf16_lossy(&preset));
        let rule = match preset.as_deref() {
            Some(name) if is_preset(name) && host.keeps_what_is_not_named && options.is_absent() => continue,
            Some(name) if is_preset(name) && goes_by_kind(&options, host)? => {
                by_kind(name, &options, host, shared)?
            }
            // These two presets work by kind only; otherwise they have no rule.
            Some("edits" | "otherTools") => continue,
            Some("terminal") => terminal(&options, host, shared)?,
            Some("fileReads") => file_reads(&options, host, shared)?,
            Some("textSearch") => text_search(&options, host, shared)?,
            // Unless the caller set it, this rule applies by kind only.
            Some(repeated_commands::NAME) if entry.flag("isDefault")? == Some(true) && !host.goes_by_kind => {
                continue;
            }
            Some(repeated_commands::NAME) => repeated_commands::rule(host.agent, shared),
            _ => custom(&options, host)?,
        };
        if rules.iter().any(|other| other.name == rule.name) {
            return Err(options.refuse("name", "a name that no other rule has", &quoted(&rule.name)));
        }
        rules.push(rule);
    }
    Ok(rules)
}

const OUTDATED_BY: [&str; 3] = ["kind", "age", "nothing"];
/// Options of a preset that make its results outdated by age.
const AGES: [&str; 4] = ["keepRecent", "maxAgeMs", "errors", "countErrors"];

fn is_preset(name: &str) -> bool {
    PRESETS.iter().any(|preset| preset.name == name)
}

fn goes_by_kind(options: &GivenOptions<'_>, host: &HostFacts) -> Result<bool> {
    if !host.goes_by_kind {
        return Ok(false);
    }
    for name in AGES {
        if options.is_given(name)? {
            return Ok(false);
        }
    }
    Ok(true)
}
