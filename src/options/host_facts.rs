//! What the defaults of options depend on besides the options.

use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::tools::registry::AgentTools;

/// Facts that the defaults of options depend on.
#[allow(clippy::struct_excessive_bools)] // facts that don't depend on each other
pub struct HostFacts {
    pub cwd: Vec<u16>,
    pub windows: bool,
    /// True if the presets cover the tools of all agents, or of `agent`, and not only those of the original functions.
    pub knows_agents: bool,
    pub agent: Option<&'static AgentTools>,
    /// True if results are outdated by their kind unless an age is configured.
    pub goes_by_kind: bool,
    /// True if presets apply only if they are configured.
    pub keeps_what_is_not_named: bool,
    pub ages: Ages,
}
