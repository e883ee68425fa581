//! Tests of long lines, progress bars, and the used share of the limit.

use super::tests::kept;
use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

#[test]
fn errors_keeps_the_part_of_a_long_line_that_names_the_error_r4_4() {
    let bundle = "function a(b){return b+1};".repeat(350);
    let dump = r#"{"key":"value","n":[1,2,3]},"#.repeat(330);
    let frames: Vec<_> = (0..500).map(|n| format!("\rCompiling {n}/500")).collect();
    let frames = frames.concat();
    for noise in ["x".repeat(9_000), bundle, dump, "中".repeat(9_000)] {
        let line = format!("{noise}TypeError: boom{noise}");
        for text in [line.clone(), format!("first\n{line}\nlast")] {
            let result = kept(&text, 4_000, OutputKeep::Errors);
            assert!(result.contains("TypeError: boom"), "{result}");
            let length = units(&result).len();
            assert!((3_600..=4_000).contains(&length), "{length}");
        }
    }
    let bar = format!("{frames}\rTypeError: boom{frames}\n");
    let result = kept(&bar, 4_000, OutputKeep::Errors);
    assert_eq!(result, "TypeError: boom\nCompiling 499/500");
}

#[test]
fn errors_shows_each_error_of_a_long_line_r4_4() {
    let noise = "word ".repeat(4_000);
    let line = format!("{noise}ValueError: one{noise}TypeError: two{noise}");
    let result = kept(&line, 6_000, OutputKeep::Errors);
    assert!(result.contains("ValueError: one") && result.contains("TypeError: two"), "{result}");
}

#[test]
fn only_the_last_frame_of_a_progress_bar_stays_r4_4() {
    let bar = |tool: &str| {
        let frames: Vec<_> = (0..400).map(|n| format!("{tool} {}% ({n}/400)\r", n / 4)).collect();
        frames.concat()
    };
    let text = format!("start\r\n{}Receiving 100%, done.\r\nend\r\n", bar("Receiving"));
    for keep in [OutputKeep::Head, OutputKeep::Tail, OutputKeep::Both, OutputKeep::Errors] {
        assert_eq!(kept(&text, 1_000, keep), "start\r\nReceiving 100%, done.\r\nend\r", "{keep:?}");
        assert_eq!(kept(&text, 100_000, keep), text.trim_end_matches('\n'), "a text that fits is unchanged");
    }
    // The default equals the original function.
    assert!(
        truncate(&mut units(&text).as_slice(), 1_000)
            .is_some_and(|cut| String::from_utf16_lossy(&cut).starts_with("start\r\nReceiving 0%"))
    );
    let spinner = format!("{}done", "\u{1b}[2K⠋ installing\r\u{1b}[2K⠙ installing\r".repeat(200));
    assert_eq!(kept(&spinner, 100, OutputKeep::Tail), "done");
    let blank_end = format!("{}\u{1b}[K\nend", bar("Pulling"));
    assert_eq!(kept(&blank_end, 100, OutputKeep::Tail), "Pulling 99% (399/400)\nend");
}

#[test]
fn lines_that_end_with_a_carriage_return_are_not_progress_frames_r4_4() {
    let words = ["alpha", "river", "stone", "cloud", "ember"];
    let lines: Vec<_> = (0..400).map(|n| format!("{} is line of a text\r", words[n % 5])).collect();
    let text = lines.concat();
    let result = kept(&text, 1_000, OutputKeep::Head);
    assert!(result.starts_with("alpha is line of a text\rriver"), "{result}");
}

#[test]
fn errors_reads_a_megabyte_of_error_words_in_linear_time_edge_31() {
    let line = "error: none failed: 0 at (1,2): warning TS1: TypeError ".repeat(20_000);
    let started = std::time::Instant::now();
    let result = kept(&line, 30_000, OutputKeep::Errors);
    assert!(result.len() <= 30_000);
    // A debug build on a busy machine; code that isn't linear takes minutes.
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn every_mode_uses_at_least_ninety_percent_of_the_limit_r4_4(
        lines in prop::collection::vec(("(TypeError: |error: |src/a.c:3:5: error: |)", "[a-z 😀中]{1,12}", 1_usize..400), 1..40),
        limit in 200_usize..6000,
    ) {
        let lines: Vec<_> = lines.iter().map(|(error, word, times)| format!("{error}x{}x", word.repeat(*times))).collect();
        let content = units(&lines.join("\n"));
        for keep in [OutputKeep::Head, OutputKeep::Tail, OutputKeep::Both, OutputKeep::Errors] {
            let length = truncate_keeping(&content, limit, keep).len();
            prop_assert!(length * 10 >= limit.min(content.len()) * 9, "{keep:?}: {length} of {limit}");
            prop_assert!(length <= content.len());
        }
    }
}
