//! A view's saved schedule as anybody may have written it, and the deltas behind it, one a line: refused, or gone on with.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_core::cache::bill::RequestReport;
use palimpsest_core::cache::delta::Delta;
use palimpsest_core::cache::moment::Moment;
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::schedule::{Schedule, ScheduleOptions};
use palimpsest_core::cache::state::ScheduleState;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let merged = ScheduleState::merged_json(first, lines);
    let options = ScheduleOptions::new(Prices::USUAL);
    for text in [first, merged.as_deref().unwrap_or_default()] {
        let Some(schedule) = Schedule::from_json(options, text) else { continue };
        let again = Schedule::from_json(options, &schedule.to_json());
        assert_eq!(
            again.as_ref().map(Schedule::export),
            Some(schedule.export()),
            "what is written can be read"
        );
        go_on(schedule);
    }
});

/// Two requests more, with everything that may come between them.
fn go_on(mut schedule: Schedule) {
    let mut told = schedule.tell();
    let before = schedule.export();
    let now = schedule.path().last().map_or(1e12, |last| last.now_ms) + 60_000.0;
    schedule.push(4_000.0, 1.0);
    schedule.mark_pending(schedule.len() - 1, 10.0);
    let decision = schedule.plan(Moment::live(now));
    let decision = schedule.take(Moment::live(now), decision);
    schedule.observe(
        Some(decision.number),
        RequestReport { prompt_tokens: Some(9_000.0), cached_tokens: Some(1.0) },
    );
    schedule.side_request(schedule.len() / 2, 100.0, now);
    schedule.touch(now);
    schedule.set_marks();
    schedule.truncate(schedule.len() / 2);
    schedule.push(50.0, 1.0);
    let decision = schedule.plan(Moment::live(now + 1e6));
    schedule.take(Moment::live(now + 1e6), decision);
    let _ = (schedule.last_marks(), schedule.ledger().to_json());
    let delta: Delta =
        serde_json::from_str(&schedule.delta_since(&mut told).to_json()).expect("a delta is JSON");
    assert_eq!(before.with(delta), Some(schedule.export()), "a delta leads to where the schedule is");
}
