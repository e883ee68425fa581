use super::*;
use crate::text::utf16::units;

const NEAR_MISSES: &str = include_str!("error_near_misses.txt");

fn is_error(line: &str) -> bool {
    error_in(&units(line), 0).is_some()
}

#[test]
fn every_pattern_is_parsed_and_matches_its_own_sample_r4_4() {
    let mut wrong = Vec::new();
    for (pattern, tool, sample) in table_rows().filter(|(pattern, ..)| *pattern != "=") {
        let matches_sample = ErrorForm::parse(pattern).map(|form| {
            let line = units(sample);
            (0..=line.len()).any(|end| form.range_ending_fixed_at(&line, end).is_some())
        });
        if matches_sample != Some(true) {
            wrong.push(format!("{tool}: {pattern}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_sample_is_an_error_line_r4_4() {
    let missed: Vec<_> = table_rows().filter(|(.., sample)| !is_error(sample)).map(|(_, tool, _)| tool).collect();
    assert_eq!(missed, Vec::<&str>::new());
    assert!(table_rows().count() > 700);
}

#[test]
fn every_line_of_the_table_has_three_fields() {
    let lines = TABLE.lines().filter(|line| !line.starts_with("# ") && *line != "#");
    assert_eq!(lines.count(), table_rows().count());
}

/// `{n}` and `{w}` in the near misses become numbers and words.
fn ordinary_lines() -> Vec<String> {
    const WORDS: [&str; 16] = [
        "alpha", "parser", "db", "http2", "worker", "cache", "auth", "billing", "index", "core", "queue", "mailer",
        "search", "gateway", "proxy", "ui",
    ];
    let lines = NEAR_MISSES.lines().enumerate();
    lines
        .flat_map(|(at, line)| {
            WORDS.iter().enumerate().map(move |(turn, word)| {
                let number = 10 + (turn * 7 + at) % 89;
                line.replace("{n}", &number.to_string()).replace("{w}", word)
            })
        })
        .collect()
}

/// The code before this table took 240 of these lines for errors.
#[test]
fn three_thousand_ordinary_lines_are_not_error_lines_r4_4() {
    let lines = ordinary_lines();
    assert!(lines.len() > 3_000, "{}", lines.len());
    let false_positives: Vec<_> = lines.iter().filter(|line| is_error(line)).collect();
    assert_eq!(false_positives, Vec::<&String>::new());
}

#[test]
fn an_error_is_found_anywhere_in_a_line_r4_4() {
    for before in ["x".repeat(401), "x ".repeat(4_000), r#"{"a":1,"#.repeat(900), "中".repeat(5_000)] {
        for error in [
            "TypeError: boom",
            "error: linker `cc` not found",
            "src/a.ts(3,7): error TS2322: Type",
            "fatal: not a git repository",
            "java.lang.IllegalStateException: no",
            "错误：找不到文件",
        ] {
            let line = units(&format!("{before}{error}"));
            let found = error_in(&line, 0);
            let start = line.len() - units(error).len();
            assert!(
                found.is_some_and(|words| words.end > start),
                "{error} after {}",
                before.chars().take(8).collect::<String>()
            );
        }
    }
}

#[test]
fn one_pattern_matches_the_error_codes_of_several_compilers_r4_4() {
    for code in ["TS2322", "CS0103", "C2065", "LNK2019", "FS0039", "BC30451", "MSB1009", "NU1101", "XYZ12"] {
        assert!(is_error(&format!("src/a.x(3,7): error {code}: no")), "{code}");
        assert!(!is_error(&format!("src/a.x(3,7): warning {code}: no")), "{code}");
    }
}

#[test]
fn tags_and_time_stamps_before_an_error_are_ignored_r4_4() {
    for before in [
        "", "  ", "[10:11:12] ", "2024-01-12T10:11:12.123Z ", "12-Jan-2024 10:11:12.123 ", "web_1  | ", "#12 3.214 ",
        "> ", "[build] ", "10:11:12.123 [main] ", "\u{1b}[31m", "2> ",
    ] {
        assert!(is_error(&format!("{before}error: no")), "{before}");
        assert!(!is_error(&format!("{before}all is well, see error: none")), "{before}");
    }
    assert!(!is_error("the setting for error: is described below"));
}

#[test]
fn informational_lines_are_errors_only_if_the_form_is_certain_r4_4() {
    assert!(is_error("[INFO] BUILD FAILURE"));
    assert!(is_error("INFO: 3 failed, 4 passed"));
    assert!(!is_error("2024-01-12 10:11:12 INFO connect: Connection refused, trying again"));
    assert!(!is_error("ok 3 - TypeError: boom is thrown"));
}

#[test]
fn the_automaton_has_room_for_all_patterns() {
    let forms = ErrorForms::of_table();
    assert_eq!(forms.forms.len(), table_rows().filter(|(pattern, ..)| *pattern != "=").count());
    assert!(forms.automaton.class_count < 256, "{}", forms.automaton.class_count);
    assert!(
        forms.automaton.forms_ending_at.len() < usize::from(ENDS_TEXT),
        "{}",
        forms.automaton.forms_ending_at.len()
    );
}
