//! Parses todo calls in the formats of common agents' tools.

use serde::Serialize;
use serde_json::Value;

use crate::compression::message::ToolCall;
use crate::compression::record::digest::entry::one_line;

const LONGEST_TODO_CHARS: usize = 240;
const LONGEST_ID_CHARS: usize = 40;

/// Arguments that hold a list, and fields that hold an entry's text or id.
const LIST_KEYS: [&str; 5] = ["todos", "plan", "items", "tasks", "todo_list"];
const TEXT_KEYS: [&str; 7] = ["content", "step", "text", "title", "subject", "description", "task"];
const ID_KEYS: [&str; 6] = ["id", "taskId", "todoId", "task_id", "todo_id", "todoIds"];

/// States, in lower case, of a todo that needs no more work.
const CLOSED: [&str; 11] = [
    "completed", "complete", "done", "cancelled", "canceled", "deleted", "removed", "skipped", "已完成",
    "已取消", "已删除",
];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    /// The id by which later calls change the todo; empty for tools that always write the whole list.
    pub id: String,
    pub text: String,
    pub in_progress: bool,
}

impl Todo {
    pub(super) fn change(&mut self, text: Option<String>, state: Option<TodoState>) {
        self.text = text.unwrap_or_else(|| std::mem::take(&mut self.text));
        self.in_progress = state.map_or(self.in_progress, |state| state == TodoState::InProgress);
    }

    pub(super) fn from_json(stored: &Value) -> Option<Self> {
        let TodoChange { id, text, state } = entry_of(stored);
        (state != Some(TodoState::Closed)).then_some(())?;
        Some(Self { id, text: text?, in_progress: state == Some(TodoState::InProgress) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TodoState {
    Open,
    InProgress,
    Closed,
}

/// A call's change to one todo; `None` leaves a field unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TodoChange {
    pub(super) id: String,
    pub(super) text: Option<String>,
    pub(super) state: Option<TodoState>,
}

pub(super) struct TodoList {
    pub(super) entries: Vec<TodoChange>,
    /// True if the entries are added to the existing list instead of replacing it.
    pub(super) is_merged: bool,
}

/// `None` for a call that writes no list.
pub(super) fn list_of(call: &ToolCall) -> Option<TodoList> {
    let name = call.name.to_ascii_lowercase();
    if !["todo", "plan", "checklist"].iter().any(|word| name.contains(word)) {
        return None;
    }
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    if let Some(entries) = LIST_KEYS.iter().find_map(|&key| list_at(&arguments, key)) {
        let entries: Vec<TodoChange> = entries.iter().map(entry_of).collect();
        // A list whose entries have no text can't be a new one.
        let is_addition = has_word(&name, &["add", "append"])
            || (!entries.is_empty() && entries.iter().all(|entry| entry.text.is_none()));
        let is_merged = arguments.get("merge").and_then(Value::as_bool).unwrap_or(is_addition);
        return Some(TodoList { entries, is_merged });
    }
    Some(TodoList { entries: checklist_in(&arguments)?, is_merged: false })
}

/// Changes of single todos: `TaskCreate`, `TaskUpdate`, `todo-add`, `todo-update`, `todo_delete`. The id of a new todo
/// is in the result: `Task #3 created`.
pub(super) fn changes_of(call: &ToolCall, result: &str) -> Vec<TodoChange> {
    let name = call.name.to_ascii_lowercase();
    if !["todo", "task"].iter().any(|word| name.contains(word)) {
        return Vec::new();
    }
    let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return Vec::new() };
    if LIST_KEYS.iter().any(|&key| arguments.get(key).is_some()) || checklist_in(&arguments).is_some() {
        return Vec::new();
    }
    let change = entry_of(&arguments);
    if has_word(&name, &["create", "add"]) {
        if let Some(texts) = arguments.get("content").and_then(Value::as_array) {
            return texts.iter().map(entry_of).collect();
        }
        let id = if change.id.is_empty() { id_in(result) } else { change.id };
        return vec![TodoChange { id, ..change }];
    }
    let state = if has_word(&name, &["delete", "remove", "cancel"]) {
        Some(TodoState::Closed)
    } else if has_word(&name, &["complete"]) {
        change.state.or(Some(TodoState::Closed))
    } else if has_word(&name, &["update", "edit", "set"]) {
        change.state
    } else {
        return Vec::new();
    };
    ids_of(&arguments).into_iter().map(|id| TodoChange { id, state, text: change.text.clone() }).collect()
}

fn has_word(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(word))
}

/// The number after the first `#`.
fn id_in(result: &str) -> String {
    let id = result.split_once('#').map_or("", |(_, after)| after);
    let end = id.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(id.len());
    id.get(..end).unwrap_or_default().to_owned()
}

/// Some models write the list as a string that holds JSON.
fn list_at(arguments: &Value, key: &str) -> Option<Vec<Value>> {
    match arguments.get(key)? {
        Value::Array(entries) => Some(entries.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

fn entry_of(entry: &Value) -> TodoChange {
    let text_at = |key: &str| entry.get(key).and_then(Value::as_str);
    let flag = |key: &str| entry.get(key).and_then(Value::as_bool);
    let text = entry.as_str().or_else(|| TEXT_KEYS.iter().find_map(|&key| text_at(key)));
    let text = text.map(|text| one_line(text, LONGEST_TODO_CHARS)).filter(|text| !text.is_empty());
    let state = match text_at("status").or_else(|| text_at("state")) {
        Some(status) => Some(state_of(status)),
        None if flag("done") == Some(true) || flag("completed") == Some(true) => Some(TodoState::Closed),
        None if flag("inProgress") == Some(true) => Some(TodoState::InProgress),
        None if flag("done") == Some(false) || flag("completed") == Some(false) => Some(TodoState::Open),
        None => None,
    };
    TodoChange { id: ids_of(entry).into_iter().next().unwrap_or_default(), text, state }
}

fn ids_of(entry: &Value) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::String(id) => Some(one_line(id, LONGEST_ID_CHARS)),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    };
    match ID_KEYS.iter().find_map(|&key| entry.get(key)) {
        Some(Value::Array(ids)) => ids.iter().filter_map(one).collect(),
        Some(id) => one(id).into_iter().collect(),
        None => Vec::new(),
    }
}

fn checklist_in(arguments: &Value) -> Option<Vec<TodoChange>> {
    let texts = arguments.as_object()?.values().filter_map(Value::as_str);
    texts.map(|text| text.lines().filter_map(checkbox_of).collect::<Vec<_>>()).find(|list| !list.is_empty())
}

/// `- [ ] text`, `* [x] text`.
fn checkbox_of(line: &str) -> Option<TodoChange> {
    let entry = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let (mark, text) = entry.split_once(']')?;
    let state = match mark {
        " " | "" => TodoState::Open,
        "x" | "X" | "-" | "✓" | "✔" => TodoState::Closed,
        "~" | ">" => TodoState::InProgress,
        _ => return None,
    };
    let text = Some(one_line(text, LONGEST_TODO_CHARS)).filter(|text| !text.is_empty());
    Some(TodoChange { id: String::new(), text, state: Some(state) })
}

fn state_of(status: &str) -> TodoState {
    let status = status.to_lowercase();
    match status.as_str() {
        "in_progress" | "in-progress" | "inprogress" | "in progress" | "active" | "doing" | "进行中" => {
            TodoState::InProgress
        }
        closed if CLOSED.contains(&closed) => TodoState::Closed,
        _ => TodoState::Open,
    }
}
