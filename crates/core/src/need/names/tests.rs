use super::*;

fn names(text: &str) -> Vec<(&str, NameKind)> {
    let mut names = Vec::new();
    names_of(text.as_bytes(), &mut |_, kind, range| names.push((text.get(range).unwrap(), kind)));
    names
}

#[test]
fn r14_1_a_name_is_distinctive_by_a_digit_a_joint_or_a_capital_within() {
    assert_eq!(names("renderTable"), [("renderTable", NameKind::Identifier)]);
    assert_eq!(names("render_table"), [("render_table", NameKind::Identifier)]);
    assert_eq!(names("src/table.mjs"), [("src/table.mjs", NameKind::Identifier)]);
    assert_eq!(names("--no-verify."), [("no-verify", NameKind::Identifier)]);
    assert_eq!(names("utf8mb4_general"), [("utf8mb4_general", NameKind::Identifier)]);
    for common in ["something", "toggle", "fooBar", "v1.22.333", "2025-11-20T10", "120000", "1234", "...--"] {
        assert_eq!(names(common), [], "{common}");
    }
}

#[test]
fn r14_1_hashes_and_long_numbers_are_ids() {
    assert_eq!(names("9f8f085"), [("9f8f085", NameKind::Id)]);
    assert_eq!(names("4711081"), [("4711081", NameKind::Id)]);
    assert_eq!(
        names("550e8400-e29b-41d4-a716-446655440000"),
        [("550e8400-e29b-41d4-a716-446655440000", NameKind::Identifier)]
    );
}

#[test]
fn r14_1_a_path_is_compared_by_its_last_two_parts_with_any_separator() {
    let end = |path: &str| path_end(path.as_bytes()).map(|(hash, range)| (hash, path.get(range).unwrap().to_owned()));
    let (hash, text) = end("/home/me/src/cache/table.rs").unwrap();
    assert_eq!(text, "cache/table.rs");
    assert_eq!(end("C\\me\\cache\\table.rs").unwrap().0, hash);
    assert!(end("/home/me/src/cache").is_none(), "a folder is a part of every path below it");
    assert!(is_path(b"/home/me/x") && !is_path(b"and/or") && !is_path(b"https//x"));
}
