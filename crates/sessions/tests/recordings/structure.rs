//! Checks that the rebuilt message lists could have been sent: pairs, order, times, ranges.

use std::collections::HashSet;

use palimpsest_sessions::{Message, Part, Role, Session};

use crate::{every_source, read, recordings};

#[test]
fn r12_2_every_request_refers_to_existing_messages() {
    let Some(folder) = recordings() else { return };
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            for thread in &session.threads {
                for request in &thread.requests {
                    let sent = session.sent_messages(thread, request).count();
                    assert_eq!(sent, request.sent_count as usize, "{name}: line {}", request.line);
                    assert!(request.answer.is_none_or(|at| (at as usize) < session.messages.len()), "{name}");
                }
            }
        }
    }
}

/// Number of calls without a result before the last message, and of results without a call.
fn unpaired(messages: &[&Message]) -> (usize, usize) {
    let (mut open, mut answered, mut orphans) = (HashSet::new(), HashSet::new(), 0);
    for part in messages.iter().flat_map(|message| &message.parts) {
        match part {
            Part::Call { id, .. } => _ = open.insert(id.as_str()),
            Part::Result { id, .. } => {
                answered.insert(id.as_str());
                orphans += usize::from(!open.contains(id.as_str()));
            }
            _ => {}
        }
    }
    (open.difference(&answered).count(), orphans)
}

fn last_sent(session: &Session) -> Vec<&Message> {
    let thread = &session.threads[0];
    session.sent_messages(thread, thread.requests.last().unwrap()).collect()
}

#[test]
fn r12_2_parallel_calls_of_claude_code_have_their_results_in_a_forked_tree() {
    let Some(folder) = recordings() else { return };
    for file in ["entire-25_730c662552_0", "entire-cd_95adddad32_0", "kimicli-3d_cde4c73a04_0", "vct-v1.0.95"] {
        let session = read(&folder, &format!("claude-code/{file}.jsonl"));
        assert_eq!(unpaired(&last_sent(&session)), (0, 0), "{file}");
        assert!(session.threads.iter().all(|thread| thread.kind != palimpsest_sessions::ThreadKind::Branch), "{file}");
    }
}

#[test]
fn r12_2_an_assistant_message_of_claude_code_is_one_message_followed_by_its_results() {
    let Some(folder) = recordings() else { return };
    let session = read(&folder, "claude-code/entire-25_730c662552_0.jsonl");
    let messages = last_sent(&session);
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert!(!roles.windows(2).any(|pair| pair == [Role::Assistant, Role::Assistant]));
    assert!(!roles.windows(2).any(|pair| pair == [Role::Tool, Role::Tool]));
    let calls = |message: &&&Message| message.parts.iter().filter(|part| matches!(part, Part::Call { .. })).count();
    assert!(messages.iter().any(|message| calls(&message) > 1), "there are parallel calls");
}

#[test]
fn r12_2_a_resumed_file_keeps_a_result_whose_call_is_in_another_file() {
    let Some(folder) = recordings() else { return };
    let session = read(&folder, "claude-code/entire-17_55e38d324c_0.jsonl");
    assert_eq!(unpaired(&last_sent(&session)), (0, 1));
}

#[test]
fn r12_2_after_a_compaction_only_the_summary_and_later_messages_are_sent() {
    let Some(folder) = recordings() else { return };
    for (file, longest_after) in
        [("claude-code/entire-25_730c662552_0.jsonl", 4), ("codex/mise-f1_7175625eec_0.jsonl", 40)]
    {
        let session = read(&folder, file);
        let thread = &session.threads[0];
        let mut seen = HashSet::new();
        for request in &thread.requests {
            let start = &thread.contexts[request.context as usize].start;
            let compacted = matches!(start, palimpsest_sessions::ContextStart::Compaction { .. });
            if compacted && seen.insert(request.context) {
                assert!(request.sent_count <= longest_after, "{file}: {} messages", request.sent_count);
            }
        }
        assert_eq!(seen.len(), 2, "{file}");
    }
}

#[test]
fn r12_2_microcompaction_clears_results_only_in_later_requests() {
    let Some(folder) = recordings() else { return };
    let session = read(&folder, "claude-code/entire-25_730c662552_0.jsonl");
    let thread = &session.threads[0];
    let cleared = |messages: Vec<&Message>| {
        let parts = messages.into_iter().flat_map(|message| &message.parts);
        parts
            .filter(|part| {
                matches!(part, Part::Result { content, .. }
                if *content == [Part::Text("[Old tool result content cleared]".to_owned())])
            })
            .count()
    };
    let per_context: Vec<usize> = thread
        .contexts
        .iter()
        .map(|context| cleared(context.messages.iter().map(|at| &session.messages[*at as usize]).collect()))
        .collect();
    let after_boundary =
        |at: usize| matches!(thread.contexts[at].start, palimpsest_sessions::ContextStart::ResultsCleared { .. });
    assert_eq!(per_context.first(), Some(&0));
    assert!((0..per_context.len()).any(|at| after_boundary(at) && per_context[at] == 29), "{per_context:?}");
}

#[test]
fn r12_2_nearly_all_requests_have_times_in_ascending_order() {
    let Some(folder) = recordings() else { return };
    for file in [
        "claude-code/entire-cd_95adddad32_0.jsonl",
        "codex/mise-f1_7175625eec_0.jsonl",
        "pi/pi-large-session-2025-11-20.jsonl",
        "kimi-cli/agentsessions-kimi-wire-assistant_tools.jsonl",
        "gemini-cli/vct-chat-v2.jsonl",
    ] {
        let session = read(&folder, file);
        let times: Vec<i64> = session.threads[0].requests.iter().filter_map(|request| request.at_ms).collect();
        assert_eq!(times.len(), session.threads[0].requests.len(), "{file}");
        let backwards = times.windows(2).filter(|pair| pair[0] > pair[1]).count();
        assert!(backwards <= 2, "{file}: {backwards}");
    }
}

#[test]
fn r12_2_two_objects_on_one_line_are_both_read_and_noted() {
    let Some(folder) = recordings() else { return };
    let session = read(&folder, "pi/pi-session-2025-12-17.jsonl");
    let joined: Vec<_> = session.notes.iter().map(|(kind, count)| (kind, count.count, count.first[0].line)).collect();
    assert_eq!(joined, [(palimpsest_sessions::NoteKind::JoinedLine, 1, 440)]);
}
