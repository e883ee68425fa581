use super::*;

fn paths(arguments: &str) -> Vec<String> {
    let grouping = Grouping::Path {
        keys: vec![units("filePath"), units("path")],
        root: ProjectRoot::new(&units("/app"), false).unwrap(),
    };
    let mut groups = Groups::default();
    groups.note(0, keys_of(&units(arguments), &grouping));
    groups.of_call(0).unwrap().iter().map(|&group| String::from_utf16_lossy(groups.key(group))).collect()
}

#[test]
fn r2_2_paths_are_read_from_a_string_an_array_and_objects() {
    assert_eq!(paths(r#"{"filePath":"a.ts"}"#), ["a.ts"]);
    assert_eq!(paths(r#"{"filePath":["a.ts","./b.ts"]}"#), ["a.ts", "b.ts"]);
    assert_eq!(paths(r#"{"filePath":[{"path":"a.ts","startLine":1},{"path":"/app/c"}]}"#), ["a.ts", "c"]);
    assert_eq!(paths(r#"{"filePath":["a",{"path":"b"},null,7,"",{"file":"x"},["y"]]}"#), ["a", "b"]);
    assert_eq!(paths(r#"{"path":"b","filePath":"a"}"#), ["a", "b"]);
}

#[test]
fn r2_5_a_path_named_twice_counts_once() {
    assert_eq!(paths(r#"{"filePath":["a.ts","./a.ts",{"path":"/app/x/../a.ts"}]}"#), ["a.ts"]);
}

#[test]
fn r2_2_empty_or_invalid_arguments_name_no_path() {
    for arguments in [
        "",
        "{",
        "null",
        "[]",
        "\"a\"",
        r#"{"filePath":""}"#,
        r#"{"filePath":null}"#,
        r#"{"filePath":{"path":"a"}}"#,
        r#"{"nested":{"filePath":"a"}}"#,
    ] {
        assert!(paths(arguments).is_empty(), "{arguments}");
    }
}

#[test]
fn r2_2_the_last_of_duplicate_keys_names_the_path() {
    assert_eq!(paths(r#"{"filePath":"a","filePath":"b"}"#), ["b"]);
}

#[test]
fn r3b_1_an_argument_groups_by_its_decoded_value() {
    let grouping = Grouping::Argument(units("query"));
    let mut groups = Groups::default();
    groups.note(0, keys_of(&units(r#"{"query":"a\u0062"}"#), &grouping));
    groups.note(1, keys_of(&units(r#"{"query":"ab"}"#), &grouping));
    groups.note(2, keys_of(&units(r#"{"other":1}"#), &grouping));
    groups.note(3, Vec::new());
    assert_eq!(groups.of_call(0), groups.of_call(1));
    assert_eq!(groups.of_call(2), Some(&[][..]));
    assert_eq!(groups.of_call(3), Some(&[][..]));
    assert_eq!(groups.of_call(4), None);
}
