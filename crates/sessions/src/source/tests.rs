use std::fs;
use std::path::PathBuf;

use super::read_as_one;
use crate::notes::NoteKind;

const EVENT: &str =
    r#"{"id":0,"timestamp":"2026-01-01T00:00:00","source":"user","action":"message","args":{"content":"x"}}"#;

fn files(contents: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let file = |(number, content): (usize, &&str)| {
        let path = folder.path().join(format!("{number}.json"));
        fs::write(&path, content).unwrap();
        path
    };
    let files = contents.iter().enumerate().map(file).collect();
    (folder, files)
}

#[test]
fn a_missing_file_or_a_folder_is_noted_as_unreadable() {
    let (folder, mut files) = files(&[EVENT, EVENT, EVENT]);
    fs::remove_file(&files[1]).unwrap();
    fs::create_dir(&files[1]).unwrap();
    files.push(folder.path().join("3.json"));
    let sessions = read_as_one(&files, 1_000_000).unwrap();
    let all = &sessions[0].notes;
    let (_, unreadable) = all.iter().find(|(kind, _)| *kind == NoteKind::UnreadableFile).unwrap();
    assert_eq!(unreadable.count, 2);
    assert!(unreadable.first[0].text.starts_with("1.json: "), "{}", unreadable.first[0].text);
    assert!(unreadable.first[1].text.starts_with("3.json: "), "{}", unreadable.first[1].text);
}

#[test]
fn all_files_of_a_source_share_the_size_limit_of_one_document() {
    let (_folder, files) = files(&[EVENT, EVENT]);
    assert!(read_as_one(&files, EVENT.len() * 2 + 1).is_ok());
    let error = read_as_one(&files, EVENT.len() * 2 - 1).unwrap_err();
    assert_eq!(error.code(), "ERR_SESSION_TOO_LARGE");
}

#[test]
fn a_source_without_a_readable_file_is_an_error() {
    let error = read_as_one(&["/nowhere/0.json".into(), "/nowhere/1.json".into()], 100).unwrap_err();
    assert_eq!(error.code(), "ERR_SESSION_IO");
}
