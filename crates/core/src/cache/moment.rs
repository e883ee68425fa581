//! When a request is sent, as far as that is known.

/// What passes from request to request where no message has a time: an agent at work.
pub const REQUEST_PACE_MS: f64 = 30_000.0;

/// A request that is sent now, or that another process has sent before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The clock that decisions go by.
    pub now_ms: f64,
    /// Time since the request before, where messages say it. It is never more than really passed, and may be less.
    pub elapsed_ms: Option<f64>,
    /// When the request is really sent; none for one that is only played again.
    pub sent_ms: Option<f64>,
}

impl Moment {
    /// A request that is sent now.
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
