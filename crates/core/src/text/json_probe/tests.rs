use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

fn valid_object(text: &str) -> bool {
    object_members(&units(text), |_, _| {})
}

#[test]
fn objects_that_json_parse_accepts_are_valid() {
    for text in [
        "{}",
        " { } ",
        r#"{"a":1}"#,
        r#"{"a":-0.5e+10,"b":[1,2,{"c":null}],"d":true,"e":false,"f":"\ud800\u0041\n\/"}"#,
        "\t\r\n{\"a\" : [ ] , \"b\" : { } }\n",
        r#"{"__proto__":1,"a":1,"a":2}"#,
    ] {
        assert!(valid_object(text), "{text}");
    }
}

#[test]
fn texts_that_json_parse_refuses_are_not_valid() {
    for text in [
        "", "{", "}", "[]", "1", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":-}",
        "{a:1}", "{'a':1}", "{\"a\":1,}", "{\"a\":[1,]}", "{\"a\":[}]}", "{\"a\" 1}", "{\"a\":tru}", "{\"a\":\"\n\"}",
        "{\"a\":\"\\x41\"}", "{\"a\":\"\\u00g1\"}", "{\"a\":\"\\u+123\"}", "{\"a\":\"\\", "{\"a\":1}x", "\u{FEFF}{}",
        "\u{A0}{}",
    ] {
        assert!(!valid_object(text), "{text:?}");
    }
}

#[test]
fn a_leading_object_is_complete_whatever_follows_it() {
    let leads = |text: &str| leading_members::<true>(&units(text), |_, _| {});
    for text in ["{}", "{\"a\":1}x", " {\"a\":{\"b\":[]}}\n[hook] failed", "{}}", "{}{"] {
        assert!(leads(text), "{text}");
    }
    for text in ["", "x{}", "{\"a\":1", "{\"a\":1,}x", "[{}]", "{\"a\":\"}"] {
        assert!(!leads(text), "{text}");
    }
}

#[test]
fn a_hundred_thousand_levels_do_not_overflow_the_stack() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(valid_object(&deep));
    let broken = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(99_999));
    assert!(!valid_object(&broken));
}

#[test]
fn members_are_visited_as_written_with_duplicates() {
    let text = units(r#"{"stderr":"","nested":{"stderr":"x"},"std\u0065rr":["y"]}"#);
    let mut seen = Vec::new();
    assert!(object_members(&text, |key, value| {
        if key_is(key, &units("stderr")) {
            seen.push((value.kind, value.text.len()));
        }
    }));
    assert_eq!(seen, [(ValueKind::String, 2), (ValueKind::Array, 5)]);
}

#[test]
fn a_key_with_a_backslash_is_compared_decoded() {
    assert!(key_is(&units("a\\u0062"), &units("ab")));
    assert!(!key_is(&units("a\\n"), &units("a\\n")));
    assert!(key_is(&units("a\\\\n"), &units("a\\n")));
}

#[test]
fn strings_decode_as_json_parse_decodes_them() {
    let text = units(r#"["a\"\\\/\b\f\n\r\t\u4f60\ud83d\ude00\udc00"]"#);
    let mut decoded = Vec::new();
    assert!(array_elements(&text, |value| decoded = value.decode_string().unwrap()));
    let mut expected = units("a\"\\/\u{8}\u{c}\n\r\t你😀");
    expected.push(0xDC00);
    assert_eq!(decoded, expected);
}

#[test]
fn numbers_equal_those_of_json_parse() {
    for (text, expected) in [("0", 0.0), ("-0", 0.0), ("1e-400", 0.0), ("12.5e1", 125.0), ("0.0e9", 0.0)] {
        let source = units(&format!("[{text}]"));
        let mut number = f64::NAN;
        assert!(array_elements(&source, |value| number = value.number().unwrap()));
        assert!((number - expected).abs() < f64::EPSILON, "{text}");
    }
}

/// JSON text of any shape, with random white space.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i32>().prop_map(|n| n.to_string()),
        Just("1.25e-3".to_owned()),
        "[a-z\u{4e00}-\u{4eff} ]{0,40}".prop_map(|s| format!("\"{s}\"")),
        Just(r#""\u00e9\n\"""#.to_owned()),
    ];
    leaf.prop_recursive(6, 64, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec(("[a-z]{0,6}", inner), 0..5).prop_map(|members| {
                let body: Vec<String> = members.iter().map(|(k, v)| format!("\"{k}\" :{v}")).collect();
                format!("{{ {}}}", body.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn the_unchecked_scan_of_any_text_agrees_with_the_checked_one(text in "\\{(\"|\\\\|[a0u{}\\[\\],: \n]|\"a\":|\"\\\\u00e9\"|\"x\\\\\"\"){0,24}\\}.{0,3}") {
        let text = units(&text);
        let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
        if leading_members::<true>(&text, |key, value| checked.push((key, value.text))) {
            prop_assert!(leading_members::<false>(&text, |key, value| unchecked.push((key, value.text))));
            prop_assert_eq!(checked, unchecked);
        }
    }

    #[test]
    fn the_unchecked_scan_of_valid_json_agrees_with_the_checked_one(text in json(), appended in "[x{}\", ]{0,4}") {
        let text = units(&format!("{{\"a\":{text},\"b\\\\\":\"\\\"}}\"}}{appended}"));
        let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
        let valid = leading_members::<true>(&text, |key, value| checked.push((key, value.text)));
        prop_assert!(valid);
        prop_assert!(leading_members::<false>(&text, |key, value| unchecked.push((key, value.text))));
        prop_assert_eq!(checked, unchecked);
    }
}

proptest! {
    #[test]
    fn generated_json_is_valid_and_no_proper_prefix_of_it(value in json(), cut in any::<prop::sample::Index>()) {
        let text = units(&format!("{{\"k\":{value}}}"));
        let whole = object_members(&text, |_, _| ());
        prop_assert!(whole);
        let prefix = &text[..cut.index(text.len())];
        let cut_off = object_members(prefix, |_, _| ());
        prop_assert!(!cut_off);
    }

    #[test]
    fn any_units_are_scanned_without_a_panic(text in prop::collection::vec(prop_oneof![Just(0x22u16), Just(0x5C), Just(0x7B), Just(0x7D), Just(0x5B), Just(0x5D), Just(0x2C), Just(0x3A), Just(0x75), any::<u16>()], 0..200)) {
        let mut seen = Vec::new();
        object_members(&text, |key, value| {
            seen.push((key_is(key, &units("stderr")), value.decode_string(), value.number(), value.has_elements()));
        });
        array_elements(&text, |value| seen.push((false, value.string_body().map(<[u16]>::to_vec), None, false)));
        prop_assert!(seen.len() <= text.len());
    }
}
