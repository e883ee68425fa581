use std::fs;

use super::find_files;

fn names(found: &super::Found, root: &std::path::Path) -> Vec<String> {
    let name = |path: &std::path::Path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    found.sources.iter().map(|source| name(&source.path)).collect()
}

/// A folder with files of two bytes.
fn folder_with(names: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for name in names {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    root
}

/// For each source, the number of its files and their bytes.
fn counts(path: std::path::PathBuf) -> Vec<(usize, u64)> {
    let found = find_files(&[path]);
    found.sources.iter().map(|source| (source.files.len(), source.bytes)).collect()
}

#[test]
fn r12_1_files_are_sorted_and_folders_without_sessions_are_skipped() {
    let root = folder_with(&["b/2.jsonl", "b/1.jsonl", "a.json", "c.png", "node_modules/x.json", ".git/y.json"]);
    let found = find_files(&[root.path().to_path_buf()]);
    assert_eq!(names(&found, root.path()), ["a.json", "b/1.jsonl", "b/2.jsonl"]);
    assert!(found.failures.is_empty());
}

#[test]
fn r12_1_a_folder_of_numbered_files_is_one_source_in_the_order_of_the_numbers() {
    let root = folder_with(&["10.json", "9.json", "0.json"]);
    let found = find_files(&[root.path().to_path_buf()]);
    let files: Vec<_> = found.sources[0].files.iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!((found.sources.len(), files), (1, vec!["0.json".into(), "9.json".into(), "10.json".into()]));
}

#[test]
fn r12_1_files_of_sub_agents_belong_to_their_session_even_if_only_it_is_named() {
    let root = folder_with(&[
        "s.jsonl", "s/subagents/agent-1.jsonl", "s/subagents/agent-2.jsonl", "gone/subagents/agent-3.jsonl",
    ]);
    assert_eq!(counts(root.path().to_path_buf()), [(1, 2), (3, 6)]);
    assert_eq!(counts(root.path().join("s.jsonl")), [(3, 6)]);
}

#[test]
fn r12_1_settings_of_droid_belong_to_their_session_even_if_only_it_is_named() {
    let root = folder_with(&["a.jsonl", "a.settings.json", "b.settings.json"]);
    assert_eq!(counts(root.path().to_path_buf()), [(2, 4), (1, 2)]);
    assert_eq!(counts(root.path().join("a.jsonl")), [(2, 4)]);
}

#[test]
fn r12_1_the_two_files_of_a_cline_task_are_one_source() {
    let root = tempfile::tempdir().unwrap();
    let names = ["task/ui_messages.json", "task/api_conversation_history.json", "task/task_metadata.json"];
    for name in names.iter().chain(&["other/ui_messages.json"]) {
        fs::create_dir_all(root.path().join(name).parent().unwrap()).unwrap();
        fs::write(root.path().join(name), "[]").unwrap();
    }
    let found = find_files(&[root.path().to_path_buf()]);
    let tasks: Vec<_> = found.sources.iter().map(|source| source.files.len()).collect();
    assert_eq!(tasks, [1, 2, 1]);
    assert_eq!(
        found.sources[1].files,
        [root.path().join("task/ui_messages.json"), root.path().join("task/api_conversation_history.json")]
    );
}

#[test]
#[cfg(unix)]
fn r12_1_a_loop_of_links_ends_and_each_file_is_found_once() {
    let root = tempfile::tempdir().unwrap();
    let inner = root.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("a.jsonl"), "{}").unwrap();
    std::os::unix::fs::symlink(root.path(), inner.join("up")).unwrap();
    std::os::unix::fs::symlink(inner.join("a.jsonl"), root.path().join("b.jsonl")).unwrap();
    let found = find_files(&[root.path().to_path_buf(), root.path().to_path_buf()]);
    assert_eq!(found.sources.len(), 1);
}

#[test]
#[cfg(unix)]
fn r12_1_links_to_themselves_or_to_each_other_end_the_search() {
    let root = tempfile::tempdir().unwrap();
    for (target, link) in [("self", "self"), ("two", "one"), ("one", "two"), (".", "here")] {
        std::os::unix::fs::symlink(target, root.path().join(link)).unwrap();
    }
    fs::write(root.path().join("a.jsonl"), "{}").unwrap();
    let found = find_files(&[root.path().to_path_buf(), root.path().join("self")]);
    assert_eq!(names(&found, root.path()), ["a.jsonl"]);
    // The error has the path that was given.
    assert_eq!(found.failures.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), [root.path().join("self")]);
}

#[test]
#[cfg(target_os = "linux")]
fn r12_1_folders_nested_beyond_the_longest_path_are_reported() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.json"), "{}").unwrap();
    // Build the tower bottom-up: no path is long enough to reach the lowest folder.
    let mut tower = tempfile::tempdir_in(root.path()).unwrap().keep();
    for _ in 0..3_000 {
        let above = tempfile::tempdir_in(root.path()).unwrap().keep();
        fs::rename(&tower, above.join("d")).unwrap();
        tower = above;
    }
    let found = find_files(&[root.path().to_path_buf()]);
    assert_eq!(names(&found, root.path()), ["a.json"]);
    assert_eq!(found.failures.len(), 1);
}

#[test]
fn r12_1_a_missing_path_is_reported() {
    let found = find_files(&["/nowhere/at/all".into()]);
    assert_eq!((found.sources.len(), found.failures.len()), (0, 1));
}
