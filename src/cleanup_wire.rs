//! Converts the input and the decisions of clean-up from and to the flat forms of `layouts.rs`.

use crate::cursor::{Cursor, fill, malformed, to_f64, to_u32};
use crate::layouts::{CleanupCall, CleanupDecision, CleanupEdit, CleanupNews, CleanupRow, FlatForm, RowFlag};
use napi::Result;
use palimpsest_core::cleanup::{Cleanup, Evaluation, SentRequest, Update};
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::conversation::{Call, NONE, Row, RowKind};

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
    let group_count: usize = new_edits.iter().map(|edit| edit.groups.len()).sum();
    let decision = CleanupDecision {
        valid_until: evaluation.valid_until_ms,
        dropped: to_f64(dropped.len()),
        answered: to_f64(answered.len()),
        repeated: to_f64(repeated.len()),
        duplicates: to_f64(evaluation.duplicates),
        edits: to_f64(new_edits.len()),
        in_seconds: to_f64(evaluation.in_seconds),
        kept_edits: to_f64(evaluation.kept_edits),
        unmatched: to_f64(evaluation.unmatched),
    };
    let edits = new_edits.iter().flat_map(|edit| {
        let (row, rule) = (f64::from(edit.row), f64::from(edit.rule));
        CleanupEdit { row, rule, groups: to_f64(edit.groups.len()), request: f64::from(edit.request) }
            .numbers()
    });
    let dropped_rows = dropped.iter().map(|&row| to_f64(row));
    let calls = answered.iter().chain(repeated).map(|&call| f64::from(call));
    let groups = new_edits.iter().flat_map(|edit| &edit.groups).map(|&group| f64::from(group));
    let numbers = decision.numbers().into_iter().chain(dropped_rows).chain(calls).chain(edits).chain(groups);
    fill(outbox, numbers);
    let call_count = answered.len() + repeated.len();
    let edit_numbers = new_edits.len() * CleanupEdit::LENGTH + group_count;
    CleanupDecision::LENGTH + dropped.len() + call_count + edit_numbers
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
