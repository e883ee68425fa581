use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

/// Start and end of each URL.
fn urls(text: &str) -> Vec<(usize, usize)> {
    data_urls(&units(text)).into_iter().map(|url| (url.start, url.end)).collect()
}

fn payload() -> String {
    "iVBORw0KGgo+/x9z".repeat(700)
}

#[test]
fn a_data_url_ends_at_its_delimiter_r5_3() {
    let url = format!("data:image/png;base64,{}==", payload());
    for (before, after) in [
        ("", ""),
        ("![a](", ")"),
        ("![a](", " \"title\")"),
        ("\"", "\""),
        ("{\\\"a\\\":\\\"", "\\\",\\\"b\\\":1}"),
        ("text ", " text"),
        ("text\\n", "\\ntext"),
        ("<a href=", ">"),
    ] {
        assert_eq!(
            urls(&format!("{before}{url}{after}")),
            [(before.len(), before.len() + url.len())],
            "{before}{after}"
        );
    }
}

#[test]
fn a_data_url_has_a_media_type_or_says_base64_r5_3() {
    let payload = payload();
    for header in [
        "image/png;base64",
        "IMAGE/PNG;BASE64",
        "text/plain;charset=utf-8;base64",
        "image/svg+xml; charset=utf-8;base64",
        ";base64",
        "image\\/png;base64",
        "application/vnd.ms-excel;base64",
        "text/html",
    ] {
        assert_eq!(urls(&format!("(data:{header},{payload})")).len(), 1, "{header}");
    }
    for header in [
        "", " image/png;base64", "{\"a\":1}", "image", "image/png", "logs/app", "a/b/c", "2024/01",
        "image/png is a format", "[DONE]", ";charset=utf-8",
    ] {
        let comma = if header == "image/png" { "" } else { "," };
        assert!(urls(&format!("(data:{header}{comma}{payload})")).is_empty(), "{header}");
    }
    assert!(urls(&format!("metadata:image/png;base64,{payload}")).is_empty());
    assert_eq!(urls(&format!("DATA:image/png;base64,{payload}")).len(), 1);
}

#[test]
fn a_data_url_without_base64_ends_at_its_quote_or_bracket_r5_3() {
    let svg = "<path d='M0 0(x)'/>".repeat(600);
    for (before, after, quoted) in [("url(", ") b{}", false), ("url(\"", "\") b{}", true), ("`", "`", true)] {
        let url = format!("data:image/svg+xml;utf8,{svg}");
        let found = urls(&format!("{before}{url}{after}"));
        assert_eq!(found, [(before.len(), before.len() + url.len())], "{quoted}");
    }
    // A line break ends the URL.
    assert_eq!(
        urls(&format!("(data:image/svg+xml,{svg}\nmore")).first().map(|url| url.1),
        Some(20 + 1 + svg.len() - 1)
    );
    assert!(urls(&format!("'data:text/plain,short\n{svg}'")).is_empty());
}

proptest! {
    #[test]
    fn ranges_are_ascending_and_within_any_text(pieces in prop::collection::vec(prop_oneof![
        Just("data:text/plain,".to_owned()), Just("data:;base64,".to_owned()), Just(payload()), Just("\"".to_owned()), Just("\\\"".to_owned()),
        Just("(".to_owned()), Just(")".to_owned()), Just("\n".to_owned()), "[ -~]{0,20}",
    ], 0..10)) {
        let text = units(&pieces.concat());
        let mut end = 0;
        for url in data_urls(&text) {
            prop_assert!(url.start >= end && url.end <= text.len() && url.end - url.start > SIZE_THRESHOLD);
            end = url.end;
        }
    }
}
