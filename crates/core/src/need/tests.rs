//! Tests of needs in conversations of a few rows, and in random ones against a brute-force search.

use proptest::prelude::*;

use super::*;

/// Rows, each with whether it is a result, and its texts.
#[derive(Debug)]
struct Rows(Vec<(bool, Vec<(bool, String)>)>);

impl Texts for Rows {
    fn row_count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>)) {
        for (is_call, text) in &self.0[row].1 {
            read(if *is_call { Field::Arguments(text) } else { Field::Text(text) });
        }
    }
}

fn user(text: &str) -> (bool, Vec<(bool, String)>) {
    (false, vec![(false, text.to_owned())])
}

fn result(text: &str) -> (bool, Vec<(bool, String)>) {
    (true, vec![(false, text.to_owned())])
}

fn call(arguments: &str) -> (bool, Vec<(bool, String)>) {
    (false, vec![(true, arguments.to_owned())])
}

/// Each row but the first that is not a result counts as an assistant message that follows all rows before it.
fn events_of(rows: &Rows) -> Vec<NeedEvent> {
    let answers: Vec<usize> = (1..rows.row_count()).filter(|&row| !rows.0[row].0).collect();
    let index = Index::new(rows, answers.iter().copied());
    let requests: Vec<RequestSpan> =
        answers.iter().map(|&row| RequestSpan { len: row, assistant_rows: row..row + 1 }).collect();
    let order: Vec<usize> = (0..rows.row_count()).collect();
    let results: Vec<bool> = rows.0.iter().map(|row| row.0).collect();
    find_events(&index, &SentRows { rows: &order, is_result: &results, requests: &requests })
}

fn needs_in(rows: Vec<(bool, Vec<(bool, String)>)>) -> Vec<(usize, usize, ConfirmedNeed)> {
    let events = events_of(&Rows(rows));
    let each = |event: &NeedEvent| Some((event.request, event.source, confirm(event, &|_| false)?));
    events.iter().filter_map(each).collect()
}

const READ: &str = "   1\texport function total(values) {\n   2\t  return values.reduce((a, b) => a + b, 0);\n   3\t}";
const EDIT: &str = r#"{"file_path":"/p/a.ts","old_string":"  return values.reduce((a, b) => a + b, 0);","new_string":"  return sum(values);"}"#;

#[test]
fn r14_1_a_line_that_an_edit_must_find_is_needed_of_the_read_that_showed_it() {
    let found =
        needs_in(vec![user("go on"), call("{}"), result(READ), call(r#"{"command":"true"}"#), result(""), call(EDIT)]);
    let [(request, source, need)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((*request, *source), (2, 2));
    assert_eq!((need.kind, need.is_strong, need.grams.len()), (GramKind::Edit, true, 1));
}

#[test]
fn r14_1_text_that_the_next_assistant_message_takes_from_a_result_is_no_later_need() {
    assert!(needs_in(vec![user("go on"), call("{}"), result(READ), call(EDIT)]).is_empty());
}

#[test]
fn r14_1_text_that_another_message_held_before_is_not_needed_of_a_result() {
    let line = "return values.reduce((a, b) => a + b, 0);";
    for other in [user(line), call(&format!("{{\"content\":\"{line}\"}}"))] {
        let rows = vec![user("go on"), call("{}"), result(READ), other, result(""), call(EDIT)];
        assert!(needs_in(rows).is_empty());
    }
}

#[test]
fn r14_1_a_second_edit_of_the_same_line_needs_no_result() {
    let rows = vec![user("go"), call("{}"), result(READ), call("{}"), result(""), call(EDIT), result(""), call(EDIT)];
    assert_eq!(needs_in(rows).len(), 1);
}

#[test]
fn r14_1_the_newest_of_several_results_is_the_source_and_all_are_listed() {
    let rows =
        Rows(vec![user("go"), call("{}"), result(READ), call("{}"), result(READ), call("{}"), result(""), call(EDIT)]);
    let events = events_of(&rows);
    assert_eq!((events[0].source, events[0].first_sent, events[0].request), (4, 2, 3));
    assert_eq!(events[0].grams[0].sources, [2, 4]);
    let need = confirm(&events[0], &|_| false).unwrap();
    let is_missed = |missing: &[u32]| {
        need.is_missed(|gram| events[0].grams[gram].sources.iter().any(|source| !missing.contains(source)))
    };
    assert!(!is_missed(&[4]) && !is_missed(&[2]), "R14.2 removed duplicates are never missed");
    assert!(is_missed(&[2, 4]));
}

#[test]
fn r14_1_removed_and_context_lines_of_a_patch_are_needed_and_added_ones_are_not() {
    let patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n export function total(values) {\n-  return values.reduce((a, b) => a + b, 0);\n+  return sum(allTheValues);\n*** End Patch";
    let written_out = patch.replace('\n', "\\n");
    let block = "<<<<<<< SEARCH\n:start_line:1\n-------\nexport function total(values) {\n  return values.reduce((a, b) => a + b, 0);\n=======\nx\n>>>>>>> REPLACE";
    for arguments in [
        patch.to_owned(),
        format!("{{\"input\":{patch:?}}}"),
        format!("{{\"command\":[\"bash\",\"-lc\",{:?}]}}", format!("apply_patch <<'EOF'\n{patch}\nEOF")),
        format!("{{\"script\":{written_out:?}}}"),
        format!("{{\"diff\":{block:?}}}"),
    ] {
        let found = needs_in(vec![user("go"), call("{}"), result(READ), call("{}"), result(""), call(&arguments)]);
        let [(_, _, need)] = found.as_slice() else { panic!("{arguments}: {found:?}") };
        assert_eq!((need.kind, need.grams.len()), (GramKind::Edit, 2), "{arguments}");
    }
}

#[test]
fn r14_1_eight_words_in_a_row_are_a_quote_and_seven_are_not() {
    let log = "error: the connection to host was refused by its firewall after nine seconds";
    for (message, expected) in [
        ("It says that the connection to host was refused by its firewall.", 1),
        ("It says the connection to host was refused by some firewall.", 0),
        ("the connection to host was refused by /a/b/c its firewall after nine", 0),
    ] {
        let found = needs_in(vec![user("go"), call("{}"), result(log), call("{}"), result(""), user(message)]);
        assert_eq!(found.len(), expected, "{message}: {found:?}");
        assert!(found.iter().all(|(_, _, need)| need.kind == GramKind::Quote && need.is_strong));
    }
}

#[test]
fn r14_2_one_name_is_a_weak_event_two_names_or_a_hash_are_strong_and_common_names_are_none() {
    let output = "created renderTable in bin/table.mjs at commit 9f8f085";
    for (message, strong) in
        [("see renderTable", false), ("renderTable of bin/table.mjs", true), ("git show 9f8f085", true)]
    {
        let found = needs_in(vec![user("go"), call("{}"), result(output), call("{}"), result(""), user(message)]);
        let [(_, _, need)] = found.as_slice() else { panic!("{message}: {found:?}") };
        assert_eq!((need.kind, need.is_strong), (GramKind::Name, strong), "{message}");
    }
    let rows = vec![user("go"), call("{}"), result(output), call("{}"), result(""), user("see renderTable")];
    let events = events_of(&Rows(rows));
    assert_eq!(confirm(&events[0], &|_| true), None);
}

#[test]
fn r14_1_a_name_is_common_once_a_third_project_uses_it_in_any_order() {
    let names = |text: &str| {
        let rows = Rows(vec![result(text)]);
        let index = Index::new(&rows, std::iter::empty());
        let mut keys = Vec::new();
        Index::visit_row_grams(&rows, 0, &mut |_, gram| {
            keys.extend((gram.kind == GramKind::Name).then_some(gram.key));
        });
        (index.names.clone(), keys)
    };
    let (both, keys) = names("package.json renderTable");
    let (one, _) = names("package.json");
    let uses = [("/a", &both), ("/b", &one), ("/c", &one), ("/a", &one), ("/b", &both), ("/b", &both)];
    for turn in 0..uses.len() {
        let mut vocabulary = Vocabulary::default();
        for at in 0..uses.len() {
            let (project, names) = uses[(at + turn) % uses.len()];
            vocabulary.add(project, names);
        }
        assert_eq!((vocabulary.is_common(keys[0]), vocabulary.is_common(keys[1])), (true, false), "{turn}");
    }
}

#[test]
fn r14_2_an_event_is_missed_once_half_of_its_grams_have_no_source_left() {
    let need = ConfirmedNeed { kind: GramKind::Edit, is_strong: true, grams: vec![0, 2, 5] };
    assert!(!need.is_missed(|gram| gram != 2));
    assert!(need.is_missed(|gram| gram == 2));
}

#[test]
fn r14_1_lines_are_found_within_json_colours_and_search_output() {
    let json = serde_json::json!({"output": READ, "metadata": {"exit_code": 0}}).to_string();
    let coloured = READ.replace("return", "\u{1b}[1;31mreturn\u{1b}[0m");
    for output in [json, coloured, READ.replace("   2\t", "src/a.ts:2:"), READ.replace("   2\t", "-")] {
        let found = needs_in(vec![user("go"), call("{}"), result(&output), call("{}"), result(""), call(EDIT)]);
        assert_eq!(found.len(), 1, "{output}");
    }
}

/// The same definition by brute force: for each assistant message, every gram of every row before it.
fn plain_events(rows: &Rows) -> Vec<(usize, usize, usize)> {
    let mut grams: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
    for row in 0..rows.row_count() {
        let (mut written, mut shown) = (Vec::new(), Vec::new());
        Index::visit_assistant_grams(rows, row, &mut |_, gram| written.push(gram.key));
        Index::visit_row_grams(rows, row, &mut |_, gram| shown.push(gram.key));
        written.sort_unstable();
        written.dedup();
        grams.push((written, shown));
    }
    let answers: Vec<usize> = (1..rows.row_count()).filter(|&row| !rows.0[row].0).collect();
    let mut found = Vec::new();
    for (request, &answer) in answers.iter().enumerate() {
        let mut needed: Vec<(usize, usize)> = Vec::new();
        for key in &grams[answer].0 {
            let holders: Vec<usize> = (0..answer).filter(|&row| grams[row].1.contains(key)).collect();
            let Some(&newest) = holders.last().filter(|_| holders.iter().all(|&row| rows.0[row].0)) else {
                continue;
            };
            if request > 0 && newest < answers[request - 1] {
                match needed.iter_mut().find(|(source, _)| *source == newest) {
                    Some((_, count)) => *count += 1,
                    None => needed.push((newest, 1)),
                }
            }
        }
        needed.sort_unstable();
        found.extend(needed.into_iter().map(|(source, count)| (request, source, count)));
    }
    found
}

fn any_rows() -> impl Strategy<Value = Rows> {
    let word = prop::sample::select(vec![
        "alpha", "beta", "gamma", "delta", "renderTable", "a1b2c3d4", "src/cache/table.rs", "of", "\n", "\n", "12:",
        "中文的话", "—",
    ]);
    let text = prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "));
    prop::collection::vec((any::<bool>(), prop::sample::select(vec![0, 1, 2]), text), 1..14).prop_map(|rows| {
        let row = |(is_result, form, text): (bool, u8, String)| match form {
            0 if !is_result => call(&serde_json::json!({"old_string": text}).to_string()),
            1 => (is_result, vec![(true, serde_json::json!({"input": [text]}).to_string())]),
            _ => (is_result, vec![(false, text)]),
        };
        Rows(rows.into_iter().map(row).collect())
    })
}

proptest! {
    #[test]
    fn r14_1_the_index_agrees_with_a_brute_force_search(rows in any_rows()) {
        let found: Vec<(usize, usize, usize)> =
            events_of(&rows).iter().map(|event| (event.request, event.source, event.grams.len())).collect();
        prop_assert_eq!(found, plain_events(&rows));
    }

    #[test]
    fn r14_1_any_text_can_be_indexed(text in "\\PC{0,60}|[\\x00-\\x7f]{0,60}|(\\*\\*\\* Begin Patch|<<<<<<< SEARCH|\\\\n|\\x1b\\[|[0-9]|é|中|:|→| |\n|/|\\.){0,40}") {
        let rows = Rows(vec![user(""), result(&text), call(&text), result(""), user(&text)]);
        for event in events_of(&rows) {
            prop_assert!(event.source < rows.row_count() && event.first_sent < event.request);
        }
        for row in 0..rows.row_count() {
            Index::visit_row_grams(&rows, row, &mut |text, gram| assert!(gram.start <= gram.end && gram.end <= text.len()));
        }
    }
}
