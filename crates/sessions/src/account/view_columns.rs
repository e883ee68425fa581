//! A context as a view sees it: with references, and with the results that become outdated.

use palimpsest_core::cache::simulation::{SimulatedMessage, SimulatedSession as Columns};

use super::outdated::{OutdatedForView, PlayedContext, Rules};
use super::references::{Referring, find_references};
use super::rows::count;

/// A context as a view sees it.
pub(super) struct ViewColumns {
    pub columns: Columns,
    pub due: Vec<OutdatedForView>,
    pub referring: Vec<Referring>,
}

impl ViewColumns {
    /// `in_prompt`: tokens in the prompt of a result with a text of the given tokens.
    pub fn of(
        rules: &Rules,
        played: &PlayedContext<'_>,
        columns: &Columns,
        in_prompt: impl Fn(f64) -> f64,
    ) -> Self {
        let mut due = rules.due(played);
        let referring = find_references(played, &mut due);
        let mut columns = columns.clone();
        for message in &mut columns.messages {
            *message = SimulatedMessage::whole(message.tokens);
        }
        for found in &referring {
            if let Some(message) = columns.messages.get_mut(found.position) {
                message.tokens_short = in_prompt(found.tokens).min(message.tokens);
            }
        }
        for found in &due {
            let Some(message) = columns.messages.get_mut(found.position) else { continue };
            let after = found.placeholder.as_deref().map_or(message.tokens, |text| in_prompt(count(text)));
            message.tokens_after = after.min(message.tokens);
            message.stale_at = Some(found.request);
        }
        Self { columns, due, referring }
    }
}
