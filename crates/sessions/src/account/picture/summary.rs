//! Finds the summary message of a compacted context.

use super::super::prompt::Prompt;
use super::super::rows::CountedRows;
use crate::model::{ContextStart, Part, Role, Thread};

/// The longest new text in the first request after a compaction; agents mark their summaries differently, or not at
/// all. The context is given by its number, its prompt, and the number of rows of its first request.
pub(super) fn summary_of(
    all: &CountedRows<'_>,
    thread: &Thread,
    (number, prompt, sent): (u32, &Prompt, usize),
) -> Option<u32> {
    let context = thread.contexts.get(number as usize)?;
    if !matches!(context.start, ContextStart::Compaction { .. }) {
        return None;
    }
    let before = number.checked_sub(1).and_then(|before| thread.contexts.get(before as usize));
    let before = before.map_or(&[][..], |context| &context.messages);
    let is_candidate = |at: u32| {
        all.session.messages.get(at as usize).is_some_and(|message| {
            let says =
                |part: &Part| !matches!(part, Part::Call { .. } | Part::Result { .. } | Part::Tools(_));
            matches!(message.role, Role::User | Role::Assistant) && message.parts.iter().all(says)
        })
    };
    let rows = prompt.rows.iter().zip(&prompt.tokens).take(sent);
    let messages = rows.filter_map(|(&row, &tokens)| Some((all.all.get(row)?.message, tokens)));
    let new = messages.filter(|&(at, _)| is_candidate(at) && !before.contains(&at));
    new.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}
