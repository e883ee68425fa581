//! Lists the calls that fetched a conversation's results, so that results fetched again can be counted.

use super::Cleanup;
use crate::cleanup::reacquired::Fetched;
use crate::conversation::{NONE, RowKind, RowTexts};
use crate::text::utf16::to_utf8;
use crate::tools::fetch::Fetch;

impl Cleanup {
    /// The results whose calls are declared and name what they fetch. `removed_at` gives, for a result's row, the row
    /// from which the result was no longer sent.
    /// O(calls and their arguments).
    pub fn fetched(
        &self,
        texts: &mut dyn RowTexts,
        removed_at: impl Fn(usize) -> Option<usize>,
    ) -> Vec<Fetched> {
        let row_of_call: Vec<usize> = (0..self.conversation.len())
            .flat_map(|row| self.conversation.calls_of(row).map(move |_| row))
            .collect();
        let mut fetched = Vec::new();
        for (row, &call) in self.pairing.resolved().iter().enumerate() {
            let is_result = self.conversation.row(row).is_some_and(|row| row.kind == RowKind::Tool);
            if !is_result || call == NONE {
                continue;
            }
            let Some(&called_at) = row_of_call.get(call as usize) else { continue };
            let tool =
                self.conversation.call(call as usize).and_then(|call| self.tools.get(call.name as usize));
            let Some(tool) = tool.map(|tool| to_utf8(&tool.name)) else { continue };
            texts.arguments(call as usize, &mut |arguments_text| {
                let fetch = Fetch::of_call(&tool, &String::from_utf16_lossy(arguments_text));
                fetched.push(Fetched { fetch, called_at, removed_at: removed_at(row) });
            });
        }
        fetched
    }
}
