//! Stops a search that takes too long: the model chooses the query, which may be an expensive one.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::failure::{Code, Failure};

/// Steps of `SQLite` between two checks of the clock: some ten microseconds.
const STEPS: i32 = 1_000;

/// When a search is stopped; never if that exceeds the clock's range.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    pub fn after(limit: Duration) -> Self {
        Self(Instant::now().checked_add(limit))
    }

    fn is_over(self) -> bool {
        self.0.is_some_and(|at| Instant::now() >= at)
    }

    /// `Timeout` if the deadline has passed.
    pub fn check(self) -> Result<(), Failure> {
        if self.is_over() { Err(Failure::new(Code::Timeout)) } else { Ok(()) }
    }

    /// Does `work` with `connection`, which is interrupted at the deadline: reading then fails with `Timeout`.
    pub fn limit<T>(
        self,
        connection: &mut Connection,
        work: impl FnOnce(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        connection.progress_handler(STEPS, Some(move || self.is_over()))?;
        let result = work(connection);
        connection.progress_handler(0, None::<fn() -> bool>)?;
        result
    }
}
