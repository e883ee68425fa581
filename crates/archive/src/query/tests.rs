use super::*;

fn words(query: &str) -> Vec<String> {
    Query::parse(query).words
}

#[test]
fn query_words_are_split_at_any_white_space() {
    assert_eq!(words(" one\ttwo\u{3000}三个 "), ["one", "two", "三个"]);
    assert_eq!(words(" \n "), Vec::<String>::new());
}

#[test]
fn a_phrase_in_double_quotes_is_one_query_word() {
    assert_eq!(words("say \"hello  world\" now"), ["say", "hello  world", "now"]);
}

#[test]
fn double_quotes_that_do_not_enclose_a_phrase_are_characters() {
    assert_eq!(words("\"role\":\"user\""), ["\"role\":\"user\""]);
    assert_eq!(words("5\" \""), ["5\"", "\""]);
    assert_eq!(words("\"\" \"open end"), ["\"\"", "\"open", "end"]);
}

#[test]
fn is_within_limits_counts_characters_and_words() {
    assert!(is_within_limits(&"压".repeat(MAX_QUERY_CHARS)));
    assert!(!is_within_limits(&"压".repeat(MAX_QUERY_CHARS + 1)));
    assert!(is_within_limits(&"x ".repeat(MAX_QUERY_WORDS)));
    assert!(!is_within_limits(&"x ".repeat(MAX_QUERY_WORDS + 1)));
}

#[test]
fn index_query_uses_a_short_word_only_if_no_word_is_longer() {
    let terms = |first: &str| Some(IndexQuery::Terms { first: first.to_owned(), last: format!("{first}\u{10FFFF}") });
    assert_eq!(Query::parse("压缩 阈").index_query(), terms("压缩"));
    let expression = Some(IndexQuery::Expression("\"abc\"".to_owned()));
    assert_eq!(Query::parse("压缩 ABC").index_query(), expression);
    assert_eq!(Query::parse("").index_query(), None);
}
