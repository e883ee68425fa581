use super::*;

#[test]
fn r0_2_lone_surrogates_become_u_fffd_and_pairs_stay() {
    let cases = [
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""a\udE00b""#, "a\u{fffd}b"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
        (r#""\ude00\ud83d\ude00\n中""#, "\u{fffd}\u{1f600}\n中"),
        (r#""\\ud83d\u0000\"""#, "\\ud83d\0\""),
        (r#""\\\ud83d""#, "\\\u{fffd}"),
        ("\u{feff} \"x\"", "x"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap(), Value::from(expected), "{text}");
    }
}

#[test]
fn r0_3_invalid_json_is_an_error_even_with_lone_surrogates() {
    let deep = "[".repeat(100_000);
    for text in ["", "{", r#"{"a":"\ud83d"#, r#""\u12"#, r#""\ud83d\u"#, "\"\\", r#""\中\ud800""#, deep.as_str()] {
        assert!(parse(text).is_err(), "{text:.40}");
    }
}
