//! The time of a request, as far as it is known.

/// Between two requests of an agent at work, where messages have no times.
pub const REQUEST_PACE_MS: f64 = 30_000.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The clock that decisions go by.
    pub now_ms: f64,
    /// Since the last request, by the messages: at most the real time.
    pub elapsed_ms: Option<f64>,
    /// `None` for a request that is only played again.
    pub sent_ms: Option<f64>,
}

impl Moment {
    pub fn live(now_ms: f64) -> Self {
        Self { now_ms, elapsed_ms: None, sent_ms: Some(now_ms) }
    }

    /// A request that another process sent before.
    pub fn replayed(now_ms: f64, elapsed_ms: Option<f64>) -> Self {
        Self { now_ms, elapsed_ms, sent_ms: None }
    }
}
