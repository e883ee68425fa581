//! Decisions on a growing conversation equal those on a new conversation with the same messages.

use super::session::{FAILURE, MINUTE, SUCCESS, TestSession};
use crate::cleanup::rules::presets;
use crate::cleanup::rules::repeated_commands;
use crate::cleanup::{Edit, Orphans, Policy, Purpose};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;
use proptest::prelude::*;

const LONG: &str = "longer than any of the placeholders that may replace this result";

proptest! {
    #[test]
    fn earlier_evaluations_never_change_a_decision(
        turns in prop::collection::vec((0u8..8, 0u32..60, any::<bool>()), 1..40),
        rewind in any::<prop::sample::Index>(),
        purpose in prop::sample::select(vec![Purpose::DropIn, Purpose::Prepare, Purpose::View]),
    ) {
        let policy = || {
            let root = ProjectRoot::new(&units("/app"), false).unwrap();
            let repeated = repeated_commands::rule(None, Language::Chinese);
            let presets = [presets::terminal(Language::Chinese), presets::file_reads(root, Language::Chinese)];
            Policy {
                purpose,
                orphans: Orphans::Remove,
                rules: presets.into_iter().chain([repeated]).collect(),
                ..Policy::default()
            }
        };
        let add_message = |session: &mut TestSession, kind: u8, minute: u32, failed: bool| {
            let time = f64::from(minute) * MINUTE;
            let content = if failed { FAILURE } else { SUCCESS };
            match kind {
                0 => { session.result(session.next_id + 7, content, time); }
                1 => { session.call("filesystem-read", r#"{"filePath":"a"}"#, if failed { "Error: no" } else { LONG }, time); }
                2 => { session.call("filesystem-read", r#"{"filePath":["a","b"]}"#, LONG, time); }
                3 => { session.call("bash", r#"{"command":"ls"}"#, content, time); }
                6 => session.answer(),
                7 => session.unanswered("bash"),
                _ => { session.call("bash", "{}", content, time); }
            }
        };
        let mut incremental = TestSession::new(policy());
        for (count, &(kind, minute, failed)) in turns.iter().enumerate() {
            add_message(&mut incremental, kind, minute, failed);
            incremental.evaluate(f64::from(u32::try_from(count).unwrap()) * 2.0 * MINUTE);
        }
        let mut fresh = TestSession::new(policy());
        for &(kind, minute, failed) in &turns {
            add_message(&mut fresh, kind, minute, failed);
        }
        let now = 70.0 * MINUTE;
        let expected = fresh.evaluate(now);
        let decided = incremental.evaluate(now);
        prop_assert_eq!(&decided.dropped, &expected.dropped);
        prop_assert_eq!(&decided.edits, &expected.edits);
        prop_assert!(decided.valid_until_ms >= now - 2.0);
        let later = fresh.evaluate(decided.valid_until_ms.min(1e9).max(now));
        prop_assert_eq!(&later.edits, &expected.edits, "the decision holds until valid_until_ms");

        let keep = rewind.index(incremental.cleanup.conversation().len());
        for session in [&mut incremental, &mut fresh] {
            session.cleanup.truncate(keep);
            session.texts.contents.truncate(keep);
            session.texts.arguments.truncate(session.cleanup.conversation().call_count());
        }
        let mut restarted = fresh.evaluate(now);
        let rewound = incremental.evaluate(now);
        restarted.edits.iter_mut().for_each(|edit| edit.groups = Box::default());
        let edits: Vec<Edit> = rewound.edits.into_iter().map(|edit| Edit { groups: Box::default(), ..edit }).collect();
        prop_assert_eq!(rewound.dropped, restarted.dropped);
        prop_assert_eq!(edits, restarted.edits);
    }
}

#[test]
fn earlier_edits_are_kept_if_the_clock_steps_back_and_a_call_is_unanswered() {
    let mut session = TestSession::new(Policy {
        orphans: Orphans::Remove,
        rules: vec![presets::terminal(Language::Chinese)],
        ..Policy::default()
    });
    let content = format!("{SUCCESS}{}", " ".repeat(80));
    for minute in 0..40 {
        session.call("bash", "{}", &content, f64::from(minute) * MINUTE);
    }
    session.unanswered("bash");
    session.evaluate(100.0 * MINUTE);
    for minute in 10..20 {
        session.call("bash", "{}", &content, f64::from(minute) * MINUTE + 1.0);
        let decided = session.evaluate(100.0 * MINUTE);
        assert_eq!(decided.kept_edits + 1, decided.edits.len(), "one more edit, and the earlier ones are kept");
        let fresh = session.rebuilt().evaluate(100.0 * MINUTE);
        assert_eq!((decided.edits, decided.dropped), (fresh.edits, fresh.dropped), "{minute}");
    }
}
