//! Facts about the recordings, counted by another program before this reader existed.

use palimpsest_sessions::{Request, Session, ThreadKind, Usage};

use crate::{read, recordings};

struct Fact {
    file: &'static str,
    requests: usize,
    prompt: u64,
    read_percent: f64,
    written: u64,
    /// Percentage of steps between two requests with the same prefix that read exactly what the previous request had read
    /// and written. Codex reports no writes, so up to 2,048 tokens may be missing there.
    exact_percent: u64,
    compactions: usize,
    sub_agents: (usize, u64),
}

#[rustfmt::skip]
const FACTS: [Fact; 12] = [
    Fact { file: "claude-code/entire-17_55e38d324c_0.jsonl", requests: 22, prompt: 1_632_666, read_percent: 96.2, written: 61_658, exact_percent: 100, compactions: 0, sub_agents: (0, 0) },
    Fact { file: "claude-code/entire-25_730c662552_0.jsonl", requests: 169, prompt: 16_477_967, read_percent: 96.1, written: 638_459, exact_percent: 89, compactions: 2, sub_agents: (0, 0) },
    Fact { file: "claude-code/entire-cd_95adddad32_0.jsonl", requests: 225, prompt: 25_645_626, read_percent: 93.6, written: 1_618_146, exact_percent: 85, compactions: 3, sub_agents: (0, 0) },
    Fact { file: "claude-code/kimicli-3d_cde4c73a04_0.jsonl", requests: 69, prompt: 4_011_900, read_percent: 97.2, written: 111_600, exact_percent: 85, compactions: 0, sub_agents: (8, 97_626) },
    Fact { file: "claude-code/vct-v1.0.95.jsonl", requests: 31, prompt: 1_192_671, read_percent: 91.7, written: 99_004, exact_percent: 93, compactions: 0, sub_agents: (0, 0) },
    Fact { file: "codex/fnox-3c_7aecb0ec0e_0.jsonl", requests: 101, prompt: 13_004_067, read_percent: 96.1, written: 0, exact_percent: 94, compactions: 1, sub_agents: (0, 0) },
    Fact { file: "codex/hk-e5_cb0813e003_0.jsonl", requests: 98, prompt: 9_203_356, read_percent: 95.3, written: 0, exact_percent: 97, compactions: 0, sub_agents: (0, 0) },
    Fact { file: "codex/mise-f1_7175625eec_0.jsonl", requests: 493, prompt: 65_272_800, read_percent: 97.9, written: 0, exact_percent: 99, compactions: 2, sub_agents: (0, 0) },
    Fact { file: "codex/vct-v0.39.jsonl", requests: 19, prompt: 270_530, read_percent: 50.6, written: 0, exact_percent: 22, compactions: 0, sub_agents: (0, 0) },
    Fact { file: "pi/pi-large-session-2025-11-20.jsonl", requests: 439, prompt: 47_526_750, read_percent: 91.0, written: 4_296_232, exact_percent: 91, compactions: 0, sub_agents: (0, 0) },
    Fact { file: "pi/pi-session-2025-12-17.jsonl", requests: 214, prompt: 26_267_579, read_percent: 96.3, written: 982_512, exact_percent: 97, compactions: 1, sub_agents: (0, 0) },
    Fact { file: "pi/pi-v3-tree-small.jsonl", requests: 2, prompt: 24, read_percent: 0.0, written: 0, exact_percent: 0, compactions: 2, sub_agents: (0, 0) },
];

#[test]
fn r12_2_requests_prompts_cache_reads_and_writes_agree_with_an_independent_count() {
    let Some(folder) = recordings() else { return };
    for fact in FACTS {
        let session = read(&folder, fact.file);
        let (requests, usage) = session.threads[0].usage();
        let share = (1000.0 * usage.cache_read as f64 / usage.total().max(1) as f64).round() / 10.0;
        let found = (requests, usage.total(), share, usage.cache_write, session.threads[0].compaction_count());
        let expected = (fact.requests, fact.prompt, fact.read_percent, fact.written, fact.compactions);
        assert_eq!(found, expected, "{}", fact.file);
        assert_eq!(sub_agents(&session), fact.sub_agents, "{}", fact.file);
    }
}

fn sub_agents(session: &Session) -> (usize, u64) {
    let threads = session.threads.iter().filter(|thread| thread.kind == ThreadKind::SubAgent);
    threads
        .map(palimpsest_sessions::Thread::usage)
        .fold((0, 0), |(requests, prompt), (more, usage)| (requests + more, prompt + usage.total()))
}

#[test]
fn r12_2_requests_read_exactly_what_the_previous_request_cached_as_often_as_counted_before() {
    let Some(folder) = recordings() else { return };
    for fact in FACTS {
        let session = read(&folder, fact.file);
        let codex = fact.file.starts_with("codex");
        let paid: Vec<&Request> =
            session.threads[0].requests.iter().filter(|request| request.usage.is_some()).collect();
        let compacted = |from: u32, to: u32| {
            let contexts = &session.threads[0].contexts[from as usize + 1..=to as usize];
            contexts.iter().any(|context| matches!(context.start, palimpsest_sessions::ContextStart::Compaction { .. }))
        };
        let steps: Vec<bool> = paid
            .windows(2)
            .filter(|pair| !compacted(pair[0].context, pair[1].context))
            .map(|pair| is_exact(&pair[0].usage.unwrap(), &pair[1].usage.unwrap(), codex))
            .collect();
        let exact = steps.iter().filter(|exact| **exact).count();
        let percent = (100.0 * exact as f64 / steps.len().max(1) as f64).round() as u64;
        assert_eq!(percent, fact.exact_percent, "{}: {exact} of {}", fact.file, steps.len());
    }
}

fn is_exact(before: &Usage, after: &Usage, codex: bool) -> bool {
    if codex {
        let missing = before.total().checked_sub(after.cache_read);
        return missing.is_some_and(|missing| missing <= 2048);
    }
    after.cache_read == before.cache_read + before.cache_write && after.cache_read > 0
}

#[test]
fn r12_3_cache_lifetimes_are_read_as_claude_code_records_them() {
    let Some(folder) = recordings() else { return };
    for (file, one_hour) in [
        ("claude-code/entire-17_55e38d324c_0.jsonl", true),
        ("claude-code/entire-25_730c662552_0.jsonl", true),
        ("claude-code/entire-cd_95adddad32_0.jsonl", false),
        ("claude-code/kimicli-3d_cde4c73a04_0.jsonl", false),
    ] {
        let (_, usage) = read(&folder, file).threads[0].usage();
        let parts = (usage.cache_write_5m > 0, usage.cache_write_1h > 0, usage.cache_write_unspecified() > 0);
        assert_eq!(parts, (!one_hour, one_hour, false), "{file}");
    }
}

#[test]
fn r12_2_results_cleared_without_a_record_are_noted_by_the_shrunken_prompt() {
    let Some(folder) = recordings() else { return };
    for (file, shrink) in [
        ("claude-code/entire-cd_95adddad32_0.jsonl", "from 127707 to 114069 tokens"),
        ("claude-code/entire-17_55e38d324c_0.jsonl", ""),
    ] {
        let session = read(&folder, file);
        let notes = session.notes.iter().filter(|(kind, _)| *kind == palimpsest_sessions::NoteKind::UnexplainedShrink);
        let places: Vec<&str> = notes.flat_map(|(_, count)| &count.first).map(|note| note.text.as_str()).collect();
        assert!(places.contains(&shrink) || (shrink.is_empty() && places.is_empty()), "{file}: {places:?}");
    }
}
