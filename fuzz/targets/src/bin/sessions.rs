//! Agents' session files in every format: parsed sessions are valid, and so is their account.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_sessions::{Part, Session, read_sessions};

#[allow(dead_code)]
#[path = "../../../../crates/sessions/tests/support/mod.rs"]
mod support;

fuzz_target!(|bytes: &[u8]| {
    let Ok(sessions) = read_sessions(bytes) else { return };
    let read: usize = sessions.iter().map(text_bytes).sum();
    assert!(read <= bytes.len() * 8 + 4_096, "{read} bytes of text from {}", bytes.len());
    for session in &sessions {
        check_places(session);
        support::assert_sound(session);
    }
});

fn text_bytes(session: &Session) -> usize {
    session.messages.iter().flat_map(|message| &message.parts).map(Part::text_bytes).sum()
}

fn check_places(session: &Session) {
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
