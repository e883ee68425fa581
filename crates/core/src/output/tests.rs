use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

fn text(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

/// The default truncation of a text in memory.
fn truncate(content: &[u16], limit: usize) -> Vec<u16> {
    super::truncate(&mut &*content, limit).unwrap_or_else(|| content.to_vec())
}

pub(super) fn kept(content: &str, limit: usize, keep: OutputKeep) -> String {
    text(&truncate_keeping(&units(content), limit, keep))
}

/// R4.1 as stated, line by line: slow and simple, to check the fast scans against.
fn trimmed_by_lines(content: &[u16]) -> Vec<u16> {
    let lines: Vec<&[u16]> = content.split(|&unit| unit == 10).collect();
    let blank = |line: &&[u16]| line.iter().all(|&unit| utf16::is_white_space(unit));
    let Some(start) = lines.iter().position(|line| !blank(line)) else { return Vec::new() };
    let end = lines.iter().rposition(|line| !blank(line)).unwrap();
    lines[start..=end].join(&10)
}

/// The head of a trimmed text that is longer than `limit`, with the number of dropped pieces.
fn truncated_by_lines(trimmed: &[u16], limit: usize) -> Vec<u16> {
    let at = if splits_pair(trimmed, limit) { limit - 1 } else { limit };
    let pieces = trimmed[at..].split(|&unit| unit == 10).count();
    let mark = format!("\n\n... [{pieces} lines truncated] ...");
    trimmed[..at].iter().copied().chain(mark.encode_utf16()).collect()
}

#[test]
fn trimming_removes_only_blank_lines_at_both_ends_r4_1() {
    let trim = |content: &str| text(trim_empty_lines(&units(content)));
    assert_eq!(trim("\n \t\n  a\n\n b \n\u{feff}\n"), "  a\n\n b ");
    assert_eq!(trim("a\r\n\r\n"), "a\r");
    assert_eq!(trim("\u{2028}\n\u{a0}x"), "\u{a0}x");
    assert_eq!(trim(" \n \n"), "");
    assert_eq!(trim(""), "");
}

#[test]
fn truncation_keeps_the_head_and_counts_the_dropped_lines_r4_1() {
    let cut = |content: &str, limit| text(&truncate(&units(content), limit));
    assert_eq!(cut("abc\ndef\nghi", 5), "abc\nd\n\n... [2 lines truncated] ...");
    assert_eq!(cut("abc\ndef\n", 3), "abc\n\n... [2 lines truncated] ...");
    assert_eq!(cut("abcdef", 0), "\n\n... [1 lines truncated] ...");
    assert_eq!(cut("\nabc\n", 3), "abc");
    assert_eq!(cut("", 0), "");
}

#[test]
fn a_cut_inside_a_surrogate_pair_moves_one_unit_back_r0_2() {
    assert_eq!(text(&truncate(&units("a😀b"), 2)), "a\n\n... [1 lines truncated] ...");
    assert_eq!(text(&truncate(&units("a😀b"), 3)), "a😀\n\n... [1 lines truncated] ...");
    // A lone half is no pair, so the cut is not moved.
    assert_eq!(truncate(&[0xD83D, 0xD83D, 0x61], 1).first(), Some(&0xD83D));
}

#[test]
fn the_environment_variable_is_read_as_parse_int_reads_it_r4_2() {
    let limit = |value: &str| limit_from_environment(Some(&units(value)));
    assert_eq!(limit_from_environment(None), DEFAULT_LIMIT);
    for unreadable in ["", " ", "abc", "-5", "-0", "0", "0x10", ".5", "+", "- 5", "+-5", "NaN", "Infinity", "１２"] {
        assert_eq!(limit(unreadable), DEFAULT_LIMIT, "{unreadable}");
    }
    assert_eq!(limit("\u{feff}\u{2003}\n+12_000"), 12);
    assert_eq!(limit("1e9"), 1);
    assert_eq!(limit("0099.9"), 99);
    assert_eq!(limit("150001"), MAX_LIMIT);
    assert_eq!(limit(&"9".repeat(400)), MAX_LIMIT);
}

#[test]
fn head_equals_the_default_unless_that_is_longer_than_the_text_r4_4() {
    let long = "line of output\n".repeat(40);
    assert_eq!(kept(&long, 100, OutputKeep::Head), text(&truncate(&units(&long), 100)));
    assert!(truncate(&units("abcdef"), 5).len() > 6);
    assert_eq!(kept("abcdef", 5, OutputKeep::Head), "abcde");
}

#[test]
fn tail_and_both_state_where_they_cut_r4_4() {
    let numbered = (1..=40).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    assert_eq!(kept(&numbered, 15, OutputKeep::Tail), "... [39 lines truncated] ...\n\nline 39\nline 40");
    assert_eq!(kept(&numbered, 12, OutputKeep::Both), "line 1\n\n... [40 lines truncated] ...\n\nine 40");
}

#[test]
fn errors_keeps_an_error_line_in_the_middle_r4_4() {
    for (tool, line) in ERROR_LINES {
        let noise = "   Compiling some_crate v1.0.0 (ok, 0 errors, 0 failed)\n".repeat(200);
        let output = format!("{noise}{line}\n{noise}done");
        let result = kept(&output, 1200, OutputKeep::Errors);
        assert!(result.contains(line.trim_start()), "{tool}: {line}\n{result}");
        assert!(result.contains("lines truncated] ..."), "{tool} states where it cut");
        assert!(units(&result).len() <= 1200, "{tool} stays within the limit");
        assert!(result.starts_with("   Compiling") && result.ends_with("done"), "{tool} keeps both ends");
    }
}

/// An error line of each tool.
const ERROR_LINES: &[(&str, &str)] = &[
    ("rustc", "error[E0308]: mismatched types"),
    ("rustc in colour", "\u{1b}[0m\u{1b}[1m\u{1b}[38;5;9merror[E0425]\u{1b}[0m: cannot find value `x` in this scope"),
    ("cargo test", "test rules::keeps_five ... FAILED"),
    ("a Rust panic", "thread 'main' (12) panicked at src/main.rs:3:5:"),
    ("tsc", "src/app.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."),
    ("tsc --pretty", "src/app.ts:3:5 - error TS2322: Type 'string' is not assignable to type 'number'."),
    ("jest", "  ● adds › two numbers"),
    ("vitest", " FAIL  src/sum.test.ts > adds two numbers"),
    ("vitest's mark", "   × adds two numbers 4ms"),
    ("pytest", "E       assert 3 == 4"),
    ("pytest's summary", "FAILED tests/test_sum.py::test_sum - assert 3 == 4"),
    ("pytest's count", "==================== 2 failed, 31 passed in 0.12s ===================="),
    ("go test", "--- FAIL: TestSum (0.00s)"),
    ("go test's message", "    sum_test.go:12: got 3, want 4"),
    ("go build", "./main.go:12:5: undefined: y"),
    ("gcc", "main.c:3:5: error: expected ';' before 'return'"),
    ("ld", "main.c:(.text+0x1a): undefined reference to `missing'"),
    ("make", "make[1]: *** [Makefile:3: all] Error 1"),
    ("npm 9", "npm ERR! code ELIFECYCLE"),
    ("npm 10", "npm error code ERESOLVE"),
    ("node's trace", "TypeError: Cannot read properties of undefined (reading 'x')"),
    ("python's trace", "Traceback (most recent call last):"),
    ("java's trace", "Exception in thread \"main\" java.lang.IllegalStateException: no"),
    ("a shell", "bash: foo: command not found"),
    ("an exit code", "Process exited with code 137"),
];

#[test]
fn errors_shows_lines_around_an_error_up_to_a_blank_line_r4_4() {
    let noise = "ok\n".repeat(2000);
    let output =
        format!("{noise}\nerror[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^\n\n{noise}");
    let result = kept(&output, 600, OutputKeep::Errors);
    assert!(
        result.contains("error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^\n"),
        "{result}"
    );
}

#[test]
fn errors_of_one_endless_line_stays_within_the_limit_edge_31() {
    let line = format!("error: {}", "x".repeat(100_000));
    let result = kept(&line, 2000, OutputKeep::Errors);
    assert!(result.starts_with("error: xxx") && result.ends_with("xxx") && result.len() <= 2000);
}

#[test]
fn truncation_in_pieces_agrees_with_truncation_of_the_whole_text_r4_1() {
    for shift in PIECE - 3..PIECE + 3 {
        for middle in ["\n", "\n\n", "😀", "a\n😀\n", " \n \n"] {
            let text = format!("\n \n{}{middle}{}b\n\n{}", "x".repeat(shift), "\ny".repeat(PIECE), " \n".repeat(PIECE));
            let text = units(&text);
            let trimmed = trimmed_by_lines(&text);
            assert_eq!(truncate(&text, text.len()), trimmed);
            for limit in [shift, shift + 1, shift + 2, 2 * PIECE] {
                assert_eq!(truncate(&text, limit), truncated_by_lines(&trimmed, limit));
            }
        }
    }
    let blank = units(&" \n".repeat(PIECE * 2));
    assert!(truncate(&blank, 5).is_empty());
}

fn unit() -> impl Strategy<Value = u16> {
    prop_oneof![
        4 => prop::sample::select(vec![10_u16, 13, 32, 9, 0xFEFF, 0x2028, 0xA0, 0x3000]),
        4 => prop::sample::select(vec![0x61_u16, 0x7A, 0x30, 0, 0x1B]),
        2 => prop::sample::select(vec![0xD83D_u16, 0xDE00, 0xDBFF, 0xDC00]),
        1 => any::<u16>(),
    ]
}

fn splits_a_pair(whole: &[u16], part: &[u16]) -> bool {
    // Lone halves of the input may stay; no new ones may appear.
    let lone = |text: &[u16]| char::decode_utf16(text.iter().copied()).filter(Result::is_err).count();
    lone(part) > lone(whole)
}

proptest! {
    #[test]
    fn trimming_agrees_with_a_line_by_line_implementation_r4_1(content in prop::collection::vec(unit(), 0..300)) {
        prop_assert_eq!(trim_empty_lines(&content).to_vec(), trimmed_by_lines(&content));
    }

    #[test]
    fn truncation_agrees_with_a_line_by_line_implementation_and_splits_no_pair_r4_1(content in prop::collection::vec(unit(), 0..300), limit in 0_usize..300) {
        let trimmed = trimmed_by_lines(&content);
        let result = truncate(&content, limit);
        if trimmed.len() <= limit {
            prop_assert_eq!(&result, &trimmed);
        } else {
            prop_assert_eq!(&result, &truncated_by_lines(&trimmed, limit));
            prop_assert!(!splits_a_pair(&trimmed, &result));
        }
    }

    #[test]
    fn no_mode_makes_a_text_longer_or_splits_a_pair_r4_4(content in prop::collection::vec(unit(), 0..400), limit in 0_usize..400) {
        for keep in [OutputKeep::Head, OutputKeep::Tail, OutputKeep::Both, OutputKeep::Errors] {
            let result = truncate_keeping(&content, limit, keep);
            prop_assert!(result.len() <= content.len(), "{keep:?}");
            prop_assert!(!splits_a_pair(&content, &result), "{keep:?}");
            if keep == OutputKeep::Errors {
                prop_assert!(result.len() <= limit, "errors stays within the limit");
            }
        }
    }

    #[test]
    fn errors_stays_within_any_limit_r4_4(lines in prop::collection::vec("(error: )?[a-z 😀]{0,60}", 0..200), limit in 0_usize..3000) {
        let content = units(&lines.join("\n"));
        prop_assert!(truncate_keeping(&content, limit, OutputKeep::Errors).len() <= limit);
    }
}
