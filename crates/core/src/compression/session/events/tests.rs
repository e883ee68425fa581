use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::*;
use crate::compression::session::usage::{TokenRow, window_usage};

/// Level, and each field with its value.
type LoggedEvent = (String, Vec<(&'static str, String)>);

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<LoggedEvent>>>);

struct FieldVisitor<'a>(&'a mut Vec<(&'static str, String)>);

impl Visit for FieldVisitor<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Vec::new();
        event.record(&mut FieldVisitor(&mut fields));
        self.0.lock().unwrap().push((event.metadata().level().to_string(), fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn events_of(emit: impl FnOnce()) -> Vec<LoggedEvent> {
    let recorder = Recorder::default();
    tracing::subscriber::with_default(recorder.clone(), emit);
    let seen = recorder.0.lock().unwrap();
    seen.clone()
}

fn emit_all() {
    let usage = window_usage(&[TokenRow { tokens: 900.0, ..TokenRow::default() }], 0.0, 1_000.0);
    triggered(&usage, &Settings { max_context_tokens: 1_000.0, ..Settings::default() }, 40);
    skipped("disabled");
    let request = SummaryRequest {
        purpose: CallPurpose::Summary { part: 1, parts: 2 },
        system: String::new(),
        user: String::new(),
        max_tokens: 80,
        prompt_tokens: 700.0,
    };
    summary_requested(&request, "m", 30);
    summary_answered("m", 12.5, 700.0, 80.0);
    summary_refused("empty");
    summary_failed(&CallFailure::TimedOut, 30_000.0);
    let after = ContextFigures { before_count: 40, after_count: 12, tokens_after: 300.0, usage_after: 0.003 };
    compressed(&after, 900.0, 1_000.0, 1, "m", 12.5);
    discarded("changed");
    truncated(40, 12, 29, 1, 990.0, 300.0);
    cannot_fit(2_000.0, 0.0, 950.0);
    usage_doubted(4.0, 26_000.0);
    breaker_opened(3, 60_000.0);
    setting_refused("maxContextTokens", "a whole number above 0");
    record_odd("droppedCount, level");
    archive_failed("SQLITE_FULL");
    aborted();
}

#[test]
fn req_3_6_every_event_has_its_name_level_and_number_of_fields() {
    let expected = [
        ("INFO", "triggered", 9),
        ("DEBUG", "skipped", 3),
        ("DEBUG", "summary_requested", 8),
        ("DEBUG", "summary_answered", 6),
        ("WARN", "summary_refused", 3),
        ("WARN", "summary_failed", 5),
        ("INFO", "compressed", 11),
        ("DEBUG", "discarded", 3),
        ("WARN", "truncated", 8),
        ("ERROR", "cannot_fit", 5),
        ("WARN", "usage_doubted", 4),
        ("DEBUG", "breaker_opened", 4),
        ("WARN", "setting_refused", 4),
        ("WARN", "record_odd", 3),
        ("WARN", "archive_failed", 3),
        ("DEBUG", "aborted", 2),
    ];
    let seen = events_of(emit_all);
    let found: Vec<_> = seen
        .iter()
        .map(|(level, fields)| {
            let name = fields.iter().find(|(key, _)| *key == "event").map(|(_, name)| name.as_str());
            (level.as_str(), name.unwrap_or_default(), fields.len())
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn req_3_6_events_have_separate_figures_for_before_and_after() {
    let seen = events_of(emit_all);
    let field =
        |event: usize, key: &str| seen[event].1.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str());
    assert_eq!((field(6, "before_count"), field(6, "after_count")), (Some("40"), Some("12")));
    assert_eq!((field(6, "usage_before"), field(6, "usage_after")), (Some("0.9"), Some("0.3")));
    assert_eq!((field(8, "dropped"), field(8, "shortened")), (Some("29"), Some("1")));
}
