//! When a request is sent, as far as that is known.

/// The time between two requests of an agent at work, where no message has a time.
pub const REQUEST_PACE_MS: f64 = 30_000.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The clock that decisions go by.
    pub now_ms: f64,
    /// Time since the request before, where messages say it: no more than has really passed.
    pub elapsed_ms: Option<f64>,
    /// When the request is really sent; `None` for one that is only played again.
    pub sent_ms: Option<f64>,
}

impl Moment {
    #[must_use]
    pub fn live(now_ms: f64) -> Self {
        Self { now_ms, elapsed_ms: None, sent_ms: Some(now_ms) }
    }

    /// A request that was sent before, by whoever had the conversation then.
    #[must_use]
    pub fn replayed(now_ms: f64, elapsed_ms: Option<f64>) -> Self {
        Self { now_ms, elapsed_ms, sent_ms: None }
    }
}
