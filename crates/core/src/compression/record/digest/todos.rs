//! Tracks open todos (R7.6): those of the newest list, with later changes, that are neither done nor cancelled.

use serde::Serialize;
use serde_json::Value;

use crate::compression::message::{ChatMessage, ToolCall};
use crate::compression::plain_text::one_line;
use crate::compression::to_u32;

const MAX_TODOS: usize = 50;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Todos {
    pub open: Vec<Todo>,
    pub forgotten: u32,
    /// Closed todos, since a call can reopen them by id.
    pub(super) closed: Vec<Todo>,
}

impl Todos {
    /// Handles a call that writes the whole list or merges one into it: `TodoWrite`, `update_plan`, a checklist.
    pub(super) fn apply_list(&mut self, call: &ToolCall) {
        let name = call.name.to_ascii_lowercase();
        if !has_word(&name, &["todo", "plan", "checklist"]) {
            return;
        }
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return };
        let list = LIST_KEYS.iter().find_map(|&key| list_at(&arguments, key));
        let is_merged = list.as_ref().is_some_and(|changes| {
            // A list whose entries have no text can't be a new one.
            let is_addition = has_word(&name, &["add", "append"])
                || (!changes.is_empty() && changes.iter().all(|change| change.text.is_none()));
            arguments.get("merge").and_then(Value::as_bool).unwrap_or(is_addition)
        });
        let Some(changes) = list.or_else(|| checklist_in(&arguments)) else { return };
        if !is_merged {
            *self = Self::default();
        }
        for change in changes {
            self.apply(change);
        }
    }

    /// Handles a call that creates, changes or removes single todos: `TaskCreate`, `todo-update`.
    pub(super) fn apply_changes(&mut self, call: &ToolCall, result: &ChatMessage) {
        for change in changes_of(call, &result.text) {
            self.apply(change);
        }
    }

    /// Updates a known entry (found by id, otherwise by text) in place; a new entry must have a text.
    fn apply(&mut self, TodoChange { id, text, state }: TodoChange) {
        let is_target = |todo: &Todo| {
            if id.is_empty() { text.as_ref() == Some(&todo.text) } else { todo.id == id }
        };
        if state == Some(TodoState::Closed) {
            let mut closed: Vec<Todo> = self.open.extract_if(.., |todo| is_target(todo)).collect();
            if let (true, Some(text)) = (closed.is_empty(), text) {
                closed.push(Todo { id, text, in_progress: false });
            }
            self.closed.extend(closed);
            let surplus = self.closed.len().saturating_sub(MAX_TODOS);
            self.closed.drain(..surplus);
            return;
        }
        let reopened = || self.closed.iter().position(is_target).filter(|_| state.is_some());
        if let Some(todo) = self.open.iter_mut().find(|todo| is_target(todo)) {
            todo.change(text, state);
        } else if let Some(index) = reopened() {
            let mut todo = self.closed.remove(index);
            todo.change(text, state);
            self.open.push(todo);
        } else if let Some(text) = text {
            self.open.push(Todo { id, text, in_progress: state == Some(TodoState::InProgress) });
        }
        self.forget_surplus();
    }

    fn forget_surplus(&mut self) {
        let surplus = self.open.len().saturating_sub(MAX_TODOS);
        self.open.truncate(MAX_TODOS);
        self.forgotten = self.forgotten.saturating_add(to_u32(surplus));
    }

    pub(super) fn from_json(open: &Value, closed: &Value, forgotten: u32) -> Self {
        let entries = |list: &Value| list.as_array().into_iter().flatten().filter_map(Todo::from_json).collect();
        let mut todos = Self { open: entries(open), closed: entries(closed), forgotten };
        todos.forget_surplus();
        todos.closed.truncate(MAX_TODOS);
        todos
    }
}

const LONGEST_TODO_CHARS: usize = 240;
const LONGEST_ID_CHARS: usize = 40;

/// Arguments that hold a list, and fields that hold an entry's text or id.
const LIST_KEYS: [&str; 5] = ["todos", "plan", "items", "tasks", "todo_list"];
const TEXT_KEYS: [&str; 7] = ["content", "step", "text", "title", "subject", "description", "task"];
const ID_KEYS: [&str; 6] = ["id", "taskId", "todoId", "task_id", "todo_id", "todoIds"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    /// The id by which later calls change the todo; empty for tools that always write the whole list.
    pub id: String,
    pub text: String,
    pub in_progress: bool,
}

impl Todo {
    fn change(&mut self, text: Option<String>, state: Option<TodoState>) {
        self.text = text.unwrap_or_else(|| std::mem::take(&mut self.text));
        self.in_progress = state.map_or(self.in_progress, |state| state == TodoState::InProgress);
    }

    fn from_json(stored: &Value) -> Option<Self> {
        let TodoChange { id, text, state } = entry_of(stored);
        let text = text.filter(|_| state != Some(TodoState::Closed))?;
        Some(Self { id, text, in_progress: state == Some(TodoState::InProgress) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TodoState {
    Open,
    InProgress,
    Closed,
}

/// A call's change to one todo; `None` leaves a field unchanged.
struct TodoChange {
    id: String,
    text: Option<String>,
    state: Option<TodoState>,
}

/// Changes of single todos: `TaskCreate`, `TaskUpdate`, `todo-add`, `todo-update`, `todo_delete`. The id of a new todo
/// is in the result: `Task #3 created`.
fn changes_of(call: &ToolCall, result: &str) -> Vec<TodoChange> {
    let name = call.name.to_ascii_lowercase();
    if !has_word(&name, &["todo", "task"]) {
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
    let state = match &*name {
        name if has_word(name, &["delete", "remove", "cancel"]) => Some(TodoState::Closed),
        name if has_word(name, &["complete"]) => change.state.or(Some(TodoState::Closed)),
        name if has_word(name, &["update", "edit", "set"]) => change.state,
        _ => return Vec::new(),
    };
    ids_of(&arguments).into_iter().map(|id| TodoChange { id, state, text: change.text.clone() }).collect()
}

fn has_word(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(word))
}

fn id_in(result: &str) -> String {
    result.chars().skip_while(|&letter| letter != '#').skip(1).take_while(char::is_ascii_digit).collect()
}

/// Some models write the list as a string that holds JSON.
fn list_at(arguments: &Value, key: &str) -> Option<Vec<TodoChange>> {
    let entries = match arguments.get(key)? {
        Value::Array(entries) => entries,
        Value::String(text) => &serde_json::from_str(text).ok()?,
        _ => return None,
    };
    Some(entries.iter().map(entry_of).collect())
}

fn entry_of(entry: &Value) -> TodoChange {
    let text_at = |key: &str| entry.get(key).and_then(Value::as_str);
    let is_any = |keys: &[&str], flag: bool| keys.iter().any(|&key| entry.get(key) == Some(&Value::Bool(flag)));
    let text = entry.as_str().or_else(|| TEXT_KEYS.iter().find_map(|&key| text_at(key)));
    let state = match text_at("status").or_else(|| text_at("state")) {
        Some(status) => Some(state_of(status)),
        None if is_any(&["done", "completed"], true) => Some(TodoState::Closed),
        None if is_any(&["inProgress"], true) => Some(TodoState::InProgress),
        None if is_any(&["done", "completed"], false) => Some(TodoState::Open),
        None => None,
    };
    TodoChange { id: ids_of(entry).into_iter().next().unwrap_or_default(), text: text.and_then(todo_text), state }
}

/// `None` for a blank text.
fn todo_text(text: &str) -> Option<String> {
    Some(one_line(text, LONGEST_TODO_CHARS)).filter(|text| !text.is_empty())
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
    Some(TodoChange { id: String::new(), text: todo_text(text), state: Some(state) })
}

fn state_of(status: &str) -> TodoState {
    match status.to_lowercase().as_str() {
        "in_progress" | "in-progress" | "inprogress" | "in progress" | "active" | "doing" | "进行中" => {
            TodoState::InProgress
        }
        "completed" | "complete" | "done" | "cancelled" | "canceled" | "deleted" | "removed" | "skipped" | "已完成"
        | "已取消" | "已删除" => TodoState::Closed,
        _ => TodoState::Open,
    }
}

#[cfg(test)]
mod tests;
