use proptest::prelude::*;
use serde_json::json;

use super::*;

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall { id: "c".into(), name: name.into(), arguments: arguments.to_string() }
}

/// The open todos after the calls, each with its result.
fn todos_after(calls: &[(&str, Value, &str)]) -> Todos {
    let mut todos = Todos::default();
    for (name, arguments, result) in calls {
        let call = call(name, arguments);
        todos.apply_list(&call);
        todos.apply_changes(&call, &ChatMessage { text: (*result).to_owned(), ..ChatMessage::default() });
    }
    todos
}

fn open(todos: &Todos) -> Vec<String> {
    let prefix = |todo: &Todo| if todo.in_progress { "~" } else { "" };
    todos.open.iter().map(|todo| format!("{}{}", prefix(todo), todo.text)).collect()
}

#[test]
fn r7_6_a_checklist_replaces_the_list_whatever_the_tool_is_called() {
    let todos = todos_after(&[
        ("todo_write", json!({"todos": [{"content": "parse", "status": "pending"}]}), ""),
        ("todo_append", json!({"merge": true, "text": "- [ ] print"}), ""),
    ]);
    assert_eq!(open(&todos), ["print"]);
}

#[test]
fn r7_6_a_merged_todo_list_changes_items_by_id_and_adds_the_others() {
    let list = json!({"merge": false, "todos": [
        {"id": "1", "content": "parse", "status": "in_progress"},
        {"id": "2", "content": "print", "status": "pending"},
        {"id": "3", "content": "old", "status": "completed"},
    ]});
    let merge = json!({"merge": true, "todos": [
        {"id": "1", "status": "completed"},
        {"id": "2", "content": "print in colour", "status": "in_progress"},
        {"id": "4", "content": "publish", "status": "pending"},
        {"id": "9", "status": "pending"},
    ]});
    let mut calls = vec![("todo_write", list, "ok"), ("todo_write", merge, "ok")];
    assert_eq!(open(&todos_after(&calls)), ["~print in colour", "publish"]);
    calls.push(("todo_write", json!({"merge": true, "todos": [{"id": 2, "status": "cancelled"}]}), "ok"));
    calls.push(("todo_write", json!({"merge": true, "todos": [{"id": "1", "status": "pending"}]}), "ok"));
    assert_eq!(open(&todos_after(&calls)), ["publish", "parse"]);
    // An item that was closed from the start can be reopened too.
    calls.push(("todo_write", json!({"merge": true, "todos": [{"id": "3", "status": "in_progress"}]}), "ok"));
    assert_eq!(open(&todos_after(&calls)), ["publish", "parse", "~old"]);
}

#[test]
fn r7_6_a_later_update_of_an_id_changes_that_todo() {
    let mut calls = vec![
        ("TaskCreate", json!({"subject": "a", "description": "…"}), "Task #1 created successfully: a"),
        ("TaskCreate", json!({"subject": "b"}), "Task #2 created"),
        ("TaskUpdate", json!({"taskId": "1", "subject": "a and more", "status": "in_progress"}), "ok"),
        ("TaskUpdate", json!({"taskId": "2", "status": "deleted"}), "ok"),
    ];
    let described = todos_after(&calls);
    assert_eq!(described.open.len(), 1);
    assert!(described.open[0].in_progress);
    calls.push(("todo-add", json!({"content": ["c", "d"]}), "added"));
    calls.push(("todo-add", json!({"id": 7, "content": "e"}), "added"));
    calls.push(("todo-update", json!({"todoId": 7, "status": "in_progress"}), "ok"));
    calls.push(("todo-delete", json!({"todoId": ["1"]}), "ok"));
    assert_eq!(open(&todos_after(&calls)), ["c", "d", "~e"]);
    calls.push(("Task", json!({"description": "look around", "prompt": "x"}), "found #3"));
    calls.push(("TaskOutput", json!({"task_id": "7"}), "ok"));
    assert_eq!(open(&todos_after(&calls)), ["c", "d", "~e"]);
}

#[test]
fn r7_6_todos_are_loaded_with_their_closed_items_and_from_the_older_form() {
    let calls = [
        ("TaskCreate", json!({"subject": "a"}), "Task #1"),
        ("TaskCreate", json!({"subject": "b"}), "Task #2"),
        ("TaskUpdate", json!({"taskId": "1", "status": "completed"}), "ok"),
    ];
    let todos = todos_after(&calls);
    let [stored, closed] = [json!(todos.open), json!(todos.closed)];
    let mut loaded = Todos::from_json(&stored, &closed, 0);
    assert_eq!(loaded, todos);
    loaded.apply_changes(&call("TaskUpdate", &json!({"taskId": "1", "status": "pending"})), &ChatMessage::default());
    assert_eq!(open(&loaded), ["b", "a"]);
    let older = json!([{"id": "1", "text": "x", "inProgress": true}]);
    assert_eq!(open(&Todos::from_json(&older, &Value::Null, 0)), ["~x"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Merges by id behave like a map: in any order of updates, each id has its newest state and appears once.
    #[test]
    fn r7_6_each_todo_id_is_open_at_most_once_and_has_its_newest_state(
        updates in prop::collection::vec((0_u8..6, prop::option::of("[a-z]{1,6}"), 0_usize..3), 0..40),
    ) {
        let statuses = ["pending", "in_progress", "completed"];
        let mut todos = Todos::default();
        let mut known = std::collections::BTreeMap::new();
        for (id, text, status) in updates {
            let mut entry = json!({"id": id, "status": statuses[status]});
            if let Some(text) = &text { entry["content"] = json!(text) }
            todos.apply_list(&call("todo_write", &json!({"merge": true, "todos": [entry]})));
            if text.is_some() || known.contains_key(&id) {
                known.insert(id, status);
            }
        }
        let ids: Vec<&str> = todos.open.iter().map(|todo| todo.id.as_str()).collect();
        let mut distinct = ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), ids.len());
        for (id, status) in known {
            let todo = todos.open.iter().find(|todo| todo.id == id.to_string());
            prop_assert_eq!(todo.map(|todo| todo.in_progress), (status < 2).then_some(status == 1));
        }
    }
}
