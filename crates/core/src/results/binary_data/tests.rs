use super::*;
use crate::results::base64_runs::{self, tests::wrapped};
use crate::text::utf16::units;
use proptest::prelude::*;

fn large(text: &str) -> bool {
    is_large_data(&units(text))
}

fn base64(length: usize) -> String {
    base64_runs::tests::base64(length, 1)
}

#[test]
fn sizes_are_rounded_as_to_fixed_rounds_r5_2() {
    for (units, text) in [
        (0, "0.0KB"),
        (1, "0.0KB"),
        (51, "0.0KB"),
        (52, "0.1KB"),
        (256, "0.3KB"),
        (768, "0.8KB"),
        (1024, "1.0KB"),
        (1280, "1.3KB"),
        (10_001, "9.8KB"),
        (512_000, "500.0KB"),
        (1_048_576, "1024.0KB"),
    ] {
        assert_eq!(size_text(units), text, "{units}");
    }
    assert_eq!(of_data(256).as_deref(), Some("[BINARY_DATA_FILTERED: 0.3KB]"));
    assert_eq!(large_placeholder(512_000), "[LARGE_DATA_FILTERED: 500.0KB]");
}

fn of_data(units: u64) -> Option<String> {
    binary_placeholder(FieldUnits { total: units, data: units })
}

#[test]
fn a_known_field_keeps_up_to_a_hundred_units_r5_2() {
    for units in [0, 1, 2, 99, 100] {
        assert_eq!(of_data(units), None, "{units}");
    }
    assert_eq!(of_data(101).as_deref(), Some("[BINARY_DATA_FILTERED: 0.1KB]"));
    assert_eq!(binary_placeholder(FieldUnits { total: 5_000, data: 100 }), None);
    let mixed = binary_placeholder(FieldUnits { total: 1_024, data: 101 });
    assert_eq!(mixed.as_deref(), Some("[BINARY_DATA_FILTERED: 1.0KB]"));
}

#[test]
fn a_placeholder_is_short_enough_not_to_be_replaced_again_r5_2() {
    assert!(of_data(u64::MAX).is_some_and(|text| text.len() as u64 <= FLOOR_UNITS));
    assert!(large_placeholder(u64::MAX).len() as u64 <= FLOOR_UNITS);
}

#[test]
fn paths_and_urls_are_locations_r5_2() {
    let long = "x".repeat(300);
    for text in [
        format!("https://host/{long}?signature=a%20b"),
        "file:///a.png".to_owned(),
        format!("s3://bucket/{long}"),
        format!("/home/me/my pictures/{long}.png"),
        format!("./{long}.png"),
        format!("../{long}.png"),
        format!("~/{long}.png"),
        format!("C:\\Users\\{long}.png"),
        format!("\\\\server\\{long}.png"),
    ] {
        assert!(is_location(&units(&text)), "{text}");
    }
}

#[test]
fn data_is_not_a_location_r5_2() {
    let data = base64(3_000);
    for text in [
        format!("/9j/{data}"),
        format!("/9j/{data}=="),
        format!("data:image/png;base64,{data}"),
        data.clone(),
        format!("https://host/{}", "x".repeat(LONGEST_LOCATION)),
        format!("/tmp/a.png\n{data}"),
        String::new(),
        "://x".to_owned(),
    ] {
        assert!(!is_location(&units(&text)), "{text}");
    }
}

#[test]
fn only_strings_longer_than_the_threshold_are_large_data_r5_3() {
    assert!(!large(&base64(10_000)));
    assert!(large(&base64(10_001)));
    assert!(large(&format!("data:image/png;base64,{}", "?".repeat(10_000))));
    assert!(!large("data:image/png;base64,AAAA"));
}

#[test]
fn base64_in_every_usual_form_is_large_data_r5_3() {
    let data = base64(20_001);
    let url_safe = data.replace('+', "-").replace('/', "_");
    for (form, text) in [
        ("padded", format!("{data}==")),
        ("padded once", format!("{data}=")),
        ("URL-safe", url_safe.clone()),
        ("wrapped at 76", wrapped(&data, 76, "\r\n")),
        ("wrapped at 64", wrapped(&data, 64, "\n")),
        ("wrapped at an odd width", wrapped(&data, 61, "\n")),
        ("wrapped, with a last line break", format!("{}=\n", wrapped(&data, 76, "\n"))),
        ("URL-safe, wrapped", wrapped(&url_safe, 76, "\n")),
        ("zeroes", "A".repeat(20_000)),
        ("zeroes, wrapped", wrapped(&"A".repeat(20_000), 76, "\n")),
    ] {
        assert!(large(&text), "{form}");
    }
}

#[test]
fn any_text_of_base64_characters_is_large_data_r5_3() {
    for text in ["ACGT".repeat(4_000), "0123456789".repeat(1_100), "=".repeat(20_000), "ab=".repeat(4_000)] {
        assert!(large(&text), "{}", text.get(..20).unwrap());
    }
    assert!(large(&format!("data: {}", "an event\n".repeat(2_000))));
}

#[test]
fn prose_hashes_and_code_are_not_large_data_r5_3() {
    let data = base64(20_000);
    for (form, text) in [
        ("one foreign character at the end", format!("{data}!")),
        ("one foreign character at the start", format!(" {data}")),
        ("both alphabets", format!("{data}-")),
        ("lines of unequal length", format!("{}\nabc\n{}", wrapped(&data, 76, "\n"), wrapped(&data, 76, "\n"))),
        ("lines longer than 76", wrapped(&data, 77, "\n")),
        ("words", "word\nother\nlonger\n".repeat(1000)),
        ("one letter a line", "y\n".repeat(10_000)),
        ("commit hashes", "3f786850e387550fdab836ed7e6dc881de23001b\n".repeat(400)),
        ("SHA-256 sums", "0cb89b2b8f8a4f7a1b0f7bd8e3e9d1c2a4b5c6d7e8f90123456789abcdef0123\n".repeat(200)),
        ("UUIDs", "550e8400-e29b-41d4-a716-446655440000\n".repeat(400)),
        ("minified code", "function a(b){return b.c(1)}".repeat(1000)),
        ("Chinese", "这是一个很长的文本".repeat(2000)),
        ("spaces", " ".repeat(20_000)),
        ("line breaks", "\n".repeat(20_000)),
    ] {
        assert!(!large(&text), "{form}");
    }
}

proptest! {
    #[test]
    fn base64_is_never_a_location_r5_2(text in "/{0,2}[A-Za-z0-9+/]{1,200}={0,2}") {
        prop_assert!(!is_location(&units(&text)));
    }

    #[test]
    fn one_character_outside_the_alphabet_keeps_a_text_r5_3(at in 0_usize..12_000, unit in any::<u16>()) {
        let mut text = units(&base64(12_000));
        text[at] = unit;
        let in_alphabet = char::from_u32(u32::from(unit)).is_some_and(|unit| unit.is_ascii_alphanumeric() || "+/".contains(unit));
        let padding = unit == 0x3D;
        let last_line_break = at == 11_999 && is_line_break(unit);
        prop_assert_eq!(is_large_data(&text), in_alphabet || padding || last_line_break);
    }

    #[test]
    fn every_beginning_of_large_data_may_be_large_data_r5_3(width in 16_usize..=76, length in 10_001_usize..12_000, seen in 1_usize..3000) {
        for text in [base64(length), wrapped(&base64(length), width, "\n")] {
            let text = units(&text);
            prop_assert!(is_large_data(&text));
            prop_assert!(may_be_large_data(&text[..seen]));
        }
    }
}
