//! Decides when a search has taken too long. The model chooses what is searched for, and a query that costs much must
//! cost no more than a moment.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::failure::{Code, Failure};

/// Steps of `SQLite` between two looks at the clock: some ten microseconds.
const STEPS: i32 = 1_000;

#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// `None` when it lies beyond what the clock can count to.
    at: Option<Instant>,
}

impl Deadline {
    pub fn after(limit: Duration) -> Self {
        Self { at: Instant::now().checked_add(limit) }
    }

    fn is_over(self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// # Errors
    /// `Timeout` when it is over.
    pub fn check(self) -> Result<(), Failure> {
        if self.is_over() { Err(Failure::new(Code::Timeout)) } else { Ok(()) }
    }

    /// Interrupts what `connection` does at that moment: what it reads fails with `Timeout`.
    pub fn watch(self, connection: &mut Connection) -> Result<(), Failure> {
        Ok(connection.progress_handler(STEPS, Some(move || self.is_over()))?)
    }
}

/// Lets the next statements take as long as they take.
pub fn unwatch(connection: &mut Connection) -> Result<(), Failure> {
    Ok(connection.progress_handler(0, None::<fn() -> bool>)?)
}
