use super::without_lone_surrogates;

#[test]
fn only_lone_surrogates_are_replaced() {
    assert_eq!(without_lone_surrogates(r#""\ud83d\ude00 \\ud83d""#), None);
    assert_eq!(without_lone_surrogates(r#""\ud83d x \ude00""#).as_deref(), Some(r#""\ufffd x \ufffd""#));
    assert_eq!(without_lone_surrogates(r#""\ud83d\ud83d\ude00""#).as_deref(), Some(r#""\ufffd\ud83d\ude00""#));
    assert_eq!(without_lone_surrogates(r#""\ud83"#), None);
}
