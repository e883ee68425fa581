//! What is to be done to conversations.

use crate::cleanup::rules::Rule;
use crate::cleanup::rules::ages::Ages;
use crate::conversation::pairing::{INTERRUPTED, Orphans};
use crate::conversation::times::UnknownAge;
use crate::results::Language;
use crate::tools::pattern::ToolPattern;

/// Which of the users' functions a policy is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// One of the drop-in functions, which follow the rules of the functions that they replace to the letter.
    DropIn,
    /// A host's own rules, applied in place; like the drop-in functions they trust the host's clock.
    OwnRules,
    #[default]
    Prepare,
    /// A view of one conversation, which is sent before each request: a turn in progress isn't interrupted.
    View,
}

/// A preset, and in which functions it is on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresetDefault {
    pub name: &'static str,
    /// In `prepareMessages`, whose defaults are the seeds' rules.
    pub in_prepare: bool,
    /// In a view, which is made for any agent.
    pub in_view: bool,
}

/// The presets in the order in which they are applied.
pub const PRESETS: [PresetDefault; 5] = [
    PresetDefault { name: "terminal", in_prepare: true, in_view: true },
    PresetDefault { name: "fileReads", in_prepare: true, in_view: true },
    PresetDefault { name: "textSearch", in_prepare: false, in_view: true },
    PresetDefault { name: "edits", in_prepare: false, in_view: true },
    PresetDefault { name: "otherTools", in_prepare: false, in_view: true },
];

impl Purpose {
    /// Whether a content may become a placeholder that is no shorter than it.
    pub fn may_lengthen(self) -> bool {
        self == Self::DropIn
    }

    /// Whether a result's age goes by its own time alone. Otherwise a clock that is set back makes nothing older, and results
    /// that the model has not answered yet stay.
    pub fn trusts_the_clock(self) -> bool {
        matches!(self, Self::DropIn | Self::OwnRules)
    }
}

/// The rules and options for conversations.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// The function that asks.
    pub purpose: Purpose,
    /// How messages that a provider would reject are mended (R3), before any rule is applied.
    pub orphans: Orphans,
    /// Applied in order; the first that condemns a result names its placeholder.
    pub rules: Vec<Rule>,
    /// How many requests results of each kind stay.
    pub ages: Ages,
    /// Tools whose results no rule replaces.
    pub kept: Vec<ToolPattern>,
    /// Tools, other than the kept ones, whose results the rule for dropped tools replaces.
    pub dropped: Vec<ToolPattern>,
    /// In which language an interrupted call is answered.
    pub language: Language,
    /// How results without a time are judged.
    pub unknown_age: UnknownAge,
}

impl Policy {
    /// Whether the results of the tool called `name` always stay.
    pub fn keeps(&self, name: &[u16]) -> bool {
        self.kept.iter().any(|pattern| pattern.matches(name))
    }

    /// Whether the host has said that results of the tool called `name` may go once they are answered.
    pub fn drops(&self, name: &[u16]) -> bool {
        !self.keeps(name) && self.dropped.iter().any(|pattern| pattern.matches(name))
    }

    /// Whether a placeholder says how old the result is, and so differs at each request.
    pub fn shows_age(&self) -> bool {
        self.rules.iter().any(|rule| rule.placeholder.shows_age())
    }

    /// The result that an interrupted call is given.
    pub fn interrupted_answer(&self) -> &'static str {
        let [chinese, english] = INTERRUPTED;
        match self.language {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }
}
