//! Decides which todos are open: those of the newest list that are neither done nor given up (SPEC R7.6).

use serde_json::{Value, json};

use super::one_line;
use crate::compress::message::{Call, Message};

const MOST_TODOS: usize = 50;
const LONGEST_TODO_CHARS: usize = 240;
const LONGEST_ID_CHARS: usize = 40;

/// Arguments that hold a list, and fields that hold an entry's text.
const LIST_KEYS: [&str; 5] = ["todos", "plan", "items", "tasks", "todo_list"];
const TEXT_KEYS: [&str; 7] = ["content", "step", "text", "title", "subject", "description", "task"];

/// States of a todo that needs no more work. Lower case.
const CLOSED: [&str; 9] =
    ["completed", "complete", "done", "cancelled", "canceled", "deleted", "skipped", "已完成", "已取消"];

/// One open todo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// Where todos are changed one by one, its number.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// Somebody is at it.
    pub in_progress: bool,
}

/// The open todos, in the list's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Todos {
    /// None that is closed.
    pub open: Vec<Todo>,
}

impl Todos {
    /// Takes a call that writes the whole list: `TodoWrite`, `update_plan`, a Markdown checklist.
    pub(super) fn take_list(&mut self, call: &Call) {
        let name = call.name.to_ascii_lowercase();
        if !["todo", "plan", "checklist"].iter().any(|word| name.contains(word)) {
            return;
        }
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return };
        if let Some(entries) = LIST_KEYS.iter().find_map(|&key| list_at(&arguments, key)) {
            self.open = entries.iter().filter_map(todo_of).take(MOST_TODOS).collect();
        } else if let Some(checklist) = checklist_in(&arguments) {
            self.open = checklist;
        }
    }

    /// Takes a call that creates or changes one todo, `TaskCreate` and `TaskUpdate`, and its result.
    pub(super) fn take_change(&mut self, call: &Call, result: &Message) {
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return };
        match call.name.as_str() {
            "TaskCreate" => {
                let id = result.text.split_once('#').map_or("", |(_, after)| after);
                let end = id.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(id.len());
                let id = id.get(..end).unwrap_or_default().to_owned();
                if let Some(todo) = todo_of(&arguments).filter(|_| self.open.len() < MOST_TODOS) {
                    self.open.push(Todo { id, ..todo });
                }
            }
            "TaskUpdate" => {
                let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default();
                let (id, status) = (text("taskId"), text("status"));
                if is_closed(status) {
                    self.open.retain(|todo| todo.id != id);
                } else if let Some(todo) =
                    self.open.iter_mut().find(|todo| todo.id == id && !status.is_empty())
                {
                    todo.in_progress = is_in_progress(status);
                }
            }
            _ => {}
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let entry = |todo: &Todo| json!({"id": todo.id, "text": todo.text, "inProgress": todo.in_progress});
        self.open.iter().map(entry).collect()
    }

    pub(super) fn from_json(stored: &Value) -> Self {
        Self { open: stored.as_array().into_iter().flatten().filter_map(todo_of).take(MOST_TODOS).collect() }
    }
}

/// The list at `key`, which some models write as a string that holds JSON.
fn list_at(arguments: &Value, key: &str) -> Option<Vec<Value>> {
    match arguments.get(key)? {
        Value::Array(entries) => Some(entries.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// The todo that `entry` describes, unless it is closed.
fn todo_of(entry: &Value) -> Option<Todo> {
    let text_at = |key: &str| entry.get(key).and_then(Value::as_str);
    let status = text_at("status").or_else(|| text_at("state")).unwrap_or_default();
    let is_done =
        ["done", "completed"].iter().any(|&key| entry.get(key).and_then(Value::as_bool) == Some(true));
    let text = entry.as_str().or_else(|| TEXT_KEYS.iter().find_map(|&key| text_at(key)))?;
    let text = one_line(text, LONGEST_TODO_CHARS);
    let id = one_line(text_at("id").or_else(|| text_at("taskId")).unwrap_or_default(), LONGEST_ID_CHARS);
    let in_progress =
        is_in_progress(status) || entry.get("inProgress").and_then(Value::as_bool) == Some(true);
    (!text.is_empty() && !is_done && !is_closed(status)).then_some(Todo { id, text, in_progress })
}

/// The open entries of the first text argument that has a Markdown checklist, also when all are done.
fn checklist_in(arguments: &Value) -> Option<Vec<Todo>> {
    let texts = arguments.as_object()?.values().filter_map(Value::as_str);
    let checklist = texts
        .map(|text| text.lines().filter_map(checkbox_of).collect::<Vec<_>>())
        .find(|list| !list.is_empty())?;
    let open = checklist.into_iter().filter(|&(is_open, _)| is_open).map(|(_, text)| Todo {
        id: String::new(),
        text: one_line(text, LONGEST_TODO_CHARS),
        in_progress: false,
    });
    Some(open.filter(|todo| !todo.text.is_empty()).take(MOST_TODOS).collect())
}

/// `- [ ] text`, `* [x] text`: whether it is open, and its text.
fn checkbox_of(line: &str) -> Option<(bool, &str)> {
    let entry = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let (mark, text) = entry.split_once(']')?;
    match mark {
        " " | "" => Some((true, text)),
        "x" | "X" | "-" | "✓" | "✔" => Some((false, text)),
        _ => None,
    }
}

fn is_closed(status: &str) -> bool {
    CLOSED.contains(&status.to_lowercase().as_str())
}

fn is_in_progress(status: &str) -> bool {
    matches!(
        status.to_lowercase().as_str(),
        "in_progress" | "in-progress" | "inprogress" | "active" | "doing" | "进行中"
    )
}
