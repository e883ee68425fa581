//! Converts the requests that a view folds, and their removals, from and to the forms of `layouts.rs`.

use crate::cursor::{Cursor, fill, float, whole};
use crate::layouts::{FlatForm, FoldOutcome, FoldedRequest};
use napi::Result;
use palimpsest_core::cache::cuts::Pending;
use palimpsest_core::cache::fold::{Fold, Request};
use palimpsest_core::conversation::times::in_ms;

/// Removed rows, each with the index of its request in this call.
pub struct Removals {
    rows: Vec<(u32, usize)>,
    /// Messages that are sent whole although references would save tokens.
    whole: Vec<usize>,
    cached_tokens: f64,
}

pub fn advance(inbox: &[f64], fold: &mut Fold) -> Result<Removals> {
    let mut cursor = Cursor { rest: inbox };
    let mut removals = Removals { rows: Vec::new(), whole: Vec::new(), cached_tokens: 0.0 };
    for number in 0..cursor.count()? {
        let request: FoldedRequest = cursor.read()?;
        for _ in 0..whole(request.messages)? {
            fold.push(cursor.number()?, cursor.number()?);
            let saved = cursor.number()?;
            if saved > 0.0 && !fold.shorten_newest(saved) {
                removals.whole.push(fold.prompt().len() - 1);
            }
        }
        for _ in 0..whole(request.outdated)? {
            let (row, position) = (whole(cursor.number()?)?, cursor.count()?);
            let (saved, saved_by_references) = (cursor.number()?, cursor.number()?);
            // Sent whole since this call: the placeholder saves all of it.
            let is_whole = removals.whole.binary_search(&position).is_ok();
            let saved = if is_whole { saved } else { saved - saved_by_references };
            fold.outdate(Pending { row, position, saved });
        }
        let time_ms = in_ms(request.time);
        let since = |time: f64| Some(time_ms - in_ms(time)).filter(|elapsed| !elapsed.is_nan());
        let decision = fold.request(Request {
            elapsed_ms: since(request.last_time),
            least_elapsed_ms: since(request.interrupted_time),
            time_ms,
            is_side: request.is_side != 0.0,
        });
        removals.rows.extend(decision.rows.iter().map(|&row| (row, number)));
        removals.cached_tokens = decision.cost.cached;
    }
    Ok(removals)
}

/// Returns the length of the output in numbers; drops what does not fit.
pub fn write_removals(removals: &Removals, outbox: &mut [f64]) -> usize {
    let Removals { rows, whole, cached_tokens } = removals;
    let outcome =
        FoldOutcome { removed: float(rows.len()), whole: float(whole.len()), cached_tokens: *cached_tokens };
    let removed = rows.iter().flat_map(|&(row, number)| [f64::from(row), float(number)]);
    let left_whole = whole.iter().map(|&message| float(message));
    fill(outbox, outcome.numbers().into_iter().chain(removed).chain(left_whole));
    FoldOutcome::LENGTH + 2 * rows.len() + whole.len()
}
