//! The flat form in which the face tells of messages and hears of decisions: one `Float64Array` each way, since
//! a call through N-API costs more than the numbers in it.
//!
//! In:  `now, keep, patches, rows`, then per patch `index, flags, timestamp, callId`, then per row
//! `flags, timestamp, callId, calls`, followed by `id, name` for each of its calls. −1 stands for "none", −2 − id for the
//! id of a call that needs no result.
//!
//! Out: `validUntil, dropped, answered, edits, inSeconds, keptEdits, unmatched`, then the dropped rows, then the calls that get an
//! answer, then per edit `row, rule, groups, rides`, then the groups of these edits. So many edits as `keptEdits` says were told
//! before; they stand, and what follows comes after them.

use crate::cursor::{Cursor, float, malformed};
use napi::Result;
use palimpsest_core::cleanup::{Cleanup, Evaluation};
use palimpsest_core::conversation::{Call, NONE, Row, RowKind};

const KIND: u32 = 3;
const STATUS_ERROR: u32 = 4;
const HAS_TEXT: u32 = 8;
const HAS_MEDIA: u32 = 32;
const IS_FIRST_SIGHT: u32 = 64;
/// Numbers before the dropped rows, and per edit.
const HEADER: usize = 7;
const EDIT: usize = 4;

/// Brings `cleanup` up to date with what `inbox` tells, and returns `now`.
pub fn read_update(inbox: &[f64], cleanup: &mut Cleanup) -> Result<f64> {
    let mut cursor = Cursor { rest: inbox };
    let now_ms = cursor.number()?;
    let keep = cursor.count()?;
    let (patches, rows) = (cursor.count()?, cursor.count()?);
    if keep < cleanup.conversation().len() {
        cleanup.truncate(keep);
    }
    for _ in 0..patches {
        let index = cursor.count()?;
        let row = cursor.row()?;
        if !cleanup.patch(index, row) {
            return Err(malformed());
        }
    }
    for _ in 0..rows {
        let row = cursor.row()?;
        let calls = cursor.count()?;
        let calls: Vec<Call> = (0..calls).map(|_| cursor.call()).collect::<Result<_>>()?;
        cleanup.push(row, calls);
    }
    Ok(now_ms)
}

/// Writes the decision into `outbox` and returns how many numbers it takes; when that is more than fit, what was
/// written means nothing.
pub fn write_evaluation(evaluation: &Evaluation, outbox: &mut [f64]) -> usize {
    let new_edits = evaluation.edits.get(evaluation.kept_edits..).unwrap_or_default();
    let groups: usize = new_edits.iter().map(|edit| edit.groups.len()).sum();
    let rows = evaluation.dropped.len() + evaluation.answered.len();
    let needed = HEADER + rows + new_edits.len() * EDIT + groups;
    let Some((header, rest)) = outbox.split_at_mut_checked(HEADER) else { return needed };
    header.copy_from_slice(&[
        evaluation.valid_until_ms,
        float(evaluation.dropped.len()),
        float(evaluation.answered.len()),
        float(new_edits.len()),
        float(evaluation.in_seconds),
        float(evaluation.kept_edits),
        float(evaluation.unmatched),
    ]);
    let Some((dropped, rest)) = rest.split_at_mut_checked(evaluation.dropped.len()) else { return needed };
    for (slot, &row) in dropped.iter_mut().zip(&evaluation.dropped) {
        *slot = float(row);
    }
    let Some((answered, rest)) = rest.split_at_mut_checked(evaluation.answered.len()) else { return needed };
    for (slot, &call) in answered.iter_mut().zip(&evaluation.answered) {
        *slot = f64::from(call);
    }
    let Some((edits, rest)) = rest.split_at_mut_checked(new_edits.len() * EDIT) else { return needed };
    for (slots, edit) in edits.chunks_exact_mut(EDIT).zip(new_edits) {
        let rides = f64::from(u8::from(edit.rides));
        slots.copy_from_slice(&[f64::from(edit.row), f64::from(edit.rule), float(edit.groups.len()), rides]);
    }
    for (slot, &group) in rest.iter_mut().zip(new_edits.iter().flat_map(|edit| &edit.groups)) {
        *slot = f64::from(group);
    }
    needed
}

impl Cursor<'_> {
    fn id(&mut self) -> Result<u32> {
        if self.rest.first().is_some_and(|&number| number < 0.0) {
            self.number()?;
            return Ok(NONE);
        }
        u32::try_from(self.count()?).map_err(|_| malformed())
    }

    fn row(&mut self) -> Result<Row> {
        let flags = u32::try_from(self.count()?).map_err(|_| malformed())?;
        let kind = match flags & KIND {
            1 => RowKind::Assistant,
            2 => RowKind::Tool,
            _ => RowKind::Other,
        };
        let timestamp = self.number()?;
        let call_id = self.id()?;
        let status_error = flags & STATUS_ERROR != 0;
        let (has_text, has_media) = (flags & HAS_TEXT != 0, flags & HAS_MEDIA != 0);
        let is_first_sight = flags & IS_FIRST_SIGHT != 0;
        Ok(Row { kind, status_error, has_text, has_media, is_first_sight, timestamp, call_id })
    }

    fn call(&mut self) -> Result<Call> {
        let settled = self.rest.first().is_some_and(|&id| id < -1.0);
        let id = if settled {
            let coded = self.number()?;
            Cursor { rest: &[-2.0 - coded] }.id()?
        } else {
            self.id()?
        };
        Ok(Call { id, name: self.id()?, settled })
    }
}
