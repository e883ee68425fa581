//! A context as columns by row (a tool result, or the rest of a message), on which policies are simulated.

use palimpsest_core::cache::simulation::{SimulatedMessage, SimulatedRequest, SimulatedSession as Columns};

use super::{
    Charge, ContextRows, CountedThread, OutdatedResult, ReferringResult, RuleInput, Rules, count_tokens,
    find_references, outdated_results,
};
use crate::model::Request;

/// A context on which policies are simulated. Every policy starts with an empty cache, even after another context.
pub(super) struct CountedContext<'a> {
    pub thread: &'a CountedThread<'a>,
    pub rows: &'a ContextRows,
    /// By request of the context, its index in the thread.
    pub request_indices: Vec<usize>,
    pub lengths: Vec<usize>,
    pub columns: Columns,
    pub outdated: Vec<OutdatedResult>,
    pub view_columns: Columns,
    pub outdated_for_view: Vec<OutdatedResult>,
    pub referring: Vec<ReferringResult>,
}

impl<'a> CountedContext<'a> {
    pub fn of(thread: &'a CountedThread<'a>, index: u32, rows: &'a ContextRows, rules: &Rules) -> Self {
        let all = thread.thread.requests.iter().enumerate();
        let (request_indices, requests): (Vec<usize>, Vec<&Request>) =
            all.filter(|(_, request)| request.context == index).unzip();
        let lengths: Vec<usize> = requests.iter().map(|request| rows.row_count(request.sent_count)).collect();
        let times_ms: Option<Vec<f64>> = requests.iter().map(|request| Some(request.at_ms? as f64)).collect();
        let times_ms = times_ms.as_deref();
        let input = RuleInput { rows: thread.rows, order: &rows.rows, lengths: &lengths, times_ms };
        let outdated = outdated_results(&rules.by_age, &input);
        let mut outdated_for_view = outdated_results(&rules.by_kind, &input);
        let referring = find_references(&input, &mut outdated_for_view);
        let columns = columns_of(thread, &input, rows, &outdated);
        let mut view_columns = columns_of(thread, &input, rows, &outdated_for_view);
        for found in &referring {
            if let Some(message) = view_columns.messages.get_mut(found.position) {
                message.tokens_with_references = thread.with_text(found.tokens).min(message.tokens);
            }
        }
        Self { thread, rows, request_indices, lengths, columns, outdated, view_columns, outdated_for_view, referring }
    }

    pub fn requests(&self) -> impl Iterator<Item = &'a Request> {
        let requests = &self.thread.thread.requests;
        self.request_indices.iter().filter_map(|&index| requests.get(index))
    }

    pub fn paid(&self, charges: &[Option<Charge>]) -> Vec<(u64, f64)> {
        let charges = self.request_indices.iter().map(|&index| charges.get(index)?.as_ref());
        let paid = charges.map(|charge| charge.map_or(0.0, |charge| charge.prompt));
        self.requests().map(|request| request.line).zip(paid).collect()
    }
}

/// The context's columns, in which the results of `outdated` can be replaced.
fn columns_of(
    thread: &CountedThread<'_>,
    input: &RuleInput<'_>,
    rows: &ContextRows,
    outdated: &[OutdatedResult],
) -> Columns {
    let mut messages: Vec<_> = rows.tokens.iter().map(|&tokens| SimulatedMessage::never_outdated(tokens)).collect();
    for found in outdated {
        let Some(message) = messages.get_mut(found.position) else { continue };
        let placeholder = found.placeholder.as_deref();
        let replaced = placeholder.map_or(message.tokens, |text| thread.with_text(count_tokens(text)));
        message.tokens_replaced = replaced.min(message.tokens);
        message.outdated_from = Some(found.request);
    }
    let sent = |(request, &len): (usize, &usize)| SimulatedRequest { len, now_ms: input.now_ms(request) };
    let requests = input.lengths.iter().enumerate().map(sent).collect();
    Columns { fixed_tokens: thread.fixed_tokens, messages, requests }
}
