//! A context in the form that policies are simulated on: numeric columns with one entry for each row (a tool result, or
//! the rest of a message). Once for a context view, with its references and outdated results, and once for the others.

use palimpsest_core::cache::simulation::{SimulatedMessage, SimulatedRequest, SimulatedSession as Columns};

use super::outdated::{OutdatedForView, OutdatedResult, RuleInput, Rules};
use super::prompt::Prompt;
use super::references::{ReferringResult, find_references};
use super::rows::count;
use super::thread::CountedThread;

/// A context on which policies are simulated. Every policy starts with an empty cache, even after another context.
pub(super) struct CountedContext {
    /// By request, the number of rows that it sent.
    pub lengths: Vec<usize>,
    pub columns: Columns,
    pub outdated: Vec<OutdatedResult>,
    /// The columns for a context view.
    pub view: Columns,
    pub outdated_for_view: Vec<OutdatedForView>,
    /// Results that a view sends with references to earlier texts.
    pub referring: Vec<ReferringResult>,
}

impl CountedContext {
    /// Context `number` of `thread`, whose rows are in `prompt`.
    pub fn of(thread: &CountedThread<'_>, (number, prompt): (u32, &Prompt), rules: &Rules) -> Self {
        let (lengths, times) = thread.requests_of(number);
        let times_ms = times.as_deref();
        let input = RuleInput { rows: thread.rows, order: &prompt.rows, lengths: &lengths, times_ms };
        let in_prompt = |text_tokens: f64| thread.prompts.with_text(text_tokens);
        let sent = |(number, &len): (usize, &usize)| SimulatedRequest { len, now_ms: input.now_ms(number) };
        let requests = lengths.iter().enumerate().map(sent).collect();
        let messages = prompt.tokens.iter().map(|&tokens| SimulatedMessage::never_outdated(tokens)).collect();
        let mut columns = Columns { fixed_tokens: thread.prompts.fixed_tokens, messages, requests };
        let mut view = columns.clone();
        let outdated = rules.outdated(&input);
        for found in &outdated {
            if let Some(message) = columns.messages.get_mut(found.position) {
                let placeholder = rules.named.get(found.rule).map_or(0.0, |(_, tokens)| *tokens);
                message.tokens_replaced = in_prompt(placeholder).min(message.tokens);
                message.outdated_from = Some(found.request);
            }
        }
        let mut outdated_for_view = rules.outdated_for_view(&input);
        let referring = find_references(&input, &mut outdated_for_view);
        for found in &referring {
            if let Some(message) = view.messages.get_mut(found.position) {
                message.tokens_with_references = in_prompt(found.tokens).min(message.tokens);
            }
        }
        for found in &outdated_for_view {
            let Some(message) = view.messages.get_mut(found.position) else { continue };
            let after = found.placeholder.as_deref().map_or(message.tokens, |text| in_prompt(count(text)));
            message.tokens_replaced = after.min(message.tokens);
            message.outdated_from = Some(found.request);
        }
        Self { lengths, columns, outdated, view, outdated_for_view, referring }
    }
}
