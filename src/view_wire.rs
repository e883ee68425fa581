//! Converts the requests that a view folds (decides one after the other), and their removals, from and to the flat forms of `layouts.rs`.

use crate::cursor::{Cursor, fill, to_f64, to_u32};
use crate::layouts::{FlatForm, FoldOutcome, FoldedRequest};
use napi::Result;
use palimpsest_core::cache::cuts::Pending;
use palimpsest_core::cache::fold::{Fold, Request};
use palimpsest_core::conversation::times::in_ms;

/// The decisions of one call.
pub struct Removals {
    /// Removed rows, each with the index of its request among those of the call.
    rows: Vec<(u32, usize)>,
    /// Messages that are sent without references although these would save tokens, ascending.
    unshortened: Vec<usize>,
    /// Of the newest request.
    cached_tokens: f64,
}

/// Reads requests from `inbox` and adds them to the fold.
pub fn fold_requests(inbox: &[f64], fold: &mut Fold) -> Result<Removals> {
    let mut cursor = Cursor { rest: inbox };
    let mut removals = Removals { rows: Vec::new(), unshortened: Vec::new(), cached_tokens: 0.0 };
    for request_index in 0..cursor.count()? {
        let request: FoldedRequest = cursor.read()?;
        for _ in 0..to_u32(request.messages)? {
            let (tokens, blocks, saved_by_references) =
                (cursor.number()?, cursor.number()?, cursor.number()?);
            fold.push(tokens, blocks);
            if saved_by_references > 0.0 && !fold.shorten_newest(saved_by_references) {
                removals.unshortened.push(fold.prompt().len() - 1);
            }
        }
        for _ in 0..to_u32(request.outdated)? {
            let (row, position) = (to_u32(cursor.number()?)?, cursor.count()?);
            let (saved_by_placeholder, saved_by_references) = (cursor.number()?, cursor.number()?);
            // A placeholder in place of references saves only the difference.
            let is_unshortened = removals.unshortened.binary_search(&position).is_ok();
            let saved = saved_by_placeholder - if is_unshortened { 0.0 } else { saved_by_references };
            fold.outdate(Pending { row, position, saved });
        }
        let time_ms = in_ms(request.time);
        let since = |time: f64| Some(time_ms - in_ms(time)).filter(|elapsed| !elapsed.is_nan());
        let decision = fold.add_request(Request {
            elapsed_ms: since(request.last_time),
            least_elapsed_ms: since(request.interrupted_time),
            time_ms,
            is_side: request.is_side != 0.0,
        });
        removals.rows.extend(decision.rows.iter().map(|&row| (row, request_index)));
        removals.cached_tokens = decision.tokens.cached.sent;
    }
    Ok(removals)
}

/// Returns the length of the output in numbers; drops what does not fit.
pub fn write_removals(removals: &Removals, outbox: &mut [f64]) -> usize {
    let Removals { rows, unshortened, cached_tokens } = removals;
    let outcome = FoldOutcome {
        removed: to_f64(rows.len()),
        whole: to_f64(unshortened.len()),
        cached_tokens: *cached_tokens,
    };
    let removed = rows.iter().flat_map(|&(row, request_index)| [f64::from(row), to_f64(request_index)]);
    let unshortened = unshortened.iter().map(|&message| to_f64(message));
    fill(outbox, outcome.numbers().into_iter().chain(removed).chain(unshortened));
    FoldOutcome::LENGTH + 2 * rows.len() + removals.unshortened.len()
}
