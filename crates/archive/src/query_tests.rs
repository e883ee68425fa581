use super::*;

fn words(query: &str) -> Vec<String> {
    Query::parse(query).words
}

#[test]
fn words_are_split_at_white_space_of_any_kind() {
    assert_eq!(words(" one\ttwo\u{3000}三个 "), ["one", "two", "三个"]);
    assert_eq!(words(" \n "), Vec::<String>::new());
}

#[test]
fn a_phrase_in_double_quotes_is_one_word() {
    assert_eq!(words("say \"hello  world\" now"), ["say", "hello  world", "now"]);
}

#[test]
fn other_double_quotes_are_characters() {
    assert_eq!(words("\"role\":\"user\""), ["\"role\":\"user\""]);
    assert_eq!(words("5\" \""), ["5\"", "\""]);
    assert_eq!(words("\"\" \"open end"), ["\"\"", "\"open", "end"]);
}

#[test]
fn a_query_beyond_its_limits_is_known_before_it_is_run() {
    assert!(is_within_limits(&"压".repeat(MAX_QUERY_CHARS)));
    assert!(!is_within_limits(&"压".repeat(MAX_QUERY_CHARS + 1)));
    assert!(is_within_limits(&"x ".repeat(MAX_QUERY_WORDS)));
    assert!(!is_within_limits(&"x ".repeat(MAX_QUERY_WORDS + 1)));
}

#[test]
fn words_too_short_for_the_index_narrow_down_only_where_there_is_no_longer_one() {
    let terms =
        |first: &str| Some(IndexQuery::Terms { first: first.to_owned(), last: format!("{first}\u{10FFFF}") });
    assert_eq!(Query::parse("压缩 阈").index_query(), terms("压缩"));
    let expression = Some(IndexQuery::Expression("\"abc\"".to_owned()));
    assert_eq!(Query::parse("压缩 ABC").index_query(), expression);
    assert_eq!(Query::parse("").index_query(), None);
}
