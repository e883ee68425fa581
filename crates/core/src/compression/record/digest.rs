//! The digest: the facts of a history that a summary lists word for word (R7.6): files, failing commands, the user's
//! requests, open todos. A model forgets what it has read and was asked for, and then repeats it. The digest is
//! computed from the messages, not by a model, and each compression starts from the previous digest.

pub mod commands;
pub mod files;
pub mod render;
pub mod todos;
pub mod user_requests;

use serde_json::{Value, json};

use crate::compression::message::{ChatMessage, ToolCall};
use crate::compression::plan::turns::Pairs;
use crate::tools::arguments::command_of;
pub use commands::CallOutcome;
use commands::FailingCommands;
use files::Files;
use todos::Todos;
use user_requests::UserRequests;

/// Every list is oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Digest {
    pub files: Files,
    pub failing: FailingCommands,
    pub requests: UserRequests,
    pub todos: Todos,
}

impl Digest {
    /// `earlier` covers everything before these messages, and before the newest summary or notice among them. O(text of
    /// calls, plus results of commands).
    pub fn extract(messages: &[ChatMessage], earlier: Option<&Self>) -> Self {
        let mut digest = earlier.cloned().unwrap_or_default();
        let pairs = Pairs::new(messages);
        let is_original = |message: &&ChatMessage| message.created_as.is_none();
        let newest_created = messages.iter().rposition(|message| message.created_as.is_some());
        let covered_end = newest_created.filter(|_| earlier.is_some()).unwrap_or(0);
        digest.requests.add_older(messages.iter().take(covered_end).filter(is_original));
        for (index, message) in messages.iter().enumerate().filter(|(_, message)| is_original(message)) {
            if index >= covered_end {
                digest.requests.add(message);
            }
            // A todo list states the model's intentions, so it counts even without a result.
            for call in &message.calls {
                digest.todos.apply_list(call);
            }
            for call in pairs.calls_answered_by(index) {
                digest.add_result(call, message);
            }
        }
        digest
    }

    fn add_result(&mut self, call: &ToolCall, result: &ChatMessage) {
        let outcome = CallOutcome::read(call, result);
        if let Some(command) = command_of(&call.name, &call.arguments) {
            if outcome == CallOutcome::Succeeded {
                self.files.add_command(&command);
            }
            self.failing.update(&command, outcome, result);
        } else if outcome == CallOutcome::Succeeded {
            self.files.add_call(call);
            self.todos.apply_changes(call, result);
        }
    }

    pub fn to_value(&self) -> Value {
        let Self { files, failing, requests, todos } = self;
        let [read, written, deleted] = files.forgotten;
        json!({
            "files": {"read": files.read, "written": files.written, "deleted": files.deleted},
            "failing": failing.commands,
            "requests": {"first": requests.first, "newest": requests.newest},
            "todos": todos.open,
            "closedTodos": todos.closed,
            "forgotten": {
                "read": read, "written": written, "deleted": deleted,
                "failing": failing.forgotten, "requests": requests.forgotten, "todos": todos.forgotten,
            },
        })
    }

    /// Others can write to the file of a stored digest: invalid entries are dropped, and all limits are applied again.
    pub fn from_json(json: &str) -> Self {
        let stored: Value = serde_json::from_str(json).unwrap_or_default();
        let part = |name: &str| stored.get(name).unwrap_or(&Value::Null);
        let forgotten = |name: &str| {
            let count = part("forgotten").get(name).and_then(Value::as_u64).unwrap_or_default();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        let forgotten_files = ["read", "written", "deleted"].map(forgotten);
        Self {
            files: Files::from_json(part("files"), forgotten_files),
            failing: FailingCommands::from_json(part("failing"), forgotten("failing")),
            requests: UserRequests::from_json(part("requests"), forgotten("requests")),
            todos: Todos::from_json(part("todos"), part("closedTodos"), forgotten("todos")),
        }
    }
}

#[cfg(test)]
mod tests;
