use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

/// Pseudo-random base64: letters of both cases, digits, `+` and `/`.
pub fn base64(length: usize, seed: u32) -> String {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        alphabet[(state >> 26) as usize]
    };
    (0..length).map(|_| next()).collect()
}

pub fn wrapped(text: &str, width: usize, line_break: &str) -> String {
    let lines = text.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap());
    lines.collect::<Vec<_>>().join(line_break)
}

/// Start and end of each run.
fn runs(text: &str) -> Vec<(usize, usize)> {
    let text = units(text);
    base64_runs(&text, 0..text.len()).into_iter().map(|run| (run.start, run.end)).collect()
}

#[test]
fn a_run_is_longer_than_the_threshold_r5_3() {
    assert!(runs(&base64(10_000, 1)).is_empty());
    assert_eq!(runs(&base64(10_001, 1)), [(0, 10_001)]);
    assert_eq!(runs(&format!("{}==", base64(10_002, 1))), [(0, 10_004)]);
}

#[test]
fn a_wrapped_run_ends_with_its_last_line_r5_3() {
    let data = base64(20_001, 1);
    for (width, line_break) in [
        (76, "\n"),
        (64, "\r\n"),
        (61, "\n"),
        (36, "\n"),
        (4_000, "\n"),
        (76, "\n\t\t  "),
        (76, "\\r\\n"),
        (60, "&#xa;"),
    ] {
        let text = wrapped(&data, width, line_break);
        // The last line may be short enough to look like a word.
        let at_least = text.len() - width - line_break.len();
        for (before, after) in [("", ""), ("a list:\n", "\nand more"), ("\"", "\"")] {
            let found = runs(&format!("{before}{text}{after}"));
            assert_eq!(found.len(), 1, "{width} {line_break:?}");
            assert_eq!(found[0].0, before.len());
            assert!((at_least..=text.len()).contains(&(found[0].1 - before.len())), "{width} {line_break:?}");
        }
    }
}

#[test]
fn a_word_after_wrapped_data_is_not_part_of_it_r5_3() {
    let data = wrapped(&base64(15_200, 1), 76, "\n");
    for word in ["Done", "done", "Done and more", "END OF FILE", "12"] {
        assert_eq!(runs(&format!("{data}\n{word}")), [(0, data.len())], "{word}");
    }
    assert_eq!(runs(&format!("{data}\niVBO+w==\n")), [(0, data.len() + 9)]);
}

#[test]
fn identifiers_and_paths_are_not_base64_r5_3() {
    let random = base64(40_000, 3).replace(['+', '/'], "x");
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().join("\n");
    for (kind, text) in [
        ("tokens of letters and digits", wrapped(&random, 64, "\n")),
        ("letters and digits on one line", random.clone()),
        ("keys", wrapped(&base64(40_000, 3), 21, "\n")),
        ("paths", lines(400, &|n| format!("Build/Objects/Release/Component{n:04}/Button/Index{n:04}"))),
        ("zeroes", "A".repeat(20_000)),
        ("upper case and digits", random.to_uppercase()),
        ("lower case and digits", random.to_lowercase()),
        ("a list of hashes", lines(300, &|n| format!("{}==", base64(86, u32::try_from(n).unwrap())))),
        ("a list of strings", lines(300, &|n| format!("\"{}\",", base64(64, u32::try_from(n).unwrap())))),
    ] {
        assert!(text.len() > SIZE_THRESHOLD);
        assert!(runs(&text).is_empty(), "{kind}");
    }
}

#[test]
fn a_monotonous_image_is_recognised_by_its_signature_r5_3() {
    let image = format!("Qk02EA4AAAAAADYAAAAoAAAAgAIAAOABAAABAA{}", "////AAAA/wD/b29v7+/vzMzM".repeat(600));
    assert_eq!(runs(&image).len(), 1);
}

proptest! {
    #[test]
    fn a_run_is_found_wherever_it_begins_r5_3(
        before in "[a-z \n\"\\\\=:,<>()]{0,9000}[ \"(:,<>]", after in "([ \")<,][a-z \n\"\\\\=:,<>()]{0,200})?", length in 10_001_usize..14_000, seed in 1_u32..1000,
    ) {
        let data = base64(length, seed);
        let found = runs(&format!("{before}{data}{after}"));
        prop_assert_eq!(found, vec![(before.len(), before.len() + length)]);
    }

    #[test]
    fn ranges_are_ascending_and_within_any_text(pieces in prop::collection::vec(prop_oneof![
        Just(base64(9_000, 7)), Just(base64(11_000, 8)), Just(wrapped(&base64(9_000, 9), 76, "\n")), Just("\\n".to_owned()),
        Just("=".to_owned()), Just("\n".to_owned()), Just(" ".to_owned()), Just("\\".to_owned()), "[ -~]{0,40}",
    ], 0..6)) {
        let text = units(&pieces.concat());
        let mut end = 0;
        for run in base64_runs(&text, 0..text.len()) {
            prop_assert!(run.start >= end && run.end <= text.len() && run.end - run.start > SIZE_THRESHOLD);
            end = run.end;
        }
    }
}
