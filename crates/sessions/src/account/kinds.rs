//! Kinds of a session's tool results, determined from their calls.

use std::collections::HashMap;

use palimpsest_core::tools::result_kind::{ResultKind, result_kind_of};

use super::rows::CountedRows;
use crate::model::Part;

/// By row; `None` if it is not a tool result.
pub(super) fn kinds_of(rows: &CountedRows<'_>) -> Vec<Option<ResultKind>> {
    let mut callers: HashMap<&str, ResultKind> = HashMap::new();
    let mut kinds = vec![None; rows.all.len()];
    for (number, message) in (0..).zip(&rows.session.messages) {
        callers.extend(message.calls().map(|(id, name, arguments)| (id, result_kind_of(name, arguments))));
        for row in rows.of_message(number) {
            if let (Some(Part::Result { id, .. }), Some(kind)) = (rows.result(row), kinds.get_mut(row)) {
                *kind = Some(callers.get(id.as_str()).copied().unwrap_or(ResultKind::Other));
            }
        }
    }
    kinds
}
