//! Collects the core's `tracing` events during a call, so that the JavaScript side delivers them afterwards in one batch.
//!
//! Worker threads share statics, so a global subscriber would collect their events too; subscribers are therefore set for
//! one thread and one call. Without a logger nothing is set, and an event costs one load.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use napi_derive::napi;
use palimpsest_core::conversation::unrecognised;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

use crate::locked;

#[napi(object)]
pub struct LogField {
    pub key: String,
    /// Set if the value is a number; otherwise `text` is set.
    pub number: Option<f64>,
    pub text: Option<String>,
}

#[napi(object)]
pub struct LogEvent {
    /// `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// Never message content.
    pub message: String,
    pub fields: Vec<LogField>,
}

thread_local! {
    static BUFFER: EventBuffer = EventBuffer::default();
}

#[napi(catch_unwind)]
pub fn collect_log_events(on: bool) {
    BUFFER.with(|buffer| {
        buffer.listen(on);
        buffer.take();
    });
}

#[napi(catch_unwind)]
pub fn take_log_events() -> Vec<LogEvent> {
    BUFFER.with(EventBuffer::take)
}

/// Records the events of `work` and its duration if this thread is collecting.
pub fn collected<T>(call: &'static str, work: impl FnOnce() -> T) -> T {
    let buffer = BUFFER.with(Clone::clone);
    if locked(&buffer.dispatch).is_none() {
        return work();
    }
    buffer.keep(|| {
        let started = Instant::now();
        let result = work();
        let duration_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        tracing::debug!(call, duration_us, "call done");
        result
    })
}

/// Buffers the events of one object's work, on any thread, until they are fetched.
#[derive(Clone, Default)]
pub struct EventBuffer {
    /// Set while somebody listens.
    dispatch: Arc<Mutex<Option<Dispatch>>>,
    events: Arc<Mutex<Vec<LogEvent>>>,
}

impl EventBuffer {
    pub fn listen(&self, on: bool) {
        let mut dispatch = locked(&self.dispatch);
        if dispatch.is_some() != on {
            *dispatch = on.then(|| Dispatch::new(Collector(Arc::clone(&self.events))));
        }
    }

    /// If nobody listens, only runs `work`.
    pub fn keep<T>(&self, work: impl FnOnce() -> T) -> T {
        let dispatch = locked(&self.dispatch).clone();
        match dispatch {
            Some(dispatch) => tracing::dispatcher::with_default(&dispatch, work),
            None => work(),
        }
    }

    pub fn take(&self) -> Vec<LogEvent> {
        std::mem::take(&mut *locked(&self.events))
    }
}

struct Collector(Arc<Mutex<Vec<LogEvent>>>);

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        !metadata.is_span()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        let mut entry = LogEvent { level, message: String::new(), fields: Vec::new() };
        event.record(&mut FieldReader(&mut entry));
        locked(&self.0).push(entry);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct FieldReader<'e>(&'e mut LogEvent);

impl FieldReader<'_> {
    fn push(&mut self, field: &Field, number: Option<f64>, text: Option<String>) {
        self.0.fields.push(LogField { key: field.name().to_owned(), number, text });
    }
}

impl Visit for FieldReader<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.push(field, Some(value), None);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.push(field, Some(value as f64), None);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.push(field, Some(value as f64), None);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.0.message);
        } else {
            self.push(field, None, Some(value.to_owned()));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

/// `forms` are names of forms. `isCounted` is true for a token counter, false for rules.
#[napi(catch_unwind)]
pub fn note_unrecognised(is_counted: bool, messages: u32, total: u32, forms: String) {
    collected("reading", || {
        unrecognised::unrecognised(is_counted, messages as usize, total as usize, &forms);
    });
}

#[napi(catch_unwind)]
pub fn note_times_in_seconds(results: u32) {
    collected("reading", || unrecognised::times_in_seconds(results as usize));
}

#[napi(catch_unwind)]
pub fn note_times_unknown(results: u32) {
    collected("reading", || unrecognised::times_unknown(results as usize));
}

/// Logs that the application's function in `option` returned nothing for a result of `tool`, so that the result stays.
#[napi(catch_unwind)]
pub fn note_unanswered(option: String, tool: String) {
    collected("view", || unrecognised::unanswered(&option, &tool));
}
