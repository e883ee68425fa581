//! Defines a policy: the rules and options by which conversations are cleaned up.

use crate::cleanup::rules::Rule;
use crate::cleanup::rules::ages::Ages;
use crate::cleanup::rules::subject::Subject;
use crate::conversation::UnknownAge;
use crate::results::{Language, in_language};
use crate::tools::pattern::ToolPattern;

/// The public function that a policy is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A drop-in function. docs/migrating.md lists how it differs from the function that it replaces.
    DropIn,
    /// An application's own rules, applied in place; like the drop-in functions, they trust its clock.
    OwnRules,
    /// `prepareMessages`, called with a whole conversation at any time.
    #[default]
    Prepare,
    /// A view of one conversation, evaluated before each request: a turn in progress is not interrupted.
    View,
}

/// What to do with calls without a result and results without a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Orphans {
    #[default]
    Keep,
    /// Remove both; a call is removed with the message that declares it.
    Remove,
    /// Give a call the result [`INTERRUPTED`]. Results without a call are still removed, unless there are no calls and no summaries at all:
    /// then the messages are an excerpt whose calls are elsewhere.
    Answer,
}

/// The result of a call that never ended, in Chinese and English. It begins like an error, so that no rule counts it as a success.
pub const INTERRUPTED: [&str; 2] =
    ["Error: 此工具调用已中断,没有返回结果", "Error: this tool call was interrupted and returned no result"];

impl Purpose {
    /// True if a placeholder may be as long as the content, or longer.
    pub fn may_lengthen(self) -> bool {
        self == Self::DropIn
    }

    /// True if a result's age depends only on its own time. Otherwise a clock that is set back makes nothing older, and results
    /// without a following assistant message stay.
    pub fn trusts_clock(self) -> bool {
        matches!(self, Self::DropIn | Self::OwnRules)
    }

    /// True if presets cover the tools of coding agents. The drop-in functions cover only those of the original functions.
    pub fn knows_agents(self) -> bool {
        !matches!(self, Self::DropIn | Self::OwnRules)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Policy {
    pub purpose: Purpose,
    /// How to repair messages that a provider would reject (R3), before any rule applies.
    pub orphans: Orphans,
    /// Applied in order; the first that replaces a result sets its placeholder.
    pub rules: Vec<Rule>,
    pub ages: Ages,
    pub kept_tools: Vec<ToolPattern>,
    /// Tools whose results the rule for dropped tools replaces, unless they are kept.
    pub dropped_tools: Vec<ToolPattern>,
    pub language: Language,
    pub unknown_age: UnknownAge,
}

impl Policy {
    pub fn keeps(&self, name: &[u16]) -> bool {
        self.kept_tools.iter().any(|pattern| pattern.matches(name))
    }

    pub fn coverage(&self, name: &[u16]) -> Vec<bool> {
        let is_kept = self.keeps(name);
        // A rule for repeated commands covers tools in addition to another rule.
        let may_claim = |rule: &&Rule| !rule.is_for_repeated_commands && rule.by_kind != Some(Subject::Others);
        let is_claimed = self.rules.iter().filter(may_claim).any(|rule| rule.covers_tool(name));
        let covers = |rule: &Rule| match rule.by_kind {
            _ if is_kept => false,
            Some(Subject::Dropped) => self.dropped_tools.iter().any(|pattern| pattern.matches(name)),
            Some(Subject::Others) => rule.covers_tool(name) && !is_claimed,
            _ => rule.covers_tool(name),
        };
        self.rules.iter().map(covers).collect()
    }

    /// True if a placeholder shows the result's age, and so changes at each request.
    pub fn shows_age(&self) -> bool {
        self.rules.iter().any(|rule| rule.placeholder.shows_age())
    }

    pub fn interrupted_answer(&self) -> &'static str {
        let [chinese, english] = INTERRUPTED;
        in_language(self.language, chinese, english)
    }
}
