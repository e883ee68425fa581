//! Kinds of a session's tool results, determined from their calls.

use std::collections::HashMap;

use palimpsest_core::tools::result_kind::{ResultKind, result_kind_of};

use super::rows::CountedRows;
use crate::model::{Part, Session};

/// By row; `None` if it is not a tool result.
pub(super) fn kinds_of(session: &Session, rows: &CountedRows) -> Vec<Option<ResultKind>> {
    let mut callers: HashMap<&str, ResultKind> = HashMap::new();
    let mut kinds = vec![None; rows.all.len()];
    for (number, message) in (0..).zip(&session.messages) {
        for part in &message.parts {
            if let Part::Call { id, name, arguments, .. } = part {
                callers.insert(id, result_kind_of(name, arguments));
            }
        }
        for row in rows.of_message(number) {
            let part = rows.all.get(row).and_then(|row| row.part).and_then(|part| message.parts.get(part));
            if let (Some(Part::Result { id, .. }), Some(kind)) = (part, kinds.get_mut(row)) {
                *kind = Some(callers.get(id.as_str()).copied().unwrap_or(ResultKind::Other));
            }
        }
    }
    kinds
}
