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
        let sent = |(request, &len): (usize, &usize)| SimulatedRequest { len, now_ms: input.now_ms(request) };
        let columns = Columns {
            fixed_tokens: thread.fixed_tokens,
            messages: rows.tokens.iter().map(|&tokens| SimulatedMessage::never_outdated(tokens)).collect(),
            requests: lengths.iter().enumerate().map(sent).collect(),
        };
        let view_columns = columns.clone();
        let mut context = Self {
            thread,
            rows,
            request_indices,
            lengths,
            columns,
            outdated,
            view_columns,
            outdated_for_view,
            referring,
        };
        context.replace_outdated();
        context
    }

    fn replace_outdated(&mut self) {
        let in_prompt = |text_tokens: f64| self.thread.with_text(text_tokens);
        let of_view = (&mut self.view_columns, &self.outdated_for_view);
        for (columns, outdated) in [(&mut self.columns, &self.outdated), of_view] {
            for found in outdated {
                let Some(message) = columns.messages.get_mut(found.position) else { continue };
                let placeholder = found.placeholder.as_deref();
                let replaced = placeholder.map_or(message.tokens, |text| in_prompt(count_tokens(text)));
                message.tokens_replaced = replaced.min(message.tokens);
                message.outdated_from = Some(found.request);
            }
        }
        for found in &self.referring {
            if let Some(message) = self.view_columns.messages.get_mut(found.position) {
                message.tokens_with_references = in_prompt(found.tokens).min(message.tokens);
            }
        }
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
