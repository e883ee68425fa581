//! Tracks which commands failed and still fail (R7.6), so that the agent doesn't assume they succeeded.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::compression::message::{ChatMessage, ToolCall};
use crate::compression::plain_text::one_line;
use crate::compression::to_u32;
use crate::failure::{Verdict, exit_of_line, names_no_error, verdict_of};
use crate::output::error_parts;
use crate::text::utf16::{to_utf8, units};
use crate::tools;

/// The oldest are dropped: after this many later failures the agent has moved on.
const MAX_COMMANDS: usize = 20;
const LONGEST_COMMAND_CHARS: usize = 300;
const LONGEST_ERROR_CHARS: usize = 240;

/// An error line that matches no tool's format contains one of these, in lower case.
const ERROR_WORDS: [&str; 10] =
    ["error", "***", "fail", "panic", "exception", "not found", "cannot", "fatal", "denied", "错误"];

/// Whether a call failed, by its result's text and the application's error flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// Also if it is unclear whether the call failed.
    Succeeded,
    Failed,
    /// Something failed, but the message answers several calls and doesn't say which.
    Unknown,
}

impl CallOutcome {
    pub fn read(call: &ToolCall, result: &ChatMessage) -> Self {
        let verdict = || verdict_of(&result.text, tools::kind_of(&call.name), Some(call.id.as_str()));
        match result.answers.len() {
            _ if !result.failed && verdict() != Verdict::Failed => Self::Succeeded,
            0 | 1 => Self::Failed,
            _ => Self::Unknown,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailingCommand {
    pub command: String,
    /// Empty if no line explains the failure.
    pub error: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailingCommands {
    pub commands: Vec<FailingCommand>,
    pub forgotten: u32,
}

impl FailingCommands {
    /// Adds a failure; a success clears the command's earlier failures.
    pub(super) fn update(&mut self, command: &str, outcome: CallOutcome, result: &ChatMessage) {
        match outcome {
            CallOutcome::Failed => self.add(command, &error_line(&result.text)),
            CallOutcome::Succeeded if !self.commands.is_empty() => drop(self.remove(command)),
            _ => {}
        }
    }

    /// The command as it is listed.
    fn remove(&mut self, command: &str) -> String {
        let command = one_line(command, LONGEST_COMMAND_CHARS);
        self.commands.retain(|failing| failing.command != command);
        command
    }

    fn add(&mut self, command: &str, error: &str) {
        let command = self.remove(command);
        if command.is_empty() {
            return;
        }
        self.commands.push(FailingCommand { command, error: one_line(error, LONGEST_ERROR_CHARS) });
        let surplus = self.commands.len().saturating_sub(MAX_COMMANDS);
        self.forgotten = self.forgotten.saturating_add(to_u32(self.commands.drain(..surplus).count()));
    }

    pub(super) fn from_json(stored: &Value, forgotten: u32) -> Self {
        let mut failing = Self { forgotten, ..Self::default() };
        for entry in stored.as_array().into_iter().flatten() {
            let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
            failing.add(text("command"), text("error"));
        }
        failing
    }
}

/// The first line in a tool's error format, else the first with an error word, else the last with text; of a long line
/// the part around the error's words.
fn error_line(output: &str) -> String {
    let output = printed_text(output);
    let names_error = |line: &&str| {
        let line = line.to_lowercase();
        ERROR_WORDS.iter().any(|word| line.contains(word))
    };
    let says_something = |line: &&str| !line.trim().is_empty() && exit_of_line(line).is_none() && !names_no_error(line);
    let text = units(&output);
    let mut in_known_format = error_parts(&text, LONGEST_ERROR_CHARS).map(to_utf8);
    in_known_format.find(|part| says_something(&part.as_str())).unwrap_or_else(|| {
        let mut lines = output.lines().filter(says_something);
        lines.clone().find(names_error).or_else(|| lines.next_back()).unwrap_or_default().to_owned()
    })
}

/// The output itself; for a JSON object (perhaps followed by a warning), the first text that explains a failure.
fn printed_text(output: &str) -> Cow<'_, str> {
    let is_object = output.trim_start().starts_with('{');
    let parsed = is_object.then(|| serde_json::Deserializer::from_str(output).into_iter::<Value>().next());
    let Some(Some(Ok(parsed))) = parsed else { return Cow::Borrowed(output) };
    let failure_at = |key: &str| {
        let text = match parsed.get(key)? {
            Value::String(text) => text.clone(),
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
            Value::Object(error) => error.get("message")?.as_str()?.to_owned(),
            _ => return None,
        };
        (!text.trim().is_empty() && !names_no_error(&format!("error: {text}"))).then_some(text)
    };
    Cow::Owned(["stderr", "error", "stdout", "output"].into_iter().find_map(failure_at).unwrap_or_default())
}
