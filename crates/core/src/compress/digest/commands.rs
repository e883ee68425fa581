//! Decides which commands failed and still fail (SPEC R7.6): the agent must not take them for done.

use serde_json::{Value, json};

use super::outcome::{Outcome, exit_code_of_line};
use super::{one_line, strings_of};
use crate::compress::message::{Call, Message};
use crate::rules::presets::TERMINAL_TOOLS;

/// Older ones are forgotten: an agent that left twenty failures behind has moved on.
const MOST_COMMANDS: usize = 20;
const LONGEST_COMMAND_CHARS: usize = 300;
const LONGEST_ERROR_CHARS: usize = 240;

/// Arguments that hold the command.
const COMMAND_KEYS: [&str; 4] = ["command", "cmd", "script", "code"];

/// What the line that explains a failure holds. Lower case.
const ERROR_WORDS: [&str; 10] =
    ["error", "***", "fail", "panic", "exception", "not found", "cannot", "fatal", "denied", "错误"];

/// A command whose last run failed, and one line of what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingCommand {
    /// The command, on one line.
    pub command: String,
    /// May be empty.
    pub error: String,
}

/// The commands that fail, by their text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailingCommands {
    /// Last failure last.
    pub commands: Vec<FailingCommand>,
}

impl FailingCommands {
    /// A run of `command`: a failure is noted, a success clears the command's earlier ones.
    pub(super) fn take(&mut self, command: &str, outcome: Outcome, result: &Message) {
        match outcome {
            Outcome::Unknown => {}
            Outcome::Succeeded if self.commands.is_empty() => {}
            Outcome::Succeeded => self.forget(&one_line(command, LONGEST_COMMAND_CHARS)),
            Outcome::Failed => self.note(command, &error_line(&result.text)),
        }
    }

    fn forget(&mut self, command: &str) {
        self.commands.retain(|failing| failing.command != command);
    }

    fn note(&mut self, command: &str, error: &str) {
        let command = one_line(command, LONGEST_COMMAND_CHARS);
        if command.is_empty() {
            return;
        }
        self.forget(&command);
        self.commands.push(FailingCommand { command, error: one_line(error, LONGEST_ERROR_CHARS) });
        let surplus = self.commands.len().saturating_sub(MOST_COMMANDS);
        self.commands.drain(..surplus);
    }

    pub(super) fn to_json(&self) -> Value {
        self.commands
            .iter()
            .map(|failing| json!({"command": failing.command, "error": failing.error}))
            .collect()
    }

    pub(super) fn from_json(stored: &Value) -> Self {
        let mut failing = Self::default();
        for entry in stored.as_array().into_iter().flatten() {
            let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
            failing.note(text("command"), text("error"));
        }
        failing
    }
}

/// The command that `call` runs; `None` for tools that run none.
#[must_use]
pub fn command_of(call: &Call) -> Option<String> {
    if !is_terminal(&call.name) {
        return None;
    }
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    let given = COMMAND_KEYS.iter().find_map(|&key| arguments.get(key))?;
    if let Some(text) = given.as_str() {
        return Some(text.trim().to_owned());
    }
    let words: Vec<&str> = strings_of(given).collect();
    match words.as_slice() {
        // `["bash", "-lc", "…"]`: only what the shell is given tells commands apart.
        [_, option, script] if option.starts_with('-') && option.ends_with('c') => {
            Some(script.trim().to_owned())
        }
        [] => None,
        words => Some(words.join(" ")),
    }
}

fn is_terminal(name: &str) -> bool {
    let own_name = name.rsplit("__").next().unwrap_or(name);
    TERMINAL_TOOLS.iter().any(|tool| tool.eq_ignore_ascii_case(name) || tool.eq_ignore_ascii_case(own_name))
}

/// The line of a failed command's output that says most: of its `stderr` where it is JSON, the first that names an
/// error, else the last.
fn error_line(output: &str) -> String {
    let parsed: Option<Value> =
        output.trim_start().starts_with('{').then(|| serde_json::from_str(output).ok()).flatten();
    let part = |key: &str| {
        let text = match parsed.as_ref()?.get(key)? {
            Value::String(text) => text.clone(),
            lines @ Value::Array(_) => strings_of(lines).collect::<Vec<_>>().join("\n"),
            _ => return None,
        };
        (!text.trim().is_empty()).then_some(text)
    };
    let output = ["stderr", "error", "stdout"].into_iter().find_map(part).unwrap_or_else(|| match parsed {
        Some(_) => String::new(),
        None => output.to_owned(),
    });
    let names_error = |line: &&str| {
        let line = line.to_lowercase();
        ERROR_WORDS.iter().any(|word| line.contains(word))
    };
    let mut lines =
        output.lines().filter(|line| !line.trim().is_empty() && exit_code_of_line(line).is_none());
    let line = lines.clone().find(names_error).or_else(|| lines.next_back());
    line.unwrap_or_default().to_owned()
}
