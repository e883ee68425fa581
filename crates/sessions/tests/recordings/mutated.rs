//! Damaged recordings yield an account or an error, never a panic or an impossible amount.

use palimpsest_sessions::read_sessions;
use proptest::prelude::*;
use serde_json::Value;

use crate::recordings;
use crate::support::assert_sound;

/// Only the beginning of each file is used: a few records are enough for every kind of damage.
const MOST_LINES: usize = 40;
const MOST_BYTES: usize = 120_000;

/// The beginnings of all recorded JSON lines files.
fn beginnings() -> Vec<Vec<String>> {
    let Some(folder) = recordings() else { return Vec::new() };
    let mut all = Vec::new();
    for agent in ["claude-code", "codex", "pi", "gemini-cli", "kimi-cli", "opencode", "qwen-code", "copilot"] {
        for entry in std::fs::read_dir(folder.join(agent)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let text = std::fs::read_to_string(path).unwrap();
            let mut bytes = 0;
            let lines = text.lines().take(MOST_LINES).take_while(|line| {
                bytes += line.len();
                bytes < MOST_BYTES
            });
            all.push(lines.map(str::to_owned).collect());
        }
    }
    all
}

/// Kinds of damage to a file.
#[derive(Debug, Clone)]
enum Damage {
    /// A line ends in the middle, as after a crash.
    Torn(prop::sample::Index, prop::sample::Index),
    Swapped(prop::sample::Index, prop::sample::Index),
    Repeated(prop::sample::Index),
    Lost(prop::sample::Index),
    /// A value in a record is replaced.
    Wrong(prop::sample::Index, usize, Value),
    /// A record has the ids of another.
    SameIds(prop::sample::Index, prop::sample::Index),
}

fn wrong_value() -> impl Strategy<Value = Value> {
    let nested = |depth: usize| {
        (0..depth).fold(Value::Null, |inner, at| {
            if at % 2 == 0 { Value::Array(vec![inner]) } else { serde_json::json!({ "content": inner }) }
        })
    };
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::from(u64::MAX)),
        Just(Value::from(i64::MIN)),
        Just(Value::from(1.0e308)),
        Just(Value::from(-1)),
        Just(Value::from("9999999-99-99T99:99:99Z")),
        ".{0,12}".prop_map(Value::from),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        (1..120_usize).prop_map(nested),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), at()).prop_map(|(line, end)| Damage::Torn(line, end)),
        (at(), at()).prop_map(|(one, other)| Damage::Swapped(one, other)),
        at().prop_map(Damage::Repeated),
        at().prop_map(Damage::Lost),
        (at(), any::<usize>(), wrong_value()).prop_map(|(line, place, value)| Damage::Wrong(line, place, value)),
        (at(), any::<usize>(), wrong_value()).prop_map(|(line, place, value)| Damage::Wrong(line, place, value)),
        (at(), at()).prop_map(|(one, other)| Damage::SameIds(one, other)),
    ]
}

/// All values in `value` whose key satisfies `is_key`, or all numbers and strings.
fn values_at<'a>(value: &'a mut Value, is_key: Option<&dyn Fn(&str) -> bool>, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| values_at(item, is_key, found)),
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                if is_key.map_or(field.is_number() || field.is_string(), |is_key| is_key(key)) {
                    found.push(field);
                } else {
                    values_at(field, is_key, found);
                }
            }
        }
        _ => {}
    }
}

fn with_record(line: &mut String, change: impl FnOnce(&mut Value)) {
    if let Ok(mut record) = serde_json::from_str(line) {
        change(&mut record);
        *line = record.to_string();
    }
}

fn is_id(key: &str) -> bool {
    ["id", "uuid", "parentUuid", "parentId", "call_id", "tool_use_id", "toolCallId"].contains(&key)
}

fn apply(lines: &mut Vec<String>, damage: Damage) {
    match damage {
        Damage::Torn(line, end) => {
            let at = line.index(lines.len());
            let line = &mut lines[at];
            let end = end.index(line.len().max(1));
            *line = String::from_utf8_lossy(&line.as_bytes()[..end]).into_owned();
        }
        Damage::Swapped(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        Damage::Repeated(line) => lines.push(lines[line.index(lines.len())].clone()),
        Damage::Lost(line) if lines.len() > 1 => drop(lines.remove(line.index(lines.len()))),
        Damage::Lost(_) => {}
        Damage::Wrong(line, place, value) => {
            let at = line.index(lines.len());
            with_record(&mut lines[at], |record| {
                let mut all = Vec::new();
                values_at(record, None, &mut all);
                let count = all.len().max(1);
                if let Some(target) = all.into_iter().nth(place % count) {
                    *target = value;
                }
            });
        }
        Damage::SameIds(one, other) => {
            let id = Value::from(one.index(3).to_string());
            for at in [one.index(lines.len()), other.index(lines.len())] {
                with_record(&mut lines[at], |record| {
                    let mut all = Vec::new();
                    values_at(record, Some(&is_id), &mut all);
                    for target in all {
                        *target = id.clone();
                    }
                });
            }
        }
    }
}

#[test]
fn r12_2_damaged_recordings_have_sound_accounts_or_are_refused() {
    let files = beginnings();
    if files.is_empty() {
        return;
    }
    let cases = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let input = (any::<prop::sample::Index>(), prop::collection::vec(damage(), 1..12));
    proptest!(cases, |((which, damages) in input)| {
        let mut lines = which.get(&files).clone();
        for damage in damages {
            apply(&mut lines, damage);
        }
        if let Ok(sessions) = read_sessions(lines.join("\n").as_bytes()) {
            sessions.iter().for_each(assert_sound);
        }
    });
}

#[test]
fn r12_3_whole_recordings_have_sound_accounts() {
    let Some(folder) = recordings() else { return };
    for (_, sessions) in crate::every_source(&folder) {
        sessions.iter().for_each(assert_sound);
    }
}
