use super::*;
use proptest::prelude::*;

const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD";

fn wrapped(lines: usize, ending: &str) -> String {
    vec![IMAGE.get(..64).unwrap(); lines].join(ending)
}

#[test]
fn edge_29_a_long_run_of_base64_is_left_out() {
    let data = IMAGE.repeat(10);
    let text = without_base64(&data).into_owned();
    assert_eq!(text, format!("[base64: {} characters]", data.len()));
    let url = format!("![a](data:image/png;base64,{data}==) and more");
    assert!(without_base64(&url).ends_with(" characters]) and more"));
}

#[test]
fn edge_29_base64_wrapped_in_lines_is_left_out() {
    for ending in ["\n", "\r\n"] {
        let data = wrapped(10, ending);
        assert_eq!(without_base64(&format!("key:\n\n{data}\n\nend")).matches("base64").count(), 1);
    }
}

#[test]
fn hashes_prose_and_short_lines_are_not_taken_for_base64() {
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".repeat(8);
    let words = "Every word of this sentence can be found, in 2026 as well. ".repeat(20);
    let ruler = "-".repeat(500);
    let short_lines = "Abc123\n".repeat(100);
    for text in [hash, words, ruler, short_lines, IMAGE.to_owned(), "a".repeat(2_000), "压缩".repeat(500)] {
        assert_eq!(without_base64(&text), text);
    }
}

#[test]
fn folding_lowercases_one_character_to_one_character() {
    assert_eq!(folded("ÄÖÜ ΣςAİIſẞ"), "äöü σσaiisß");
    assert_eq!(folded("a\0b"), "a\u{FFFD}b");
}

proptest! {
    #[test]
    fn folding_keeps_the_number_of_characters(text in any::<String>()) {
        prop_assert_eq!(folded(&text).chars().count(), text.chars().count());
    }

    #[test]
    fn text_without_long_runs_is_unchanged(text in "[ -~\\n压缩]{0,255}") {
        prop_assert_eq!(without_base64(&text).into_owned(), text);
    }
}
