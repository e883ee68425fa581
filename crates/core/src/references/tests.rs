use std::ops::Range;

use proptest::prelude::*;

use super::line_index::LineIndex;
use super::*;
use crate::text::utf16::{to_utf8, units};

fn english() -> LineIndex {
    LineIndex::new(Language::English)
}

fn file_lines(from: usize, to: usize) -> Vec<String> {
    (from..=to).map(|number| format!("    let value_{number} = compute(seed, {number}); // step {number}")).collect()
}

fn numbered(lines: &[String], first: usize) -> String {
    let line = |(nth, line): (usize, &String)| format!("{:>6}→{line}", first + nth);
    lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

fn number(source: Source) -> u32 {
    let (Source::Result(number) | Source::Call(number)) = source;
    number
}

fn shortened(index: &mut LineIndex, source: u32, text: &str) -> Option<String> {
    let mut label = |source: Source| units(&format!("#{} Read src/a.ts", number(source)));
    index.shorten(Source::Result(source), &units(text), &mut label).map(|shortened| to_utf8(&shortened.text))
}

#[test]
fn a_second_read_of_a_file_is_replaced_by_one_reference() {
    let mut index = english();
    let text = numbered(&file_lines(1, 40), 1);
    assert_eq!(shortened(&mut index, 7, &text), None);
    assert_eq!(shortened(&mut index, 9, &text).unwrap(), "[lines 1–40 as in #7 Read src/a.ts]");
    // Only the first read still has the lines.
    assert_eq!(shortened(&mut index, 11, &text).unwrap(), "[lines 1–40 as in #7 Read src/a.ts]");
}

#[test]
fn a_read_after_an_edit_shows_the_changed_lines_and_refers_to_the_others() {
    let mut index = english();
    let mut lines = file_lines(1, 40);
    assert_eq!(shortened(&mut index, 7, &numbered(&lines, 1)), None);
    lines.insert(10, "    inserted();".to_owned());
    let short = shortened(&mut index, 9, &numbered(&lines, 1)).unwrap();
    assert_eq!(
        short,
        "[lines 1–10 as in #7 Read src/a.ts]\n    11→    inserted();\n[lines 12–41 as 11–40 in #7 Read src/a.ts]"
    );
}

#[test]
fn written_lines_are_found_behind_the_line_numbers_of_any_tool() {
    let lines = file_lines(1, 12);
    let forms: [fn(usize, &String) -> String; 4] = [
        |number, line| format!("{number:>6}→{line}"),
        |number, line| format!("{number}\t{line}"),
        |number, line| format!("L{number}: {line}"),
        |number, line| format!("{number} | {line}"),
    ];
    for form in forms {
        let numbered: Vec<String> = (30..).zip(&lines).map(|(number, line)| form(number, line)).collect();
        let numbered = numbered.join("\n");
        let mut index = english();
        index.add(Source::Result(7), &units(&lines.join("\n")));
        assert_eq!(
            shortened(&mut index, 9, &numbered).unwrap(),
            "[lines 30–41 as 1–12 in #7 Read src/a.ts]",
            "{numbered}"
        );
    }
}

#[test]
fn lines_written_by_a_call_are_found_in_a_later_read() {
    let text = file_lines(1, 30).join("\n");
    let arguments = format!(r#"{{"path": "src/a.ts", "content": {}}}"#, serde_json::to_string(&text).unwrap());
    let mut index = english();
    index.add_call(Source::Call(7), &units(&arguments));
    assert_eq!(shortened(&mut index, 9, &text).unwrap(), "[lines 1–30 as in #7 Read src/a.ts]");
}

#[test]
fn a_line_without_letters_is_included_in_the_reference_to_the_lines_after_it() {
    let mut index = english();
    let text = format!("{{\n{}", file_lines(1, 20).join("\n"));
    assert_eq!(shortened(&mut index, 7, &text), None);
    let other = format!("$ cat a\n{text}");
    assert_eq!(shortened(&mut index, 9, &other).unwrap(), "$ cat a\n[lines 2–22 as 1–21 in #7 Read src/a.ts]");
}

#[test]
fn numbers_that_do_not_count_lines_are_content() {
    let rows = |step: usize| {
        (1..20)
            .map(|id| format!("{}: the row of an account with this id, active", id * step))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut index = english();
    assert_eq!(shortened(&mut index, 7, &rows(3)), None);
    assert_eq!(shortened(&mut index, 9, &rows(5)), None);
    assert!(shortened(&mut index, 11, &rows(3)).is_some());
}

#[test]
fn indentation_and_trailing_spaces_make_a_different_line() {
    let lines = file_lines(1, 12);
    let deeper: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    let longer: Vec<String> = lines.iter().map(|line| format!("{line} ")).collect();
    let mut index = english();
    index.add(Source::Result(7), &units(&lines.join("\n")));
    assert_eq!(shortened(&mut index, 9, &deeper.join("\n")), None);
    assert_eq!(shortened(&mut index, 11, &longer.join("\n")), None);
}

#[test]
fn a_repeat_of_few_lines_or_few_words_is_not_replaced() {
    let mut index = english();
    index.add(Source::Result(7), &units(&file_lines(1, 5).join("\n")));
    assert_eq!(shortened(&mut index, 9, &file_lines(1, 5).join("\n")), None);
    let short = (0..10).map(|number| format!("line {number}")).collect::<Vec<_>>().join("\n");
    index.add(Source::Result(7), &units(&short));
    assert_eq!(shortened(&mut index, 9, &short), None);
}

#[test]
fn an_outdated_source_is_not_referred_to() {
    let text = file_lines(1, 30).join("\n");
    let mut index = english();
    index.add(Source::Result(7), &units(&text));
    index.outdate(Source::Result(7));
    assert_eq!(shortened(&mut index, 9, &text), None);
    assert_eq!(shortened(&mut index, 11, &text).unwrap(), "[lines 1–30 as in #9 Read src/a.ts]");
}

#[test]
fn no_two_consecutive_references_name_the_same_lines() {
    let block = file_lines(1, 10).join("\n");
    let mut index = english();
    index.add(Source::Result(7), &units(&block));
    let short = shortened(&mut index, 9, &format!("{block}\n{block}")).unwrap();
    assert_eq!(short.matches("[lines").count(), 1);
}

#[test]
fn an_error_result_is_sent_whole() {
    let mut index = english();
    let text = format!("Error: the build failed\n{}", file_lines(1, 30).join("\n"));
    index.add(Source::Result(7), &units(&text));
    assert_eq!(shortened(&mut index, 9, &text), None);
}

#[test]
fn a_chinese_conversation_has_chinese_references() {
    let mut index = LineIndex::new(Language::Chinese);
    let text = file_lines(1, 30).join("\n");
    index.add(Source::Result(7), &units(&text));
    assert_eq!(shortened(&mut index, 9, &text).unwrap(), "[第 1–30 行同 #7 Read src/a.ts]");
    let later = format!("x\n{text}");
    assert_eq!(shortened(&mut index, 9, &later).unwrap(), "x\n[第 2–31 行同 #7 Read src/a.ts 第 1–30 行]");
}

#[test]
fn a_source_is_removable_once_all_results_that_refer_to_it_are_outdated() {
    let text = units(&file_lines(1, 30).join("\n"));
    let mut label = |source: Source| units(&format!("#{}", number(source)));
    let mut references = ReferenceTracker::new(Language::English);
    references.begin_request(1);
    assert_eq!(references.shorten_result(1, &text, &mut label), None);
    references.begin_request(5);
    assert!(references.shorten_result(5, &text, &mut label).is_some());
    references.outdate(1, 7);
    assert_eq!(references.removable_since(1), None);
    references.begin_request(8);
    assert!(references.shorten_result(8, &text, &mut label).is_some(), "it is still sent");
    references.outdate(5, 9);
    references.outdate(8, 12);
    assert_eq!((references.removable_since(1), references.removable_since(5)), (Some(12), Some(9)));
    references.begin_request(12);
    assert!(
        references.shorten_result(12, &text, &mut label).is_some(),
        "the source is removed with this request at the earliest"
    );
    references.outdate(12, 20);
    references.begin_request(21);
    assert_eq!(references.shorten_result(21, &text, &mut label), None);
}

/// Lines of a few kinds, so that runs repeat, with or without printed numbers.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let line = (0..12_u8).prop_map(|kind| match kind {
        0 => String::new(),
        1 => "}".to_owned(),
        2 => "12: a number that is content, in a line of some length".to_owned(),
        _ => format!("a line of some length, which is of kind {kind} \u{e9}\u{4e2d}"),
    });
    let text = (prop::collection::vec(line, 0..40), 0..3_u32, 0..3_usize).prop_map(|(lines, first, copies)| {
        let mut all = lines.clone();
        for _ in 0..copies {
            all.extend(lines.iter().cloned());
        }
        let numbered = |(nth, line): (u32, &String)| {
            if first == 0 { line.clone() } else { format!("{:>4}→{line}", first + nth) }
        };
        (0..).zip(&all).map(numbered).collect::<Vec<_>>().join("\n")
    });
    prop::collection::vec(text, 1..8)
}

/// True if the text can be restored: each reference replaced by the lines of its source, with this text's numbers.
fn is_restorable(text: &str, short: &Shortened, sent: &[Vec<Option<String>>]) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    short.references.iter().all(|reference| {
        let source = &sent[number(reference.source) as usize];
        reference.lines.clone().zip(reference.source_lines.clone()).enumerate().all(|(nth, (line, from))| {
            let Some(held) = &source[from] else { return false };
            let printed = |text: &str, shown_lines: &Range<u32>| {
                let number = format!("{:>4}→", shown_lines.start as usize + nth);
                text.strip_prefix(&number).unwrap_or(text).to_owned()
            };
            printed(lines[line], &reference.shown_lines) == printed(held, &reference.source_shown_lines)
        })
    })
}

proptest! {
    #[test]
    fn the_lines_that_a_reference_names_were_sent_word_for_word(texts in texts()) {
        let mut index = english();
        let mut sent: Vec<Vec<Option<String>>> = Vec::new();
        for (source, text) in (0..).zip(&texts) {
            let mut label = |source: Source| units(&format!("#{}", number(source)));
            let mut lines: Vec<Option<String>> = text.split('\n').map(|line| Some(line.to_owned())).collect();
            if let Some(short) = index.shorten(Source::Result(source), &units(text), &mut label) {
                prop_assert!(short.text.len() + MIN_UNITS_SAVED <= units(text).len());
                prop_assert!(is_restorable(text, &short, &sent));
                for reference in &short.references {
                    for line in &mut lines[reference.lines.clone()] {
                        *line = None;
                    }
                }
                let expected_lines = lines.iter().flatten().count() + short.references.len();
                prop_assert_eq!(to_utf8(&short.text).split('\n').count(), expected_lines);
            }
            sent.push(lines);
        }
    }
}
