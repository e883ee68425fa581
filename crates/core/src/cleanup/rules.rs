//! Which tool results a model no longer needs: one retention engine, and the presets that hosts know by name.

pub mod ages;
pub mod by_kind;
pub mod content_facts;
pub mod grouping;
pub mod line_range;
pub mod memory;
pub mod placeholder;
pub mod presets;
pub mod rendering;
pub mod retention;
pub mod stale;
pub mod supersession;
pub mod timeline;
pub mod window;

use crate::text::paths::ProjectRoot;
use crate::text::utf16::to_utf8;
use crate::tools::kind_of;
use by_kind::Subject;
use placeholder::Placeholder;
use supersession::Supersession;

/// Which results compete for the newest places.
#[derive(Debug, Clone)]
pub enum Grouping {
    /// Every candidate counts: all tool results, or only those that the rule covers.
    None {
        /// The newest of *any* tool stay, not just of the covered ones (R1.2).
        among_all_tools: bool,
    },
    /// Per path named in the call's arguments (R2.2).
    Path {
        /// Argument keys that hold paths.
        keys: Vec<Vec<u16>>,
        /// What the paths are relative to.
        root: ProjectRoot,
    },
    /// Per value of one argument.
    Argument(Vec<u16>),
}

/// What makes a tool result an error for a rule, besides the host's mark. What is [in doubt](crate::failure::Verdict::Doubtful) is one:
/// keeping one result too many costs little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorDetection {
    /// It begins with `Error:` (R2.4).
    Status,
    /// The same, or a covered result is one JSON object, from end to end, with a non-empty `stderr`: the reference's rule.
    Seed,
    /// It begins with `Error:`, or a covered result says in any form that its command failed (R1.5).
    Commands,
    /// A result of whatever tool says in any form that its call failed.
    Everywhere,
}

/// One retention rule (R3b.1).
#[derive(Debug, Clone)]
pub struct Rule {
    /// Names the rule in reports and logs.
    pub name: String,
    /// Tool names covered, lower case where `ignore_case` is set; where there are none, a rule by kinds goes by what tools do.
    pub tools: Vec<Vec<u16>>,
    /// Compare tool names without ASCII case.
    pub ignore_case: bool,
    /// A result whose call has no known name is covered when its content contains one of these.
    pub content_markers: Vec<Vec<u16>>,
    /// Whose newest results count together.
    pub grouping: Grouping,
    /// Newest successful results that stay, per group.
    pub keep_recent: usize,
    /// Only results strictly older than this; `None` for any age.
    pub max_age_ms: Option<f64>,
    /// What an error is. Errors always stay.
    pub errors: ErrorDetection,
    /// Errors use up `keep_recent`.
    pub count_errors: bool,
    /// The kind of results that this rule times in requests; then neither age nor recency count.
    pub by_kind: Option<Subject>,
    pub placeholder: Placeholder,
    /// What makes a result worthless, whatever its age; then neither age nor recency count.
    pub supersession: Option<Supersession>,
    /// Further texts that say that a content has been replaced (R1.6).
    pub earlier_placeholders: Vec<Placeholder>,
}

impl Rule {
    /// Whether results of the tool called `name` are covered.
    pub fn covers_tool(&self, name: &[u16]) -> bool {
        if self.supersession.as_ref().is_some_and(Supersession::covers_every_tool) {
            return true;
        }
        if self.tools.is_empty()
            && let Some(subject) = self.by_kind
        {
            return subject.tool_kinds().contains(&kind_of(&to_utf8(name)));
        }
        if self.ignore_case {
            let folded: Vec<u16> = name.iter().map(|&unit| crate::text::utf16::ascii_lower(unit)).collect();
            self.tools.contains(&folded)
        } else {
            self.tools.iter().any(|tool| tool == name)
        }
    }

    /// Whether only time makes results of its tools outdated, and it isn't the rule for tools that no other rule covers.
    pub fn speaks_for(&self, name: &[u16]) -> bool {
        self.supersession.is_none() && self.by_kind != Some(Subject::Others) && self.covers_tool(name)
    }

    /// Whether it looks into the arguments of calls.
    pub fn reads_arguments(&self) -> bool {
        self.supersession.is_some()
            || self.by_kind.is_some_and(Subject::reads_arguments)
            || !matches!(self.grouping, Grouping::None { .. })
    }
}
