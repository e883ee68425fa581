//! Defines the rules for results that a later event makes outdated, each with a placeholder that names the event.

use crate::cleanup::rules::placeholder::Placeholder;
use crate::cleanup::rules::presets;
use crate::cleanup::rules::rule::{ErrorDetection, Rule};
use crate::cleanup::rules::supersession::Supersession;
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::registry::AgentTools;

/// Option names of the rules, in the order in which they apply.
pub const NAMES: [&str; 4] = ["coveredReads", "repeatedCommands", "identicalResults", "resolvedErrors"];

/// The rule `name` for the tools of `agent`, or of all agents.
pub fn named(name: &str, agent: Option<&AgentTools>, root: ProjectRoot, language: Language) -> Option<Rule> {
    let (supersession, [chinese, english]) = match name {
        "coveredReads" => (
            Supersession::CoveredRead,
            [
                "[已移除:之后对 {path} 的读取包含这些内容]",
                "[Removed: a later read of {path} holds these lines]",
            ],
        ),
        "repeatedCommands" => (
            Supersession::RepeatedCommand,
            ["[已移除:同一命令之后再次运行]", "[Removed: the same command was run again later]"],
        ),
        "identicalResults" => (
            Supersession::IdenticalResult,
            ["[已移除:之后有内容相同的结果]", "[Removed: a later result of this tool is identical]"],
        ),
        "resolvedErrors" => (
            Supersession::ResolvedError,
            [
                "[已移除:此调用失败,之后相同调用已成功]",
                "[Removed: this call failed; the same call succeeded later]",
            ],
        ),
        _ => return None,
    };
    let base = match supersession {
        Supersession::CoveredRead => presets::file_reads_of(agent, root, language),
        _ => presets::terminal_of(agent, language),
    };
    let text = match language {
        Language::Chinese => chinese,
        Language::English => english,
    };
    Some(Rule {
        name: name.to_owned(),
        errors: ErrorDetection::Everywhere,
        placeholder: Placeholder::parse(&units(text)),
        earlier_placeholders: vec![Placeholder::own(chinese), Placeholder::own(english)],
        supersession: Some(supersession),
        ..presets::ageless(base)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r10_9_every_rule_is_known_by_its_name_and_says_what_superseded_it_in_both_languages() {
        for name in NAMES {
            let texts = [Language::Chinese, Language::English].map(|language| {
                let root = ProjectRoot::new(&units("/app"), false).unwrap();
                let rule = named(name, None, root, language).unwrap();
                assert_eq!(rule.name, name);
                assert!(rule.supersession.is_some() && rule.reads_arguments());
                rule.earlier_placeholders
            });
            assert_eq!(texts[0], texts[1], "what was replaced in one language stays in the other");
            assert_ne!(texts[0][0], texts[0][1]);
        }
        let root = ProjectRoot::new(&units("/app"), false).unwrap();
        assert!(named("terminal", None, root, Language::English).is_none());
    }
}
