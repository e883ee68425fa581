use super::*;

fn matches(pattern: &str, name: &str) -> bool {
    ToolPattern::parse(&units(pattern)).unwrap().matches(&units(name))
}

#[test]
fn a_pattern_without_a_star_matches_one_tool_and_a_star_matches_any_characters_or_none() {
    assert!(matches("Read", "Read") && !matches("Read", "read") && !matches("Read", "Reader"));
    assert!(matches("mcp__db__*", "mcp__db__query") && matches("mcp__db__*", "mcp__db__"));
    assert!(!matches("mcp__db__*", "mcp__dbx__query"));
    assert!(matches("*", "") && matches("*", "x") && matches("*_file", "read_file"));
    assert!(matches("a*b*c", "abc") && matches("a*b*c", "a_b_b_c") && !matches("a*b*c", "acb"));
    assert!(!matches("ab*ba", "aba"), "no character counts twice");
    assert!(matches("工具*", "工具一"));
}

#[test]
fn a_pattern_that_can_match_no_tool_is_refused() {
    for wrong in ["", " ", "Read ", " Read", "Read|Grep", "^Read$", "mcp__.+", "tool?", "{a,b}", "a,b", "[ab]"] {
        assert_eq!(ToolPattern::parse(&units(wrong)), None, "{wrong}");
    }
}
