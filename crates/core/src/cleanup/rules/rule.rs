//! Defines a rule: which results it covers, when they are outdated, and what replaces them.

use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::placeholder::Placeholder;
use crate::cleanup::rules::subject::Subject;
use crate::text::utf16::{ascii_lower, to_utf8};
use crate::tools::kind_of;

/// Criteria for errors, in addition to the application's error flag. A [doubtful](crate::failure::Verdict::Doubtful) result counts as an
/// error: keeping one result too many costs little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorDetection {
    /// It begins with `Error:` (R2.4).
    Status,
    /// As `Status`, or a covered result is exactly one JSON object with a non-empty `stderr`: the original functions' rule.
    Original,
    /// As `Status`, or a covered result reports in any form that its command failed (R1.5).
    Commands,
    /// A result of any tool reports in any form that its call failed.
    Everywhere,
}

#[derive(Debug, Clone)]
pub struct Rule {
    pub name: String,
    /// Covered tool names, in lower case if `ignore_case` is set. If empty, a rule by kind covers tools by their function.
    pub tools: Vec<Vec<u16>>,
    /// ASCII case of tool names doesn't matter.
    pub ignore_case: bool,
    /// A result whose tool is unknown is covered if its content contains one of these.
    pub content_markers: Vec<Vec<u16>>,
    pub grouping: Grouping,
    /// Number of newest successful results that stay, per group.
    pub keep_recent: usize,
    /// Only results strictly older than this are outdated; `None` for any age.
    pub max_age_ms: Option<f64>,
    pub errors: ErrorDetection,
    pub count_errors: bool,
    /// The kind of results whose age this rule counts in requests; `max_age_ms` and `keep_recent` are then ignored.
    pub by_kind: Option<Subject>,
    pub placeholder: Placeholder,
    /// True if a result is outdated once its command has run again; `max_age_ms` and `keep_recent` are then ignored.
    pub is_for_repeated_commands: bool,
    /// Other texts that mark a content as already replaced (R1.6).
    pub earlier_placeholders: Vec<Placeholder>,
}

impl Rule {
    pub fn covers_tool(&self, name: &[u16]) -> bool {
        if self.tools.is_empty()
            && let Some(subject) = self.by_kind
        {
            return subject.tool_kinds().contains(&kind_of(&to_utf8(name)));
        }
        if self.ignore_case {
            let folded: Vec<u16> = name.iter().map(|&unit| ascii_lower(unit)).collect();
            self.tools.contains(&folded)
        } else {
            self.tools.iter().any(|tool| tool == name)
        }
    }

    pub fn reads_arguments(&self) -> bool {
        self.is_for_repeated_commands
            || self.by_kind.is_some_and(Subject::reads_arguments)
            || !matches!(self.grouping, Grouping::None { .. })
    }
}

/// What the rules read of a tool's calls, so that callers pass nothing else; each value includes the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallInterest {
    /// No rule covers the tool: `report.uncoveredTools` counts it, and its results may not be read.
    #[default]
    None,
    Results,
    /// A rule also reads the arguments of its calls.
    Arguments,
}
