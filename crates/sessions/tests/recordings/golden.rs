//! One line of figures for every recorded session.

use std::fmt::Write;

use palimpsest_sessions::{Part, Session};

use crate::{every_source, recordings};

/// File, agent; then for each thread: kind, contexts, requests, requests with usage, uncached, read, written for
/// five minutes, for an hour, for an unknown time, output, reasoning; then messages, texts, reasoning, calls,
/// results, media; notes.
const GOLDEN: &str = include_str!("golden.tsv");

fn line(name: &str, session: &Session) -> String {
    let mut out = format!("{name}\t{}", session.agent.key());
    for thread in &session.threads {
        let (paid, usage) = thread.usage();
        write!(
            out,
            "\t{:?} {} {} {paid}: {} {} {} {} {} {} {}",
            thread.kind,
            thread.contexts.len(),
            thread.requests.len(),
            usage.uncached,
            usage.cache_read,
            usage.cache_write_5m,
            usage.cache_write_1h,
            usage.cache_write_unspecified(),
            usage.output,
            usage.reasoning
        )
        .unwrap();
    }
    let mut kinds = [0; 6];
    for part in session.messages.iter().flat_map(|message| &message.parts) {
        let kind = match part {
            Part::Text(_) => 0,
            Part::Reasoning { .. } => 1,
            Part::Call { .. } => 2,
            Part::Result { .. } => 3,
            Part::Media(_) => 4,
            Part::Tools(_) | Part::Other { .. } => 5,
        };
        kinds[kind] += 1;
    }
    let notes: u64 = session.notes.iter().map(|(_, count)| count.count).sum();
    write!(out, "\t{} messages {kinds:?}\t{notes} notes", session.messages.len()).unwrap();
    out
}

#[test]
fn the_figures_of_every_recording_are_unchanged() {
    let Some(folder) = recordings() else { return };
    let mut found = String::new();
    for (name, sessions) in every_source(&folder) {
        for session in sessions {
            found.push_str(&line(&name, &session));
            found.push('\n');
        }
    }
    let changed: Vec<_> = found.lines().filter(|line| !GOLDEN.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "these lines are new in golden.tsv:\n{}", changed.join("\n"));
    assert_eq!(found.lines().count(), GOLDEN.lines().count());
}
