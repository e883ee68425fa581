//! Results that go by what they are, in requests.

use proptest::prelude::*;

use super::session::TestSession;
use crate::cache::aging::{ByKind, Lives};
use crate::cache::moment::Moment;
use crate::cache::prices::{PRESETS, Prices};
use crate::cache::schedule::{Schedule, ScheduleOptions as Options};
use crate::cache::simulation::{Sent, SimulatedMessage as Message, SimulatedSession as Numbers, play};
use crate::cleanup::policy::{PRESETS as NAMES, PresetDefault};
use crate::cleanup::rules::by_kind::Subject;
use crate::cleanup::rules::{presets, stale};
use crate::cleanup::{Edit, Policy, Purpose};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::pattern::ToolPattern;
use crate::tools::result_kind::{ResultKind, result_kind_of};

fn rules() -> Vec<crate::cleanup::rules::Rule> {
    let root = || ProjectRoot::new(&units("/app"), false).unwrap();
    NAMES
        .iter()
        .map(|preset| presets::by_kind(preset.name, None, root(), Language::English).unwrap())
        .collect()
}

fn view() -> TestSession {
    under(&PRESETS[0].prices)
}

fn under(prices: &Prices) -> TestSession {
    let lives = Lives::under(prices);
    TestSession::new(Policy { purpose: Purpose::View, rules: rules(), lives, ..Policy::default() })
}

fn long(text: &str) -> String {
    format!("{text}: {}", "a line of output ".repeat(20))
}

/// A call of each, with what it brings.
const CALLS: [(&str, &str, Option<ResultKind>); 8] = [
    ("bash", r#"{"command":"cargo test"}"#, Some(ResultKind::ShellRun)),
    ("bash", r#"{"command":"sed -n 1,20p src/a.ts"}"#, Some(ResultKind::ShellRead)),
    ("Read", r#"{"file_path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    ("mcp__files__read_file", r#"{"path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    ("Grep", r#"{"pattern":"a"}"#, Some(ResultKind::Search)),
    ("Edit", r#"{"file_path":"src/a.ts"}"#, Some(ResultKind::EditResult)),
    ("str_replace_based_edit_tool", r#"{"command":"view","path":"src/a.ts"}"#, Some(ResultKind::FileRead)),
    (
        "str_replace_based_edit_tool",
        r#"{"command":"create","path":"src/a.ts"}"#,
        Some(ResultKind::EditResult),
    ),
];

/// After how many answers a row's edit came first, riding and by itself.
fn comes_at(session: &mut TestSession, row: usize, most: usize) -> (Option<usize>, Option<usize>) {
    let (mut rides, mut goes) = (None, None);
    for answers in 0..=most {
        for edit in session.evaluate(0.0).edits.iter().filter(|edit| edit.row as usize == row) {
            let first = if edit.rides { &mut rides } else { &mut goes };
            first.get_or_insert(answers);
        }
        session.user();
        session.answer();
    }
    (rides, goes)
}

#[test]
fn r14_3_a_result_rides_after_three_quarters_of_the_time_of_its_kind_and_goes_after_all_of_it() {
    for (tool, arguments, kind) in CALLS {
        let life = kind.map(|kind| Lives::default().of(kind) as usize);
        let mut session = view();
        let row = session.call(tool, arguments, &long("done"), f64::NAN);
        let most = life.map(|life| (life * 3).div_ceil(4));
        assert_eq!(comes_at(&mut session, row, 200), (most, life), "{tool} {arguments}");
    }
}

#[test]
fn r14_3_an_error_goes_like_other_results_of_its_kind() {
    let mut session = view();
    let row = session.call("bash", r#"{"command":"make"}"#, &long("Error: no rule to make target"), f64::NAN);
    let life = Lives::default().of(ResultKind::ShellRun) as usize;
    assert_eq!(comes_at(&mut session, row, 100), (Some((life * 3).div_ceil(4)), Some(life)));
}

#[test]
fn r14_3_an_answer_that_is_taken_back_makes_a_result_younger() {
    let mut session = view();
    let row = session.call("bash", r#"{"command":"make"}"#, &long("ok"), f64::NAN);
    let life = Lives::default().of(ResultKind::ShellRun);
    for _ in 0..life {
        session.user();
        session.answer();
    }
    let goes = |edit: &Edit| edit.row as usize == row && !edit.rides;
    assert!(session.evaluate(0.0).edits.iter().any(goes));
    session.cleanup.truncate(session.cleanup.conversation().len() - 1);
    assert!(!session.evaluate(0.0).edits.iter().any(goes));
}

#[test]
fn r14_3_what_a_rule_of_the_hosts_is_about_is_none_of_the_other_tools() {
    let mut rules = rules();
    let mut own = presets::terminal(Language::English);
    own.name = "own".to_owned();
    own.tools = vec![units("deploy")];
    rules.push(own);
    let mut session = TestSession::new(Policy { purpose: Purpose::View, rules, ..Policy::default() });
    for name in ["deploy", "ask_database"] {
        session.name(name);
    }
    let others = session.cleanup.policy.rules.iter().position(|rule| rule.name == "otherTools").unwrap();
    let covers = |number: u32| session.cleanup.memories[others].covers_name(number);
    assert_eq!([covers(0), covers(1)], [false, true]);
}

#[test]
fn issue_22_4_results_of_kept_tools_never_go_and_those_of_dropped_tools_once_they_are_answered() {
    let patterns =
        |texts: &[&str]| texts.iter().map(|text| ToolPattern::parse(&units(text)).unwrap()).collect();
    let mut rules = rules();
    let root = ProjectRoot::new(&units("/app"), false).unwrap();
    rules.push(presets::by_kind("dropTools", None, root.clone(), Language::English).unwrap());
    rules.push(stale::named("identicalResults", None, root, Language::English).unwrap());
    let policy = Policy {
        purpose: Purpose::View,
        rules,
        kept: patterns(&["mcp__db__schema", "Rea*"]),
        dropped: patterns(&["mcp__db__*", "bash"]),
        ..Policy::default()
    };
    let calls = ["mcp__db__schema", "Read", "mcp__db__query", "bash"];
    let mut session = TestSession::new(policy);
    let rows =
        calls.map(|tool| session.call(tool, r#"{"path":"a","command":"make"}"#, &long("ok"), f64::NAN));
    let again =
        calls.map(|tool| session.call(tool, r#"{"path":"a","command":"make"}"#, &long("ok"), f64::NAN));
    session.user();
    session.answer();
    let edits = session.evaluate(0.0).edits;
    let rule = |row: usize| {
        let edit = edits.iter().find(|edit| edit.row as usize == row && !edit.rides)?;
        Some(session.cleanup.policy.rules[edit.rule as usize].name.clone())
    };
    let dropped = Some("dropTools".to_owned());
    assert_eq!(rows.map(rule), [None, None, dropped.clone(), dropped.clone()]);
    assert_eq!(again.map(rule), [None, None, dropped.clone(), dropped]);
}

#[test]
fn issue_22_7_a_placeholder_says_what_stood_there_and_how_to_ask_for_it() {
    let mut session = view();
    session.call("bash", r#"{"command":"cargo test -p core"}"#, &format!("{}\nb\n", long("a")), f64::NAN);
    session.call("Read", r#"{"file_path":"src/a.ts"}"#, &long("a"), f64::NAN);
    session.call("ask_database", r#"{"path":"src/a.ts"}"#, &long("a"), f64::NAN);
    for _ in 0..200 {
        session.user();
        session.answer();
    }
    let texts =
        session.evaluate(0.0).edits.into_iter().filter(|edit| !edit.rides).filter_map(|edit| edit.text);
    let texts: Vec<_> = texts.map(|text| String::from_utf16(&text).unwrap()).collect();
    assert!(
        texts.contains(&"[#1 removed: bash cargo test -p core, 2 lines; run again if needed]".to_owned()),
        "{texts:?}"
    );
    assert!(
        texts.contains(&"[#2 removed: Read src/a.ts, 1 lines; read again if needed]".to_owned()),
        "{texts:?}"
    );
    assert!(
        texts.contains(&"[#3 removed: ask_database, 1 lines; call again if needed]".to_owned()),
        "{texts:?}"
    );
}

#[test]
fn r1_6_what_a_placeholder_of_either_language_says_stays() {
    for language in [Language::Chinese, Language::English] {
        for (tool, arguments, _) in CALLS {
            let policy = |language| {
                let root = || ProjectRoot::new(&units("/app"), false).unwrap();
                let rule =
                    |preset: &PresetDefault| presets::by_kind(preset.name, None, root(), language).unwrap();
                Policy {
                    purpose: Purpose::View,
                    rules: NAMES.iter().map(rule).collect(),
                    ..Policy::default()
                }
            };
            let told = |policy: Policy, text: &str| {
                let mut session = TestSession::new(policy);
                session.call(tool, arguments, text, f64::NAN);
                for _ in 0..200 {
                    session.user();
                    session.answer();
                }
                let edits = session.evaluate(0.0).edits;
                edits.into_iter().find(|edit| !edit.rides).and_then(|edit| edit.text)
            };
            let placeholder = String::from_utf16(&told(policy(language), &long("a")).unwrap()).unwrap();
            for other in [Language::Chinese, Language::English] {
                assert_eq!(told(policy(other), &placeholder), None, "{placeholder}");
            }
        }
    }
}

#[test]
fn r14_3_one_rule_takes_a_call_and_it_is_the_one_of_what_it_brings() {
    let fixture = include_str!("../../../../../__test__/fixtures/tools.json");
    let fixture: &'static serde_json::Value = Box::leak(serde_json::from_str(fixture).unwrap());
    for entry in fixture.as_array().unwrap() {
        let (tool, arguments) = (entry["tool"].as_str().unwrap(), entry["arguments"].to_string());
        let mut session = view();
        session.call(tool, &arguments, &long("a"), f64::NAN);
        for _ in 0..200 {
            session.user();
            session.answer();
        }
        let edits = session.evaluate(0.0).edits;
        let rules: Vec<_> = edits.iter().filter(|edit| !edit.rides).map(|edit| edit.rule as usize).collect();
        let names: Vec<_> =
            rules.iter().map(|&rule| session.cleanup.policy.rules[rule].name.as_str()).collect();
        assert_eq!(names, [Subject::of(result_kind_of(tool, &arguments)).preset()], "{entry}");
    }
}

/// What a view does, told by the core alone: the rules' edits, marked in a schedule.
fn decided(calls: &[usize], seconds: &[u32], prices: Prices) -> Vec<Vec<usize>> {
    let mut session = under(&prices);
    let mut schedule = Schedule::new(Options::new(prices));
    schedule.set_fixed_tokens(FIXED);
    let mut now_ms = 0.0;
    let mut all = Vec::new();
    for (request, seconds) in seconds.iter().enumerate() {
        now_ms += f64::from(*seconds) * 1_000.0;
        if let Some(&call) = calls.get(request) {
            let (tool, arguments, _) = CALLS[call];
            session.call(tool, arguments, &long("ok"), f64::NAN);
            schedule.push(CALL, 1.0);
            schedule.push(RESULT, 1.0);
        } else {
            session.user();
            session.answer();
            schedule.push(CALL, 1.0);
            schedule.push(CALL, 1.0);
        }
        let edits = session.evaluate(0.0).edits;
        for edit in &edits {
            let position = edit.row as usize;
            let is_outdated = edits.iter().any(|other| other.row == edit.row && !other.rides);
            if schedule.is_replaced(position) {
                continue;
            }
            if is_outdated {
                schedule.mark_pending(position, AFTER);
            } else {
                schedule.mark_riding(position, AFTER);
            }
        }
        let decision = schedule.decide(Moment::live(now_ms));
        all.push(decision.positions.iter().map(|&(position, _)| position).collect());
    }
    all
}

const FIXED: f64 = 2_000.0;
const CALL: f64 = 20.0;
const RESULT: f64 = 3_000.0;
const AFTER: f64 = 15.0;

/// The same session as numbers, as `simulate` plays it.
fn simulated(calls: &[usize], seconds: &[u32], prices: Prices) -> Vec<Vec<usize>> {
    let (mut messages, mut kinds, mut requests) = (Vec::new(), Vec::new(), Vec::new());
    let mut now_ms = 0.0;
    for (request, seconds) in seconds.iter().enumerate() {
        now_ms += f64::from(*seconds) * 1_000.0;
        let kind = calls.get(request).map(|&call| {
            let (tool, arguments, _) = CALLS[call];
            result_kind_of(tool, arguments)
        });
        for (tokens, kind) in [(CALL, None), (if kind.is_some() { RESULT } else { CALL }, kind)] {
            messages.push(Message { tokens, tokens_after: AFTER, stale_at: None });
            kinds.push(kind);
        }
        requests.push(Sent { len: messages.len(), now_ms });
    }
    let session = Numbers { fixed_tokens: FIXED, messages, requests };
    let mut all = Vec::new();
    play(
        &session,
        &prices,
        &mut ByKind::new(Options::new(prices), Lives::under(&prices), &kinds),
        &mut |step| {
            all.push(step.replaced.to_vec());
        },
    );
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn r14_3_the_simulation_decides_as_the_rules_and_the_schedule_do(
        calls in prop::collection::vec(0..CALLS.len(), 1..120),
        pauses in prop::collection::vec(prop_oneof![12 => 5_u32..60, 1 => 400_u32..4000], 260),
        preset in 0..PRESETS.len(),
    ) {
        let prices = PRESETS[preset].prices;
        prop_assert_eq!(decided(&calls, &pauses, prices), simulated(&calls, &pauses, prices));
    }
}
