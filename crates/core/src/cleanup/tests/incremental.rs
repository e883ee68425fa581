//! Earlier decisions change nothing: a conversation that grew, was edited and was rewound is decided like a new one with the
//! same messages. Repeated commands agree with a comparison of all pairs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::session::TestSession;
use crate::cleanup::rules::subject::Subject;
use crate::cleanup::rules::{Rule, presets, repeated_commands};
use crate::cleanup::{Orphans, Policy, Purpose};
use crate::failure::{Verdict, verdict};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use crate::tools::kind_of;
use crate::tools::pattern::ToolPattern;

const TOOLS: [&str; 6] = ["bash", "Read", "Grep", "Edit", "str_replace_based_edit_tool", "ask_database"];
/// Some differ with the same length; the third has the same command as the first.
const ARGUMENTS: [&str; 6] = [
    r#"{"command":"make a","path":"a"}"#,
    r#"{"command":"make b","path":"b"}"#,
    r#"{"command":"make a","path":"a","description":"again"}"#,
    r#"{"command":"cat a","file_path":"a","limit":9}"#,
    r#"{"command":"view","path":"a","offset":2,"limit":5}"#,
    "{",
];
const CONTENTS: [&str; 6] = [
    "all is well, and it took long enough to say so that a placeholder is shorter than this text by far ....",
    "all is well, and it took long enough to say so that a placeholder is shorter than that text by far ....",
    "Error: it did not work, and this is what was said of it by whoever was asked to do it, at some length ..",
    r#"{"stdout":"something that was printed, and more of it, and more of it, and more","stderr":"warning","exitCode":0}"#,
    r#"{"stdout":"something that was printed, and more of it, and more of it, and more","stderr":"failed","exitCode":1}"#,
    "[1]",
];

#[derive(Debug, Clone)]
enum Step {
    Call(usize, usize, usize),
    Unanswered(usize),
    TwelveTurns,
    EditResult(Index, usize),
    Rewind(Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..TOOLS.len(), 0..ARGUMENTS.len(), 0..CONTENTS.len()).prop_map(|(tool, arguments, content)| Step::Call(tool, arguments, content)),
        1 => (0..TOOLS.len()).prop_map(Step::Unanswered),
        4 => Just(Step::TwelveTurns),
        1 => (any::<Index>(), 0..CONTENTS.len()).prop_map(|(at, content)| Step::EditResult(at, content)),
        1 => any::<Index>().prop_map(Step::Rewind),
    ];
    prop::collection::vec(step, 1..60)
}

fn rules() -> Vec<Rule> {
    let root = || ProjectRoot::new(&units("/app"), false).unwrap();
    let by_kind = Subject::NAMES.iter().copied();
    let by_kind = by_kind.filter_map(|name| presets::by_kind(name, None, root(), Language::English));
    by_kind.chain([repeated_commands::rule(None, Language::English)]).collect()
}

fn apply(session: &mut TestSession, step: &Step) {
    match *step {
        Step::Call(tool, arguments, content) => {
            session.call(TOOLS[tool], ARGUMENTS[arguments], CONTENTS[content], f64::NAN);
        }
        Step::Unanswered(tool) => session.unanswered(TOOLS[tool]),
        Step::TwelveTurns => session.turns(12),
        Step::EditResult(at, content) => {
            let conversation = session.cleanup.conversation();
            let results: Vec<usize> = (0..conversation.len()).filter(|&row| conversation.is_result(row)).collect();
            if results.is_empty() {
                return;
            }
            let row = results[at.index(results.len())];
            let unchanged = *conversation.row(row).unwrap();
            session.texts.contents[row] = Some(units(CONTENTS[content]));
            assert!(session.cleanup.patch(row, unchanged));
        }
        Step::Rewind(at) => {
            let len = at.index(session.cleanup.conversation().len() + 1);
            session.cleanup.truncate(len);
            session.texts.contents.truncate(len);
            session.texts.arguments.truncate(session.cleanup.conversation().call_count());
        }
    }
}

/// The outdated rows.
fn outdated_rows(session: &mut TestSession) -> BTreeSet<u32> {
    session.evaluate(0.0).edits.iter().map(|edit| edit.row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn r10_14_an_edited_and_rewound_conversation_is_decided_like_a_new_one(
        steps in steps(),
        orphans in select(vec![Orphans::Remove, Orphans::Answer]),
    ) {
        let policy = Policy {
            purpose: Purpose::View,
            orphans,
            rules: rules(),
            kept_tools: vec![ToolPattern::parse(&units("Gre*")).unwrap()],
            dropped_tools: vec![ToolPattern::parse(&units("ask_*")).unwrap()],
            ..Policy::default()
        };
        let mut growing = TestSession::new(policy);
        for step in &steps {
            apply(&mut growing, step);
            let outdated_now = outdated_rows(&mut growing);
            let mut rebuilt = growing.rebuilt();
            prop_assert_eq!(outdated_now, outdated_rows(&mut rebuilt), "{:?}", step);
            let by_rule = |session: &TestSession| -> BTreeMap<(u32, u32), Option<Vec<u16>>> {
                let edits = session.cleanup.last_evaluation().edits.iter();
                edits.map(|edit| ((edit.row, edit.rule), edit.text.clone())).collect()
            };
            let (texts, expected) = (by_rule(&growing), by_rule(&rebuilt));
            for (place, text) in texts {
                prop_assert!(expected.get(&place).is_none_or(|other| *other == text), "{:?}", place);
            }
        }
    }

    #[test]
    fn r10_9_repeated_commands_agree_with_a_comparison_of_all_pairs(
        calls in prop::collection::vec((0..TOOLS.len(), 0..ARGUMENTS.len(), 0..CONTENTS.len()), 1..40),
    ) {
        let rules = vec![repeated_commands::rule(None, Language::English)];
        let mut session = TestSession::new(Policy { purpose: Purpose::View, rules, ..Policy::default() });
        let mut rows = Vec::new();
        for &(tool, arguments, content) in &calls {
            rows.push(session.call(TOOLS[tool], ARGUMENTS[arguments], CONTENTS[content], f64::NAN));
            session.evaluate(0.0);
        }
        session.answer();
        let ended = |&(tool, _, content): &(usize, usize, usize)| {
            verdict(&units(CONTENTS[content]), kind_of(TOOLS[tool]), None)
        };
        let is_repeated = |at: usize| {
            let earlier = &calls[at];
            // The third arguments mean the same as the first.
            let command = |arguments: usize| if arguments == 2 { 0 } else { arguments };
            TOOLS[earlier.0] == "bash" && earlier.1 < 5 && ended(earlier) == Verdict::Succeeded
                && calls[at + 1..].iter().any(|later| {
                    let is_same = later.0 == earlier.0 && command(later.1) == command(earlier.1);
                    is_same && ended(later) == Verdict::Succeeded
                })
        };
        let is_short = |at: usize| CONTENTS[calls[at].2].len() < 20;
        let expected: Vec<usize> =
            (0..calls.len()).filter(|&at| is_repeated(at) && !is_short(at)).map(|at| rows[at]).collect();
        prop_assert_eq!(session.edited(0.0), expected);
    }
}

#[test]
fn evaluating_twenty_different_commands_reads_no_result_whole() {
    let policy = Policy { purpose: Purpose::View, rules: rules(), ..Policy::default() };
    let mut session = TestSession::new(policy);
    for nth in 0..20 {
        let (command, content) = (format!(r#"{{"command":"{}"}}"#, "x".repeat(nth)), "a line\n".repeat(nth + 9));
        session.call("bash", &command, &content, f64::NAN);
        session.evaluate(0.0);
    }
    assert_eq!(session.texts.whole_reads.iter().sum::<usize>(), 0);
}
