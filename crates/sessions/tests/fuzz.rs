//! Any file yields sessions or an error, never a panic, and never needs much more memory than its size.

// Tests and examples may panic; the library may not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation
)]

#[path = "support/mod.rs"]
mod support;

use palimpsest_sessions::{Agent, Part, Session, read_file, read_sessions};
use proptest::prelude::*;

/// A small session of each form of each agent's files, in the agents' order, written for these tests.
const SAMPLES: &str = include_str!("samples.txt");

/// The samples in the file, which are separated by lines of `====`.
fn samples() -> Vec<&'static str> {
    SAMPLES.split("\n====\n").collect()
}

fn text_bytes(sessions: &[Session]) -> usize {
    sessions.iter().flat_map(|session| &session.messages).flat_map(|message| &message.parts).map(Part::text_bytes).sum()
}

/// Reads, and checks invariants of the result.
fn check(bytes: &[u8]) -> Option<Vec<Session>> {
    let sessions = read_sessions(bytes).ok()?;
    check_sessions(&sessions, bytes.len());
    Some(sessions)
}

fn check_sessions(sessions: &[Session], read_bytes: usize) {
    let bytes = text_bytes(sessions);
    assert!(bytes <= read_bytes * 8 + 4096, "{bytes} bytes from {read_bytes}");
    for session in sessions {
        support::assert_sound(session);
        for thread in &session.threads {
            for request in &thread.requests {
                let context = &thread.contexts[request.context as usize];
                assert!(request.sent_count as usize <= context.messages.len());
                assert!(request.answer.is_none_or(|at| (at as usize) < session.messages.len()));
            }
            let positions = thread.contexts.iter().flat_map(|context| &context.messages);
            assert!(positions.into_iter().all(|at| (*at as usize) < session.messages.len()));
        }
    }
}

/// Writes the sample of opencode's events as a database.
fn write_database(path: &std::path::Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE session (id text, parent_id text, directory text, version text, time_created integer);
             CREATE TABLE message (id text, session_id text, time_created integer, data text);
             CREATE TABLE part (id text PRIMARY KEY, message_id text, data text);
             INSERT INTO session VALUES ('s', NULL, '/p', '1', 1)",
        )
        .unwrap();
    let events = samples().into_iter().find(|sample| sample.contains("message.part.updated")).unwrap();
    for line in events.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let properties = &record["event"]["properties"];
        let (info, part) = (&properties["info"], &properties["part"]);
        if part.is_object() {
            let row = (part["id"].as_str(), part["messageID"].as_str(), part.to_string());
            connection.execute("INSERT OR REPLACE INTO part VALUES (?1, ?2, ?3)", row).unwrap();
        } else if info["role"].is_string() {
            let row = (info["id"].as_str(), info["sessionID"].as_str(), info.to_string());
            connection.execute("INSERT INTO message VALUES (?1, ?2, 1, ?3)", row).unwrap();
        }
    }
}

#[test]
fn every_sample_is_read_without_a_note() {
    let mut agents = Vec::new();
    for sample in samples() {
        let sessions = check(sample.as_bytes()).unwrap_or_else(|| panic!("{sample}"));
        assert!(sessions[0].requests().count() > 0, "{sample}");
        assert!(sessions[0].notes.is_empty(), "{:?}", sessions[0].notes);
        agents.push(sessions[0].agent);
    }
    agents.dedup();
    assert_eq!(agents, Agent::ALL);
}

#[test]
fn a_file_cut_off_at_any_byte_is_read_in_part_or_refused() {
    for sample in samples() {
        let whole = check(sample.as_bytes()).map_or(0, |sessions| sessions[0].requests().count());
        for end in 0..sample.len() {
            let Some(sessions) = check(&sample.as_bytes()[..end]) else { continue };
            let requests: usize = sessions.iter().map(|session| session.requests().count()).sum();
            assert!(requests <= whole, "{end} of {sample}");
        }
    }
}

/// Number of values in `value`, including itself.
fn values_in(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Array(items) => 1 + items.iter().map(values_in).sum::<usize>(),
        serde_json::Value::Object(fields) => 1 + fields.values().map(values_in).sum::<usize>(),
        _ => 1,
    }
}

/// Replaces value number `at` in `value` with `new`; if there are fewer values, returns the remaining number.
fn replace(value: &mut serde_json::Value, mut at: usize, new: &serde_json::Value) -> Option<usize> {
    if at == 0 {
        *value = new.clone();
        return None;
    }
    at -= 1;
    match value {
        serde_json::Value::Array(items) => items.iter_mut().try_fold(at, |at, item| replace(item, at, new)),
        serde_json::Value::Object(fields) => fields.values_mut().try_fold(at, |at, field| replace(field, at, new)),
        _ => Some(at),
    }
}

#[test]
fn any_value_replaced_by_another_type_causes_no_panic() {
    let others = serde_json::json!([null, 7, -1.5, "x", [], [null], {}]);
    for sample in samples() {
        let lines: Vec<&str> = sample.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            for at in 0..values_in(&record) {
                for other in others.as_array().unwrap() {
                    let mut changed = record.clone();
                    assert_eq!(replace(&mut changed, at, other), None, "{at} of {line}");
                    let changed = changed.to_string();
                    let all: Vec<&str> = lines
                        .iter()
                        .enumerate()
                        .map(|(place, line)| if place == number { changed.as_str() } else { line })
                        .collect();
                    check(all.join("\n").as_bytes());
                }
            }
        }
    }
}

/// Values made of words that formats use, so that readers accept some of them.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let words: Vec<&'static str> = {
        let split = SAMPLES.split(|letter: char| {
            !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '.' || letter == '$' || letter == '-')
        });
        let mut words: Vec<_> = split.filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    let word = prop::sample::select(words);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        word.clone().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::vec((word.clone(), inner), 0..8).prop_map(|fields| {
                serde_json::Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

/// Replaces one of the values in `target` with `value`.
fn graft(target: &mut serde_json::Value, at: usize, value: serde_json::Value) {
    let children: Vec<&mut serde_json::Value> = match target {
        serde_json::Value::Array(items) => items.iter_mut().collect(),
        serde_json::Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    let count = children.len();
    match children.into_iter().nth(at.checked_rem(count).unwrap_or(0)) {
        Some(child) if !(at / count).is_multiple_of(3) => graft(child, at / count, value),
        Some(child) => *child = value,
        None => *target = value,
    }
}

proptest! {
    #[test]
    fn lines_in_any_order_cause_no_panic(which in 0..samples().len(), seed in any::<u64>()) {
        let mut lines: Vec<&str> = samples()[which].lines().collect();
        for at in (1..lines.len()).rev() {
            lines.swap(at, (seed.rotate_left(at as u32 * 7) as usize) % (at + 1));
        }
        check(lines.join("\n").as_bytes());
    }

    #[test]
    fn flipped_bits_cause_no_panic(which in 0..samples().len(), flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 1..20)) {
        let mut bytes = samples()[which].as_bytes().to_vec();
        for (index, bit) in flips {
            let at = index.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        check(&bytes);
    }

    #[test]
    fn flipped_bits_of_a_database_cause_no_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 1..20)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        write_database(&path);
        let mut bytes = std::fs::read(&path).unwrap();
        for (index, bit) in flips {
            let at = index.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(sessions) = read_file(&path) {
            check_sessions(&sessions, bytes.len());
        }
    }

    #[test]
    fn a_value_inserted_anywhere_causes_no_panic(which in 0..samples().len(), line in any::<prop::sample::Index>(), at in any::<usize>(), value in json()) {
        let mut lines: Vec<String> = samples()[which].lines().map(str::to_owned).collect();
        let line = line.index(lines.len());
        if let Ok(mut record) = serde_json::from_str(&lines[line]) {
            graft(&mut record, at, value);
            lines[line] = record.to_string();
        }
        check(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_json_is_read_or_refused(values in prop::collection::vec(json(), 0..6)) {
        let lines: Vec<String> = values.iter().map(ToString::to_string).collect();
        check(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for unit in ["[", "{\"a\":", "{\"type\":\"user\",\"message\":{\"content\":["] {
        check(unit.repeat(100_000).as_bytes());
    }
}

#[test]
fn a_history_replaced_on_every_line_does_not_grow_quadratically() {
    let prompt = r#"{"type":"message","message":{"role":"user","content":"x"}}"#;
    let compaction = r#"{"type":"compaction","summary":"s","firstKeptEntryIndex":0}"#;
    let mut text = r#"{"type":"session","cwd":"/p","timestamp":"2026-01-01T00:00:00Z"}"#.to_owned();
    for _ in 0..20_000 {
        text.push('\n');
        text.push_str(prompt);
        text.push('\n');
        text.push_str(compaction);
    }
    let sessions = check(text.as_bytes()).unwrap();
    let positions: usize = sessions[0].threads[0].contexts.iter().map(|context| context.messages.len()).sum();
    assert!(positions < 20_000_000, "{positions}");
    assert!(sessions[0].notes.count(palimpsest_sessions::NoteKind::TooManyPrefixes) > 0);
}
