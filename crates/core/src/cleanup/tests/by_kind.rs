//! Tests of the rules of a view: after how many requests each kind of result is outdated.

use super::session::TestSession;
use crate::cleanup::rules::ages::Ages;
use crate::cleanup::rules::subject::Subject;
use crate::cleanup::rules::{presets, repeated_commands};
use crate::cleanup::{Edit, Policy, Purpose, SentRequest, Update};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::pattern::ToolPattern;
use crate::tools::result_kind::{ResultKind, result_kind_of};

/// The order in `of_several` is written by hand: who changes an age has to change it, too.
#[test]
fn a_result_of_two_kinds_has_the_kind_that_stays_longest_by_default() {
    let ages = Ages::default();
    for (a, b) in ResultKind::ALL.iter().flat_map(|&a| ResultKind::ALL.map(|b| (a, b))) {
        let kind = ResultKind::of_several(&[a, b]).unwrap();
        let known = [a, b].into_iter().filter(|&kind| kind != ResultKind::Other);
        let longest = known.map(|kind| ages.of(kind)).max().unwrap_or(ages.of(ResultKind::Other));
        assert_eq!(ages.of(kind), longest, "{a:?} and {b:?}");
    }
}

fn rules() -> Vec<crate::cleanup::rules::Rule> {
    let root = || ProjectRoot::new(&units("/app"), false).unwrap();
    Subject::ALL
        .iter()
        .map(|preset| presets::by_kind(preset.name(), None, root(), Language::English).unwrap())
        .collect()
}

fn view() -> TestSession {
    TestSession::new(Policy { purpose: Purpose::View, rules: rules(), ..Policy::default() })
}

fn long(text: &str) -> String {
    format!("{text}: {}", "a line of output ".repeat(20))
}

/// Calls, each with the kind of its result.
const CALLS: [(&str, &str, Option<ResultKind>); 8] = [
    ("bash", r#"{"command":"cargo test"}"#, Some(ResultKind::ShellRun)),
    ("bash", r#"{"command":"sed -n 1,20p src/a.ts"}"#, Some(ResultKind::ShellRead)),
    ("Read", r#"{"file_path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    ("mcp__files__read_file", r#"{"path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    ("Grep", r#"{"pattern":"a"}"#, Some(ResultKind::Search)),
    ("Edit", r#"{"file_path":"src/a.ts"}"#, Some(ResultKind::EditResult)),
    ("str_replace_based_edit_tool", r#"{"command":"view","path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    ("str_replace_based_edit_tool", r#"{"command":"create","path":"src/a.ts"}"#, Some(ResultKind::EditResult)),
];

/// The number of assistant messages after which a row is first outdated.
fn requests_until_outdated(session: &mut TestSession, row: usize, max_requests: usize) -> Option<usize> {
    for answers in 0..=max_requests {
        if session.evaluate(0.0).edits.iter().any(|edit| edit.row as usize == row) {
            return Some(answers);
        }
        session.turns(1);
    }
    None
}

#[test]
fn r14_3_a_result_is_outdated_after_the_number_of_requests_of_its_kind() {
    for (tool, arguments, kind) in CALLS {
        let mut session = view();
        let row = session.call(tool, arguments, &long("done"), f64::NAN);
        let age = kind.map(|kind| Ages::default().of(kind) as usize);
        assert_eq!(requests_until_outdated(&mut session, row, 200), age, "{tool} {arguments}");
    }
}

#[test]
fn r14_3_an_error_is_outdated_like_other_results_of_its_kind() {
    let mut session = view();
    let row = session.call("bash", r#"{"command":"make"}"#, &long("Error: no rule to make target"), f64::NAN);
    assert_eq!(
        requests_until_outdated(&mut session, row, 100),
        Some(Ages::default().of(ResultKind::ShellRun) as usize)
    );
}

#[test]
fn r10_12_deciding_all_requests_at_once_equals_deciding_them_one_by_one() {
    let outdated_since = |at_once: bool| {
        let mut session = view();
        let mut requests = Vec::new();
        for (tool, arguments, _) in CALLS.iter().cycle().take(200) {
            session.call(tool, arguments, &long("done"), f64::NAN);
            requests.push(SentRequest { row_count: session.cleanup.conversation().len(), time_ms: 0.0 });
        }
        let (rows, mut texts, mut cleanup) = (session.rows(), session.texts.clone(), session.empty());
        let mut sent = 0;
        let mut edits = Vec::new();
        if at_once {
            let update = Update { rows, requests, first_request: 0 };
            edits = cleanup.evaluate_requests(&mut texts, update).edits.clone();
        } else {
            for (number, request) in (0..).zip(requests) {
                let update = Update {
                    rows: rows[sent..request.row_count].to_vec(),
                    requests: vec![request],
                    first_request: number,
                };
                edits = cleanup.evaluate_requests(&mut texts, update).edits.clone();
                sent = request.row_count;
            }
        }
        let outdated_since: std::collections::BTreeMap<u32, u32> =
            edits.iter().map(|edit| (edit.row, edit.request)).collect();
        outdated_since
    };
    assert!(!outdated_since(true).is_empty());
    assert_eq!(outdated_since(true), outdated_since(false));
}

#[test]
fn r14_3_removing_an_assistant_message_makes_a_result_current_again() {
    let mut session = view();
    let row = session.call("bash", r#"{"command":"make"}"#, &long("ok"), f64::NAN);
    session.turns(Ages::default().of(ResultKind::ShellRun));
    let is_outdated = |edit: &Edit| edit.row as usize == row;
    assert!(session.evaluate(0.0).edits.iter().any(is_outdated));
    session.cleanup.truncate(session.cleanup.conversation().len() - 1);
    assert!(!session.evaluate(0.0).edits.iter().any(is_outdated));
}

#[test]
fn r14_3_the_rule_for_other_tools_excludes_tools_with_a_rule_of_their_own() {
    let mut rules = rules();
    let mut own_rule = presets::terminal(Language::English);
    own_rule.name = "own".to_owned();
    own_rule.tools = vec![units("deploy")];
    rules.push(own_rule);
    let mut session = TestSession::new(Policy { purpose: Purpose::View, rules, ..Policy::default() });
    for name in ["deploy", "ask_database"] {
        session.name(name);
    }
    let others = session.cleanup.policy.rules.iter().position(|rule| rule.name == "otherTools").unwrap();
    let covers = |number: usize| session.cleanup.rule_states[others].covered_names[number];
    assert_eq!([covers(0), covers(1)], [false, true]);
}

#[test]
fn results_of_kept_tools_stay_and_those_of_dropped_tools_are_outdated_at_the_next_assistant_message() {
    let patterns = |texts: &[&str]| texts.iter().map(|text| ToolPattern::parse(&units(text)).unwrap()).collect();
    let mut rules = rules();
    let root = ProjectRoot::new(&units("/app"), false).unwrap();
    rules.push(presets::by_kind("dropTools", None, root, Language::English).unwrap());
    rules.push(repeated_commands::rule(None, Language::English));
    let policy = Policy {
        purpose: Purpose::View,
        rules,
        kept_tools: patterns(&["mcp__db__schema", "Rea*"]),
        dropped_tools: patterns(&["mcp__db__*", "bash"]),
        ..Policy::default()
    };
    let calls = ["mcp__db__schema", "Read", "mcp__db__query", "bash"];
    let mut session = TestSession::new(policy);
    let rows = calls.map(|tool| session.call(tool, r#"{"path":"a","command":"make"}"#, &long("ok"), f64::NAN));
    let repeated = calls.map(|tool| session.call(tool, r#"{"path":"a","command":"make"}"#, &long("ok"), f64::NAN));
    session.turns(1);
    let edits = session.evaluate(0.0).edits;
    let rule = |row: usize| {
        let edit = edits.iter().find(|edit| edit.row as usize == row)?;
        Some(session.cleanup.policy.rules[edit.rule as usize].name.clone())
    };
    let dropped = Some("dropTools".to_owned());
    assert_eq!(rows.map(rule), [None, None, dropped.clone(), dropped.clone()]);
    assert_eq!(repeated.map(rule), [None, None, dropped.clone(), dropped]);
}

#[test]
fn a_placeholder_names_the_call_its_lines_and_how_to_repeat_it() {
    let mut session = view();
    session.call("bash", r#"{"command":"cargo test -p core"}"#, &format!("{}\nb\n", long("a")), f64::NAN);
    session.call("Read", r#"{"file_path":"src/a.ts"}"#, &long("a"), f64::NAN);
    session.call("ask_database", r#"{"path":"src/a.ts"}"#, &long("a"), f64::NAN);
    session.turns(200);
    let texts = session.evaluate(0.0).edits.into_iter().filter_map(|edit| edit.text);
    let texts: Vec<_> = texts.map(|text| String::from_utf16(&text).unwrap()).collect();
    assert!(
        texts.contains(&"[#1 removed: bash cargo test -p core, 2 lines; run again if needed]".to_owned()),
        "{texts:?}"
    );
    assert!(texts.contains(&"[#2 removed: Read src/a.ts, 1 lines; read again if needed]".to_owned()), "{texts:?}");
    assert!(texts.contains(&"[#3 removed: ask_database, 1 lines; call again if needed]".to_owned()), "{texts:?}");
}

#[test]
fn r1_6_a_placeholder_by_kind_is_not_replaced_in_either_language() {
    for language in [Language::Chinese, Language::English] {
        for (tool, arguments, _) in CALLS {
            let policy = |language| {
                let root = || ProjectRoot::new(&units("/app"), false).unwrap();
                let rule = |preset: &Subject| presets::by_kind(preset.name(), None, root(), language).unwrap();
                Policy { purpose: Purpose::View, rules: Subject::ALL.iter().map(rule).collect(), ..Policy::default() }
            };
            let placeholder_of = |policy: Policy, text: &str| {
                let mut session = TestSession::new(policy);
                session.call(tool, arguments, text, f64::NAN);
                session.turns(200);
                let edits = session.evaluate(0.0).edits;
                edits.into_iter().next().and_then(|edit| edit.text)
            };
            let placeholder = String::from_utf16(&placeholder_of(policy(language), &long("a")).unwrap()).unwrap();
            for other in [Language::Chinese, Language::English] {
                assert_eq!(placeholder_of(policy(other), &placeholder), None, "{placeholder}");
            }
        }
    }
}

#[test]
fn r14_3_exactly_one_rule_covers_a_call_the_one_of_its_kind() {
    let fixture = include_str!("../../../../../__test__/fixtures/tools.json");
    let fixture: &'static serde_json::Value = Box::leak(serde_json::from_str(fixture).unwrap());
    for entry in fixture.as_array().unwrap() {
        let (tool, arguments) = (entry["tool"].as_str().unwrap(), entry["arguments"].to_string());
        let mut session = view();
        session.call(tool, &arguments, &long("a"), f64::NAN);
        session.turns(200);
        let edits = session.evaluate(0.0).edits;
        let rules: Vec<_> = edits.iter().map(|edit| edit.rule as usize).collect();
        let names: Vec<_> = rules.iter().map(|&rule| session.cleanup.policy.rules[rule].name.as_str()).collect();
        assert_eq!(names, [Subject::of(result_kind_of(tool, &arguments)).name()], "{entry}");
    }
}
