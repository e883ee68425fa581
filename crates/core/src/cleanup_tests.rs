use super::*;
use crate::cleanup::rules::presets::{self, Language};
use crate::conversation::{Kind, NONE};
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use proptest::prelude::*;

const MINUTE: f64 = 60_000.0;

/// Texts in memory, and how often each content was read whole.
#[derive(Default)]
struct Recorded {
    contents: Vec<Option<Vec<u16>>>,
    arguments: Vec<Option<Vec<u16>>>,
    whole_reads: Vec<usize>,
}

impl Texts for Recorded {
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize)) {
        if let Some(Some(text)) = self.contents.get(index) {
            read(&text[..limit.min(text.len())], text.len());
        }
    }

    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16])) {
        let Some(Some(text)) = self.contents.get(index) else { return };
        let end = text.iter().position(|&other| other == unit).map_or(0, |at| at + 1);
        if !text[end..].contains(&unit) {
            read(&text[end - limit.min(end)..end]);
        }
    }

    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        self.whole_reads.resize(self.contents.len(), 0);
        self.whole_reads[index] += 1;
        if let Some(Some(text)) = self.contents.get(index) {
            read(text);
        }
    }

    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        if let Some(Some(text)) = self.arguments.get(index) {
            read(text);
        }
    }
}

/// A conversation that is told message by message, as the binding does.
struct Session {
    cleanup: Cleanup,
    texts: Recorded,
    names: Vec<&'static str>,
    next_id: u32,
}

impl Session {
    fn new(policy: Policy) -> Self {
        Self {
            cleanup: Cleanup::new(Arc::new(policy)),
            texts: Recorded::default(),
            names: Vec::new(),
            next_id: 0,
        }
    }

    fn terminal() -> Self {
        Self::new(Policy {
            purpose: Purpose::DropIn,
            rules: vec![presets::terminal(Language::Chinese)],
            ..Policy::default()
        })
    }

    fn reads() -> Self {
        let root = ProjectRoot::new(&units("/app"), false).unwrap();
        Self::new(Policy {
            purpose: Purpose::DropIn,
            rules: vec![presets::file_reads(root, Language::Chinese)],
            ..Policy::default()
        })
    }

    fn name(&mut self, name: &'static str) -> u32 {
        let number = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.cleanup.add_name(&units(name));
            self.names.push(name);
            self.names.len() - 1
        });
        u32::try_from(number).unwrap()
    }

    /// A call of `tool` and its result; returns the result's row.
    fn call(&mut self, tool: &'static str, arguments: &str, content: &str, timestamp: f64) -> usize {
        let id = self.next_id;
        self.next_id += 1;
        let name = self.name(tool);
        let assistant = Row {
            kind: Kind::Assistant,
            status_error: false,
            has_text: false,
            has_media: false,
            timestamp: f64::NAN,
            call_id: NONE,
        };
        self.cleanup.push(assistant, [Call { id, name, settled: false }]);
        self.texts.contents.push(None);
        self.texts.arguments.push(Some(units(arguments)));
        self.result(id, content, timestamp)
    }

    fn result(&mut self, call_id: u32, content: &str, timestamp: f64) -> usize {
        let row = Row {
            kind: Kind::Tool,
            status_error: false,
            has_text: true,
            has_media: false,
            timestamp,
            call_id,
        };
        self.cleanup.push(row, []);
        self.texts.contents.push(Some(units(content)));
        self.cleanup.conversation().len() - 1
    }

    fn evaluate(&mut self, now: f64) -> Evaluation {
        let mut evaluation = self.cleanup.evaluate(&mut self.texts, now).clone();
        evaluation.edits.sort_unstable_by_key(|edit| edit.row);
        evaluation
    }

    fn edited(&mut self, now: f64) -> Vec<usize> {
        self.evaluate(now).edits.iter().map(|edit| edit.row as usize).collect()
    }
}

const SUCCESS: &str = r#"{"stdout":"Done in 3.2s","stderr":"","exitCode":0}"#;
const FAILURE: &str = r#"{"stdout":"","stderr":"Cannot find module","exitCode":1}"#;

#[test]
fn r1_3_fifteen_minutes_exactly_are_not_outdated() {
    for (age, outdated) in [(15.0 * MINUTE, false), (15.0 * MINUTE + 1.0, true)] {
        let mut session = Session::terminal();
        let row = session.call("bash", "{}", SUCCESS, 0.0);
        for _ in 0..5 {
            session.call("filesystem-read", "{}", "newer", 1.0);
        }
        assert_eq!(session.edited(age) == [row], outdated, "{age}");
    }
}

#[test]
fn r1_2_errors_do_not_use_up_the_five() {
    let mut session = Session::terminal();
    let rows: Vec<usize> = (0..7)
        .map(|minute| {
            session.call("bash", "{}", if minute == 4 { FAILURE } else { SUCCESS }, f64::from(minute))
        })
        .collect();
    assert_eq!(session.edited(100.0 * MINUTE), [rows[0]], "five successes and the error stay");
}

#[test]
fn r1_4_a_declared_name_decides_and_only_without_one_the_content() {
    let mut session = Session::terminal();
    let quoting = session.call("filesystem-read", "{}", SUCCESS, 0.0);
    let unresolved = session.result(99, SUCCESS, 0.0);
    let plain = session.result(98, "just text", 0.0);
    for _ in 0..5 {
        session.call("todo", "{}", "newer", 1.0);
    }
    let edited = session.edited(100.0 * MINUTE);
    assert_eq!(edited, [unresolved]);
    assert!(!edited.contains(&quoting) && !edited.contains(&plain));
}

#[test]
fn a_success_is_never_read_whole_and_no_content_is_looked_at_twice() {
    let mut session = Session::terminal();
    for minute in 0..40 {
        session.call("bash", "{}", if minute % 4 == 0 { FAILURE } else { SUCCESS }, f64::from(minute));
        session.evaluate(f64::from(minute) + 60.0 * MINUTE);
        session.evaluate(f64::from(minute) + 60.0 * MINUTE);
    }
    let failures = session.texts.contents.iter().flatten().filter(|text| **text == units(FAILURE)).count();
    let reads: usize = session.texts.whole_reads.iter().sum();
    assert!(session.texts.whole_reads.iter().all(|&count| count <= 1));
    assert!(reads <= failures, "{reads} whole reads for {failures} failures");
}

#[test]
fn r1_6_a_placeholder_is_not_replaced_again() {
    let mut session = Session::terminal();
    session.call("bash", "{}", "此命令返回内容已过时", 0.0);
    for _ in 0..5 {
        session.call("todo", "{}", "newer", 1.0);
    }
    assert!(session.edited(100.0 * MINUTE).is_empty());
}

#[test]
fn r1_6_a_placeholder_of_either_language_is_not_replaced_by_another_text() {
    for text in ["此命令返回内容已过时", "[Outdated command output removed]"] {
        let rule = presets::terminal(Language::English);
        let mut session =
            Session::new(Policy { rules: vec![Rule { keep_recent: 0, ..rule }], ..Policy::default() });
        session.call("bash", "{}", text, 0.0);
        assert!(session.edited(100.0 * MINUTE).is_empty(), "{text}");
    }
}

#[test]
fn r3b_2_only_a_function_that_stands_in_for_a_hosts_own_lengthens_a_text() {
    for (purpose, content, changed) in [
        (Purpose::DropIn, "ok", true),
        (Purpose::Prepare, "ok", false),
        (Purpose::Prepare, "ten units!", false),
        (Purpose::Prepare, "11 units!!!", true),
    ] {
        let rule = Rule { keep_recent: 0, ..presets::terminal(Language::Chinese) };
        let mut session = Session::new(Policy { purpose, rules: vec![rule], ..Policy::default() });
        session.call("bash", "{}", content, 0.0);
        assert_eq!(!session.edited(100.0 * MINUTE).is_empty(), changed, "{purpose:?} {content}");
    }
}

#[test]
fn r2_4_each_path_keeps_its_five_newest_and_errors_are_not_counted() {
    let mut session = Session::reads();
    let arguments = r#"{"filePath":"src/Button.tsx"}"#;
    let rows: Vec<usize> = (0..7)
        .map(|minute| {
            let content = if minute == 4 { "Error: File not found" } else { "read" };
            session.call("filesystem-read", arguments, content, f64::from(minute))
        })
        .collect();
    assert_eq!(session.edited(10.0), [rows[0]]);
}

#[test]
fn r2_5_a_batch_stays_while_it_is_recent_for_one_of_its_files() {
    let mut session = Session::reads();
    let batch = session.call("filesystem-read", r#"{"filePath":["a.ts","b.ts"]}"#, "both", 0.0);
    for minute in 1..=5 {
        session.call("filesystem-read", r#"{"filePath":"./a.ts"}"#, "a", f64::from(minute));
    }
    assert!(session.edited(10.0).is_empty(), "it is the newest read of b.ts");
    for minute in 6..=10 {
        session.call("filesystem-read", r#"{"filePath":"/app/b.ts"}"#, "b", f64::from(minute));
    }
    let edits = session.evaluate(20.0).edits;
    assert_eq!(edits.iter().map(|edit| edit.row as usize).collect::<Vec<_>>(), [batch]);
    let paths: Vec<String> = edits[0]
        .groups
        .iter()
        .map(|&group| String::from_utf16_lossy(session.cleanup.group_key(0, group)))
        .collect();
    assert_eq!(paths, ["a.ts", "b.ts"]);
}

#[test]
fn the_first_rule_that_condemns_a_result_names_its_placeholder() {
    let rule = |name: &str| Rule {
        name: name.to_owned(),
        keep_recent: 0,
        ..presets::text_search(Language::Chinese)
    };
    let mut session = Session::new(Policy {
        purpose: Purpose::DropIn,
        rules: vec![rule("first"), rule("second")],
        ..Policy::default()
    });
    session.call("ace-text_search", "{}", "hits", 0.0);
    let edits = session.evaluate(100.0 * MINUTE).edits;
    assert_eq!(edits.iter().map(|edit| edit.rule).collect::<Vec<_>>(), [0]);
}

#[test]
fn orphans_are_gone_before_the_rules_look() {
    let mut session = Session::new(Policy {
        orphans: Orphans::Remove,
        rules: vec![presets::terminal(Language::Chinese)],
        ..Policy::default()
    });
    let kept = session.call("bash", "{}", SUCCESS, 0.0);
    for _ in 0..5 {
        session.result(90, "newer, but its call is not declared", 1.0);
    }
    let evaluation = session.evaluate(100.0 * MINUTE);
    assert_eq!(evaluation.dropped, [2, 3, 4, 5, 6]);
    assert!(evaluation.edits.is_empty(), "{kept} is the newest result that is left");
}

proptest! {
    #[test]
    fn what_was_learnt_before_never_changes_the_decision(
        turns in prop::collection::vec((0u8..6, 0u32..60, any::<bool>()), 1..40),
        rewind in any::<prop::sample::Index>(),
    ) {
        let policy = || {
            let root = ProjectRoot::new(&units("/app"), false).unwrap();
            Policy {
                purpose: Purpose::DropIn,
                orphans: Orphans::Remove,
                rules: vec![presets::terminal(Language::Chinese), presets::file_reads(root, Language::Chinese)],
                ..Policy::default()
            }
        };
        let tell = |session: &mut Session, kind: u8, minute: u32, failed: bool| {
            let time = f64::from(minute) * MINUTE;
            let content = if failed { FAILURE } else { SUCCESS };
            match kind {
                0 => session.result(session.next_id + 7, content, time),
                1 => session.call("filesystem-read", r#"{"filePath":"a"}"#, if failed { "Error: no" } else { "a" }, time),
                2 => session.call("filesystem-read", r#"{"filePath":["a","b"]}"#, "ab", time),
                _ => session.call("bash", "{}", content, time),
            };
        };
        let mut remembering = Session::new(policy());
        for (count, &(kind, minute, failed)) in turns.iter().enumerate() {
            tell(&mut remembering, kind, minute, failed);
            remembering.evaluate(f64::from(u32::try_from(count).unwrap()) * 2.0 * MINUTE);
        }
        let mut fresh = Session::new(policy());
        for &(kind, minute, failed) in &turns {
            tell(&mut fresh, kind, minute, failed);
        }
        let now = 70.0 * MINUTE;
        let expected = fresh.evaluate(now);
        let decided = remembering.evaluate(now);
        prop_assert_eq!(&decided.dropped, &expected.dropped);
        prop_assert_eq!(&decided.edits, &expected.edits);
        prop_assert!(decided.valid_until_ms >= now - 2.0);
        let later = fresh.evaluate(decided.valid_until_ms.min(1e9).max(now));
        prop_assert_eq!(&later.edits, &expected.edits, "the decision holds as long as it says");

        let keep = rewind.index(remembering.cleanup.conversation().len());
        for session in [&mut remembering, &mut fresh] {
            session.cleanup.truncate(keep);
            session.texts.contents.truncate(keep);
            session.texts.arguments.truncate(session.cleanup.conversation().call_count());
        }
        let mut restarted = fresh.evaluate(now);
        let rewound = remembering.evaluate(now);
        restarted.edits.iter_mut().for_each(|edit| edit.groups = Box::default());
        let edits: Vec<Edit> = rewound.edits.into_iter().map(|edit| Edit { groups: Box::default(), ..edit }).collect();
        prop_assert_eq!(rewound.dropped, restarted.dropped);
        prop_assert_eq!(edits, restarted.edits);
    }
}

#[test]
fn r11_5_a_result_with_an_image_is_never_shorter_than_its_placeholder() {
    for (has_media, changed) in [(true, true), (false, false)] {
        let rule = Rule { keep_recent: 0, ..presets::terminal(Language::Chinese) };
        let mut session = Session::new(Policy { rules: vec![rule], ..Policy::default() });
        let row = session.call("bash", "{}", "ok", 0.0);
        let shown = *session.cleanup.conversation().row(row).unwrap();
        assert!(session.cleanup.patch(row, Row { has_media, ..shown }));
        assert_eq!(!session.edited(100.0 * MINUTE).is_empty(), changed, "{has_media}");
    }
}

#[test]
fn r11_4_an_answered_call_keeps_its_message_and_the_answer_is_an_error_in_both_languages() {
    let policy = |language| Policy { orphans: Orphans::Answer, language, ..Policy::default() };
    for language in [Language::Chinese, Language::English] {
        let answer = units(policy(language).interrupted_answer());
        assert_eq!(crate::cleanup::rules::errors::starts_as_error(&answer, true), Some(true));
    }
    let mut cleanup = Cleanup::new(Arc::new(policy(Language::English)));
    let row = Row {
        kind: Kind::Assistant,
        status_error: false,
        has_text: false,
        has_media: false,
        timestamp: f64::NAN,
        call_id: NONE,
    };
    cleanup.push(row, [Call { id: 0, name: NONE, settled: false }]);
    cleanup.push(Row { kind: Kind::Tool, call_id: 7, ..row }, []);
    let decided = cleanup.evaluate(&mut Recorded::default(), 0.0);
    assert_eq!((&decided.answered, &decided.dropped), (&vec![0], &vec![1]));
}
