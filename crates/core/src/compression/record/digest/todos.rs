//! Tracks open todos (R7.6): those of the newest list, with later changes, that are neither done nor cancelled.

mod reading;

use serde_json::Value;

use super::entry::as_count;
use crate::compression::message::{ChatMessage, ToolCall};
pub use reading::Todo;
use reading::{TodoChange, TodoState, changes_of, list_of};

const MAX_TODOS: usize = 50;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Todos {
    pub open: Vec<Todo>,
    /// How many open todos were dropped for lack of room.
    pub forgotten: u32,
    /// Closed todos, since a call can reopen them by id.
    pub(super) closed: Vec<Todo>,
}

impl Todos {
    /// Handles a call that writes the whole list or merges one into it: `TodoWrite`, `update_plan`, a Markdown checklist.
    pub(super) fn apply_list(&mut self, call: &ToolCall) {
        let Some(list) = list_of(call) else { return };
        if !list.is_merged {
            *self = Self::default();
        }
        for change in list.entries {
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
        let is_changed = |todo: &Todo| {
            if id.is_empty() { text.as_ref() == Some(&todo.text) } else { todo.id == id }
        };
        if state == Some(TodoState::Closed) {
            let (mut closed, open): (Vec<_>, _) =
                std::mem::take(&mut self.open).into_iter().partition(is_changed);
            self.open = open;
            if let (true, Some(text)) = (closed.is_empty(), text) {
                closed.push(Todo { id, text, in_progress: false });
            }
            self.closed.extend(closed);
            let surplus = self.closed.len().saturating_sub(MAX_TODOS);
            self.closed.drain(..surplus);
            return;
        }
        let reopened = || self.closed.iter().position(is_changed).filter(|_| state.is_some());
        if let Some(todo) = self.open.iter_mut().find(|todo| is_changed(todo)) {
            todo.change(text, state);
        } else if let Some(index) = reopened() {
            let mut todo = self.closed.remove(index);
            todo.change(text, state);
            self.add(todo);
        } else if let Some(text) = text {
            self.add(Todo { id, text, in_progress: state == Some(TodoState::InProgress) });
        }
    }

    fn add(&mut self, todo: Todo) {
        if self.open.len() < MAX_TODOS {
            self.open.push(todo);
        } else {
            self.forgotten = self.forgotten.saturating_add(1);
        }
    }

    pub(super) fn from_json(open: &Value, closed: &Value, forgotten: u32) -> Self {
        let entries = |list: &Value| -> Vec<Todo> {
            list.as_array().into_iter().flatten().filter_map(Todo::from_json).collect()
        };
        let (mut open, mut closed) = (entries(open), entries(closed));
        let surplus = as_count(open.len().saturating_sub(MAX_TODOS));
        open.truncate(MAX_TODOS);
        closed.truncate(MAX_TODOS);
        Self { open, closed, forgotten: forgotten.saturating_add(surplus) }
    }
}

#[cfg(test)]
mod tests;
