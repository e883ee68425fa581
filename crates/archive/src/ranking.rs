//! Ranks the messages that a search finds: those with the most occurrences of the query's words come first. Also stops a
//! search that takes too long: the model chooses the query, which may be an expensive one.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension};

use crate::failure::{Code, Failure};
use crate::query::Query;
use crate::text::folded;

/// How many of the newest matches are ranked; the remaining matches follow, newest first.
pub const MAX_RANKED: usize = 5_000;
/// How many bytes of their texts are read to rank them.
const MAX_RANKED_BYTES: i64 = 32 << 20;
/// BM25's constants: how quickly further occurrences lose weight, and how much a long text reduces the score.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;
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

    pub fn check(self) -> Result<(), Failure> {
        if self.is_over() { Err(Failure::new(Code::Timeout)) } else { Ok(()) }
    }

    /// Interrupts `connection` at the deadline: reading then fails with `Timeout`.
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

/// One message that contains every word: how often each ranking word occurs, and the length of its folded text.
#[derive(Debug, Clone)]
pub struct RankedRow<R> {
    pub row: R,
    pub counts: Vec<usize>,
    pub bytes: usize,
}

/// Sorts `candidates` (newest first) for display. Of the ranked ones, drops those that lack a word.
pub fn best_first(
    connection: &Connection,
    query: &Query,
    candidates: Vec<i64>,
    deadline: Deadline,
) -> Result<Vec<i64>, Failure> {
    let words = query.ranking_words();
    if words.is_empty() {
        return Ok(candidates);
    }
    let mut length_of = connection.prepare("SELECT octet_length(text) FROM messages WHERE id = ?1")?;
    let mut text_of = connection.prepare("SELECT text FROM messages WHERE id = ?1")?;
    let mut bytes_left = MAX_RANKED_BYTES;
    let (mut ranked, mut unranked) = (Vec::new(), None);
    let mut rest = candidates.into_iter();
    for row in rest.by_ref().take(MAX_RANKED) {
        deadline.check()?;
        let bytes: Option<i64> = length_of.query_row([row], |found| found.get(0)).optional()?;
        let Some(bytes) = bytes else { continue };
        bytes_left -= bytes;
        if bytes_left < 0 {
            unranked = Some(row);
            break;
        }
        let text = folded(&text_of.query_row([row], |found| found.get::<_, String>(0))?);
        if query.find(&text).is_some() {
            let counts = words.iter().map(|word| text.matches(word).count()).collect();
            ranked.push(RankedRow { row, counts, bytes: text.len() });
        }
    }
    Ok(by_score(&ranked).into_iter().chain(unranked).chain(rest).collect())
}

/// Sorts all found messages (newest first) for display, by their counts, without reading texts.
pub fn ranked_hits<R: Copy>(found: &[RankedRow<R>]) -> Vec<R> {
    let mut bytes_left = usize::try_from(MAX_RANKED_BYTES).unwrap_or(usize::MAX);
    let fits = |message: &&RankedRow<R>| {
        let left = bytes_left.checked_sub(message.bytes);
        bytes_left = left.unwrap_or(0);
        left.is_some()
    };
    let count = found.iter().take(MAX_RANKED).take_while(fits).count();
    let (ranked, rest) = found.split_at_checked(count).unwrap_or((found, &[]));
    by_score(ranked).into_iter().chain(rest.iter().map(|message| message.row)).collect()
}

#[allow(clippy::cast_precision_loss)] // counts and lengths of texts
fn by_score<R: Copy>(ranked: &[RankedRow<R>]) -> Vec<R> {
    let bytes: usize = ranked.iter().map(|message| message.bytes).sum();
    let average = (bytes as f64 / ranked.len().max(1) as f64).max(1.0);
    let score = |message: &RankedRow<R>| -> f64 {
        let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * message.bytes as f64 / average;
        let counts = message.counts.iter().map(|&count| count as f64);
        counts.map(|count| count * (SATURATION + 1.0) / (count + SATURATION * length)).sum()
    };
    let mut scored: Vec<_> = ranked.iter().map(|message| (score(message), message.row)).collect();
    // Stable: of equal ones the newest stays first.
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    scored.into_iter().map(|(_, row)| row).collect()
}
