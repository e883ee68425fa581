//! Reads the flat forms of `layouts.rs` into the core's values, and writes the core's decisions in these forms: for
//! clean-up, and for the fold with which a view decides on removals request after request.

use napi::{Error, Result, Status};
use palimpsest_core::cache::cuts::Pending;
use palimpsest_core::cache::fold::{Fold, Request};
use palimpsest_core::cleanup::{Cleanup, Evaluation, SentRequest, Update};
use palimpsest_core::conversation::in_ms;
use palimpsest_core::conversation::{Call, NONE, Row, RowKind};

use crate::layouts::{
    CleanupCall, CleanupDecision, CleanupEdit, CleanupNews, CleanupRow, FlatForm, FoldOutcome, FoldedRequest, RowFlag,
};

/// The error for numbers that the JavaScript side of this version would not have written.
fn malformed() -> Error {
    let message = "the JavaScript files and the addon are of different versions: reinstall palimpsest";
    Error::new(Status::InvalidArg, message)
}

/// Drops a fraction; an error for a number out of range.
pub fn to_u32(number: f64) -> Result<u32> {
    let is_u32 = (0.0..=f64::from(u32::MAX)).contains(&number);
    is_u32.then_some(number as u32).ok_or_else(malformed)
}

/// Reads forms, and numbers between them, one after the other.
struct Cursor<'a> {
    /// Numbers that are not yet read.
    rest: &'a [f64],
}

impl Cursor<'_> {
    fn read<F: FlatForm>(&mut self) -> Result<F> {
        let form = F::read(self.rest).ok_or_else(malformed)?;
        self.rest = self.rest.get(F::LENGTH..).unwrap_or_default();
        Ok(form)
    }

    fn number(&mut self) -> Result<f64> {
        let (&first, rest) = self.rest.split_first().ok_or_else(malformed)?;
        self.rest = rest;
        Ok(first)
    }

    fn count(&mut self) -> Result<usize> {
        Ok(to_u32(self.number()?)? as usize)
    }
}

/// Writes the numbers that fit, drops the others, and returns how many there are.
fn fill(outbox: &mut [f64], numbers: impl Iterator<Item = f64>) -> usize {
    let mut count = 0;
    for number in numbers {
        if let Some(slot) = outbox.get_mut(count) {
            *slot = number;
        }
        count += 1;
    }
    count
}

/// Applies the changes in `inbox` to `cleanup`, and returns the rows and requests to decide on.
pub fn read_update(inbox: &[f64], cleanup: &mut Cleanup) -> Result<Update> {
    let mut cursor = Cursor { rest: inbox };
    let changes: CleanupNews = cursor.read()?;
    cleanup.set_compressed(changes.is_compressed != 0.0);
    let keep = to_u32(changes.keep)? as usize;
    if keep < cleanup.conversation().len() {
        cleanup.truncate(keep);
    }
    for _ in 0..to_u32(changes.patches)? {
        let index = cursor.count()?;
        let (row, _) = row_of(&cursor.read()?)?;
        if !cleanup.patch(index, row) {
            return Err(malformed());
        }
    }
    let mut update = Update { first_request: to_u32(changes.first_request)?, ..Update::default() };
    for _ in 0..to_u32(changes.rows)? {
        let (row, calls) = row_of(&cursor.read()?)?;
        let calls: Vec<Call> = (0..calls).map(|_| call_of(&cursor.read()?)).collect::<Result<_>>()?;
        update.rows.push((row, calls));
    }
    for _ in 0..to_u32(changes.requests)? {
        let row_count = cursor.count()?;
        update.requests.push(SentRequest { row_count, time_ms: in_ms(cursor.number()?) });
    }
    update.requests.push(SentRequest { row_count: usize::MAX, time_ms: changes.now });
    Ok(update)
}

/// Writes the decision into `outbox` and returns its length in numbers; if that exceeds `outbox`, the written part is
/// meaningless.
pub fn write_evaluation(evaluation: &Evaluation, outbox: &mut [f64]) -> usize {
    let Evaluation { dropped, answered, duplicate_calls: repeated, .. } = evaluation;
    let new_edits = evaluation.edits.get(evaluation.kept_edits..).unwrap_or_default();
    let decision = CleanupDecision {
        valid_until: evaluation.valid_until_ms,
        dropped: dropped.len() as f64,
        answered: answered.len() as f64,
        repeated: repeated.len() as f64,
        duplicates: evaluation.duplicates as f64,
        edits: new_edits.len() as f64,
        in_seconds: evaluation.in_seconds as f64,
        kept_edits: evaluation.kept_edits as f64,
        unmatched: evaluation.unmatched as f64,
    };
    let edits = new_edits.iter().flat_map(|edit| {
        let (row, rule) = (f64::from(edit.row), f64::from(edit.rule));
        CleanupEdit { row, rule, groups: edit.groups.len() as f64, request: f64::from(edit.request) }.numbers()
    });
    let dropped_rows = dropped.iter().map(|&row| row as f64);
    let calls = answered.iter().chain(repeated).map(|&call| f64::from(call));
    let groups = new_edits.iter().flat_map(|edit| &edit.groups).map(|&group| f64::from(group));
    fill(outbox, decision.numbers().into_iter().chain(dropped_rows).chain(calls).chain(edits).chain(groups))
}

/// The number of a call or tool name; negative for none.
fn id_of(number: f64) -> Result<u32> {
    if number < 0.0 { Ok(NONE) } else { to_u32(number) }
}

/// The row, and how many calls it declares.
fn row_of(&CleanupRow { flags, timestamp, call_id, calls }: &CleanupRow) -> Result<(Row, u32)> {
    let flags = to_u32(flags)?;
    let has = |flag: RowFlag| flags & flag as u32 != 0;
    let kind = match (has(RowFlag::Assistant), has(RowFlag::Tool)) {
        (true, _) => RowKind::Assistant,
        (_, true) => RowKind::Tool,
        _ => RowKind::Other,
    };
    let row = Row {
        kind,
        status_error: has(RowFlag::StatusError),
        has_text: has(RowFlag::HasText),
        has_media: has(RowFlag::HasMedia),
        is_first_sight: has(RowFlag::IsFirstSight),
        is_aside: has(RowFlag::Aside),
        is_unknown: has(RowFlag::Unknown),
        is_interruption: has(RowFlag::Interruption),
        timestamp,
        call_id: id_of(call_id)?,
    };
    Ok((row, to_u32(calls)?))
}

fn call_of(&CleanupCall { id, name, is_settled }: &CleanupCall) -> Result<Call> {
    Ok(Call { id: id_of(id)?, name: id_of(name)?, settled: is_settled != 0.0 })
}

/// What the fold has decided about the requests of one call.
pub struct Removals {
    /// Removed rows, each with the index of its request among those of the call.
    rows: Vec<(u32, usize)>,
    /// Messages that are sent without references although these would save tokens, ascending.
    unshortened: Vec<usize>,
    /// Of the newest request, how many tokens the provider has cached.
    cached_tokens: f64,
}

/// Reads requests from `inbox` and adds them to the fold.
pub fn fold_requests(inbox: &[f64], fold: &mut Fold) -> Result<Removals> {
    let mut cursor = Cursor { rest: inbox };
    let mut removals = Removals { rows: Vec::new(), unshortened: Vec::new(), cached_tokens: 0.0 };
    for request_index in 0..cursor.count()? {
        let request: FoldedRequest = cursor.read()?;
        for _ in 0..to_u32(request.messages)? {
            let (tokens, blocks, saved_by_references) = (cursor.number()?, cursor.number()?, cursor.number()?);
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
    let outcome =
        FoldOutcome { removed: rows.len() as f64, whole: unshortened.len() as f64, cached_tokens: *cached_tokens };
    let removed = rows.iter().flat_map(|&(row, request_index)| [f64::from(row), request_index as f64]);
    let unshortened = unshortened.iter().map(|&message| message as f64);
    fill(outbox, outcome.numbers().into_iter().chain(removed).chain(unshortened))
}
