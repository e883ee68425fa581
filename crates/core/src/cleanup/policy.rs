//! What is to be done to conversations.

use crate::cache::aging::Lives;
use crate::cleanup::rules::Rule;
use crate::conversation::pairing::{INTERRUPTED, Orphans};
use crate::conversation::times::UnknownAge;
use crate::results::Language;
use crate::tools::pattern::ToolPattern;

/// Which of the users' functions a policy is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// One of the functions that stand in for a host's own: they hold to its rules to the letter.
    DropIn,
    /// Rules of a host's own, in place: the clock is the host's, as in the functions that stand in for its own.
    OwnRules,
    /// `prepareMessages`.
    #[default]
    Prepare,
    /// A view of one conversation, which is sent before each request: a turn in progress isn't interrupted.
    View,
}

/// A preset, and where it holds when nothing is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresetDefault {
    /// The option's name.
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
    #[must_use]
    pub fn may_lengthen(self) -> bool {
        self == Self::DropIn
    }

    /// Whether each result is as old as its own time says. Elsewhere a clock that is set back makes nothing older, and
    /// what the model has not answered yet stays.
    #[must_use]
    pub fn trusts_the_clock(self) -> bool {
        matches!(self, Self::DropIn | Self::OwnRules)
    }
}

/// What is to be done to a conversation, whoever it is.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Which function asks.
    pub purpose: Purpose,
    /// What becomes of what a provider would reject (R3), before any rule looks.
    pub orphans: Orphans,
    /// Applied in order; the first that condemns a result names its placeholder.
    pub rules: Vec<Rule>,
    /// How long results stay that go by what they are.
    pub lives: Lives,
    /// Tools whose results no rule replaces.
    pub kept: Vec<ToolPattern>,
    /// Of the others, those whose results the rule for dropped tools replaces.
    pub dropped: Vec<ToolPattern>,
    /// In which language an interrupted call is answered.
    pub language: Language,
    /// How results without a time are judged.
    pub unknown_age: UnknownAge,
}

impl Policy {
    /// Whether the results of the tool called `name` always stay.
    #[must_use]
    pub fn keeps(&self, name: &[u16]) -> bool {
        self.kept.iter().any(|pattern| pattern.matches(name))
    }

    /// Whether the results of the tool called `name` are needed by nobody once they are answered.
    #[must_use]
    pub fn drops(&self, name: &[u16]) -> bool {
        !self.keeps(name) && self.dropped.iter().any(|pattern| pattern.matches(name))
    }

    /// Whether a text that replaces a content says how old it is: another one at each request.
    #[must_use]
    pub fn shows_age(&self) -> bool {
        self.rules.iter().any(|rule| rule.placeholder.shows_age())
    }

    /// What an interrupted call gets for a result.
    #[must_use]
    pub fn interrupted_answer(&self) -> &'static str {
        let [chinese, english] = INTERRUPTED;
        match self.language {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }
}
