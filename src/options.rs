//! Converts checked options to the core's rules.

mod rules;

use napi::bindgen_prelude::{FromNapiValue, Result};
use napi::{Env, Unknown, ValueType};
use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::cleanup::rules::subject::Subject;
use palimpsest_core::cleanup::rules::{Rule, repeated_commands};
use palimpsest_core::cleanup::{Orphans, Policy, Purpose};
use palimpsest_core::conversation::UnknownAge;
use palimpsest_core::tools::pattern::ToolPattern;
use palimpsest_core::tools::registry::agents;
use palimpsest_core::tools::result_kind::ResultKind;

use crate::error::quoted;
use crate::option_values::GivenOptions;
use rules::{OutdatedBy, RuleDefaults, by_age, by_kind, custom};

/// The names that this module reads from a rule or a preset.
pub const RULE_OPTIONS: [&str; 19] = [
    "name", "tools", "ignoreCase", "contentMarkers", "groupBy", "argument", "pathKeys", "projectRoot",
    "caseInsensitivePaths", "recentAmong", "keepRecent", "maxAgeMs", "errors", "countErrors", "placeholder",
    "placeholderLanguage", "terminalTools", "readTools", "searchTools",
];

/// Reads `{purpose, orphans, unknownAge, cwd, windows, rules, options}`; only the values of `options`, here and in a
/// rule, come from the user.
pub fn read_policy(env: &Env, spec: &Unknown<'_>) -> Result<Policy> {
    let spec = GivenOptions::new(env, *spec, "spec")?;
    let purpose = spec.choice("purpose", &PURPOSES)?.unwrap_or(Purpose::Prepare);
    let for_all = GivenOptions::new(env, spec.get("options")?, "options")?;
    let default_cause = if purpose == Purpose::View { OutdatedBy::Kind } else { OutdatedBy::Age };
    let agents: Vec<_> = agents().map(|agent| (agent.name, agent)).collect();
    let defaults = RuleDefaults {
        cwd: spec.text("cwd")?.unwrap_or_default(),
        windows: spec.flag("windows")?.unwrap_or(false),
        language: for_all.language("placeholderLanguage")?.unwrap_or_default(),
        knows_agents: purpose.knows_agents(),
        // `tools` of a rule names tools; here it names an agent.
        agent: for_all.choice("tools", &agents)?,
        outdated_by: for_all.choice("outdatedBy", &OUTDATED_BY)?.unwrap_or(default_cause),
    };
    let mut rules = read_rules(&spec, &defaults)?;
    let [kept_tools, dropped_tools] = [patterns(&for_all, "keepTools")?, patterns(&for_all, "dropTools")?];
    if !dropped_tools.is_empty() {
        rules.push(by_kind(Subject::Dropped.name(), &GivenOptions::none(env), &defaults)?);
    }
    Ok(Policy {
        purpose,
        orphans: spec.choice("orphans", &ORPHANS)?.unwrap_or(Orphans::Keep),
        language: defaults.language,
        rules,
        ages: read_ages(&for_all)?,
        kept_tools,
        dropped_tools,
        unknown_age: spec.choice("unknownAge", &UNKNOWN_AGES)?.unwrap_or(UnknownAge::Keep),
    })
}

const ORPHANS: [(&str, Orphans); 3] =
    [("keep", Orphans::Keep), ("remove", Orphans::Remove), ("answer", Orphans::Answer)];
const PURPOSES: [(&str, Purpose); 4] = [
    ("dropIn", Purpose::DropIn),
    ("ownRules", Purpose::OwnRules),
    ("prepare", Purpose::Prepare),
    ("view", Purpose::View),
];
const UNKNOWN_AGES: [(&str, UnknownAge); 3] =
    [("keep", UnknownAge::Keep), ("old", UnknownAge::Old), ("oldWhereNoneIsKnown", UnknownAge::OldWhereNoneIsKnown)];

const OUTDATED_BY: [(&str, OutdatedBy); 3] =
    [("kind", OutdatedBy::Kind), ("age", OutdatedBy::Age), ("nothing", OutdatedBy::Nothing)];

/// The default ages, with those in `ages` replaced: an array from the JavaScript side in the order of [`ResultKind::ALL`].
pub fn read_ages(options: &GivenOptions<'_>) -> Result<Ages> {
    let mut ages = Ages::default();
    for (kind, age) in ResultKind::ALL.into_iter().zip(options.list("ages")?.unwrap_or_default()) {
        if age.get_type()? == ValueType::Number {
            ages = ages.with(kind, u32::from_unknown(age)?);
        }
    }
    Ok(ages)
}

fn patterns(options: &GivenOptions<'_>, key: &str) -> Result<Vec<ToolPattern>> {
    const EXPECTED: &str = "names of tools, in which * matches any characters or none";
    let texts = options.texts(key)?.unwrap_or_default();
    let read = |text: &Vec<u16>| {
        let refused = || options.refuse(key, EXPECTED, &quoted(&String::from_utf16_lossy(text)));
        ToolPattern::parse(text).ok_or_else(refused)
    };
    texts.iter().map(read).collect()
}

fn read_rules(spec: &GivenOptions<'_>, defaults: &RuleDefaults) -> Result<Vec<Rule>> {
    let mut rules: Vec<Rule> = Vec::new();
    for entry in spec.list("rules")?.unwrap_or_default() {
        let entry = GivenOptions::new(spec.env, entry, "spec.rules")?;
        let options = GivenOptions::new(spec.env, entry.get("options")?, entry.string("label")?.unwrap_or_default())?;
        let is_default = entry.flag("isDefault")? == Some(true);
        let rule = match entry.string("preset")? {
            Some(preset) => read_preset(&preset, is_default, &options, defaults)?,
            None => Some(custom(&options, defaults)?),
        };
        let Some(rule) = rule else { continue };
        if rules.iter().any(|other| other.name == rule.name) {
            return Err(options.refuse("name", "a name that no other rule has", &quoted(&rule.name)));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// `None` if the preset has no rule for these options.
fn read_preset(
    preset: &str,
    is_default: bool,
    options: &GivenOptions<'_>,
    defaults: &RuleDefaults,
) -> Result<Option<Rule>> {
    if preset == repeated_commands::NAME {
        // By default, this rule is on only if results are outdated by kind.
        let is_off = is_default && defaults.outdated_by != OutdatedBy::Kind;
        return Ok((!is_off).then(|| repeated_commands::rule(defaults.agent, defaults.language)));
    }
    if defaults.outdated_by == OutdatedBy::Nothing && options.is_absent() {
        return Ok(None);
    }
    let are_given = AGE_OPTIONS.map(|name| options.is_given(name)).into_iter().collect::<Result<Vec<_>>>()?;
    if defaults.outdated_by == OutdatedBy::Kind && !are_given.contains(&true) {
        return by_kind(preset, options, defaults).map(Some);
    }
    by_age(preset, options, defaults)
}

/// Options of a preset that make its results outdated by age.
const AGE_OPTIONS: [&str; 4] = ["keepRecent", "maxAgeMs", "errors", "countErrors"];
