use super::*;

fn plain(line: &str) -> &str {
    std::str::from_utf8(without_number(line.as_bytes())).unwrap()
}

#[test]
fn r14_1_a_line_is_found_behind_the_line_number_of_any_tool() {
    for numbered in
        ["    12→\tlet total = sum(values);", "12\tlet total = sum(values);", "L12: let total = sum(values);"]
    {
        assert_eq!(plain(numbered).trim(), "let total = sum(values);", "{numbered}");
    }
    assert_eq!(plain("let x = 12 | 3;"), "let x = 12 | 3;");
    assert_eq!(plain("1234"), "1234", "a number alone numbers nothing");
}

#[test]
fn r14_1_a_line_is_found_after_the_location_that_a_search_prints() {
    for line in ["src/a.ts:12:let total = sum(values);", "my-src/a.ts-12-let total = sum(values);"] {
        assert_eq!(without_location(line.as_bytes()), Some(&b"let total = sum(values);"[..]), "{line}");
    }
    assert_eq!(without_location(b"a: 12: b"), None);
}

#[test]
fn r14_1_surrounding_and_repeated_spaces_are_ignored_and_short_lines_have_no_hash() {
    assert_eq!(hash_of(b"  let total  = sum(values);\r"), hash_of(b"let total = sum(values);"));
    assert_ne!(hash_of(b"let total = sum(values);"), hash_of(b"let total =sum(values);"));
    assert_eq!(hash_of(b"    } else {"), None);
    assert!(hash_of("返回所有用户的列表".as_bytes()).is_some());
}
