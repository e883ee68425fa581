//! Converts the input and the decisions of clean-up from and to the forms of `layouts.rs`.

use crate::cursor::{Cursor, fill, float, malformed, whole};
use crate::layouts::{CleanupCall, CleanupDecision, CleanupEdit, CleanupNews, CleanupRow, FlatForm, RowFlag};
use napi::Result;
use palimpsest_core::cleanup::{Cleanup, Evaluation, SentRequest, Update};
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::conversation::{Call, NONE, Row, RowKind};

/// Applies the changes in `inbox` to `cleanup`, and returns the rows and requests to decide on.
pub fn read_update(inbox: &[f64], cleanup: &mut Cleanup) -> Result<Update> {
    let mut cursor = Cursor { rest: inbox };
    let news: CleanupNews = cursor.read()?;
    cleanup.set_compressed(news.is_compressed != 0.0);
    let keep = whole(news.keep)? as usize;
    if keep < cleanup.conversation().len() {
        cleanup.truncate(keep);
    }
    for _ in 0..whole(news.patches)? {
        let index = cursor.count()?;
        let (row, _) = row_of(&cursor.read()?)?;
        if !cleanup.patch(index, row) {
            return Err(malformed());
        }
    }
    let mut update = Update { first_request: whole(news.first_request)?, ..Update::default() };
    for _ in 0..whole(news.rows)? {
        let (row, calls) = row_of(&cursor.read()?)?;
        let calls: Vec<Call> = (0..calls).map(|_| call_of(&cursor.read()?)).collect::<Result<_>>()?;
        update.rows.push((row, calls));
    }
    for _ in 0..whole(news.requests)? {
        let row_count = cursor.count()?;
        update.requests.push(SentRequest { row_count, time_ms: in_ms(cursor.number()?) });
    }
    update.requests.push(SentRequest { row_count: usize::MAX, time_ms: news.now });
    Ok(update)
}

/// Writes the decision into `outbox` and returns its length in numbers; if that exceeds `outbox`, the written part is
/// meaningless.
pub fn write_evaluation(evaluation: &Evaluation, outbox: &mut [f64]) -> usize {
    let Evaluation { dropped, answered, duplicate_calls: repeated, .. } = evaluation;
    let new_edits = evaluation.edits.get(evaluation.kept_edits..).unwrap_or_default();
    let groups: usize = new_edits.iter().map(|edit| edit.groups.len()).sum();
    let decision = CleanupDecision {
        valid_until: evaluation.valid_until_ms,
        dropped: float(dropped.len()),
        answered: float(answered.len()),
        repeated: float(repeated.len()),
        duplicates: float(evaluation.duplicates),
        edits: float(new_edits.len()),
        in_seconds: float(evaluation.in_seconds),
        kept_edits: float(evaluation.kept_edits),
        unmatched: float(evaluation.unmatched),
    };
    let edits = new_edits.iter().flat_map(|edit| {
        let (row, rule) = (f64::from(edit.row), f64::from(edit.rule));
        CleanupEdit { row, rule, groups: float(edit.groups.len()), request: f64::from(edit.request) }
            .numbers()
    });
    let numbers = decision.numbers().into_iter();
    let numbers = numbers.chain(dropped.iter().map(|&row| float(row)));
    let numbers = numbers.chain(answered.iter().chain(repeated).map(|&call| f64::from(call))).chain(edits);
    fill(
        outbox,
        numbers.chain(new_edits.iter().flat_map(|edit| &edit.groups).map(|&group| f64::from(group))),
    );
    let calls = answered.len() + repeated.len();
    CleanupDecision::LENGTH + dropped.len() + calls + new_edits.len() * CleanupEdit::LENGTH + groups
}

fn id_of(number: f64) -> Result<u32> {
    if number < 0.0 { Ok(NONE) } else { whole(number) }
}

/// The row, and how many calls it declares.
fn row_of(&CleanupRow { flags, timestamp, call_id, calls }: &CleanupRow) -> Result<(Row, u32)> {
    let flags = whole(flags)?;
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
    Ok((row, whole(calls)?))
}

fn call_of(&CleanupCall { id, name, is_settled }: &CleanupCall) -> Result<Call> {
    Ok(Call { id: id_of(id)?, name: id_of(name)?, settled: is_settled != 0.0 })
}
