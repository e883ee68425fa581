//! Decides that a command's output is outdated once the same command has run again and succeeded, whatever its age (R10.9).
//! In doubt results stay: a failed run makes nothing outdated, errors stay, and so do calls with unknown arguments.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::presets::{PlaceholderTexts, rule_by_calls};
use crate::cleanup::rules::rule::Rule;
use crate::results::Language;
use crate::text::json_probe::object_members;
use crate::text::utf16::equals_ascii;
use crate::tools::registry::{AgentTools, COMMAND_KEYS, TERMINAL, tools_of};

pub const NAME: &str = "repeatedCommands";
const PLACEHOLDER: PlaceholderTexts =
    ["[已移除:同一命令之后再次运行]", "[Removed: the same command was run again later]"];
/// Arguments that do not change what is run.
const IGNORED_ARGUMENTS: [&str; 6] =
    ["description", "explanation", "timeout", "timeout_ms", "justification", "yield_time_ms"];

pub fn rule(agent: Option<&AgentTools>, language: Language) -> Rule {
    let by_calls = rule_by_calls(NAME, &tools_of(agent, TERMINAL), PLACEHOLDER, language);
    Rule { is_for_repeated_commands: true, ..by_calls }
}

/// What two runs of the same command have in common: the tool, and the length and hash of the command, whose text would double the memory.
type CommandKey = (u32, usize, u64);

/// The row of the newest result of each command in a growing conversation.
#[derive(Debug, Default)]
pub struct RepeatedCommands(HashMap<CommandKey, u32>);

impl RepeatedCommands {
    /// Results of commands that new results repeat, and that no rule has replaced. O(new results), plus reads of their arguments;
    /// a result is read only if its command was run before.
    pub fn outdated(&mut self, context: &mut RuleContext<'_>) -> Vec<u32> {
        let mut rows = Vec::new();
        for row in context.new_rows() {
            let Some(key) = command_key(context, row as usize) else { continue };
            let earlier = self.0.get(&key).copied();
            if earlier.is_none() || !context.is_error(row as usize) {
                self.0.insert(key, row);
                rows.extend(earlier.filter(|&earlier| !context.is_error(earlier as usize)));
            }
        }
        rows.retain(|&row| !context.is_replaced_earlier(row) && !context.is_spared(row as usize));
        rows
    }
}

/// The command whose result row `index` is; `None` if it is no result of a covered command.
fn command_key(context: &mut RuleContext<'_>, index: usize) -> Option<CommandKey> {
    let tool = context.tool_of(index).filter(|_| context.is_covered_text(index))?;
    let call = context.call_of(index)?;
    let mut key = None;
    context.texts.arguments(call, &mut |arguments| {
        key = normalised_command(arguments).map(|command| {
            let mut hasher = DefaultHasher::new();
            command.hash(&mut hasher);
            (tool, command.len(), hasher.finish())
        });
    });
    key
}

/// A command with all arguments that it depends on; `None` if the call runs no command.
fn normalised_command(arguments: &[u16]) -> Option<Vec<u16>> {
    let (mut command, mut has_command) = (Vec::new(), false);
    let is_object = object_members(arguments, |key, value| {
        has_command |= COMMAND_KEYS.iter().any(|name| equals_ascii(key, name));
        if !IGNORED_ARGUMENTS.iter().any(|name| equals_ascii(key, name)) {
            command.extend_from_slice(key);
            command.extend_from_slice(value.text);
        }
    });
    (is_object && has_command).then_some(command)
}
