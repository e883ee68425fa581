//! A context as columns: unmodified, and as a view sees it, with references and with the results that become outdated.

use palimpsest_core::cache::simulation::{SimulatedMessage, SimulatedRequest, SimulatedSession as Columns};

use super::outdated::{OutdatedForView, OutdatedResult, PlayedContext, Rules};
use super::prompt::Prompt;
use super::references::{Referring, find_references};
use super::rows::count;
use super::thread::CountedThread;

/// A context that policies play. Every policy starts it with an empty cache, even after another context.
pub(super) struct CountedContext {
    /// By request, the number of rows that it sent.
    pub lengths: Vec<usize>,
    pub columns: Columns,
    pub outdated: Vec<OutdatedResult>,
    /// The columns as a view sees them.
    pub view: Columns,
    pub due: Vec<OutdatedForView>,
    pub referring: Vec<Referring>,
}

impl CountedContext {
    /// Context `number` of `thread`, whose rows are in `prompt`.
    pub fn of(thread: &CountedThread<'_>, (number, prompt): (u32, &Prompt), rules: &Rules) -> Self {
        let (lengths, times) = thread.requests_of(number);
        let times_ms = times.as_deref();
        let played = PlayedContext { rows: thread.rows, order: &prompt.rows, lengths: &lengths, times_ms };
        let in_prompt = |text: f64| thread.prompts.with_text(text);
        let sent = |(number, &len): (usize, &usize)| SimulatedRequest { len, now_ms: played.now_ms(number) };
        let requests = lengths.iter().enumerate().map(sent).collect();
        let messages = prompt.tokens.iter().map(|&tokens| SimulatedMessage::never_outdated(tokens)).collect();
        let mut columns = Columns { fixed_tokens: thread.prompts.fixed_tokens, messages, requests };
        let mut view = columns.clone();
        let outdated = rules.outdated(&played);
        for found in &outdated {
            if let Some(message) = columns.messages.get_mut(found.position) {
                let placeholder = rules.named.get(found.rule).map_or(0.0, |(_, tokens)| *tokens);
                message.tokens_replaced = in_prompt(placeholder).min(message.tokens);
                message.outdated_from = Some(found.request);
            }
        }
        let mut due = rules.due(&played);
        let referring = find_references(&played, &mut due);
        for found in &referring {
            if let Some(message) = view.messages.get_mut(found.position) {
                message.tokens_with_references = in_prompt(found.tokens).min(message.tokens);
            }
        }
        for found in &due {
            let Some(message) = view.messages.get_mut(found.position) else { continue };
            let after = found.placeholder.as_deref().map_or(message.tokens, |text| in_prompt(count(text)));
            message.tokens_replaced = after.min(message.tokens);
            message.outdated_from = Some(found.request);
        }
        Self { lengths, columns, outdated, view, due, referring }
    }
}
